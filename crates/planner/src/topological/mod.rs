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

mod choices;
mod closing;
mod closure;
mod dense;
mod moves;
mod order;
mod pairs;
mod ready;
pub mod small;
mod why;
pub mod wide;

pub use moves::{Moves, NotMoves};
pub use small::SmallProblem;

use crate::call::Call;
use crate::forward::{self, Estimate, Stop};
use crate::outcome::{Limit, Outcome, SolverAnswer};
use crate::problem::Problem;
use crate::proof::Proof;
use crate::reason::Root;
use crate::replay::replay;
use choices::MOST_LOOKS;
use closing::{Closed, Closing};
use closure::Closure;
use dense::Dense;
use order::{Order, Ordered};
use throng_domain::Cost;
use throng_domain::classes::Class;
use throng_domain::compile::{
    DenseMoves, LocalAction, LocalVariable, NpcTables, PackedValue, UNKNOWN,
};

/// Working memory; keep one per thread and reuse it.
#[derive(Debug, Default)]
pub struct TopologicalScratch {
    closure: Closure,
    order: Order,
    dense: Dense,
    closing: Closing,
    state: Vec<PackedValue>,
    /// The last closure that was ordered is known to have no order.
    has_no_order: bool,
}

/// Plans without search if that decides; `None` leaves the answer to search.
///
/// Three layouts: small types are walked forward in machine words (`small`), large ones that need
/// much are sorted in rows of bits (`dense`); what these leave open, and all others, go through
/// closure and order in flat rows.
pub fn decide(
    call: &Call<'_>,
    moves: &Moves,
    scratch: &mut TopologicalScratch,
    plan: &mut Vec<LocalAction>,
) -> Option<Outcome> {
    plan.clear();
    let (npc, problem) = (call.npc(), call.problem);
    if let Some(proof) = Proof::outside(problem) {
        return Some(Outcome::Impossible(proof));
    }
    if problem.is_goal(problem.start()) {
        return Some(Outcome::Satisfied);
    }
    if npc.small_moves().is_some() {
        let small = SmallProblem::new(npc, problem.start(), problem.goal());
        let (there, costs) = (problem.enabled().word(), problem.own_costs());
        if let Some(cost) = small::plan(&SmallProblem { there, costs, ..small }, plan) {
            return Some(Outcome::Plan { cost });
        }
    }
    decide_by_closure(call, moves, npc.dense_moves(), scratch, plan)
}

/// The part of [`decide`] that serves every type: closure and order in flat rows, replay. The
/// plain twin of the faster layouts.
pub fn decide_by_order(
    call: &Call<'_>,
    moves: &Moves,
    scratch: &mut TopologicalScratch,
    plan: &mut Vec<LocalAction>,
) -> Option<Outcome> {
    decide_by_closure(call, moves, None, scratch, plan)
}

fn decide_by_closure(
    call: &Call<'_>,
    moves: &Moves,
    bits: Option<&DenseMoves>,
    scratch: &mut TopologicalScratch,
    plan: &mut Vec<LocalAction>,
) -> Option<Outcome> {
    plan.clear();
    let (npc, problem) = (call.npc(), call.problem);
    let TopologicalScratch { closure, dense, .. } = &mut *scratch;
    if let Err(off) = closure.close(npc, moves, bits, problem.start(), problem.goal(), |_| 1) {
        return Some(Outcome::Impossible(why::off_the_way(npc, problem, off)));
    }
    if let Some(tables) = bits {
        if let Some(cost) = dense.plan(npc, tables, moves, closure, problem, plan) {
            return Some(Outcome::Plan { cost: Cost(cost) });
        }
        plan.clear();
    }
    let is_total = problem.goal().len() == npc.variables().len();
    let (start, mut allowed) = (problem.start(), MOST_LOOKS);
    let ordered = scratch.order.order(npc, moves, &scratch.closure, start, is_total, &mut allowed);
    scratch.has_no_order = matches!(ordered, Ordered::Cycle | Ordered::Exhausted);
    match ordered {
        Ordered::Yes => scratch.hand_out(npc, problem, plan),
        Ordered::Unknown => None,
        Ordered::Cycle | Ordered::Exhausted => {
            // More loops could not help, or no plan takes an action twice and the goal leaves
            // no loop open.
            let is_final = scratch.closure.one_request_per_loop(npc, moves)
                || (is_total && npc.classes().holds(Class::C2Star));
            let root = || why::no_order(npc, &scratch.order, ordered);
            is_final.then(|| Outcome::Impossible(why::simplest(problem, None, root)))
        }
    }
}

/// How many actions every plan has at least: those of the closure. `None` if there is no plan.
pub fn least_length(
    call: &Call<'_>,
    moves: &Moves,
    scratch: &mut TopologicalScratch,
) -> Option<u64> {
    let (npc, start, goal) = (call.npc(), call.problem.start(), call.problem.goal());
    scratch.closure.close(npc, moves, npc.dense_moves(), start, goal, |_| 1).ok()
}

impl TopologicalScratch {
    /// The order that was found, replayed.
    fn hand_out(
        &mut self,
        npc: &NpcTables,
        problem: &Problem,
        plan: &mut Vec<LocalAction>,
    ) -> Option<Outcome> {
        plan.clear();
        plan.extend_from_slice(&self.order.plan);
        let cost = replay(npc, problem, plan, &mut self.state);
        if cost.is_none() {
            plan.clear();
        }
        Some(Outcome::Plan { cost: Cost(cost?) })
    }
}

/// Partial goals of types in class C2*: no search, but sets of loops.
fn by_closing_loops(
    call: &Call<'_>,
    moves: &Moves,
    scratch: &mut TopologicalScratch,
    plan: &mut Vec<LocalAction>,
) -> Option<Outcome> {
    let (npc, problem) = (call.npc(), call.problem);
    let is_total = problem.goal().len() == npc.variables().len();
    if is_total || !scratch.has_no_order || !npc.classes().holds(Class::C2Star) {
        return None;
    }
    let TopologicalScratch { closing, closure, order, .. } = &mut *scratch;
    let cost = |action| problem.step_cost(npc, call.mode, action);
    match closing.close_loops(npc, problem, moves, cost, closure, order) {
        Closed::Yes => scratch.hand_out(npc, problem, plan),
        Closed::No => {
            let root = || {
                // Each set of loops has a cycle of its own; that of none is an example.
                let (start, goal, mut allowed) = (problem.start(), problem.goal(), MOST_LOOKS);
                let closed = closure.close(npc, moves, npc.dense_moves(), start, goal, cost);
                if closed.is_ok() {
                    order.order(npc, moves, closure, start, false, &mut allowed);
                }
                let id = |action: LocalAction| npc.actions()[action.index()];
                let example = order.cycle().into_iter().map(id).collect();
                Root::NoOrder { example, torn: None, by_going_back: true }
            };
            Some(Outcome::Impossible(why::simplest(problem, None, root)))
        }
        Closed::Unknown => None,
    }
}

/// The cost of the closure from a state: never more than a plan from there costs.
struct ClosureCost<'e> {
    call: &'e Call<'e>,
    moves: &'e Moves,
    closure: &'e mut Closure,
}

impl Estimate for ClosureCost<'_> {
    const INFORMED: bool = true;
    // A closure visits each action of the plan.
    const WEIGHT: u64 = 16;

    fn estimate(
        &mut self,
        state: &mut [PackedValue],
        _: &mut Stop<'_>,
    ) -> Result<Option<u64>, Limit> {
        let (npc, problem, mode) = (self.call.npc(), self.call.problem, self.call.mode);
        // A task numbers an unknown value behind the known ones.
        for (variable, value) in state.iter_mut().enumerate() {
            if usize::from(*value) >= npc.n_values(LocalVariable(variable as u32)) {
                *value = UNKNOWN;
            }
        }
        let cost = |action| problem.step_cost(npc, mode, action);
        let bits = npc.dense_moves();
        Ok(self.closure.close(npc, self.moves, bits, state, problem.goal(), cost).ok())
    }
}

/// Answers what [`decide`] left open, by A* with the cost of the closure as estimate; goes on
/// with a search for the same problem that gave up if the call says so.
pub fn search(
    call: &Call<'_>,
    moves: &Moves,
    scratch: &mut TopologicalScratch,
    search: &mut forward::ForwardScratch,
    plan: &mut Vec<LocalAction>,
) -> SolverAnswer {
    if !search.is_under_way(call)
        && let Some(outcome) = by_closing_loops(call, moves, scratch, plan)
    {
        return SolverAnswer { outcome, nodes: 0 };
    }
    let mut estimate = ClosureCost { call, moves, closure: &mut scratch.closure };
    forward::plan_with(call, search, plan, &mut estimate)
}
