//! What conditions and terms ask about beside facts of a kind.
//!
//! In:   a condition, pattern or term.
//! Out:  the slots in it, as a set of bits; whether it asks for variables; of which kinds it reads
//!       the facts, if nothing else can change its answer.
//! Cost: one pass.

use super::{Aspect, AttributeTest, Condition, Measure, Pattern, Ref, Source, Term};
use crate::memory::KindSet;
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

impl Pattern {
    /// As of a [condition](Condition::reads_kinds).
    fn reads_kinds(&self, kinds: &mut KindSet) -> bool {
        match self.source {
            Source::Own(kind) => kinds.insert(kind),
            // What a word is called says no fact.
            Source::It => {}
            Source::Shared(_) | Source::Slots(..) => return false,
        }
        self.tests.iter().all(|test| match test {
            AttributeTest::Has(_) | AttributeTest::Value(..) | AttributeTest::Sure(..) => true,
            AttributeTest::Is(_, _, what) => what.slots() == 0,
            AttributeTest::Within(..) | AttributeTest::Age(..) | AttributeTest::Distance(..) => {
                false
            }
        })
    }
}

impl Condition {
    /// Takes in the kinds of facts that it reads, for an `it` that is a word; `false` if something
    /// else can change its answer too: time, the mind's place, a pick, a variable, what all share.
    pub(crate) fn reads_kinds(&self, kinds: &mut KindSet) -> bool {
        match self {
            Condition::Exists(pattern) | Condition::Count(pattern, ..) => {
                pattern.reads_kinds(kinds)
            }
            Condition::Variable(..) | Condition::Amounts(..) => false,
            Condition::Number(measure, ..) => measure.reads_kinds(kinds),
            Condition::Not(inner) => inner.reads_kinds(kinds),
            Condition::All(list) | Condition::Any(list) => {
                list.iter().all(|it| it.reads_kinds(kinds))
            }
        }
    }
}

impl Measure {
    /// As of a [condition](Condition::reads_kinds).
    fn reads_kinds(&self, kinds: &mut KindSet) -> bool {
        match self {
            Measure::Number(_) => true,
            Measure::If(condition) => condition.reads_kinds(kinds),
            Measure::Of(Aspect::Distance | Aspect::Age | Aspect::From(_), _) => false,
            Measure::Of(Aspect::Sure(_) | Aspect::Amount(_) | Aspect::Count, pattern) => {
                pattern.reads_kinds(kinds)
            }
            Measure::Else(list) => list.iter().all(|it| it.reads_kinds(kinds)),
        }
    }
}

impl Term {
    /// As of a [condition](Condition::reads_kinds).
    pub(crate) fn reads_kinds(&self, kinds: &mut KindSet) -> bool {
        self.measure.reads_kinds(kinds)
    }
}
