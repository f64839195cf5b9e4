//! How much judging a plan may take, and what is said when it would take more.
//!
//! In:   counts of work and bytes, and a function of the caller's that may say stop.
//! Out:  a [`ValidateError`], which is no verdict.
//!
//! Once the judge has given up, whatever it still answers means nothing.

use std::cell::Cell;

/// How much judging may take.
#[derive(Clone, Copy)]
pub struct Limits<'s> {
    /// Bytes of the state and of what is worked out for a step; the lifted task comes on top.
    pub bytes: u64,
    /// Atoms looked at and objects tried.
    pub steps: u64,
    /// Asked every so often.
    pub stop: Option<&'s dyn Fn() -> bool>,
}

impl Default for Limits<'_> {
    /// As much as it takes: for tasks that are trusted.
    fn default() -> Self {
        Limits { bytes: u64::MAX, steps: u64::MAX, stop: None }
    }
}

impl Limits<'_> {
    /// Steps that a plan of the planning field's sizes needs.
    pub const USUAL_STEPS: u64 = 20_000_000_000;
}

/// Why there is no verdict.
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValidateError {
    /// The caller said stop.
    Stopped,
    /// It would take more bytes than this.
    Bytes(u64),
    /// It took more steps than this.
    Steps(u64),
}

throng_base::error! { ValidateError {
    Self::Stopped => "stopped before the plan was judged";
    Self::Bytes(bytes) =>
        "judging the plan takes more than {} MB", *bytes as f64 / f64::from(1 << 20);
    Self::Steps(steps) => "judging the plan takes more than {steps} steps";
} }

/// The caller is asked once in so many steps.
const STEPS_PER_QUESTION: u64 = 1 << 10;

/// What was taken of the limits so far.
#[derive(Default)]
pub(super) struct Budget<'s> {
    pub(super) limits: Limits<'s>,
    /// How many steps were counted.
    pub(super) steps: Cell<u64>,
    /// Bytes of what was found and is not among the facts yet; the facts count their own.
    pub(super) held: Cell<u64>,
    /// Bytes of the search, given back on its way out by going back to what it was.
    pub(super) lent: Cell<u64>,
    /// Why the judge gave up, if it did.
    pub(super) gave_up: Cell<Option<ValidateError>>,
}

impl Budget<'_> {
    /// Counts a step; whether the judge gives up.
    #[inline]
    pub(super) fn step(&self) -> bool {
        let steps = self.steps.get() + 1;
        self.steps.set(steps);
        if steps.is_multiple_of(STEPS_PER_QUESTION) { self.ask() } else { self.is_over() }
    }

    /// Whether the judge gave up.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.gave_up.get().is_some()
    }

    /// Asks the caller at once.
    pub(super) fn ask(&self) -> bool {
        if self.steps.get() > self.limits.steps {
            self.give_up(ValidateError::Steps(self.limits.steps));
        } else if self.limits.stop.is_some_and(|stop| stop()) {
            self.give_up(ValidateError::Stopped);
        }
        self.is_over()
    }

    fn give_up(&self, why: ValidateError) {
        self.gave_up.set(self.gave_up.get().or(Some(why)));
    }

    /// What was found is gone.
    pub(super) fn release(&self, bytes: u64) {
        self.held.set(self.held.get().saturating_sub(bytes));
    }

    /// Whether all that is taken, beside so many bytes of facts, makes the judge give up.
    pub(super) fn weigh(&self, of_facts: u64) -> bool {
        if self.held.get() + self.lent.get() + of_facts > self.limits.bytes {
            self.give_up(ValidateError::Bytes(self.limits.bytes));
        }
        self.is_over()
    }
}
