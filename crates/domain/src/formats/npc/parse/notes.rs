//! Statements and clauses that are not the planner's: their words are kept as they are.

use super::{Parse, Parser};
use crate::formats::npc::lex::{Kind, Token};
use crate::notes::{Note, NoteOn, NoteWord, WordKind};
use crate::source::Span;

impl<'t> Parser<'_, 't> {
    /// The rest of a statement that is a note.
    pub(super) fn note_statement(&mut self, first: Token<'t>) -> Note {
        let words = self.tokens[self.at..self.end].iter().map(note_word).collect();
        self.at = self.end;
        Note {
            keyword: first.text.to_string(),
            on: NoteOn::Itself,
            words,
            span: self.since(first.span),
        }
    }

    /// A clause that is a note: everything up to the next word that begins a clause here.
    pub(super) fn note_clause(
        &mut self,
        keyword: &'t str,
        span: Span,
        on: NoteOn,
        clauses: &'static [&'static str],
    ) -> Parse<()> {
        let earlier = self.notes.iter().rev().take_while(|note| note.on == on);
        if earlier.into_iter().any(|note| note.keyword == keyword && note.span.file == span.file) {
            return Err(self.twice(keyword, span));
        }
        let rest = &self.tokens[self.at..self.end];
        let begins = |t: &Token<'_>| t.kind == Kind::Name && clauses.contains(&t.text);
        let length = rest.iter().position(begins).unwrap_or(rest.len());
        let words = rest[..length].iter().map(note_word).collect();
        self.at += length;
        let note = Note { keyword: keyword.to_string(), on, words, span: self.since(span) };
        self.notes.push(note);
        Ok(())
    }
}

fn note_word(token: &Token<'_>) -> NoteWord {
    let (kind, text) = match token.kind {
        Kind::Name => (WordKind::Name, token.text),
        Kind::Integer | Kind::Decimal => (WordKind::Number, token.text),
        Kind::Text => (WordKind::Text, token.text.trim_matches('"')),
        _ => (WordKind::Sign, token.text),
    };
    NoteWord { kind, text: text.to_string(), span: token.span }
}
