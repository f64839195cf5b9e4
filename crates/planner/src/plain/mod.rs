//! Uniform-cost forward search: plain, exact, and the measure of faster engines.
//!
//! In:   a problem, a mode, a budget.
//! Out:  a cheapest (or shortest) plan, or a proof that there is none, or the limit hit.
//! Cost: one look at every action per state expanded; no allocation once the scratch is warm.
//!
//! States are taken in order of cost, then of discovery; actions are tried in file order. So
//! the same problem gives the same plan everywhere.
//!
//! A search that gave up can be resumed: its scratch keeps everything, and [`resume`] goes on
//! where it stopped.

mod queue;
mod store;

use crate::outcome::{Answer, Budget, Limit, Mode, Outcome};
use crate::problem::Problem;
use crate::reason::{Reason, Root};
use crate::relaxed::Relaxed;
use crate::replay::replay;
use queue::Queue;
use store::{NO_NODE, Store};
use throng_domain::compile::{CompiledDomain, Digest, LocalAction, LocalFact, NpcType, Value};
use throng_domain::{Fact, Milli};

/// Working memory of the search; keep one per thread and reuse it.
#[derive(Debug, Default)]
pub struct Scratch {
    store: Store,
    queue: Queue,
    relaxed: Relaxed,
    enabled: Vec<LocalAction>,
    state: Vec<Value>,
    next: Vec<Value>,
    words: Vec<u64>,
    /// What the store and queue are about, while a search can be resumed, and whether it has
    /// an estimate: states met with and without one do not mix.
    under_way: Option<(Digest, Problem, Mode, bool)>,
    nodes: u64,
}

/// A lower bound on what is left to pay; the search is A* with it. It must never exceed the
/// true cost, and drop by no more than a step costs along that step.
pub(crate) trait Estimate {
    /// Whether it ever says more than zero.
    const INFORMED: bool;

    /// The bound from a state; `None` if the goal cannot be reached from it.
    fn estimate(&mut self, state: &[Value]) -> Option<u64>;
}

/// Knows nothing: uniform-cost search.
struct Blind;

impl Estimate for Blind {
    const INFORMED: bool = false;

    fn estimate(&mut self, _: &[Value]) -> Option<u64> {
        Some(0)
    }
}

/// How often the caller's `stop` is asked, in states expanded.
const STOP_EVERY: u64 = 1024;

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
    scratch.nodes = 0;
    let npc = problem.kind(domain);
    let outside = problem.outside().iter().all(|fact| fact.holds);
    if outside && problem.is_goal(problem.start()) {
        return Answer { outcome: Outcome::Satisfied, nodes: 0 };
    }
    scratch.relaxed.explore(npc, problem);
    if let Some(reason) = Reason::out_of_reach(domain, problem, &scratch.relaxed) {
        return Answer { outcome: Outcome::Impossible(reason), nodes: 0 };
    }
    scratch.begin(npc, problem, &mut Blind);
    run(domain, problem, mode, budget, scratch, plan, &mut Blind)
}

/// Searches from the beginning with an estimate; the caller has looked at the goal already.
pub(crate) fn plan_with(
    domain: &CompiledDomain,
    problem: &Problem,
    mode: Mode,
    budget: &Budget<'_>,
    scratch: &mut Scratch,
    plan: &mut Vec<LocalAction>,
    estimate: &mut impl Estimate,
) -> Answer {
    plan.clear();
    scratch.under_way = None;
    scratch.nodes = 0;
    scratch.begin(problem.kind(domain), problem, estimate);
    run(domain, problem, mode, budget, scratch, plan, estimate)
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
    buffer.clear();
    run(domain, problem, mode, budget, scratch, buffer, &mut Blind)
}

/// Goes on with a search with an estimate, or begins it.
pub(crate) fn resume_with(
    domain: &CompiledDomain,
    problem: &Problem,
    mode: Mode,
    budget: &Budget<'_>,
    scratch: &mut Scratch,
    buffer: &mut Vec<LocalAction>,
    estimate: &mut impl Estimate,
) -> Answer {
    if !scratch.is_about(domain, problem, mode, true) {
        return plan_with(domain, problem, mode, budget, scratch, buffer, estimate);
    }
    buffer.clear();
    run(domain, problem, mode, budget, scratch, buffer, estimate)
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
    let npc = problem.kind(domain);
    let outcome = match scratch.search(npc, problem, mode, budget, estimate) {
        Found::Goal(node) => scratch.hand_out(npc, problem, node, plan),
        Found::Nothing => Outcome::Impossible(scratch.unreachable(npc, problem)),
        Found::Limit(limit) => {
            // Kept for `resume`; planning to the end without a limit never copies.
            if scratch.under_way.is_none() {
                scratch.under_way = Some((domain.digest(), problem.clone(), mode, E::INFORMED));
            }
            return Answer { outcome: Outcome::GaveUp(limit), nodes: scratch.nodes };
        }
    };
    scratch.under_way = None;
    Answer { outcome, nodes: scratch.nodes }
}

enum Found {
    Goal(u32),
    Nothing,
    Limit(Limit),
}

impl Scratch {
    /// Lets the next search begin anew, whatever was under way.
    pub fn forget(&mut self) {
        self.under_way = None;
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
        let wanted = (domain.digest(), mode, informed);
        self.under_way.as_ref().is_some_and(|(digest, before, mode, informed)| {
            (*digest, *mode, *informed) == wanted && before == problem
        })
    }

    fn begin(&mut self, npc: &NpcType, problem: &Problem, estimate: &mut impl Estimate) {
        let layout = npc.layout();
        self.enabled.clear();
        let all = (0..npc.n_actions() as u32).map(LocalAction);
        self.enabled.extend(all.filter(|&action| problem.enabled().has(action)));
        self.state.clear();
        self.state.resize(layout.n_variables(), 0);
        self.next.clear();
        self.next.resize(layout.n_variables(), 0);
        self.words.clear();
        self.words.resize(layout.n_words(), 0);
        self.store.clear(layout.n_words());
        self.queue.clear();
        layout.pack(problem.start(), &mut self.words);
        if let Some(node) = self.store.find_or_add(&self.words) {
            self.store.set_way(node, 0, NO_NODE, LocalAction(0));
            if let Some(rest) = estimate.estimate(problem.start()) {
                self.store.set_rest(node, rest);
                self.queue.push(rest, node);
            }
        }
    }

    fn search(
        &mut self,
        npc: &NpcType,
        problem: &Problem,
        mode: Mode,
        budget: &Budget<'_>,
        estimate: &mut impl Estimate,
    ) -> Found {
        let mut expanded = 0;
        while let Some((total, node)) = self.queue.peek() {
            let cost = self.store.cost(node);
            // A cheaper way to this state was found after this entry was made.
            if total > cost.saturating_add(self.store.rest(node)) || self.store.is_done(node) {
                self.queue.pop();
                continue;
            }
            npc.layout().unpack(self.store.words(node), &mut self.state);
            if problem.is_goal(&self.state) {
                return Found::Goal(node);
            }
            if expanded >= budget.nodes {
                return Found::Limit(Limit::Nodes);
            }
            if self.store.bytes() + self.queue.bytes() > budget.bytes || self.store.is_full() {
                return Found::Limit(Limit::Memory);
            }
            let ask = expanded % STOP_EVERY == 0;
            if ask && budget.stop.is_some_and(|stop| stop()) {
                return Found::Limit(Limit::Stopped);
            }
            self.queue.pop();
            self.store.set_done(node);
            expanded += 1;
            self.nodes += 1;
            self.expand(npc, problem, mode, cost, node, estimate);
        }
        Found::Nothing
    }

    fn expand(
        &mut self,
        npc: &NpcType,
        problem: &Problem,
        mode: Mode,
        cost: u64,
        node: u32,
        estimate: &mut impl Estimate,
    ) {
        for at in 0..self.enabled.len() {
            let action = self.enabled[at];
            let holds = |need: &LocalFact| self.state[need.variable.index()] == need.value;
            if !npc.needs(action).iter().all(holds) {
                continue;
            }
            self.next.copy_from_slice(&self.state);
            for set in npc.sets(action) {
                self.next[set.variable.index()] = set.value;
            }
            npc.layout().pack(&self.next, &mut self.words);
            let Some(reached) = self.store.find_or_add(&self.words) else { continue };
            let cost = cost.saturating_add(problem.step_cost(npc, mode, action));
            if cost < self.store.cost(reached) {
                let is_new = self.store.cost(reached) == u64::MAX;
                self.store.set_way(reached, cost, node, action);
                if is_new {
                    // A dead end keeps its place, so that it is not looked at again.
                    let rest = estimate.estimate(&self.next).unwrap_or(u64::MAX);
                    self.store.set_rest(reached, rest);
                }
                let rest = self.store.rest(reached);
                if rest < u64::MAX {
                    self.queue.push(cost.saturating_add(rest), reached);
                }
            }
        }
    }

    /// Writes the way to `node` into `plan` and replays it.
    fn hand_out(
        &mut self,
        npc: &NpcType,
        problem: &Problem,
        mut node: u32,
        plan: &mut Vec<LocalAction>,
    ) -> Outcome {
        while let Some((parent, action)) = self.store.way(node) {
            plan.push(action);
            node = parent;
        }
        plan.reverse();
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
        let goal = problem.goal();
        let never = goal.iter().copied().find(|&fact| !self.some_state_has(npc, &[fact]));
        let mut pair = None;
        // Pairs are looked for among few parts and few states: this is a hint, not a proof.
        if never.is_none() && goal.len() <= 16 && self.store.len() <= 100_000 {
            let mut pairs = goal
                .iter()
                .enumerate()
                .flat_map(|(at, &a)| goal[at + 1..].iter().map(move |&b| [a, b]));
            pair = pairs.find(|pair| !self.some_state_has(npc, pair));
        }
        let name = |fact: LocalFact| -> Fact { npc.fact(fact) };
        // A goal without parts is satisfied before any search, so there is a first.
        let wanted = never.or(pair.map(|pair| pair[0])).unwrap_or(goal[0]);
        Reason {
            npc: problem.npc(),
            wanted: Some(name(wanted)),
            chain: Vec::new(),
            root: Root::Unreachable {
                never: never.map(name),
                never_together: pair.map(|[a, b]| (name(a), name(b))),
                states: self.store.len() as u64,
            },
        }
    }

    fn some_state_has(&mut self, npc: &NpcType, facts: &[LocalFact]) -> bool {
        (0..self.store.len() as u32).any(|node| {
            npc.layout().unpack(self.store.words(node), &mut self.state);
            facts.iter().all(|fact| self.state[fact.variable.index()] == fact.value)
        })
    }
}
