//! Proofs where amounts make too many states: all that leads to a goal, whatever holds, says which
//! actions begin no cheapest plan.
//!
//! In:   a type that counts, the sets of actions that can be there, its goals.
//! Out:  by action, whether it is in no plan from any state at all; nothing if that is too much.
//! Cost: one list of demands for each set of actions and alternative of a goal.
//!
//! What follows a step of a cheapest plan is a cheapest plan. So an action that begins none is in
//! none. With alternatives, a cheapest plan for any of them is one for the one that it reaches.

use super::contexts::{Contexts, Prices};
use super::meter::Meter;
use super::space::starts;
use super::{Circumstances, GoalGroup, LocalWants};
use crate::asks::as_range;
use crate::context::ActionMask;
use crate::counting::{CountingChange, CountingTask, DemandList, Effect, MOST_ENTRIES, Need};
use crate::problem::compared;
use throng_domain::compile::{LocalAction, LocalComparison, LocalRange, NpcTables, PackedValue};

/// Looks at an action in a demand, for each entry that a list may have.
const LOOKS: u64 = 64;

/// By action: whether no plan has it. `None` if that is not known.
pub(super) fn in_none(
    kind: &NpcTables,
    goal_groups: &[GoalGroup],
    given: &Circumstances,
    contexts: &Contexts,
    prices: &Prices,
    meter: &mut Meter<'_>,
) -> Option<Vec<bool>> {
    if !(kind.has_amounts() && contexts.complete && prices.complete) {
        return None;
    }
    let starts = starts(kind, given);
    let mut in_none = vec![true; kind.n_actions()];
    for mask in &contexts.masks {
        let (mut task, actions) = task(kind, mask, &starts)?;
        for wants in goal_groups.iter().flat_map(|group| &group.alternatives) {
            meter.spend(MOST_ENTRIES as u64 * LOOKS * (actions.len() as u64 + 1)).ok()?;
            task.set_goal(goal(kind, wants, &starts)?.into_iter());
            let list = DemandList::build(&task, MOST_ENTRIES)?;
            for (at, action) in actions.iter().enumerate() {
                in_none[action.index()] &= !list.may_begin(at as u32);
            }
        }
    }
    Some(in_none)
}

/// What actions of a set do, from any start.
fn task(
    kind: &NpcTables,
    mask: &ActionMask,
    starts: &[Option<PackedValue>],
) -> Option<(CountingTask, Vec<LocalAction>)> {
    let mut task = CountingTask::default();
    for variable in kind.local_variables() {
        task.add_variable(kind.n_values(variable) as PackedValue, 0);
    }
    let actions: Vec<LocalAction> =
        kind.local_actions().filter(|&action| mask.has(action)).collect();
    for &action in &actions {
        let facts = kind.needs(action).iter().map(|&need| as_range(need));
        let asked = facts.chain(kind.ranges(action).iter().copied());
        let needs = needs(kind, asked, kind.comparisons(action), starts)?;
        let sets = kind.sets(action).iter();
        let sets = sets
            .map(|set| CountingChange { variable: set.variable.0, effect: Effect::Set(set.value) });
        let shifts = kind.shifts(action).iter();
        let shifts = shifts.map(|shift| CountingChange {
            variable: shift.variable.0,
            effect: Effect::Shift(shift.by),
        });
        task.add_action(needs.into_iter(), sets.chain(shifts), kind.cost(action));
    }
    Some((task, actions))
}

fn goal(kind: &NpcTables, wants: &LocalWants, starts: &[Option<PackedValue>]) -> Option<Vec<Need>> {
    let facts = wants.facts.iter().map(|&fact| as_range(fact));
    needs(kind, facts.chain(wants.ranges.iter().copied()), &wants.comparisons, starts)
}

/// One need per variable. `None` if it depends on what is compared with, and that is not known, or
/// if it is no set of few runs.
fn needs(
    kind: &NpcTables,
    asked: impl Iterator<Item = LocalRange>,
    comparisons: &[LocalComparison],
    starts: &[Option<PackedValue>],
) -> Option<Vec<Need>> {
    let mut needs: Vec<Need> = Vec::new();
    let mut add = |need: Need| {
        match needs.iter_mut().find(|known| known.variable == need.variable) {
            Some(known) => known.values = known.values.both(&need.values)?,
            None => needs.push(need),
        }
        Some(())
    };
    for range in asked {
        add(Need::from(&range))?;
    }
    for it in comparisons {
        let n_values = kind.n_values(it.variable) as PackedValue;
        let values = compared(&it.comparison, starts[it.other.index()]?, n_values);
        add(Need { variable: it.variable.0, values })?;
    }
    Some(needs)
}
