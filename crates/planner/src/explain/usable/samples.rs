//! Plans that are found where there are too many states to look at all: each proves that its
//! actions are used.
//!
//! In:   a type, the sets of actions that can be there.
//! Out:  marks in the tally for every action of every plan found.
//! Cost: at most [`MOST_PLANS`] calls of the planner, each with a small budget.

use super::Circumstances;
use super::contexts::Contexts;
use super::distances::Tally;
use super::space::starts;
use crate::context::ActionMask;
use crate::outcome::{Budget, Outcome};
use crate::problem::Problem;
use crate::solve::{How, Solver};
use throng_domain::compile::{CompiledDomain, LocalAction, NpcType, UNKNOWN, Value};
use throng_domain::model::GoalId;

/// Calls of the planner.
const MOST_PLANS: usize = 4_000;
/// States that one call may look at.
const NODES: u64 = 5_000;
/// Sets of actions that are tried.
const MOST_SETS: usize = 6;

pub(super) fn find_plans(
    domain: &CompiledDomain,
    kind: &NpcType,
    given: &Circumstances,
    contexts: &Contexts,
    tally: &mut Tally,
    stop: &dyn Fn() -> bool,
) {
    // Prices of the game's are not known here, and a plan for the domain's might be none for them;
    // they are what the game says when it says nothing.
    let starts = starts(kind, given);
    let start: Vec<Value> = starts.iter().map(|value| value.unwrap_or(UNKNOWN)).collect();
    let mut asker = Asker { domain, kind, contexts, left: MOST_PLANS, solver: Solver::default() };
    for set in 0..contexts.masks.len().min(MOST_SETS) {
        for &goal in kind.goals() {
            asker.ask(set, &start, goal, tally);
        }
    }
    for action in (0..kind.n_actions() as u32).map(LocalAction) {
        let sets = contexts.masks.iter().enumerate().filter(|(_, mask)| mask.has(action));
        // Where little else is there, it is most likely to be the best.
        let size = |mask: &ActionMask| mask.words().iter().map(|word| word.count_ones()).sum();
        let mut sets: Vec<(u32, usize)> = sets.map(|(set, mask)| (size(mask), set)).collect();
        sets.sort_unstable();
        for (_, set) in sets.into_iter().take(MOST_SETS) {
            if tally.actions[action.index()].used_for.is_some() || asker.left == 0 || stop() {
                break;
            }
            let Some(ready) = asker.ready(set, &starts, &start, action) else { continue };
            for &goal in kind.goals() {
                asker.ask(set, &ready, goal, tally);
            }
        }
    }
}

struct Asker<'d> {
    domain: &'d CompiledDomain,
    kind: &'d NpcType,
    contexts: &'d Contexts,
    left: usize,
    solver: Solver,
}

impl Asker<'_> {
    fn problem(&self, set: usize, start: &[Value]) -> Problem {
        let mut problem = Problem::new(self.domain, self.kind.id()).without_reasons();
        let (checks, forbidden) = (problem.checks().clone(), problem.forbidden().clone());
        let there = &self.contexts.masks[set];
        let (domain, npc) = (self.domain, self.kind.id());
        problem.fill_with(domain, npc, |_| UNKNOWN, &[], &checks, &forbidden, there);
        problem.set_start(start);
        problem
    }

    fn plan(&mut self, problem: &Problem) -> Option<&[LocalAction]> {
        self.left = self.left.checked_sub(1)?;
        self.solver.begin();
        let budget = Budget { nodes: NODES, ..Budget::DEFAULT };
        match self.solver.solve(self.domain, problem, &How { budget, ..How::DEFAULT }) {
            Outcome::Plan { .. } => Some(&self.solver.plan),
            Outcome::Satisfied => Some(&[]),
            _ => None,
        }
    }

    /// Marks all actions of the plan for a goal.
    fn ask(&mut self, set: usize, start: &[Value], goal: GoalId, tally: &mut Tally) {
        let Some((wants, ..)) = self.kind.wants(goal) else { return };
        let problem = self.problem(set, start).with_goal(wants);
        if let Some(plan) = self.plan(&problem) {
            for action in plan {
                let fared = &mut tally.actions[action.index()];
                (fared.ready, fared.changes) = (true, true);
                fared.used_for.get_or_insert(goal);
            }
        }
    }

    /// A state that can be reached in which the action can be done: what is open is as it needs
    /// it, the rest is planned for.
    fn ready(
        &mut self,
        set: usize,
        starts: &[Option<Value>],
        start: &[Value],
        action: LocalAction,
    ) -> Option<Vec<Value>> {
        let kind = self.kind;
        let mut state = start.to_vec();
        for need in kind.needs(action) {
            let at = need.variable.index();
            state[at] = starts[at].unwrap_or(need.value);
        }
        let problem = self.problem(set, &state).with_goal(kind.needs(action));
        for &step in self.plan(&problem)? {
            kind.sets(step).iter().for_each(|set| state[set.variable.index()] = set.value);
        }
        Some(state)
    }
}
