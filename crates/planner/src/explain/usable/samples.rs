//! Plans that are found where there are too many states to look at all: each proves that its
//! actions are used.
//!
//! In:   a type, the sets of actions that can be there.
//! Out:  marks in the tally for every action of every plan found.
//! Cost: at most [`MOST_PLANS`] calls of the planner, each with a small budget, all together with
//!       as many states as may be looked at, and with the work that is allowed.

use super::contexts::Contexts;
use super::distances::Tally;
use super::meter::Meter;
use super::space::starts;
use super::{Circumstances, GoalGroup};
use crate::asks::{asked_by, with_goal};
use crate::budget::SearchBudget;
use crate::call::Call;
use crate::context::{ActionMask, Context};
use crate::outcome::Outcome;
use crate::prepared::PreparedDomain;
use crate::problem::Problem;
use crate::solve::Solver;
use std::cell::Cell;
use throng_domain::Cost;
use throng_domain::compile::{LocalAction, LocalRange, NpcTables, PackedValue, UNKNOWN};

/// Calls of the planner.
const MOST_PLANS: usize = 4_000;
/// States that one call may look at.
const NODES: u64 = 5_000;
/// The same where something counts: those that go back are met in turns with those that go on.
const COUNTING_NODES: u64 = 40_000;
/// What a state costs for each action of the type: estimates look at an action several times.
const LOOKS: u64 = 8;
/// Work that one call may be.
const MOST_WORK: u64 = 50_000_000;
/// Work between two questions whether to stop: thousands of states, some looks at each.
const LOOKS_PER_STOP: u64 = 4_096 * LOOKS;
/// Sets of actions that are tried.
const MOST_SETS: usize = 6;

/// Whose plans are looked for.
pub(super) struct Asked<'a> {
    pub(super) domain: &'a PreparedDomain,
    pub(super) kind: &'a NpcTables,
    pub(super) goal_groups: &'a [GoalGroup],
    pub(super) contexts: &'a Contexts,
}

/// Looks for plans among at most so many states, or those of one call.
pub(super) fn find_plans(
    asked: &Asked<'_>,
    given: &Circumstances,
    states: usize,
    tally: &mut Tally,
    meter: &mut Meter<'_>,
) {
    // Prices of the game's are not known here, and a plan for the domain's might be none for them;
    // they are what the game says when it says nothing.
    let (kind, contexts) = (asked.kind, asked.contexts);
    let starts = starts(kind, given);
    let start: Vec<PackedValue> = starts.iter().map(|value| value.unwrap_or(UNKNOWN)).collect();
    let solver = Solver::default();
    let mut asker =
        Asker { asked, meter, left: MOST_PLANS, states: NODES.max(states as u64), solver };
    for set in 0..contexts.masks.len().min(MOST_SETS) {
        for wish in asked.goal_groups {
            asker.ask(set, &start, wish, tally);
        }
    }
    for action in kind.local_actions() {
        if asker.meter.spend(contexts.masks.len() as u64).is_err() || asker.is_tired() {
            return;
        }
        let sets = contexts.masks.iter().enumerate().filter(|(_, mask)| mask.has(action));
        // Where little else is there, it is most likely to be the best.
        let size = |mask: &ActionMask| mask.words().iter().map(|word| word.count_ones()).sum();
        let mut sets: Vec<(u32, usize)> = sets.map(|(set, mask)| (size(mask), set)).collect();
        sets.sort_unstable();
        for (_, set) in sets.into_iter().take(MOST_SETS) {
            if tally.actions[action.index()].used_for.is_some() {
                break;
            }
            let Some(ready) = asker.ready(set, &starts, &start, action) else { continue };
            for wish in asked.goal_groups {
                asker.ask(set, &ready, wish, tally);
            }
        }
    }
}

struct Asker<'a, 'm> {
    asked: &'a Asked<'a>,
    meter: &'a mut Meter<'m>,
    /// Calls of the planner.
    left: usize,
    /// States that may still be looked at.
    states: u64,
    solver: Solver,
}

impl Asker<'_, '_> {
    /// Whether nothing more can be asked.
    fn is_tired(&self) -> bool {
        self.left == 0 || self.states == 0
    }

    fn problem(&self, set: usize, start: &[PackedValue]) -> Problem {
        let (domain, npc) = (self.asked.domain, self.asked.kind.id());
        let mut problem = Problem::new(domain, npc).without_reasons();
        let (checks, forbidden) = (problem.checks().clone(), problem.forbidden().clone());
        let enabled = &self.asked.contexts.masks[set];
        let context = Context { checks: &checks, forbidden: &forbidden, enabled: Some(enabled) };
        problem.fill(domain, npc, |_| UNKNOWN, &[], context);
        problem.set_start(domain.npc(npc), start);
        problem
    }

    /// What the planner says, if it may still be asked; the plan is the solver's.
    fn answer(
        &mut self,
        set: usize,
        start: &[PackedValue],
        goal: &[LocalRange],
    ) -> Option<Outcome> {
        // To put the question, and to find an answer without search, takes some looks as well.
        let a_state = LOOKS * (self.asked.kind.n_actions() as u64 + 1);
        self.meter.spend(a_state).ok()?;
        self.left = self.left.checked_sub(1)?;
        let allowed = self.meter.left().min(MOST_WORK);
        let counts = self.asked.kind.has_amounts();
        let nodes = if counts { COUNTING_NODES } else { NODES };
        let nodes = nodes.min(self.states).min(allowed / a_state);
        // A state may have very many neighbours, each with an estimate of its own.
        let asked = Cell::new(0);
        let stop = || asked.replace(asked.get() + 1) >= allowed / LOOKS_PER_STOP;
        let problem = with_goal(&self.problem(set, start), goal);
        self.solver.begin();
        let budget = SearchBudget { nodes, stop: Some(&stop), ..SearchBudget::DEFAULT };
        let outcome = self.solver.solve(&Call::new(self.asked.domain, &problem).budget(budget));
        self.states = self.states.saturating_sub(self.solver.nodes);
        let work = a_state.saturating_mul(self.solver.nodes).max(LOOKS_PER_STOP * asked.get());
        self.meter.spend(work.min(self.meter.left())).ok()?;
        Some(outcome)
    }

    /// Marks all actions of the cheapest plan for a wish, whichever alternative that is for. All
    /// must have been answered: else a cheaper one may exist.
    fn ask(&mut self, set: usize, start: &[PackedValue], wish: &GoalGroup, tally: &mut Tally) {
        let mut best: Option<(Cost, Vec<LocalAction>)> = None;
        for goal in &wish.alternatives {
            match self.answer(set, start, &goal.from(self.asked.kind, start)) {
                Some(Outcome::Plan { cost }) => {
                    if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                        best = Some((cost, self.solver.plan.clone()));
                    }
                }
                Some(Outcome::Impossible(_)) => {}
                Some(Outcome::Satisfied | Outcome::GaveUp(_)) | None => return,
            }
        }
        for action in best.map_or(Vec::new(), |(_, plan)| plan) {
            let fared = &mut tally.actions[action.index()];
            (fared.ready, fared.changes) = (true, true);
            fared.used_for.get_or_insert(wish.goal);
        }
    }

    /// A state that can be reached in which the action can be done: what is open is as it needs
    /// it, the rest is planned for.
    fn ready(
        &mut self,
        set: usize,
        starts: &[Option<PackedValue>],
        start: &[PackedValue],
        action: LocalAction,
    ) -> Option<Vec<PackedValue>> {
        let kind = self.asked.kind;
        let mut state = start.to_vec();
        for need in asked_by(kind, start, action) {
            let at = need.variable.index();
            let (first, _) = need.values.ends()?;
            state[at] = starts[at].unwrap_or(first);
        }
        match self.answer(set, &state, &asked_by(kind, &state, action))? {
            Outcome::Satisfied => {}
            Outcome::Plan { .. } => {
                self.solver.plan.iter().for_each(|&step| kind.run(step, &mut state));
            }
            Outcome::Impossible(_) | Outcome::GaveUp(_) => return None,
        }
        Some(state)
    }
}
