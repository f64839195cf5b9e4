//! Facts that the game writes, declared: `fact weather: knowledge as sky = dry, rain`.
//!
//! In:   the statements `fact` and `body`, before all others.
//! Out:  names of a file's own for attributes; patterns and effects held against what is declared.
//! Cost: one pass over the statements, one over the patterns.
//!
//! A kind that no statement declares may have any attribute and any word, as ever.

use super::conditions::attribute;
use super::read::{Read, Reading};
use crate::fact::{Attribute, Sort};
use std::collections::HashMap;
use throng_domain::notes::{Note, NoteReader, NoteWord, Relation, WordKind};
use throng_domain::source::Span;
use throng_domain::{Code, Report};

/// An attribute of a kind of facts.
pub(super) struct DeclaredAttribute {
    attribute: Attribute,
    /// What the file calls it.
    name: Option<String>,
    /// The words that it can be; empty: any.
    words: Vec<String>,
}

impl DeclaredAttribute {
    fn is_called(&self, word: &str) -> bool {
        self.attribute.name() == word || self.name.as_deref() == Some(word)
    }
}

/// What is declared, by kind.
#[derive(Default)]
pub(super) struct DeclaredFacts(HashMap<String, (Span, Vec<DeclaredAttribute>)>);

impl DeclaredFacts {
    /// The attribute of a kind that the file has a name of its own for.
    pub(super) fn named(&self, kind: &str, word: &str) -> Option<Attribute> {
        let (_, attributes) = self.0.get(kind)?;
        attributes.iter().find(|it| it.name.as_deref() == Some(word)).map(|it| it.attribute)
    }

    /// What is wrong with an attribute of a kind, or with the word that it is compared with or set
    /// to: the word that is unknown, what it should be, and what there is.
    pub(super) fn mistake<'n>(
        &self,
        kind: &str,
        name: &'n NoteWord,
        value: Option<&'n NoteWord>,
    ) -> Option<(&'n NoteWord, String, Vec<&str>)> {
        let (_, attributes) = self.0.get(kind)?;
        let Some(known) = attributes.iter().find(|it| it.is_called(&name.text)) else {
            let own = attributes.iter().filter_map(|it| it.name.as_deref());
            let all = attributes.iter().map(|it| it.attribute.name()).chain(own);
            return Some((name, format!("attribute of `{kind}`"), all.collect()));
        };
        let value = value.filter(|value| value.kind == WordKind::Name)?;
        let is_free = known.words.is_empty() || known.attribute.sort() != Sort::Word;
        if is_free
            || matches!(value.text.as_str(), "it" | "me")
            || known.words.contains(&value.text)
        {
            return None;
        }
        let words = known.words.iter().map(String::as_str).collect();
        Some((value, format!("{} of `{kind}`", name.text), words))
    }
}

impl Reading<'_> {
    /// `KIND`, or `KIND: ATTRIBUTE [as NAME] [= WORD, …], …`.
    pub(super) fn fact(&mut self, r: &mut NoteReader<'_, '_>) -> Read<()> {
        let kind = r.name("a kind of facts, as in `fact hunger: amount as level`")?;
        let mut all: Vec<DeclaredAttribute> = Vec::new();
        let mut goes_on = !r.is_done();
        if goes_on {
            r.sign(WordKind::Colon)?;
        }
        while goes_on {
            let word = r.name("an attribute, as in `amount as level`")?;
            let found = attribute(r, word, &[]);
            let name = match r.take_word("as") {
                true => Some(r.name("a name for it, as in `amount as level`")?),
                false => None,
            };
            if let Some(name) = name.filter(|name| Attribute::named(&name.text).is_some()) {
                let text = format!("`{}` is an attribute already", name.text);
                r.report.say(Code::NoteTwice, name.span, text, "give it another name");
            }
            let mut words = Vec::new();
            if r.take_relation() == Some(Relation::Is) {
                // A word that is an attribute is the next one.
                loop {
                    words.push(r.name("a word that it can be")?.text.clone());
                    goes_on = r.take_sign(WordKind::Comma);
                    if !goes_on || r.peek().is_some_and(|it| Attribute::named(&it.text).is_some()) {
                        break;
                    }
                }
            } else {
                goes_on = r.take_sign(WordKind::Comma);
            }
            if let Some(attribute) = found {
                let name = name.map(|name| name.text.clone());
                all.push(DeclaredAttribute { attribute, name, words });
            }
        }
        let word = self.spec.words.intern(&kind.text);
        self.spec.facts.push(word);
        let known = self.facts.0.insert(kind.text.clone(), (kind.span, all));
        if let Some((first, _)) = known {
            let text = format!("the facts `{}` are declared twice", kind.text);
            let cure = "put all attributes into one statement".to_string();
            r.report.say_twice(Code::NoteTwice, kind.span, first, text, cure);
        }
        Ok(())
    }

    /// `body NAME`: what senses and acts, by name. All checks are declared in such a file.
    pub(super) fn body(&mut self, r: &mut NoteReader<'_, '_>) -> Read<()> {
        let name = r.name("the name of a body, as in `body kit`")?;
        self.spec.body = Some(name.text.clone());
        Ok(())
    }

    /// The attribute that a word is the file's own name for, where `of KIND` comes next.
    pub(super) fn attribute_of(
        &self,
        r: &NoteReader<'_, '_>,
        word: &NoteWord,
    ) -> Option<Attribute> {
        let kind = r.peek_second().filter(|_| r.sees("of"))?;
        let kind = if kind.text == "shared" { r.peek_third()? } else { kind };
        self.facts.named(&kind.text, &word.text)
    }

    /// Holds patterns against what is declared.
    pub(super) fn check_facts(&self, notes: &[Note], report: &mut Report) {
        for pattern in &self.asked {
            // What is picked may be a fact of any of its kinds.
            let of = self.spec.selects.iter().find(|it| Some(it.select) == pattern.select);
            let kinds: Vec<&str> = match of {
                Some(select) => select
                    .of
                    .iter()
                    .filter_map(|it| Some(self.spec.words.text(it.kind()?)))
                    .collect(),
                None => vec![&pattern.kind.text],
            };
            for test in &pattern.tests {
                let value = test.compared.as_ref().map(|(_, value)| value);
                let mistakes =
                    kinds.iter().map(|it| self.facts.mistake(it, &test.attribute, value));
                let mistakes: Option<Vec<_>> = mistakes.collect();
                let first = mistakes.and_then(|all| all.into_iter().next());
                if let Some((word, what, known)) = first {
                    let mut reader = NoteReader::new(&notes[pattern.note], report);
                    let _ = reader.unknown(&what, &word.text, word.span, known.into_iter());
                }
            }
        }
    }
}
