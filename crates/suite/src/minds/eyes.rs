//! What the rules of a file say about a situation, computed plainly.
//!
//! In:   rules as the file's numbers, memory, values, a place, a moment.
//! Out:  yes or no, a number, a value.
//! Cost: a walk over all facts per pattern.
//!
//! The twin of `condition/evaluate.rs` in the crate of minds: nothing is remembered between two
//! questions, and nothing says when an answer may change.

use std::cmp::Ordering;
use throng_domain::compile::{PackedValue as StateValue, UNKNOWN};
use throng_domain::model::GoalId;
use throng_mind::Mind;
use throng_mind::condition::{
    Aspect, AttributeTest, Condition, It, Measure, Pattern, Ref, Relation, Source, Term,
};
use throng_mind::fact::{Attribute, EntityId, Position, Value};
use throng_mind::memory::{FactRef, Memory};
use throng_mind::select::{Key, Pick};
use throng_mind::spec::{PriceSpec, Spec, SymbolRule, SymbolSpec};
use throng_mind::time::Tick;

/// Where there is no `it`.
pub(super) const NOBODY: Ref = Ref::Slots(0, 0);

/// A situation.
#[derive(Clone, Copy)]
pub struct Eyes<'s> {
    /// The rules.
    pub spec: &'s Spec,
    /// The mind's facts.
    pub memory: &'s Memory,
    /// Everybody's.
    pub shared: &'s Memory,
    /// A value per variable.
    pub values: &'s [StateValue],
    /// Where the mind is.
    pub here: Position,
    /// When.
    pub now: Tick,
    /// Whose mind it is.
    pub me: EntityId,
    /// What is picked, by slot.
    pub picks: &'s [Pick],
}

fn compares(relation: Relation, order: Option<Ordering>) -> bool {
    match (relation, order) {
        (_, None) => false,
        (Relation::Is, Some(order)) => order.is_eq(),
        (Relation::IsNot, Some(order)) => order.is_ne(),
        (Relation::Less, Some(order)) => order.is_lt(),
        (Relation::AtMost, Some(order)) => order.is_le(),
        (Relation::More, Some(order)) => order.is_gt(),
        (Relation::AtLeast, Some(order)) => order.is_ge(),
    }
}

impl<'s> Eyes<'s> {
    /// What a mind sees after a tick.
    pub fn of(mind: &'s Mind, spec: &'s Spec, shared: &'s Memory, now: Tick) -> Self {
        let values = mind.state().values();
        let (me, picks) = (mind.me(), mind.picks().slots());
        Eyes { spec, memory: mind.memory(), shared, values, here: mind.here(), now, me, picks }
    }

    /// All that a reference refers to; `it` is what that stands for.
    fn referred(&self, what: Ref, it: Ref) -> Vec<It> {
        match what {
            Ref::It if it == Ref::It => Vec::new(),
            Ref::It => self.referred(it, Ref::It),
            Ref::Me => vec![It { key: Key::Entity(self.me), fact: None }],
            Ref::Word(word) => vec![It { key: Key::Word(word), fact: None }],
            Ref::Slots(first, n) => {
                let slots = self.picks.iter().skip(first.into()).take(n.into());
                let bound = slots.filter(|pick| pick.key != Key::None);
                bound.map(|pick| It { key: pick.key, fact: Some(pick.fact) }).collect()
            }
        }
    }

    fn is(&self, attribute: Attribute, value: Value, what: It) -> bool {
        let fact = what.fact.and_then(|fact| self.memory.get(fact));
        let name = fact.and_then(|fact| fact.word(Attribute::Node));
        match (value, what.key) {
            (Value::Entity(is), Key::Entity(wanted)) => is == wanted,
            (Value::Word(is), Key::Word(wanted)) => is == wanted,
            (Value::Word(is), _) => attribute == Attribute::Node && name == Some(is),
            (Value::Number(is), key) => Key::number(is) == key,
            _ => false,
        }
    }

    /// How far a fact is from what a reference refers to.
    fn distance_from(&self, fact: FactRef<'_>, what: Ref, it: Ref) -> Option<f32> {
        if what == Ref::Me {
            return self.distance(fact);
        }
        let facts = self.referred(what, it).into_iter().filter_map(|it| self.memory.get(it.fact?));
        let places = facts.filter_map(|fact| fact.position(Attribute::Position));
        let far = places.filter_map(|here| Eyes { here, ..*self }.distance(fact));
        far.min_by(f32::total_cmp)
    }

    fn distance(&self, fact: FactRef<'_>) -> Option<f32> {
        let [x, y, z] = fact.position(Attribute::Position)?;
        let [a, b, c] = self.here;
        let d = [x - a, y - b, z - c].map(f64::from);
        Some((d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt() as f32)
    }

    fn passes(&self, test: &AttributeTest, fact: FactRef<'_>, it: Ref) -> bool {
        match *test {
            AttributeTest::Has(attribute) => fact.get(attribute).is_some(),
            AttributeTest::Is(attribute, relation, what) => {
                fact.get(attribute).is_some_and(|(value, _)| {
                    let mut all = self.referred(what, it).into_iter();
                    all.any(|it| self.is(attribute, value, it)) == (relation == Relation::Is)
                })
            }
            AttributeTest::Within(limit, what) => {
                self.distance_from(fact, what, it).is_some_and(|far| far <= limit)
            }
            AttributeTest::Sure(attribute, relation, wanted) => {
                compares(relation, fact.sure(attribute).partial_cmp(&wanted))
            }
            AttributeTest::Age(relation, wanted) => {
                compares(relation, (self.now - fact.updated()).partial_cmp(&wanted))
            }
            AttributeTest::Distance(relation, wanted) => {
                compares(relation, self.distance(fact).and_then(|far| far.partial_cmp(&wanted)))
            }
            AttributeTest::Value(attribute, relation, wanted) => {
                match (fact.get(attribute), wanted) {
                    (Some((Value::Number(is), _)), Value::Number(wanted)) => {
                        compares(relation, is.partial_cmp(&wanted))
                    }
                    (Some((Value::Word(is), _)), Value::Word(wanted)) => match relation {
                        Relation::Is => is == wanted,
                        Relation::IsNot => is != wanted,
                        _ => false,
                    },
                    _ => false,
                }
            }
        }
    }

    /// Whether a fact is one that a selection picks from.
    pub(super) fn is_of(&self, patterns: &[Pattern], fact: FactRef<'_>) -> bool {
        let fits = |pattern: &Pattern| {
            let is_about = pattern.source == Source::Own(fact.kind());
            is_about && pattern.tests.iter().all(|test| self.passes(test, fact, NOBODY))
        };
        patterns.iter().any(fits)
    }

    fn matching(&self, pattern: &Pattern, it: Ref) -> Vec<FactRef<'s>> {
        let of_kind = |memory: &'s Memory, kind| -> Vec<FactRef<'s>> {
            memory.iter().filter(|fact| fact.kind() == kind).collect()
        };
        let of = |what| {
            let all = self.referred(what, it).into_iter();
            all.filter_map(|it| self.memory.get(it.fact?)).collect()
        };
        let all = match pattern.source {
            Source::Own(kind) => of_kind(self.memory, kind),
            Source::Shared(kind) => of_kind(self.shared, kind),
            Source::It => of(Ref::It),
            Source::Slots(first, n) => of(Ref::Slots(first, n)),
        };
        let fits = |fact: &FactRef<'s>| pattern.tests.iter().all(|t| self.passes(t, *fact, it));
        all.into_iter().filter(fits).collect()
    }

    /// Of those that match the one where the attribute is surest, then youngest, then first.
    fn surest(&self, pattern: &Pattern, attribute: Attribute, it: Ref) -> Option<FactRef<'s>> {
        let known = self.matching(pattern, it).into_iter();
        let known = known.filter(|fact| fact.get(attribute).is_some());
        // By slot, so of equals the first stays.
        known.reduce(
            |best, fact| if fact.sure(attribute) > best.sure(attribute) { fact } else { best },
        )
    }

    /// Whether a condition holds.
    pub fn holds(&self, condition: &Condition, it: Ref) -> bool {
        match condition {
            Condition::Exists(pattern) => !self.matching(pattern, it).is_empty(),
            Condition::Count(pattern, relation, wanted) => {
                let count = self.matching(pattern, it).len();
                compares(*relation, count.partial_cmp(&(*wanted as usize)))
            }
            Condition::Variable(variable, relation, wanted) => {
                let value = self.values[*variable as usize];
                value != UNKNOWN && compares(*relation, value.partial_cmp(wanted))
            }
            Condition::Amounts(variable, relation, other, offset) => {
                let [value, other] = [*variable, *other].map(|at| self.values[at as usize]);
                let order = i64::from(value).partial_cmp(&(i64::from(other) + offset));
                value != UNKNOWN && other != UNKNOWN && compares(*relation, order)
            }
            Condition::Number(measure, relation, wanted) => {
                let number = self.measure(measure, it);
                compares(*relation, number.and_then(|number| number.partial_cmp(wanted)))
            }
            Condition::Not(inner) => !self.holds(inner, it),
            Condition::All(all) => all.iter().all(|condition| self.holds(condition, it)),
            Condition::Any(any) => any.iter().any(|condition| self.holds(condition, it)),
        }
    }

    fn measure(&self, measure: &Measure, it: Ref) -> Option<f32> {
        match measure {
            Measure::Number(number) => Some(*number),
            Measure::If(condition) => Some(if self.holds(condition, it) { 1.0 } else { 0.0 }),
            Measure::Of(Aspect::Sure(attribute), pattern) => {
                self.surest(pattern, *attribute, it).map(|fact| fact.sure(*attribute))
            }
            Measure::Of(Aspect::Amount(attribute), pattern) => {
                self.surest(pattern, *attribute, it)?.number(*attribute)
            }
            Measure::Of(Aspect::Distance, pattern) => {
                let all = self.matching(pattern, it).into_iter();
                all.filter_map(|fact| self.distance(fact)).min_by(f32::total_cmp)
            }
            Measure::Of(Aspect::Age, pattern) => {
                let all = self.matching(pattern, it).into_iter();
                let age = all.map(|fact| self.now - fact.updated()).min()?;
                Some(self.spec.pace.seconds(age) as f32)
            }
            Measure::Of(Aspect::From(what), pattern) => {
                let all = self.matching(pattern, it).into_iter();
                let far = all.filter_map(|fact| self.distance_from(fact, *what, it));
                far.min_by(f32::total_cmp)
            }
            Measure::Else(list) => list.iter().find_map(|measure| self.measure(measure, it)),
            Measure::Of(Aspect::Count, pattern) => Some(self.matching(pattern, it).len() as f32),
        }
    }

    fn term(&self, term: &Term) -> f64 {
        let Some(number) = self.number(term, NOBODY) else { return 0.0 };
        if term.curve.is_empty() { number.clamp(0.0, 1.0) } else { number }
    }

    /// A number through its curve, if it has one.
    fn number(&self, term: &Term, it: Ref) -> Option<f64> {
        let x = f64::from(self.measure(&term.measure, it)?);
        let points: Vec<(f64, f64)> =
            term.curve.iter().map(|&(x, y)| (f64::from(x), f64::from(y))).collect();
        let (Some(first), Some(last)) = (points.first(), points.last()) else {
            return Some(x);
        };
        if x <= first.0 {
            return Some(first.1);
        }
        for pair in points.windows(2) {
            let [(left, low), (right, high)] = [pair[0], pair[1]];
            if x <= right {
                return Some(low + (high - low) * (x - left) / (right - left));
            }
        }
        Some(last.1)
    }

    /// How much a goal matters.
    pub fn relevance(&self, goal: GoalId) -> f64 {
        let terms = self.spec.goal(goal).relevance.iter();
        terms.map(|term| self.term(term)).product::<f64>().clamp(0.0, 1.0)
    }

    /// What a variable is, by its rules.
    pub fn symbol(&self, symbol: &SymbolSpec) -> StateValue {
        for rule in &symbol.rules {
            let value = match rule {
                SymbolRule::If(value, condition) => {
                    let holds = condition.as_ref().is_none_or(|c| self.holds(c, NOBODY));
                    holds.then_some(*value)
                }
                SymbolRule::Number(measure, range) => {
                    let number = self.measure(measure, NOBODY).filter(|it| !it.is_nan());
                    number.map(|number| {
                        let number = f64::from(number).floor().max(range.low as f64);
                        (number.min(range.high as f64) as i64 - range.low) as StateValue
                    })
                }
                SymbolRule::Named(attribute, pattern) => {
                    let fact = self.surest(pattern, *attribute, NOBODY);
                    let value = fact.and_then(|fact| fact.get(*attribute));
                    value.and_then(|(value, _)| {
                        let called = |at: &usize| match symbol.value_slots.get(*at) {
                            Some(&Some(slot)) => {
                                let held = self.referred(Ref::Slots(slot, 1), NOBODY);
                                held.into_iter().any(|it| self.is(Attribute::Node, value, it))
                            }
                            _ => value == Value::Word(symbol.value_words[*at]),
                        };
                        let at = (0..symbol.value_words.len()).find(called)?;
                        Some(at as StateValue)
                    })
                }
            };
            if let Some(value) = value {
                return value;
            }
        }
        UNKNOWN
    }

    /// What an action costs by a price, in thousandths.
    pub fn price(&self, price: &PriceSpec, it: Ref) -> Option<u64> {
        let cost = price.rules.iter().find_map(|(term, condition)| {
            let asked = condition.as_ref().is_none_or(|condition| self.holds(condition, it));
            let cost = if asked { self.number(term, it) } else { None };
            cost.filter(|cost| *cost > 0.0)
        })?;
        Some(((cost * 1000.0).round() as u64).max(1))
    }
}
