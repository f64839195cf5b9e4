//! What files ask of memory: conditions, patterns, and numbers taken from facts.
//!
//! In:   a [`Condition`] or [`Term`] read from the file, and a [`Situation`] to ask.
//! Out:  yes or no, or a number; and the moment at which the answer may change by itself.
//! Cost: one pass over the facts per pattern.
//!
//! Facts age without anybody touching them, so an answer that depends on age says until when it
//! is good. A mind sleeps until then. How answers are found is in `condition/evaluate.rs`.

mod asked;
mod evaluate;
mod refer;
#[cfg(test)]
mod tests;

use crate::fact::{Attribute, EntityId, Position, Value};
use crate::memory::{FactId, Memory};
use crate::picks::{Key, Picks};
use crate::time::{Pace, Tick};
use crate::words::Word;
pub use throng_domain::Relation;
use throng_domain::compile::PackedValue as StateValue;

/// Whom or what a test or a number is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ref {
    /// `it`: the candidate of a selection, or the first parameter of the action that is priced.
    It,
    /// `me`: the mind itself.
    Me,
    /// What these slots hold: the first of them, and how many. Of several any one.
    Slots(u16, u16),
    /// A plain word that a parameter stands for.
    Word(Word),
}

/// What `it` is: which thing, and the fact that speaks of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct It {
    /// Which thing.
    pub key: Key,
    /// The fact of the mind's own memory.
    pub fact: Option<FactId>,
}

/// One test of a fact.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum AttributeTest {
    /// `node`: the fact has the attribute.
    Has(Attribute),
    /// `stimulus = seen`, or `!=`; a fact without the attribute fails both.
    Value(Attribute, Relation, Value),
    /// `object = target`, or `!=`: the attribute is what that refers to. A fact without the
    /// attribute fails both; what refers to nothing equals nothing.
    Is(Attribute, Relation, Ref),
    /// `within 5 of it`: from the position of that to the fact's position; fails without either.
    Within(f32, Ref),
    /// `sure stimulus >= 0.5`: the confidence of an attribute; 0 without the attribute.
    Sure(Attribute, Relation, f32),
    /// `age < 5`: ticks since the last update.
    Age(Relation, Tick),
    /// `distance < 6`: from the mind's place to the fact's position; fails without a position.
    Distance(Relation, f32),
}

/// Which facts a pattern asks about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// Those of a kind.
    Own(Word),
    /// Those of a kind in the memory that all share.
    Shared(Word),
    /// The one that speaks of `it`.
    It,
    /// Those that speak of what these slots hold: the first of them, and how many.
    Slots(u16, u16),
}

/// Facts that pass all tests: `character(sure stimulus >= 0.5, age < 3)`, `target(distance < 6)`.
#[derive(Clone, PartialEq, Debug)]
pub struct Pattern {
    /// Of which facts.
    pub source: Source,
    /// All must pass.
    pub tests: Vec<AttributeTest>,
}

impl Pattern {
    /// The kind of facts that it asks about; `None` of what is picked.
    #[must_use]
    pub fn kind(&self) -> Option<Word> {
        match self.source {
            Source::Own(kind) | Source::Shared(kind) => Some(kind),
            Source::It | Source::Slots(..) => None,
        }
    }
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
    /// A number taken from facts; nothing to measure passes no comparison.
    Number(Box<Measure>, Relation, f32),
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
    /// The distance of the nearest from what this refers to.
    From(Ref),
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
    /// The first of these that gives a number.
    Else(Vec<Measure>),
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
    /// Whose mind it is.
    pub me: EntityId,
    /// What is picked.
    pub picks: &'s Picks,
    /// What `it` is.
    pub it: It,
}

/// Where nothing is picked.
static NOTHING_PICKED: Picks = Picks::nothing();

impl<'s> Situation<'s> {
    /// A mind at the origin that has picked nothing.
    #[must_use]
    pub fn new(
        memory: &'s Memory,
        shared: &'s Memory,
        values: &'s [StateValue],
        now: Tick,
        pace: Pace,
    ) -> Self {
        let (here, me, picks) = ([0.0; 3], EntityId(0), &NOTHING_PICKED);
        Situation { memory, shared, values, here, now, pace, me, picks, it: It::default() }
    }
}

impl Condition {
    /// Shows the position of every variable in it.
    pub fn each_variable(&self, see: &mut impl FnMut(u32)) {
        match self {
            Condition::Variable(variable, ..) => see(*variable),
            Condition::Amounts(one, _, other, _) => [*one, *other].into_iter().for_each(see),
            Condition::Exists(_) | Condition::Count(..) => {}
            Condition::Number(measure, ..) => measure.each_variable(see),
            Condition::Not(inner) => inner.each_variable(see),
            Condition::All(list) | Condition::Any(list) => {
                list.iter().for_each(|condition| condition.each_variable(see));
            }
        }
    }
}

impl Measure {
    /// Shows the position of every variable in it.
    pub fn each_variable(&self, see: &mut impl FnMut(u32)) {
        match self {
            Measure::If(condition) => condition.each_variable(see),
            Measure::Number(_) | Measure::Of(..) => {}
            Measure::Else(list) => list.iter().for_each(|measure| measure.each_variable(see)),
        }
    }
}
