//! Why a printed algorithm gives no plan, in data and in words.
//!
//! In:   what went wrong.
//! Out:  a sentence with the names of the domain.
//! Cost: a string; not made while planning.
//!
//! The first kinds say that the problem is none of the papers'. The last ones are the `fail`s
//! as printed: the papers take them for proofs, which they are not always.

use super::trace::Line;
use throng_domain::compile::{CompiledDomain, LocalAction, LocalFact, LocalVariable, NpcTables};
use throng_domain::model::{Fact, Range};
use throng_planner::topological::NotMoves;

/// Why there is no plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// Some action is not a move with a value of its own.
    NotMoves(NotMoves),
    /// An action counts, or asks for one of several values: the papers know values only.
    Counts(LocalAction),
    /// The goal wants one of several values: the papers want one for each variable.
    GoalRange(LocalVariable),
    /// A goal on an amount that this type does not touch, and it does not hold.
    OutsideRange(Range),
    /// What the goal wants contradicts itself.
    Contradiction,
    /// The papers want every start value known.
    UnknownStart(LocalVariable),
    /// The papers want a goal value for every variable.
    NoGoalValue(LocalVariable),
    /// The goal wants two values of one variable.
    TwoGoalValues(LocalVariable),
    /// A goal on a variable that this type does not touch, and it does not hold.
    OutsideGoal(Fact),
    /// Two values of the variable are needed: Bäckström's planner knows one.
    NotSingleValued(LocalVariable),
    /// A chain or a need meets a value that no action sets.
    NobodySets(Line, LocalFact),
    /// A chain meets an action that is in the plan already, or comes back to where it was.
    MeetsItself(Line, LocalFact),
    /// The orders go round in a circle through the setter of this value.
    Circle(Line, LocalFact),
}

impl Failure {
    /// The printed line that fails; `None` if the problem is none of the papers'.
    pub fn line(self) -> Option<Line> {
        match self {
            Failure::NobodySets(line, _)
            | Failure::MeetsItself(line, _)
            | Failure::Circle(line, _) => Some(line),
            _ => None,
        }
    }

    /// The failure in words.
    pub fn sentence(self, domain: &CompiledDomain, npc: &NpcTables) -> String {
        let map = domain.map();
        let variable = |v: LocalVariable| map.variable(npc.variables()[v.index()]);
        let action = |a: LocalAction| map.action(npc.actions()[a.index()]);
        let fact = |fact: LocalFact| map.fact(npc.fact(fact));
        match self {
            Failure::NotMoves(NotMoves::NotUnary(a)) => {
                format!("`{}` changes more than one variable", action(a))
            }
            Failure::NotMoves(NotMoves::FromSeveral(a)) => {
                format!("`{}` does not say from which value it comes", action(a))
            }
            Failure::NotMoves(NotMoves::NotPostUnique(a, b)) => {
                format!("`{}` and `{}` set the same value", action(a), action(b))
            }
            Failure::NotMoves(NotMoves::Counts(a)) | Failure::Counts(a) => {
                format!("`{}` counts; the papers know values only", action(a))
            }
            Failure::GoalRange(v) => {
                format!("the goal wants one of several values of `{}`", variable(v))
            }
            Failure::OutsideRange(range) => {
                format!("`{}` does not hold and nothing here changes it", map.range(range))
            }
            Failure::Contradiction => "what the goal wants contradicts itself".to_string(),
            Failure::UnknownStart(v) => {
                format!("`{}` starts unknown; the papers want every value known", variable(v))
            }
            Failure::NoGoalValue(v) => {
                format!("`{}` has no goal value; the papers want one for each", variable(v))
            }
            Failure::TwoGoalValues(v) => format!("the goal wants `{}` twice", variable(v)),
            Failure::OutsideGoal(fact) => {
                format!("`{}` does not hold and nothing here changes it", map.fact(fact))
            }
            Failure::NotSingleValued(v) => {
                format!("two values of `{}` are needed; this planner knows one", variable(v))
            }
            Failure::NobodySets(line, at) => format!("line {line}: nobody sets `{}`", fact(at)),
            Failure::MeetsItself(line, at) => {
                format!("line {line}: the chain meets `{}` again", fact(at))
            }
            Failure::Circle(line, at) => {
                format!("line {line}: the orders go round in a circle through `{}`", fact(at))
            }
        }
    }
}
