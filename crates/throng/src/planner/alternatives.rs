//! A goal with alternatives: any of them will do, the cheapest plan is taken ([`AnyOf`]).
//!
//! In:   the ground goals that serve one name.
//! Out:  satisfied if one of them holds; else what their answers come to.
//! Cost: one answer per alternative; nothing is allocated once the scratch is warm.
//!
//! [`AnyOf`]: throng_planner::AnyOf

use super::{Scratch, for_goal};
use crate::answer::Plan;
use crate::npc::Npc;
use crate::request::Request;
use throng_domain::model::GoalId;
use throng_planner::{Limit, Outcome, Proof};

/// Plans for any of `goals`, which all belong to the domain.
pub(super) fn any(
    npc: &Npc,
    goals: impl Iterator<Item = GoalId> + Clone,
    request: &Request,
    scratch: &mut Scratch,
    plan: &mut Plan,
    resume: bool,
) -> (Outcome, Option<GoalId>) {
    let compiled = npc.domain().compiled();
    if let Some(held) = goals.clone().find(|&goal| npc.has_all(compiled.goal(goal).conditions())) {
        return (Outcome::Satisfied, Some(held));
    }
    scratch.alternatives.begin();
    for goal in goals {
        plan.clear(npc.domain());
        let outcome = for_goal(npc, goal, request, scratch, plan, resume);
        let answered = (goal, scratch.solver.chosen);
        // All share one budget, and a search is kept for the last one only: whoever used it up goes
        // on when the question is resumed.
        let is_used_up = matches!(outcome, Outcome::GaveUp(Limit::Nodes | Limit::Stopped));
        if scratch.alternatives.take(request.mode, answered, outcome, &mut plan.actions)
            || is_used_up
        {
            break;
        }
    }
    plan.clear(npc.domain());
    let Some((outcome, (goal, chosen))) =
        scratch.alternatives.end(compiled, request.mode, &mut plan.actions)
    else {
        return (Outcome::Impossible(Proof::foreign(npc.type_id())), None);
    };
    if let Outcome::Plan { cost } = outcome {
        scratch.solver.chosen = chosen;
        plan.price(npc, cost);
    }
    (outcome, Some(goal))
}

/// Whether a goal that the NPC wants holds, or another that serves the same name.
pub(crate) fn is_satisfied(npc: &Npc, goal: GoalId) -> bool {
    let compiled = npc.domain().compiled();
    let holds = |goal: GoalId| npc.has_all(compiled.goal(goal).conditions());
    let group = compiled.goal(goal).group();
    let same = |other: &&GoalId| compiled.goal(**other).group() == group;
    holds(goal) || group.is_some() && npc.kind().goals().iter().filter(same).any(|&id| holds(id))
}
