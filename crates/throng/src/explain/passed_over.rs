//! The goals that the best one was taken instead of, and why.
//!
//! In:   a request that names no goal, and its answer.
//! Out:  an answer for each other goal that had the better claim, or a plan to compare worth with.
//! Cost: a plan per goal.
//!
//! Goals that serve one name count as one, and those that serve the name of the taken goal were
//! not passed over at all.

use crate::answer::Answer;
use crate::npc::Npc;
use crate::planner::{Planner, Scratch, is_satisfied};
use crate::request::{GoalSelection, Request, Target};
use throng_domain::Cost;
use throng_domain::model::GoalId;
use throng_planner::Outcome;

/// A goal that another was taken instead of.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PassedOver {
    /// What comes of asking for it; of alternatives, for any of them.
    pub answer: Answer,
    /// What its plan is worth, if that decided and it has one.
    pub worth: Option<Worth>,
}

/// The priority of a goal less the price of its plan, in thousandths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Worth(pub i64);

throng_base::display! { Worth {
    Self(milli) => "{}{}", if *milli < 0 { "-" } else { "" }, Cost(milli.unsigned_abs());
} }

/// What the plan of an answer is worth; `None` if worth does not decide, or there is no plan.
pub(super) fn worth(npc: &Npc, request: &Request, answer: &Answer) -> Option<Worth> {
    let (Target::Best, GoalSelection::Worth, Some(goal), &Outcome::Plan { cost }) =
        (&request.want, request.among, answer.goal, &answer.outcome)
    else {
        return None;
    };
    let priority = npc.domain().compiled().goal(goal).priority();
    let signed = |cost: Cost| i64::try_from(cost.0).unwrap_or(i64::MAX);
    Some(Worth(signed(priority).saturating_sub(signed(cost))))
}

/// The goals that matter more than the taken one; if worth decided, also the others with a plan.
pub(super) fn passed_over(
    npc: &Npc,
    request: &Request,
    answer: &Answer,
    scratch: &mut Scratch,
) -> Vec<PassedOver> {
    let (Target::Best, Some(taken), Outcome::Plan { .. }) =
        (&request.want, answer.goal, &answer.outcome)
    else {
        return Vec::new();
    };
    let compiled = npc.domain().compiled();
    let rank = |goal| (std::cmp::Reverse(compiled.goal(goal).priority()), goal);
    let as_one = |a: GoalId, b: GoalId| {
        let group = compiled.goal(a).group();
        a == b || group.is_some() && compiled.goal(b).group() == group
    };
    let goals = npc.kind().goals().iter().copied();
    let mut others: Vec<GoalId> =
        goals.filter(|&goal| !as_one(goal, taken) && !is_satisfied(npc, goal)).collect();
    others.sort_unstable_by_key(|&goal| rank(goal));
    // Alternatives count as the first of them, the taken ones too.
    let first = npc.kind().goals().iter().copied().filter(|&goal| as_one(goal, taken));
    let taken_rank = first.map(rank).min().unwrap_or(rank(taken));
    let mut passed = Vec::new();
    for (at, &goal) in others.iter().enumerate() {
        let matters_more = rank(goal) < taken_rank;
        let known = others[..at].iter().any(|&other| as_one(other, goal));
        if known || !(matters_more || request.among == GoalSelection::Worth) {
            continue;
        }
        let members = others.iter().copied().filter(|&other| as_one(other, goal));
        let ask = Request { want: Target::Any(members.collect()), ..request.clone() };
        let answer = Planner::new().plan(npc, &ask, scratch);
        let worth = worth(npc, request, &answer);
        if matters_more || worth.is_some() {
            passed.push(PassedOver { answer, worth });
        }
    }
    passed
}
