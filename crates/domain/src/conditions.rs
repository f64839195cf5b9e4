//! The grammar of conditions, whatever they ask: `or`, `and`, `not` and parentheses.
//!
//! In:   a reader that knows its words and what stands between them.
//! Out:  what the reader makes of it; `and` binds tighter than `or`.
//! Cost: one pass; parentheses and `not` nest at most [`DEEPEST`] deep, so that nothing that
//!       walks the tree can run out of stack.
//!
//! The language asks variables in this grammar, and notes about minds ask memories.

use crate::diagnostics::{Code, Report};
use crate::notes::Reported;
use crate::source::Span;

/// How deep parentheses and `not` may nest.
pub const DEEPEST: usize = 32;

/// What can stand around conditions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nesting {
    /// `not`.
    Not,
    /// `(`.
    Group,
}

/// How conditions are joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Joint {
    /// `and`: all must hold.
    All,
    /// `or`: one must hold.
    Any,
}

/// Reads the words of conditions.
pub trait ReadConditions: Sized {
    /// A condition, or several in one.
    type Formula;

    /// Takes the word of this joint, if it comes next.
    fn take_joint(&mut self, joint: Joint) -> bool;

    /// What comes next, if conditions stand inside of it.
    fn nesting(&self) -> Option<Nesting>;

    /// Takes what [`ReadConditions::nesting`] saw.
    fn open(&mut self);

    /// One condition.
    ///
    /// # Errors
    ///
    /// Reported if there is none.
    fn leaf(&mut self) -> Result<Self::Formula, Reported>;

    /// What stands between parentheses, the closing one included, at this depth.
    ///
    /// # Errors
    ///
    /// Reported if something is wrong with it.
    fn group(&mut self, depth: usize) -> Result<Self::Formula, Reported>;

    /// Several formulas joined; at least two.
    fn joined(joint: Joint, list: Vec<Self::Formula>) -> Self::Formula;

    /// The opposite.
    fn negated(inner: Self::Formula) -> Self::Formula;

    /// Where mistakes go, and where the next word stands.
    fn report(&mut self) -> (&mut Report, Span);
}

/// Reads `a or b`, where each side may be joined by `and`, inside so many parentheses.
///
/// # Errors
///
/// Reported if something is wrong with it.
pub fn alternatives<R: ReadConditions>(
    reader: &mut R,
    depth: usize,
) -> Result<R::Formula, Reported> {
    // Mostly there is one condition, and no list is made.
    let mut any = Vec::new();
    loop {
        let mut formula = one(reader, depth)?;
        if reader.take_joint(Joint::All) {
            let mut all = vec![formula, one(reader, depth)?];
            while reader.take_joint(Joint::All) {
                all.push(one(reader, depth)?);
            }
            formula = R::joined(Joint::All, all);
        }
        let goes_on = reader.take_joint(Joint::Any);
        if !goes_on && any.is_empty() {
            return Ok(formula);
        }
        any.push(formula);
        if !goes_on {
            return Ok(R::joined(Joint::Any, any));
        }
    }
}

/// A condition, or `not` or parentheses around conditions.
fn one<R: ReadConditions>(reader: &mut R, depth: usize) -> Result<R::Formula, Reported> {
    let Some(nesting) = reader.nesting() else { return reader.leaf() };
    if depth >= DEEPEST {
        let (report, span) = reader.report();
        let text = format!("conditions nest more than {DEEPEST} deep");
        let cure = "remove parentheses that say nothing, or split the statement";
        report.say(Code::ConditionsTooDeep, span, text, cure);
        return Err(Reported);
    }
    reader.open();
    match nesting {
        Nesting::Not => one(reader, depth + 1).map(R::negated),
        Nesting::Group => reader.group(depth + 1),
    }
}

/// One formula as it is, several joined.
pub fn join<R: ReadConditions>(joint: Joint, mut list: Vec<R::Formula>) -> R::Formula {
    match list.pop() {
        Some(only) if list.is_empty() => only,
        last => {
            list.extend(last);
            R::joined(joint, list)
        }
    }
}
