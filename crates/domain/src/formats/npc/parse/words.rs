//! The small words of the grammar: single tokens, lists, clauses, and what to say when they
//! are missing.

use super::{Parse, Parser, Stop, Word};
use crate::diagnostics::Code;
use crate::formats::npc::lex::{Kind, Token};
use crate::names;
use crate::notes::NoteOn;
use crate::source::Span;
use throng_base::DidYouMean;

pub(super) const THE_END: &str = "the end of the statement";

/// Our words, and those that other languages use for them: too far apart for a slip of the fingers.
#[rustfmt::skip]
const FOREIGN_WORDS: [(&str, &[&str]); 11] = [
    ("var", &["variable", "fact", "state"]),
    ("use", &["include", "import"]),
    ("action", &["operator", "behaviour", "behavior", "skill", "ability"]),
    ("npc", &["agent", "character"]),
    ("while", &["when", "where", "pre", "pres", "precondition", "preconditions", "condition", "requires"]),
    ("if", &["unless", "check"]),
    ("cost", &["weight"]),
    ("priority", &["weight", "importance", "utility"]),
    ("can", &["skills"]),
    ("wants", &["goals"]),
    ("starts", &["init", "start"]),
];

impl<'t> Parser<'_, 't> {
    pub(super) fn peek(&self) -> Option<Token<'t>> {
        self.tokens.get(self.at).copied()
    }

    /// The next token, if it is of this kind.
    pub(super) fn sees(&self, kind: Kind) -> Option<Token<'t>> {
        self.peek().filter(|token| token.kind == kind)
    }

    pub(super) fn take(&mut self, kind: Kind) -> bool {
        let found = self.sees(kind).is_some();
        self.at += usize::from(found);
        found
    }

    pub(super) fn comma(&mut self) -> bool {
        self.take(Kind::Comma)
    }

    pub(super) fn sign(&mut self, kind: Kind) -> Parse<()> {
        if self.take(kind) {
            return Ok(());
        }
        if kind == Kind::Colon && (self.nothing_declared() || self.no_blank_in_name()) {
            return Err(Stop);
        }
        Err(self.expected(&kind.words()))
    }

    pub(super) fn keyword(&mut self, word: &str, what: &str) -> Parse<()> {
        if self.take_word(word) { Ok(()) } else { Err(self.expected(what)) }
    }

    pub(super) fn word(&mut self, kind: Kind, what: &str) -> Parse<Word<'t>> {
        match self.peek() {
            Some(token) if token.kind == kind => {
                self.at += 1;
                Ok(token.word())
            }
            Some(token) if kind == Kind::Integer && token.kind == Kind::Decimal => {
                Err(self.no_whole_number(token))
            }
            _ => Err(self.expected(what)),
        }
    }

    pub(super) fn name(&mut self, what: &str) -> Parse<Word<'t>> {
        self.word(Kind::Name, what)
    }

    pub(super) fn value(&mut self, what: &str) -> Parse<Word<'t>> {
        match self.peek() {
            Some(token) if token.kind == Kind::Integer => self.word(Kind::Integer, what),
            Some(token) if token.kind == Kind::Decimal => Err(self.no_whole_number(token)),
            _ => self.name(what),
        }
    }

    pub(super) fn number(&mut self, what: &str) -> Parse<Word<'t>> {
        match self.kind_ahead(0) {
            Some(Kind::Decimal) => self.word(Kind::Decimal, what),
            _ => {
                let whole = self.word(Kind::Integer, what)?;
                self.no_decimal_comma(whole);
                Ok(whole)
            }
        }
    }

    pub(super) fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        // Mostly there is one.
        let mut items = Vec::with_capacity(1);
        loop {
            items.push(item(self)?);
            if !self.comma() || self.no_comma_before_clause() {
                return Ok(items);
            }
        }
    }

    /// The next clause keyword that the planner knows; `None` at the end of the statement. Notes
    /// before it are taken; only `expect` may stand twice.
    pub(super) fn clause(&mut self) -> Parse<Option<(&'t str, Span)>> {
        while let Some((clause, span)) = self.any_clause()? {
            if self.tree.seen.contains(&clause) && clause != "expect" {
                return Err(self.twice(clause, span));
            }
            self.tree.seen.push(clause);
            let statement = self.tokens[self.start].text;
            let Some(keyword) = self.words.clause_note(statement, clause) else {
                return Ok(Some((clause, span)));
            };
            let owner = self.tokens[self.start + 1].text.to_string();
            self.note_of(keyword, span, NoteOn::of(statement, owner))?;
        }
        Ok(None)
    }

    /// The next word that begins a clause of this statement.
    fn any_clause(&mut self) -> Parse<Option<(&'t str, Span)>> {
        let known = self.clauses;
        let Some(token) = self.peek() else { return Ok(None) };
        if token.kind == Kind::Name && known.contains(&token.text) {
            self.tree.clause_starts.push(self.at);
            self.at += 1;
            self.no_sign_behind_clause(token);
            return Ok(Some((token.text, token.span)));
        }
        if token.kind == Kind::Comma {
            let cure = "remove the comma: clauses follow each other without one";
            self.mistake(token.span, "a comma stands where a clause or the end should", cure);
            self.at += 1;
            return self.any_clause();
        }
        if token.kind != Kind::Name {
            return Err(self.expected("a clause, `,` or the end of the statement"));
        }
        if self.no_blank_in_name() {
            return Err(Stop);
        }
        let near = self.nearest(token.text, known);
        let cure = self.cure_of_unknown_clause(token, near);
        let text = match known {
            ["was"] if near.is_none() => format!("a comma is missing before `{}`", token.text),
            _ => format!("`{}` begins no clause{}", token.text, DidYouMean(near)),
        };
        self.report.say(Code::UnknownClause, token.span, text, cure);
        self.after_unknown_clause(near, token.span)
    }

    /// Goes on behind a word that begins no clause, so that the rest of the statement is read
    /// too: as the clause that was probably meant, else with the next clause.
    fn after_unknown_clause(
        &mut self,
        near: Option<&'static str>,
        span: Span,
    ) -> Parse<Option<(&'t str, Span)>> {
        if let Some(near) = near {
            self.at += 1;
            return Ok(Some((near, span)));
        }
        let next = (self.at..self.tokens.len()).find(|at| self.sees_clause(at - self.at));
        self.at = next.ok_or(Stop)?;
        self.any_clause()
    }

    pub(super) fn twice(&mut self, clause: &str, span: Span) -> Stop {
        // A slip that looks like a clause already given was told as the slip it is.
        if self.tokens[self.at - 1].text != clause {
            return Stop;
        }
        let earlier = self.tree.clause_starts.iter().map(|&at| self.tokens[at]);
        let first = earlier.rev().skip(1).find(|token| token.text == clause);
        self.report.say_also(
            Code::ClauseTwice,
            span,
            (first.map_or(span, |token| token.span), "first written here"),
            format!("`{clause}` is written twice in one statement"),
            match clause {
                "cost" | "priority" | "serves" => "keep one",
                _ => "keep one, and separate its entries by commas",
            },
        );
        Stop
    }

    /// The known word that was probably meant.
    pub(super) fn nearest(&mut self, word: &str, known: &[&'static str]) -> Option<&'static str> {
        let meant = foreign(word).find(|ours| known.contains(ours));
        meant.or_else(|| self.report.nearest(word, known.iter().copied()))
    }

    pub(super) fn unknown_statement(&mut self, first: Token<'t>) -> Stop {
        if first.kind == Kind::Broken {
            return Stop;
        }
        let near = self.nearest(first.text, &self.words.statements);
        self.meant = near;
        self.report.say(
            Code::UnknownStatement,
            first.span,
            format!("`{}` begins no statement{}", first.text, DidYouMean(near)),
            match near {
                Some(near) => format!("write `{near}`"),
                None if self.words.begins_clause(first.text) => format!(
                    "begin the line with a blank: `{}` belongs to the statement before",
                    first.text
                ),
                None => "begin with a word such as var, action, goal, npc or test; \
                         or indent the line if it continues the one before"
                    .to_string(),
            },
        );
        Stop
    }

    pub(super) fn expected(&mut self, what: &str) -> Stop {
        let (span, found, cure) = match self.peek() {
            // Said already, when the text was split into words.
            Some(token) if token.kind == Kind::Broken => return Stop,
            Some(token) if token.kind == Kind::Text && names::is_npc_value(inside(token.text)) => {
                let found = format!("`{}`", token.text);
                (token.span, found, format!("write `{}` without quotes", inside(token.text)))
            }
            Some(token) => {
                let is_word = matches!(token.kind, Kind::Name | Kind::Integer | Kind::Decimal);
                let found = match is_word {
                    true => format!("`{}`", token.text),
                    false => token.kind.words(),
                };
                // Of "`->` and the new value" the sign is what is missing.
                let sign = what.strip_prefix('`').and_then(|rest| rest.split('`').next());
                let cure = match sign {
                    _ if token.begins_line && self.words.statements.contains(&token.text) => {
                        format!(
                            "begin {found} in column one: an indented line continues the one before"
                        )
                    }
                    Some(sign) if is_word => format!("write `{sign}` before {found}"),
                    Some(sign) => format!("write `{sign}` before {found}, or in its place"),
                    None if what.ends_with(THE_END) => {
                        format!("remove {found}; items of a list are separated by commas")
                    }
                    None if is_word => format!("write it before {found}, or in its place"),
                    None => format!("write it before {found}, or remove {found}"),
                };
                (token.span, found, cure)
            }
            None => {
                let last = self.tokens[self.tokens.len() - 1].span;
                let span = Span { start: last.end, ..last };
                let cure = match self.tokens[self.tokens.len() - 1].kind {
                    Kind::Comma => {
                        "remove the comma, or write what belongs behind it; \
                                    a line that goes on begins with a blank"
                    }
                    _ => "add it; if it is on the next line, indent that line",
                };
                let cure = cure.to_string();
                (span, THE_END.to_string(), cure)
            }
        };
        self.report.say(Code::Expected, span, format!("expected {what}; found {found}"), cure);
        Stop
    }

    /// From `start` to the last token taken.
    pub(super) fn since(&self, start: Span) -> Span {
        start.to(self.tokens[self.at - 1].span)
    }
}

/// A quoted text without its quotes.
fn inside(text: &str) -> &str {
    text.trim_matches('"')
}

/// Our words for one of another language.
pub(super) fn foreign(word: &str) -> impl Iterator<Item = &'static str> {
    FOREIGN_WORDS.iter().filter(move |(_, theirs)| theirs.contains(&word)).map(|&(ours, _)| ours)
}
