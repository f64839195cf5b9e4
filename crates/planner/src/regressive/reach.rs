//! The least that each value costs from what holds now, if needs are taken one at a time.
//!
//! In:   a problem.
//! Out:  for every slot a price: the dearest of a setter's needs, plus the setter (never more than
//!       the truth); or their sum (a better guess, but a guess).
//! Cost: each need once, and a queue of slots; no allocation once warm.

use crate::outcome::Mode;
use crate::problem::Problem;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use throng_domain::compile::{LocalAction, LocalFact, LocalVariable, NpcTables, UNKNOWN};

/// No way to have it.
pub(super) const NEVER: u64 = u64::MAX;

/// How the prices of several needs are taken together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Together {
    /// The dearest: a lower bound.
    Dearest,
    /// All of them: a guess.
    Sum,
}

/// The prices, kept between calls.
#[derive(Debug, Default)]
pub(super) struct Reach {
    price: Vec<u64>,
    done: Vec<bool>,
    missing: Vec<u32>,
    so_far: Vec<u64>,
    queue: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Reach {
    /// Computes all prices.
    pub(super) fn explore(
        &mut self,
        npc: &NpcTables,
        problem: &Problem,
        mode: Mode,
        together: Together,
    ) {
        self.price.clear();
        self.price.resize(npc.n_slots(), NEVER);
        self.done.clear();
        self.done.resize(npc.n_slots(), false);
        self.missing.clear();
        self.so_far.clear();
        self.so_far.resize(npc.n_actions(), 0);
        self.queue.clear();
        for (at, &value) in problem.start().iter().enumerate() {
            if value != UNKNOWN {
                self.offer(npc, LocalFact { variable: LocalVariable(at as u32), value }, 0);
            }
        }
        for action in (0..npc.n_actions() as u32).map(LocalAction) {
            self.missing.push(npc.needs(action).len() as u32);
            if npc.needs(action).is_empty() {
                self.perform(npc, problem, mode, action);
            }
        }
        while let Some(Reverse((price, slot))) = self.queue.pop() {
            if std::mem::replace(&mut self.done[slot as usize], true) {
                continue;
            }
            for &action in npc.needed_by(slot as usize) {
                let so_far = &mut self.so_far[action.index()];
                *so_far = match together {
                    Together::Dearest => price.max(*so_far),
                    Together::Sum => price.saturating_add(*so_far),
                };
                self.missing[action.index()] -= 1;
                if self.missing[action.index()] == 0 {
                    self.perform(npc, problem, mode, action);
                }
            }
        }
    }

    fn perform(&mut self, npc: &NpcTables, problem: &Problem, mode: Mode, action: LocalAction) {
        if problem.enabled().has(action) {
            let step = problem.step_cost(npc, mode, action);
            let price = self.so_far[action.index()].saturating_add(step);
            npc.sets(action).iter().for_each(|&fact| self.offer(npc, fact, price));
        }
    }

    fn offer(&mut self, npc: &NpcTables, fact: LocalFact, price: u64) {
        let slot = npc.slot(fact);
        if price < self.price[slot] {
            self.price[slot] = price;
            self.queue.push(Reverse((price, slot as u32)));
        }
    }

    /// The price of a slot.
    pub(super) fn price(&self, slot: usize) -> u64 {
        self.price[slot]
    }
}
