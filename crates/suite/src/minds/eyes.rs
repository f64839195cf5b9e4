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
use throng_mind::condition::{Aspect, AttributeTest, Condition, Measure, Pattern, Relation, Term};
use throng_mind::fact::{Attribute, Position, Value};
use throng_mind::memory::{FactRef, Memory};
use throng_mind::spec::{PriceSpec, Spec, SymbolRule, SymbolSpec};
use throng_mind::time::Tick;
use throng_mind::words::Word;

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
        Eyes { spec, memory: mind.memory(), shared, values, here: mind.here(), now }
    }

    fn distance(&self, fact: FactRef<'_>) -> Option<f32> {
        let [x, y, z] = fact.position(Attribute::Position)?;
        let [a, b, c] = self.here;
        let d = [x - a, y - b, z - c].map(f64::from);
        Some((d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt() as f32)
    }

    fn passes(&self, test: &AttributeTest, fact: FactRef<'_>, it: Word) -> bool {
        match *test {
            AttributeTest::Has(attribute) => fact.get(attribute).is_some(),
            AttributeTest::It(attribute) => fact.word(attribute) == Some(it),
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

    fn matching(&self, pattern: &Pattern, it: Word) -> Vec<FactRef<'s>> {
        let memory = if pattern.shared { self.shared } else { self.memory };
        let fits = |fact: &FactRef<'s>| {
            fact.kind() == pattern.kind && pattern.tests.iter().all(|t| self.passes(t, *fact, it))
        };
        memory.iter().filter(fits).collect()
    }

    /// Of those that match the one where the attribute is surest, then youngest, then first.
    fn surest(&self, pattern: &Pattern, attribute: Attribute, it: Word) -> Option<FactRef<'s>> {
        let known = self.matching(pattern, it).into_iter();
        let known = known.filter(|fact| fact.get(attribute).is_some());
        // By slot, so of equals the first stays.
        known.reduce(
            |best, fact| if fact.sure(attribute) > best.sure(attribute) { fact } else { best },
        )
    }

    /// Whether a condition holds.
    pub fn holds(&self, condition: &Condition, it: Word) -> bool {
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
            Condition::Not(inner) => !self.holds(inner, it),
            Condition::All(all) => all.iter().all(|condition| self.holds(condition, it)),
            Condition::Any(any) => any.iter().any(|condition| self.holds(condition, it)),
        }
    }

    fn measure(&self, measure: &Measure, it: Word) -> Option<f32> {
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
            Measure::Of(Aspect::Count, pattern) => Some(self.matching(pattern, it).len() as f32),
        }
    }

    fn term(&self, term: &Term) -> f64 {
        let Some(x) = self.measure(&term.measure, Word::NONE).map(f64::from) else { return 0.0 };
        let points: Vec<(f64, f64)> =
            term.curve.iter().map(|&(x, y)| (f64::from(x), f64::from(y))).collect();
        let (Some(first), Some(last)) = (points.first(), points.last()) else {
            return x.clamp(0.0, 1.0);
        };
        if x <= first.0 {
            return first.1;
        }
        for pair in points.windows(2) {
            let [(left, low), (right, high)] = [pair[0], pair[1]];
            if x <= right {
                return low + (high - low) * (x - left) / (right - left);
            }
        }
        last.1
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
                    let holds = condition.as_ref().is_none_or(|c| self.holds(c, Word::NONE));
                    holds.then_some(*value)
                }
                SymbolRule::Number(measure, range) => {
                    let number = self.measure(measure, Word::NONE).filter(|it| !it.is_nan());
                    number.map(|number| {
                        let number = f64::from(number).floor().max(range.low as f64);
                        (number.min(range.high as f64) as i64 - range.low) as StateValue
                    })
                }
                SymbolRule::Named(attribute, pattern) => {
                    let fact = self.surest(pattern, *attribute, Word::NONE);
                    let word = fact.and_then(|fact| fact.word(*attribute));
                    let called = |word| symbol.value_words.iter().position(|w| *w == word);
                    word.and_then(called).map(|at| at as StateValue)
                }
            };
            if let Some(value) = value {
                return value;
            }
        }
        UNKNOWN
    }

    /// What an action costs by a price, in thousandths.
    pub fn price(&self, price: &PriceSpec, it: Word) -> Option<u64> {
        let cost = price.rules.iter().find_map(|(measure, condition)| {
            let asked = condition.as_ref().is_none_or(|condition| self.holds(condition, it));
            let cost = if asked { self.measure(measure, it) } else { None };
            cost.filter(|cost| *cost > 0.0)
        })?;
        Some(((f64::from(cost) * 1000.0).round() as u64).max(1))
    }
}
