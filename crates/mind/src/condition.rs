//! What files ask of memory: conditions, patterns, and numbers taken from facts.
//!
//! In:   a [`Condition`] or [`Term`] read from the file, and a [`Situation`] to ask.
//! Out:  yes or no, or a number; and the moment at which the answer may change by itself.
//! Cost: one pass over the facts per pattern.
//!
//! Facts age without anybody touching them, so an answer that depends on age says until when it
//! is good. A mind sleeps until then. How answers are found is in `condition/evaluate.rs`.

mod evaluate;
#[cfg(test)]
mod tests;

use crate::fact::{Attribute, Position, Value};
use crate::memory::Memory;
use crate::time::{Pace, Tick};
use crate::words::Word;
pub use throng_domain::Relation;
use throng_domain::compile::PackedValue as StateValue;

/// One test of a fact.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum AttributeTest {
    /// `node`: the fact has the attribute.
    Has(Attribute),
    /// `stimulus = seen`, or `!=`; a fact without the attribute fails both.
    Value(Attribute, Relation, Value),
    /// `node = it`: the attribute is the first parameter of the action that is priced.
    It(Attribute),
    /// `sure stimulus >= 0.5`: the confidence of an attribute; 0 without the attribute.
    Sure(Attribute, Relation, f32),
    /// `age < 5`: ticks since the last update.
    Age(Relation, Tick),
    /// `distance < 6`: from the mind's place to the fact's position; fails without a position.
    Distance(Relation, f32),
}

/// Facts of one kind that pass all tests: `character(sure stimulus >= 0.5, age < 3)`.
#[derive(Clone, PartialEq, Debug)]
pub struct Pattern {
    /// Look in the memory that all share.
    pub shared: bool,
    /// The kind.
    pub kind: Word,
    /// All must pass.
    pub tests: Vec<AttributeTest>,
}

/// Yes or no.
#[derive(Clone, PartialEq, Debug)]
pub enum Condition {
    /// There is such a fact.
    Exists(Pattern),
    /// There are so many.
    Count(Pattern, Relation, u32),
    /// A variable of the mind's state: by position among the domain's variables. Sizes are those
    /// of positions among the values; a variable that is unknown passes no comparison.
    Variable(u32, Relation, StateValue),
    /// Two amounts of the mind's state, by position among the domain's variables; the second moved
    /// by so much, so that positions compare like numbers. One that is unknown passes none.
    Amounts(u32, Relation, u32, i64),
    /// The opposite.
    Not(Box<Condition>),
    /// All of these.
    All(Vec<Condition>),
    /// One of these.
    Any(Vec<Condition>),
}

/// What of the best fact of a pattern is taken as a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aspect {
    /// The confidence of an attribute; of the fact where it is highest.
    Sure(Attribute),
    /// The value of an attribute that is a number; of the fact whose attribute is surest.
    Amount(Attribute),
    /// The distance of the nearest.
    Distance,
    /// The age of the youngest, in seconds.
    Age,
    /// How many there are.
    Count,
}

/// A number.
#[derive(Clone, PartialEq, Debug)]
pub enum Measure {
    /// This one.
    Number(f32),
    /// 1 if it holds, else 0.
    If(Condition),
    /// Taken from facts; nothing if there is none.
    Of(Aspect, Pattern),
}

/// A number through a curve: points with rising `x`, straight lines between them, flat outside.
#[derive(Clone, PartialEq, Debug)]
pub struct Term {
    /// What is measured; if there is nothing to measure, the term is 0 whatever the curve says.
    pub measure: Measure,
    /// Empty: the number itself, brought into 0 to 1.
    pub curve: Vec<(f32, f32)>,
}

/// What there is to ask.
#[derive(Clone, Copy)]
pub struct Situation<'s> {
    /// The mind's own facts.
    pub memory: &'s Memory,
    /// Everybody's facts.
    pub shared: &'s Memory,
    /// A value per variable of the domain.
    pub values: &'s [StateValue],
    /// Where the mind is.
    pub here: Position,
    /// When.
    pub now: Tick,
    /// How long a second is.
    pub pace: Pace,
    /// The first parameter of the action that is priced, for [`AttributeTest::It`].
    pub it: Word,
}

impl Condition {
    /// Shows the position of every variable in it.
    pub fn each_variable(&self, see: &mut impl FnMut(u32)) {
        match self {
            Condition::Variable(variable, ..) => see(*variable),
            Condition::Amounts(one, _, other, _) => [*one, *other].into_iter().for_each(see),
            Condition::Exists(_) | Condition::Count(..) => {}
            Condition::Not(inner) => inner.each_variable(see),
            Condition::All(list) | Condition::Any(list) => {
                list.iter().for_each(|condition| condition.each_variable(see));
            }
        }
    }
}
