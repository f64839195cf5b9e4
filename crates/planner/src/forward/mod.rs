//! Forward search: from what holds now, state by state. Serves every problem.
//!
//! In:   a problem, a mode, a budget.
//! Out:  a cheapest, shortest or any plan, a proof that there is none, or the limit hit.
//! Cost: `shortest` is breadth-first, `cheapest` is A* (breadth-first if all actions cost the
//!       same), both in turns with A* and a lower bound once they are large; `fast` is greedy by
//!       relaxed plans. Breadth-first takes 8 bytes per state beside its packed variables. No
//!       allocation once warm.
//!
//! The same problem gives the same plan everywhere. A search that gave up can be resumed: its
//! scratch keeps everything, and a call that [resumes](Call::resume) goes on where it stopped; answer
//! and count of nodes are those of one go.
//!
//! 1. `task`: the problem as numbers only; other languages may fill it too.
//! 2. `packed`: its states and operators as words; `derived`: what rules say about a state.
//! 3. `successors`: which operators can run in a state; `glances`: all compared with it, if they
//!    are not too many.
//! 4. `states`: those met so far; `ways`: how they were reached.
//! 5. `search`: the loops; `cheapest` and `greedy` beside it, with `buckets` of what waits;
//!    `stop`: when the caller is asked; `progress`: what can be asked of a search.
//! 6. `relaxed_task`: nothing is ever lost, also not what keeps a default (`defaults`); on it
//!    `relaxed_plan` guesses for `greedy`, and `lm_cut` bounds what is left; both take atoms out
//!    of a `cost_queue`.
//! 7. `turns`: a plain search and one with a bound, for one answer.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(not(target_arch = "x86_64"))]
#[path = "no_avx2.rs"]
mod avx2;
mod buckets;
mod cheapest;
mod cost_queue;
mod defaults;
mod derived;
mod glances;
mod greedy;
mod lm_cut;
mod packed;
mod progress;
mod relaxed_plan;
mod relaxed_task;
mod search;
mod states;
mod stop;
mod successors;
mod task;
#[cfg(test)]
mod tests;
mod turns;
mod ways;

pub(crate) use cheapest::Heuristic;
pub use progress::SearchProgress;
pub use search::{Found, Search};
pub(crate) use stop::Stop;
pub use task::{Atom, GroundTask, Rule};

use crate::budget::{Limit, Mode};
use crate::call::Call;
use crate::outcome::{Outcome, SolverAnswer};
use crate::problem::Problem;
use crate::proof::{Found as Ground, Proof};
use crate::reason::{Reason, Root};
use crate::relaxed::Relaxed;
use crate::replay::hand_out;
use cheapest::Blind;
use throng_domain::compile::{Digest, LocalAction, NpcTables, PackedValue};
use throng_domain::model::Range;

/// Pairs of wanted facts are looked for among so few parts and states: a hint, not a proof.
const MOST_PARTS: usize = 16;
const MOST_STATES: usize = 100_000;

/// Working memory; keep one per thread and reuse it.
#[derive(Debug, Default)]
pub struct ForwardScratch {
    task: GroundTask,
    search: Search,
    /// The action of each operator.
    actions: Vec<LocalAction>,
    relaxed: Relaxed,
    state: Vec<PackedValue>,
    steps: Vec<u32>,
    /// What the search is about, while it can be resumed, and whether it has an estimate: states
    /// met with and without one do not mix.
    under_way: Option<(Digest, Mode, bool)>,
    about: Option<Problem>,
    nodes_of_last_call: u64,
}

/// Plans from the beginning, or goes on with a search for the same problem that gave up if the call
/// says so.
pub fn plan(
    call: &Call<'_>,
    scratch: &mut ForwardScratch,
    plan: &mut Vec<LocalAction>,
) -> SolverAnswer {
    if !call.resume || !scratch.is_about(call, false) {
        scratch.under_way = None;
        scratch.nodes_of_last_call = 0;
        plan.clear();
        let (npc, problem) = (call.npc(), call.problem);
        let outside = problem.outside_holds();
        if outside && problem.is_goal(problem.start()) {
            return SolverAnswer { outcome: Outcome::Satisfied, nodes: 0 };
        }
        let ForwardScratch { task, search, actions, relaxed, .. } = &mut *scratch;
        relaxed.explore(npc, problem);
        if !outside || relaxed.missing(npc, problem).is_some() {
            let proof = Proof::new(problem, || Ground::OutOfReach);
            return SolverAnswer { outcome: Outcome::Impossible(proof), nodes: 0 };
        }
        let can_run = |action| npc.needs(action).iter().all(|&need| relaxed.has(npc, need));
        task.fill(npc, problem, call.mode, can_run, actions);
        search.begin(task, call.mode);
    }
    run(call, scratch, plan, &mut Blind)
}

/// The same with an estimate, for a caller who has looked at the goal already.
pub(crate) fn plan_with(
    call: &Call<'_>,
    scratch: &mut ForwardScratch,
    plan: &mut Vec<LocalAction>,
    heuristic: &mut impl Heuristic,
) -> SolverAnswer {
    if !scratch.is_under_way(call) {
        scratch.under_way = None;
        let ForwardScratch { task, search, actions, .. } = &mut *scratch;
        task.fill(call.npc(), call.problem, call.mode, |_| true, actions);
        search.begin_estimated(task);
    }
    run(call, scratch, plan, heuristic)
}

fn run<E: Heuristic>(
    call: &Call<'_>,
    scratch: &mut ForwardScratch,
    plan: &mut Vec<LocalAction>,
    heuristic: &mut E,
) -> SolverAnswer {
    plan.clear();
    let (npc, problem) = (call.npc(), call.problem);
    let before = scratch.search.nodes();
    let found = match E::INFORMED {
        true => scratch.search.run_with(&scratch.task, &call.budget, heuristic),
        false => scratch.search.run(&scratch.task, &call.budget),
    };
    let nodes = scratch.search.nodes();
    scratch.nodes_of_last_call = nodes - before;
    let outcome = match found {
        Found::Goal(state) => {
            let ForwardScratch { search, steps, actions, state: replayed, .. } = &mut *scratch;
            search.extract_plan(state, steps);
            plan.extend(steps.iter().map(|&operator| actions[operator as usize]));
            hand_out(npc, problem, plan, replayed).unwrap_or(Outcome::GaveUp(Limit::Stopped))
        }
        Found::Nothing => {
            let reason = || scratch.unreachable(npc, problem);
            Outcome::Impossible(Proof::known(problem, reason))
        }
        Found::Limit(limit) => {
            // Kept to be resumed; planning to the end without a limit never copies.
            if scratch.under_way.is_none() {
                scratch.under_way = Some((call.domain.digest(), call.mode, E::INFORMED));
                scratch.about.get_or_insert_with(|| problem.clone()).copy_from(problem);
            }
            return SolverAnswer { outcome: Outcome::GaveUp(limit), nodes };
        }
    };
    scratch.under_way = None;
    SolverAnswer { outcome, nodes }
}

impl ForwardScratch {
    throng_base::getters! {
        /// How many states the last call expanded.
        nodes_of_last_call: u64;
        /// The search of the last call.
        search: &Search;
    }

    /// Whether a search with an estimate is under way for this very problem, and is to go on.
    pub(crate) fn is_under_way(&self, call: &Call<'_>) -> bool {
        call.resume && self.is_about(call, true)
    }

    /// Whether a search for this very problem is under way.
    fn is_about(&self, call: &Call<'_>, informed: bool) -> bool {
        self.under_way == Some((call.domain.digest(), call.mode, informed))
            && self.about.as_ref() == Some(call.problem)
    }

    /// After everything was tried: which part of the goal never came true.
    fn unreachable(&mut self, npc: &NpcTables, problem: &Problem) -> Reason {
        let goal = self.task.goal();
        let search = &mut self.search;
        // What lies behind a dead end was not met, so nothing is known to hold nowhere.
        let is_known = !search.has_dead_ends();
        let never = goal.iter().position(|&atom| is_known && !search.some_state_has(&[atom]));
        let few = goal.len() <= MOST_PARTS && search.n_states_of_answer() <= MOST_STATES;
        let pairs = (0..goal.len()).flat_map(|a| (a + 1..goal.len()).map(move |b| (a, b)));
        let pair = match never.is_none() && few && is_known {
            true => pairs.into_iter().find(|&(a, b)| !search.some_state_has(&[goal[a], goal[b]])),
            false => None,
        };
        let name = |part: usize| Range::from(npc.fact(problem.goal()[part]));
        // A goal without parts is satisfied before any search, so there is a first.
        let wanted = never.or(pair.map(|pair| pair.0)).unwrap_or(0);
        let root = Root::Unreachable {
            never: never.map(name),
            never_together: pair.map(|(a, b)| (name(a), name(b))),
            states: search.n_states_of_answer() as u64,
        };
        Reason { wanted: Some(name(wanted)), ..Reason::new(problem.npc(), root) }
    }
}
