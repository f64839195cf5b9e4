//! Questions to the planner, and the answers that are known from before.
//!
//! In:   a state and a goal.
//! Out:  the cheapest plan for it or for one of its alternatives; or that there is none.
//! Cost: a look-up if a mind of the group asked the same before, which is one hash and one
//!       comparison; else the planner's.
//!
//! Plans depend on nothing but state, goal, actions and prices, so results are the same with and
//! without what is known. It is no `IndexTable`: each question has one place, and a new one pushes
//! out the old; all have room for the longest question and plan so far, so that a group that has met
//! these allocates nothing.

use super::PlanBook;
use crate::select::Candidate;
use crate::spec::Spec;
use crate::symbols::State;
use throng_base::mix::hash;
use throng_domain::Cost;
use throng_domain::compile::{LocalAction, PackedValue};
use throng_domain::model::GoalId;
use throng_planner::{AnyOf, Call, Context, Mode, Outcome, Problem, Solver};

/// Hardly a plan has more steps: lists that plans are written to have room for them at once.
const LONG_PLAN: usize = 32;

/// Working memory for planning, one per group of minds.
#[derive(Default)]
pub(crate) struct Scratch {
    solver: Solver,
    problem: Option<Problem>,
    memo: Memo,
    key: Vec<u64>,
    plan: Vec<LocalAction>,
    any: AnyOf<GoalId, LocalAction>,
    pub(super) best: Vec<LocalAction>,
    pub(crate) candidates: Vec<Candidate>,
    pub(super) values: Vec<PackedValue>,
    nodes: u64,
    /// How often it searched, and how often an answer was known, since these were last taken.
    searched: u64,
    recalled: u64,
}

impl Scratch {
    pub(crate) fn new(nodes: u64) -> Self {
        Scratch { nodes, ..Scratch::default() }
    }

    /// How often it searched, and how often an answer was known, since this was last asked.
    pub(crate) fn take_counts(&mut self) -> (u64, u64) {
        (std::mem::take(&mut self.searched), std::mem::take(&mut self.recalled))
    }
}

impl PlanBook {
    /// A plan for a goal, or for the cheapest of the alternatives that serve its name; into
    /// `scratch.best`.
    pub(super) fn plan_for(
        &mut self,
        spec: &Spec,
        state: &State,
        goal: GoalId,
        scratch: &mut Scratch,
    ) -> (Found, GoalId) {
        let Some(group) = spec.domain.goal(goal).group() else {
            let found = self.plan_one(spec, state, goal, scratch);
            std::mem::swap(&mut scratch.plan, &mut scratch.best);
            return (found, goal);
        };
        scratch.any.begin();
        let mut worst = Found::None;
        for &other in spec.domain.npc(state.npc).goals() {
            if spec.domain.goal(other).group() != Some(group) {
                continue;
            }
            match self.plan_one(spec, state, other, scratch) {
                Found::Plan(cost) => {
                    let outcome = Outcome::Plan { cost: Cost(cost) };
                    scratch.any.take(Mode::Cheapest, other, outcome, &mut scratch.plan);
                }
                // A living NPC would rather do the best that is known than nothing.
                Found::GaveUp => worst = Found::GaveUp,
                Found::None => {}
            }
        }
        let best = scratch.any.best(&mut scratch.best);
        best.map_or((worst, goal), |(cost, goal)| (Found::Plan(cost.0), goal))
    }

    /// A plan for one goal, into `scratch.plan`.
    fn plan_one(
        &mut self,
        spec: &Spec,
        state: &State,
        goal: GoalId,
        scratch: &mut Scratch,
    ) -> Found {
        let (domain, npc) = (&*spec.domain, state.npc);
        let Scratch { solver, problem, memo, key, plan, nodes, searched, recalled, .. } = scratch;
        self.asked += 1;
        key.clear();
        key.extend([npc.index() as u64 + 1, goal.index() as u64]);
        let kind = domain.npc(npc);
        key.extend(kind.variables().iter().map(|v| u64::from(state.values()[v.index()])));
        let wants = domain.goal(goal).conditions();
        key.extend(wants.variables().map(|id| u64::from(state.values()[id.index()])));
        key.extend_from_slice(state.enabled().words());
        key.extend_from_slice(state.costs());
        if let Some(found) = memo.find(key, plan) {
            *recalled += 1;
            return found;
        }
        *searched += 1;
        let problem = problem.get_or_insert_with(|| Problem::new(domain, npc).without_reasons());
        let (checks, forbidden, enabled) =
            (state.checks(), state.forbidden(), Some(state.enabled()));
        let context = Context { checks, forbidden, enabled };
        problem.fill(domain, npc, |variable| state.values()[variable], wants, context);
        if !state.costs().is_empty() {
            problem.set_costs(state.costs());
        }
        solver.begin();
        solver.plan.reserve(LONG_PLAN);
        let found = match solver.solve(&Call::new(domain, problem).nodes(*nodes)) {
            Outcome::Plan { cost } => Found::Plan(cost.0),
            // Goals that hold are not asked for, so this is a plan of no steps.
            Outcome::Satisfied => Found::Plan(0),
            Outcome::Impossible(_) => Found::None,
            Outcome::GaveUp(_) => Found::GaveUp,
        };
        plan.clear();
        plan.reserve(LONG_PLAN);
        if let Found::Plan(1..) = found {
            plan.extend_from_slice(&solver.plan);
        }
        memo.keep(key, found, plan);
        found
    }
}

/// The answer of the planner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// A plan of this price in thousandths.
    Plan(u64),
    /// There is none.
    None,
    /// The budget was not enough to know.
    GaveUp,
}

#[derive(Clone, Debug)]
struct Entry {
    key: Vec<u64>,
    found: Found,
    plan: Vec<LocalAction>,
}

/// How many answers are kept: a power of two.
const PLACES: usize = 256;

/// A table of answers; each question has one place.
#[derive(Debug)]
pub(crate) struct Memo {
    entries: Vec<Entry>,
    /// Room for a question and for a plan that every place has.
    question_room: usize,
    plan_room: usize,
}

impl Default for Memo {
    fn default() -> Self {
        let empty = Entry { key: Vec::new(), found: Found::None, plan: Vec::new() };
        Memo { entries: vec![empty; PLACES], question_room: 0, plan_room: 0 }
    }
}

impl Memo {
    fn place(&self, key: &[u64]) -> usize {
        hash(key.iter().copied()) as usize & (self.entries.len() - 1)
    }

    /// The answer to a question, with its plan copied.
    pub(crate) fn find(&self, key: &[u64], plan: &mut Vec<LocalAction>) -> Option<Found> {
        let entry = &self.entries[self.place(key)];
        if key.is_empty() || entry.key != key {
            return None;
        }
        plan.clear();
        plan.reserve(LONG_PLAN);
        plan.extend_from_slice(&entry.plan);
        Some(entry.found)
    }

    /// Gives every place room for a question and a plan of these lengths, once and for all: else
    /// places would ask for it one by one, the last of them after hours.
    fn make_room(&mut self, question: usize, plan: usize) {
        if question <= self.question_room && plan <= self.plan_room {
            return;
        }
        self.question_room = self.question_room.max(question.next_multiple_of(16));
        self.plan_room = self.plan_room.max(plan.next_power_of_two().max(8));
        for Entry { key, plan, .. } in &mut self.entries {
            key.reserve_exact(self.question_room.saturating_sub(key.len()));
            plan.reserve_exact(self.plan_room.saturating_sub(plan.len()));
        }
    }

    /// Keeps an answer.
    pub(crate) fn keep(&mut self, key: &[u64], found: Found, plan: &[LocalAction]) {
        self.make_room(key.len(), plan.len());
        let place = self.place(key);
        let entry = &mut self.entries[place];
        entry.key.clear();
        entry.key.extend_from_slice(key);
        entry.found = found;
        entry.plan.clear();
        entry.plan.extend_from_slice(plan);
    }
}
