//! Whether everybody in a town that was just served has the single planner's plan.
//!
//! In:   a town in which everybody waited and was served.
//! Out:  what differs, in words.
//! Cost: the single planner once per different question; a comparison per NPC.
//!
//! A plan is right if it has the same actions and cost as the single planner's and replays: the
//! order may differ where several are right. Impossible and satisfied must be said alike.

use super::end_to_end::{Town, actions_on_shared};
use crate::report::Session;
use crate::town::{sorted, spread};
use std::collections::HashMap;
use throng::crowd::{Crowd, CrowdGoalId, NpcHandle, Status};
use throng_domain::compile::{LocalAction, PackedValue, UNKNOWN};
use throng_domain::model::Fact;
use throng_planner::PreparedDomain;
use throng_planner::replay::replay;
use throng_planner::{ActionMask, Call, Context, Outcome, Problem, Solver};

/// The question of an NPC: its values, what it wants, and its group's part of the day.
type Question = (Vec<PackedValue>, CrowdGoalId, usize);

/// An answer that was found right.
type Known = (Status, Vec<LocalAction>);

/// Compares everybody.
pub(super) fn check(town: &Town, domain: &PreparedDomain, row: &str, session: &mut Session<'_>) {
    let mut solver = Solver::default();
    for crowd in town.people.crowds() {
        let name = domain.map().npc(crowd.npc());
        let mut known: HashMap<Question, Known> = HashMap::new();
        let is_wrong = |npc: &NpcHandle| !is_right(town, crowd, *npc, &mut solver, &mut known);
        let n_wrong = crowd.handles().filter(is_wrong).count();
        if n_wrong > 0 {
            session
                .wrong
                .push(format!("{row}: {n_wrong} of {} {name} have another plan", crowd.len()));
        }
    }
}

fn is_right(
    town: &Town,
    crowd: &Crowd,
    npc: NpcHandle,
    solver: &mut Solver,
    known: &mut HashMap<Question, Known>,
) -> bool {
    let domain = crowd.domain();
    let own = domain.npc(crowd.npc());
    let value = |fact: Option<Fact>| fact.map_or(UNKNOWN, |fact| fact.value.index() as PackedValue);
    let values: Vec<PackedValue> =
        own.variables().iter().map(|&variable| value(crowd.get(npc, variable))).collect();
    let (Some(goal), Some(group), Some(status)) =
        (crowd.goal_of(npc), crowd.group_of(npc), crowd.status(npc))
    else {
        return false;
    };
    let plan: Vec<LocalAction> =
        crowd.plan_of(npc).filter_map(|action| own.local_action(action)).collect();
    let checks = &town.checks[group.index()];
    // Groups at the same part of the day are told apart by nothing but their number.
    let part = group.index() % 3;
    let question = (values, goal, part);
    if known.get(&question).is_some_and(|known| *known == (status, plan.clone())) {
        return true;
    }
    let Some(id) = crowd.goal_id(goal) else { return false };
    let wants = domain.goal(id).wants();
    let mut forbidden = ActionMask::none(own.n_actions());
    if town.is_calm {
        actions_on_shared(domain, own).for_each(|action| forbidden.set(action, true));
    }
    let all = spread(domain, own, &question.0);
    let mut problem = Problem::new(domain, crowd.npc());
    problem.fill(domain, crowd.npc(), |at| all[at], wants, Context::new(checks, &forbidden));
    let is_right = agrees(domain, &problem, solver, status, &plan);
    if is_right {
        known.insert(question, (status, plan));
    }
    is_right
}

fn agrees(
    domain: &PreparedDomain,
    problem: &Problem,
    solver: &mut Solver,
    status: Status,
    plan: &[LocalAction],
) -> bool {
    solver.begin();
    match solver.solve(&Call::new(domain, problem)) {
        Outcome::Satisfied => status == Status::Satisfied && plan.is_empty(),
        Outcome::Impossible(_) => status == Status::Impossible && plan.is_empty(),
        Outcome::GaveUp(_) => status == Status::GaveUp && plan.is_empty(),
        Outcome::Plan { cost } => {
            let replayed = replay(problem.kind(domain), problem, plan, &mut Vec::new());
            status == Status::Following
                && replayed == Some(cost.0)
                && sorted(plan) == sorted(&solver.plan)
        }
    }
}
