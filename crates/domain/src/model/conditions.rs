//! Conditions: values, sets of values and comparisons of amounts; and how a value moves.
//!
//! In:   ids of variables and values, positions.
//! Out:  [`Conditions`], borrowed, and [`Wants`], owned: what should hold together.
//! Cost: plain data; a look at each part.

use super::{ValueId, VariableId};
use crate::amounts::{ShiftBy, UNKNOWN, ValueSet};
use crate::token::Relation;

/// A variable having a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fact {
    /// The variable.
    pub variable: VariableId,
    /// Its value.
    pub value: ValueId,
}

/// A variable having one of some values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Range {
    /// The variable.
    pub variable: VariableId,
    /// Its values, by position; some, not all of one value.
    pub values: ValueSet,
}

impl From<Fact> for Range {
    fn from(fact: Fact) -> Self {
        Range { variable: fact.variable, values: ValueSet::one(fact.value.0 as u16) }
    }
}

/// A variable compared with another one, both amounts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Comparison {
    /// The variable on the left.
    pub variable: VariableId,
    /// How the two must stand to each other.
    pub relation: Relation,
    /// The variable on the right, which nothing of the same NPC type changes.
    pub other: VariableId,
    /// How much lower the range of the left one begins: with it, positions compare like numbers.
    pub offset: i64,
}

impl Comparison {
    /// Whether it holds between two values, by position, of variables with so many values.
    #[must_use]
    pub fn holds(&self, value: u16, other: u16) -> bool {
        let known = value != UNKNOWN && other != UNKNOWN;
        known && self.relation.holds(i64::from(value), i64::from(other) + self.offset)
    }
}

/// A variable's value moves up or down.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Shift {
    /// The variable, an amount.
    pub variable: VariableId,
    /// By how much, and what happens at the end.
    pub by: ShiftBy,
}

/// What should hold together, borrowed. A variable is named by one fact or one range, and by any
/// number of comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Conditions<'c> {
    /// Values.
    pub facts: &'c [Fact],
    /// Sets of values.
    pub ranges: &'c [Range],
    /// Amounts that must stand to each other.
    pub comparisons: &'c [Comparison],
}

impl<'c> From<&'c [Fact]> for Conditions<'c> {
    fn from(facts: &'c [Fact]) -> Self {
        Conditions { facts, ..Conditions::default() }
    }
}

impl<'c> From<&'c Vec<Fact>> for Conditions<'c> {
    fn from(facts: &'c Vec<Fact>) -> Self {
        facts.as_slice().into()
    }
}

impl<'c, const N: usize> From<&'c [Fact; N]> for Conditions<'c> {
    fn from(facts: &'c [Fact; N]) -> Self {
        facts.as_slice().into()
    }
}

impl<'c> From<&'c Wants> for Conditions<'c> {
    fn from(wants: &'c Wants) -> Self {
        wants.conditions()
    }
}

impl Conditions<'_> {
    /// The variables that it speaks of; one may come more than once.
    pub fn variables(&self) -> impl Iterator<Item = VariableId> {
        let both = self.comparisons.iter().flat_map(|it| [it.variable, it.other]);
        let facts = self.facts.iter().map(|fact| fact.variable);
        facts.chain(self.ranges.iter().map(|range| range.variable)).chain(both)
    }

    /// How much is asked.
    pub fn len(&self) -> usize {
        self.facts.len() + self.ranges.len() + self.comparisons.len()
    }

    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The same, owned.
    pub fn to_wants(&self) -> Wants {
        Wants {
            facts: self.facts.to_vec(),
            ranges: self.ranges.to_vec(),
            comparisons: self.comparisons.to_vec(),
        }
    }

    /// Whether all of it holds, given the value of each variable by position.
    pub fn hold(&self, value_of: impl Fn(VariableId) -> u16) -> bool {
        self.facts.iter().all(|fact| u32::from(value_of(fact.variable)) == fact.value.0)
            && self.ranges.iter().all(|range| range.values.has(value_of(range.variable)))
            && self.comparisons.iter().all(|it| it.holds(value_of(it.variable), value_of(it.other)))
    }
}

/// What should hold together: [`Conditions`] of one's own.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Wants {
    /// Values, at most one per variable, by variable.
    pub facts: Vec<Fact>,
    /// Sets of values, at most one per variable, by variable.
    pub ranges: Vec<Range>,
    /// Amounts that must stand to each other.
    pub comparisons: Vec<Comparison>,
}

impl Wants {
    /// The same, borrowed.
    pub fn conditions(&self) -> Conditions<'_> {
        let Wants { facts, ranges, comparisons } = self;
        Conditions { facts, ranges, comparisons }
    }
}

impl From<Vec<Fact>> for Wants {
    fn from(facts: Vec<Fact>) -> Self {
        Wants { facts, ..Wants::default() }
    }
}
