//! Two things at once: runners who shoot and call out beside their step, and the same who do not.
//!
//! In:   a thousand who run for ever and see an enemy in every tick.
//! Out:  nanoseconds per mind and tick, with something under way beside the step and without a word
//!       of it.
//! Cost: rounds of a second of ticks each.
//!
//! All must run, for the same plan; those who shoot must do so beside, one thing for the hands.

use crate::harness::{Timed, Turn, race};
use crate::report::{BenchResult, Session};
use std::cell::Cell;
use throng::Domain;
use throng_mind::fact::{Attribute, EntityId};
use throng_mind::time::Tick;
use throng_mind::{Body, Minds, Sensing, Work};

const MINDS: usize = 1000;
const TICKS: u64 = 60;
const PACE: u32 = 60;

const RUNNERS: &str = "domain runners
var at: here, there
action run: at here -> there  takes 900000  uses legs
goal away: at = there
npc runner
    can run
    wants away
    starts at = here
sensor eyes: every 0 keeps 2
";

/// What they do beside: the second waits for its time.
const BESIDE: &str = "beside shoot: fire
    with run
    if character(distance < 15, sure stimulus >= 0.9) and not danger
    uses hands, head
    takes 900000
beside call: say(contact)
    if character
    uses voice
    every 900000
";

/// Nanoseconds per mind and tick.
pub(super) struct Beside {
    pub(super) minds: usize,
    pub(super) with: Timed,
    pub(super) without: Timed,
}

fn minds(n: usize, has_besides: bool) -> BenchResult<Minds<()>> {
    let text = format!("{RUNNERS}{}", if has_besides { BESIDE } else { "" });
    let domain = Domain::from_text(&text)?;
    let look = |sensing: &mut Sensing<'_, ()>| {
        let enemy = sensing.fact("character").with(Attribute::Object, EntityId(7), 1.0);
        let enemy = enemy.with(Attribute::Position, [3.0, 4.0, 0.0], 1.0);
        let seen = enemy.with(Attribute::Stimulus, sensing.word("seen"), 1.0);
        sensing.remember_one(seen, &[Attribute::Object]);
        Work::Light
    };
    let body = Body::new().sensor("eyes", look).words(&["character", "seen"]);
    let mut minds = Minds::new(domain.mind_spec(PACE)?, body, 1)?;
    for me in 0..n {
        minds.spawn("runner", EntityId(me as u64 + 10))?;
    }
    Ok(minds)
}

pub(super) fn measure(session: &mut Session<'_>) -> BenchResult<Beside> {
    session.begin("two things at once")?;
    let n = session.pick(MINDS, 20);
    let (mut with, mut without) = (minds(n, true)?, minds(n, false)?);
    let warm: Tick = 2 * PACE;
    for now in 0..warm {
        with.tick(&(), now);
        without.tick(&(), now);
    }
    let clocks = [Cell::new(warm), Cell::new(warm)];
    let next = |at: usize| {
        clocks[at].set(clocks[at].get() + 1);
        clocks[at].get()
    };
    let turns = vec![
        Turn::new(TICKS, || with.tick(&(), next(0))),
        Turn::new(TICKS, || without.tick(&(), next(1))),
    ];
    let times = race(session.pick(15, 1), turns, session)?;
    let [fast, plain] = [0, 1].map(|at| times[at] / n as f64);
    for (one, other) in with.iter().zip(without.iter()) {
        let doing = |mind: &throng_mind::Mind| mind.follow().run().map(|run| run.doing);
        if doing(one).is_none() || doing(one) != doing(other) {
            session.wrong.push(format!("mind {:?} does not run as the other does", one.id()));
        }
        if one.follow().besides().count() != 1 || other.follow().besides().count() != 0 {
            session.wrong.push(format!("mind {:?} does not shoot beside its step", one.id()));
        }
    }
    Ok(Beside { minds: n, with: fast, without: plain })
}
