//! A quiet tick: a thousand minds with ten sensors, and nothing changes.
//!
//! In:   guards who have looked around for some seconds.
//! Out:  nanoseconds per mind and tick, beside the naive loop over the same guards.
//! Cost: rounds of a second of ticks each.

use super::guards::{Yard, minds, spec};
use super::naive::Naive;
use crate::harness::{Timed, Turn, race};
use crate::report::{BenchResult, Session};
use std::cell::Cell;
use throng_mind::Minds;
use throng_mind::memory::Memory;
use throng_mind::time::Tick;

/// Minds, and ticks in a turn.
const MINDS: usize = 1000;
const TICKS: u64 = 60;
/// Turns of each; the fastest counts.
pub(super) const ROUNDS: usize = 15;

/// Nanoseconds per mind and tick.
pub(super) struct Quiet {
    pub(super) minds: usize,
    /// Two sensors look in every tick.
    pub(super) ours: Timed,
    /// All sensors have a rate or wait for a stimulus.
    pub(super) asleep: Timed,
    pub(super) naive: Timed,
    /// Of a hundred minds and ticks, in how many anything was due.
    pub(super) awake: f64,
    pub(super) awake_asleep: f64,
}

pub(super) fn measure(session: &mut Session<'_>) -> BenchResult<Quiet> {
    session.begin("a quiet tick, beside the naive loop")?;
    let n = session.pick(MINDS, 20);
    let (mut watchful, mut sleepy) = (minds(n, true)?, minds(n, false)?);
    let (_, spec) = spec(true)?;
    let shared = Memory::new(1);
    let mut naive: Vec<Naive> =
        watchful.iter().map(|mind| Naive::new(watchful.spec(), mind.me())).collect();
    // Until everybody has looked, planned, walked and stands.
    let warm: Tick = 1200;
    for now in 0..warm {
        watchful.tick(&Yard, now);
        sleepy.tick(&Yard, now);
    }
    let before = (watchful.totals(), sleepy.totals());
    let clocks = [Cell::new(warm), Cell::new(warm), Cell::new(warm)];
    let next = |at: usize| {
        clocks[at].set(clocks[at].get() + 1);
        clocks[at].get()
    };
    let turns = vec![
        Turn::new(TICKS, || watchful.tick(&Yard, next(0))),
        Turn::new(TICKS, || sleepy.tick(&Yard, next(1))),
        Turn::new(TICKS, || {
            let now = next(2);
            naive.iter_mut().for_each(|guard| guard.frame(&spec, &shared, now));
        }),
    ];
    let times = race(session.pick(ROUNDS, 1), turns, session)?;
    let [ours, asleep, plain] = [0, 1, 2].map(|at| times[at] / n as f64);
    check(&watchful, &naive, session);
    let mut share = |minds: &Minds<Yard>, before: throng_mind::Totals| {
        let now = minds.totals();
        if now.calls != before.calls {
            let calls = now.calls - before.calls;
            session
                .wrong
                .push(format!("the planner was called {calls} times though nothing changed"));
        }
        let ticks = (now.mind_ticks - before.mind_ticks).max(1);
        100.0 * (now.awake - before.awake) as f64 / ticks as f64
    };
    let (awake, awake_asleep) = (share(&watchful, before.0), share(&sleepy, before.1));
    Ok(Quiet { minds: n, ours, asleep, naive: plain, awake, awake_asleep })
}

/// Both loops believe the same and want the same.
fn check(minds: &Minds<Yard>, naive: &[Naive], session: &mut Session<'_>) {
    for (mind, plain) in minds.iter().zip(naive) {
        if mind.state().values() != plain.values {
            session
                .wrong
                .push(format!("mind {:?} sees other values than the naive loop", mind.id()));
        }
        if mind.goals().active() != plain.goal {
            session
                .wrong
                .push(format!("mind {:?} wants something else than the naive loop", mind.id()));
        }
    }
}
