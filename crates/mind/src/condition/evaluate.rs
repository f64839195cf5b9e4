//! Answers: conditions, patterns and terms asked of a situation.
//!
//! In:   what the file asks, a [`Situation`], and `wake`, a moment.
//! Out:  the answer; `wake` is lowered to the first moment at which time alone may change it.
//! Cost: one pass over the facts of a kind per pattern; no allocation.
//!
//! Only what was looked at lowers `wake`: a fact that fails a test which time does not touch, and
//! a part of a condition that did not have to be asked, cannot change the answer by themselves.
//! Expiry is not counted: memory knows when its facts go. What is no number compares with
//! nothing.

use super::{Aspect, AttributeTest, Condition, Measure, Pattern, Relation, Situation, Term};
use crate::fact::{Attribute, Position, Value};
use crate::memory::FactRef;
use crate::time::{NEVER, Tick, after};
use throng_domain::compile::{PackedValue, UNKNOWN};

impl AttributeTest {
    /// Whether a fact passes. Age is not asked here: see [`AttributeTest::age_passes`].
    fn passes(&self, fact: FactRef<'_>, situation: &Situation<'_>) -> bool {
        match *self {
            AttributeTest::Has(attribute) => fact.get(attribute).is_some(),
            AttributeTest::Value(attribute, relation, wanted) => {
                fact.get(attribute).is_some_and(|(value, _)| compares(relation, value, wanted))
            }
            AttributeTest::It(attribute) => fact.word(attribute) == Some(situation.it),
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
    let there = fact.position(Attribute::Position)?;
    // In doubles, so that far corners of the world do not overflow.
    let square = here.iter().zip(&there).map(|(&a, &b)| (f64::from(a) - f64::from(b)).powi(2));
    Some(square.sum::<f64>().sqrt() as f32).filter(|far| !far.is_nan())
}

impl Pattern {
    /// All facts that match, by slot. `wake` is complete for what was taken from it.
    pub fn each<'s, 'w>(
        &'w self,
        situation: &Situation<'s>,
        wake: &'w mut Tick,
    ) -> impl Iterator<Item = FactRef<'s>> + use<'s, 'w> {
        let situation = *situation;
        self.kin(&situation).filter(move |&fact| self.matches(fact, &situation, wake))
    }

    /// The facts of its kind, in the memory that it asks.
    fn kin<'s>(&self, situation: &Situation<'s>) -> impl Iterator<Item = FactRef<'s>> + use<'s> {
        let memory = if self.shared { situation.shared } else { situation.memory };
        memory.of_kind(self.kind)
    }

    fn matches(&self, fact: FactRef<'_>, situation: &Situation<'_>, wake: &mut Tick) -> bool {
        // Age last: only a fact that passes all else can change the answer by growing older.
        self.tests.iter().all(|test| test.passes(fact, situation))
            && self.tests.iter().all(|test| test.age_passes(fact, situation.now, wake))
    }

    /// The first that matches, by slot.
    pub fn first<'s>(&self, situation: &Situation<'s>, wake: &mut Tick) -> Option<FactRef<'s>> {
        self.kin(situation).find(|&fact| self.matches(fact, situation, wake))
    }

    /// How many match.
    pub fn count(&self, situation: &Situation<'_>, wake: &mut Tick) -> usize {
        self.each(situation, wake).count()
    }

    /// Of those that match and have the attribute the one where it is surest; of equals the one in
    /// the lowest slot, so that confirming one of two changes nothing.
    pub fn surest<'s>(
        &self,
        attribute: Attribute,
        situation: &Situation<'s>,
        wake: &mut Tick,
    ) -> Option<FactRef<'s>> {
        let all = self.kin(situation).filter(|fact| fact.get(attribute).is_some());
        let matching = all.filter(|&fact| self.matches(fact, situation, wake));
        let sure = |fact: FactRef<'_>| fact.sure(attribute);
        matching.reduce(|best, next| if sure(next) > sure(best) { next } else { best })
    }
}

impl Situation<'_> {
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
                let youngest = pattern.each(situation, wake).map(FactRef::updated).max()?;
                *wake = after(situation.now, 1).min(*wake);
                let age = situation.now.saturating_sub(youngest);
                Some(situation.pace.seconds(age) as f32)
            }
            Aspect::Count => Some(pattern.count(situation, wake) as f32),
        }
    }
}

impl Term {
    /// The number through the curve; without one, brought into 0 to 1. 0 if there is nothing to
    /// measure.
    pub fn value(&self, situation: &Situation<'_>, wake: &mut Tick) -> f32 {
        match self.measure.value(situation, wake) {
            Some(number) if self.curve.is_empty() => number.clamp(0.0, 1.0),
            Some(number) => on_curve(&self.curve, number),
            None => 0.0,
        }
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
