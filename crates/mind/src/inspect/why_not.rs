//! Why a mind does not do an action.
//!
//! In:   a mind, one of the domain's actions.
//! Out:  a sentence: it is under way or planned, it is not there, or why the plan goes without it.
//! Cost: allocates, and plans again, with the action and without; not for the frame.

use super::{NODES, action_name, goal_name};
use crate::choose::Standing;
use crate::mind::Mind;
use crate::spec::Spec;
use crate::time::Tick;
use throng_domain::model::{ActionId, GoalId};
use throng_planner::explain::{Asked, not_used};
use throng_planner::{Call, Mode, Outcome, SearchBudget, Solver};

impl Mind {
    /// Why it does not do an action now, or that it does, without a full stop.
    pub fn why_not(&self, spec: &Spec, action: ActionId, now: Tick) -> String {
        let map = spec.domain.map();
        let name = action_name(spec, action);
        if spec.domain.npc(self.npc).local_action(action).is_none() {
            return format!("`{}` cannot do `{name}`", map.npc(self.npc));
        }
        if self.follow.run().and_then(|run| run.doing.action()) == Some(action) {
            return format!("`{name}` is under way");
        }
        let rest = self.plan.steps.get(self.plan.at..).unwrap_or_default();
        if let Some(goal) = self.plan.goal
            && let Some(step) = rest.iter().position(|&step| step == action)
        {
            let (step, goal) = (self.plan.at + step + 1, goal_name(spec, goal));
            let all = self.plan.steps.len();
            return format!("`{name}` is step {step} of {all} of its plan for `{goal}`");
        }
        if let Some(absent) = self.not_there(spec, now).iter().find(|it| it.action == name) {
            return format!("`{name}` is not there: {}", absent.why);
        }
        match self.plan.goal.or_else(|| self.wanted_most()) {
            Some(goal) => self.why_planned_without(spec, action, goal),
            None => format!("`{name}` could be done, but nothing that it wants matters now"),
        }
    }

    /// The goal that matters most of those that do not hold.
    fn wanted_most(&self) -> Option<GoalId> {
        let idle = |standing| matches!(standing, Standing::Satisfied | Standing::Irrelevant);
        let wanted = self.goals.all().iter().filter(|goal| !idle(goal.standing));
        wanted.max_by(|a, b| a.score.total_cmp(&b.score)).map(|goal| goal.goal)
    }

    fn why_planned_without(&self, spec: &Spec, action: ActionId, goal: GoalId) -> String {
        let name = action_name(spec, action);
        let Some(model) = spec.domain.map().model() else {
            return format!("`{name}` is not in the plan");
        };
        let rest = self.plan.steps.get(self.plan.at..).unwrap_or_default();
        let kind = spec.domain.npc(self.npc);
        // What it has begun it may end, though it cools.
        let mut forbidden = self.state.forbidden().clone();
        for local in rest.iter().filter_map(|&step| kind.local_action(step)) {
            forbidden.set(local, forbidden.has(local) && !self.state.is_paused(local));
        }
        let asked = Asked {
            model,
            domain: &spec.domain,
            npc: self.npc,
            values: self.state.values(),
            goal: spec.domain.goal(goal).conditions(),
            checks: self.state.checks(),
            forbidden: &forbidden,
            costs: self.state.costs(),
            mode: Mode::default(),
        };
        let budget = SearchBudget { nodes: NODES, ..SearchBudget::DEFAULT };
        let mut solver = Solver::default();
        let problem = asked.problem();
        let cost = match solver.solve(&Call::new(&spec.domain, &problem).budget(budget)) {
            Outcome::Plan { cost } => Some(cost),
            _ => None,
        };
        let why = not_used(&asked, action, rest, &budget, &mut solver);
        format!("for `{}`: {}", goal_name(spec, goal), why.sentence(&asked, action, cost))
    }
}
