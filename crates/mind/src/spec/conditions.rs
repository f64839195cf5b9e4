//! Conditions and patterns, as files write them.
//!
//! In:   the words of a note, from where one of them begins.
//! Out:  the same in numbers; where it ends is where no `and` or `or` follows.
//! Cost: one pass.
//!
//! How conditions are joined is the grammar of [`throng_domain::conditions`].

use super::parts::{number, whole};
use super::read::{Read, Reading};
use super::references::NOWHERE;
use crate::condition::{AttributeTest, Condition, Pattern, Ref, Relation, Source};
use crate::fact::Attribute;
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    /// In a symbol: variables have no values yet.
    Symbol,
    /// In a price, where `it` is the first parameter of the action; not all actions have one.
    Price { has_it: bool },
    /// In a selection, where `it` is the candidate.
    Candidate,
    /// Anywhere else.
    Elsewhere,
}

pub(super) fn relation(r: &mut NoteReader<'_, '_>) -> Read<Relation> {
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
        if self.begins_number(r) {
            return self.compared_number(r, scope);
        }
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
            self.no_variable(r, scope, (name, relation, value));
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
        if !relation.is_by_size()
            && let Some(group) = self.names.map.group(variable, &value.text)
        {
            if !self.spend(group.len(), value.span, r.report) {
                return nothing;
            }
            // One of its values, or none of them.
            let each = group.map(|at| Condition::Variable(position, relation, at as StateValue));
            let join = if relation == Relation::Is { Condition::Any } else { Condition::All };
            return Ok(join(each.collect()));
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

    /// `NAME REL VALUE` where no variable is called so: told, with what was probably meant.
    fn no_variable(
        &mut self,
        r: &mut NoteReader<'_, '_>,
        scope: Scope,
        (name, relation, value): (&NoteWord, Relation, &NoteWord),
    ) {
        let (text, said) = (&name.text, format!("{} {}", relation.sign(), value.text));
        let is_aspect = matches!(text.as_str(), "distance" | "age");
        let (what, cure) = if self.slots_of(text).is_some() {
            let what = format!("`{text}` is what a `select` picks, and has no value");
            let attribute = if value.kind.is_number() { "amount" } else { "knowledge" };
            (what, format!("ask for an attribute of it, as in `{text}({attribute} {said})`"))
        } else if is_aspect || Attribute::named(text).is_some() {
            let what = format!("`{text}` of what?");
            let inside = format!("`character({text} {said})`");
            (
                what,
                match scope {
                    Scope::Candidate if is_aspect => format!("write `{text} of it {said}`"),
                    Scope::Candidate => format!("write `it({text} {said})`"),
                    _ => format!("ask for a kind of facts with it, as in {inside}"),
                },
            )
        } else {
            let _ = r.unknown("variable", text, name.span, self.names.variables());
            return;
        };
        r.report.say(Code::NoteSense, name.span.to(value.span), what, cure);
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
        if r.sees("it") {
            let word = r.name("`it`")?;
            let has_it = self.has_it(r, scope, word.span);
            let tests = self.tests(r, scope)?;
            // A candidate is of the kinds that its selection is of; who else `it` is differs.
            match self.selecting.filter(|_| scope == Scope::Candidate) {
                Some(select) => self.asks_for(word, false, Some(select)),
                None => self.asks.clear(),
            }
            return Ok(Pattern {
                source: if has_it { self.source_of_it() } else { NOWHERE },
                tests,
            });
        }
        let shared = r.take_word("shared");
        let what = "a kind of facts, as in `character(stimulus = seen)`";
        let is_kind = r.peek().is_some_and(|w| is_name(w) && !RESERVED.contains(&w.text.as_str()));
        if !is_kind {
            return Err(r.expected(what));
        }
        let word = r.name(what)?;
        if let Some(source) = self.slots_of(&word.text).filter(|_| !shared) {
            let tests = self.tests(r, scope)?;
            // What is picked is of the kinds that its selection is of.
            match self.select_of(source) {
                Some(select) => self.asks_for(word, false, Some(select)),
                None => self.asks.clear(),
            }
            return Ok(Pattern { source, tests });
        }
        let kind = self.spec.words.intern(&word.text);
        self.kind.clone_from(&word.text);
        let tests = self.tests(r, scope)?;
        self.asks_for(word, shared, None);
        let source = if shared { Source::Shared(kind) } else { Source::Own(kind) };
        Ok(Pattern { source, tests })
    }

    /// `[(TEST, …)]`.
    fn tests(&mut self, r: &mut NoteReader<'_, '_>, scope: Scope) -> Read<Vec<AttributeTest>> {
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
        Ok(tests)
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
        if r.take_word("within") {
            let far = number(r, "a number, as in `within 5 of it`", 0.0, LARGEST)?;
            let what =
                self.what_of(r, scope, "`of` and what it is near to, as in `within 5 of it`")?;
            self.spec.asks_distance |= what == Some(Ref::Me);
            return Ok(what.map(|what| AttributeTest::Within(far as f32, what)));
        }
        let sure = r.take_word("sure");
        let word = r.name("an attribute, `sure`, `age`, `distance` or `within`")?;
        let own = self.facts.named(&self.kind, &word.text);
        let attribute = own.or_else(|| attribute(r, word, &["sure", "age", "distance", "within"]));
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
        let Some(attribute) = attribute else {
            self.asks(word, Some((relation, value)));
            return Ok(None);
        };
        Ok(self.comparison(r, scope, (attribute, word), relation, value))
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
