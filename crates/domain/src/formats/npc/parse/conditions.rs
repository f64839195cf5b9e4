//! Conditions on variables, in the grammar of [`crate::conditions`].
//!
//! In:   the tokens behind `while`, or behind the colon of a goal.
//! Out:  formulas, all of which must hold.
//! Cost: one pass.

use super::{Condition, Formula, Parse, Parser};
use crate::conditions::{Joint, Nesting, ReadConditions, alternatives, join};
use crate::diagnostics::Report;
use crate::formats::npc::lex::{Kind, Token};
use crate::source::Span;
use crate::token::Relation;

impl<'t> ReadConditions for Parser<'_, 't> {
    type Formula = Formula<'t>;

    fn take_joint(&mut self, joint: Joint) -> bool {
        let found = self.take_word(if joint == Joint::Any { "or" } else { "and" });
        if found && joint == Joint::Any {
            self.tree.joints.push(self.at - 1);
        }
        found
    }

    fn nesting(&self) -> Option<Nesting> {
        let token = self.peek()?;
        // A variable may be called `not`.
        let negates = token.kind == Kind::Name && token.text == "not" && !self.relation_follows(1);
        let group = (token.kind == Kind::Open).then_some(Nesting::Group);
        if negates { Some(Nesting::Not) } else { group }
    }

    fn open(&mut self) {
        self.at += 1;
    }

    fn leaf(&mut self) -> Parse<Formula<'t>> {
        match self.turned_condition().or_else(|| self.bare_condition()) {
            Some(formula) => Ok(formula),
            None => self.condition().map(Formula::One),
        }
    }

    fn group(&mut self, depth: usize) -> Parse<Formula<'t>> {
        self.tree.joints.push(self.at - 1);
        let list = self.list(|p| alternatives(p, depth))?;
        match self.take(Kind::Close) {
            true => Ok(join::<Self>(Joint::All, list)),
            false => Err(self.expected("`)`, `or`, `and` or `,`")),
        }
    }

    fn joined(joint: Joint, list: Vec<Formula<'t>>) -> Formula<'t> {
        if joint == Joint::Any { Formula::Any(list) } else { Formula::All(list) }
    }

    fn negated(inner: Formula<'t>) -> Formula<'t> {
        Formula::Not(Box::new(inner))
    }

    fn report(&mut self) -> (&mut Report, Span) {
        (self.report, self.tokens[self.at].span)
    }
}

impl<'t> Parser<'_, 't> {
    /// Conditions separated by commas: all must hold.
    pub(super) fn conditions(&mut self) -> Parse<Vec<Formula<'t>>> {
        self.list(|p| alternatives(p, 0))
    }

    /// Takes the next token if it is this word.
    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let found = self.peek().is_some_and(|t| t.kind == Kind::Name && t.text == word);
        self.at += usize::from(found);
        found
    }

    /// Whether the token so far ahead compares.
    pub(super) fn relation_follows(&self, ahead: usize) -> bool {
        let token = self.tokens.get(self.at + ahead);
        token.is_some_and(|token| token.kind.relation().is_some())
    }

    pub(super) fn condition(&mut self) -> Parse<Condition<'t>> {
        self.no_variable()?;
        let variable = self.name("a variable and its value, as in `door = open`")?;
        let argument = self.argument_of_one()?;
        let Some(relation) = self.peek().and_then(relation_of) else {
            return Err(self.no_relation(variable));
        };
        self.at += 1;
        let relation = self.torn_relation(relation);
        let value = self.value("a value, as in `door = open`")?;
        self.after_condition(variable, relation, value)?;
        let span = variable.span.to(value.span);
        Ok(Condition { variable, argument, relation, value, span })
    }
}

/// The relation that a token asks by. `=>` is read as an arrow, and reported as no sign: in a
/// condition it was meant to be `>=`.
fn relation_of(token: Token<'_>) -> Option<Relation> {
    let meant = (token.text == "=>").then_some(Relation::AtLeast);
    token.kind.relation().or(meant)
}
