//! A cheapest plan: A* on packed states.
//!
//! In:   a search that was begun, and an estimate of what is left.
//! Out:  a cheapest plan, or that there is none, or the limit hit.
//! Cost: the successors of every state that is cheaper than the plan; 8 bytes more per state
//!       than `States` takes, 16 with an estimate, and 16 per entry of the queue.
//!
//! States are taken in order of their total, then of what is left if the estimate says so, then
//! of discovery. A state to which a cheaper way is found later is taken again, so an estimate
//! need not be consistent. A state may have thousands of successors, and each is estimated: at a
//! limit the search stops among them, and goes on there.

use super::search::{Found, Search};
use super::stop::Stop;
use super::task::GroundTask;
use crate::outcome::{Limit, SearchBudget};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use throng_domain::compile::PackedValue;

/// A lower bound on what is left to pay. It must never exceed the true cost.
pub(crate) trait Estimate {
    /// Whether it ever says more than zero.
    const INFORMED: bool;
    /// What an estimate takes that does not say so to [`Stop`], in generated states.
    const WEIGHT: u64 = 1;
    /// Whether of states of the same total those are taken first that are nearest to the goal.
    const NEAREST_FIRST: bool = false;

    /// The bound from a state, which it may change; `None` if the goal is out of reach from it.
    ///
    /// # Errors
    ///
    /// The caller's `stop` said so. The next call is about the same state.
    fn estimate(
        &mut self,
        state: &mut [PackedValue],
        stop: &mut Stop<'_>,
    ) -> Result<Option<u64>, Limit>;

    /// What the estimates took so far, in generated states that would have taken as long.
    fn work(&self) -> u64 {
        0
    }
}

/// Knows nothing: uniform-cost search.
pub(super) struct Blind;

impl Estimate for Blind {
    const INFORMED: bool = false;

    fn estimate(&mut self, _: &mut [PackedValue], _: &mut Stop<'_>) -> Result<Option<u64>, Limit> {
        Ok(Some(0))
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
    /// The state that was taken, until all its successors are met.
    taken: Option<u32>,
    /// The total of the state taken last: no plan costs less.
    pub(super) least: u64,
    state: Vec<PackedValue>,
}

impl Prices {
    pub(super) fn begin(&mut self) {
        self.costs.clear();
        self.rests.clear();
        self.queue.clear();
        self.taken = None;
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
        task: &GroundTask,
        budget: &SearchBudget<'_>,
        estimate: &mut E,
        until: u64,
    ) -> Option<Found> {
        let before = self.nodes;
        let mut stop = Stop::new(budget);
        if self.prices.costs.is_empty()
            && let Err(limit) = self.meet::<H, E>(0, 0, estimate, &mut stop)
        {
            return Some(Found::Limit(limit));
        }
        loop {
            if self.prices.taken.is_none() {
                let Some((state, total)) = self.nearest() else {
                    let is_proof = !self.states.is_full();
                    return Some(if is_proof {
                        Found::Nothing
                    } else {
                        Found::Limit(Limit::Memory)
                    });
                };
                // A state without a number may have been nearer.
                if self.states.is_full() {
                    return Some(Found::Limit(Limit::Memory));
                }
                self.prices.least = total;
                self.next = state;
                self.look::<H>(state);
                if self.packed.is_whole_goal(&self.words) {
                    return Some(Found::Goal(state));
                }
                if let Some(limit) = self.limit(budget, before) {
                    return Some(Found::Limit(limit));
                }
                if stop.after(1) {
                    return Some(Found::Limit(Limit::Stopped));
                }
                if self.generated + estimate.work() >= until {
                    return None;
                }
                self.prices.queue.pop();
                self.prices.taken = Some(state);
                self.nodes += 1;
            }
            if let Err(limit) = self.meet_successors::<H, E>(task, budget, estimate, &mut stop) {
                return Some(Found::Limit(limit));
            }
        }
    }

    /// The state that is next in the queue, and its total.
    fn nearest(&mut self) -> Option<(u32, u64)> {
        while let Some(&Reverse(Entry { total, state, .. })) = self.prices.queue.peek() {
            let cost = self.prices.costs[state as usize];
            if total <= cost.saturating_add(self.prices.rest(state)) {
                return Some((state, total));
            }
            // A cheaper way to this state was found after this entry was made.
            self.prices.queue.pop();
        }
        None
    }

    /// Meets the successors of the state that was taken, those aside that were met before a limit
    /// was hit.
    fn meet_successors<const H: usize, E: Estimate>(
        &mut self,
        task: &GroundTask,
        budget: &SearchBudget<'_>,
        estimate: &mut E,
        stop: &mut Stop<'_>,
    ) -> Result<(), Limit> {
        let Some(state) = self.prices.taken else { return Ok(()) };
        let cost = self.prices.costs[state as usize];
        while self.make_some::<H>(state) {
            self.states.look_up::<H>();
            let (n_met, met) = self.meet_made::<H, E>(cost, task, budget, estimate, stop);
            self.n_done += n_met;
            self.generated += n_met as u64;
            met?;
            if self.n_done >= self.operators.len() {
                break;
            }
        }
        self.prices.taken = None;
        self.n_done = 0;
        Ok(())
    }

    /// Meets the states that were made, from a state that costs `cost`; gives how many were met.
    fn meet_made<const H: usize, E: Estimate>(
        &mut self,
        cost: u64,
        task: &GroundTask,
        budget: &SearchBudget<'_>,
        estimate: &mut E,
        stop: &mut Stop<'_>,
    ) -> (usize, Result<(), Limit>) {
        let n_made = self.states.n_made();
        for at in 0..n_made {
            // Without an estimate all are soon met.
            if E::INFORMED && self.own_bytes() > budget.bytes {
                return (at, Err(Limit::Memory));
            }
            if E::INFORMED && stop.after(E::WEIGHT) {
                return (at, Err(Limit::Stopped));
            }
            let Some((next, way, is_new)) = self.states.take::<H>(at) else { continue };
            let cost = cost.saturating_add(self.cost(task, way.operator));
            // New, or its estimate was stopped.
            if next as usize >= self.prices.costs.len() {
                if let Err(limit) = self.meet::<H, E>(next, cost, estimate, stop) {
                    // It has its number, so it counts now, and not again.
                    self.generated += u64::from(is_new);
                    return (at, Err(limit));
                }
                self.generated -= u64::from(!is_new);
            } else if cost < self.prices.costs[next as usize] {
                self.states.ways.set(next, way);
                self.prices.costs[next as usize] = cost;
                self.wait::<E>(next, cost);
            }
        }
        let is_stopped = !E::INFORMED && stop.after(n_made as u64);
        (n_made, if is_stopped { Err(Limit::Stopped) } else { Ok(()) })
    }

    fn cost(&self, task: &GroundTask, operator: u32) -> u64 {
        if self.counts_steps { 1 } else { task.cost(operator) }
    }

    /// Prices a new state.
    fn meet<const H: usize, E: Estimate>(
        &mut self,
        state: u32,
        cost: u64,
        estimate: &mut E,
        stop: &mut Stop<'_>,
    ) -> Result<(), Limit> {
        if E::INFORMED {
            self.look::<H>(state);
            self.packed.unpack(&self.words, &mut self.prices.state);
            let rest = estimate.estimate(&mut self.prices.state, stop)?;
            self.dead_ends += u64::from(rest.is_none());
            self.prices.rests.push(rest.unwrap_or(u64::MAX));
        }
        self.prices.costs.push(cost);
        self.wait::<E>(state, cost);
        Ok(())
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
