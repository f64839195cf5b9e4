//! What a pattern asks of an attribute, against what it can be.
//!
//! In:   a test as it is written, the kind of facts that it is about.
//! Out:  what does not fit, to be told or not: of several kinds one may fit.
//! Cost: a walk over the vocabulary.

use super::{CanBe, FileCheck};
use crate::fact::{Attribute, Sort};
use crate::spec::{AskedPattern, AskedTest};
use std::collections::BTreeSet;
use throng_base::nearest;
use throng_domain::notes::{NoteWord, Relation, WordKind};
use throng_domain::{FileId, Span};

/// Something that does not fit, not told yet.
pub(super) enum Wrong<'w> {
    /// A name that is not among those that there are.
    Unknown(String, &'w NoteWord, Vec<String>),
    /// Something that nothing here brings about, with a cure.
    Lacking(Span, String, String),
}

impl FileCheck<'_> {
    /// The attribute is one that facts of a kind have, and the word one that it can be.
    pub(super) fn test<'w>(
        &self,
        kind: &str,
        asked: &AskedPattern,
        test: &'w AskedTest,
    ) -> Option<Wrong<'w>> {
        if self.all.is_open() {
            return None;
        }
        let attribute = Attribute::named(&test.attribute.text)?;
        let shared = asked.shared;
        let can = self.all.can(kind, shared, attribute);
        if can.is_empty() {
            let by = self.whole.who(kind, shared, Some(attribute), &|_| true);
            if !by.is_empty() {
                let text = format!("nothing here gives facts `{kind}` a `{}`", attribute.name());
                return Some(Wrong::Lacking(test.attribute.span, text, format!("add {by}")));
            }
            let known = self.all.attributes(kind, shared).into_iter().map(str::to_string);
            let what = format!("attribute of `{kind}`");
            return Some(Wrong::Unknown(what, &test.attribute, known.collect()));
        }
        let is_word = attribute.sort() == Sort::Word;
        let compared = test.compared.as_ref().filter(|(_, it)| is_word && it.text != "it");
        let (_, value) = compared?;
        let owned = |words: Vec<&str>| words.into_iter().map(str::to_string).collect();
        let has_state = can.iter().any(|can| matches!(can, CanBe::NameOf(of) if of == "state"));
        if let Some(thing) = thing_of(asked).filter(|_| has_state)
            && let Some(states) = self.level.states(thing)
        {
            let what = format!("state of `{thing}`");
            let is_one = states.contains(&value.text.as_str());
            return (!is_one).then(|| Wrong::Unknown(what, value, owned(states)));
        }
        let allows = |can: &CanBe| match can {
            CanBe::NoWord => false,
            CanBe::Words(words) => words.contains(&value.text),
            CanBe::NameOf(of) => self.level.allows(of, &value.text),
        };
        if self.level.adds(kind, attribute, &value.text) || can.iter().any(|can| allows(can)) {
            return None;
        }
        let name = attribute.name();
        if self.whole.can(kind, shared, attribute).into_iter().any(allows) {
            let by = self.whole.who(kind, shared, Some(attribute), &allows);
            let text = format!("nothing here makes the {name} of `{kind}` `{}`", value.text);
            return Some(Wrong::Lacking(value.span, text, format!("add {by}")));
        }
        let words = can.iter().flat_map(|can| match can {
            CanBe::NoWord => Vec::new(),
            CanBe::Words(words) => words.iter().map(String::as_str).collect(),
            CanBe::NameOf(of) => self.level.all(of),
        });
        let known: BTreeSet<&str> = words.collect();
        // A file of NPCs serves many levels, and this one need not have all that they ask for.
        let differs = |can: &&CanBe| {
            let of = if let CanBe::NameOf(of) = can { of } else { "" };
            self.level.differs(kind, attribute, of)
        };
        let is_near = || nearest(&value.text, known.iter().copied()).is_some();
        if value.span.file != FileId(0) && can.iter().any(differs) && !is_near() {
            return None;
        }
        let known = owned(known.into_iter().collect());
        Some(Wrong::Unknown(format!("{name} of `{kind}`"), value, known))
    }
}

/// The thing that a pattern names by `node = NAME`.
fn thing_of(asked: &AskedPattern) -> Option<&str> {
    let tests = asked.tests.iter().filter(|test| test.attribute.text == "node");
    let mut compared = tests.filter_map(|test| test.compared.as_ref());
    let (_, name) = compared.find(|(relation, _)| *relation == Relation::Is)?;
    Some(name.text.as_str()).filter(|_| name.kind == WordKind::Name)
}
