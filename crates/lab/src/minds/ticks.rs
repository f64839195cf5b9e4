//! The cost of ticks: what a tick of all minds takes, by phase, and how often it takes how much.
//!
//! In:   minds that are measured by the clock of this file, after each of their ticks.
//! Out:  nanoseconds of the tick, whole and by phase, less what the clock itself takes.
//! Cost: a few subtractions per tick.

use super::fight::cost_of_the_clock;
use throng_mind::Minds;
use throng_mind::tick::{PHASES, Phase};

/// One tick of all minds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct TickCost {
    /// Nanoseconds of all of it.
    pub(super) whole: u64,
    /// Of these, by phase.
    pub(super) phases: [u64; PHASES.len()],
    /// How many minds asked the planner.
    pub(super) asked: u32,
    /// How many wait for their turn to.
    pub(super) waiting: u32,
}

impl TickCost {
    /// What is in no phase: whose turn it is, who sleeps on, joining what the groups did, sharing.
    pub(super) fn between(&self) -> u64 {
        self.whole.saturating_sub(self.phases.iter().sum())
    }
}

/// The cost that so many of a thousand do not exceed.
pub(super) fn at_most(costs: impl Iterator<Item = u64>, thousandths: usize) -> u64 {
    let mut costs: Vec<u64> = costs.collect();
    costs.sort_unstable();
    let rank = (costs.len() * thousandths).div_ceil(1000).max(1);
    costs.get(rank - 1).copied().unwrap_or(0)
}

/// How often the clock is asked in a tick of a mind that is awake.
struct Asked {
    /// When a phase ends; with a budget, `plan` does so twice.
    laps: [u64; PHASES.len()],
    /// In all: also when a tick, or each half of one, begins.
    all: u64,
}

impl Asked {
    fn with(budget: Option<u32>) -> Self {
        let has_halves = budget.is_some();
        let twice = |phase: &Phase| 1 + u64::from(has_halves && phase.name == "plan");
        let laps = PHASES.each_ref().map(twice);
        Asked { all: laps.iter().sum::<u64>() + 1 + u64::from(has_halves), laps }
    }
}

/// Tells what each tick has cost.
pub(super) struct Meter {
    asked: Asked,
    /// What the clock takes.
    clock: u64,
    /// How many ask it at a time.
    threads: u64,
    costs: [u64; PHASES.len()],
    whole: u64,
    awake: u64,
}

impl Meter {
    /// For minds with this budget, before their first tick.
    pub(super) fn new(budget: Option<u32>) -> Self {
        let (asked, clock) = (Asked::with(budget), cost_of_the_clock());
        Meter { asked, clock, threads: 1, costs: [0; PHASES.len()], whole: 0, awake: 0 }
    }

    /// For minds that run on so many threads: the clock is asked on all of them at once. Phases are
    /// the sum of all threads then, the whole is what passes from a tick's begin to its end.
    pub(super) fn on(self, threads: usize) -> Self {
        Meter { threads: threads.max(1) as u64, ..self }
    }

    /// What the last tick has cost.
    pub(super) fn tick<W: ?Sized + Sync>(&mut self, minds: &Minds<W>) -> TickCost {
        let (costs, whole, totals) = (minds.costs(), minds.cost(), minds.totals());
        // What the clock itself takes is not theirs.
        let own = (totals.awake - self.awake) * self.clock;
        let phase = |at: usize| {
            let cost = costs[at] - self.costs[at];
            cost.saturating_sub(own * self.asked.laps[at])
        };
        let phases = std::array::from_fn(phase);
        let spent = (whole - self.whole).saturating_sub(own * self.asked.all / self.threads);
        (self.costs, self.whole, self.awake) = (costs, whole, totals.awake);
        TickCost { whole: spent, phases, ..TickCost::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_asked_once_more_for_each_half_of_a_tick() {
        let (whole, halves) = (Asked::with(None), Asked::with(Some(20)));
        assert_eq!((whole.laps, whole.all), ([1; 9], 10));
        assert_eq!((halves.laps, halves.all), ([1, 1, 1, 1, 1, 1, 2, 1, 1], 12));
    }
}
