//! The class report of an NPC type: what holds, what breaks the rest, what is promised.
//!
//! In:   all findings of the checks.
//! Out:  plain owned data, kept with the engines' tables of the type.
//! Cost: a look-up.

use super::findings::{Breach, Violation};
use super::{Class, Cycle, Parts};
use crate::engine::Engine;

/// How often a cheapest plan may need the same action.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Repetition {
    /// At most once.
    Once,
    /// At most twice.
    Twice,
    /// No bound is promised.
    Unbounded,
}

impl Repetition {
    /// `once`, `twice`, `unbounded`.
    pub fn word(self) -> &'static str {
        match self {
            Repetition::Once => "once",
            Repetition::Twice => "twice",
            Repetition::Unbounded => "unbounded",
        }
    }
}

/// Which classes hold for an NPC type with all its actions, and hence with any subset of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClassReport {
    pub(super) violations: Vec<Violation>,
    pub(super) found: [usize; Class::ALL.len()],
    pub(super) c2_star_as_printed: bool,
    pub(super) cycles: Vec<Cycle>,
    pub(super) parts: Option<Parts>,
    /// Its states take few words.
    pub(super) is_narrow: bool,
    /// Some action of it counts.
    pub(super) counts: bool,
}

impl ClassReport {
    /// Of a type that was not examined: no class is known to hold, so nothing is promised.
    pub(crate) fn unexamined() -> Self {
        ClassReport { found: [1; Class::ALL.len()], ..ClassReport::default() }
    }

    /// Into which parts the causal graph falls without a variable; there if C2* holds and some
    /// loop is needed both ways.
    pub fn parts(&self) -> Option<&Parts> {
        self.parts.as_ref()
    }

    /// Whether a class holds; C2* in the strict reading.
    pub fn holds(&self, class: Class) -> bool {
        self.found[class as usize] == 0
    }

    throng_base::getters! {
        /// What breaks the classes that fail, by class; at most [`super::MOST_TOLD`] of each.
        violations: &[Violation];
        /// The loops of all variables, by variable; none unless U and P hold.
        cycles: &[Cycle];
        /// Whether C2* holds as Definition 7 is printed. Weaker than the strict reading; it
        /// promises nothing.
        c2_star_as_printed: bool;
        /// Whether some action counts: then the engine does.
        counts: bool;
    }

    /// How many violations of a class there are, kept or not.
    pub fn n_violations(&self, class: Class) -> usize {
        self.found[class as usize]
    }

    /// Whether all actions are moves, each with a value of its own to set: U and P.
    pub fn are_moves(&self) -> bool {
        self.holds(Class::Unary) && self.holds(Class::PostUnique)
    }

    /// How often a cheapest plan may need the same action.
    pub fn repetition(&self) -> Repetition {
        // C0 is a part of C2S, which is a part of C2*.
        match () {
            () if !self.are_moves() => Repetition::Unbounded,
            () if self.holds(Class::C2Star) || self.holds(Class::C0) => Repetition::Once,
            () if self.holds(Class::OnePerCycle) => Repetition::Twice,
            () => Repetition::Unbounded,
        }
    }

    /// The engine that serves with all actions there.
    pub fn engine(&self) -> Engine {
        // Whatever breaks U and P is never there when a plan is made.
        let is_served = self.are_moves()
            || self.broken_only_by(is_apart)
            || self.broken_only_by(|breach| *breach == Breach::ChangesNothing);
        match (is_served, self.is_narrow || self.counts) {
            (true, _) => Engine::Topological,
            (false, true) => Engine::Regressive,
            (false, false) => Engine::Forward,
        }
    }

    /// What a designer can rely on, in a few sentences.
    pub fn promise(&self) -> &'static str {
        if !self.are_moves() {
            return self.promise_of_search();
        }
        let one_per_cycle = self.holds(Class::OnePerCycle);
        match (one_per_cycle, self.repetition()) {
            (true, Repetition::Once) => {
                "Linear time, no search: a shortest and cheapest plan, or a proof that there is \
                 none. No plan needs an action more than once."
            }
            (true, _) => {
                "Linear time, no search: a shortest and cheapest plan, or a proof that there is \
                 none. No plan needs an action more than twice."
            }
            (false, _) if self.holds(Class::Nested) => {
                "A cheapest plan, or a proof that there is none. No plan needs an action more \
                 than once. Linear time for goals that name every variable; others may take \
                 several tries."
            }
            (false, _) if self.holds(Class::C2Star) => {
                "A cheapest plan, or a proof that there is none. No plan needs an action more \
                 than once. Nearly always linear time; in the worst case finding the order is \
                 search."
            }
            _ => {
                "A cheapest plan, or a proof that there is none. Plans may need an action many \
                 times, and then they are found by search: no promise about time."
            }
        }
    }

    /// Whether all that is known to break U and P is of one kind.
    fn broken_only_by(&self, kind: fn(&Breach) -> bool) -> bool {
        let all_are_kept = [Class::Unary, Class::PostUnique]
            .iter()
            .all(|&class| self.n_violations(class) <= super::MOST_TOLD);
        let mut own = self.violations.iter().filter(|v| !v.follows_from_another());
        all_are_kept
            && own.all(|v| !matches!(v.class, Class::Unary | Class::PostUnique) || kind(&v.breach))
    }

    /// What remains when the actions are not all moves with values of their own.
    fn promise_of_search(&self) -> &'static str {
        if self.broken_only_by(is_apart) {
            "A cheapest plan, or a proof that there is none. Actions that set the same value are \
             never there together, so every single call is still served by the topological engine."
        } else if self.broken_only_by(|breach| *breach == Breach::ChangesNothing) {
            "A cheapest plan, or a proof that there is none. Actions that change nothing are \
             left out when planning; without them every class would be decided anew."
        } else if self.broken_only_by(|breach| matches!(breach, Breach::SameValue { .. })) {
            "A cheapest plan, or a proof that there is none, found by search: no promise about \
             time. Contexts that leave one way to set each value are served by the topological \
             engine."
        } else if self.counts {
            "A cheapest plan, or a proof that there is none, found by a search that counts: no \
             promise about time. Calls in which nothing counts, because what counts is not there, \
             are served as if the type had no such actions."
        } else {
            "A cheapest plan, or a proof that there is none, found by search: no promise about \
             time."
        }
    }
}

/// Several actions set a value, and never in the same call.
fn is_apart(breach: &Breach) -> bool {
    matches!(breach, Breach::SameValue { apart: true, .. })
}
