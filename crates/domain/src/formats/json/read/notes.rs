//! Notes of the JSON twin: each a text that is read like `.npc`, with places in the JSON.
//!
//! In:   `{"on": "goal kill", "text": "keep 2"}`; without `on`, a statement.
//! Out:  notes for the builder.
//! Cost: linear in the texts.

use super::*;
use crate::notes::{Note, NoteOn};
use crate::source::clip;

impl Reader<'_> {
    pub(super) fn notes(&mut self, value: &JsonValue<'_>) {
        let owners = self.builder.note_owners();
        for item in self.list(value, "notes") {
            self.note(item, &owners);
        }
    }

    fn note(&mut self, value: &JsonValue<'_>, owners: &NoteOwners) -> Option<()> {
        let fields = self.fields(value, "a note", &["on", "text"])?;
        let on = match fields.get("on") {
            None => Some(NoteOn::Itself),
            Some(on) => self.note_owner(on, owners),
        };
        let Some(text) = fields.get("text") else {
            self.missing(&fields, "text");
            return None;
        };
        let JsonValueKind::Text(words) = &text.kind else {
            return self.wrong(text, "a text", "`text`");
        };
        let note = self.note_words(words, text.span, on?)?;
        if !self.agrees_with_selects(&note) || !self.builder.owner_can_have(&note, owners) {
            return None;
        }
        self.builder.declare_check(&note);
        self.builder.add_note(note);
        Some(())
    }

    /// `action go`, `goal kill` or `npc guard`.
    fn note_owner(&mut self, value: &JsonValue<'_>, owners: &NoteOwners) -> Option<NoteOn> {
        let parts = match &value.kind {
            JsonValueKind::Text(text) => text.split_once(' '),
            _ => None,
        };
        let Some((kind @ ("action" | "goal" | "npc"), name)) = parts else {
            return self.wrong(value, "`action`, `goal` or `npc` and a name", "`on`");
        };
        let owner = Reference { name: name.to_string().into(), span: value.span };
        self.builder.find_note_owner(kind, &owner, owners)
    }

    /// Splits the text of a note into words, as the language does.
    fn note_words(&mut self, text: &str, span: Span, on: NoteOn) -> Option<Note> {
        let places = Places::new(self.sources.snippet(span), text, span);
        let mut report = Report::default();
        let lexed = npc::lex(text, span.file, &mut report);
        let mut note = None;
        if text.contains('\n') || !lexed.comments.is_empty() {
            let cure = "write its words on one line, without `#`";
            let what = "a note has a line break or a comment in its text";
            self.builder.report.say(Code::UnexpectedCharacter, span, what, cure);
        } else if lexed.tokens.is_empty() {
            let cure = "write its words, as in `\"text\": \"keep 2\"`";
            self.builder.report.say(Code::Expected, span, "a note says nothing", cure);
        } else {
            note = npc::read_note(&lexed.tokens, on, &self.words, &mut report);
        }
        for found in report.diagnostics() {
            let also = found.also.map(|(span, what)| (places.of(span), what));
            let span = places.of(found.span);
            self.builder.report.add(Diagnostic { span, also, ..found.clone() });
        }
        let mut note = note.filter(|_| !report.has_errors())?;
        note.span = places.of(note.span);
        note.words.iter_mut().for_each(|word| word.span = places.of(word.span));
        Some(note)
    }
}

/// Where the bytes of an unescaped text stand in the JSON.
struct Places {
    /// The whole text, quotes included.
    whole: Span,
    /// For each byte of the text, and for its end, the byte of the JSON; empty if unknown.
    bytes: Vec<u32>,
}

impl Places {
    /// `raw` is the text as written, with its quotes.
    fn new(raw: &str, text: &str, whole: Span) -> Places {
        let mut bytes = Vec::with_capacity(text.len() + 1);
        let mut at = 1;
        for c in text.chars() {
            let rest = raw.get(at..).unwrap_or("");
            let length = match rest.strip_prefix("\\u") {
                // A character beyond the first 65,536 is two escapes.
                Some(_) => 6 * c.len_utf16(),
                None if rest.starts_with('\\') => 2,
                None => c.len_utf8(),
            };
            let place = whole.start.saturating_add(clip(at));
            bytes.extend(std::iter::repeat_n(place, c.len_utf8()));
            at += length;
        }
        bytes.push(whole.start.saturating_add(clip(at)));
        if at + 1 != raw.len() {
            bytes.clear();
        }
        Places { whole, bytes }
    }

    /// The place in the JSON of a place in the text.
    fn of(&self, span: Span) -> Span {
        let (start, end) = (span.start as usize, span.end as usize);
        match (self.bytes.get(start), self.bytes.get(end)) {
            (Some(&start), Some(&end)) => Span { start, end, ..self.whole },
            _ => self.whole,
        }
    }
}
