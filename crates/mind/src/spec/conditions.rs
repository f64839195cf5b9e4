//! Conditions and patterns, as files write them.
//!
//! In:   the words of a note, from where one of them begins.
//! Out:  the same in numbers; where it ends is where no `and` or `or` follows.
//! Cost: one pass.
//!
//! How conditions are joined is the grammar of [`throng_domain::conditions`].

use super::asked::AskedPattern;
use super::parts::{number, whole};
use super::read::{Read, Reading};
use crate::condition::{AttributeTest, Condition, Pattern, Relation};
use crate::fact::{Attribute, Sort, Value};
use throng_domain::compile::PackedValue as StateValue;
use throng_domain::conditions::{Joint, Nesting, ReadConditions, alternatives};
use throng_domain::model::VariableId;
use throng_domain::names::as_integer;
use throng_domain::notes::{NoteReader, NoteWord, WordKind};
use throng_domain::{Code, Report, Span};

/// No number in a note is larger, so that sums of a few stay exact enough.
pub(super) const LARGEST: f64 = 1e9;
/// Words that join conditions and cannot be kinds of facts.
const RESERVED: [&str; 5] = ["and", "or", "not", "shared", "count"];

/// Where a condition stands, as far as that matters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// In a symbol: variables have no values yet.
    Symbol,
    /// In a price, where `it` is the first parameter of the action; not all actions have one.
    Price { has_it: bool },
    /// Anywhere else.
    Elsewhere,
}

fn relation(r: &mut NoteReader<'_, '_>) -> Read<Relation> {
    r.take_relation().ok_or_else(|| r.expected("a comparison, as `<` or `>=`"))
}

fn is_name(word: &NoteWord) -> bool {
    word.kind == WordKind::Name
}

/// The conditions of a note: its reader, and what its names are.
struct Conditions<'c, 'm, 'n, 'r> {
    reading: &'c mut Reading<'m>,
    r: &'c mut NoteReader<'n, 'r>,
    scope: Scope,
}

impl ReadConditions for Conditions<'_, '_, '_, '_> {
    type Formula = Condition;

    fn take_joint(&mut self, joint: Joint) -> bool {
        self.r.take_word(if joint == Joint::Any { "or" } else { "and" })
    }

    fn nesting(&self) -> Option<Nesting> {
        let group = self.r.sees_sign(WordKind::Open).then_some(Nesting::Group);
        if self.r.sees("not") { Some(Nesting::Not) } else { group }
    }

    fn open(&mut self) {
        self.r.next();
    }

    fn leaf(&mut self) -> Read<Condition> {
        self.reading.one_condition(self.r, self.scope)
    }

    fn group(&mut self, depth: usize) -> Read<Condition> {
        let inner = alternatives(self, depth)?;
        match self.r.take_sign(WordKind::Close) {
            true => Ok(inner),
            false => Err(self.r.expected("`)`, `and` or `or`")),
        }
    }

    fn joined(joint: Joint, list: Vec<Condition>) -> Condition {
        if joint == Joint::Any { Condition::Any(list) } else { Condition::All(list) }
    }

    fn negated(inner: Condition) -> Condition {
        Condition::Not(Box::new(inner))
    }

    fn report(&mut self) -> (&mut Report, Span) {
        let place = self.r.place();
        (self.r.report, place)
    }
}

impl Reading<'_> {
    pub(super) fn condition(
        &mut self,
        r: &mut NoteReader<'_, '_>,
        scope: Scope,
    ) -> Read<Condition> {
        alternatives(&mut Conditions { reading: self, r, scope }, 0)
    }

    fn one_condition(&mut self, r: &mut NoteReader<'_, '_>, scope: Scope) -> Read<Condition> {
        let compares = r.peek_second().is_some_and(|word| word.kind.relation().is_some());
        if compares && r.peek().is_some_and(is_name) {
            return self.variable(r, scope);
        }
        if r.take_word("count") {
            let pattern = self.pattern(r, scope)?;
            let relation = relation(r)?;
            let count = whole(r, "a whole number, as in `count character > 2`", 0, u32::MAX)?;
            return Ok(Condition::Count(pattern, relation, count));
        }
        Ok(Condition::Exists(self.pattern(r, scope)?))
    }

    /// `VARIABLE REL VALUE`.
    fn variable(&mut self, r: &mut NoteReader<'_, '_>, scope: Scope) -> Read<Condition> {
        let name = r.name("a variable")?;
        let relation = relation(r)?;
        let value = r.value("a value of the variable")?;
        // Told, and read as something that always holds.
        let nothing = Ok(Condition::All(Vec::new()));
        if scope == Scope::Symbol {
            let text = format!("`{}` is compared in a symbol", name.text);
            let cure = "ask for facts here: a symbol says what a variable is, and no variable is \
                        known before all symbols are";
            r.report.say(Code::NoteSense, name.span.to(value.span), text, cure);
            return nothing;
        }
        let Some(variable) = self.names.variable(&name.text) else {
            let _ = r.unknown("variable", &name.text, name.span, self.names.variables());
            return nothing;
        };
        let position = variable.index() as u32;
        if let Some(other) = self.compared_amount(variable, value) {
            let low = |id| self.names.map.amount(id).map_or(0, |ends: (i64, i64)| ends.0);
            let offset = low(other).saturating_sub(low(variable));
            return Ok(Condition::Amounts(position, relation, other.index() as u32, offset));
        }
        if self.names.map.amount(variable).is_some() {
            let at = self.value_of(r, variable, value);
            return at.map_or(nothing, |at| Ok(Condition::Variable(position, relation, at)));
        }
        let values = self.names.map.values(variable);
        if relation.is_by_size() && values.iter().any(|value| as_integer(value).is_none()) {
            let text = format!("the values of `{}` are words, which have no size", name.text);
            let cure = "compare words by `=` or `!=`";
            r.report.say(Code::NoteSense, name.span.to(value.span), text, cure);
            return nothing;
        }
        let Some(at) = self.value_of(r, variable, value) else { return nothing };
        let numbers = || values.iter().map(|value| as_integer(value));
        if !relation.is_by_size() || numbers().is_sorted() {
            return Ok(Condition::Variable(position, relation, at));
        }
        // Numbers in no order: the values that compare so, one by one.
        if !self.spend(values.len(), value.span, r.report) {
            return nothing;
        }
        let wanted = as_integer(&values[usize::from(at)]);
        let fits = numbers().zip(0..).filter(|&(number, _)| relation.holds(number, wanted));
        let one = |(_, at)| Condition::Variable(position, Relation::Is, at);
        Ok(Condition::Any(fits.map(one).collect()))
    }

    /// The amount that another is compared with, if that is what a word means.
    fn compared_amount(&self, variable: VariableId, word: &NoteWord) -> Option<VariableId> {
        let is_amount = |id: &VariableId| self.names.map.amount(*id).is_some();
        let other = self.names.variable(&word.text).filter(is_amount)?;
        is_amount(&variable).then_some(other)
    }

    /// The position of a value; `None`, with a report, if the variable does not have it.
    pub(super) fn value_of(
        &mut self,
        r: &mut NoteReader<'_, '_>,
        variable: VariableId,
        word: &NoteWord,
    ) -> Option<StateValue> {
        let value = self.names.map.find_value(variable, &word.text);
        let at = value.and_then(|value| value.index().try_into().ok());
        if let (None, Some((low, high))) = (at, self.names.map.amount(variable)) {
            let name = self.names.map.variable(variable);
            let text = format!("`{}` is no number of `{name}`, which is {low}..{high}", word.text);
            let cure = format!("write a whole number from {low} to {high}");
            r.report.say(Code::NoteNumber, word.span, text, cure);
        } else if at.is_none() {
            let values = self.names.map.values(variable).iter().map(String::as_str);
            let _ = r.unknown("value", &word.text, word.span, values);
        }
        at
    }

    /// `[shared] KIND [(TEST, …)]`.
    pub(super) fn pattern(&mut self, r: &mut NoteReader<'_, '_>, scope: Scope) -> Read<Pattern> {
        let shared = r.take_word("shared");
        let what = "a kind of facts, as in `character(stimulus = seen)`";
        let is_kind = r.peek().is_some_and(|w| is_name(w) && !RESERVED.contains(&w.text.as_str()));
        if !is_kind {
            return Err(r.expected(what));
        }
        let word = r.name(what)?;
        let kind = self.spec.words.intern(&word.text);
        let mut tests = Vec::new();
        if r.take_sign(WordKind::Open) {
            loop {
                tests.extend(self.test(r, scope)?);
                if r.take_sign(WordKind::Close) {
                    break;
                }
                if !r.take_sign(WordKind::Comma) {
                    return Err(r.expected("`,` or `)`"));
                }
            }
        }
        let asks = std::mem::take(&mut self.asks);
        self.asked.push(AskedPattern { note: self.note, shared, kind: word.clone(), tests: asks });
        Ok(Pattern { shared, kind, tests })
    }

    /// One test; `None`, with a report, if it makes no sense.
    fn test(&mut self, r: &mut NoteReader<'_, '_>, scope: Scope) -> Read<Option<AttributeTest>> {
        if r.take_word("age") {
            self.spec.asks_age = true;
            let relation = relation(r)?;
            let age = self.seconds(r, "seconds, as in `age < 5`")?;
            return Ok(Some(AttributeTest::Age(relation, age)));
        }
        if r.take_word("distance") {
            self.spec.asks_distance = true;
            let relation = relation(r)?;
            let far = number(r, "a number, as in `distance < 6`", 0.0, LARGEST)?;
            return Ok(Some(AttributeTest::Distance(relation, far as f32)));
        }
        let sure = r.take_word("sure");
        let word = r.name("an attribute, `sure`, `age` or `distance`")?;
        let attribute = attribute(r, word, &["sure", "age", "distance"]);
        if sure {
            self.asks(word, None);
            let relation = relation(r)?;
            let number = number(r, "a number from 0 to 1, as in `sure stimulus > 0.5`", 0.0, 1.0)?;
            return Ok(attribute.map(|at| AttributeTest::Sure(at, relation, number as f32)));
        }
        let Some(relation) = r.take_relation() else {
            self.asks(word, None);
            return Ok(attribute.map(AttributeTest::Has));
        };
        let value = r.value("a word or a number")?;
        self.asks(word, Some((relation, value)));
        let Some(attribute) = attribute else { return Ok(None) };
        Ok(self.comparison(r, scope, (attribute, word), relation, value))
    }

    /// `ATTRIBUTE REL VALUE`; `None`, with a report, if these do not go together.
    fn comparison(
        &mut self,
        r: &mut NoteReader<'_, '_>,
        scope: Scope,
        (attribute, word): (Attribute, &NoteWord),
        relation: Relation,
        value: &NoteWord,
    ) -> Option<AttributeTest> {
        let name = attribute.name();
        let (text, cure) = match attribute.sort() {
            Sort::Number if value.kind.is_number() => {
                let number = value.text.parse::<f64>().unwrap_or(f64::NAN);
                if number.abs() <= LARGEST {
                    let number = Value::Number(number as f32);
                    return Some(AttributeTest::Value(attribute, relation, number));
                }
                let text = format!("`{}` is out of range", value.text);
                let cure = format!("write a number from {} to {LARGEST}", -LARGEST);
                r.report.say(Code::NoteNumber, value.span, text, cure);
                return None;
            }
            Sort::Number => (
                format!("`{name}` is a number and `{}` a word", value.text),
                format!("compare it with a number, as in `{name} > 2`"),
            ),
            Sort::Position => (
                format!("`{name}` is a place and cannot be compared"),
                "ask for `distance`, or only whether it is there".to_string(),
            ),
            Sort::Entity => (
                format!("`{name}` is a thing of the game, which has no name in files"),
                "ask only whether it is there, or for a word such as `node`".to_string(),
            ),
            Sort::Word if relation.is_by_size() => (
                format!("`{name}` is a word, and words have no size"),
                format!("compare it by `=` or `!=`, or ask for `sure {name}`"),
            ),
            Sort::Word if value.text == "it" => {
                return self.it(r, scope, attribute, relation, value);
            }
            Sort::Word => {
                let value = Value::Word(self.spec.words.intern(&value.text));
                return Some(AttributeTest::Value(attribute, relation, value));
            }
        };
        r.report.say(Code::NoteSense, word.span.to(value.span), text, cure);
        None
    }

    fn it(
        &mut self,
        r: &mut NoteReader<'_, '_>,
        scope: Scope,
        attribute: Attribute,
        relation: Relation,
        value: &NoteWord,
    ) -> Option<AttributeTest> {
        let (text, cure) = match scope {
            Scope::Price { has_it: true } if relation == Relation::Is => {
                return Some(AttributeTest::It(attribute));
            }
            Scope::Price { has_it: true } => (
                "only `= it` can be asked",
                "ask for the facts that are about it, with `not` around the pattern if need be",
            ),
            Scope::Price { has_it: false } => (
                "`it` is the first parameter of the action, and the action has none",
                "price an action such as `go(pipe)`, or name what is meant",
            ),
            Scope::Symbol | Scope::Elsewhere => (
                "`it` is the action that is priced, and nothing is priced here",
                "name what is meant, or ask in a `price`",
            ),
        };
        r.report.say(Code::NoteSense, value.span, text, cure);
        None
    }
}

/// The attribute that a word names; `None`, with a report, if it names none. `besides` are words
/// that would do as well.
pub(super) fn attribute(
    r: &mut NoteReader<'_, '_>,
    word: &NoteWord,
    besides: &[&'static str],
) -> Option<Attribute> {
    let attribute = Attribute::named(&word.text);
    if attribute.is_none() {
        let known = Attribute::ALL.iter().map(|attribute| attribute.name());
        let known = known.chain(besides.iter().copied());
        let _ = r.unknown("attribute", &word.text, word.span, known);
    }
    attribute
}
