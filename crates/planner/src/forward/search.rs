//! The search on a task: begun, gone on with, stopped at limits.
//!
//! In:   a task, a mode, a budget.
//! Out:  the state where the goal holds and the operators that lead there; or that there is
//!       none; or the limit hit, after which it can go on.
//! Cost: `shortest` is breadth-first: the successors of every state nearer than the goal.
//!       `cheapest` and `fast` say their own.
//!
//! States are expanded in the order of their discovery. The goal is looked for when a state is
//! made, a whole level earlier than when it is taken out.

use super::cheapest::{Blind, Estimate, Prices};
use super::greedy::Greedy;
use super::packed::Packed;
use super::states::{NO_STATE, States};
use super::successors::Successors;
use super::task::{Atom, Task};
use crate::outcome::{Budget, Limit, Mode};

/// A fast search begins breadth-first, which ends soon for most questions of a game; with so
/// many states it begins again greedily.
const HASTE: usize = 64;
/// How many states are expanded together: the more, the more reads of memory are under way at
/// the same time. The order of everything is the same as one by one.
const BATCH: u64 = 16;
/// How often the caller's `stop` is asked, in batches.
const STOP_EVERY: u64 = 16;

/// What a search came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// The goal holds in this state.
    Goal(u32),
    /// Every state that could lead to the goal was tried.
    Nothing,
    /// A limit was hit.
    Limit(Limit),
}

/// How states are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Order {
    #[default]
    Breadth,
    /// Breadth-first until there are many states.
    Haste,
    Greedy,
    Cheapest,
}

/// A search, and its memory, reused from task to task.
#[derive(Debug, Default)]
pub struct Search {
    order: Order,
    pub(super) packed: Packed,
    pub(super) successors: Successors,
    pub(super) states: States,
    pub(super) prices: Prices,
    pub(super) greedy: Greedy,
    /// The operators that can run in the state being expanded.
    pub(super) operators: Vec<u32>,
    start: Vec<u64>,
    /// The next state to be expanded breadth-first.
    next: u32,
    pub(super) nodes: u64,
    generated: u64,
    pub(super) dead_ends: u64,
}

impl Search {
    /// Begins a search. The start must not be a goal: it is not looked at.
    pub fn begin(&mut self, task: &Task, mode: Mode) {
        let order = match mode {
            Mode::Shortest => Order::Breadth,
            Mode::Cheapest if task.all_cost_the_same() => Order::Breadth,
            Mode::Cheapest => Order::Cheapest,
            Mode::Fast => Order::Haste,
        };
        self.begin_in(task, order);
    }

    /// Begins a greedy search at once, which [`Mode::Fast`] does after some haste.
    pub fn begin_greedily(&mut self, task: &Task) {
        self.greedy.begin(task);
        self.begin_in(task, Order::Greedy);
    }

    /// Begins an A* search with an estimate, which is given to [`Search::run_with`].
    pub(crate) fn begin_estimated(&mut self, task: &Task) {
        self.begin_in(task, Order::Cheapest);
    }

    fn begin_in(&mut self, task: &Task, order: Order) {
        self.packed.fill(task);
        self.successors.fill(task, &self.packed);
        self.packed.pack_start(&mut self.start);
        self.nodes = 0;
        self.generated = 0;
        self.start_over(order);
    }

    fn start_over(&mut self, order: Order) {
        self.order = order;
        self.states.begin(&self.start);
        self.prices.begin();
        self.next = 0;
        self.dead_ends = 0;
    }

    /// Searches on, within a budget. `task` is the one it was begun with.
    pub fn run(&mut self, task: &Task, budget: &Budget<'_>) -> Found {
        self.run_with(task, budget, &mut Blind)
    }

    pub(crate) fn run_with(
        &mut self,
        task: &Task,
        budget: &Budget<'_>,
        estimate: &mut impl Estimate,
    ) -> Found {
        match self.packed.n_words() {
            1 => self.run_wide::<1>(task, budget, estimate),
            2 => self.run_wide::<2>(task, budget, estimate),
            3 => self.run_wide::<3>(task, budget, estimate),
            4 => self.run_wide::<4>(task, budget, estimate),
            _ => self.run_wide::<0>(task, budget, estimate),
        }
    }

    fn run_wide<const W: usize>(
        &mut self,
        task: &Task,
        budget: &Budget<'_>,
        estimate: &mut impl Estimate,
    ) -> Found {
        let mut left = *budget;
        if self.order == Order::Haste {
            let before = self.nodes;
            if let Some(found) = self.breadth_first::<W>(budget, HASTE) {
                return found;
            }
            left.nodes -= self.nodes - before;
            self.greedy.begin(task);
            self.start_over(Order::Greedy);
        }
        match self.order {
            Order::Breadth | Order::Haste => {
                // More states than that cannot be numbered.
                self.breadth_first::<W>(budget, usize::MAX).unwrap_or(Found::Nothing)
            }
            Order::Greedy => self.greedily::<W>(task, &left),
            Order::Cheapest => self.cheapest::<W, _>(task, budget, estimate),
        }
    }

    /// Expands states in the order of their discovery; `None` if there are `most`.
    fn breadth_first<const W: usize>(&mut self, budget: &Budget<'_>, most: usize) -> Option<Found> {
        let before = self.nodes;
        let mut rounds = 0;
        // When to begin again must not depend on where calls began and ended.
        let batch = if most == usize::MAX { BATCH } else { 1 };
        while (self.next as usize) < self.states.len() {
            if self.states.len() >= most {
                return None;
            }
            if let Some(limit) = self.limit(budget, before) {
                return Some(Found::Limit(limit));
            }
            if rounds % STOP_EVERY == 0 && budget.stop.is_some_and(|stop| stop()) {
                return Some(Found::Limit(Limit::Stopped));
            }
            rounds += 1;
            let left = budget.nodes - (self.nodes - before);
            let waiting = self.states.len() as u64 - u64::from(self.next);
            let batch = batch.min(left).min(waiting) as u32;
            if let Some(goal) = self.expand::<W>(batch) {
                return Some(Found::Goal(goal));
            }
        }
        Some(Found::Nothing)
    }

    /// Expands the next so many states; gives a goal among their successors.
    fn expand<const W: usize>(&mut self, batch: u32) -> Option<u32> {
        let first = self.next;
        self.states.clear_made();
        for state in first..first + batch {
            self.successors.of(self.states.words::<W>(state), &mut self.operators);
            self.states.make::<W>(&self.packed, state, &self.operators);
        }
        self.states.look_up::<W>();
        for at in 0..self.states.n_made() {
            let Some((state, way, true)) = self.states.take::<W>(at) else { continue };
            if self.packed.is_goal(self.states.words::<W>(state)) {
                self.next = way.parent + 1;
                self.nodes += u64::from(self.next - first);
                self.generated += at as u64 + 1;
                return Some(state);
            }
        }
        self.next = first + batch;
        self.nodes += u64::from(batch);
        self.generated += self.states.n_made() as u64;
        None
    }

    /// The limit that forbids another state, if any; `before` is how many there were when the
    /// call began.
    #[inline]
    pub(super) fn limit(&self, budget: &Budget<'_>, before: u64) -> Option<Limit> {
        if self.nodes - before >= budget.nodes {
            return Some(Limit::Nodes);
        }
        (self.bytes() > budget.bytes || self.states.is_full()).then_some(Limit::Memory)
    }

    /// Bytes in use for states and what waits.
    pub fn bytes(&self) -> usize {
        let waiting = match self.order {
            Order::Breadth | Order::Haste => 0,
            Order::Greedy => self.greedy.bytes(),
            Order::Cheapest => self.prices.bytes(),
        };
        self.states.bytes() + waiting
    }

    /// States expanded since the search began.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Successors made by a breadth-first search, known states among them.
    pub fn generated(&self) -> u64 {
        self.generated
    }

    /// Different states met.
    pub fn n_states(&self) -> usize {
        self.states.len()
    }

    /// Whether states were left aside because an estimate saw no way on: what holds in none of
    /// those that were met may hold behind these.
    pub fn has_dead_ends(&self) -> bool {
        self.dead_ends > 0
    }

    /// Writes the operators that lead to a state.
    pub fn way_to(&self, mut state: u32, plan: &mut Vec<u32>) {
        plan.clear();
        loop {
            let way = self.states.way(state);
            if way.parent == NO_STATE {
                break;
            }
            plan.push(way.operator);
            state = way.parent;
        }
        plan.reverse();
    }

    /// Whether all of some atoms hold in one of the states that were met.
    pub fn some_state_has(&self, atoms: &[Atom]) -> bool {
        (0..self.states.len() as u32).any(|state| {
            let words = self.states.words::<0>(state);
            atoms.iter().all(|&atom| self.packed.holds(words, atom))
        })
    }
}
