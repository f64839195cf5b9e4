//! `throng bench`: suites that answer correctly or fail; tables, CSV and pictures.
//!
//! In:   which suite, and a folder for its files if any.
//! Out:  tables, or one JSON list of records; with a folder, its page, figures and points.
//! Cost: a few minutes at most; Ctrl-C ends it early.

pub(crate) mod args;

use crate::measuring::{fresh, peak_bytes};
use crate::record;
use crate::{BenchError, BenchResult, Report, Session, boxes, growth, limits, minds, papers};
use args::{BenchOut, GrowthArgs, SuiteArgs};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use throng_cli::writing::{fill, make_folder};
use throng_cli::{CommandResult, Console, Fail, bad};
use throng_cli::{FINE, NO};

pub(crate) fn run(suite: &SuiteArgs, console: &mut Console<'_>) -> CommandResult {
    let (name, suite, out): (&str, Suite, &BenchOut) = match suite {
        SuiteArgs::Papers(out) => ("papers", papers::run, out),
        SuiteArgs::Limits(out) => ("limits", limits::run, out),
        SuiteArgs::Minds(out) => ("minds", minds::run, out),
        SuiteArgs::Scaling(out) => ("scaling", boxes::scaling, out),
        SuiteArgs::Competition(out) => ("competition", boxes::competition, out),
        SuiteArgs::Growth(GrowthArgs { peak: Some(case), .. }) => return peak(case, console),
        SuiteArgs::Growth(GrowthArgs { out, .. }) => ("growth", growth::run, out),
    };
    if let Some(folder) = &out.out {
        // Before minutes of work, not after.
        make_folder(folder)?;
    }
    let Some((report, wrong)) = measured(suite, out.quick, console)? else { return Ok(FINE) };
    if let Some(folder) = &out.out {
        fill(folder, &report.files)?;
    }
    if let Err(error) = record::collect(&format!("throng bench {name}"), &report.records) {
        return bad(format!("the figures cannot be written: {error}"));
    }
    match out.json {
        true => console.json(&report.records)?,
        false => writeln!(console, "{}", report.tables.trim_end())?,
    }
    for wrong in &wrong {
        console.message(&format!("wrong answer: {wrong}"));
    }
    Ok(if wrong.is_empty() { FINE } else { NO })
}

type Suite = fn(&mut Session<'_>) -> BenchResult<Report>;

/// A report, and the wrong answers on the way.
type Judged = (Report, Vec<String>);

/// Runs a suite; nothing if it was interrupted.
fn measured(suite: Suite, quick: bool, console: &mut Console<'_>) -> Result<Option<Judged>, Fail> {
    let asked = Arc::clone(console.stop());
    let stop = move || asked.load(Ordering::Relaxed);
    // Progress is for a user who watches.
    let is_watched = console.terminal().watched_err;
    let progress = |what: &str| {
        if is_watched {
            console.message(&format!("{what} …"));
        }
    };
    let mut session = Session {
        quick,
        progress: Box::new(progress),
        stop: Box::new(stop),
        peak_of: Box::new(|case| fresh(&["bench", "growth", "--peak", case])?.first().copied()),
        ..Session::default()
    };
    match suite(&mut session) {
        Ok(report) => Ok(Some((report, session.wrong))),
        // The exit code of an interrupted command is decided in one place.
        Err(BenchError::Stopped) => Ok(None),
        Err(BenchError::Broken(what)) => bad(what),
    }
}

/// In the fresh process: makes one case, plans, prints the peak of memory in bytes.
fn peak(case: &str, console: &mut Console<'_>) -> CommandResult {
    let done = match case.starts_with(boxes::CASE) {
        true => boxes::do_case(case),
        false => growth::do_case(case),
    };
    match done.map(|()| peak_bytes()) {
        Ok(Some(bytes)) => writeln!(console, "{bytes}").map(|()| FINE),
        Ok(None) => bad("the system tells no peak of memory"),
        Err(failed) => bad(failed.text()),
    }
}
