//! Topological planning: linear where it can be, exact always.
//!
//! In:   a problem whose enabled actions each move one variable and set values that no other
//!       sets ([`Moves`] is the proof).
//! Out:  a cheapest plan, a proof that there is none, or the limit hit.
//! Cost: linear for what games usually ask; A* with an admissible estimate for the rest.
//!
//! 1. `closure`: the actions that every plan contains, or a proof that there is no plan.
//! 2. `order`: an order of exactly those. Any order that replays is a cheapest plan.
//! 3. What cannot be ordered is impossible if more loops could not help; otherwise A* decides,
//!    guided by the cost of the closure.
//!
//! Follows "SAS Planning as Topological Sorting" and "Topological Planning with Post-unique
//! and Unary Actions", corrected where instances of their own classes prove them wrong.

mod closure;
mod moves;
mod order;
pub mod small;

pub use moves::{Moves, NotMoves};

use crate::outcome::{Answer, Budget, Mode, Outcome};
use crate::plain::{self, Estimate};
use crate::problem::Problem;
use crate::reason::{Reason, Root};
use crate::relaxed::Relaxed;
use crate::replay::replay;
use closure::{Closure, OffTheWay};
use order::{Order, Ordered};
use throng_domain::Milli;
use throng_domain::compile::{CompiledDomain, LocalAction, LocalFact, NpcType, Value};

/// Working memory; keep one per thread and reuse it.
#[derive(Debug, Default)]
pub struct Scratch {
    closure: Closure,
    order: Order,
    relaxed: Relaxed,
    state: Vec<Value>,
}

fn step_cost(npc: &NpcType, mode: Mode) -> impl Fn(LocalAction) -> u64 {
    move |action| match mode {
        Mode::Cheapest => npc.cost(action),
        Mode::Shortest | Mode::Fast => 1,
    }
}

/// Plans without search if that decides; `None` leaves the answer to search.
///
/// Small types are walked forward first (`small`); what that leaves open, and large types, go
/// through closure and order.
pub fn decide(
    domain: &CompiledDomain,
    problem: &Problem,
    moves: &Moves,
    scratch: &mut Scratch,
    plan: &mut Vec<LocalAction>,
) -> Option<Outcome> {
    plan.clear();
    let npc = problem.kind(domain);
    if let Some(reason) = Reason::outside(problem) {
        return Some(Outcome::Impossible(reason));
    }
    if problem.is_goal(problem.start()) {
        return Some(Outcome::Satisfied);
    }
    if let Some(tables) = npc.small_moves() {
        let mut word = [0];
        npc.layout().pack(problem.start(), &mut word);
        let goal = small::SmallGoal::new(npc, problem.goal());
        let enabled = problem.enabled().word();
        if let Some(cost) = small::plan(npc, tables, word[0], goal, enabled, plan) {
            return Some(Outcome::Plan { cost: Milli(cost) });
        }
        plan.clear();
    }
    decide_by_order(domain, problem, moves, scratch, plan)
}

/// The part of [`decide`] that serves every size: closure, order, replay.
pub fn decide_by_order(
    domain: &CompiledDomain,
    problem: &Problem,
    moves: &Moves,
    scratch: &mut Scratch,
    plan: &mut Vec<LocalAction>,
) -> Option<Outcome> {
    plan.clear();
    let npc = problem.kind(domain);
    let cost = step_cost(npc, Mode::Shortest);
    let closed = scratch.closure.close(npc, moves, problem.start(), problem.goal(), cost);
    if let Err(off) = closed {
        return Some(Outcome::Impossible(scratch.why(domain, problem, off)));
    }
    match scratch.order.order(npc, moves, &scratch.closure, problem.start()) {
        Ordered::Yes => {
            plan.extend_from_slice(&scratch.order.plan);
            let cost = replay(npc, problem, plan, &mut scratch.state)?;
            Some(Outcome::Plan { cost: Milli(cost) })
        }
        Ordered::Cycle if scratch.closure.one_request_per_loop(npc, moves) => {
            Some(Outcome::Impossible(scratch.why_no_order(domain, problem)))
        }
        Ordered::Cycle | Ordered::Unknown => None,
    }
}

impl Scratch {
    /// The reason of actions that cannot be ordered: the simplest that holds.
    fn why_no_order(&mut self, domain: &CompiledDomain, problem: &Problem) -> Reason {
        let npc = problem.kind(domain);
        self.relaxed.explore(npc, problem);
        if let Some(reason) = Reason::out_of_reach(domain, problem, &self.relaxed) {
            return reason;
        }
        let cycle = self.order.cycle().iter().map(|a| npc.actions()[a.index()]).collect();
        let root = Root::BeforeAndAfter(cycle);
        Reason { npc: problem.npc(), wanted: None, chain: Vec::new(), root }
    }

    /// The reason of a closure that fails: the simplest that holds.
    fn why(&mut self, domain: &CompiledDomain, problem: &Problem, off: OffTheWay) -> Reason {
        let npc = problem.kind(domain);
        self.relaxed.explore(npc, problem);
        if let Some(reason) = Reason::out_of_reach(domain, problem, &self.relaxed) {
            return reason;
        }
        Reason {
            npc: problem.npc(),
            wanted: problem.goal().first().map(|&fact| npc.fact(fact)),
            chain: Vec::new(),
            root: Root::NotOnTheWay {
                needed: npc.fact(off.needed),
                by: off.by.map(|action| npc.actions()[action.index()]),
            },
        }
    }
}

/// The cost of the closure from a state: never more than a plan from there costs.
struct ClosureCost<'e> {
    npc: &'e NpcType,
    moves: &'e Moves,
    goal: &'e [LocalFact],
    mode: Mode,
    closure: &'e mut Closure,
}

impl Estimate for ClosureCost<'_> {
    const INFORMED: bool = true;

    fn estimate(&mut self, state: &[Value]) -> Option<u64> {
        let cost = step_cost(self.npc, self.mode);
        self.closure.close(self.npc, self.moves, state, self.goal, cost).ok()
    }
}

/// Answers what [`decide`] left open, by A* with the cost of the closure as estimate; goes on
/// with a search for the same problem that gave up, unless [`plain::Scratch::forget`] was
/// called.
#[expect(clippy::too_many_arguments, reason = "the parts of one question, each used")]
pub fn search(
    domain: &CompiledDomain,
    problem: &Problem,
    moves: &Moves,
    mode: Mode,
    budget: &Budget<'_>,
    scratch: &mut Scratch,
    search: &mut plain::Scratch,
    plan: &mut Vec<LocalAction>,
) -> Answer {
    let npc = problem.kind(domain);
    let goal = problem.goal();
    let mut estimate = ClosureCost { npc, moves, goal, mode, closure: &mut scratch.closure };
    plain::resume_with(domain, problem, mode, budget, search, plan, &mut estimate)
}
