//! Numbers taken from facts, and curves, as files write them.

use super::conditions::{LARGEST, Scope, attribute};
use super::parts::{listed, number};
use super::read::{Read, Reading};
use crate::condition::{Aspect, Measure, Ref, Term};
use crate::fact::{Attribute, Sort};
use throng_domain::Code;
use throng_domain::notes::{NoteReader, NoteWord};

impl Reading<'_> {
    /// A number from facts: `ATTRIBUTE of PATTERN`, `sure ATTRIBUTE of`, `distance of`, …
    pub(super) fn aspect(&mut self, r: &mut NoteReader<'_, '_>, scope: Scope) -> Read<Measure> {
        let sure = r.take_word("sure");
        let word = r.name("a number, or where it comes from, as in `amount of path`")?;
        let aspect = match word.text.as_str() {
            "distance" if !sure => Some(Aspect::Distance),
            "age" if !sure => Some(Aspect::Age),
            "count" if !sure => Some(Aspect::Count),
            _ => {
                self.asks(word, None);
                let own = self.attribute_of(r, word);
                let besides = ["sure", "distance", "age", "count"];
                match own.or_else(|| attribute(r, word, &besides)) {
                    Some(at) if sure => Some(Aspect::Sure(at)),
                    Some(at) if at.sort() == Sort::Number => Some(Aspect::Amount(at)),
                    Some(at) => {
                        wrong_sort(r, word, at, "no number");
                        None
                    }
                    None => None,
                }
            }
        };
        if !r.take_word("of") {
            return Err(r.expected("`of` and a kind of facts"));
        }
        self.spec.asks_age |= aspect == Some(Aspect::Age);
        let pattern = self.pattern(r, scope)?;
        let mut aspect = aspect;
        if r.sees("from") {
            let span = r.place();
            r.take_word("from");
            let what = self.reference(r, scope)?;
            if aspect != Some(Aspect::Distance) {
                let text = "only a `distance` is measured from somewhere";
                let cure = "write `distance of it from target`, or leave `from` out";
                r.report.say(Code::NoReference, span, text, cure);
            }
            aspect = aspect.and(what).map(Aspect::From);
        }
        let from_me = matches!(aspect, Some(Aspect::Distance | Aspect::From(Ref::Me)));
        self.spec.asks_distance |= from_me;
        Ok(aspect.map_or(Measure::Number(0.0), |aspect| Measure::Of(aspect, pattern)))
    }

    /// The same, with what to take where it gives none: `amount of path else distance of it`.
    pub(super) fn measured(&mut self, r: &mut NoteReader<'_, '_>, scope: Scope) -> Read<Measure> {
        let first = self.aspect(r, scope)?;
        if !r.sees("else") {
            return Ok(first);
        }
        let mut list = vec![first];
        while r.take_word("else") {
            let is_number = r.peek().is_some_and(|word| word.kind.is_number());
            list.push(match is_number {
                true => Measure::Number(number(r, "a number", -LARGEST, LARGEST)? as f32),
                false => self.aspect(r, scope)?,
            });
        }
        Ok(Measure::Else(list))
    }

    /// `TERM times TERM …`: numbers from 0 to 1, to be multiplied.
    pub(super) fn product(&mut self, r: &mut NoteReader<'_, '_>, scope: Scope) -> Read<Vec<Term>> {
        let mut terms = vec![self.term(r, scope)?];
        while r.take_word("times") {
            terms.push(self.term(r, scope)?);
        }
        Ok(terms)
    }

    /// `TERM [curve X Y, …]`.
    fn term(&mut self, r: &mut NoteReader<'_, '_>, scope: Scope) -> Read<Term> {
        let measure = if r.peek().is_some_and(|word| word.kind.is_number()) {
            Measure::Number(number(r, "a number from 0 to 1", 0.0, 1.0)? as f32)
        } else if r.take_word("if") {
            Measure::If(self.condition(r, scope)?)
        } else {
            self.measured(r, scope)?
        };
        Ok(Term { measure, curve: self.curve(r, 1.0)? })
    }

    /// `[curve X Y, …]`, with heights up to `highest`.
    pub(super) fn curve(
        &mut self,
        r: &mut NoteReader<'_, '_>,
        highest: f64,
    ) -> Read<Vec<(f32, f32)>> {
        if !r.take_word("curve") {
            return Ok(Vec::new());
        }
        let mut last = f32::NEG_INFINITY;
        let height = format!("the height of the point, from 0 to {highest}");
        listed(r, |r| {
            let place = r.place();
            let x = number(r, "a point, as in `curve 0 1, 10 0`", -LARGEST, LARGEST)? as f32;
            let y = number(r, &height, 0.0, highest)? as f32;
            if x <= last {
                let text = "the points of a curve must rise from left to right";
                let cure = "write the smaller number first, and each only once";
                r.report.say(Code::NoteSense, place, text, cure);
            }
            last = x;
            Ok((x, y))
        })
    }
}

/// Reports an attribute of which something else was wanted.
pub(super) fn wrong_sort(
    r: &mut NoteReader<'_, '_>,
    word: &NoteWord,
    attribute: Attribute,
    is_not: &str,
) {
    let sort = |attribute: Attribute| match attribute.sort() {
        Sort::Position => "a place",
        Sort::Word => "a word",
        Sort::Entity => "a thing of the game",
        Sort::Number => "a number",
    };
    let name = attribute.name();
    let text = format!("`{name}` is {} and {is_not}", sort(attribute));
    let wanted = if is_not == "no number" { Sort::Number } else { Sort::Word };
    let fit = Attribute::ALL.iter().filter(|attribute| attribute.sort() == wanted);
    let fit: Vec<&str> = fit.map(|attribute| attribute.name()).collect();
    let mut cure = format!("use one of: {}", fit.join(", "));
    if wanted == Sort::Number {
        cure.push_str(&format!("; or `sure {name}`"));
    }
    r.report.say(Code::NoteSense, word.span, text, cure);
}
