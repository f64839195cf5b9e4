//! Measurement that is not there when it is not wanted.
//!
//! In:   what the search does, told as it does it.
//! Out:  [`Counting`]: time per phase and counts. [`Silent`]: nothing, and no code for it: the
//!       search is compiled once for each, and calls of empty functions vanish.
//! Cost: four looks at the clock per state and a few additions.
//!
//! Libraries read no clock: the caller who measures brings one.

/// What the search is at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Taking a state out and looking for the goal in it.
    Goal,
    /// Sorting its atoms by predicate.
    Columns,
    /// Counting through tuples and unifying them.
    Unify,
    /// Making the states after it and looking whether they are known.
    Apply,
}

/// What the phases are called in tables, in the order of their numbers.
pub const PHASES: [&str; 4] = ["take out", "columns", "unify", "apply"];

/// Is told what happens in a search.
pub trait Meter {
    /// A phase begins, and the one before ends.
    #[inline]
    fn enter(&mut self, _phase: Phase) {}
    /// Tuples were tried, and some of them unified.
    #[inline]
    fn tuples(&mut self, _tried: u64, _unified: u64) {}
    /// An action was passed over because a column is empty.
    #[inline]
    fn passed_over(&mut self) {}
    /// The search ends or pauses.
    #[inline]
    fn leave(&mut self) {}
}

/// Measures nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Silent;

impl Meter for Silent {}

/// Measures.
#[derive(Clone, Debug)]
pub struct Counting<C> {
    clock: C,
    since: Option<(Phase, u64)>,
    /// What the clock counts, by phase.
    pub time: [u64; PHASES.len()],
    /// Tuples tried.
    pub tried: u64,
    /// Tuples whose parameters agree.
    pub unified: u64,
    /// Actions passed over because a column was empty.
    pub passed_over: u64,
}

impl<C: FnMut() -> u64> Counting<C> {
    /// Measures by a clock; `|| 0` counts without one.
    pub fn new(clock: C) -> Self {
        let time = [0; PHASES.len()];
        Counting { clock, since: None, time, tried: 0, unified: 0, passed_over: 0 }
    }
}

impl<C: FnMut() -> u64> Meter for Counting<C> {
    fn enter(&mut self, phase: Phase) {
        self.leave();
        self.since = Some((phase, (self.clock)()));
    }

    fn tuples(&mut self, tried: u64, unified: u64) {
        self.tried += tried;
        self.unified += unified;
    }

    fn passed_over(&mut self) {
        self.passed_over += 1;
    }

    fn leave(&mut self) {
        if let Some((phase, since)) = self.since.take() {
            self.time[phase as usize] += (self.clock)().saturating_sub(since);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_goes_to_the_phase_it_was_spent_in() {
        let mut now = 0;
        let mut meter = Counting::new(|| {
            now += 10;
            now
        });
        meter.enter(Phase::Columns);
        meter.enter(Phase::Apply);
        meter.enter(Phase::Columns);
        meter.leave();
        meter.leave();
        assert_eq!(meter.time, [0, 20, 0, 10]);
        assert_eq!(meter.time.iter().sum::<u64>(), 30);
    }

    #[test]
    fn silence_takes_no_room() {
        assert_eq!(size_of::<Silent>(), 0);
    }
}
