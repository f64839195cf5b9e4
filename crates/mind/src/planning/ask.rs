//! Questions to the planner, and the answers that are known from before.
//!
//! In:   a state and a goal.
//! Out:  the cheapest plan for it or for one of its alternatives; or that there is none.
//! Cost: a look-up if anybody asked the same before; else the planner's.

use super::PlanBook;
use crate::memo::{Found, Memo};
use crate::spec::Spec;
use crate::symbols::State;
use throng_domain::compile::{LocalAction, Value};
use throng_domain::model::{GoalId, NpcId};
use throng_planner::{Budget, How, Outcome, Problem, Solver};

/// Working memory for planning, one per thread.
pub(crate) struct Scratch {
    solver: Solver,
    problem: Option<Problem>,
    memo: Memo,
    key: Vec<u64>,
    plan: Vec<LocalAction>,
    pub(super) best: Vec<LocalAction>,
    pub(super) values: Vec<Value>,
    nodes: u64,
    /// How often it searched, and how often an answer was known, since somebody took these.
    pub(crate) searched: u64,
    pub(crate) recalled: u64,
}

impl Scratch {
    pub(crate) fn new(nodes: u64) -> Self {
        Scratch {
            solver: Solver::default(),
            problem: None,
            memo: Memo::new(256),
            key: Vec::new(),
            plan: Vec::new(),
            best: Vec::new(),
            values: Vec::new(),
            nodes,
            searched: 0,
            recalled: 0,
        }
    }
}

impl PlanBook {
    /// A plan for a goal, or for the cheapest of the alternatives that serve its name; into
    /// `scratch.best`.
    pub(super) fn plan_for(
        &mut self,
        spec: &Spec,
        state: &State,
        npc: NpcId,
        goal: GoalId,
        scratch: &mut Scratch,
    ) -> (Found, GoalId) {
        let Some(group) = spec.domain.goal(goal).group() else {
            let found = self.plan_one(spec, state, npc, goal, scratch);
            std::mem::swap(&mut scratch.plan, &mut scratch.best);
            return (found, goal);
        };
        let mut best: Option<(u64, GoalId)> = None;
        let mut worst = Found::None;
        for &other in spec.domain.npc(npc).goals() {
            if spec.domain.goal(other).group() != Some(group) {
                continue;
            }
            match self.plan_one(spec, state, npc, other, scratch) {
                Found::Plan(cost) if best.is_none_or(|(least, _)| cost < least) => {
                    best = Some((cost, other));
                    std::mem::swap(&mut scratch.plan, &mut scratch.best);
                }
                Found::GaveUp => worst = Found::GaveUp,
                _ => {}
            }
        }
        best.map_or((worst, goal), |(cost, goal)| (Found::Plan(cost), goal))
    }

    /// A plan for one goal, into `scratch.plan`.
    fn plan_one(
        &mut self,
        spec: &Spec,
        state: &State,
        npc: NpcId,
        goal: GoalId,
        scratch: &mut Scratch,
    ) -> Found {
        let domain = &*spec.domain;
        let Scratch { solver, problem, memo, key, plan, nodes, searched, recalled, .. } = scratch;
        self.asked += 1;
        key.clear();
        key.extend([npc.index() as u64 + 1, goal.index() as u64]);
        let kind = domain.npc(npc);
        key.extend(kind.variables().iter().map(|v| u64::from(state.values()[v.index()])));
        let wants = domain.goal(goal).wants();
        key.extend(wants.iter().map(|fact| u64::from(state.values()[fact.variable.index()])));
        key.extend_from_slice(state.there().words());
        key.extend_from_slice(state.costs());
        if let Some(found) = memo.find(key, plan) {
            *recalled += 1;
            return found;
        }
        *searched += 1;
        let problem = problem.get_or_insert_with(|| Problem::new(domain, npc).without_reasons());
        problem.fill_with(
            domain,
            npc,
            |variable| state.values()[variable],
            wants,
            state.checks(),
            state.forbidden(),
            state.there(),
        );
        if !state.costs().is_empty() {
            problem.set_costs(state.costs());
        }
        solver.begin();
        let budget = Budget { nodes: *nodes, ..Budget::DEFAULT };
        let outcome = solver.solve(domain, problem, &How { budget, ..How::DEFAULT });
        let found = match outcome {
            Outcome::Plan { cost } => {
                solver.honour_wishes(domain, problem);
                Found::Plan(cost.0)
            }
            // Goals that hold are not asked for, so this is a plan of no steps.
            Outcome::Satisfied => Found::Plan(0),
            Outcome::Impossible(_) => Found::None,
            Outcome::GaveUp(_) => Found::GaveUp,
        };
        plan.clear();
        if let Found::Plan(1..) = found {
            plan.extend_from_slice(&solver.plan);
        }
        memo.keep(key, found, plan);
        found
    }
}
