//! The task of a list: a goal and the actions that are there, whatever the state.
//!
//! In:   a type, the actions that are there, what is wanted.
//! Out:  a task of planning with amounts, and which action of the type each of its own is.
//! Cost: the actions once.
//!
//! A comparison with another amount, which stands still, is a set for each value that this can have:
//! an action that compares is an action for each, if these are few. Of a goal that compares each such
//! part is a last step of its own, which is no step of a plan: it makes a variable true that is not.

use super::NoListReason;
use throng_domain::amounts::ValueSet;
use throng_domain::compile::{
    LocalAction, LocalComparison, LocalFact, LocalRange, LocalVariable, NpcTables,
};
use throng_planner::ActionMask;
use throng_planner::counting::{CountingChange, CountingTask, Effect, Need};

/// An action, or a goal, may be so many.
const MOST_PARTS: usize = 64;

/// What is wanted, among the variables of the type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'w> {
    pub(crate) facts: &'w [LocalFact],
    pub(crate) ranges: &'w [LocalRange],
    pub(crate) comparisons: &'w [LocalComparison],
}

/// What a list is made of.
#[derive(Debug, Default)]
pub(super) struct ListTask {
    pub(super) task: CountingTask,
    /// By action of the task; `None` of a last step.
    pub(super) actions: Vec<Option<LocalAction>>,
}

/// What a last step costs: something, for no step is free.
pub(super) const LAST_STEP: u64 = 1;

impl ListTask {
    pub(super) fn new(
        npc: &NpcTables,
        enabled: &ActionMask,
        wants: &Wanted<'_>,
    ) -> Result<ListTask, NoListReason> {
        let mut made = ListTask::default();
        for variable in npc.local_variables() {
            made.task.add_variable(npc.n_values(variable) as u16, 0);
        }
        let is_done = made.task.add_variable(2, 0);
        for action in npc.local_actions().filter(|&action| enabled.has(action)) {
            let (facts, ranges) = (npc.needs(action), npc.ranges(action));
            let sets = npc.sets(action).iter();
            let sets = sets.map(|it| CountingChange {
                variable: it.variable.0,
                effect: Effect::Set(it.value),
            });
            let shifts = npc.shifts(action).iter();
            let shifts = shifts
                .map(|it| CountingChange { variable: it.variable.0, effect: Effect::Shift(it.by) });
            for needs in parts(npc, facts, ranges, npc.comparisons(action))? {
                let changes = sets.clone().chain(shifts.clone());
                made.task.add_action(needs.into_iter(), changes, npc.cost(action));
                made.actions.push(Some(action));
            }
        }
        let goals = parts(npc, wants.facts, wants.ranges, wants.comparisons)?;
        if let ([], [goal]) = (wants.comparisons, &goals[..]) {
            made.task.set_goal(goal.iter().copied());
            return Ok(made);
        }
        for goal in goals {
            let change = CountingChange { variable: is_done, effect: Effect::Set(1) };
            made.task.add_action(goal.into_iter(), std::iter::once(change), LAST_STEP);
            made.actions.push(None);
        }
        made.task.set_goal(std::iter::once(Need { variable: is_done, values: ValueSet::one(1) }));
        Ok(made)
    }
}

/// The same needs without comparisons, one for each way to be so; none if they can never hold.
fn parts(
    npc: &NpcTables,
    facts: &[LocalFact],
    ranges: &[LocalRange],
    comparisons: &[LocalComparison],
) -> Result<Vec<Vec<Need>>, NoListReason> {
    let mut needs = Vec::new();
    // A game may want two sets of one variable.
    for need in facts.iter().map(Need::from).chain(ranges.iter().map(Need::from)) {
        narrow(&mut needs, need)?;
    }
    let mut all = vec![needs];
    for it in comparisons {
        let n_values = |variable: LocalVariable| npc.n_values(variable) as u16;
        let mut each = Vec::new();
        for value in 0..n_values(it.other) {
            let holds = |left: &u16| it.comparison.holds(*left, value);
            // All relations but one leave one run, and that one leaves two.
            let set = ValueSet::of((0..n_values(it.variable)).filter(holds));
            let set = set.ok_or(NoListReason::Compares)?;
            for part in &all {
                let mut part = part.clone();
                let other = Need { variable: it.other.0, values: ValueSet::one(value) };
                let fits = narrow(&mut part, other)?
                    && narrow(&mut part, Need { variable: it.variable.0, values: set })?;
                each.extend(fits.then_some(part));
                if each.len() > MOST_PARTS {
                    return Err(NoListReason::Compares);
                }
            }
        }
        all = each;
    }
    Ok(all)
}

/// Asks for less of a variable; `false` if nothing is left.
fn narrow(needs: &mut Vec<Need>, need: Need) -> Result<bool, NoListReason> {
    let Some(known) = needs.iter_mut().find(|known| known.variable == need.variable) else {
        needs.push(need);
        return Ok(!need.values.is_empty());
    };
    known.values = known.values.both(&need.values).ok_or(NoListReason::TooLong)?;
    Ok(!known.values.is_empty())
}
