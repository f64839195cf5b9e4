//! Where a count stops: `up to` and `down to`, and what other languages write.

use super::super::{Parse, Parser, Word};
use crate::formats::npc::lex::Kind;

impl<'t> Parser<'_, 't> {
    /// `up to 100` behind `+=`, `down to 0` behind `-=`, if it comes next.
    pub(in super::super) fn stop(
        &mut self,
        variable: Word<'t>,
        negative: bool,
        amount: Word<'t>,
    ) -> Parse<Option<Word<'t>>> {
        let is_name = |offset: usize, word: &str| {
            self.ahead(offset).is_some_and(|it| it.kind == Kind::Name && it.text == word)
        };
        let ours = if negative { "down" } else { "up" };
        let theirs = if negative { "up" } else { "down" };
        let skip = if is_name(0, ours) && is_name(1, "to") {
            self.at += 2;
            let what = format!("the number to stop at, as in `{ours} to 100`");
            return self.value(&what).map(Some);
        } else if is_name(0, theirs) && is_name(1, "to") {
            2
        } else {
            let words = ["to", "max", "min", "until", "upto", "downto", "capped", "clamped"];
            let word = self.ahead(0).filter(|it| it.kind == Kind::Name && words.contains(&it.text));
            let is_number = self.kind_ahead(1) == Some(Kind::Integer);
            if word.is_some() && is_number && !self.sees_clause(0) { 1 } else { 0 }
        };
        if skip == 0 {
            return Ok(None);
        }
        // Certain enough to read on as if it had been written.
        let first = self.tokens[self.at].span;
        self.at += skip;
        let stop = self.value("the number to stop at")?;
        let sign = if negative { "-=" } else { "+=" };
        let verb = if negative { "falls `down to`" } else { "rises `up to`" };
        let text = format!("`{sign}` {verb} a number");
        let (name, by) = (variable.text, amount.text);
        let cure = format!("write `{name} {sign} {by} {ours} to {}`", stop.text);
        self.mistake(self.since(first), text, cure);
        Ok(Some(stop))
    }
}
