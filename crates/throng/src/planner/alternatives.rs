//! A goal with alternatives: any of them will do, the cheapest plan is taken.
//!
//! In:   the ground goals that serve one name.
//! Out:  satisfied if one of them holds; else the plan that costs least, of equals that of the
//!       alternative declared first; impossible if all are, with the reason of the one that needs
//!       the fewest changes, of equals the first.
//! Cost: one answer per alternative; nothing is allocated once the scratch is warm.
//!
//! To say which plan is cheapest every alternative must have been answered, so a limit hit by
//! one of them is the answer, unless any plan will do ([`Mode::Fast`]).

use super::{From, Scratch, for_goal};
use crate::answer::Plan;
use crate::npc::Npc;
use crate::request::Request;
use throng_domain::Milli;
use throng_domain::model::GoalId;
use throng_planner::{Mode, Outcome, Reason};

/// Plans for any of `goals`, which all belong to the domain.
pub(super) fn any(
    npc: &Npc,
    goals: impl Iterator<Item = GoalId> + Clone,
    request: &Request,
    scratch: &mut Scratch,
    plan: &mut Plan,
    from: From,
) -> (Outcome, Option<GoalId>) {
    let compiled = npc.domain().compiled();
    if let Some(held) = goals.clone().find(|&goal| npc.has_all(compiled.goal(goal).wants())) {
        return (Outcome::Satisfied, Some(held));
    }
    let mut kept = std::mem::take(&mut scratch.kept);
    let mut best: Option<(u64, Milli, GoalId, _)> = None;
    let mut nearest_no: Option<(u64, (Outcome, Option<GoalId>))> = None;
    let mut gave_up = None;
    for goal in goals {
        plan.clear(npc.domain());
        let outcome = for_goal(npc, goal, request, scratch, plan, from);
        match outcome {
            Outcome::Plan { cost } => {
                let rank = match request.mode {
                    Mode::Cheapest => cost.0,
                    Mode::Shortest | Mode::Fast => plan.len() as u64,
                };
                if best.as_ref().is_none_or(|&(least, ..)| rank < least) {
                    best = Some((rank, cost, goal, scratch.solver.chosen));
                    std::mem::swap(&mut kept, &mut plan.actions);
                }
                if request.mode == Mode::Fast {
                    break;
                }
            }
            Outcome::GaveUp(_) => {
                gave_up.get_or_insert((outcome, Some(goal)));
                // If any plan will do, another alternative may still have one.
                if request.mode != Mode::Fast {
                    break;
                }
            }
            Outcome::Impossible(Reason { far, .. }) => {
                let far = far.unwrap_or(u64::MAX);
                if nearest_no.as_ref().is_none_or(|(least, _)| far < *least) {
                    nearest_no = Some((far, (outcome, Some(goal))));
                }
            }
            Outcome::Satisfied => {}
        }
    }
    plan.clear(npc.domain());
    let found = best.filter(|_| gave_up.is_none() || request.mode == Mode::Fast).map(
        |(_, cost, goal, chosen)| {
            scratch.solver.chosen = chosen;
            plan.cost = cost;
            plan.take_ids(npc, &kept);
            (Outcome::Plan { cost }, Some(goal))
        },
    );
    scratch.kept = kept;
    let nothing = || (Outcome::Impossible(Reason::foreign(npc.type_id())), None);
    found.or(gave_up).or(nearest_no.map(|(_, no)| no)).unwrap_or_else(nothing)
}

/// Whether a goal that the NPC wants holds, or another that serves the same name.
pub(crate) fn is_satisfied(npc: &Npc, goal: GoalId) -> bool {
    let compiled = npc.domain().compiled();
    let holds = |goal: GoalId| npc.has_all(compiled.goal(goal).wants());
    let group = compiled.goal(goal).group();
    let same = |other: &&GoalId| compiled.goal(**other).group() == group;
    holds(goal) || group.is_some() && npc.kind().goals().iter().filter(same).any(|&id| holds(id))
}
