//! Ten soldiers in combat: the story of that name, with the cost of every phase.
//!
//! In:   `crates/lab/stories/ten_soldiers.npc`: the story of that name as it was before selections,
//!       kept so that measurements can be compared.
//! Out:  nanoseconds per phase, the planner's share, calls per second and NPC; the same where
//!       all rules are asked if anything has changed, in turns.
//! Cost: the story, a few times; the cheapest run counts.

use crate::clock::thread_nanoseconds;
use crate::report::{BenchResult, Session};
use crate::stories;
use crate::timed::Timed;
use std::hint::black_box;
use std::sync::OnceLock;
use std::time::Instant;
use throng::Domain;
use throng_mind::AskRules;
use throng_mind::tick::PHASES;

/// Rounds of the story; the cheapest counts.
pub(super) const ROUNDS: usize = 21;

const STORY: &str = include_str!("../../stories/ten_soldiers.npc");

/// What the fight cost.
pub(super) struct Fight {
    pub(super) minds: usize,
    pub(super) seconds: f64,
    pub(super) ticks: u64,
    /// Nanoseconds by phase, all minds and ticks together.
    pub(super) phases: [u64; PHASES.len()],
    /// Nanoseconds of all: world, script, judge and minds.
    pub(super) everything: u64,
    /// What the story took, rounds in turns: as minds are, and where each asks all its rules if
    /// anything has changed. Nanoseconds.
    pub(super) partial: Timed,
    pub(super) whole: Timed,
    pub(super) calls: u64,
    pub(super) recalls: u64,
    /// Heavy sensor runs: in all, and the most of one mind in one tick.
    pub(super) heavy: u64,
    pub(super) most_heavy: u64,
}

impl Fight {
    pub(super) fn minds_cost(&self) -> u64 {
        self.phases.iter().sum()
    }

    /// The planner's part of what minds cost, from 0 to 1.
    pub(super) fn planner_share(&self) -> f64 {
        let plan = PHASES.iter().position(|phase| phase.name == "plan").unwrap_or(0);
        self.phases[plan] as f64 / self.minds_cost().max(1) as f64
    }

    /// Planner calls per second and NPC.
    pub(super) fn calls_per_second(&self) -> f64 {
        self.calls as f64 / self.seconds / self.minds as f64
    }
}

pub(super) fn measure(session: &mut Session<'_>) -> BenchResult<Fight> {
    session.begin("ten soldiers in combat")?;
    let mut best: Option<Fight> = None;
    let mut taken = [Vec::new(), Vec::new()];
    for _ in 0..session.pick(ROUNDS, 1) {
        session.go_on()?;
        let (fight, digest) = once(session, AskRules::Changed)?;
        taken[0].push(fight.everything as f64);
        if best.as_ref().is_none_or(|known| fight.minds_cost() < known.minds_cost()) {
            best = Some(fight);
        }
        let (whole, digest_whole) = once(session, AskRules::AllOnChange)?;
        taken[1].push(whole.everything as f64);
        if digest != digest_whole {
            session.wrong.push("soldiers who ask all rules fight another fight".into());
        }
    }
    let best = best.ok_or("nobody fought")?;
    let [partial, whole] = taken.map(Timed::of);
    Ok(Fight { partial, whole, ..best })
}

/// A clock that is read without asking the system: the processor's own would cost as much as most
/// phases do.
pub(super) fn wall_nanoseconds() -> u64 {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

/// What it takes to ask it once, the least of many times.
pub(super) fn cost_of_the_clock() -> u64 {
    const TIMES: u64 = 1000;
    let round = |_| {
        let begin = wall_nanoseconds();
        (0..TIMES).for_each(|_| {
            black_box(wall_nanoseconds());
        });
        (wall_nanoseconds() - begin) / TIMES
    };
    (0..20).map(round).min().unwrap_or(0)
}

/// One fight, and a number for all that happened in it.
fn once(session: &mut Session<'_>, rules: AskRules) -> BenchResult<(Fight, u64)> {
    let domain = Domain::from_text(STORY)?;
    let mut play = stories::play(&domain)?;
    play.minds_mut().ask_rules(rules);
    play.measure_by(Some(wall_nanoseconds));
    let minds = play.minds().len();
    let (mut heavy, mut most_heavy) = (0, 0);
    let begin = thread_nanoseconds();
    while play.tick() {
        let mut by_actor = std::collections::HashMap::new();
        for happening in play.happenings() {
            if let throng_mind::events::EventKind::Heavy(_) = happening.what {
                *by_actor.entry(happening.actor).or_insert(0) += 1;
            }
        }
        heavy += by_actor.values().sum::<u64>();
        most_heavy = most_heavy.max(by_actor.values().copied().max().unwrap_or(0));
    }
    let everything = thread_nanoseconds() - begin;
    let broken = stories::broken(&play).into_iter();
    session.wrong.extend(broken.map(|promise| format!("the soldiers broke a promise: {promise}")));
    let totals = play.minds().totals();
    // The clock itself is asked once in every phase of a mind that is awake.
    let asked = totals.awake * cost_of_the_clock();
    let phases = play.minds().costs().map(|cost| cost.saturating_sub(asked));
    let fight = Fight {
        minds,
        seconds: play.story().pace.seconds(play.now()),
        ticks: u64::from(play.now()),
        phases,
        everything,
        partial: 0.0.into(),
        whole: 0.0.into(),
        calls: totals.calls,
        recalls: totals.recalls,
        heavy,
        most_heavy,
    };
    Ok((fight, play.digest()))
}
