//! How much grounding may do, and what is said when it would do more.
//!
//! In:   counts, and a function of the caller's that may say stop.
//! Out:  a [`GroundError`] with the cure.

use std::cell::Cell;

/// How much grounding may make and try.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Facts that can become true.
    pub atoms: usize,
    /// Instances of actions and axioms.
    pub operators: usize,
    /// Literals of all instances' conditions; an effect counts as [`EFFECT_LITERALS`].
    pub literals: usize,
    /// Tuples tried in joins, literals made, facts compared.
    pub joins: u64,
    /// Bytes of all that is made, arguments, names and ways to join among it.
    pub bytes: u64,
}

impl Default for Limits {
    /// What a task of the planning field's sizes needs, within a few gigabytes.
    fn default() -> Self {
        Limits {
            atoms: 5_000_000,
            operators: 2_000_000,
            literals: 128_000_000,
            joins: 4_000_000_000,
            bytes: 5 << 30,
        }
    }
}

impl Limits {
    /// What fits into so many bytes: at most a third for facts, a third for instances, a third
    /// for their literals. The bytes of each are [`ATOM_BYTES`], [`OPERATOR_BYTES`] and
    /// [`LITERAL_BYTES`]; what they have more because of many arguments or long names, and what
    /// else is made, is counted as it grows. The lifted task itself comes on top. Work is limited
    /// as usual: it takes no memory.
    pub fn for_bytes(bytes: usize) -> Limits {
        let third = |of: usize| (bytes / 3 / of).min(MOST_COUNTED);
        Limits {
            atoms: third(ATOM_BYTES),
            operators: third(OPERATOR_BYTES),
            literals: third(LITERAL_BYTES),
            bytes: bytes as u64,
            ..Limits::default()
        }
    }
}

/// A fact at the peak of grounding: its tuple with its indexes, and a variable with the names of
/// its two values.
pub const ATOM_BYTES: usize = 384;
/// An instance at the peak: its tuple, its rows in the task before and after pruning, its name.
pub const OPERATOR_BYTES: usize = 256;
/// A literal at the peak: four bytes, in the task before and after pruning and as an atom.
pub const LITERAL_BYTES: usize = 16;
/// An effect takes as much as so many literals.
pub const EFFECT_LITERALS: usize = 4;
/// An argument of a fact at the peak: in its tuple, whose row doubles when it grows.
pub(super) const ATOM_ARGUMENT_BYTES: usize = 12;
/// An argument of an instance at the peak: in its tuple and in its step of a plan.
pub(super) const ARGUMENT_BYTES: usize = 24;
/// A tuple in one index.
pub(super) const INDEX_BYTES: usize = 48;
/// Rows are numbered with 32 bits, literals with twice their facts.
const MOST_COUNTED: usize = 1 << 30;

/// What comes of a part of grounding, if nothing stops it.
pub(super) type Checked<T> = Result<T, GroundError>;

/// Why a task was not grounded.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GroundError {
    /// More facts than the limit.
    TooManyAtoms {
        /// The limit.
        limit: usize,
        /// The predicate with the most facts.
        predicate: String,
        /// How many it has so far.
        facts: usize,
    },
    /// More instances of actions than the limit.
    TooManyOperators {
        /// The limit.
        limit: usize,
        /// The action with the most instances.
        action: String,
        /// How many it has so far.
        instances: usize,
    },
    /// More literals in conditions, and effects, than the limit.
    TooManyLiterals {
        /// The limit.
        limit: usize,
        /// The action or derived predicate whose instances went beyond it.
        of: String,
    },
    /// More work than the limit.
    TooMuchWork {
        /// The limit.
        limit: u64,
        /// The action with the most instances, if any action has one.
        action: Option<(String, usize)>,
    },
    /// More bytes than the limit.
    TooManyBytes {
        /// The limit.
        limit: u64,
        /// The action that takes the most.
        action: String,
        /// How many parameters it has.
        parameters: usize,
        /// How many instances it has so far.
        instances: usize,
    },
    /// The caller said stop.
    Stopped,
    /// A derived predicate depends on its own negation.
    NotStratified {
        /// A fact of the circle.
        fact: String,
    },
    /// An action costs the value of a function that the problem gives none.
    NoCost {
        /// The function with its arguments.
        value: String,
        /// The action with its arguments.
        step: String,
    },
    /// The task has numbers: [`ground_counted`](super::ground_counted) grounds it.
    Numbers,
    /// A number that is changed or compared with one that is has no value at the start.
    NoNumber {
        /// The function with its arguments.
        value: String,
    },
    /// A number changes by one that changes, too.
    MovingBy {
        /// The action.
        action: String,
        /// The function that changes, and by which.
        value: String,
        /// The other function.
        by: String,
    },
}

throng_base::error! { GroundError {
    Self::TooManyAtoms { limit, predicate, facts } =>
        "more than {limit} facts can become true, {facts} of them of `{predicate}`; give its \
         arguments narrower types, or take fewer objects";
    Self::TooManyOperators { limit, action, instances } =>
        "the actions have more than {limit} instances, {instances} of them of `{action}`; bind \
         its parameters by conditions that never change, split it into steps with fewer \
         parameters, or take fewer objects";
    Self::TooManyLiterals { limit, of } =>
        "the conditions and effects of all instances have more than {limit} literals, reached \
         with those of `{of}`; let its `forall` and `when` range over fewer objects, or raise \
         the limit of literals";
    Self::TooMuchWork { limit, action } =>
        "grounding tried more than {limit} combinations{}; bind parameters by conditions that \
         never change, or take fewer objects", most_instances(action.as_ref());
    Self::TooManyBytes { limit, action, parameters, instances } =>
        "what is made of the task takes more than {} MB{}; split the action into steps with \
         fewer parameters, let quantifiers range over fewer objects, or take fewer objects",
        *limit as f64 / f64::from(1 << 20), most_bytes(action, *parameters, *instances);
    Self::Stopped => "stopped while grounding";
    Self::NotStratified { fact } =>
        "whether `{fact}` holds depends on it not holding; derived predicates must not depend \
         on their own negation";
    Self::NoCost { value, step } =>
        "`{step}` costs `{value}`, and the problem gives that no value; add `(= {value} …)` to \
         its `:init`";
    Self::Numbers => "the task has numeric fluents, which this planner does not count with";
    Self::NoNumber { value } =>
        "`{value}` is counted, and the problem gives it no value; add `(= {value} 0)`, or what it \
         is, to its `:init`";
    Self::MovingBy { action, value, by } =>
        "`{action}` changes `{value}` by `{by}`, which changes too; change it by a number, or by \
         a function that no action changes";
} }

fn most_instances(action: Option<&(String, usize)>) -> String {
    let told = |(action, n): &(String, usize)| format!("; `{action}` has the most instances, {n}");
    action.map(told).unwrap_or_default()
}

fn most_bytes(action: &str, parameters: usize, instances: usize) -> String {
    if action.is_empty() {
        return String::new();
    }
    format!(
        ", the most of it for `{action}` with {parameters} parameters and {instances} instances \
         so far"
    )
}

/// Too many instances; the caller, which has the task, adds the names.
pub(super) fn too_many_operators(limit: usize) -> GroundError {
    GroundError::TooManyOperators { limit, action: String::new(), instances: 0 }
}

/// How many tries pass between two questions to `stop`.
const ASK_EVERY: u64 = 1 << 14;

/// Counts work and bytes, and asks the caller.
pub(super) struct Guard<'a> {
    pub(super) limits: Limits,
    stop: Option<&'a dyn Fn() -> bool>,
    work: Cell<u64>,
    next_question: Cell<u64>,
    /// Bytes that are taken to the end.
    held: Cell<u64>,
    /// Bytes that are given back soon, by going back to what it was.
    pub(super) lent: Cell<u64>,
}

impl<'a> Guard<'a> {
    pub(super) fn new(limits: &Limits, stop: Option<&'a dyn Fn() -> bool>) -> Self {
        let [work, held, lent] = [0; 3].map(Cell::new);
        Guard { limits: *limits, stop, work, next_question: Cell::new(ASK_EVERY), held, lent }
    }

    /// A phase begins: work is limited by phase, bytes that are taken to the end are not.
    pub(super) fn begin_phase(&self) {
        self.work.set(0);
        self.next_question.set(ASK_EVERY);
        self.lent.set(0);
    }

    /// The work of this phase so far.
    pub(super) fn work_done(&self) -> u64 {
        self.work.get()
    }

    /// Counts bytes before they are taken to the end.
    #[inline]
    pub(super) fn hold(&self, bytes: usize) -> Checked<()> {
        self.held.set(self.held.get() + bytes as u64);
        self.check_bytes()
    }

    /// Counts bytes before they are taken for a while.
    #[inline]
    pub(super) fn lend(&self, bytes: usize) -> Checked<()> {
        self.lent.set(self.lent.get() + bytes as u64);
        self.check_bytes()
    }

    #[inline]
    fn check_bytes(&self) -> Checked<()> {
        let limit = self.limits.bytes;
        if self.held.get() + self.lent.get() <= limit {
            return Ok(());
        }
        Err(GroundError::TooManyBytes { limit, action: String::new(), parameters: 0, instances: 0 })
    }

    /// Counts so much work.
    #[inline]
    pub(super) fn work(&self, amount: u64) -> Checked<()> {
        self.work.set(self.work.get() + amount);
        if self.work.get() >= self.next_question.get() { self.ask() } else { Ok(()) }
    }

    /// Counts work that is linear in what was counted before: it is not held against the limit,
    /// but the caller is asked as often.
    #[inline]
    pub(super) fn pass(&self, amount: usize) -> Checked<()> {
        self.next_question.set(self.next_question.get().saturating_sub(amount as u64));
        if self.work.get() >= self.next_question.get() { self.ask() } else { Ok(()) }
    }

    #[cold]
    fn ask(&self) -> Checked<()> {
        self.next_question.set(self.work.get() + ASK_EVERY);
        if self.work.get() > self.limits.joins {
            return Err(GroundError::TooMuchWork { limit: self.limits.joins, action: None });
        }
        if self.stop.is_some_and(|stop| stop()) {
            return Err(GroundError::Stopped);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_allowed_fits_into_the_bytes_and_leaves_few() {
        for bytes in [0, 1000, 1 << 20, 1 << 30, 24 << 30] {
            let Limits { atoms, operators, literals, .. } = Limits::for_bytes(bytes);
            let taken = atoms * ATOM_BYTES + operators * OPERATOR_BYTES + literals * LITERAL_BYTES;
            let rest = ATOM_BYTES + OPERATOR_BYTES + LITERAL_BYTES;
            assert!(taken <= bytes && bytes - taken <= rest, "{bytes}: {taken}");
        }
        // Numbers must stay within their rows, however much there is.
        assert_eq!(Limits::for_bytes(usize::MAX).atoms, MOST_COUNTED);
    }

    #[test]
    fn passing_work_asks_as_often_as_counted_work_but_reaches_no_limit() {
        let asked = std::cell::Cell::new(0);
        let stop = || {
            asked.set(asked.get() + 1);
            asked.get() == 3
        };
        let limits = Limits { joins: 1, ..Limits::default() };
        let guard = Guard::new(&limits, Some(&stop));
        let passed = (0..10 * ASK_EVERY).take_while(|_| guard.pass(1).is_ok()).count() as u64;
        assert_eq!((passed, guard.work_done()), (3 * ASK_EVERY - 1, 0));
        assert!(matches!(guard.work(2 * ASK_EVERY), Err(GroundError::TooMuchWork { .. })));
    }
}
