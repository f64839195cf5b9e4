//! Conditions: one, several, and joined by `or`, `and`, `not` and parentheses.
//!
//! In:   the tokens behind `while`, or behind the colon of a goal.
//! Out:  formulas, all of which must hold.
//! Cost: one pass; parentheses and `not` nest at most [`DEEPEST`] deep, so that nothing that
//!       walks the tree can run out of stack.

use super::{Condition, Formula, Parse, Parser, Stop};
use crate::diagnostics::Code;
use crate::formats::npc::lex::{Kind, Token};

/// How deep parentheses and `not` may nest.
pub(crate) const DEEPEST: usize = 32;

impl<'t> Parser<'_, 't> {
    /// Conditions separated by commas: all must hold.
    pub(super) fn conditions(&mut self) -> Parse<Vec<Formula<'t>>> {
        self.list(|p| p.alternatives(0))
    }

    /// `a or b`, where each side may be joined by `and`, which binds tighter.
    fn alternatives(&mut self, depth: usize) -> Parse<Formula<'t>> {
        let mut list = vec![self.conjunction(depth)?];
        while self.take_word("or") {
            self.marks.joints.push(self.at - 1);
            list.push(self.conjunction(depth)?);
        }
        Ok(join(list, Formula::Any))
    }

    fn conjunction(&mut self, depth: usize) -> Parse<Formula<'t>> {
        let mut list = vec![self.negation(depth)?];
        while self.take_word("and") {
            list.push(self.negation(depth)?);
        }
        Ok(join(list, Formula::All))
    }

    /// A condition, or `not` or parentheses around conditions.
    fn negation(&mut self, depth: usize) -> Parse<Formula<'t>> {
        let Some(token) = self.peek() else { return Ok(Formula::One(self.condition()?)) };
        if let Some(meant) = self.turned_condition() {
            return Ok(meant);
        }
        // A variable may be called `not`.
        let negates = token.kind == Kind::Name && token.text == "not" && !self.relation_follows(1);
        if !negates && token.kind != Kind::Open {
            return match self.bare_condition() {
                Some(bare) => Ok(bare),
                None => Ok(Formula::One(self.condition()?)),
            };
        }
        if depth >= DEEPEST {
            return Err(self.too_deep(token));
        }
        self.at += 1;
        if negates {
            return Ok(Formula::Not(Box::new(self.negation(depth + 1)?)));
        }
        self.marks.joints.push(self.at - 1);
        let list = self.list(|p| p.alternatives(depth + 1))?;
        if !self.take(Kind::Close) {
            return Err(self.expected("`)`, `or`, `and` or `,`"));
        }
        Ok(join(list, Formula::All))
    }

    fn too_deep(&mut self, token: Token<'t>) -> Stop {
        self.report.say(
            Code::ConditionsTooDeep,
            token.span,
            format!("conditions nest more than {DEEPEST} deep"),
            "remove parentheses that say nothing, or split the statement",
        );
        Stop
    }

    /// Takes the next token if it is this word.
    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let found = self.peek().is_some_and(|t| t.kind == Kind::Name && t.text == word);
        self.at += usize::from(found);
        found
    }

    /// Whether the token so far ahead compares.
    pub(super) fn relation_follows(&self, ahead: usize) -> bool {
        let token = self.tokens[..self.end].get(self.at + ahead);
        token.is_some_and(|token| token.kind.relation().is_some())
    }

    pub(super) fn condition(&mut self) -> Parse<Condition<'t>> {
        self.no_variable()?;
        let variable = self.name("a variable and its value, as in `door = open`")?;
        let Some(relation) = self.peek().and_then(|token| token.kind.relation()) else {
            return Err(self.no_relation(variable));
        };
        self.at += 1;
        let relation = self.torn_relation(relation);
        let value = self.value("a value, as in `door = open`")?;
        self.after_condition(variable, relation, value)?;
        Ok(Condition { variable, relation, value, span: variable.span.to(value.span) })
    }
}

/// One formula as it is, several joined.
fn join<'t>(mut list: Vec<Formula<'t>>, join: fn(Vec<Formula<'t>>) -> Formula<'t>) -> Formula<'t> {
    match list.len() {
        1 => list.swap_remove(0),
        _ => join(list),
    }
}
