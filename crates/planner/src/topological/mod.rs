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
mod flat;
mod moves;
mod order;
mod pairs;
mod ready;
pub mod small;
mod why;
pub mod wide;

pub use moves::{Moves, NotMoves};
pub use small::SmallProblem;

use crate::budget::{Limit, Mode};
use crate::call::Call;
use crate::classes::Class;
use crate::forward::{self, Heuristic, Stop};
use crate::outcome::{Outcome, SolverAnswer};
use crate::proof::Proof;
use crate::reason::Root;
use crate::replay::hand_out;
use choices::MOST_LOOKS;
use closing::Closing;
use closure::Closure;
use dense::Dense;
use flat::Flat;
use moves::MoveTable;
use order::{Order, Ordered};
use throng_domain::Cost;
use throng_domain::compile::{LocalAction, LocalVariable, PackedValue, UNKNOWN};

/// Working memory; keep one per thread and reuse it.
#[derive(Debug, Default)]
pub struct TopologicalScratch {
    closure: Closure,
    order: Order,
    dense: Dense,
    flat: Flat,
    closing: Closing,
    state: Vec<PackedValue>,
    /// The last closure that was ordered is known to have no order.
    has_no_order: bool,
}

/// Plans without search if that decides; `None` leaves the answer to search.
///
/// Three layouts: small types are walked forward in machine words (`small`), large ones that need
/// much are sorted in rows of bits (`dense`), and the others are walked forward slot by slot
/// (`flat`). What these leave open, and what has none of these tables, goes through closure and
/// order.
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
    if let Some(tables) = &call.tables().small_moves {
        let small = SmallProblem::new(npc, tables, problem.start(), problem.goal());
        let (enabled, costs) = (problem.enabled().word(), problem.own_costs());
        let small = SmallProblem { enabled, costs, ..small };
        if let Some(cost) = small::plan(&small, |action, _| action, plan) {
            return Some(Outcome::Plan { cost });
        }
    }
    let table = moves.table(call);
    if let Some(cost) = scratch.flat.plan(&table, plan) {
        return Some(Outcome::Plan { cost: Cost(cost) });
    }
    decide_by_closure(&table, scratch, plan)
}

/// The part of [`decide`] that serves every type: closure, the graph of order, replay. The plain
/// twin of the faster layouts.
pub fn decide_by_order(
    call: &Call<'_>,
    moves: &Moves,
    scratch: &mut TopologicalScratch,
    plan: &mut Vec<LocalAction>,
) -> Option<Outcome> {
    decide_by_closure(&MoveTable { bits: None, ..moves.table(call) }, scratch, plan)
}

fn decide_by_closure(
    table: &MoveTable<'_>,
    scratch: &mut TopologicalScratch,
    plan: &mut Vec<LocalAction>,
) -> Option<Outcome> {
    plan.clear();
    let problem = table.problem;
    let TopologicalScratch { closure, dense, order, has_no_order, .. } = &mut *scratch;
    if let Err(off) = closure.close(table, problem.start(), problem.goal()) {
        return Some(Outcome::Impossible(why::off_the_way(table.npc, problem, off)));
    }
    if let Some(cost) = dense.plan(table, closure, plan) {
        return Some(Outcome::Plan { cost: Cost(cost) });
    }
    plan.clear();
    let mut allowed = MOST_LOOKS;
    let ordered = order.order(table, closure, &mut allowed);
    *has_no_order = matches!(ordered, Ordered::Cycle | Ordered::Exhausted);
    match ordered {
        Ordered::Yes => scratch.hand_out(table, plan),
        Ordered::Unknown => None,
        Ordered::Cycle | Ordered::Exhausted => {
            // More loops could not help, or no plan takes an action twice and the goal leaves
            // no loop open.
            let is_final = scratch.closure.one_request_per_loop(table)
                || (table.is_total() && table.classes.holds(Class::C2Star));
            let root = || why::no_order(table.npc, &scratch.order, ordered);
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
    let table = moves.table(&call.mode(Mode::Shortest));
    scratch.closure.close(&table, call.problem.start(), call.problem.goal()).ok()
}

impl TopologicalScratch {
    /// The order that was found, replayed.
    fn hand_out(&mut self, table: &MoveTable<'_>, plan: &mut Vec<LocalAction>) -> Option<Outcome> {
        self.order.plan.clone_into(plan);
        hand_out(table.npc, table.problem, plan, &mut self.state)
    }
}

/// Partial goals of types in class C2*: no search, but sets of loops.
fn by_closing_loops(
    table: &MoveTable<'_>,
    scratch: &mut TopologicalScratch,
    plan: &mut Vec<LocalAction>,
) -> Option<Outcome> {
    if table.is_total() || !scratch.has_no_order || !table.classes.holds(Class::C2Star) {
        return None;
    }
    let (npc, problem) = (table.npc, table.problem);
    let TopologicalScratch { closing, closure, order, .. } = &mut *scratch;
    match closing.close_loops(table, closure, order) {
        Some(true) => scratch.hand_out(table, plan),
        Some(false) => {
            let root = || {
                // Each set of loops has a cycle of its own; that of none is an example.
                if closure.close(table, problem.start(), problem.goal()).is_ok() {
                    let mut allowed = MOST_LOOKS;
                    order.order(table, closure, &mut allowed);
                }
                let id = |action: LocalAction| npc.actions()[action.index()];
                let example = order.graph.cycle().into_iter().map(id).collect();
                Root::NoOrder { example, torn: None, by_going_back: true }
            };
            Some(Outcome::Impossible(why::simplest(problem, None, root)))
        }
        None => None,
    }
}

/// The cost of the closure from a state: never more than a plan from there costs.
struct ClosureCost<'e> {
    table: MoveTable<'e>,
    closure: &'e mut Closure,
}

impl Heuristic for ClosureCost<'_> {
    const INFORMED: bool = true;
    // A closure visits each action of the plan.
    const WEIGHT: u64 = 16;

    fn estimate(
        &mut self,
        state: &mut [PackedValue],
        _: &mut Stop<'_>,
    ) -> Result<Option<u64>, Limit> {
        let MoveTable { npc, problem, .. } = self.table;
        // A task numbers an unknown value behind the known ones.
        for (variable, value) in state.iter_mut().enumerate() {
            if usize::from(*value) >= npc.n_values(LocalVariable(variable as u32)) {
                *value = UNKNOWN;
            }
        }
        Ok(self.closure.close(&self.table, state, problem.goal()).ok())
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
    let table = moves.table(call);
    if !search.is_under_way(call)
        && let Some(outcome) = by_closing_loops(&table, scratch, plan)
    {
        return SolverAnswer { outcome, nodes: 0 };
    }
    let mut heuristic = ClosureCost { table, closure: &mut scratch.closure };
    forward::plan_with(call, search, plan, &mut heuristic)
}
