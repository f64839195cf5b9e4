//! A guess at what is left: the plan if nothing that was true were ever lost.
//!
//! In:   a relaxed task and a state.
//! Out:  the number of operators of such a plan, and which of them can run now: the preferred;
//!       or the proof that the goal is out of reach.
//! Cost: each need of each relaxed operator once; no allocation once warm.
//!
//! Each atom is supported by the operator whose needs cost least when added up. Follows "The FF
//! Planning System", with the additive prices of "Planning as Heuristic Search".

use super::packed::Packed;
use super::price_queue::PriceQueue;
use super::relaxed_task::RelaxedTask;
use super::task::GroundTask;
use throng_domain::compile::PackedValue;

const NEVER: u32 = u32::MAX;
const NOBODY: u32 = u32::MAX;

/// A relaxed operator on the way: the needs it misses, and the price of those it has.
#[derive(Clone, Copy, Debug)]
struct Count {
    missing: u32,
    price: u32,
}

/// Prices and supporters, kept between states.
#[derive(Debug, Default)]
pub(super) struct RelaxedPlan {
    relaxed: RelaxedTask,
    /// What every state begins with.
    fresh: Vec<Count>,
    // About one state.
    counts: Vec<Count>,
    price: Vec<u32>,
    supporter: Vec<u32>,
    queue: PriceQueue,
    open: Vec<u32>,
    /// Relaxed operators of the plan, and their owners.
    chosen: Vec<u32>,
    is_chosen: Vec<bool>,
    is_owner_chosen: Vec<bool>,
    /// By operator: whether it is in the plan, and has an effect there whose condition holds now.
    is_preferred: Vec<bool>,
}

impl RelaxedPlan {
    /// Makes the tables for a task.
    pub(super) fn fill(&mut self, task: &GroundTask, packed: &Packed) {
        self.relaxed.fill(task, packed);
        let n_operators = self.relaxed.n_operators();
        self.fresh.clear();
        for part in 0..self.relaxed.len() as u32 {
            let missing = self.relaxed.needs.row(part as usize).len() as u32;
            let is_rule = self.relaxed.owners[part as usize] as usize == n_operators;
            self.fresh.push(Count { missing, price: u32::from(!is_rule) });
        }
        self.supporter.clear();
        self.supporter.resize(self.relaxed.n_atoms(), NOBODY);
        self.chosen.clear();
        self.is_chosen.clear();
        self.is_chosen.resize(self.relaxed.len(), false);
        self.is_owner_chosen.clear();
        self.is_owner_chosen.resize(n_operators + 1, false);
        self.is_preferred.clear();
        self.is_preferred.resize(n_operators + 1, false);
    }

    /// The guess from a state, which must have its derived variables; `None` if the goal is out
    /// of reach from there.
    pub(super) fn guess(&mut self, state: &[PackedValue]) -> Option<u32> {
        self.explore(state);
        for part in self.chosen.drain(..) {
            self.is_chosen[part as usize] = false;
            let owner = self.relaxed.owners[part as usize] as usize;
            self.is_owner_chosen[owner] = false;
            self.is_preferred[owner] = false;
        }
        self.open.clear();
        for &atom in &self.relaxed.goal {
            if self.price[atom as usize] == NEVER {
                return None;
            }
            self.open.push(atom);
        }
        if self.relaxed.is_hopeless() {
            return None;
        }
        let mut n_steps = 0;
        while let Some(atom) = self.open.pop() {
            let part = self.supporter[atom as usize];
            if part == NOBODY || self.is_chosen[part as usize] {
                continue;
            }
            self.is_chosen[part as usize] = true;
            self.chosen.push(part);
            // Several effects of one operator are one step; rules are none.
            let owner = self.relaxed.owners[part as usize] as usize;
            let is_step = owner < self.relaxed.n_operators() && !self.is_owner_chosen[owner];
            self.is_owner_chosen[owner] = true;
            n_steps += u32::from(is_step);
            // Its needs cost nothing.
            let is_ready = self.counts[part as usize].price == self.fresh[part as usize].price;
            self.is_preferred[owner] |= is_ready;
            self.open.extend_from_slice(self.relaxed.needs.row(part as usize));
        }
        Some(n_steps)
    }

    /// How many relaxed operators there are.
    pub(super) fn n_parts(&self) -> usize {
        self.relaxed.len()
    }

    /// Whether the last guess contains an operator for what it does now.
    pub(super) fn prefers(&self, operator: u32) -> bool {
        self.is_preferred[operator as usize]
    }

    fn explore(&mut self, state: &[PackedValue]) {
        self.price.clear();
        self.price.resize(self.supporter.len(), NEVER);
        self.counts.clone_from(&self.fresh);
        self.queue.clear();
        for atom in self.relaxed.atoms(state) {
            self.price[atom as usize] = 0;
            self.supporter[atom as usize] = NOBODY;
            self.queue.push(0, atom);
        }
        for at in 0..self.relaxed.free.len() {
            self.perform(self.relaxed.free[at]);
        }
        let mut goals_left = self.relaxed.goal.len();
        while let Some((price, atom)) = self.queue.pop() {
            let price = price as u32;
            if price > self.price[atom as usize] {
                continue;
            }
            // Once all parts of the goal have their final price, the rest does not matter.
            if self.relaxed.is_goal[atom as usize] {
                goals_left -= 1;
                if goals_left == 0 {
                    return;
                }
            }
            for at in self.relaxed.needers.range(atom as usize) {
                let part = self.relaxed.needers.entries()[at];
                let count = &mut self.counts[part as usize];
                count.price = count.price.saturating_add(price);
                count.missing -= 1;
                if count.missing == 0 {
                    self.perform(part);
                }
            }
        }
    }

    fn perform(&mut self, part: u32) {
        // One below never: dear, but possible.
        let price = self.counts[part as usize].price.min(NEVER - 1);
        for &atom in self.relaxed.sets.row(part as usize) {
            if price < self.price[atom as usize] {
                self.price[atom as usize] = price;
                self.supporter[atom as usize] = part;
                self.queue.push(u64::from(price), atom);
            }
        }
    }
}
