//! The cheapest plans with amounts that differ.
//!
//! In:   a task, plans that are known already, how many more are wanted, a budget.
//! Out:  plans in order of cost, and whether there are more.
//! Cost: A* over ways, not states: a state is kept once for every bag of steps that leads to it and
//!       holds no other such bag. Small tasks are exhausted quickly; the budget bounds the rest.
//!
//! What counts as another plan is the same as for words (`explain/alternatives`): nothing of it can
//! be left out, and its bag of steps is another one, or its order, if that is asked for. So are the
//! two prunings, and why they are exact: a way whose bag holds all of a listed plan, and a way to a
//! state that a part of its bag reaches, can only become plans that do more. That steps commute is
//! not used, nor that demands cover each other: both would drop plans.

use super::forward::Estimate;
use super::guide::Guide;
use super::packed::Packed;
use super::queue::Queue;
use super::states::{NO_NODE, States, Way};
use super::task::CountingTask;
use crate::budget::{Limit, SearchBudget};
use throng_base::reset;

/// How often the caller's `stop` is asked, in nodes.
const STOP_EVERY: u64 = 256;

/// Why a list of plans is not longer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OthersEnd {
    /// As many as were wanted were found.
    Enough,
    /// There are no more.
    NoMore,
    /// A limit was hit; there may be more.
    Limit(Limit),
}

/// The plans found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OtherPlans {
    /// The actions of each and what they cost, cheapest first.
    pub found: Vec<(Vec<u32>, u64)>,
    /// Why there are not more of them.
    pub ended: OthersEnd,
    /// How many ways were looked at.
    pub nodes: u64,
}

/// Up to `wanted` plans that differ from each other and from those `known`; `by_order` says whether
/// the same steps in another order are another plan.
pub fn other_plans(
    task: &CountingTask,
    by_order: bool,
    known: &[Vec<u32>],
    wanted: usize,
    budget: &SearchBudget<'_>,
) -> OtherPlans {
    let mut search = Enumeration::new(task, by_order, known);
    let (mut found, mut nodes) = (Vec::new(), 0);
    let ended = loop {
        if found.len() >= wanted {
            break OthersEnd::Enough;
        }
        let Some((_, way)) = search.queue.peek() else {
            // It is no end if something had no number.
            let is_full = search.states.is_full() || search.is_full;
            break if is_full { OthersEnd::Limit(Limit::Memory) } else { OthersEnd::NoMore };
        };
        if let Some(limit) = search.limit(budget, nodes) {
            break OthersEnd::Limit(limit);
        }
        search.queue.pop();
        match search.step(way) {
            Some(steps) => {
                let cost = steps.iter().map(|&action| task.cost(action)).sum();
                found.push((steps, cost));
            }
            None => nodes += 1,
        }
    };
    OtherPlans { found, ended, nodes }
}

/// A way from the start to a state; its bag has its number, too.
#[derive(Clone, Copy, Debug)]
struct Reached {
    parent: u32,
    row: u32,
    state: u32,
    /// The way to the same state that was found before.
    before: u32,
    g: u64,
}

struct Enumeration<'t> {
    by_order: bool,
    known: &'t [Vec<u32>],
    packed: Packed,
    guide: Guide,
    states: States,
    /// The last way to each state, and whether there may be a plan from there.
    last: Vec<u32>,
    ways: Vec<Reached>,
    /// How often each row was done, a list per way.
    bags: Vec<u16>,
    listed: Vec<Vec<u16>>,
    queue: Queue,
    state: Vec<u64>,
    next: Vec<u64>,
    bag: Vec<u16>,
    is_full: bool,
}

impl<'t> Enumeration<'t> {
    fn new(task: &CountingTask, by_order: bool, known: &'t [Vec<u32>]) -> Self {
        let (mut packed, mut guide) = (Packed::default(), Guide::default());
        packed.fill(task);
        let start = packed.start().to_vec();
        guide.weigh(task, &packed, &start);
        let listed = known.iter().filter_map(|plan| bag_of(&packed, plan)).collect();
        let mut search = Enumeration {
            by_order,
            known,
            guide,
            states: States::default(),
            last: Vec::new(),
            ways: Vec::new(),
            bags: Vec::new(),
            listed,
            queue: Queue::default(),
            state: start.clone(),
            next: start.clone(),
            bag: Vec::new(),
            is_full: false,
            packed,
        };
        search.states.begin(&start);
        search.last.push(NO_NODE);
        reset(&mut search.bag, search.packed.actions().len(), 0);
        if !search.packed.is_never() {
            search.reach(0, NO_NODE, 0, 0);
        }
        search
    }

    fn limit(&self, budget: &SearchBudget<'_>, nodes: u64) -> Option<Limit> {
        let bytes = self.states.bytes()
            + self.queue.bytes()
            + self.ways.len() * size_of::<Reached>()
            + self.bags.len() * size_of::<u16>();
        let is_stopped = |stop: &dyn Fn() -> bool| nodes.is_multiple_of(STOP_EVERY) && stop();
        match () {
            () if nodes >= budget.nodes => Some(Limit::Nodes),
            () if bytes > budget.bytes => Some(Limit::Memory),
            () if budget.stop.is_some_and(is_stopped) => Some(Limit::Stopped),
            () => None,
        }
    }

    fn bag(&self, way: u32) -> &[u16] {
        let n_rows = self.packed.actions().len();
        &self.bags[way as usize * n_rows..][..n_rows]
    }

    /// Whether a bag can only become a plan that does more than this other one does.
    fn is_more(&self, bag: &[u16], other: &[u16]) -> bool {
        let holds = bag.iter().zip(other).all(|(own, other)| own >= other);
        holds && (!self.by_order || bag != other)
    }

    /// Looks at the most promising way, which was taken: gives it if it is a plan, else goes on
    /// with it.
    fn step(&mut self, way: u32) -> Option<Vec<u32>> {
        let Reached { state, g, .. } = self.ways[way as usize];
        if self.listed.iter().any(|listed| self.is_more(self.bag(way), listed)) {
            return None;
        }
        self.state.copy_from_slice(self.states.state::<0>(state));
        if self.packed.is_goal::<0>(&self.state) {
            let steps = self.steps_to(way);
            if self.known.contains(&steps) {
                return None;
            }
            let bag = self.bag(way).to_vec();
            if !self.listed.contains(&bag) {
                self.listed.push(bag);
            }
            return Some(steps);
        }
        for row in 0..self.packed.actions().len() {
            if !self.packed.fits::<0>(row, &self.state) {
                continue;
            }
            self.packed.apply::<0>(row, &self.state, &mut self.next);
            let mut bag = std::mem::take(&mut self.bag);
            bag.copy_from_slice(self.bag(way));
            self.bag = bag;
            let Some(count) = self.bag[row].checked_add(1) else {
                self.is_full = true;
                continue;
            };
            self.bag[row] = count;
            let g = g.saturating_add(self.packed.costs()[row]);
            let found = self.states.find_or_add::<0>(&self.next, Way::new(g, way, row));
            let Some((next, is_new)) = found else { continue };
            if is_new {
                self.last.push(NO_NODE);
            }
            self.reach(next, way, row, g);
        }
        None
    }

    fn steps_to(&self, mut way: u32) -> Vec<u32> {
        let mut steps = Vec::new();
        while self.ways[way as usize].parent != NO_NODE {
            let Reached { parent, row, .. } = self.ways[way as usize];
            steps.push(self.packed.actions()[row as usize]);
            way = parent;
        }
        steps.reverse();
        steps
    }

    /// Notes a way with the bag at hand to a state, unless a part of it leads there as well.
    fn reach(&mut self, state: u32, parent: u32, row: usize, g: u64) {
        let Some(rest) = self.guide.rest(self.states.state::<0>(state)) else {
            return;
        };
        let mut other = self.last[state as usize];
        while other != NO_NODE {
            if self.is_more(&self.bag, self.bag(other)) {
                return;
            }
            other = self.ways[other as usize].before;
        }
        if self.ways.len() >= NO_NODE as usize {
            self.is_full = true;
            return;
        }
        let (way, before) = (self.ways.len() as u32, self.last[state as usize]);
        self.last[state as usize] = way;
        self.ways.push(Reached { parent, row: row as u32, state, before, g });
        self.bags.extend_from_slice(&self.bag);
        self.queue.push(g.saturating_add(rest), way);
    }
}

/// How often each row is in a plan; `None` if it has a step that no other plan can have.
fn bag_of(packed: &Packed, plan: &[u32]) -> Option<Vec<u16>> {
    let mut bag = vec![0u16; packed.actions().len()];
    for action in plan {
        let row = packed.actions().binary_search(action).ok()?;
        bag[row] = bag[row].checked_add(1)?;
    }
    Some(bag)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counting::oracle::{after, price};
    use crate::counting::random::{anything, recipes};
    use crate::counting::samples::sample;
    use std::collections::{BTreeSet, HashMap};

    const STEPS: usize = 5;

    /// All plans of so many steps, by trying everything.
    fn all_plans(task: &CountingTask) -> Vec<Vec<u32>> {
        let (mut plans, mut ways) = (Vec::new(), vec![(task.start().to_vec(), Vec::new())]);
        for length in 0..=STEPS {
            for (state, steps) in std::mem::take(&mut ways) {
                if task.is_goal(&state) {
                    plans.push(steps);
                } else if length < STEPS {
                    for action in 0..task.n_actions() as u32 {
                        if let Some(next) = after(task, action, &state) {
                            ways.push((next, [&steps[..], &[action]].concat()));
                        }
                    }
                }
            }
        }
        plans
    }

    fn sorted(plan: &[u32]) -> Vec<u32> {
        let mut bag = plan.to_vec();
        bag.sort_unstable();
        bag
    }

    /// Whether a part of a bag is another one, but not all of it.
    fn is_less(part: &[u32], whole: &[u32]) -> bool {
        let mut left = whole.iter();
        part.len() < whole.len() && part.iter().all(|step| left.by_ref().any(|other| other == step))
    }

    /// The plans of which nothing can be left out.
    fn least_plans(task: &CountingTask) -> Vec<Vec<u32>> {
        let plans = all_plans(task);
        let bags: BTreeSet<Vec<u32>> = plans.iter().map(|plan| sorted(plan)).collect();
        let is_least = |plan: &Vec<u32>| !bags.iter().any(|bag| is_less(bag, &sorted(plan)));
        plans.into_iter().filter(is_least).collect()
    }

    #[test]
    fn all_that_differ_are_listed_cheapest_first() {
        let (mut n_several, mut n_whole) = (0, 0);
        for seed in 0..1_500 {
            for task in [anything(seed), recipes(seed)] {
                let actions = 0..task.n_actions() as u32;
                if actions.len() > 6 {
                    continue;
                }
                let expected = least_plans(&task);
                for by_order in [false, true] {
                    let budget = SearchBudget { nodes: 3_000, ..SearchBudget::DEFAULT };
                    let others = other_plans(&task, by_order, &[], 10_000, &budget);
                    let is_sorted = others.found.is_sorted_by_key(|(_, cost)| *cost);
                    assert!(is_sorted, "{seed}");
                    let mut found = HashMap::new();
                    for (plan, cost) in &others.found {
                        assert_eq!(price(&task, plan), Some(*cost), "{seed} {plan:?}");
                        let key = if by_order { plan.clone() } else { sorted(plan) };
                        assert!(found.insert(key, *cost).is_none(), "{seed} {plan:?} twice");
                    }
                    // Short ones are known; a search that hit its limit has the cheapest.
                    let is_whole = others.ended == OthersEnd::NoMore;
                    let most = others.found.last().map_or(0, |(_, cost)| *cost);
                    for plan in &expected {
                        let key = if by_order { plan.clone() } else { sorted(plan) };
                        let is_due = is_whole || price(&task, plan).is_some_and(|cost| cost < most);
                        assert!(!is_due || found.contains_key(&key), "{seed} {by_order} {plan:?}");
                    }
                    let keys: BTreeSet<Vec<u32>> = expected.iter().map(|p| sorted(p)).collect();
                    for (plan, _) in others.found.iter().filter(|(plan, _)| plan.len() <= STEPS) {
                        assert!(keys.contains(&sorted(plan)), "{seed} {by_order} {plan:?}");
                    }
                    n_several += u32::from(others.found.len() > 1);
                    n_whole += u32::from(is_whole);
                }
            }
        }
        assert!(n_several > 500 && n_whole > 2_000, "{n_several} {n_whole}");
    }

    #[test]
    fn what_is_known_is_not_listed_again() {
        for seed in 0..500 {
            let task = anything(seed);
            let budget = SearchBudget { nodes: 3_000, ..SearchBudget::DEFAULT };
            for by_order in [false, true] {
                let all = other_plans(&task, by_order, &[], 4, &budget);
                let Some(((first, _), rest)) = all.found.split_first() else { continue };
                let known = [first.clone()];
                let others = other_plans(&task, by_order, &known, rest.len(), &budget);
                let costs = |plans: &[(Vec<u32>, u64)]| -> Vec<u64> {
                    plans.iter().map(|(_, cost)| *cost).collect()
                };
                assert_eq!(costs(&others.found), costs(rest), "{seed}");
                assert!(others.found.iter().all(|(plan, _)| plan != first));
            }
        }
    }

    #[test]
    fn limits_end_it() {
        let task = sample("truck");
        let budget = |nodes, bytes| SearchBudget { nodes, bytes, stop: None };
        let ended = |nodes, bytes| other_plans(&task, false, &[], 50, &budget(nodes, bytes)).ended;
        assert_eq!(ended(100, usize::MAX), OthersEnd::Limit(Limit::Nodes));
        assert_eq!(ended(u64::MAX, 10_000), OthersEnd::Limit(Limit::Memory));
        let stop = || true;
        let stopped = SearchBudget { stop: Some(&stop), ..SearchBudget::DEFAULT };
        let ended = other_plans(&task, false, &[], 50, &stopped).ended;
        assert_eq!(ended, OthersEnd::Limit(Limit::Stopped));
    }
}
