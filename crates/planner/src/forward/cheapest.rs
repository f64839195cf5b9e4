//! A cheapest plan: A* on packed states.
//!
//! In:   a search that was begun, and an estimate of what is left.
//! Out:  a cheapest plan, or that there is none, or the limit hit.
//! Cost: the successors of every state that is cheaper than the plan; 8 bytes more per state
//!       than `States` takes, 16 with an estimate, and 16 per entry of the queue.
//!
//! States are taken in order of their total, then of what is left if the estimate says so, then
//! of discovery. A state to which a cheaper way is found later is taken again, so an estimate
//! need not be consistent.

use super::search::{Found, Search};
use super::task::Task;
use crate::outcome::{Budget, Limit};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use throng_domain::compile::Value;

/// A lower bound on what is left to pay. It must never exceed the true cost.
pub(crate) trait Estimate {
    /// Whether it ever says more than zero.
    const INFORMED: bool;
    /// How often the caller's `stop` is asked, in states expanded.
    const STOP_EVERY: u64;
    /// Whether of states of the same total those are taken first that are nearest to the goal.
    const NEAREST_FIRST: bool = false;

    /// The bound from a state, which it may change; `None` if the goal is out of reach from it.
    fn estimate(&mut self, state: &mut [Value]) -> Option<u64>;

    /// What the estimates took so far, in generated states that would have taken as long.
    fn work(&self) -> u64 {
        0
    }
}

/// Knows nothing: uniform-cost search.
pub(super) struct Blind;

impl Estimate for Blind {
    const INFORMED: bool = false;
    const STOP_EVERY: u64 = 256;

    fn estimate(&mut self, _: &mut [Value]) -> Option<u64> {
        Some(0)
    }
}

/// A state that waits, by its total; among the same total by rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Entry {
    total: u64,
    rank: u32,
    state: u32,
}

/// What is known of each state's price.
#[derive(Debug, Default)]
pub(super) struct Prices {
    /// What the best known way costs, by state.
    costs: Vec<u64>,
    /// The estimate; empty if it knows nothing.
    rests: Vec<u64>,
    queue: BinaryHeap<Reverse<Entry>>,
    /// The total of the state taken last: no plan costs less.
    pub(super) least: u64,
    state: Vec<Value>,
}

impl Prices {
    pub(super) fn begin(&mut self) {
        self.costs.clear();
        self.rests.clear();
        self.queue.clear();
        self.least = 0;
    }

    /// Gives all memory back.
    pub(super) fn free(&mut self) {
        *self = Prices::default();
    }

    pub(super) fn bytes(&self) -> usize {
        (self.costs.len() + self.rests.len()) * 8 + self.queue.len() * size_of::<Entry>()
    }

    fn rest(&self, state: u32) -> u64 {
        self.rests.get(state as usize).copied().unwrap_or(0)
    }
}

impl Search {
    /// Searches on; `None` if it took as much work as it takes to generate `until` states.
    pub(super) fn cheapest<const H: usize, E: Estimate>(
        &mut self,
        task: &Task,
        budget: &Budget<'_>,
        estimate: &mut E,
        until: u64,
    ) -> Option<Found> {
        let before = self.nodes;
        if self.prices.costs.is_empty() {
            self.meet::<H, E>(0, 0, estimate);
        }
        while let Some(&Reverse(Entry { total, state, .. })) = self.prices.queue.peek() {
            let cost = self.prices.costs[state as usize];
            // A cheaper way to this state was found after this entry was made.
            if total > cost.saturating_add(self.prices.rest(state)) {
                self.prices.queue.pop();
                continue;
            }
            self.prices.least = total;
            self.look::<H>(state);
            if self.packed.is_whole_goal(&self.words) {
                return Some(Found::Goal(state));
            }
            if let Some(limit) = self.limit(budget, before) {
                return Some(Found::Limit(limit));
            }
            let ask = (self.nodes - before).is_multiple_of(E::STOP_EVERY);
            if ask && budget.stop.is_some_and(|stop| stop()) {
                return Some(Found::Limit(Limit::Stopped));
            }
            if self.generated + estimate.work() >= until {
                return None;
            }
            self.prices.queue.pop();
            self.nodes += 1;
            self.successors.of(&self.words, &mut self.operators);
            self.states.clear_made();
            self.states.make::<H>(&self.packed, state, &self.words, &self.operators);
            self.states.look_up::<H>();
            self.generated += self.states.n_made() as u64;
            for at in 0..self.states.n_made() {
                let Some((next, way, is_new)) = self.states.take::<H>(at) else { continue };
                let cost = cost.saturating_add(self.cost(task, way.operator));
                if is_new {
                    self.meet::<H, E>(next, cost, estimate);
                } else if cost < self.prices.costs[next as usize] {
                    self.states.ways.set(next, way);
                    self.prices.costs[next as usize] = cost;
                    self.wait::<E>(next, cost);
                }
            }
        }
        Some(Found::Nothing)
    }

    fn cost(&self, task: &Task, operator: u32) -> u64 {
        if self.counts_steps { 1 } else { task.cost(operator) }
    }

    /// Prices a new state.
    fn meet<const H: usize, E: Estimate>(&mut self, state: u32, cost: u64, estimate: &mut E) {
        self.prices.costs.push(cost);
        if E::INFORMED {
            self.look::<H>(state);
            self.packed.unpack(&self.words, &mut self.prices.state);
            let rest = estimate.estimate(&mut self.prices.state);
            self.dead_ends += u64::from(rest.is_none());
            self.prices.rests.push(rest.unwrap_or(u64::MAX));
        }
        self.wait::<E>(state, cost);
    }

    /// Lets a state wait, unless it is a dead end: that keeps its place, so that it is not
    /// looked at again.
    fn wait<E: Estimate>(&mut self, state: u32, cost: u64) {
        let rest = self.prices.rest(state);
        if rest < u64::MAX {
            let rank = if E::NEAREST_FIRST { rest.min(u64::from(u32::MAX)) as u32 } else { 0 };
            let total = cost.saturating_add(rest);
            self.prices.queue.push(Reverse(Entry { total, rank, state }));
        }
    }
}
