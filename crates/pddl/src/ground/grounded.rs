//! What grounding gives.
//!
//! In:   made by [`super::build`].
//! Out:  a named task, and its operators as steps of a plan of the lifted task.

use super::unreachable::Unreachable;
use crate::lifted::{Lifted, ObjectId};
use crate::named::NamedTask;
use crate::plan::PlanStep;
use throng_base::Rows;

/// How much there was.
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Facts that can become true, those that never change left out.
    pub atoms: usize,
    /// Operators of the task.
    pub operators: usize,
    /// Tuples tried in joins.
    pub joins: u64,
    /// Variables of the task.
    pub variables: usize,
    /// Groups of facts of which at most one holds.
    pub groups: usize,
}

/// A ground task, and how it came from the lifted one.
#[non_exhaustive]
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Grounded {
    /// The task with its names.
    pub named: NamedTask,
    /// By operator the action that it is, and the objects of it.
    pub(super) actions: Vec<u32>,
    pub(super) arguments: Rows<ObjectId>,
    /// What of the goal can never hold, if that is already proven; then the named task is a
    /// small one without a plan.
    pub unreachable: Option<Unreachable>,
    /// How much there was.
    pub counts: Counts,
}

impl Grounded {
    /// The action of an operator, by number, and its arguments.
    pub fn step(&self, operator: u32) -> (u32, &[ObjectId]) {
        let at = operator as usize;
        (self.actions[at], self.arguments.row(at))
    }

    /// Operators of the ground task as steps of a plan of the lifted one.
    pub fn plan(&self, task: &Lifted, operators: &[u32]) -> Vec<PlanStep> {
        let step = |&operator: &u32| {
            let (action, arguments) = self.step(operator);
            PlanStep::of(task, action as usize, arguments)
        };
        operators.iter().map(step).collect()
    }
}
