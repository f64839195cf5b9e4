//! A cheapest plan: A* on packed states.
//!
//! In:   a search that was begun, and an estimate of what is left.
//! Out:  a cheapest plan, or that there is none, or the limit hit.
//! Cost: the successors of every state that is cheaper than the plan; 8 bytes more per state
//!       than `States` takes, 16 with an estimate, and 16 per entry of the queue.
//!
//! States are taken in order of their total, then of discovery.

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

    /// The bound from a state, which it may change; `None` if the goal is out of reach from it.
    fn estimate(&mut self, state: &mut [Value]) -> Option<u64>;
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

/// What is known of each state's price.
#[derive(Debug, Default)]
pub(super) struct Prices {
    /// What the best known way costs, by state.
    costs: Vec<u64>,
    /// The estimate; empty if it knows nothing.
    rests: Vec<u64>,
    queue: BinaryHeap<Reverse<(u64, u32)>>,
    state: Vec<Value>,
}

impl Prices {
    pub(super) fn begin(&mut self) {
        self.costs.clear();
        self.rests.clear();
        self.queue.clear();
    }

    pub(super) fn bytes(&self) -> usize {
        (self.costs.len() + self.rests.len()) * 8 + self.queue.len() * size_of::<(u64, u32)>()
    }

    fn rest(&self, state: u32) -> u64 {
        self.rests.get(state as usize).copied().unwrap_or(0)
    }
}

impl Search {
    pub(super) fn cheapest<const W: usize, E: Estimate>(
        &mut self,
        task: &Task,
        budget: &Budget<'_>,
        estimate: &mut E,
    ) -> Found {
        let before = self.nodes;
        if self.prices.costs.is_empty() {
            self.meet::<W, E>(0, 0, estimate);
        }
        while let Some(&Reverse((total, state))) = self.prices.queue.peek() {
            let cost = self.prices.costs[state as usize];
            // A cheaper way to this state was found after this entry was made.
            if total > cost.saturating_add(self.prices.rest(state)) {
                self.prices.queue.pop();
                continue;
            }
            if self.packed.is_goal(self.states.words::<W>(state)) {
                return Found::Goal(state);
            }
            if let Some(limit) = self.limit(budget, before) {
                return Found::Limit(limit);
            }
            let ask = (self.nodes - before).is_multiple_of(E::STOP_EVERY);
            if ask && budget.stop.is_some_and(|stop| stop()) {
                return Found::Limit(Limit::Stopped);
            }
            self.prices.queue.pop();
            self.nodes += 1;
            self.successors.of(self.states.words::<W>(state), &mut self.operators);
            self.states.clear_made();
            self.states.make::<W>(&self.packed, state, &self.operators);
            self.states.look_up::<W>();
            for at in 0..self.states.n_made() {
                let Some((next, way, is_new)) = self.states.take::<W>(at) else { continue };
                let cost = cost.saturating_add(task.cost(way.operator));
                if is_new {
                    self.meet::<W, E>(next, cost, estimate);
                } else if cost < self.prices.costs[next as usize] {
                    self.states.set_way(next, way);
                    self.prices.costs[next as usize] = cost;
                    self.wait(next, cost);
                }
            }
        }
        Found::Nothing
    }

    /// Prices a new state.
    fn meet<const W: usize, E: Estimate>(&mut self, state: u32, cost: u64, estimate: &mut E) {
        self.prices.costs.push(cost);
        if E::INFORMED {
            self.packed.unpack(self.states.words::<W>(state), &mut self.prices.state);
            let rest = estimate.estimate(&mut self.prices.state);
            self.dead_ends += u64::from(rest.is_none());
            self.prices.rests.push(rest.unwrap_or(u64::MAX));
        }
        self.wait(state, cost);
    }

    /// Lets a state wait, unless it is a dead end: that keeps its place, so that it is not
    /// looked at again.
    fn wait(&mut self, state: u32, cost: u64) {
        let rest = self.prices.rest(state);
        if rest < u64::MAX {
            self.prices.queue.push(Reverse((cost.saturating_add(rest), state)));
        }
    }
}
