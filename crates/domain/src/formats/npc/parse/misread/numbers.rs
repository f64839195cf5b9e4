//! Numbers, and what stands where one should.

use super::super::{Parse, Parser, Stop, Word};
use crate::build::ExpectDraft;
use crate::formats::npc::lex::{Kind, Token};
use crate::names;
use crate::token::Relation;

/// Expectations, and other names for them.
const EXPECTED_ELSEWHERE: [(&str, &[&str]); 6] = [
    ("length", &["steps", "actions", "size"]),
    ("cost", &["price", "total"]),
    ("impossible", &["none", "nothing", "fail", "failure", "unreachable"]),
    ("satisfied", &["done"]),
    ("never", &["not", "without"]),
    ("plan", &["sequence"]),
];

/// Our word for an expectation of another language.
pub(in super::super) fn foreign_expectation(word: &str) -> Option<&'static str> {
    let mut known = EXPECTED_ELSEWHERE.iter();
    known.find(|(_, theirs)| theirs.contains(&word)).map(|&(ours, _)| ours)
}

impl<'t> Parser<'_, 't> {
    /// `0-5` is two numbers: reported, and read as the end of a range.
    pub(in super::super) fn no_minus_as_range(&mut self, first: Word<'t>) -> Option<Word<'t>> {
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

    /// `0..=5`: the sign is reported and skipped.
    pub(in super::super) fn no_sign_in_range(&mut self) {
        if let Some(sign) = self
            .peek()
            .filter(|token| matches!(token.kind, Kind::Compare(Relation::Is | Relation::Less)))
        {
            self.at += 1;
            let text = format!("`{}` stands in a range", sign.text);
            self.mistake(sign.span, text, "remove it: both ends of a range are included");
        }
    }

    pub(in super::super) fn no_whole_number(&mut self, token: Token<'t>) -> Stop {
        let text = format!("`{}` is no whole number", token.text);
        let cure = "amounts are whole numbers: count in smaller units, as in `var heat: 0..10`";
        self.mistake(token.span, text, cure)
    }

    /// A number; of a word instead of it, `cure` says what to do.
    pub(in super::super) fn number_or(
        &mut self,
        what: &str,
        cure: impl FnOnce(&Self) -> String,
    ) -> Parse<Word<'t>> {
        match self.peek() {
            Some(token) if token.kind == Kind::Name && !token.begins_line => {
                let text = format!("expected {what}; found `{}`", token.text);
                let cure = cure(self);
                Err(self.mistake(token.span, text, cure))
            }
            _ => self.number(what),
        }
    }

    pub(in super::super) fn cost(&mut self) -> Parse<Word<'t>> {
        self.number_or("a number, as in `cost 2.5`", |parser| {
            let name = parser.tokens.get(parser.start + 1).map_or("go", |token| token.text);
            format!(
                "write a number; what the game tells has a line of its own, as in \
                 `price {name}: amount of path`"
            )
        })
    }

    /// The number of actions that a test expects.
    pub(in super::super) fn length(&mut self) -> Parse<Word<'t>> {
        match self.kind_ahead(0) {
            Some(Kind::Name) => {
                let cure = "write how many actions the plan has, as in `expect length 7`";
                self.number_or("a number of actions", |_| cure.to_string())
            }
            _ => self.word(Kind::Integer, "a number of actions, as in `expect length 7`"),
        }
    }

    /// `1,5`: reported, and the rest of the number skipped.
    pub(in super::super) fn no_decimal_comma(&mut self, whole: Word<'t>) {
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
    pub(in super::super) fn count_expected(&mut self) -> Option<ExpectDraft<'t>> {
        let number = self.sees(Kind::Integer)?;
        self.at += 1;
        if !self.sees_clause(0) && self.sees(Kind::Name).is_some() {
            self.at += 1;
        }
        let cure = format!("write `expect length {}`", number.text);
        let text = "a number does not say what is expected";
        self.mistake(self.since(number.span), text, cure);
        Some(ExpectDraft::Length(number.word()))
    }
}
