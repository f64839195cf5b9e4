//! Goal-oriented action planning: A* from the goal back to what holds now.
//!
//! In:   a problem of a type whose states take few words, a mode, a budget.
//! Out:  a cheapest (or shortest, or any) plan, a proof that there is none, or the limit hit.
//! Cost: one look at the setters of each demanded value per node; no allocation once warm.
//!
//! A node is a set of *demands*: values that must hold so that the rest of the plan runs. It
//! begins as the goal. An action that sets a demanded value, and no other value of a demanded
//! variable, takes off the demands that it meets and adds what it needs. A node that demands only
//! what holds now is a plan. What is not demanded is never looked at, so a soldier with forty
//! actions weighs the five that matter.
//!
//! Follows "Applying Goal-Oriented Action Planning to Games" and "Three States and a Plan: The
//! A.I. of F.E.A.R.", with three corrections. *Every* demand may be supported by an action, not
//! only those that do not hold now: some plans must destroy what holds and bring it back. A
//! demand is never overwritten by another value: such an action does not fit here. And the
//! estimate never exceeds the true price, so `cheapest` is.
//!
//! Most questions of a game are answered in a few nodes, before a good estimate has paid for
//! itself. So a search begins with a bad one, the number of demands that do not hold (or their
//! shares of prices, known at load); if it has not ended after `HASTE_NODES` nodes, it begins again
//! with a good one (`heuristic`).
//!
//! 1. `nodes`: the demands met so far, and how.
//! 2. `open`: which of them is next.
//! 3. `search`: the loop.

mod nodes;
mod open;
mod search;

use crate::budget::{Limit, Mode, SearchBudget};
use crate::call::Call;
use crate::outcome::{Outcome, SolverAnswer};
use crate::prepared::PreparedDomain;
use crate::problem::Problem;
use crate::proof::{Exhausted, Found as Ground, Proof};
use crate::reason::{Reason, Root};
use crate::replay::hand_out;
use search::{Search, Table};
use throng_domain::compile::{Digest, LocalAction, LocalFact, PackedValue};

/// After how many nodes a search that has not ended begins again with a better estimate.
const HASTE_NODES: u64 = 24;

/// How many parts of a goal are tried alone and in pairs, to say which of them is out of reach.
const MOST_PARTS: usize = 8;
/// And with how many nodes each.
const NODES_PER_PART: u64 = 2_000;

/// Working memory; keep one per thread and reuse it.
#[derive(Debug, Default)]
pub struct RegressiveScratch {
    one: Search<1>,
    two: Search<2>,
    four: Search<4>,
    eight: Search<8>,
    state: Vec<PackedValue>,
    /// What the search is about, while it can be resumed.
    under_way: Option<(Digest, Problem, Mode)>,
    nodes: u64,
    nodes_of_last_call: u64,
}

/// Plans from the beginning, or goes on with a search for the same problem that gave up if the call
/// says so. A type without masks of its actions gets the answer of a memory limit.
pub fn plan(
    call: &Call<'_>,
    scratch: &mut RegressiveScratch,
    plan: &mut Vec<LocalAction>,
) -> SolverAnswer {
    plan.clear();
    if !call.resume || !scratch.is_about(call) {
        scratch.under_way = None;
        scratch.nodes = 0;
        scratch.nodes_of_last_call = 0;
        if let Some(proof) = Proof::outside(call.problem) {
            return SolverAnswer { outcome: Outcome::Impossible(proof), nodes: 0 };
        }
        if call.problem.is_goal(call.problem.start()) {
            return SolverAnswer { outcome: Outcome::Satisfied, nodes: 0 };
        }
    }
    let Some(table) = Table::of_call(call) else {
        return SolverAnswer { outcome: Outcome::GaveUp(Limit::Memory), nodes: 0 };
    };
    if scratch.under_way.is_none() {
        scratch.begin(&table);
    }
    let before = scratch.nodes;
    let found = scratch.search(&table, &call.budget, plan);
    scratch.nodes_of_last_call = scratch.nodes - before;
    let outcome = match found {
        Ok(true) => hand_out(call.npc(), call.problem, plan, &mut scratch.state)
            .unwrap_or(Outcome::GaveUp(Limit::Stopped)),
        Ok(false) => {
            let (mode, tried, bytes) = (call.mode, scratch.nodes, call.budget.bytes);
            let found = || Ground::Exhausted(Exhausted { mode, tried, bytes, blame });
            Outcome::Impossible(Proof::new(call.problem, found))
        }
        Err(limit) => {
            if scratch.under_way.is_none() {
                let about = (call.domain.digest(), call.problem.clone(), call.mode);
                scratch.under_way = Some(about);
            }
            return SolverAnswer { outcome: Outcome::GaveUp(limit), nodes: scratch.nodes };
        }
    };
    scratch.under_way = None;
    SolverAnswer { outcome, nodes: scratch.nodes }
}

/// Which part of a goal is out of reach, of a problem without a plan.
fn blame(domain: &PreparedDomain, problem: &Problem, exhausted: &Exhausted) -> Reason {
    let &Exhausted { mode, tried, bytes, .. } = exhausted;
    let npc = problem.kind(domain);
    let mut scratch = RegressiveScratch { nodes: tried, ..RegressiveScratch::default() };
    // Little more work than the answer itself was. It does not come out of the caller's count
    // of nodes: interrupted or not, the same question has the same reason.
    let nodes = tried.saturating_add(NODES_PER_PART);
    let mut allowed = SearchBudget { nodes, bytes, stop: None };
    let mut is_impossible = |part: &[LocalFact]| {
        scratch.is_impossible(domain, &problem.with_goal(part), mode, &mut allowed)
    };
    let goal = problem.goal();
    let few = &goal[..goal.len().min(MOST_PARTS)];
    let never = few.iter().find(|&&fact| is_impossible(&[fact]));
    let pairs = few.iter().enumerate();
    let mut pairs = pairs.flat_map(|(at, &a)| few[at + 1..].iter().map(move |&b| [a, b]));
    let pair = if never.is_none() { pairs.find(|pair| is_impossible(pair)) } else { None };
    // A goal without parts is satisfied before any search, so there is a first.
    let wanted = never.copied().or(pair.map(|[a, _]| a)).or(goal.first().copied());
    let root = Root::NoWayBack {
        never: never.map(|&fact| npc.fact(fact).into()),
        never_together: pair.map(|[a, b]| (npc.fact(a).into(), npc.fact(b).into())),
        tried,
    };
    Reason { wanted: wanted.map(|fact| npc.fact(fact).into()), ..Reason::new(problem.npc(), root) }
}

impl RegressiveScratch {
    /// How many nodes a search for this problem has expanded, if one is under way.
    pub fn nodes_so_far(&self, call: &Call<'_>) -> u64 {
        if call.resume && self.is_about(call) { self.nodes } else { 0 }
    }

    fn is_about(&self, call: &Call<'_>) -> bool {
        self.under_way.as_ref().is_some_and(|(digest, problem, mode)| {
            (*digest, *mode) == (call.domain.digest(), call.mode) && problem == call.problem
        })
    }

    /// How many bytes the searches hold.
    pub fn bytes(&self) -> usize {
        self.one.bytes() + self.two.bytes() + self.four.bytes() + self.eight.bytes()
    }

    /// How many nodes the last call expanded.
    pub fn nodes_of_last_call(&self) -> u64 {
        self.nodes_of_last_call
    }

    fn begin(&mut self, table: &Table<'_>) {
        match table.masks.n_words() {
            1 => self.one.begin(table),
            2 => self.two.begin(table),
            4 => self.four.begin(table),
            _ => self.eight.begin(table),
        }
    }

    fn search(
        &mut self,
        table: &Table<'_>,
        budget: &SearchBudget<'_>,
        plan: &mut Vec<LocalAction>,
    ) -> Result<bool, Limit> {
        let nodes = &mut self.nodes;
        match table.masks.n_words() {
            1 => self.one.run(table, budget, nodes, plan),
            2 => self.two.run(table, budget, nodes, plan),
            4 => self.four.run(table, budget, nodes, plan),
            _ => self.eight.run(table, budget, nodes, plan),
        }
    }

    /// Whether a part of a goal is out of reach by itself; `false` if that takes too long to know.
    fn is_impossible(
        &mut self,
        domain: &PreparedDomain,
        part: &Problem,
        mode: Mode,
        allowed: &mut SearchBudget<'_>,
    ) -> bool {
        let Some(table) = Table::new(domain, part, mode) else { return false };
        let budget = SearchBudget { nodes: NODES_PER_PART.min(allowed.nodes), ..*allowed };
        self.begin(&table);
        let (mut way, before) = (Vec::new(), self.nodes);
        let found = self.search(&table, &budget, &mut way);
        allowed.nodes -= (self.nodes - before).min(allowed.nodes);
        found == Ok(false)
    }
}
