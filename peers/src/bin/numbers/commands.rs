//! What is asked of the command line, and of a reader of files.
//!
//! In:   the program in `THRONG`; without it these rows are left out, and that is said.
//! Out:  a table of milliseconds and bars.
//!
//! A command is run a few times and the fastest counts. `whynot` is the whole process by the
//! clock, with its start and the reading of the file; crowds tell their own figures.

use crate::{Failure, Run, shown, timed};
use std::process::{Command, Stdio};
use std::time::Instant;
use throng::prelude::*;

/// What a newcomer writes first.
const NINE_LINES: &str = "\
domain healer
var hp: 0..100
var mp: 0..100
action heal: hp += 10 up to 100, mp -= 5
goal ok: hp >= 50, mp >= 10
npc who
    can heal
    wants ok
    starts hp = 0, mp = 60
";
/// How often a command is run.
const TIMES: usize = 5;

/// All rows; `twins` are the domains with an impossible twin.
pub(crate) fn all<'c>(twins: impl Iterator<Item = &'c str>, run: &mut Run) -> Result<(), Failure> {
    println!("\n| what | it takes | bar |\n|---|--:|--:|");
    load(run)?;
    let Some(throng) = std::env::var_os("THRONG") else {
        println!("\nThe command line is not there (`THRONG`), so nothing was asked of it.");
        return Ok(());
    };
    let program = || Command::new(&throng);
    let crowd = |file: &str, npcs: &str, frames: &str| -> Result<(f64, f64, String), Failure> {
        let (mut load, mut plan, mut by) = (f64::MAX, f64::MAX, String::new());
        for _ in 0..TIMES {
            let mut command = program();
            command.arg("crowd").arg(path(file)).args(["--npcs", npcs, "--frames", frames]);
            let said = output(command.args(["--drift", "1", "--json"]), &[0])?;
            load = load.min(number(&said, "\"load_ms\":")?);
            let (_, frames) = said.split_once("\"frame_ms\":").ok_or("no frames are told")?;
            let (_, planning) = frames.split_once("\"plan\":").ok_or("no planning is told")?;
            plan = plan.min(number(planning, "\"median\":")?);
            let source = said.split_once("\"source\":\"").and_then(|(_, it)| it.split_once('"'));
            by = source.map_or(String::new(), |(source, _)| source.to_string());
        }
        Ok((load * 1_000.0, plan * 1_000.0, by))
    };
    let (ready, ..) = crowd("hpmp", "1000", "20")?;
    let what = "`crowd hpmp.npc --npcs 1000`: load";
    row(what, ready, 50_000.0, run);
    let (ready, plan, by) = crowd("shooter", "100000", "300")?;
    let what = format!("`crowd shooter.npc --npcs 100000 --drift 1`, by {by}: load");
    row(&what, ready, 200_000.0, run);
    row("the same: planning, a frame in the middle", plan, 5_000.0, run);
    for twin in twins {
        let mut least = f64::MAX;
        for _ in 0..TIMES {
            let mut command = program();
            let begin = Instant::now();
            output(command.arg("whynot").arg(path(&format!("{twin}_no"))), &[0, 1])?;
            least = least.min(begin.elapsed().as_secs_f64() * 1e6);
        }
        let bar = if twin == "economy" { 100_000.0 } else { 50_000.0 };
        row(&format!("`whynot {twin}_no.npc`"), least, bar, run);
    }
    Ok(())
}

/// The file of nine lines: one action, one goal.
fn load(run: &mut Run) -> Result<(), Failure> {
    let domain = Domain::from_text(NINE_LINES)?;
    let made = (domain.model().actions().len(), domain.model().goals().len());
    if made != (1, 1) {
        return Err(format!("nine lines make {made:?} actions and goals").into());
    }
    let load = || Domain::from_text(NINE_LINES).is_ok();
    let least = (0..run.rounds).map(|_| timed(1, load)).fold(f64::MAX, f64::min);
    row("nine lines with two amounts: load, 1 action, 1 goal", least, 1_000.0, run);
    Ok(())
}

fn row(what: &str, micros: f64, bar: f64, run: &mut Run) {
    let bar = run.bar(what, micros, bar);
    println!("| {what} | {} | {bar} |", shown(micros));
}

fn path(file: &str) -> String {
    format!("{}/../domains/numbers/bench/{file}.npc", env!("CARGO_MANIFEST_DIR"))
}

/// What a command prints, if it ends with one of these codes.
fn output(command: &mut Command, codes: &[i32]) -> Result<String, Failure> {
    let output = command.stdin(Stdio::null()).output()?;
    if !output.status.code().is_some_and(|code| codes.contains(&code)) {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?}: {}: {said}", output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// The first number behind a key.
fn number(text: &str, key: &str) -> Result<f64, Failure> {
    let (_, rest) = text.split_once(key).ok_or_else(|| format!("no {key}"))?;
    let rest = rest.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.' && c != 'e' && c != '-');
    Ok(rest[..end.unwrap_or(rest.len())].parse()?)
}
