//! From a lifted task to a ground one: every action with every useful choice of objects.
//!
//! ```text
//! lifted ─▶ normalise ─▶ reach ─────────────▶ invariants ─▶ build ─▶ named task
//!           bodies to    joins, then each      groups of     variables, operators,
//!           join         instance, then what   facts, one    rules, names
//!                        can become true       at a time
//! ```
//!
//! In:   a [`Lifted`] task.
//! Out:  a [`Grounded`] task, or a [`GroundError`] that says what to change.
//! Cost: the joins of the actions' conditions over the facts that can become true; bounded by
//!       [`Limits`], which are counts.
//!
//! Nothing that can never happen comes out: no operator that cannot become applicable even if
//! nothing were ever lost, no fact that never or always holds, no variable that no goal ever
//! asks for. Plan lengths and costs are those of the lifted task. The order is that of the
//! files: operators by action, then by their objects.

mod balance;
mod body;
mod build;
mod candidates;
mod costs;
mod cover;
mod dominated;
mod expand;
mod formula;
mod instantiate;
mod invariants;
mod join;
mod knowledge;
mod layers;
mod limits;
mod normalise;
mod operators;
mod propositional;
mod prune;
mod reach;
mod rebuild;
mod relation;
mod relevance;
mod sink;
mod split;
mod subsets;
mod unreachable;

use crate::lifted::{Lifted, ObjectId};
use crate::named::NamedTask;
use crate::plan::PlanStep;
use reach::with_action;
use throng_base::Rows;

pub use build::build;
pub use invariants::{Groups, invariants};
pub use limits::{ATOM_BYTES, EFFECT_LITERALS, GroundError, LITERAL_BYTES, Limits, OPERATOR_BYTES};
pub use normalise::{Normal, normalise};
pub use reach::{Reached, reach};
pub use unreachable::Unreachable;

/// A part of grounding, for whoever measures them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// Conditions become bodies to join.
    Normalise,
    /// What can become true, and every instance of every action.
    Reach,
    /// Groups of facts of which at most one holds.
    Invariants,
    /// Variables, operators and names.
    Build,
}

/// How much there was.
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

/// Which action with which objects each operator is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Steps {
    actions: Vec<u32>,
    arguments: Rows<ObjectId>,
}

impl Steps {
    fn push(&mut self, action: u32, arguments: &[u32]) {
        self.actions.push(action);
        self.arguments.push_list(arguments.iter().map(|&object| ObjectId(object)));
    }

    /// How many operators there are.
    pub fn len(&self) -> usize {
        self.actions.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }

    /// The action, by number, and its arguments.
    pub fn get(&self, operator: u32) -> (u32, &[ObjectId]) {
        let at = operator as usize;
        (self.actions[at], self.arguments.row(at))
    }
}

/// A ground task, and how it came from the lifted one.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Grounded {
    /// The task with its names.
    pub named: NamedTask,
    /// Its operators as steps of a plan of the lifted task.
    pub steps: Steps,
    /// What of the goal can never hold, if that is already proven; then the named task is a
    /// small one without a plan.
    pub unreachable: Option<Unreachable>,
    /// How much there was.
    pub counts: Counts,
}

impl Grounded {
    /// Operators of the ground task as steps of a plan of the lifted one.
    pub fn plan(&self, task: &Lifted, operators: &[u32]) -> Vec<PlanStep> {
        let step = |&operator: &u32| {
            let (action, arguments) = self.steps.get(operator);
            PlanStep::of(task, action as usize, arguments)
        };
        operators.iter().map(step).collect()
    }
}

/// Grounds a task. `stop` is asked every so often.
///
/// # Errors
///
/// If a limit is reached, `stop` says so, a cost is missing or the axioms have no order.
pub fn ground(
    lifted: &Lifted,
    limits: &Limits,
    stop: Option<&dyn Fn() -> bool>,
) -> Result<Grounded, GroundError> {
    ground_observed(lifted, limits, stop, &mut |_| {})
}

/// Grounds a task and says at the beginning of each phase that it begins.
///
/// # Errors
///
/// As [`ground`].
pub fn ground_observed(
    lifted: &Lifted,
    limits: &Limits,
    stop: Option<&dyn Fn() -> bool>,
    observer: &mut dyn FnMut(Phase),
) -> Result<Grounded, GroundError> {
    observer(Phase::Normalise);
    let normal = normalise(lifted, limits, stop)?;
    observer(Phase::Reach);
    let mut reached = reach(lifted, &normal, limits, stop)?;
    observer(Phase::Invariants);
    let groups = invariants(lifted, &normal, &mut reached, limits, stop);
    let told = |refusal| with_action(refusal, lifted, &normal.schemas, &reached.relations);
    let groups = groups.map_err(told)?;
    observer(Phase::Build);
    build(lifted, &normal, &reached, &groups, limits, stop).map_err(told)
}
