//! Notes when a model is written: each clause with what it belongs to.
//!
//! In:   the notes of a model.
//! Out:  those of one owner at a time, then the statements; both writers ask in the same order,
//!       so what they write is the same again after it was read.
//! Cost: linear in the notes.

use crate::model::Model;
use crate::names;
use crate::notes::{Note, NoteOn};
use std::collections::HashMap;

/// The clauses of a model that are notes, by what they belong to.
pub(super) struct ClauseNotes<'m> {
    by_owner: HashMap<&'m NoteOn, Vec<&'m Note>>,
}

impl<'m> ClauseNotes<'m> {
    pub(super) fn of(model: &'m Model) -> Self {
        let mut by_owner: HashMap<&NoteOn, Vec<&Note>> = HashMap::new();
        for note in model.notes.iter().filter(|note| note.on != NoteOn::Itself) {
            by_owner.entry(&note.on).or_default().push(note);
        }
        ClauseNotes { by_owner }
    }

    /// The clauses of what has this ground name, if nothing of its kind before had the same bare
    /// name: they hold for all that have it, and are written once.
    pub(super) fn take(&mut self, on: fn(String) -> NoteOn, name: &str) -> Vec<&'m Note> {
        // Most domains have none: spare them the names.
        if self.by_owner.is_empty() {
            return Vec::new();
        }
        let bare = names::template_of(name).unwrap_or(name);
        self.by_owner.remove(&on(bare.to_string())).unwrap_or_default()
    }
}

/// The notes that are statements, in the order of the text.
pub(super) fn statements(model: &Model) -> impl Iterator<Item = &Note> {
    model.notes.iter().filter(|note| note.on == NoteOn::Itself)
}
