//! A call answered by the searches that count.
//!
//! In:   a call whose problem counts.
//! Out:  the answer; the plan has been replayed.
//! Cost: that of the searches; no allocation once warm, but for a reason that may be read.

mod blame;

use crate::budget::{Limit, Mode};
use crate::call::Call;
use crate::counting::{Counting, CountingFound, CountingTask, Direction};
use crate::engine::Engine;
use crate::outcome::{Outcome, SolverAnswer};
use crate::problem::Problem;
use crate::proof::{Exhausted, Found as Ground, Proof};
use crate::replay::hand_out;
use blame::blame;
use throng_domain::compile::{Digest, LocalAction, PackedValue};

/// Working memory; keep one per thread and reuse it.
#[derive(Debug, Default)]
pub(crate) struct CountingScratch {
    task: CountingTask,
    search: Counting,
    /// The action of each number of the task.
    actions: Vec<LocalAction>,
    steps: Vec<u32>,
    state: Vec<PackedValue>,
    /// What the search is about, while it can be resumed.
    under_way: Option<(Digest, Mode, Option<Direction>)>,
    about: Option<Problem>,
    nodes_of_last_call: u64,
}

/// Plans from the beginning, or goes on with a search for the same problem that gave up if the call
/// says so.
pub(crate) fn plan(
    call: &Call<'_>,
    scratch: &mut CountingScratch,
    plan: &mut Vec<LocalAction>,
) -> SolverAnswer {
    plan.clear();
    let (npc, problem) = (call.npc(), call.problem);
    if !(call.resume && scratch.is_about(call)) {
        scratch.under_way = None;
        scratch.nodes_of_last_call = 0;
        if let Some(proof) = Proof::outside(problem) {
            return SolverAnswer { outcome: Outcome::Impossible(proof), nodes: 0 };
        }
        if problem.is_goal(problem.start()) {
            return SolverAnswer { outcome: Outcome::Satisfied, nodes: 0 };
        }
        let CountingScratch { task, search, actions, .. } = &mut *scratch;
        task.fill(npc, problem, call.mode, actions);
        match call.mode {
            Mode::Fast => search.begin_fast(task, direction(call)),
            Mode::Cheapest | Mode::Shortest => search.begin(task, direction(call)),
        }
    }
    let CountingScratch { task, search, actions, steps, state, under_way, .. } = &mut *scratch;
    let before = if under_way.is_some() { search.nodes() } else { 0 };
    let found = search.run(task, &call.budget, steps);
    let nodes = search.nodes();
    let answered = match found {
        CountingFound::Plan => {
            plan.extend(steps.iter().map(|&step| actions[step as usize]));
            Ok(hand_out(npc, problem, plan, state).unwrap_or(Outcome::GaveUp(Limit::Stopped)))
        }
        CountingFound::Impossible => {
            let found = || {
                let (mode, bytes) = (call.mode, call.budget.bytes);
                Ground::Exhausted(Exhausted { mode, tried: nodes, bytes, blame })
            };
            Ok(Outcome::Impossible(Proof::new(problem, found)))
        }
        CountingFound::Limit(limit) => Err(limit),
    };
    scratch.nodes_of_last_call = nodes - before;
    let outcome = match answered {
        Ok(outcome) => {
            scratch.under_way = None;
            outcome
        }
        Err(limit) => {
            // Kept to be resumed; planning to the end without a limit never copies.
            if scratch.under_way.is_none() {
                scratch.under_way = Some((call.domain.digest(), call.mode, direction(call)));
                scratch.about.get_or_insert_with(|| problem.clone()).copy_from(problem);
            }
            Outcome::GaveUp(limit)
        }
    };
    SolverAnswer { outcome, nodes }
}

/// Where the search begins, if the caller says so.
fn direction(call: &Call<'_>) -> Option<Direction> {
    match call.engine {
        Some(Engine::Regressive) => Some(Direction::Backward),
        Some(Engine::Forward) => Some(Direction::Forward),
        Some(Engine::Topological) | None => None,
    }
}

impl CountingScratch {
    throng_base::getters! {
        /// How many nodes the last call expanded.
        nodes_of_last_call: u64;
    }

    /// The engine that answered last.
    pub(crate) fn answered(&self) -> Option<Engine> {
        self.search.answered().map(|direction| match direction {
            Direction::Backward => Engine::Regressive,
            Direction::Forward => Engine::Forward,
        })
    }

    /// Whether a search for this very problem is under way.
    fn is_about(&self, call: &Call<'_>) -> bool {
        self.under_way == Some((call.domain.digest(), call.mode, direction(call)))
            && self.about.as_ref() == Some(call.problem)
    }
}
