//! Whether reading goes on: the caller is asked every so often.

use std::cell::Cell;

/// Tokens, conditions and facts between two questions.
const ASK_EVERY: u32 = 1 << 12;

/// Asks the caller, and remembers a no.
pub(super) struct Asking<'s> {
    stop: Option<&'s dyn Fn() -> bool>,
    steps: Cell<u32>,
    is_over: Cell<bool>,
}

impl<'s> Asking<'s> {
    pub(super) fn new(stop: Option<&'s dyn Fn() -> bool>) -> Self {
        let is_over = Cell::new(stop.is_some_and(|stop| stop()));
        Asking { stop, steps: Cell::new(0), is_over }
    }

    /// Counts a step; whether the caller said stop.
    pub(super) fn step(&self) -> bool {
        let steps = self.steps.get().wrapping_add(1);
        self.steps.set(steps);
        if steps.is_multiple_of(ASK_EVERY) && self.stop.is_some_and(|stop| stop()) {
            self.is_over.set(true);
        }
        self.is_over()
    }

    /// Whether the caller said stop.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.get()
    }
}
