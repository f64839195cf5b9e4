//! Statements and clauses that are not the planner's: their words are kept as they are.
//!
//! In:   the tokens behind the word that begins one.
//! Out:  a [`Note`]; a token that was reported as none gives the statement up without a word.
//! Cost: one pass.

use super::{Marks, Parse, Parser, Stop};
use crate::diagnostics::{Code, Report};
use crate::formats::npc::keywords::{ACTION_CLAUSES, GOAL_CLAUSES, NPC_CLAUSES};
use crate::formats::npc::lex::{Kind, Token};
use crate::notes::{self, Note, NoteOn, NoteWord, WordKind};
use crate::source::Span;
use throng_base::DidYouMean;

/// Reads a note that stands alone, as in the JSON twin: all of the tokens, of which there must
/// be one, are a single statement or a single clause of `on`.
pub(crate) fn read_note(tokens: &[Token<'_>], on: NoteOn, report: &mut Report) -> Option<Note> {
    let first = *tokens.first()?;
    let (mut clause_starts, mut joints, mut found) = (Vec::new(), Vec::new(), Vec::new());
    let marks = Marks {
        clause_starts: &mut clause_starts,
        joints: &mut joints,
        notes: &mut found,
        first_note: 0,
    };
    let (at, end, file) = (1, tokens.len(), first.span.file);
    let clauses = &[];
    let mut parser = Parser {
        tokens,
        start: 0,
        at,
        end,
        file,
        report,
        marks,
        clauses,
        meant: None,
        joined_name: None,
    };
    parser.only_note(first, on).ok()
}

impl<'t> Parser<'_, 't> {
    /// The note that the whole text is.
    fn only_note(&mut self, first: Token<'t>, on: NoteOn) -> Parse<Note> {
        let (known, clauses): (&[&'static str], _) = match on {
            NoteOn::Itself => (&notes::STATEMENTS, None),
            NoteOn::Action(_) => (&notes::ACTION_CLAUSES, Some(ACTION_CLAUSES)),
            NoteOn::Goal(_) => (&notes::GOAL_CLAUSES, Some(GOAL_CLAUSES)),
            NoteOn::Npc(_) => (&notes::NPC_CLAUSES, Some(NPC_CLAUSES)),
        };
        if first.kind != Kind::Name || !known.contains(&first.text) {
            return Err(self.no_note(first, known, clauses.is_some()));
        }
        let Some(clauses) = clauses else { return self.note_statement(first) };
        self.note_clause(first.text, first.span, on, clauses)?;
        if let Some(next) = self.peek() {
            let text = format!("`{}` begins another clause inside a note", next.text);
            let cure = "write one note for each clause";
            self.report.say(Code::Expected, next.span, text, cure);
            return Err(Stop);
        }
        self.marks.notes.pop().ok_or(Stop)
    }

    fn no_note(&mut self, first: Token<'t>, known: &[&'static str], is_clause: bool) -> Stop {
        if first.kind == Kind::Broken {
            return Stop;
        }
        let near = self.nearest(first.text, known);
        let (code, what) = match is_clause {
            true => (Code::UnknownClause, "clause"),
            false => (Code::UnknownStatement, "statement"),
        };
        let text = format!("`{}` begins no {what} that is a note", first.text);
        let cure = format!("begin with one of: {}", known.join(", "));
        self.report.say(code, first.span, format!("{text}{}", DidYouMean(near)), cure);
        Stop
    }

    /// The rest of a statement that is a note.
    pub(super) fn note_statement(&mut self, first: Token<'t>) -> Parse<Note> {
        let words = self.note_words(self.end)?;
        let keyword = first.text.to_string();
        Ok(Note { keyword, on: NoteOn::Itself, words, span: self.since(first.span) })
    }

    /// A clause that is a note: everything up to the next word that begins a clause here.
    pub(super) fn note_clause(
        &mut self,
        keyword: &'t str,
        span: Span,
        on: NoteOn,
        clauses: &'static [&'static str],
    ) -> Parse<()> {
        let earlier = &self.marks.notes[self.marks.first_note..];
        if earlier.iter().any(|note| note.keyword == keyword) {
            return Err(self.twice(keyword, span));
        }
        let rest = &self.tokens[self.at..self.end];
        let begins = |t: &Token<'_>| t.kind == Kind::Name && clauses.contains(&t.text);
        let length = rest.iter().position(begins).unwrap_or(rest.len());
        if let Some(odd) = looks_like_no_clause(&rest[..length]) {
            self.at += odd;
            return Err(self.expected("a word, a number or `(` in this clause"));
        }
        let words = self.note_words(self.at + length)?;
        let note = Note { keyword: keyword.to_string(), on, words, span: self.since(span) };
        self.marks.notes.push(note);
        Ok(())
    }

    /// Takes the words up to `end`, and marks for the layout where they are joined or grouped.
    fn note_words(&mut self, end: usize) -> Parse<Vec<NoteWord>> {
        let mut words = Vec::with_capacity(end - self.at);
        for at in self.at..end {
            let token = &self.tokens[at];
            if token.kind == Kind::Broken {
                return Err(Stop);
            }
            let before = &self.tokens[at - 1];
            let groups = token.kind == Kind::Open
                && before.kind == Kind::Name
                && notes::BEFORE_GROUPS.contains(&before.text);
            let joins = token.kind == Kind::Name && notes::JOINTS.contains(&token.text);
            if groups || joins {
                self.marks.joints.push(at);
            }
            words.push(note_word(token));
        }
        self.at = end;
        Ok(words)
    }
}

/// The first token that would make the clause read as a condition or a change of a variable
/// that is called like it, where nothing but the clause's place says what it is.
fn looks_like_no_clause(words: &[Token<'_>]) -> Option<usize> {
    use Kind::*;
    let compares = |kind| matches!(kind, Is | IsNot | Less | AtMost | More | AtLeast);
    let changes = |token: &Token<'_>| matches!(token.kind, Arrow | PlusIs | MinusIs);
    match words.first() {
        Some(first) if compares(first.kind) => Some(0),
        _ => words.iter().take(2).position(changes),
    }
}

fn note_word(token: &Token<'_>) -> NoteWord {
    let inside = |text: &str| -> Option<String> {
        Some(text.strip_prefix('"')?.strip_suffix('"')?.to_string())
    };
    let (kind, text) = match token.kind {
        Kind::Name => (WordKind::Name, None),
        Kind::Integer | Kind::Decimal => (WordKind::Number, None),
        Kind::Text => (WordKind::Text, inside(token.text)),
        _ => (WordKind::Sign, None),
    };
    NoteWord { kind, text: text.unwrap_or_else(|| token.text.to_string()), span: token.span }
}
