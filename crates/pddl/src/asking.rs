//! Whether work goes on: the caller is asked every so often.

use std::cell::Cell;

/// Tokens, conditions, facts, pieces of text or operators between two questions.
const ASK_EVERY: u32 = 1 << 12;

/// Asks the caller, and remembers a no.
pub(crate) struct Asking<'s> {
    stop: &'s dyn Fn() -> bool,
    steps: Cell<u32>,
    is_over: Cell<bool>,
}

impl<'s> Asking<'s> {
    /// Asks at once.
    pub(crate) fn new(stop: &'s dyn Fn() -> bool) -> Self {
        Asking { stop, steps: Cell::new(0), is_over: Cell::new(stop()) }
    }

    /// Counts a step; whether the caller said stop.
    pub(crate) fn step(&self) -> bool {
        let steps = self.steps.get().wrapping_add(1);
        self.steps.set(steps);
        if steps.is_multiple_of(ASK_EVERY) && (self.stop)() {
            self.is_over.set(true);
        }
        self.is_over()
    }

    /// Whether the caller said stop.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over.get()
    }
}
