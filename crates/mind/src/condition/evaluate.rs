//! Answers: conditions, patterns and terms asked of a situation.
//!
//! In:   what the file asks, a [`Situation`], and `wake`, a moment.
//! Out:  the answer; `wake` is lowered to the first moment at which time alone may change it.
//! Cost: one pass over the facts of a kind per pattern; what is picked is found by its id. No
//!       allocation.
//!
//! Only what was looked at lowers `wake`: a fact that fails a test which time does not touch, and
//! a part of a condition that did not have to be asked, cannot change the answer by themselves.
//! Expiry is not counted: memory knows when its facts go. What is no number compares with
//! nothing.

use super::{
    Aspect, AttributeTest, Condition, Measure, Pattern, Relation, Situation, Source, Term,
};
use crate::fact::{Attribute, Position, Value};
use crate::memory::{FactRef, FactsAbout, FactsOfKind, Memory, Subject};
use crate::picks::Picks;
use crate::time::{NEVER, Tick, after};
use crate::words::Word;
use std::ops::Range;
use throng_domain::compile::{PackedValue, UNKNOWN};

impl AttributeTest {
    /// Whether a fact passes. Age is not asked here: see [`AttributeTest::age_passes`].
    fn passes(&self, fact: FactRef<'_>, situation: &Situation<'_>) -> bool {
        match *self {
            AttributeTest::Has(attribute) => fact.has(attribute),
            AttributeTest::Value(attribute, relation, wanted) => {
                fact.get(attribute).is_some_and(|(value, _)| compares(relation, value, wanted))
            }
            AttributeTest::Is(attribute, relation, what) => {
                let value = fact.get(attribute).map(|(value, _)| value);
                let is = |value| what.is(attribute, value, situation);
                value.is_some_and(|value| is(value) == (relation == Relation::Is))
            }
            AttributeTest::Within(far, what) => {
                let there = fact.position(Attribute::Position);
                there.and_then(|there| what.distance(there, situation)).is_some_and(|d| d <= far)
            }
            AttributeTest::Sure(attribute, relation, wanted) => {
                relation.holds(fact.sure(attribute), wanted)
            }
            AttributeTest::Age(..) => true,
            AttributeTest::Distance(relation, wanted) => {
                distance(fact, situation.here).is_some_and(|far| relation.holds(far, wanted))
            }
        }
    }

    /// Whether a fact is of the right age, and when that may change.
    fn age_passes(&self, fact: FactRef<'_>, now: Tick, wake: &mut Tick) -> bool {
        let AttributeTest::Age(relation, wanted) = *self else { return true };
        // The moments at which the fact reaches this age and passes it.
        let reached = after(fact.updated(), wanted);
        let passed = after(reached, 1);
        let flips = match relation {
            Relation::Less | Relation::AtLeast => [reached, NEVER],
            Relation::AtMost | Relation::More => [passed, NEVER],
            Relation::Is | Relation::IsNot => [reached, passed],
        };
        for flip in flips.into_iter().filter(|&flip| flip > now) {
            *wake = flip.min(*wake);
        }
        relation.holds(now.saturating_sub(fact.updated()), wanted)
    }
}

/// Whether a value compares so with another of the same sort; words, handles and places are equal
/// or not, and have no size.
fn compares(relation: Relation, value: Value, wanted: Value) -> bool {
    match (value, wanted) {
        (Value::Number(value), Value::Number(wanted)) => relation.holds(value, wanted),
        _ if value.sort() != wanted.sort() => false,
        _ => match relation {
            Relation::Is => value == wanted,
            Relation::IsNot => value != wanted,
            _ => false,
        },
    }
}

/// How far a fact's position is from here; `None` without a position, or if that is no number.
fn distance(fact: FactRef<'_>, here: Position) -> Option<f32> {
    between(fact.position(Attribute::Position)?, here)
}

/// How far two places are apart; `None` if that is no number.
pub(super) fn between(there: Position, here: Position) -> Option<f32> {
    // In doubles, so that far corners of the world do not overflow.
    let square = here.iter().zip(&there).map(|(&a, &b)| (f64::from(a) - f64::from(b)).powi(2));
    Some(square.sum::<f64>().sqrt() as f32).filter(|far| !far.is_nan())
}

/// The facts that a pattern asks about: one loop for each source, not a chain of all.
#[derive(Clone)]
pub(crate) enum Asked<'s> {
    Kind(FactsOfKind<'s>),
    About(FactsAbout<'s>),
    It(Option<FactRef<'s>>),
    Picked { slots: Range<u16>, picks: &'s Picks, memory: &'s Memory },
}

impl<'s> Iterator for Asked<'s> {
    type Item = FactRef<'s>;

    #[inline]
    fn next(&mut self) -> Option<FactRef<'s>> {
        match self {
            Asked::Kind(facts) => facts.next(),
            Asked::About(facts) => facts.next(),
            Asked::It(fact) => fact.take(),
            Asked::Picked { slots, picks, memory } => {
                slots.find_map(|slot| memory.get(picks.get(slot.into())?.fact))
            }
        }
    }
}

impl Pattern {
    /// All facts that match, by slot. `wake` is complete for what was taken from it.
    pub fn each<'s, 'w>(
        &'w self,
        situation: &Situation<'s>,
        wake: &'w mut Tick,
    ) -> impl Iterator<Item = FactRef<'s>> + use<'s, 'w> {
        let situation = *situation;
        self.facts(&situation).filter(move |&fact| self.matches(fact, &situation, wake))
    }

    /// The facts that it asks about, whether or not they pass.
    #[inline]
    pub(crate) fn facts<'s>(&self, situation: &Situation<'s>) -> Asked<'s> {
        let &Situation { memory, shared, picks, it, .. } = situation;
        match self.source {
            Source::Own(kind) => self.facts_of(kind, memory, situation),
            Source::Shared(kind) => self.facts_of(kind, shared, situation),
            Source::It => Asked::It(it.fact.and_then(|fact| memory.get(fact))),
            Source::Slots(first, n) => {
                Asked::Picked { slots: first..first.saturating_add(n), picks, memory }
            }
        }
    }

    /// The facts of a kind; where it asks for one `object` or `node`, those about that.
    #[inline]
    fn facts_of<'s>(&self, kind: Word, memory: &'s Memory, situation: &Situation<'s>) -> Asked<'s> {
        let subject = self.tests.iter().find_map(|test| match *test {
            AttributeTest::Is(attribute, Relation::Is, what) => {
                Subject::new(attribute, what.value(attribute, situation)?)
            }
            AttributeTest::Value(attribute, Relation::Is, value) => Subject::new(attribute, value),
            _ => None,
        });
        match subject {
            Some(subject) => Asked::About(memory.of_subject(kind, subject)),
            None => Asked::Kind(memory.of_kind(kind)),
        }
    }

    /// Whether a fact of the mind's own is of the kind that it asks about.
    pub(crate) fn is_about(&self, fact: FactRef<'_>) -> bool {
        self.source == Source::Own(fact.kind())
    }

    /// Whether a fact passes all tests.
    pub(crate) fn matches(
        &self,
        fact: FactRef<'_>,
        situation: &Situation<'_>,
        wake: &mut Tick,
    ) -> bool {
        let mut has_age = false;
        for test in &self.tests {
            has_age |= matches!(test, AttributeTest::Age(..));
            if !test.passes(fact, situation) {
                return false;
            }
        }
        // Age last: only a fact that passes all else can change the answer by growing older.
        !has_age || self.tests.iter().all(|test| test.age_passes(fact, situation.now, wake))
    }

    /// The first that matches, by slot.
    pub fn first<'s>(&self, situation: &Situation<'s>, wake: &mut Tick) -> Option<FactRef<'s>> {
        self.facts(situation).find(|&fact| self.matches(fact, situation, wake))
    }

    /// How many match.
    pub fn count(&self, situation: &Situation<'_>, wake: &mut Tick) -> usize {
        self.each(situation, wake).count()
    }

    /// Whether the age of the youngest that matches compares so with seconds: like a number of that
    /// size, but good until it comes near.
    fn age_compares(
        &self,
        relation: Relation,
        wanted: f32,
        situation: &Situation<'_>,
        wake: &mut Tick,
    ) -> bool {
        let Some(youngest) = self.youngest(situation, wake) else { return false };
        let Situation { now, pace, .. } = *situation;
        let ticks = f64::from(wanted) * f64::from(pace.ticks_per_second.max(1));
        // Wider than what rounding can move it; a cast saturates, and no number is zero.
        let near = 2.0 + ticks.abs() * 1e-6;
        let [from, until] = [ticks - near, ticks + near].map(|it| after(youngest, it as Tick));
        if now <= until {
            *wake = from.max(after(now, 1)).min(*wake);
        }
        relation.holds(pace.seconds(now.saturating_sub(youngest)) as f32, wanted)
    }

    /// When the youngest that matches was last updated.
    fn youngest(&self, situation: &Situation<'_>, wake: &mut Tick) -> Option<Tick> {
        self.each(situation, wake).map(FactRef::updated).max()
    }

    /// Of those that match and have the attribute the one where it is surest; of equals the one in
    /// the lowest slot, so that confirming one of two changes nothing.
    pub fn surest<'s>(
        &self,
        attribute: Attribute,
        situation: &Situation<'s>,
        wake: &mut Tick,
    ) -> Option<FactRef<'s>> {
        let all = self.facts(situation).filter(|fact| fact.has(attribute));
        let matching = all.filter(|&fact| self.matches(fact, situation, wake));
        let sure = |fact: FactRef<'_>| fact.sure(attribute);
        matching.reduce(|best, next| if sure(next) > sure(best) { next } else { best })
    }
}

impl Situation<'_> {
    /// How far a place is; beyond all if that is no number.
    pub(crate) fn distance(&self, there: Position) -> f32 {
        between(there, self.here).unwrap_or(f32::INFINITY)
    }

    /// The value of a variable, by position among the domain's.
    fn value(&self, variable: u32) -> PackedValue {
        self.values.get(variable as usize).copied().unwrap_or(UNKNOWN)
    }
}

impl Condition {
    /// Whether it holds.
    pub fn holds(&self, situation: &Situation<'_>, wake: &mut Tick) -> bool {
        match self {
            Condition::Exists(pattern) => pattern.first(situation, wake).is_some(),
            Condition::Count(pattern, relation, wanted) => {
                relation.holds(pattern.count(situation, wake) as u64, u64::from(*wanted))
            }
            Condition::Variable(variable, relation, wanted) => {
                let value = situation.value(*variable);
                value != UNKNOWN && relation.holds(value, *wanted)
            }
            Condition::Amounts(one, relation, other, offset) => {
                let [one, other] = [*one, *other].map(|it| situation.value(it));
                let is_known = one != UNKNOWN && other != UNKNOWN;
                is_known && relation.holds(i64::from(one), i64::from(other) + offset)
            }
            Condition::Number(measure, relation, wanted) => {
                if let Measure::Of(Aspect::Age, pattern) = &**measure {
                    return pattern.age_compares(*relation, *wanted, situation, wake);
                }
                let number = measure.value(situation, wake);
                number.is_some_and(|number| relation.holds(number, *wanted))
            }
            Condition::Not(inner) => !inner.holds(situation, wake),
            Condition::All(list) => list.iter().all(|condition| condition.holds(situation, wake)),
            Condition::Any(list) => list.iter().any(|condition| condition.holds(situation, wake)),
        }
    }
}

impl Measure {
    /// The number; `None` if there is nothing to take it from, or it is none.
    pub fn value(&self, situation: &Situation<'_>, wake: &mut Tick) -> Option<f32> {
        let number = match self {
            Measure::Number(number) => Some(*number),
            Measure::If(condition) => Some(f32::from(u8::from(condition.holds(situation, wake)))),
            Measure::Of(aspect, pattern) => aspect.value(pattern, situation, wake),
            Measure::Else(list) => list.iter().find_map(|one| one.value(situation, wake)),
        };
        number.filter(|number| !number.is_nan())
    }
}

impl Aspect {
    fn value(self, pattern: &Pattern, situation: &Situation<'_>, wake: &mut Tick) -> Option<f32> {
        match self {
            Aspect::Sure(attribute) => {
                pattern.surest(attribute, situation, wake).map(|fact| fact.sure(attribute))
            }
            Aspect::Amount(attribute) => {
                pattern.surest(attribute, situation, wake)?.number(attribute)
            }
            Aspect::Distance => {
                let all = pattern.each(situation, wake);
                all.filter_map(|fact| distance(fact, situation.here)).reduce(f32::min)
            }
            Aspect::Age => {
                let youngest = pattern.youngest(situation, wake)?;
                *wake = after(situation.now, 1).min(*wake);
                let age = situation.now.saturating_sub(youngest);
                Some(situation.pace.seconds(age) as f32)
            }
            Aspect::From(what) => {
                let all = pattern.each(situation, wake);
                let places = all.filter_map(|fact| fact.position(Attribute::Position));
                places.filter_map(|there| what.distance(there, situation)).reduce(f32::min)
            }
            Aspect::Count => Some(pattern.count(situation, wake) as f32),
        }
    }
}

impl Term {
    /// The number through the curve; without one, brought into 0 to 1. 0 if there is nothing to
    /// measure.
    pub fn value(&self, situation: &Situation<'_>, wake: &mut Tick) -> f32 {
        let number = self.number(situation, wake).unwrap_or(0.0);
        if self.curve.is_empty() { number.clamp(0.0, 1.0) } else { number }
    }

    /// The number through the curve, if there is one; `None` if there is nothing to measure.
    pub fn number(&self, situation: &Situation<'_>, wake: &mut Tick) -> Option<f32> {
        let number = self.measure.value(situation, wake)?;
        Some(if self.curve.is_empty() { number } else { on_curve(&self.curve, number) })
    }
}

/// The height of a curve at `x`: straight between its points, flat outside.
fn on_curve(points: &[(f32, f32)], x: f32) -> f32 {
    let next = points.iter().position(|point| x < point.0).unwrap_or(points.len());
    let height = match (next.checked_sub(1).and_then(|at| points.get(at)), points.get(next)) {
        (Some(&(left, low)), Some(&(right, high))) => {
            low + (high - low) * ((x - left) / (right - left))
        }
        (Some(&(_, y)), None) | (None, Some(&(_, y))) => y,
        (None, None) => 0.0,
    };
    // Only of points that are no numbers themselves.
    if height.is_nan() { 0.0 } else { height }
}
