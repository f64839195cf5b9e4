//! Selects of the JSON twin: `"selects": [{"name": "cover", "slots": 3}]`.
//!
//! In:   the list, and the notes whose heads must say the same.
//! Out:  selects for the builder; of those that no note speaks of, a note with the head alone, so
//!       that both twins have the same notes.
//! Cost: linear in the selects, of which there are few.

use super::*;
use crate::notes::{Keyword, Note, NoteOn, NoteWord, Role};
use crate::token::WordKind;
use std::borrow::Cow;

impl Reader<'_> {
    pub(super) fn select(&mut self, value: &JsonValue<'_>) -> Option<()> {
        let fields = self.fields(value, "a select", &["name", "slots"])?;
        let name = self.name(&fields, "name")?;
        let Some(slots) = fields.get("slots") else {
            self.missing(&fields, "slots");
            self.builder.add_broken(name.text);
            return None;
        };
        let number = match slots.kind {
            JsonValueKind::Number(text) => text.parse::<usize>().ok(),
            _ => None,
        };
        let Some(n_slots) = number else {
            self.builder.add_broken(name.text);
            return self.wrong(slots, "a whole number", "`slots`");
        };
        self.builder.declare_select(name, n_slots);
        Some(())
    }

    /// The selects whose slots are among the values of a variable, in the order of the values:
    /// `"any": ["cover"]`.
    pub(super) fn groups(
        &mut self,
        fields: &Fields<'_, '_>,
        values: &ValuesDraft<'_>,
    ) -> Vec<GroupDraft> {
        let mut groups: Vec<GroupDraft> = Vec::new();
        let words: &[(Cow<'_, str>, Span)] = match values {
            ValuesDraft::Words(words) => words,
            ValuesDraft::Range { .. } => &[],
        };
        for word in self.texts(fields, "any") {
            if groups.iter().any(|known| known.name == word.text) {
                let text = format!("`{}` is listed twice", word.text);
                self.builder.report.say(Code::ListedTwice, word.span, text, "remove one");
                continue;
            }
            let Some(members) = self.builder.members(word) else { continue };
            let is_same = |at: &usize| {
                words[*at..].iter().map(|(name, _)| name).take(members.len()).eq(&members)
            };
            match (0..words.len()).find(is_same) {
                Some(first) => groups.push(GroupDraft {
                    name: word.text.to_string(),
                    of: first..first + members.len(),
                }),
                None => {
                    let text = format!("the slots of `{}` are not among the values", word.text);
                    let cure = format!("list them in order: {}", members.join(", "));
                    self.builder.report.say(Code::UnknownValue, word.span, text, cure);
                }
            }
        }
        groups.sort_by_key(|group| group.of.start);
        groups
    }

    /// Whether a note about a select says what the list says; reported if not.
    pub(super) fn agrees_with_selects(&mut self, note: &Note) -> bool {
        if note.keyword.role != Role::Selects {
            return true;
        }
        let Ok((name, n_slots)) = select_head(note, &mut self.builder.report) else { return false };
        if self.builder.model.first_words(Role::Selects).any(|word| word.text == name.text) {
            let text = format!("select `{}` is declared twice", name.text);
            self.builder.report.say(Code::SelectName, name.span, text, "rename one, or remove it");
            return false;
        }
        let listed = self.builder.model.find_select(name.text);
        let listed = listed.map(|id| self.builder.model[id].n_slots());
        if listed == Some(n_slots) || self.builder.is_explained(name.text) {
            return true;
        }
        let text = match listed {
            Some(listed) => format!("`{}` has {listed} slots in `selects`", name.text),
            None => format!("`selects` does not list `{}`", name.text),
        };
        let cure = format!("list it as `{{\"name\": \"{}\", \"slots\": {n_slots}}}`", name.text);
        self.builder.report.say(Code::SelectName, name.span, text, cure);
        false
    }

    /// Adds the heads of selects that no note speaks of.
    pub(super) fn add_bare_selects(&mut self) {
        let Some(keyword) = self.words.selecting() else { return };
        let model = &self.builder.model;
        let named: Vec<String> =
            model.first_words(Role::Selects).map(|word| word.text.clone()).collect();
        let bare = model.selects().iter().filter(|it| !named.iter().any(|name| name == it.name()));
        let notes: Vec<Note> = bare.map(|select| head(keyword, select)).collect();
        notes.into_iter().for_each(|note| self.builder.add_note(note));
    }
}

/// `select cover: best 3`.
fn head(keyword: &'static Keyword, select: &Select) -> Note {
    let span = select.span();
    let word = |kind: WordKind, text: String| NoteWord { kind, text, span };
    let mut words = vec![
        word(WordKind::Name, select.name().to_string()),
        word(WordKind::Colon, ":".to_string()),
    ];
    if select.is_one() {
        words.push(word(WordKind::Name, "one".to_string()));
    } else {
        words.push(word(WordKind::Name, "best".to_string()));
        words.push(word(WordKind::Integer, select.n_slots().to_string()));
    }
    Note { keyword, on: NoteOn::Itself, words, span }
}
