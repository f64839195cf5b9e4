//! NPCs growing alone, as columns of a crowd: the Western's, everybody waiting.
//!
//! In:   a number of NPCs.
//! Out:  time of one call that serves all of them from tables, and what they take.
//! Cost: some nanoseconds and bytes per NPC.
//!
//! Beside `npcs`, where each is an object of the library. Tables are made before: they and the
//! rest that does not grow with the NPCs weigh on the small sizes.

use super::{Axes, Point, served_all};
use crate::harness::{Turn, race};
use crate::people::{People, part, trades};
use crate::report::{BenchResult, Session};
use crate::town;
use std::cell::{Cell, RefCell};
use std::iter::repeat_n;
use throng::Domain;

pub(super) const NAME: &str = "crowd";
const SIZES: [u64; 6] = [1_000, 4_000, 16_000, 64_000, 256_000, 1_000_000];
const QUICK: [u64; 2] = [7, 14];

pub(super) fn measure(session: &mut Session<'_>) -> BenchResult<Axes> {
    session.begin("time as a crowd grows")?;
    let domain = town::domain("western")?;
    let sizes = session.pick(&SIZES[..], &QUICK[..]);
    let mut crowds = Vec::new();
    for &size in sizes {
        // The people, and whether all of them got a plan in every call.
        crowds.push((RefCell::new(people(&domain, size)?), Cell::new(true)));
    }
    let mut turns = Vec::new();
    for (people, is_well) in &crowds {
        let size = people.borrow().all.len();
        // Small crowds are served several times, so that the clock sees them.
        let times = (100_000 / size.max(1)).clamp(1, session.pick(20, 1)) as u64;
        let serve = move || {
            let served = people.borrow_mut().plan().looked_up;
            is_well.set(is_well.get() && served == size);
        };
        turns.push(Turn::new(times, serve).after(|| people.borrow_mut().make_wait()));
    }
    let times = race(session.pick(15, 1), turns, session)?;
    for (people, is_well) in &crowds {
        let people = people.borrow();
        if !is_well.get() || !people.all_follow() {
            session.wrong.push(format!("crowd of {}: somebody has no plan", people.all.len()));
        }
    }
    let points = sizes.iter().zip(times).map(|(&size, time)| Point::of_npcs(size, time));
    let fixed = "the Western in columns, served from tables".to_string();
    Ok(Axes { name: NAME, fixed, per: "NPC", points: points.collect() })
}

/// So many NPCs, of all types and goals in equal parts, in the state that their type starts in.
fn people(domain: &Domain, size: u64) -> BenchResult<People> {
    let mut people = People::new(domain, 1);
    let trades = trades(domain.compiled());
    for (at, &trade) in trades.iter().enumerate() {
        let n = part(size as usize, at, trades.len());
        people.add(trade, repeat_n([], n), |_| {})?;
    }
    people.prepare();
    Ok(people)
}

/// Makes so many NPCs and serves all of them.
pub(super) fn make_and_plan(size: u64) -> BenchResult {
    let mut people = people(&town::domain("western")?, size)?;
    served_all(people.plan().looked_up as u64, size)
}
