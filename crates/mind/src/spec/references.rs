//! References in patterns and terms, as files write them: `it`, `me`, slots, parameters.
//!
//! In:   the words of a note where something may be compared with one of them.
//! Out:  the comparison, or what is wrong with it.
//! Cost: a look-up by name.

use super::conditions::{LARGEST, Scope, relation};
use super::parts::number;
use super::read::{Read, Reading};
use crate::condition::{Aspect, AttributeTest, Condition, Measure, Pattern, Ref, Relation, Source};
use crate::fact::{Attribute, Sort, Value};
use throng_domain::Code;
use throng_domain::model::SelectId;
use throng_domain::notes::{NoteReader, NoteWord, WordKind};
use throng_domain::source::Span;

/// Where nothing is: what was wrong has been told.
pub(super) const NOWHERE: Source = Source::Slots(0, 0);

/// What a parameter of a template stands for in one of its instances.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub(super) name: String,
    pub(super) what: Ref,
}

/// Attributes that can be compared with slots by name; elsewhere such a word is a word.
fn takes_slots(attribute: Attribute) -> bool {
    use Attribute::{Link, Node, Object, Source};
    matches!(attribute, Object | Source | Link | Node)
}

impl Reading<'_> {
    /// The slots of a name: of a selection, of one slot, of a parameter that is one.
    pub(super) fn slots_of(&self, name: &str) -> Option<Source> {
        match self.referred(name)? {
            Ref::Slots(first, n) => Some(Source::Slots(first, n)),
            _ => None,
        }
    }

    /// The selection that slots are of.
    pub(super) fn select_of(&self, slots: Source) -> Option<SelectId> {
        let Source::Slots(first, _) = slots else { return None };
        let map = self.names.map;
        let has =
            |select: &SelectId| map.slots_of(*select).any(|it| it.index() == usize::from(first));
        map.select_ids().find(has)
    }

    /// What a name refers to, if it is a parameter or of a selection.
    fn referred(&self, name: &str) -> Option<Ref> {
        if let Some(bound) = self.bound.iter().find(|bound| bound.name == name) {
            return Some(bound.what);
        }
        let map = self.names.map;
        if let Some(slot) = map.find_slot(name) {
            return Some(Ref::Slots(slot.index() as u16, 1));
        }
        let slots = map.slots_of(map.find_select(name)?);
        let n = slots.len() as u16;
        slots.map(|slot| slot.index() as u16).next().map(|first| Ref::Slots(first, n))
    }

    /// Whether there is an `it` here; told if there is none.
    pub(super) fn has_it(&mut self, r: &mut NoteReader<'_, '_>, scope: Scope, span: Span) -> bool {
        let (text, cure) = match scope {
            Scope::Candidate | Scope::Price { has_it: true } => return true,
            _ if !self.bound.is_empty() => return true,
            Scope::Price { has_it: false } => (
                "`it` is the first parameter of the action, and the action has none",
                "price an action such as `go(pipe)`, or name what is meant",
            ),
            Scope::Symbol | Scope::Elsewhere => (
                "there is no `it` here: it is a candidate of a `select`, or the first parameter of \
                 the action that is priced",
                "name what is meant, or ask in a `select` or a `price`; a check or a symbol about \
                 each of several has a parameter: `check free(spot in place)`",
            ),
        };
        r.report.say(Code::NoReference, span, text, cure);
        false
    }

    /// What `it` refers to here: in a template the first parameter.
    fn it(&self) -> Ref {
        self.bound.first().map_or(Ref::It, |bound| bound.what)
    }

    /// The facts that speak of `it`.
    pub(super) fn source_of_it(&self) -> Source {
        match self.it() {
            Ref::It => Source::It,
            Ref::Slots(first, n) => Source::Slots(first, n),
            Ref::Me | Ref::Word(_) => NOWHERE,
        }
    }

    /// `of REF`; `None`, with a report, if that refers to nothing.
    pub(super) fn what_of(
        &mut self,
        r: &mut NoteReader<'_, '_>,
        scope: Scope,
        what: &str,
    ) -> Read<Option<Ref>> {
        if !r.take_word("of") {
            return Err(r.expected(what));
        }
        self.reference(r, scope)
    }

    /// `it`, `me`, a slot or a parameter.
    pub(super) fn reference(
        &mut self,
        r: &mut NoteReader<'_, '_>,
        scope: Scope,
    ) -> Read<Option<Ref>> {
        let word = r.name("`it`, `me`, or the name of a `select`")?;
        if word.text == "it" {
            return Ok(self.has_it(r, scope, word.span).then(|| self.it()));
        }
        if word.text == "me" {
            return Ok(Some(Ref::Me));
        }
        let found = self.referred(&word.text);
        if found.is_none() {
            let text = format!("`{}` is no `select`, so nothing is picked as it", word.text);
            let cure = match r.report.nearest(&word.text, self.names.map.slot_names()) {
                Some(near) => {
                    format!("write `{near}`, or declare `select {}: one of …`", word.text)
                }
                None => format!("declare `select {}: one of …`, or write `it` or `me`", word.text),
            };
            r.report.say(Code::NoReference, word.span, text, cure);
        }
        Ok(found)
    }

    /// What a word refers to as the value of an attribute; whether there is an `it` is not asked.
    pub(super) fn named(&self, attribute: Attribute, value: &NoteWord) -> Option<Ref> {
        let sort = attribute.sort();
        match value.text.as_str() {
            _ if value.kind != WordKind::Name => None,
            "it" => Some(self.it()),
            "me" if sort != Sort::Word => Some(Ref::Me),
            name if takes_slots(attribute) || sort == Sort::Position => self.referred(name),
            _ => None,
        }
    }

    /// `ATTRIBUTE REL VALUE`; `None`, with a report, if these do not go together.
    pub(super) fn comparison(
        &mut self,
        r: &mut NoteReader<'_, '_>,
        scope: Scope,
        (attribute, word): (Attribute, &NoteWord),
        relation: Relation,
        value: &NoteWord,
    ) -> Option<AttributeTest> {
        let sort = attribute.sort();
        let is_name = value.kind == WordKind::Name && matches!(sort, Sort::Word | Sort::Entity);
        if is_name && !relation.is_by_size() {
            let what = match value.text.as_str() {
                "it" => {
                    self.asks(word, None);
                    return self
                        .has_it(r, scope, value.span)
                        .then(|| AttributeTest::Is(attribute, relation, self.it()));
                }
                "me" if sort == Sort::Entity => Some(Ref::Me),
                name => self.referred(name).filter(|_| takes_slots(attribute)),
            };
            if let Some(what) = what {
                self.asks(word, None);
                return Some(AttributeTest::Is(attribute, relation, what));
            }
        }
        self.asks(word, Some((relation, value)));
        self.with_a_value(r, (attribute, word), relation, value)
    }

    /// `ATTRIBUTE REL VALUE`, where the value is no reference.
    fn with_a_value(
        &mut self,
        r: &mut NoteReader<'_, '_>,
        (attribute, word): (Attribute, &NoteWord),
        relation: Relation,
        value: &NoteWord,
    ) -> Option<AttributeTest> {
        let name = attribute.name();
        let mut code = Code::NoteSense;
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
                "ask for `distance` or `within 5 of target`, or only whether it is there"
                    .to_string(),
            ),
            Sort::Entity => {
                code = Code::NotComparable;
                (
                    format!(
                        "`{name}` is a thing of the game, and `{}` is the name of none",
                        value.text
                    ),
                    format!(
                        "compare it with what is picked, as in `{name} = target`, with `it` or `me`; \
                         or ask only whether it is there, or for a word such as `node`"
                    ),
                )
            }
            Sort::Word if relation.is_by_size() => (
                format!("`{name}` is a word, and words have no size"),
                format!("compare it by `=` or `!=`, or ask for `sure {name}`"),
            ),
            Sort::Word => {
                let value = Value::Word(self.spec.words.intern(&value.text));
                return Some(AttributeTest::Value(attribute, relation, value));
            }
        };
        r.report.say(code, word.span.to(value.span), text, cure);
        None
    }

    /// Whether a number taken from facts comes next: `age of it`, `sure stimulus of target`.
    pub(super) fn begins_number(&self, r: &NoteReader<'_, '_>) -> bool {
        let is = |word: Option<&NoteWord>, text: &str| {
            word.is_some_and(|word| word.kind == WordKind::Name && word.text == text)
        };
        let named =
            |word: &NoteWord| word.kind == WordKind::Name && Attribute::named(&word.text).is_some();
        is(r.peek_second(), "of") || (r.sees("sure") && r.peek_second().is_some_and(named))
    }

    /// `ASPECT of PATTERN [else …] REL NUMBER`.
    pub(super) fn compared_number(
        &mut self,
        r: &mut NoteReader<'_, '_>,
        scope: Scope,
    ) -> Read<Condition> {
        let measure = self.measured(r, scope)?;
        let relation = relation(r)?;
        let wanted = number(r, "a number, as in `age of it < 20`", -LARGEST, LARGEST)?;
        // The age of one fact changes sides at a moment that is known.
        if let Measure::Of(Aspect::Age, Pattern { source, tests }) = &measure
            && matches!(source, Source::It | Source::Slots(_, 1))
        {
            let age = AttributeTest::Age(relation, self.spec.pace.ticks(wanted));
            let tests = tests.iter().copied().chain([age]).collect();
            return Ok(Condition::Exists(Pattern { source: *source, tests }));
        }
        Ok(Condition::Number(Box::new(measure), relation, wanted as f32))
    }
}
