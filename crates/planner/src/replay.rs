//! Runs a plan on the compiled domain before it is handed out.
//!
//! In:   the problem and a plan.
//! Out:  its cost, if every action is there and applicable and the goal holds at the end.
//! Cost: one step per condition and effect of the plan.
//!
//! This guards every engine against its own mistakes. The judge for users and tests is
//! `throng-check`, which works on the model and shares no code with this crate.

use crate::outcome::Outcome;
use crate::problem::Problem;
use throng_domain::Cost;
use throng_domain::compile::{LocalAction, NpcTables, PackedValue};

/// Replays `plan`; `None` if it is not a plan for the problem. `state` is working memory.
pub fn replay(
    npc: &NpcTables,
    problem: &Problem,
    plan: &[LocalAction],
    state: &mut Vec<PackedValue>,
) -> Option<u64> {
    problem.start().clone_into(state);
    let cost = match npc.has_amounts() {
        true => walk::<true>(npc, problem, plan, state),
        false => walk::<false>(npc, problem, plan, state),
    }?;
    let outside = problem.outside_holds();
    (outside && problem.is_goal(state)).then_some(cost)
}

/// Does the steps, by values alone where there are no amounts.
fn walk<const AMOUNTS: bool>(
    npc: &NpcTables,
    problem: &Problem,
    plan: &[LocalAction],
    state: &mut [PackedValue],
) -> Option<u64> {
    let mut cost = 0u64;
    for &action in plan {
        let can_run =
            if AMOUNTS { npc.can_run(action, state) } else { npc.facts_allow(action, state) };
        if !can_run || !problem.enabled().has(action) {
            return None;
        }
        if AMOUNTS {
            npc.run(action, state);
        } else {
            npc.set_all(action, state);
        }
        cost = cost.saturating_add(problem.cost(npc, action));
    }
    Some(cost)
}

/// A plan that an engine found, with its price. One that does not replay is thrown away: that would
/// be a mistake of the engine, and is no answer.
pub(crate) fn hand_out(
    npc: &NpcTables,
    problem: &Problem,
    plan: &mut Vec<LocalAction>,
    state: &mut Vec<PackedValue>,
) -> Option<Outcome> {
    let cost = replay(npc, problem, plan, state);
    if cost.is_none() {
        plan.clear();
    }
    Some(Outcome::Plan { cost: Cost(cost?) })
}
