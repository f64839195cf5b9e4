//! The cheapest plans that differ.
//!
//! In:   a problem, plans that are known already, how many more are wanted, a budget.
//! Out:  plans in order of price (or of length, if the mode counts steps), and whether there are
//!       more. Where something counts, [`other_plans`] looks for them, in the same sense.
//! Cost: A* over ways, not states: a state is kept once for every *bag* of actions that leads to
//!       it and is not more than another such bag. Small domains are exhausted quickly; the budget
//!       bounds the rest.
//!
//! A plan counts only if nothing of it can be left out: no plan makes do with a part of its actions
//! (each taken as often as it occurs). Otherwise every plan with a detour would be an alternative.
//! [`Distinctness::Actions`] lists one order of each such bag, [`Distinctness::Order`] all of them.
//! Plans of equal price come in the order that the search meets them, which is always the same.
//!
//! Two prunings make it end, and both are exact, as steps cost more than nothing. A way whose bag
//! holds all of a listed plan can only become a plan that does more. And so can a way to a state
//! that a part of its bag reaches: what follows it could follow the other. That also forbids going
//! in circles.

use crate::budget::{Limit, SearchBudget};
use crate::call::Call;
use crate::choose::choose;
use crate::counting::{CountingTask, OthersEnd, other_plans};
use crate::engine::Engine;
use crate::heuristic::{NEVER, RelaxedCosts, Together};
use crate::relaxed::relevant;
use crate::replay::replay;
use crate::topological::{self, Moves, least_length};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use throng_domain::Cost;
use throng_domain::compile::{LocalAction, PackedValue};

/// Where something counts and the caller sets no limit of nodes, so many ways are looked at: as
/// many steps in as many orders as amounts allow are more than anybody waits for. The answer says
/// that there may be more.
const MOST_COUNTED_WAYS: u64 = 200_000;

/// When two plans count as different.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Distinctness {
    /// Neither does all that the other does.
    #[default]
    Actions,
    /// The same actions in another order are another plan, too.
    Order,
}

/// One plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AlternativePlan {
    /// Its actions.
    pub steps: Vec<LocalAction>,
    /// The sum of their prices.
    pub cost: Cost,
}

/// Why a list of plans is not longer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EnumerationEnd {
    /// As many as were wanted were found.
    Enough,
    /// There are no more.
    NoMore,
    /// A limit was hit; there may be more.
    Limit(Limit),
}

/// The plans found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ways {
    /// In order of price.
    pub found: Vec<AlternativePlan>,
    /// Why there are not more of them.
    pub ended: EnumerationEnd,
    /// How many ways were looked at.
    pub nodes: u64,
}

/// How often the caller's stop function is asked.
const STOP_EVERY: u64 = 256;

/// Up to `wanted` plans that differ from each other and from those `known`.
pub fn alternatives(
    call: &Call<'_>,
    different: Distinctness,
    known: &[Vec<LocalAction>],
    wanted: usize,
) -> Ways {
    let (npc, problem, budget) = (call.npc(), call.problem, &call.budget);
    let mut state = Vec::new();
    // What is known may be a plan for something else that is as good as the goal.
    let mut is_plan = |plan: &[LocalAction]| replay(npc, problem, plan, &mut state).is_some();
    let mut ends_it = |plan: &Vec<LocalAction>| is_plan(plan) && is_forced(call, plan);
    if different == Distinctness::Actions && known.iter().any(&mut ends_it) {
        return Ways { found: Vec::new(), ended: EnumerationEnd::NoMore, nodes: 0 };
    }
    if problem.counts(npc) && problem.outside_holds() {
        return counting(call, different, known, wanted);
    }
    let mut search = Enumeration::new(call, different, known);
    let (mut found, mut nodes) = (Vec::new(), 0);
    let ended = loop {
        if found.len() >= wanted {
            break EnumerationEnd::Enough;
        }
        let stopped = |stop: &dyn Fn() -> bool| nodes % STOP_EVERY == 0 && stop();
        let limit = match () {
            () if nodes >= budget.nodes => Some(Limit::Nodes),
            () if search.bytes() > budget.bytes => Some(Limit::Memory),
            () if budget.stop.is_some_and(stopped) => Some(Limit::Stopped),
            () => None,
        };
        if let (Some(limit), true) = (limit, !search.queue.is_empty()) {
            break EnumerationEnd::Limit(limit);
        }
        let Some(Reverse((_, _, node))) = search.queue.pop() else { break EnumerationEnd::NoMore };
        let Some(steps) = search.step(node) else {
            nodes += 1;
            continue;
        };
        if let Some(cost) = replay(npc, problem, &steps, &mut state) {
            found.push(AlternativePlan { steps, cost: Cost(cost) });
        }
    };
    Ways { found, ended, nodes }
}

/// Whether a plan has only what every plan must have, as told by the structure of the domain: the
/// answer of large domains that a search could not exhaust.
fn is_forced(call: &Call<'_>, plan: &[LocalAction]) -> bool {
    let (mut moves, work) = (Moves::default(), &mut topological::TopologicalScratch::default());
    choose(&call.engine(None), &mut moves).0 == Engine::Topological
        && least_length(call, &moves, work) == Some(plan.len() as u64)
}

/// Actions in ascending order, each as often as it occurs.
type Bag = Vec<LocalAction>;

fn bag_of(steps: &[LocalAction]) -> Bag {
    let mut bag = steps.to_vec();
    bag.sort_unstable();
    bag
}

/// Whether all of `part` is in `whole`.
fn holds_all(whole: &Bag, part: &Bag) -> bool {
    let mut left = whole.iter();
    part.iter().all(|action| left.by_ref().any(|other| other == action))
}

/// A way from the start to a state.
struct Node {
    parent: u32,
    action: LocalAction,
    state: u32,
    cost: u64,
    bag: Bag,
}

/// A state, with the ways that lead to it.
struct Met {
    values: Vec<PackedValue>,
    rest: Option<u64>,
    nodes: Vec<u32>,
}

struct Enumeration<'p> {
    call: Call<'p>,
    different: Distinctness,
    heuristic: RelaxedCosts,
    /// Those that can matter: there, and relevant to the goal.
    matters: Vec<bool>,
    known: Vec<Vec<LocalAction>>,
    bags: Vec<Bag>,
    numbers: HashMap<Vec<PackedValue>, u32>,
    states: Vec<Met>,
    nodes: Vec<Node>,
    bag_entries: usize,
    /// Least total first, then least rest, then first met.
    queue: BinaryHeap<Reverse<(u64, u64, u32)>>,
}

impl<'p> Enumeration<'p> {
    fn new(call: &Call<'p>, different: Distinctness, known: &[Vec<LocalAction>]) -> Self {
        let (npc, problem) = (call.npc(), call.problem);
        let mut search = Enumeration {
            call: *call,
            different,
            heuristic: RelaxedCosts::default(),
            matters: relevant(npc, problem, |action| problem.enabled().has(action)),
            known: known.to_vec(),
            bags: known.iter().map(|plan| bag_of(plan)).collect(),
            numbers: HashMap::new(),
            states: Vec::new(),
            nodes: Vec::new(),
            bag_entries: 0,
            queue: BinaryHeap::new(),
        };
        // What the type cannot change holds now or never.
        if problem.outside_holds() {
            search.reach(problem.start(), u32::MAX, LocalAction(0), 0, Vec::new());
        }
        search
    }

    fn bytes(&self) -> usize {
        let state =
            size_of::<Met>() + 2 * self.call.npc().variables().len() * size_of::<PackedValue>();
        self.nodes.len() * (size_of::<Node>() + 24)
            + self.bag_entries * 4
            + self.states.len() * state
    }

    /// Looks at the most promising way, which was taken: gives it if it is a plan, else goes on with it.
    fn step(&mut self, node: u32) -> Option<Vec<LocalAction>> {
        let at = node as usize;
        let bag = &self.nodes[at].bag;
        let is_more = |listed: &Bag| {
            holds_all(bag, listed)
                && (self.different == Distinctness::Actions || bag.len() > listed.len())
        };
        if self.bags.iter().any(is_more) {
            return None;
        }
        let values = self.states[self.nodes[at].state as usize].values.clone();
        if self.call.problem.is_goal(&values) {
            let steps = self.steps_to(node);
            if self.known.contains(&steps) {
                return None;
            }
            if !self.bags.contains(bag) {
                self.bags.push(bag.clone());
            }
            return Some(steps);
        }
        self.expand(node, &values);
        None
    }

    fn steps_to(&self, mut node: u32) -> Vec<LocalAction> {
        let mut steps = Vec::new();
        while self.nodes[node as usize].parent != u32::MAX {
            steps.push(self.nodes[node as usize].action);
            node = self.nodes[node as usize].parent;
        }
        steps.reverse();
        steps
    }

    fn expand(&mut self, node: u32, values: &[PackedValue]) {
        let npc = self.call.npc();
        let mut next = values.to_vec();
        for action in npc.local_actions() {
            if !self.matters[action.index()] || !npc.can_run(action, values) {
                continue;
            }
            next.copy_from_slice(values);
            npc.run(action, &mut next);
            let before = &self.nodes[node as usize];
            let cost = before.cost.saturating_add(self.call.step_cost(action));
            let mut bag = before.bag.clone();
            let place = bag.partition_point(|other| *other <= action);
            bag.insert(place, action);
            self.reach(&next, node, action, cost, bag);
        }
    }

    /// The heuristic h_max of a state; `None` if there is no plan from there.
    fn least_rest(&mut self, values: &[PackedValue]) -> Option<u64> {
        let Enumeration { call, matters, heuristic, .. } = self;
        let npc = call.npc();
        let step_cost =
            |action: LocalAction| matters[action.index()].then(|| call.step_cost(action));
        heuristic.explore(npc, values, Together::Dearest, step_cost);
        let costs = call.problem.goal().iter().map(|&fact| heuristic.cost[npc.slot(fact)]);
        costs.max().or(Some(0)).filter(|&cost| cost < NEVER)
    }

    /// Notes a way to a state, unless a part of it leads there as well.
    fn reach(
        &mut self,
        values: &[PackedValue],
        parent: u32,
        action: LocalAction,
        cost: u64,
        bag: Bag,
    ) {
        let state = match self.numbers.get(values) {
            Some(&state) => state,
            None => {
                let state = self.states.len() as u32;
                let rest = self.least_rest(values);
                self.numbers.insert(values.to_vec(), state);
                self.states.push(Met { values: values.to_vec(), rest, nodes: Vec::new() });
                state
            }
        };
        let met = &self.states[state as usize];
        let Some(rest) = met.rest else { return };
        let is_part = |&other: &u32| {
            let other = &self.nodes[other as usize].bag;
            holds_all(&bag, other)
                && (self.different == Distinctness::Actions || other.len() < bag.len())
        };
        let Ok(node) = u32::try_from(self.nodes.len()) else { return };
        if met.nodes.iter().any(is_part) {
            return;
        }
        self.states[state as usize].nodes.push(node);
        self.bag_entries += bag.len();
        self.nodes.push(Node { parent, action, state, cost, bag });
        self.queue.push(Reverse((cost.saturating_add(rest), rest, node)));
    }
}

/// The same where something counts.
fn counting(
    call: &Call<'_>,
    different: Distinctness,
    known: &[Vec<LocalAction>],
    wanted: usize,
) -> Ways {
    let (npc, problem) = (call.npc(), call.problem);
    let (mut task, mut actions) = (CountingTask::default(), Vec::new());
    task.fill(npc, problem, call.mode, &mut actions);
    let number = |action: &LocalAction| actions.iter().position(|own| own == action);
    let numbers = |plan: &Vec<LocalAction>| -> Option<Vec<u32>> {
        plan.iter().map(|action| number(action).map(|at| at as u32)).collect()
    };
    let known: Vec<Vec<u32>> = known.iter().filter_map(numbers).collect();
    let by_order = different == Distinctness::Order;
    let mut budget = call.budget;
    if budget.nodes == SearchBudget::DEFAULT.nodes {
        budget.nodes = MOST_COUNTED_WAYS;
    }
    let plans = other_plans(&task, by_order, &known, wanted, &budget);
    let mut state = Vec::new();
    let found = plans.found.iter().filter_map(|(steps, _)| {
        let steps: Vec<LocalAction> = steps.iter().map(|&step| actions[step as usize]).collect();
        let cost = replay(npc, problem, &steps, &mut state)?;
        Some(AlternativePlan { steps, cost: Cost(cost) })
    });
    let ended = match plans.ended {
        OthersEnd::Enough => EnumerationEnd::Enough,
        OthersEnd::NoMore => EnumerationEnd::NoMore,
        OthersEnd::Limit(limit) => EnumerationEnd::Limit(limit),
    };
    Ways { found: found.collect(), ended, nodes: plans.nodes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bag_holds_another_only_as_often_as_it_occurs() {
        let bag = |actions: &[u32]| -> Bag { actions.iter().map(|&at| LocalAction(at)).collect() };
        assert!(holds_all(&bag(&[1, 2, 2, 5]), &bag(&[2, 2])));
        assert!(holds_all(&bag(&[1]), &bag(&[])));
        assert!(!holds_all(&bag(&[1, 2, 5]), &bag(&[2, 2])));
        assert!(!holds_all(&bag(&[1, 2, 5]), &bag(&[3])));
    }
}
