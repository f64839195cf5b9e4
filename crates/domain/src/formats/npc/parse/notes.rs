//! Statements and clauses that are not the planner's: their words are kept as they are.
//!
//! In:   the tokens behind the word that begins one.
//! Out:  a [`Note`]; a token that was reported as none gives the statement up without a word.
//! Cost: one pass.

use super::{Parse, Parser, Stop, Tree};
use crate::diagnostics::{Code, Report};
use crate::formats::npc::keywords::Keywords;
use crate::formats::npc::lex::{Kind, Token};
use crate::notes::{self, Keyword, Note, NoteOn, NoteWord};
use crate::source::Span;
use throng_base::DidYouMean;

/// Reads a note that stands alone, as in the JSON twin: all of the tokens, of which there must
/// be one, are a single statement or a single clause of `on`.
pub(crate) fn read_note(
    tokens: &[Token<'_>],
    on: NoteOn,
    words: &Keywords<'_>,
    report: &mut Report,
) -> Option<Note> {
    let first = *tokens.first()?;
    let statement = on.owner().map(|(statement, _)| statement);
    let mut tree = Tree::default();
    let mut parser = Parser::new(tokens, 0, words, &mut tree, report);
    parser.at = 1;
    parser.clauses = words.clauses_of(statement.unwrap_or_default());
    parser.only_note(first, statement, on).ok()
}

impl<'t> Parser<'_, 't> {
    /// The note that the whole text is.
    fn only_note(&mut self, first: Token<'t>, statement: Option<&str>, on: NoteOn) -> Parse<Note> {
        let keyword = match statement {
            None => self.words.note(first.text),
            Some(statement) => self.words.clause_note(statement, first.text),
        };
        let Some(keyword) = keyword.filter(|_| first.kind == Kind::Name) else {
            let known = self.words.all_notes(statement);
            return Err(self.no_note(first, &known, statement.is_some()));
        };
        if statement.is_none() {
            return self.note_statement(keyword, first.span);
        }
        self.note_of(keyword, first.span, on)?;
        if let Some(next) = self.peek() {
            let text = format!("`{}` begins another clause inside a note", next.text);
            let cure = "write one note for each clause";
            return Err(self.mistake(next.span, text, cure));
        }
        self.tree.notes.pop().ok_or(Stop)
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
    pub(super) fn note_statement(&mut self, keyword: &'static Keyword, span: Span) -> Parse<Note> {
        let words = self.note_words(self.tokens.len())?;
        Ok(Note { keyword, on: NoteOn::Itself, words, span: self.since(span) })
    }

    /// A clause that is a note: everything up to the next word that begins a clause here.
    pub(super) fn note_of(
        &mut self,
        keyword: &'static Keyword,
        span: Span,
        on: NoteOn,
    ) -> Parse<()> {
        let rest = &self.tokens[self.at..];
        let begins = |t: &Token<'_>| t.kind == Kind::Name && self.clauses.contains(&t.text);
        let length = rest.iter().position(begins).unwrap_or(rest.len());
        if let Some(odd) = looks_like_no_clause(&rest[..length]) {
            self.at += odd;
            return Err(self.expected("a word, a number or `(` in this clause"));
        }
        if self.tree.is_read_again {
            self.at += length;
            return Ok(());
        }
        let mut words = self.note_words(self.at + length)?;
        if let (NoteOn::Action(_), Some(parameter)) = (&on, self.first_parameter()) {
            call_it_it(&mut words, parameter);
        }
        self.tree.notes.push(Note { keyword, on, words, span: self.since(span) });
        Ok(())
    }

    /// The name of the statement's first parameter: the `spot` of `action goto(spot in place)`.
    fn first_parameter(&self) -> Option<&'t str> {
        let head = self.tokens.get(self.start + 2..self.start + 5)?;
        let is_template = head[0].kind == Kind::Open && head[2].text == "in";
        is_template.then_some(head[1].text)
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
                self.tree.joints.push(at);
            }
            words.push(note_word(token));
        }
        self.at = end;
        Ok(words)
    }
}

/// What a clause compares with the first parameter's name it compares with `it`, which is the same:
/// notes have no other name for it.
fn call_it_it(words: &mut [NoteWord], parameter: &str) {
    for at in 1..words.len() {
        let before = &words[at - 1];
        let refers = before.kind.relation().is_some()
            || (before.kind == Kind::Name && matches!(before.text.as_str(), "of" | "at" | "from"));
        if refers && words[at].kind == Kind::Name && words[at].text == parameter {
            words[at].text = "it".to_string();
        }
    }
}

/// The first token that would make the clause read as a condition or a change of a variable
/// that is called like it, where nothing but the clause's place says what it is.
fn looks_like_no_clause(words: &[Token<'_>]) -> Option<usize> {
    use Kind::*;
    let changes = |token: &Token<'_>| matches!(token.kind, Arrow | PlusIs | MinusIs);
    match words.first() {
        Some(first) if first.kind.relation().is_some() => Some(0),
        _ => words.iter().take(2).position(changes),
    }
}

fn note_word(token: &Token<'_>) -> NoteWord {
    let inside = |text: &'_ str| -> Option<String> {
        Some(text.strip_prefix('"')?.strip_suffix('"')?.to_string())
    };
    let text = if token.kind == Kind::Text { inside(token.text) } else { None };
    let text = text.unwrap_or_else(|| token.text.to_string());
    NoteWord { kind: token.kind, text, span: token.span }
}
