//! What notes ask of memory, with the places of the words.
//!
//! In:   patterns, while conditions, terms and rules are read.
//! Out:  each as it is written, for who knows which facts there can be.
//! Cost: a copy of the words of each pattern, for who asks for them.

use super::read::Reading;
use throng_domain::model::SelectId;
use throng_domain::notes::{NoteWord, Relation};

/// A pattern as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AskedPattern {
    /// The note that it is in, by position in the model.
    pub note: usize,
    /// Whether it asks the memory that all share.
    pub shared: bool,
    /// The kind of facts, or the name of what is picked.
    pub kind: NoteWord,
    /// It is about what this select picks.
    pub select: Option<SelectId>,
    /// What is asked of attributes.
    pub tests: Vec<AskedTest>,
}

/// What is asked of an attribute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AskedTest {
    /// The attribute.
    pub attribute: NoteWord,
    /// How its value is compared, and with which word or number.
    pub compared: Option<(Relation, NoteWord)>,
}

impl Reading<'_> {
    /// Notes a pattern with the tests that were read of it.
    pub(super) fn asks_for(&mut self, kind: &NoteWord, shared: bool, select: Option<SelectId>) {
        let tests = std::mem::take(&mut self.asks);
        let (note, kind) = (self.note, kind.clone());
        self.asked.push(AskedPattern { note, shared, kind, select, tests });
    }

    /// Notes what the pattern under way, or the next one, asks of an attribute.
    pub(super) fn asks(&mut self, attribute: &NoteWord, compared: Option<(Relation, &NoteWord)>) {
        let compared = compared.map(|(relation, value)| (relation, value.clone()));
        self.asks.push(AskedTest { attribute: attribute.clone(), compared });
    }
}
