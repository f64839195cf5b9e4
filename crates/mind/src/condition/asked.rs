//! What conditions and terms ask about beside facts of a kind.
//!
//! In:   a condition, pattern or term.
//! Out:  the slots in it, as a set of bits; whether it asks for variables.
//! Cost: one pass.

use super::{Aspect, AttributeTest, Condition, Measure, Pattern, Ref, Source, Term};
use crate::picks::{SlotSet, slot_set};

impl Ref {
    /// The slots that it refers to.
    #[must_use]
    pub fn slots(self) -> SlotSet {
        match self {
            Ref::Slots(first, n) => slot_set(first, n),
            Ref::It | Ref::Me | Ref::Word(_) => 0,
        }
    }
}

impl Pattern {
    /// The slots that it asks for.
    #[must_use]
    pub fn slots(&self) -> SlotSet {
        let own = match self.source {
            Source::Slots(first, n) => slot_set(first, n),
            Source::Own(_) | Source::Shared(_) | Source::It => 0,
        };
        let test = |test: &AttributeTest| match test {
            AttributeTest::Is(_, _, what) | AttributeTest::Within(_, what) => what.slots(),
            _ => 0,
        };
        self.tests.iter().fold(own, |all, it| all | test(it))
    }
}

impl Condition {
    /// The slots that it asks for.
    #[must_use]
    pub fn slots(&self) -> SlotSet {
        match self {
            Condition::Exists(pattern) | Condition::Count(pattern, ..) => pattern.slots(),
            Condition::Variable(..) | Condition::Amounts(..) => 0,
            Condition::Number(measure, ..) => measure.slots(),
            Condition::Not(inner) => inner.slots(),
            Condition::All(list) | Condition::Any(list) => {
                list.iter().fold(0, |all, it| all | it.slots())
            }
        }
    }

    /// Whether it asks for a variable.
    #[must_use]
    pub fn asks_variables(&self) -> bool {
        let mut any = false;
        self.each_variable(&mut |_| any = true);
        any
    }
}

impl Measure {
    /// The slots that it asks for.
    #[must_use]
    pub fn slots(&self) -> SlotSet {
        match self {
            Measure::Number(_) => 0,
            Measure::If(condition) => condition.slots(),
            Measure::Of(Aspect::From(what), pattern) => what.slots() | pattern.slots(),
            Measure::Of(_, pattern) => pattern.slots(),
            Measure::Else(list) => list.iter().fold(0, |all, it| all | it.slots()),
        }
    }

    /// Whether it asks for a variable.
    #[must_use]
    pub fn asks_variables(&self) -> bool {
        let mut any = false;
        self.each_variable(&mut |_| any = true);
        any
    }
}

impl Term {
    /// The slots that it asks for.
    #[must_use]
    pub fn slots(&self) -> SlotSet {
        self.measure.slots()
    }
}
