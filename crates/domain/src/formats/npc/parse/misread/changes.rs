//! Changes as other languages write them, and conditions where a change or a check should stand.

use super::super::words::foreign;
use super::super::{Change, Effect, Parse, Parser, Stop, Word};
use super::BEFORE_CHANGES;
use crate::formats::npc::lex::Kind;
use crate::token::Relation;

impl<'t> Parser<'_, 't> {
    /// Whether a word of another language begins a clause here: `needs mood = calm`.
    pub(in super::super) fn is_foreign_clause(&self) -> bool {
        let Some(first) = self.peek() else { return false };
        let ours = foreign(first.text).any(|ours| self.clauses.contains(&ours));
        let next = self.kind_ahead(1);
        let changes = BEFORE_CHANGES.contains(&first.text) && next == Some(Kind::Colon);
        changes || (ours && matches!(next, Some(Kind::Name | Kind::Colon)))
    }

    /// What stands where the `->` of a change should; `from` is what stands before it.
    pub(in super::super) fn no_change(
        &mut self,
        variable: Word<'t>,
        from: Option<Word<'t>>,
    ) -> Parse<Effect<'t>> {
        let name = variable.text;
        let moved =
            |to| Effect { variable, argument: None, change: Change::Move { from: None, to } };
        let span = self.since(variable.span);
        match (self.kind_ahead(0), from) {
            (Some(Kind::Compare(Relation::Is)), None) => {
                let sign = self.tokens[self.at].span;
                self.at += 1;
                let to = self.value("a value, as in `door -> open`")?;
                // Of `hp = hp + 5` the `+` is told already.
                if to.text == name && self.kind_ahead(0) == Some(Kind::Broken) {
                    return Err(self.expected_arrow());
                }
                if to.text == name {
                    let cure = format!("write `{name} += 1` or `{name} -= 1`");
                    return Err(self.mistake(sign, "counting is written otherwise", cure));
                }
                if self.take(Kind::Arrow) {
                    let new = self.value("the new value after `->`")?;
                    let cure = format!("write `{name} {} -> {}`", to.text, new.text);
                    self.mistake(sign, "the old value stands right behind the variable", cure);
                    let change = Change::Move { from: Some(to), to: new };
                    return Ok(Effect { variable, argument: None, change });
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
                Err(self.mistake(sign.span, text, cure))
            }
            (Some(Kind::Colon), None) => {
                let text = "a `:` stands behind the variable of a change";
                let cure = format!("remove it, as in `{name} shut -> open`");
                Err(self.mistake(self.tokens[self.at].span, text, cure))
            }
            (_, Some(from)) if is_arrow_in_words(from.text) && !self.sees_end_of_item() => {
                let Some(to) = self.any_value() else { return Err(self.expected_arrow()) };
                let text = format!("`{}` is no sign of a change", from.text);
                self.mistake(from.span, text, format!("write `{name} -> {}`", to.text));
                Ok(moved(to))
            }
            (_, Some(from)) if BEFORE_CHANGES.contains(&name) && !self.sees_end_of_item() => {
                self.take(Kind::Compare(Relation::Is));
                let to = self.any_value().map_or("…", |word| word.text);
                let text = format!("`{name}` is no change; changes stand right behind the colon");
                Err(self.mistake(variable.span, text, format!("write `{} -> {to}`", from.text)))
            }
            (_, Some(by)) if self.sees_end_of_item() && by.text.starts_with('-') => {
                let cure = format!("write `{name} -= {}`", &by.text[1..]);
                Err(self.mistake(span, "counting is written otherwise", cure))
            }
            (_, Some(to)) if self.sees_end_of_item() => {
                let text = format!("`{name} {}` says no change", to.text);
                self.mistake(span, text, format!("write `{name} -> {}`", to.text));
                Ok(moved(to))
            }
            (_, None) if self.sees_end_of_item() => {
                let text = format!("`{name}` stands where a change should, and says none");
                let cure = format!("write what it becomes, as in `{name} -> done`");
                Err(self.mistake(span, text, cure))
            }
            _ => Err(self.expected_arrow()),
        }
    }

    fn expected_arrow(&mut self) -> Stop {
        self.expected("`->` and the new value, as in `door shut -> open`")
    }

    /// `-> 0..3` and `-> shut -> open`: reported and skipped.
    pub(in super::super) fn no_range_as_value(
        &mut self,
        variable: Word<'t>,
        to: Word<'t>,
    ) -> Parse<()> {
        if let Some(arrow) = self.sees(Kind::Arrow) {
            let cure = "write one action for each step, or leave the value between out";
            return Err(self.mistake(arrow.span, "a change has one `->`", cure));
        }
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
    pub(in super::super) fn no_condition_as_check(&mut self, name: Word<'t>, negated: bool) {
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
}

/// Whether the word may stand for `->`.
fn is_arrow_in_words(word: &str) -> bool {
    ["to", "into", "becomes", "become", "is", "turns", "goes"].contains(&word)
}
