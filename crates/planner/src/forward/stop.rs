//! When the caller's `stop` is asked: by the work done, whatever one state takes.
//!
//! In:   a budget, and work as it is done, in states of a few words that are generated.
//! Out:  whether to stop.
//! Cost: an addition, and a call of `stop` now and then.

use crate::budget::{Limit, SearchBudget};

/// So much work takes a fraction of a millisecond. Tests stop wherever a search can be stopped.
const EVERY: u64 = if cfg!(test) { 1 } else { 1 << 12 };

/// Asks the caller's `stop`: at once, and then whenever much was done since.
pub(crate) struct Stop<'b> {
    stop: Option<&'b dyn Fn() -> bool>,
    spent: u64,
}

impl<'b> Stop<'b> {
    pub(super) fn new(budget: &SearchBudget<'b>) -> Stop<'b> {
        Stop { stop: budget.stop, spent: EVERY }
    }

    /// An error if it is time to stop, after so much more work.
    #[inline]
    pub(super) fn after(&mut self, work: u64) -> Result<(), Limit> {
        self.spent = self.spent.saturating_add(work);
        if self.spent < EVERY {
            return Ok(());
        }
        self.spent = 0;
        if self.stop.is_some_and(|stop| stop()) { Err(Limit::Stopped) } else { Ok(()) }
    }
}
