//! How much work was done, against how much may be.
//!
//! In:   counts of work from every part of the answer.
//! Out:  that a limit was hit, or that the watcher said stop.
//! Cost: an addition; the watcher is told every [`TELL_EVERY`] counts.

use super::Undecided;

/// Work between two words to the watcher: some milliseconds.
const TELL_EVERY: u64 = 4_000_000;

/// One count of work is a look at one action, state or step.
pub(super) struct Meter<'m> {
    done: u64,
    /// Work is allowed up to this sum of all that was done so far.
    pub(super) limit: u64,
    next: u64,
    watch: &'m mut dyn FnMut(u64) -> bool,
    stopped: bool,
}

impl<'m> Meter<'m> {
    /// `watch` is told the work done so far, and says whether to stop.
    pub(super) fn new(watch: &'m mut dyn FnMut(u64) -> bool) -> Self {
        Meter { done: 0, limit: 0, next: 0, watch, stopped: false }
    }

    /// What may still be spent.
    pub(super) fn left(&self) -> u64 {
        self.limit.saturating_sub(self.done)
    }

    /// Spends before the work is done; what is not allowed is not to be done, and costs nothing.
    pub(super) fn spend(&mut self, work: u64) -> Result<(), Undecided> {
        if self.stopped {
            return Err(Undecided::Stopped);
        }
        if work > self.left() {
            return Err(Undecided::TooMuchWork);
        }
        self.done += work;
        if self.done >= self.next {
            self.next = self.done + TELL_EVERY;
            self.stopped = (self.watch)(self.done);
        }
        if self.stopped { Err(Undecided::Stopped) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_allowed_is_not_done_and_a_word_stops_for_good() {
        let mut told = Vec::new();
        let mut watch = |done| {
            told.push(done);
            done > TELL_EVERY
        };
        let mut meter = Meter::new(&mut watch);
        assert_eq!(meter.spend(1), Err(Undecided::TooMuchWork));
        meter.limit = TELL_EVERY + 20;
        assert_eq!(meter.spend(10), Ok(()));
        assert_eq!(meter.spend(TELL_EVERY + 11), Err(Undecided::TooMuchWork));
        assert_eq!((meter.left(), meter.spend(5)), (TELL_EVERY + 10, Ok(())));
        assert_eq!(meter.spend(TELL_EVERY), Err(Undecided::Stopped));
        assert_eq!(meter.spend(0), Err(Undecided::Stopped));
        assert_eq!(told, [10, TELL_EVERY + 15]);
    }
}
