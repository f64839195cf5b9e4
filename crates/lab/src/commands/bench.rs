//! `throng bench`: suites that answer correctly or fail; tables, CSV and pictures.
//!
//! In:   which suite, and a folder for its files if any.
//! Out:  tables, or one JSON list of records; with a folder, its page, figures and points.
//! Cost: a few minutes at most; Ctrl-C ends it early.

pub(crate) mod args;

use crate::{BenchError, Report, Session, boxes, growth, limits, minds, papers};
use args::{BenchArgs, BenchOut, GrowthArgs, SuiteArgs};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use throng_cli::writing::{fill, make_folder};
use throng_cli::{CommandResult, Console, Fail, bad};
use throng_cli::{FINE, NO};

pub(crate) fn run(args: &BenchArgs, console: &mut Console<'_>) -> CommandResult {
    let (suite, out): (Suite, &BenchOut) = match &args.suite {
        SuiteArgs::Papers { out } => (papers::run, out),
        SuiteArgs::Limits { out } => (limits::run, out),
        SuiteArgs::Minds { out } => (minds::run, out),
        SuiteArgs::Scaling { out } => (boxes::scaling, out),
        SuiteArgs::Competition { out } => (boxes::competition, out),
        SuiteArgs::Growth(GrowthArgs { peak: Some(case), .. }) => return peak(case, console),
        SuiteArgs::Growth(GrowthArgs { out, .. }) => (growth::run, out),
    };
    if let Some(folder) = &out.out {
        // Before minutes of work, not after.
        make_folder(folder)?;
    }
    let Some(report) = measured(suite, out.quick, console)? else { return Ok(FINE) };
    if let Some(folder) = &out.out {
        fill(folder, &report.files)?;
    }
    match out.json {
        true => console.json(&report.records)?,
        false => console.line(report.tables.trim_end())?,
    }
    for wrong in &report.wrong {
        console.message(&format!("wrong answer: {wrong}"));
    }
    Ok(if report.wrong.is_empty() { FINE } else { NO })
}

type Suite = fn(&mut Session<'_>) -> Result<Report, BenchError>;

/// Runs a suite; nothing if it was interrupted.
fn measured(suite: Suite, quick: bool, console: &mut Console<'_>) -> Result<Option<Report>, Fail> {
    let asked = Arc::clone(console.stop());
    let stop = move || asked.load(Ordering::Relaxed);
    // Progress is for somebody who watches.
    let is_watched = console.terminal().watched_err;
    let mut progress = |what: &str| {
        if is_watched {
            console.message(&format!("{what} …"));
        }
    };
    let mut session =
        Session { quick, progress: &mut progress, stop: &stop, peak_of: &mut peak_of };
    match suite(&mut session) {
        Ok(report) => Ok(Some(report)),
        // The exit code of an interrupted command is decided in one place.
        Err(BenchError::Stopped) => Ok(None),
        Err(BenchError::Broken(what)) => bad(what),
    }
}

/// The peak of a fresh process of this program that does one case.
fn peak_of(case: &str) -> Option<u64> {
    let mut fresh = Command::new(std::env::current_exe().ok()?);
    fresh.args(["bench", "growth", "--peak", case]).stdin(Stdio::null());
    let output = fresh.output().ok().filter(|output| output.status.success())?;
    String::from_utf8_lossy(&output.stdout).trim().parse().ok()
}

/// In the fresh process: makes one case, plans, prints the peak of memory in bytes.
fn peak(case: &str, console: &mut Console<'_>) -> CommandResult {
    let peak = match case.starts_with(boxes::CASE) {
        true => boxes::peak(case),
        false => growth::peak(case),
    };
    match peak {
        Ok(bytes) => console.line(&bytes.to_string()).map(|()| FINE),
        Err(failed) => bad(failed.to_string()),
    }
}
