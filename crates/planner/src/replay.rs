//! Runs a plan on the compiled domain before it is handed out.
//!
//! In:   the problem and a plan.
//! Out:  its cost, if every action is there and applicable and the goal holds at the end.
//! Cost: one step per condition and effect of the plan.
//!
//! This guards every engine against its own mistakes. The judge for users and tests is
//! `throng-check`, which works on the model and shares no code with this crate.

use crate::problem::Problem;
use throng_domain::compile::{LocalAction, NpcTables, PackedValue};

/// Replays `plan`; `None` if it is not a plan for the problem. `state` is working memory.
pub fn replay(
    npc: &NpcTables,
    problem: &Problem,
    plan: &[LocalAction],
    state: &mut Vec<PackedValue>,
) -> Option<u64> {
    state.clear();
    state.extend_from_slice(problem.start());
    let mut cost = 0u64;
    for &action in plan {
        let applicable =
            npc.needs(action).iter().all(|need| state[need.variable.index()] == need.value);
        if !applicable || !problem.enabled().has(action) {
            return None;
        }
        for set in npc.sets(action) {
            state[set.variable.index()] = set.value;
        }
        cost = cost.saturating_add(problem.cost(npc, action));
    }
    let outside = problem.outside().iter().all(|fact| fact.holds);
    (outside && problem.is_goal(state)).then_some(cost)
}
