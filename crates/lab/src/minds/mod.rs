//! `throng bench minds`: what a mind costs when nothing happens, and when much does.
//!
//! In:   a session.
//! Out:  a quiet tick beside the naive loop; ten soldiers in combat by phase; runners who do two
//!       things at once; a thousand in the western day, with and without a budget for planning;
//!       bytes per mind, near and far; what selections, claims and questions cost, and five hundred
//!       soldiers in a fight.
//! Cost: a minute or two.
//!
//! Answers are checked: the naive loop must come to the same values, goals and picks, and the
//! stories must keep their promises.

mod beside;
mod bytes;
mod claims;
mod day;
mod day_page;
mod fight;
mod guards;
mod levels;
mod naive;
mod page;
mod questions;
mod quiet;
mod select;
mod soldiers;
mod soldiers_page;
mod ticks;

use crate::report::{BenchResult, Report, Session};
use levels::Level;

/// Runs all measurements.
///
/// # Errors
///
/// If it is stopped, or something does not load.
pub fn run(session: &mut Session<'_>) -> BenchResult<Report> {
    let quiet = quiet::measure(session)?;
    let fight = fight::measure(session)?;
    let bytes = bytes::measure(session)?;
    let beside = beside::measure(session)?;
    let town = day::measure(session)?;
    let soldiers = soldiers_page::Soldiers {
        selecting: select::measure(session)?,
        contending: claims::measure(session)?,
        asking: questions::measure(session)?,
        levels: measure_levels(session)?,
    };
    let found = page::Found { quiet, fight, beside, town, bytes, soldiers };
    let files = page::files(&found)?;
    Ok(Report { records: found.records(), tables: page::tables(&found), files })
}

/// The fights, the market and the quiet night.
fn measure_levels(session: &mut Session<'_>) -> BenchResult<soldiers_page::Played> {
    Ok(soldiers_page::Played {
        office: levels::measure(session, Level::Office)?,
        courtyard: levels::measure(session, Level::Courtyard)?,
        warehouse: levels::measure(session, Level::Warehouse)?,
        market: levels::measure(session, Level::Market)?,
        barracks: levels::measure(session, Level::Barracks)?,
    })
}
