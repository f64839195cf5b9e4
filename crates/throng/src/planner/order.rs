//! Puts a plan into the order that the domain prefers, where that costs nothing.

use super::Scratch;
use crate::answer::Plan;
use crate::npc::Npc;
use crate::request::{Request, Want};
use throng_domain::model::GoalId;
use throng_planner::Problem;

/// Reorders a plan that was found for `goal`, or for the facts of the request.
pub(super) fn honour_wishes(
    npc: &Npc,
    request: &Request,
    goal: Option<GoalId>,
    scratch: &mut Scratch,
    plan: &mut Plan,
) {
    let compiled = npc.domain().compiled();
    let wanted = match (goal, &request.want) {
        (Some(goal), _) => compiled.goal(goal).wants(),
        (None, Want::Facts(facts)) => &facts[..],
        (None, _) => return,
    };
    let kind = npc.kind();
    let problem = scratch.problem.get_or_insert_with(|| Problem::new(compiled, npc.type_id()));
    npc.fill(problem, wanted);
    scratch.solver.plan.clear();
    scratch.solver.plan.extend(plan.actions.iter().filter_map(|&id| kind.local_action(id)));
    scratch.solver.honour_wishes(compiled, problem);
    plan.actions.clear();
    plan.own_costs.clear();
    plan.take(npc, &scratch.solver.plan);
}
