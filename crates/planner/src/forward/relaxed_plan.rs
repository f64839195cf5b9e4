//! A guess at what is left: the plan if nothing that was true were ever lost.
//!
//! In:   a task and a state.
//! Out:  the number of operators of such a plan, and which of them can run now: the preferred;
//!       or the proof that the goal is out of reach.
//! Cost: each need of each operator once, and a queue of atoms; no allocation once warm.
//!
//! Each atom is supported by the operator whose needs cost least when added up. Follows "The FF
//! Planning System", with the additive prices of "Planning as Heuristic Search".

use super::task::{Atom, Task};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use throng_domain::compile::Value;

const NEVER: u32 = u32::MAX;
const NOBODY: u32 = u32::MAX;

/// Prices and supporters, kept between states.
#[derive(Debug, Default)]
pub(super) struct RelaxedPlan {
    /// The number of each variable's first atom.
    first: Vec<u32>,
    /// Who needs an atom: a range of `needers` per atom.
    needer_ends: Vec<u32>,
    needers: Vec<u32>,
    n_needs: Vec<u32>,
    /// Operators that need nothing.
    free: Vec<u32>,
    /// By atom.
    is_goal: Vec<bool>,
    // About one state.
    price: Vec<u32>,
    supporter: Vec<u32>,
    missing: Vec<u32>,
    so_far: Vec<u32>,
    queue: BinaryHeap<Reverse<(u32, u32)>>,
    open: Vec<u32>,
    chosen: Vec<u32>,
    is_chosen: Vec<bool>,
}

impl RelaxedPlan {
    /// Makes the tables for a task.
    pub(super) fn fill(&mut self, task: &Task) {
        self.first.clear();
        let mut n_atoms = 0;
        for &size in task.sizes() {
            self.first.push(n_atoms);
            n_atoms += size;
        }
        let n_atoms = n_atoms as usize;
        let operators = || 0..task.n_operators() as u32;
        // Counted, summed up, then filled from the end of each range.
        self.needer_ends.clear();
        self.needer_ends.resize(n_atoms + 1, 0);
        self.n_needs.clear();
        self.free.clear();
        for operator in operators() {
            self.n_needs.push(task.needs(operator).len() as u32);
            if task.needs(operator).is_empty() {
                self.free.push(operator);
            }
            for &atom in task.needs(operator) {
                let number = self.number(atom);
                self.needer_ends[number] += 1;
            }
        }
        let mut sum = 0;
        for end in &mut self.needer_ends {
            sum += *end;
            *end = sum;
        }
        self.needers.clear();
        self.needers.resize(sum as usize, 0);
        for operator in operators().rev() {
            for &atom in task.needs(operator) {
                let number = self.number(atom);
                self.needer_ends[number] -= 1;
                self.needers[self.needer_ends[number] as usize] = operator;
            }
        }
        self.is_goal.clear();
        self.is_goal.resize(n_atoms, false);
        for &atom in task.goal() {
            let number = self.number(atom);
            self.is_goal[number] = true;
        }
        self.supporter.clear();
        self.supporter.resize(n_atoms, NOBODY);
        self.is_chosen.clear();
        self.is_chosen.resize(task.n_operators(), false);
        self.chosen.clear();
    }

    fn number(&self, atom: Atom) -> usize {
        self.first[atom.variable as usize] as usize + usize::from(atom.value)
    }

    /// The guess from a state; `None` if the goal is out of reach from there.
    pub(super) fn guess(&mut self, task: &Task, state: &[Value]) -> Option<u32> {
        self.explore(task, state);
        self.chosen.drain(..).for_each(|operator| self.is_chosen[operator as usize] = false);
        self.open.clear();
        for &atom in task.goal() {
            let number = self.number(atom);
            if self.price[number] == NEVER {
                return None;
            }
            self.open.push(number as u32);
        }
        while let Some(number) = self.open.pop() {
            let operator = self.supporter[number as usize];
            if operator == NOBODY || self.is_chosen[operator as usize] {
                continue;
            }
            self.is_chosen[operator as usize] = true;
            self.chosen.push(operator);
            for &atom in task.needs(operator) {
                self.open.push(self.number(atom) as u32);
            }
        }
        Some(self.chosen.len() as u32)
    }

    /// Whether the last guess contains an operator.
    pub(super) fn contains(&self, operator: u32) -> bool {
        self.is_chosen[operator as usize]
    }

    fn explore(&mut self, task: &Task, state: &[Value]) {
        self.price.clear();
        self.price.resize(self.supporter.len(), NEVER);
        self.missing.clone_from(&self.n_needs);
        self.so_far.clear();
        self.so_far.resize(task.n_operators(), 1);
        self.queue.clear();
        for (&first, &value) in self.first.iter().zip(state) {
            let number = first + u32::from(value);
            self.price[number as usize] = 0;
            self.supporter[number as usize] = NOBODY;
            self.queue.push(Reverse((0, number)));
        }
        for at in 0..self.free.len() {
            self.perform(task, self.free[at]);
        }
        let mut goals_left = task.goal().len();
        while let Some(Reverse((price, number))) = self.queue.pop() {
            if price > self.price[number as usize] {
                continue;
            }
            // Once all parts of the goal have their final price, the rest does not matter.
            if self.is_goal[number as usize] {
                goals_left -= 1;
                if goals_left == 0 {
                    return;
                }
            }
            let from = self.needer_ends[number as usize] as usize;
            let to = self.needer_ends[number as usize + 1] as usize;
            for at in from..to {
                let operator = self.needers[at];
                let so_far = &mut self.so_far[operator as usize];
                *so_far = so_far.saturating_add(price);
                self.missing[operator as usize] -= 1;
                if self.missing[operator as usize] == 0 {
                    self.perform(task, operator);
                }
            }
        }
    }

    fn perform(&mut self, task: &Task, operator: u32) {
        // One below never: dear, but possible.
        let price = self.so_far[operator as usize].min(NEVER - 1);
        for &atom in task.sets(operator) {
            let number = self.number(atom);
            if price < self.price[number] {
                self.price[number] = price;
                self.supporter[number] = operator;
                self.queue.push(Reverse((price, number as u32)));
            }
        }
    }
}
