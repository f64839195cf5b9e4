//! `throng bench minds`: what a mind costs when nothing happens, and when much does.
//!
//! In:   a session.
//! Out:  a quiet tick beside the naive loop; ten soldiers in combat by phase; bytes per mind.
//! Cost: half a minute.
//!
//! Answers are checked: the naive loop must come to the same values and the same goals, and the
//! story of the soldiers must keep its promises.

mod bytes;
mod fight;
mod guards;
mod naive;
mod page;
mod quiet;

use crate::report::{Failed, Report, Session};

/// Runs all measurements.
///
/// # Errors
///
/// If it is stopped, or something does not load.
pub fn run(session: &mut Session<'_>) -> Result<Report, Failed> {
    let mut wrong = Vec::new();
    let quiet = quiet::measure(session, &mut wrong)?;
    let fight = fight::measure(session, &mut wrong)?;
    let bytes = bytes::measure(session, &mut wrong)?;
    let found = page::Found { quiet, fight, bytes };
    let files = page::files(&found)?;
    Ok(Report { records: found.records(), tables: page::tables(&found), files, wrong })
}
