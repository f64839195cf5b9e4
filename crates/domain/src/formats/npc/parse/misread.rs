//! What newcomers write: mistakes of which "expected this, found that" would lead astray.
//!
//! In:   the place where a statement reads like another language, or like another place of ours.
//! Out:  a report with the words to write; where it is certain what was meant, reading goes on as
//!       if that had been written, so that the rest of the statement is judged too.
//! Cost: a few tokens of look-ahead.

mod changes;
mod conditions;
mod numbers;
mod stops;

pub(super) use numbers::foreign_expectation;

use super::{Parse, Parser, Stop, Word};
use crate::diagnostics::Code;
use crate::formats::npc::lex::{Kind, Token};
use crate::source::Span;
use crate::token::Relation;

/// Words of other languages in front of changes, which here stand right behind the colon.
pub(crate) const BEFORE_CHANGES: [&str; 7] =
    ["effect", "effects", "then", "sets", "set", "result", "post"];

impl<'t> Parser<'_, 't> {
    pub(super) fn ahead(&self, offset: usize) -> Option<Token<'t>> {
        self.tokens.get(self.at + offset).copied()
    }

    pub(super) fn kind_ahead(&self, offset: usize) -> Option<Kind> {
        self.ahead(offset).map(|token| token.kind)
    }

    /// The text of a token for a cure.
    fn text_ahead(&self, offset: usize) -> &'t str {
        self.ahead(offset).map_or("…", |token| token.text)
    }

    pub(super) fn sees_clause(&self, offset: usize) -> bool {
        let word = self.ahead(offset).filter(|token| token.kind == Kind::Name);
        word.is_some_and(|token| self.clauses.contains(&token.text))
    }

    /// Whether nothing more belongs to what was just read.
    pub(super) fn sees_end_of_item(&self) -> bool {
        let token = self.peek();
        token.is_none_or(|t| matches!(t.kind, Kind::Comma | Kind::Close)) || self.sees_clause(0)
    }

    /// Reports something that is written otherwise here.
    pub(super) fn mistake(
        &mut self,
        span: Span,
        text: impl Into<String>,
        cure: impl Into<String>,
    ) -> Stop {
        self.report.say(Code::Expected, span, text, cure);
        Stop
    }

    /// Takes a name or a number, if one comes next.
    fn any_value(&mut self) -> Option<Word<'t>> {
        let kinds = [Kind::Name, Kind::Integer, Kind::Decimal];
        let token = self.peek().filter(|token| kinds.contains(&token.kind))?;
        self.at += 1;
        Some(token.word())
    }

    /// Whether a clause follows behind a comma that was just taken; reported if so.
    pub(super) fn no_comma_before_clause(&mut self) -> bool {
        if !self.sees_clause(0) {
            return false;
        }
        use Kind::*;
        let change = |kind| matches!(kind, Some(Arrow | PlusIs | MinusIs));
        // Anything may be called like a clause: then it goes on as an item does.
        let goes_on = match self.kind_ahead(1) {
            Some(Name) => !self.sees_clause(1) && self.ahead(1).is_some_and(|t| t.text != "in"),
            Some(Integer | Decimal) => true,
            None => self.tokens[self.at].text == "urgent" && self.is_behind_condition(),
            _ => false,
        };
        if !goes_on || change(self.kind_ahead(2)) {
            return false;
        }
        let comma = self.tokens[self.at - 1].span;
        let clause = self.tokens[self.at].text;
        let text = format!("a comma stands before `{clause}`, which begins a clause");
        self.mistake(comma, text, "remove the comma");
        true
    }

    /// Whether the comma that was just taken stands behind `variable = value`.
    fn is_behind_condition(&self) -> bool {
        let sign = self.at.checked_sub(3).map(|at| self.tokens[at].kind);
        sign.is_some_and(|kind| kind.relation().is_some())
    }

    /// Says that a name is one word if several stand before `:` or the end.
    pub(super) fn no_blank_in_name(&mut self) -> bool {
        let Some(first) = self.at.checked_sub(1).map(|at| self.tokens[at]) else { return false };
        let is_word = |t: &Token<'_>| matches!(t.kind, Kind::Name | Kind::Integer);
        let mut end = self.at;
        while self.tokens.get(end).is_some_and(|t| is_word(t) && !t.begins_line) {
            end += 1;
        }
        let next = self.tokens.get(end);
        let keyword = self.tokens[self.start].text;
        let ends = match next {
            Some(next) if matches!(keyword, "domain" | "npc") => next.begins_line,
            Some(next) => matches!(next.kind, Kind::Colon | Kind::Open),
            None => matches!(keyword, "domain" | "npc"),
        };
        let is_name =
            self.at == self.start + 2 || (keyword == "shared" && self.at == self.start + 3);
        if end == self.at || !ends || !is_name || first.kind != Kind::Name {
            return false;
        }
        let words: Vec<&str> = self.tokens[self.at - 1..end].iter().map(|t| t.text).collect();
        let span = first.span.to(self.tokens[end - 1].span);
        let text = format!("`{}` is more than one word", words.join(" "));
        let joined = words.join("_");
        self.mistake(span, text, format!("a name is one word: `{joined}`"));
        self.joined_name = Some(joined);
        true
    }

    /// What a statement that ends before its `:` should say.
    pub(super) fn nothing_declared(&mut self) -> bool {
        let keyword = self.tokens[self.start].text;
        let name = self.tokens[self.tokens.len() - 1];
        let missing = match keyword {
            "goal" => "what should hold, as in `goal lit: lamp = on`",
            "action" => "what changes, as in `action open: door shut -> open`",
            "var" | "shared" => "its values, as in `var lamp: off, on`",
            "capability" => "its actions, as in `capability stable_work: feed, clean`",
            "compound" => "its parts, as in `compound ambush: draw, shoot`",
            _ => return false,
        };
        if self.at < self.tokens.len()
            || name.kind != Kind::Name
            || self.tokens.len() < self.start + 2
        {
            return false;
        }
        let text = format!("`{keyword} {}` says nothing", name.text);
        let cure = format!("write `:` and {missing}; a line that goes on begins with a blank");
        self.mistake(name.span, text, cure);
        true
    }

    /// `cost: 2`, `cost = 2`: the sign is reported and skipped.
    pub(super) fn no_sign_behind_clause(&mut self, clause: Token<'t>) {
        let Some(sign) = self.peek() else { return };
        // What stands in a note is judged by its owner.
        if self.words.clause_note(self.tokens[self.start].text, clause.text).is_some() {
            return;
        }
        let next = self.kind_ahead(1);
        let is_number = matches!(next, Some(Kind::Integer | Kind::Decimal));
        if sign.kind == Kind::Colon || (sign.kind == Kind::Compare(Relation::Is) && is_number) {
            self.at += 1;
            let text = format!("`{}` stands behind `{}`", sign.text, clause.text);
            self.mistake(sign.span, text, format!("remove the `{}`", sign.text));
        }
    }

    /// `go()`, `go(p: door)`, `go(p, q in door)`: what stands where a parameter should.
    pub(super) fn no_parameters(&mut self, name: &str) -> Parse<()> {
        let Some(first) = self.peek() else { return Ok(()) };
        let by_in = "a parameter takes the values of a variable by `in`";
        let (word, variable) = (first.text, self.text_ahead(2));
        let (text, cure) = match (first.kind, self.kind_ahead(1)) {
            (Kind::Close, _) => ("there is no parameter", "remove the parentheses".to_string()),
            (Kind::Name, Some(Kind::Colon)) => {
                (by_in, format!("write `{name}({word} in {variable})`"))
            }
            (Kind::Name, Some(Kind::Comma)) => {
                (by_in, format!("write its variable too, as in `{word} in …`"))
            }
            _ => return Ok(()),
        };
        Err(self.mistake(first.span, text, cure))
    }

    /// `not(raining)`: reported and skipped.
    pub(super) fn no_group_of_checks(&mut self, not: Word<'t>) -> Option<Word<'t>> {
        let [open, name, close] = [self.ahead(0)?, self.ahead(1)?, self.ahead(2)?];
        if [open.kind, name.kind, close.kind] != [Kind::Open, Kind::Name, Kind::Close] {
            return None;
        }
        self.at += 3;
        let cure = format!("write `not {}`", name.text);
        self.mistake(self.since(not.span), "checks have no parentheses", cure);
        Some(name.word())
    }

    /// `use common.npc`.
    pub(super) fn no_bare_file(&mut self) -> Parse<()> {
        let Some(token) = self.sees(Kind::Name) else {
            return Ok(());
        };
        let cure = format!("write `use \"{}\"`", token.text);
        Err(self.mistake(token.span, "the name of a file stands between quotes", cure))
    }

    /// `can do everything`: `do` is reported and skipped.
    pub(super) fn no_verb_after_can(&mut self) {
        let Some(verb) = self.peek().filter(|token| matches!(token.text, "do" | "perform")) else {
            return;
        };
        let next = self.ahead(1).filter(|token| token.kind == Kind::Name && !self.sees_clause(1));
        if let Some(next) = next {
            self.at += 1;
            let text = format!("`can` names actions, and `{}` is none", verb.text);
            self.mistake(verb.span, text, format!("write `can {}`", next.text));
        }
    }

    /// The `before` of a wish; other words in its place are reported and read as it.
    pub(super) fn before(&mut self) -> Parse<()> {
        let what = "`before` and an action, as in `prefer draw before shoot`";
        let Some(word) = self.sees(Kind::Name) else {
            return self.keyword("before", what);
        };
        let others = ["over", "then", "to", "than", "first", "after", "rather", "ahead"];
        if !others.contains(&word.text) {
            return self.keyword("before", what);
        }
        let words = |from: usize, to: usize| -> String {
            let words: Vec<&str> = self.tokens[from..to].iter().map(|t| t.text).collect();
            words.join(" ").replace(" ,", ",").replace(" (", "(").replace("( ", "(")
        };
        let (one, other) = (words(self.start + 1, self.at), words(self.at + 1, self.tokens.len()));
        let (one, other) = if word.text == "after" { (other, one) } else { (one, other) };
        let cure = format!("write `prefer {one} before {other}`");
        self.mistake(word.span, format!("`{}` stands where `before` should", word.text), cure);
        self.at += 1;
        Ok(())
    }

    /// Whether what was read last is the number of a clause, as in `cost 2`: no list.
    fn is_one_number(&self) -> bool {
        let [.., word, number] = self.tokens[..self.at] else { return false };
        matches!(number.kind, Kind::Integer | Kind::Decimal)
            && matches!(word.text, "cost" | "priority" | "length")
    }

    /// The clause that begins here, with its first word written so.
    fn clause_with(&self, word: &str) -> String {
        let ends =
            |at: &usize| *at >= self.tokens.len() || self.clauses.contains(&self.tokens[*at].text);
        let mut text = match self.tokens[self.at].text {
            "unless" => format!("{word} not"),
            _ => word.to_string(),
        };
        for at in (self.at + 1..self.at + 6).take_while(|at| !ends(at)) {
            let token = self.tokens[at];
            match token.kind {
                Kind::Comma | Kind::Broken | Kind::Open => break,
                Kind::Colon => {}
                _ => text.extend([" ", token.text]),
            }
        }
        text
    }

    /// What to write where a clause should begin with this word, and it begins none.
    pub(super) fn cure_of_unknown_clause(
        &self,
        token: Token<'t>,
        near: Option<&'static str>,
    ) -> String {
        let known = self.clauses;
        let before = self.tokens[self.at - 1];
        let is_item = matches!(before.kind, Kind::Name | Kind::Integer | Kind::Close);
        match (token.text, near) {
            (word, _) if token.begins_line && self.words.statements.contains(&word) => {
                format!("begin `{word}` in column one: an indented line continues the one before")
            }
            (_, Some(near)) => format!("write `{}`", self.clause_with(near)),
            ("and", _) => "write `,`: all that is listed must hold".to_string(),
            ("or", _) => "write one statement for each alternative".to_string(),
            (word, _)
                if BEFORE_CHANGES.contains(&word) && known == self.words.clauses_of("action") =>
            {
                "write changes right behind the colon, as in `action open: door shut -> open`"
                    .to_string()
            }
            ("then", _) => "write `,` in its place".to_string(),
            ("step" | "by", _) if known == ["was"] => {
                "list the numbers, as in `var gold: 0, 10, 20`".to_string()
            }
            (word, _) if self.is_one_number() => {
                format!("remove `{word}`, or begin a clause: {}", first_five(known))
            }
            (word, _) if is_item && !token.begins_line => {
                let list = format!("separate items by commas: `{}, {word}`", before.text);
                match known {
                    [] | ["was"] => list,
                    _ => format!("{list}; a clause is one of: {}", first_five(known)),
                }
            }
            (_, _) if known.is_empty() => "remove it: nothing else belongs here".to_string(),
            _ => format!("begin with one of: {}", first_five(known)),
        }
    }
}

/// At most five words of a list, the first.
pub(super) fn first_five(words: &[&str]) -> String {
    match words.get(..5) {
        Some(first) if words.len() > 5 => format!("{}, …", first.join(", ")),
        _ => words.join(", "),
    }
}
