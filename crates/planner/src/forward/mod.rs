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
//! scratch keeps everything, and [`resume`] goes on where it stopped; answer and count of nodes
//! are those of one go.
//!
//! 1. `task`: the problem as numbers only; other languages may fill it too.
//! 2. `packed`: its states and operators as words; `derived`: what rules say about a state.
//! 3. `successors`: which operators can run in a state.
//! 4. `states`: those met so far; `ways`: how they were reached.
//! 5. `search`: the loops; `cheapest` and `greedy` beside it, with `buckets` of what waits;
//!    `stop`: when the caller is asked; `told`: what can be asked of a search.
//! 6. `relaxed_task`: nothing is ever lost, also not what keeps a default (`defaults`); on it
//!    `relaxed_plan` guesses for `greedy`, and `lm_cut` bounds what is left; both take atoms out
//!    of a `price_queue`.
//! 7. `turns`: a plain search and one with a bound, for one answer.

mod buckets;
mod cheapest;
mod defaults;
mod derived;
mod greedy;
mod lm_cut;
mod packed;
mod price_queue;
mod relaxed_plan;
mod relaxed_task;
mod search;
mod states;
mod stop;
mod successors;
mod task;
#[cfg(test)]
mod tests;
mod told;
mod turns;
mod ways;

pub(crate) use cheapest::Estimate;
pub use search::{Found, Search};
pub(crate) use stop::Stop;
pub use task::{Atom, Rule, Task};
pub use told::Progress;

use crate::outcome::{Answer, Budget, Limit, Mode, Outcome};
use crate::problem::Problem;
use crate::reason::{Reason, Root};
use crate::relaxed::Relaxed;
use crate::replay::replay;
use cheapest::Blind;
use throng_domain::Milli;
use throng_domain::compile::{CompiledDomain, Digest, LocalAction, NpcType, Value};

/// Pairs of wanted facts are looked for among so few parts and states: a hint, not a proof.
const MOST_PARTS: usize = 16;
const MOST_STATES: usize = 100_000;

/// Working memory; keep one per thread and reuse it.
#[derive(Debug, Default)]
pub struct Scratch {
    task: Task,
    search: Search,
    /// The action of each operator.
    actions: Vec<LocalAction>,
    relaxed: Relaxed,
    state: Vec<Value>,
    steps: Vec<u32>,
    /// What the search is about, while it can be resumed, and whether it has an estimate: states
    /// met with and without one do not mix.
    under_way: Option<(Digest, Mode, bool)>,
    about: Option<Problem>,
    nodes_of_last_call: u64,
}

/// Plans from the beginning, whatever the scratch held before.
pub fn plan(
    domain: &CompiledDomain,
    problem: &Problem,
    mode: Mode,
    budget: &Budget<'_>,
    scratch: &mut Scratch,
    plan: &mut Vec<LocalAction>,
) -> Answer {
    plan.clear();
    scratch.under_way = None;
    scratch.nodes_of_last_call = 0;
    let npc = problem.kind(domain);
    let outside = problem.outside().iter().all(|fact| fact.holds);
    if outside && problem.is_goal(problem.start()) {
        return Answer { outcome: Outcome::Satisfied, nodes: 0 };
    }
    scratch.relaxed.explore(npc, problem);
    if let Some(reason) = Reason::out_of_reach(domain, problem, &scratch.relaxed) {
        return Answer { outcome: Outcome::Impossible(reason), nodes: 0 };
    }
    let Scratch { task, search, actions, relaxed, .. } = &mut *scratch;
    let can_run = |action| npc.needs(action).iter().all(|&need| relaxed.has(npc, need));
    task.fill(npc, problem, mode, can_run, actions);
    search.begin(task, mode);
    run(domain, problem, mode, budget, scratch, plan, &mut Blind)
}

/// Goes on with a search that gave up; plans from the beginning if the scratch is about
/// something else.
pub fn resume(
    domain: &CompiledDomain,
    problem: &Problem,
    mode: Mode,
    budget: &Budget<'_>,
    scratch: &mut Scratch,
    buffer: &mut Vec<LocalAction>,
) -> Answer {
    if !scratch.is_about(domain, problem, mode, false) {
        return plan(domain, problem, mode, budget, scratch, buffer);
    }
    run(domain, problem, mode, budget, scratch, buffer, &mut Blind)
}

/// Goes on with a search with an estimate, or begins it; the caller has looked at the goal
/// already.
pub(crate) fn resume_with(
    domain: &CompiledDomain,
    problem: &Problem,
    mode: Mode,
    budget: &Budget<'_>,
    scratch: &mut Scratch,
    plan: &mut Vec<LocalAction>,
    estimate: &mut impl Estimate,
) -> Answer {
    if !scratch.is_about(domain, problem, mode, true) {
        scratch.under_way = None;
        let Scratch { task, search, actions, .. } = &mut *scratch;
        task.fill(problem.kind(domain), problem, mode, |_| true, actions);
        search.begin_estimated(task);
    }
    run(domain, problem, mode, budget, scratch, plan, estimate)
}

fn run<E: Estimate>(
    domain: &CompiledDomain,
    problem: &Problem,
    mode: Mode,
    budget: &Budget<'_>,
    scratch: &mut Scratch,
    plan: &mut Vec<LocalAction>,
    estimate: &mut E,
) -> Answer {
    plan.clear();
    let npc = problem.kind(domain);
    let before = scratch.search.nodes();
    let found = match E::INFORMED {
        true => scratch.search.run_with(&scratch.task, budget, estimate),
        false => scratch.search.run(&scratch.task, budget),
    };
    let nodes = scratch.search.nodes();
    scratch.nodes_of_last_call = nodes - before;
    let outcome = match found {
        Found::Goal(state) => scratch.hand_out(npc, problem, state, plan),
        Found::Nothing => Outcome::Impossible(scratch.unreachable(npc, problem)),
        Found::Limit(limit) => {
            // Kept for `resume`; planning to the end without a limit never copies.
            if scratch.under_way.is_none() {
                scratch.under_way = Some((domain.digest(), mode, E::INFORMED));
                scratch.about.get_or_insert_with(|| problem.clone()).copy_from(problem);
            }
            return Answer { outcome: Outcome::GaveUp(limit), nodes };
        }
    };
    scratch.under_way = None;
    Answer { outcome, nodes }
}

impl Scratch {
    /// Lets the next search begin anew, whatever was under way.
    pub fn forget(&mut self) {
        self.under_way = None;
    }

    /// How many states the last call expanded.
    pub fn nodes_of_last_call(&self) -> u64 {
        self.nodes_of_last_call
    }

    /// The search of the last call.
    pub fn search(&self) -> &Search {
        &self.search
    }

    /// Whether a search with an estimate is under way for this very problem.
    pub fn is_under_way(&self, domain: &CompiledDomain, problem: &Problem, mode: Mode) -> bool {
        self.is_about(domain, problem, mode, true)
    }

    /// Whether a search for this very problem is under way.
    fn is_about(
        &self,
        domain: &CompiledDomain,
        problem: &Problem,
        mode: Mode,
        informed: bool,
    ) -> bool {
        self.under_way == Some((domain.digest(), mode, informed))
            && self.about.as_ref() == Some(problem)
    }

    /// Writes the way to `state` into `plan` and replays it.
    fn hand_out(
        &mut self,
        npc: &NpcType,
        problem: &Problem,
        state: u32,
        plan: &mut Vec<LocalAction>,
    ) -> Outcome {
        self.search.way_to(state, &mut self.steps);
        plan.extend(self.steps.iter().map(|&operator| self.actions[operator as usize]));
        match replay(npc, problem, plan, &mut self.state) {
            Some(cost) => Outcome::Plan { cost: Milli(cost) },
            // Cannot happen; if it does, saying "unknown" is the only honest answer.
            None => {
                plan.clear();
                Outcome::GaveUp(Limit::Stopped)
            }
        }
    }

    /// After everything was tried: which part of the goal never came true.
    fn unreachable(&mut self, npc: &NpcType, problem: &Problem) -> Reason {
        if !problem.says_why() {
            return Reason::unsaid(problem.npc());
        }
        let goal = self.task.goal();
        let search = &mut self.search;
        // What lies behind a dead end was not met, so nothing is known to hold nowhere.
        let is_known = !search.has_dead_ends();
        let never = goal.iter().position(|&atom| is_known && !search.some_state_has(&[atom]));
        let few = goal.len() <= MOST_PARTS && search.n_states_of_answer() <= MOST_STATES;
        let pairs = (0..goal.len()).flat_map(|a| (a + 1..goal.len()).map(move |b| (a, b)));
        let pair = match never {
            None if few && is_known => {
                pairs.into_iter().find(|&(a, b)| !search.some_state_has(&[goal[a], goal[b]]))
            }
            _ => None,
        };
        let name = |part: usize| npc.fact(problem.goal()[part]);
        // A goal without parts is satisfied before any search, so there is a first.
        let wanted = never.or(pair.map(|pair| pair.0)).unwrap_or(0);
        Reason {
            npc: problem.npc(),
            wanted: Some(name(wanted)),
            chain: Vec::new(),
            root: Root::Unreachable {
                never: never.map(name),
                never_together: pair.map(|(a, b)| (name(a), name(b))),
                states: search.n_states_of_answer() as u64,
            },
            far: None,
        }
    }
}
