//! `throng bench minds`: what a mind costs when nothing happens, and when much does.
//!
//! In:   a session.
//! Out:  a quiet tick beside the naive loop; ten soldiers in combat by phase; a thousand in the
//!       western day, with and without a budget for planning; bytes per mind, near and far; what
//!       selections and claims cost soldiers, and five hundred of them in a fight.
//! Cost: a minute or two.
//!
//! Answers are checked: the naive loop must come to the same values, goals and picks, and the
//! stories must keep their promises.

mod bytes;
mod claims;
mod day;
mod day_page;
mod fight;
mod guards;
mod naive;
mod office;
mod page;
mod quiet;
mod select;
mod soldiers;
mod soldiers_page;
mod ticks;

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
    let soldiers = soldiers_page::Soldiers {
        selecting: select::measure(session)?,
        contending: claims::measure(session)?,
        offices: office::measure(session)?,
    };
    let found = page::Found { quiet, fight, town, bytes, soldiers };
    let files = page::files(&found)?;
    Ok(Report { records: found.records(), tables: page::tables(&found), files })
}
