//! A cheapest plan: A* on packed states.
//!
//! In:   a search that was begun, and a heuristic: an estimate of what is left.
//! Out:  a cheapest plan, or that there is none, or the limit hit.
//! Cost: the successors of every state that is cheaper than the plan; 8 bytes more per state
//!       than `States` takes, 16 with an estimate, and 16 per entry of the queue.
//!
//! States are taken from the open list in order of f = g + h, then of h if the heuristic says so,
//! then of discovery. A state to which a cheaper way is found later is taken again, so a heuristic
//! need not be consistent. A state may have thousands of successors, and each is estimated: at a
//! limit the search stops among them, and goes on there.

use super::search::{Found, Paused, Run, Search};
use super::stop::Stop;
use super::task::GroundTask;
use crate::budget::Limit;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use throng_domain::compile::PackedValue;

/// A heuristic: a lower bound on what is left to pay. Admissible: it never exceeds the true cost.
pub(crate) trait Heuristic {
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

impl Heuristic for Blind {
    const INFORMED: bool = false;

    fn estimate(&mut self, _: &mut [PackedValue], _: &mut Stop<'_>) -> Result<Option<u64>, Limit> {
        Ok(Some(0))
    }
}

/// A state on the open list, by f = g + h; among the same f by rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Entry {
    f: u64,
    rank: u32,
    state: u32,
}

/// The open list of A*: the frontier, and g and h of every state.
#[derive(Debug, Default)]
pub(super) struct OpenList {
    /// What the best known way to each state costs.
    g: Vec<u64>,
    /// The heuristic of each state; empty if it knows nothing.
    h: Vec<u64>,
    queue: BinaryHeap<Reverse<Entry>>,
    /// The state that was taken, until all its successors are met.
    taken: Option<u32>,
    /// f of the state taken last: no plan costs less.
    pub(super) least_f: u64,
    state: Vec<PackedValue>,
}

impl OpenList {
    pub(super) fn begin(&mut self) {
        self.g.clear();
        self.h.clear();
        self.queue.clear();
        self.taken = None;
        self.least_f = 0;
    }

    /// Gives all memory back.
    pub(super) fn free(&mut self) {
        *self = OpenList::default();
    }

    pub(super) fn bytes(&self) -> usize {
        (self.g.len() + self.h.len()) * 8 + self.queue.len() * size_of::<Entry>()
    }

    fn h(&self, state: u32) -> u64 {
        self.h.get(state as usize).copied().unwrap_or(0)
    }
}

impl Search {
    /// Searches on.
    pub(super) fn cheapest<const H: usize, E: Heuristic>(
        &mut self,
        run: &mut Run<'_, '_, E>,
    ) -> Paused {
        let before = self.nodes;
        if self.open.g.is_empty() {
            self.meet::<H, E>(0, 0, run)?;
        }
        loop {
            if self.open.taken.is_none() {
                let Some((state, f)) = self.nearest() else { return self.end() };
                // A state without a number may have been nearer.
                if self.states.is_full() {
                    return Err(Limit::Memory);
                }
                self.open.least_f = f;
                self.next = state;
                self.look::<H>(state);
                if self.packed.is_whole_goal(&self.words) {
                    return Ok(Some(Found::Goal(state)));
                }
                self.limit(&run.budget, before)?;
                run.stop.after(1)?;
                if self.generated + run.heuristic.work() >= run.until {
                    return Ok(None);
                }
                self.open.queue.pop();
                self.open.taken = Some(state);
                self.nodes += 1;
            }
            self.meet_successors::<H, E>(run)?;
        }
    }

    /// The state that is next on the open list, and its f.
    fn nearest(&mut self) -> Option<(u32, u64)> {
        while let Some(&Reverse(Entry { f, state, .. })) = self.open.queue.peek() {
            if f <= self.open.g[state as usize].saturating_add(self.open.h(state)) {
                return Some((state, f));
            }
            // A cheaper way to this state was found after this entry was made.
            self.open.queue.pop();
        }
        None
    }

    /// Meets the successors of the state that was taken, those aside that were met before a limit
    /// was hit.
    fn meet_successors<const H: usize, E: Heuristic>(
        &mut self,
        run: &mut Run<'_, '_, E>,
    ) -> Result<(), Limit> {
        let Some(state) = self.open.taken else { return Ok(()) };
        let g = self.open.g[state as usize];
        while self.make_some::<H>(state) {
            self.states.look_up::<H>();
            let (n_met, met) = self.meet_made::<H, E>(g, run);
            self.n_done += n_met;
            self.generated += n_met as u64;
            met?;
            if self.n_done >= self.successors.found().len() {
                break;
            }
        }
        self.open.taken = None;
        self.n_done = 0;
        Ok(())
    }

    /// Meets the states that were made, from a state of this g; gives how many were met.
    fn meet_made<const H: usize, E: Heuristic>(
        &mut self,
        g: u64,
        run: &mut Run<'_, '_, E>,
    ) -> (usize, Result<(), Limit>) {
        let n_made = self.states.n_made();
        for at in 0..n_made {
            // Without an estimate all are soon met.
            if E::INFORMED && self.own_bytes() > run.budget.bytes {
                return (at, Err(Limit::Memory));
            }
            if E::INFORMED && run.stop.after(E::WEIGHT).is_err() {
                return (at, Err(Limit::Stopped));
            }
            let Some((next, way, is_new)) = self.states.take::<H>(at) else { continue };
            let g = g.saturating_add(self.cost(run.task, way.operator));
            // New, or its estimate was stopped.
            if next as usize >= self.open.g.len() {
                if let Err(limit) = self.meet::<H, E>(next, g, run) {
                    // It has its number, so it counts now, and not again.
                    self.generated += u64::from(is_new);
                    return (at, Err(limit));
                }
                self.generated -= u64::from(!is_new);
            } else if g < self.open.g[next as usize] {
                self.states.ways.set(next, way);
                self.open.g[next as usize] = g;
                self.wait::<E>(next, g);
            }
        }
        (n_made, if E::INFORMED { Ok(()) } else { run.stop.after(n_made as u64) })
    }

    fn cost(&self, task: &GroundTask, operator: u32) -> u64 {
        if self.counts_steps { 1 } else { task.cost(operator) }
    }

    /// Puts a new state on the open list.
    fn meet<const H: usize, E: Heuristic>(
        &mut self,
        state: u32,
        g: u64,
        run: &mut Run<'_, '_, E>,
    ) -> Result<(), Limit> {
        if E::INFORMED {
            self.look::<H>(state);
            self.packed.unpack(&self.words, &mut self.open.state);
            let h = run.heuristic.estimate(&mut self.open.state, &mut run.stop)?;
            self.dead_ends += u64::from(h.is_none());
            self.open.h.push(h.unwrap_or(u64::MAX));
        }
        self.open.g.push(g);
        self.wait::<E>(state, g);
        Ok(())
    }

    /// Puts a state on the open list, unless it is a dead end: that keeps its place, so that it is not
    /// looked at again.
    fn wait<E: Heuristic>(&mut self, state: u32, g: u64) {
        let h = self.open.h(state);
        if h < u64::MAX {
            let rank = if E::NEAREST_FIRST { h.min(u64::from(u32::MAX)) as u32 } else { 0 };
            self.open.queue.push(Reverse(Entry { f: g.saturating_add(h), rank, state }));
        }
    }
}
