//! Figures about planning: how often, how long, what for, what never.
//!
//! In:   what happened in minds, tick by tick, from a game, a story or a recording.
//! Out:  [`Stats`]: counts by NPC, by type, by action, by goal; plain data, nothing in words but
//!       the reasons.
//! Cost: a few additions per event; memory for each mind and action, and for a bounded number of
//!       stretches of time.
//!
//! Everything is counted by the numbers of the minds' spec. Names come back at the edges.

mod collect;
mod questions;
mod report;
mod selects;
mod uses;

pub use collect::Collector;
pub use questions::QuestionStats;
pub use report::{Lived, StatsReport, minds_and_squads};
pub use selects::SelectStats;
pub use uses::{OtherUses, circumstances, said_cost};

use std::collections::BTreeMap;
use throng_domain::model::{ActionId, NpcTypeId};
use throng_mind::events::Cause;
use throng_mind::inspect::IdleReason;
use throng_mind::time::{Pace, Tick};
use throng_mind::words::Word;

/// What was counted.
#[derive(Clone, PartialEq, Debug)]
pub struct Stats {
    /// How long a second is.
    pub pace: Pace,
    /// The first tick that was seen; 0: none.
    pub first: Tick,
    /// The last.
    pub last: Tick,
    /// By the number that the caller gave to each mind.
    pub minds: BTreeMap<u32, MindStats>,
    /// By NPC type of the domain.
    pub types: Vec<TypeStats>,
    /// How many seconds one number of [`TypeStats::plans_over_time`] stands for: 1 for the first hour,
    /// and then twice as many whenever there would be too many numbers.
    pub stretch: u32,
    /// By type of squad and kind of task.
    pub tasks: BTreeMap<(NpcTypeId, Word), TaskStats>,
}

impl Stats {
    /// How many ticks were seen.
    pub fn ticks(&self) -> Tick {
        if self.last == 0 { 0 } else { self.last - self.first + 1 }
    }

    /// How many seconds were seen.
    pub fn seconds(&self) -> f64 {
        self.pace.seconds(self.ticks())
    }

    /// Plans per second of one mind, over the time that it was there; 0 for one that never was.
    pub fn rate_of(&self, mind: &MindStats) -> f64 {
        per_second(mind.plans, u64::from(mind.ticks), self.pace)
    }

    /// Plans per second and NPC of a type.
    pub fn rate_of_type(&self, npc: &TypeStats) -> f64 {
        per_second(npc.plans, npc.ticks, self.pace)
    }

    /// The actions of a type that were neither planned nor started, in declared order.
    pub fn never_used(&self, npc: NpcTypeId, can: &[ActionId]) -> Vec<ActionId> {
        let Some(seen) = self.types.get(npc.index()) else { return Vec::new() };
        let unused = |action: &&ActionId| {
            let counts = seen.actions.get(action.index());
            counts.is_none_or(|counts| !counts.is_used())
        };
        can.iter().filter(unused).copied().collect()
    }
}

fn per_second(count: u64, ticks: u64, pace: Pace) -> f64 {
    let seconds = ticks as f64 / f64::from(pace.ticks_per_second.max(1));
    if ticks == 0 { 0.0 } else { count as f64 / seconds }
}

/// One mind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MindStats {
    /// Its type.
    pub npc: NpcTypeId,
    /// For how many ticks it was there.
    pub ticks: Tick,
    /// How many plans it made.
    pub plans: u64,
    /// How often it wanted something and there was no plan.
    pub no_plans: u64,
}

/// All minds of a type.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TypeStats {
    /// How many minds there were.
    pub minds: u32,
    /// The ticks that they were there, together.
    pub ticks: u64,
    /// The ticks in which they pursued no goal, together.
    pub idle: u64,
    /// How many plans they made.
    pub plans: u64,
    /// How often they wanted something and there was no plan.
    pub no_plans: u64,
    /// How often they looked for something to do and all that matters held.
    pub content: u64,
    /// How often they had to wait for their turn to plan.
    pub waits: u64,
    /// By number of steps: how many plans.
    pub lengths: Vec<u64>,
    /// By action of the domain.
    pub actions: Vec<ActionStats>,
    /// By flavour of the spec.
    pub flavours: Vec<ActionStats>,
    /// By beside of the spec.
    pub besides: Vec<ActionStats>,
    /// Why they planned, with or without success.
    pub causes: BTreeMap<Cause, u64>,
    /// Why there was no plan, in words.
    pub reasons: BTreeMap<String, u64>,
    /// By goal of the domain.
    pub goals: Vec<GoalStats>,
    /// By selection, in the order of the spec.
    pub selects: Vec<SelectStats>,
    /// The ticks in which they had nothing to do, or only what is done without a plan, together,
    /// by reason.
    pub idle_reasons: BTreeMap<IdleReason, u64>,
    /// What they asked the game.
    pub questions: QuestionStats,
    /// By stretch of time from the first tick that was seen: how many plans. How long a stretch is,
    /// [`Stats::stretch`] says.
    pub plans_over_time: Vec<u32>,
}

impl TypeStats {
    /// The mean number of steps of a plan; 0 without plans.
    pub fn mean_length(&self) -> f64 {
        let steps: u64 = (0..).zip(&self.lengths).map(|(steps, count)| steps * count).sum();
        if self.plans == 0 { 0.0 } else { steps as f64 / self.plans as f64 }
    }

    /// The length of the longest plan.
    pub fn longest(&self) -> usize {
        self.lengths.iter().rposition(|&count| count > 0).unwrap_or(0)
    }
}

/// One action, flavour or beside of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ActionStats {
    /// How many plans have it; twice in one plan counts twice.
    pub planned: u64,
    /// How often it was started, as a step or because there was no plan.
    pub started: u64,
    /// Of these, because there was no plan.
    pub otherwise: u64,
    /// How these ended: done, failed, given up.
    pub otherwise_ends: [u64; 3],
    /// How often it was done.
    pub done: u64,
    /// How often it failed.
    pub failed: u64,
    /// How often it was given up.
    pub cancelled: u64,
    /// How often the world had done it already.
    pub skipped: u64,
    /// How often it was done and what it should bring about did not hold.
    pub no_effect: u64,
    /// How often it was not trusted for a while.
    pub doubted: u64,
    /// How often it was learnt.
    pub learnt: u64,
    /// The ticks that it took, together.
    pub ticks: u64,
}

impl ActionStats {
    /// Whether it was planned or started.
    pub fn is_used(&self) -> bool {
        self.planned + self.started > 0
    }
}

/// The sum of two.
impl std::ops::AddAssign<&ActionStats> for ActionStats {
    fn add_assign(&mut self, other: &ActionStats) {
        self.planned += other.planned;
        self.started += other.started;
        self.otherwise += other.otherwise;
        let ends = self.otherwise_ends.iter_mut().zip(other.otherwise_ends);
        ends.for_each(|(sum, more)| *sum += more);
        self.done += other.done;
        self.failed += other.failed;
        self.cancelled += other.cancelled;
        self.skipped += other.skipped;
        self.no_effect += other.no_effect;
        self.doubted += other.doubted;
        self.learnt += other.learnt;
        self.ticks += other.ticks;
    }
}

/// One goal of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GoalStats {
    /// How often it became the active one.
    pub chosen: u64,
    /// How many plans were made for it.
    pub plans: u64,
    /// The ticks in which it was pursued, by all minds together.
    pub ticks: u64,
}

/// One kind of task that squads of a type gave to members.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TaskStats {
    /// How often it was given.
    pub given: u64,
    /// How often it was done.
    pub done: u64,
    /// How often the member did something else instead.
    pub refused: u64,
    /// How often the squad wanted it no longer.
    pub cancelled: u64,
    /// How often it took too long.
    pub timed_out: u64,
    /// How often the member died at it, or was gone.
    pub dead: u64,
    /// How often the member could not.
    pub failed: u64,
}
