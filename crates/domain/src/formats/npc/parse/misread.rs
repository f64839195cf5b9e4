//! What newcomers write: mistakes of which "expected this, found that" would lead astray.
//!
//! In:   the place where a statement reads like another language, or like another place of ours.
//! Out:  a report with the words to write; where it is certain what was meant, reading goes on as
//!       if that had been written, so that the rest of the statement is judged too.
//! Cost: a few tokens of look-ahead.

mod conditions;

use super::words::foreign;
use super::{ACTION_CLAUSES, Change, Effect, ExpectSyntax, Parse, Parser, STATEMENTS, Stop, Word};
use crate::diagnostics::Code;
use crate::formats::npc::lex::{Kind, Token};
use crate::names;
use crate::source::Span;

/// Words of other languages in front of changes, which here stand right behind the colon.
pub(crate) const BEFORE_CHANGES: [&str; 7] =
    ["effect", "effects", "then", "sets", "set", "result", "post"];

/// Expectations by other names.
const EXPECTED_ELSEWHERE: [(&str, &str); 14] = [
    ("steps", "length"),
    ("actions", "length"),
    ("size", "length"),
    ("price", "cost"),
    ("total", "cost"),
    ("none", "impossible"),
    ("nothing", "impossible"),
    ("fail", "impossible"),
    ("failure", "impossible"),
    ("unreachable", "impossible"),
    ("done", "satisfied"),
    ("not", "never"),
    ("without", "never"),
    ("sequence", "plan"),
];

/// Our word for an expectation of another language.
pub(super) fn foreign_expectation(word: &str) -> Option<&'static str> {
    EXPECTED_ELSEWHERE.iter().find(|(theirs, _)| *theirs == word).map(|&(_, ours)| ours)
}

impl<'t> Parser<'_, 't> {
    pub(super) fn ahead(&self, offset: usize) -> Option<Token<'t>> {
        self.tokens[..self.end].get(self.at + offset).copied()
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

    pub(super) fn mistake(&mut self, span: Span, text: impl Into<String>, cure: impl Into<String>) {
        self.report.say(Code::Expected, span, text, cure);
    }

    /// Takes a name or a number, if one comes next.
    fn any_value(&mut self) -> Option<Word<'t>> {
        let kinds = [Kind::Name, Kind::Integer, Kind::Decimal];
        let token = self.peek().filter(|token| kinds.contains(&token.kind))?;
        self.at += 1;
        Some(Word { text: token.text, span: token.span })
    }

    /// Whether a clause follows behind a comma that was just taken; reported if so.
    pub(super) fn no_comma_before_clause(&mut self) -> bool {
        if !self.sees_clause(0) {
            return false;
        }
        use Kind::*;
        let kind = |offset| self.ahead(offset).map(|token| token.kind);
        let change = |kind| matches!(kind, Some(Arrow | PlusIs | MinusIs));
        // Anything may be called like a clause: then it goes on as an item does.
        let goes_on = match kind(1) {
            Some(Name) => !self.sees_clause(1),
            Some(Integer | Decimal) => true,
            None => self.peek().is_some_and(|token| token.text == "urgent"),
            _ => false,
        };
        if !goes_on || change(kind(2)) {
            return false;
        }
        let comma = self.tokens[self.at - 1].span;
        let clause = self.tokens[self.at].text;
        let text = format!("a comma stands before `{clause}`, which begins a clause");
        self.mistake(comma, text, "remove the comma");
        true
    }

    /// Says that a name is one word if several stand before `:` or the end.
    pub(super) fn no_blank_in_name(&mut self) -> bool {
        let Some(first) = self.at.checked_sub(1).map(|at| self.tokens[at]) else { return false };
        let is_word = |t: &Token<'_>| matches!(t.kind, Kind::Name | Kind::Integer);
        let mut end = self.at;
        while self.tokens[..self.end].get(end).is_some_and(|t| is_word(t) && !t.begins_line) {
            end += 1;
        }
        let next = self.tokens[..self.end].get(end);
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
        let name = self.tokens[self.end - 1];
        let missing = match keyword {
            "goal" => "what should hold, as in `goal lit: lamp = on`",
            "action" => "what changes, as in `action open: door shut -> open`",
            "var" | "shared" => "its values, as in `var lamp: off, on`",
            "capability" => "its actions, as in `capability stable_work: feed, clean`",
            "compound" => "its parts, as in `compound ambush: draw, shoot`",
            _ => return false,
        };
        if self.at < self.end || name.kind != Kind::Name || self.end < self.start + 2 {
            return false;
        }
        let text = format!("`{keyword} {}` says nothing", name.text);
        let cure = format!("write `:` and {missing}; a line that goes on begins with a blank");
        self.mistake(name.span, text, cure);
        true
    }

    /// Whether a word of another language begins a clause here: `needs mood = calm`.
    pub(super) fn is_foreign_clause(&self) -> bool {
        let Some(first) = self.peek() else { return false };
        let ours = foreign(first.text).is_some_and(|ours| ACTION_CLAUSES.contains(&ours));
        let next = self.ahead(1).map(|token| token.kind);
        let changes = BEFORE_CHANGES.contains(&first.text) && next == Some(Kind::Colon);
        changes || (ours && matches!(next, Some(Kind::Name | Kind::Colon)))
    }

    /// What stands where the `->` of a change should; `from` is what stands before it.
    pub(super) fn no_change(
        &mut self,
        variable: Word<'t>,
        from: Option<Word<'t>>,
    ) -> Parse<Effect<'t>> {
        let name = variable.text;
        let moved = |to| Effect { variable, change: Change::Move { from: None, to } };
        let span = self.since(variable.span);
        match (self.peek().map(|token| token.kind), from) {
            (Some(Kind::Is), None) => {
                let sign = self.tokens[self.at].span;
                self.at += 1;
                let to = self.value("a value, as in `door -> open`")?;
                if to.text == name {
                    let cure = format!("write `{name} += 1` or `{name} -= 1`");
                    self.mistake(sign, "counting is written otherwise", cure);
                    return Err(Stop);
                }
                if self.take(Kind::Arrow) {
                    let new = self.value("the new value after `->`")?;
                    let cure = format!("write `{name} {} -> {}`", to.text, new.text);
                    self.mistake(sign, "the old value stands right behind the variable", cure);
                    let change = Change::Move { from: Some(to), to: new };
                    return Ok(Effect { variable, change });
                }
                let text = "`=` asks for a value; a change is written with `->`";
                self.mistake(sign, text, format!("write `{name} -> {}`", to.text));
                self.no_range_as_value(variable, to)?;
                Ok(moved(to))
            }
            (Some(_), None) if self.relation_follows(0) => {
                let sign = self.tokens[self.at];
                self.at += 1;
                let other = self.any_value().map_or("…", |word| word.text);
                let text = format!("`{}` asks for a value, where a change should stand", sign.text);
                let cure = format!("write it behind `while`: `while {name} {} {other}`", sign.text);
                self.mistake(sign.span, text, cure);
                Err(Stop)
            }
            (_, Some(from)) if is_arrow_in_words(from.text) && !self.sees_end_of_item() => {
                let Some(to) = self.any_value() else { return Err(self.expected_arrow()) };
                let text = format!("`{}` is no sign of a change", from.text);
                self.mistake(from.span, text, format!("write `{name} -> {}`", to.text));
                Ok(moved(to))
            }
            (_, Some(from)) if BEFORE_CHANGES.contains(&name) && !self.sees_end_of_item() => {
                self.take(Kind::Is);
                let to = self.any_value().map_or("…", |word| word.text);
                let text = format!("`{name}` is no change; changes stand right behind the colon");
                self.mistake(variable.span, text, format!("write `{} -> {to}`", from.text));
                Err(Stop)
            }
            (_, Some(to)) if self.sees_end_of_item() => {
                let text = format!("`{name} {}` says no change", to.text);
                self.mistake(span, text, format!("write `{name} -> {}`", to.text));
                Ok(moved(to))
            }
            (_, None) if self.sees_end_of_item() => {
                let text = format!("`{name}` stands where a change should, and says none");
                let cure = format!("write what it becomes, as in `{name} -> done`");
                self.mistake(span, text, cure);
                Err(Stop)
            }
            _ => Err(self.expected_arrow()),
        }
    }

    fn expected_arrow(&mut self) -> Stop {
        self.expected("`->` and the new value, as in `door shut -> open`")
    }

    /// `-> 0..3`: reported and skipped.
    pub(super) fn no_range_as_value(&mut self, variable: Word<'t>, to: Word<'t>) -> Parse<()> {
        if !self.take(Kind::Range) {
            return Ok(());
        }
        self.any_value();
        let name = variable.text;
        let cure = format!("write one value: `{name} -> {}`; `{name} += 1` counts", to.text);
        self.mistake(self.since(to.span), "a change gives one value, not a range", cure);
        Ok(())
    }

    /// `if till = open`: reported and skipped.
    pub(super) fn no_condition_as_check(&mut self, name: Word<'t>, negated: bool) {
        if !self.relation_follows(0) {
            return;
        }
        let sign = self.tokens[self.at].text;
        self.at += 1;
        let value = self.any_value().map_or("…", |word| word.text);
        let not = if negated { "not " } else { "" };
        let text = "`if` asks the game by a bare name; `while` asks variables";
        let cure = format!("write `while {not}{} {sign} {value}`", name.text);
        self.mistake(self.since(name.span), text, cure);
    }

    /// `0-5` is two numbers: reported, and read as the end of a range.
    pub(super) fn no_minus_as_range(&mut self, first: Word<'t>) -> Option<Word<'t>> {
        let token = self.peek()?;
        let tight = token.span.start == first.span.end;
        let in_words = matches!(token.text, "to" | "until" | "through");
        let (token, skip) = if in_words { (self.ahead(1)?, 2) } else { (token, 1) };
        let last = match token.text.strip_prefix('-') {
            Some(last) if tight => last,
            _ if in_words => token.text,
            _ => return None,
        };
        let is_first = names::as_integer(first.text).is_some();
        if token.kind != Kind::Integer || !is_first {
            return None;
        }
        self.at += skip;
        let cure = format!("write `{}..{last}`", first.text);
        self.mistake(self.since(first.span), "a range is written with `..`", cure);
        Some(Word { text: last, span: token.span })
    }

    /// A number; of a word instead of it, `cure` says what to do.
    pub(super) fn number_or(&mut self, what: &str, cure: &str) -> Parse<Word<'t>> {
        match self.peek() {
            Some(token) if token.kind == Kind::Name && !token.begins_line => {
                let text = format!("expected {what}; found `{}`", token.text);
                self.mistake(token.span, text, cure);
                Err(Stop)
            }
            _ => self.number(what),
        }
    }

    pub(super) fn cost(&mut self) -> Parse<Word<'t>> {
        let name = self.tokens.get(self.start + 1).map_or("go", |token| token.text);
        let cure = format!(
            "write a number; what the game tells has a line of its own, as in \
             `price {name}: amount of path`"
        );
        self.number_or("a number, as in `cost 2.5`", &cure)
    }

    /// `1,5`: reported, and the rest of the number skipped.
    pub(super) fn no_decimal_comma(&mut self, whole: Word<'t>) {
        let (Some(comma), Some(places)) = (self.ahead(0), self.ahead(1)) else { return };
        let tight = whole.span.end == comma.span.start && comma.span.end == places.span.start;
        if comma.kind == Kind::Comma && places.kind == Kind::Integer && tight {
            self.at += 2;
            let span = self.since(whole.span);
            let cure = format!("write `{}.{}`", whole.text, places.text);
            self.mistake(span, "decimals have a point, not a comma", cure);
        }
    }

    /// `expect 4 steps`: reported, and read as what was meant.
    pub(super) fn count_expected(&mut self) -> Option<ExpectSyntax<'t>> {
        let number = self.peek().filter(|token| token.kind == Kind::Integer)?;
        self.at += 1;
        if !self.sees_clause(0) && self.peek().is_some_and(|token| token.kind == Kind::Name) {
            self.at += 1;
        }
        let cure = format!("write `expect length {}`", number.text);
        let text = "a number does not say what is expected";
        self.mistake(self.since(number.span), text, cure);
        Some(ExpectSyntax::Length(Word { text: number.text, span: number.span }))
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
        let Some(word) = self.peek().filter(|token| token.kind == Kind::Name) else {
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
        let (one, other) = (words(self.start + 1, self.at), words(self.at + 1, self.end));
        let (one, other) = if word.text == "after" { (other, one) } else { (one, other) };
        let cure = format!("write `prefer {one} before {other}`");
        self.mistake(word.span, format!("`{}` stands where `before` should", word.text), cure);
        self.at += 1;
        Ok(())
    }

    /// The clause that begins here, with its first word written so.
    fn clause_with(&self, word: &str) -> String {
        let ends = |at: &usize| *at >= self.end || self.clauses.contains(&self.tokens[*at].text);
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
        known: &'static [&'static str],
    ) -> String {
        let before = self.tokens[self.at - 1];
        let is_item = matches!(before.kind, Kind::Name | Kind::Integer | Kind::Close);
        match (token.text, near) {
            (word, _) if token.begins_line && STATEMENTS.contains(&word) => {
                format!("begin `{word}` in column one: an indented line continues the one before")
            }
            (_, Some(near)) => format!("write `{}`", self.clause_with(near)),
            ("and", _) => "write `,`: all that is listed must hold".to_string(),
            ("or", _) => "write one statement for each alternative".to_string(),
            (word, _) if BEFORE_CHANGES.contains(&word) && known == ACTION_CLAUSES => {
                "write changes right behind the colon, as in `action open: door shut -> open`"
                    .to_string()
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

/// Whether somebody may have meant `->` by the word.
fn is_arrow_in_words(word: &str) -> bool {
    ["to", "into", "becomes", "become", "is", "turns", "goes"].contains(&word)
}
