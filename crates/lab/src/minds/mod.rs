//! `throng bench minds`: what a mind costs when nothing happens, and when much does.
//!
//! In:   a session.
//! Out:  a quiet tick beside the naive loop; ten soldiers in combat by phase; a thousand in the
//!       western day, with and without a budget for planning; bytes per mind, near and far.
//! Cost: a minute or two.
//!
//! Answers are checked: the naive loop must come to the same values and the same goals, and the
//! stories must keep their promises.

mod bytes;
mod day;
mod day_page;
mod fight;
mod guards;
mod naive;
mod page;
mod quiet;

use crate::report::{BenchResult, Report, Session};

/// Runs all measurements.
///
/// # Errors
///
/// If it is stopped, or something does not load.
pub fn run(session: &mut Session<'_>) -> BenchResult<Report> {
    let quiet = quiet::measure(session)?;
    let fight = fight::measure(session)?;
    let bytes = bytes::measure(session)?;
    let town = day::measure(session)?;
    let found = page::Found { quiet, fight, town, bytes };
    let files = page::files(&found)?;
    Ok(Report { records: found.records(), tables: page::tables(&found), files })
}
