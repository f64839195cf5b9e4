//! Heuristics by delete relaxation: the least that each value costs from a state, if needs are taken
//! one at a time and nothing is ever lost.
//!
//! In:   a state, and what each action costs that may be used.
//! Out:  for every slot a cost: the dearest of a setter's needs, plus the setter (h_max, never more
//!       than the truth); or their sum (h_add, a better guess, but a guess).
//! Cost: each need once, and a queue of slots; no allocation once warm.

use crate::relaxed::known_facts;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use throng_base::reset;
use throng_domain::compile::{LocalAction, NpcTables, PackedValue};

/// The cost of what cannot be had.
pub(crate) const NEVER: u64 = u64::MAX;

/// How the costs of several needs are taken together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Together {
    /// The dearest, h_max: a lower bound.
    Dearest,
    /// All of them, h_add: a guess.
    Sum,
}

/// The cost of every slot, kept between calls.
#[derive(Debug, Default)]
pub(crate) struct RelaxedCosts {
    pub(crate) cost: Vec<u64>,
    missing: Vec<u32>,
    /// By action: what its needs cost so far.
    needs: Vec<u64>,
    queue: BinaryHeap<Reverse<(u64, u32)>>,
}

impl RelaxedCosts {
    /// Computes all costs from a state; `step_cost` is `None` for an action that is not to be used.
    pub(crate) fn explore(
        &mut self,
        npc: &NpcTables,
        state: &[PackedValue],
        together: Together,
        step_cost: impl Fn(LocalAction) -> Option<u64>,
    ) {
        reset(&mut self.cost, npc.n_slots(), NEVER);
        self.missing.clear();
        self.missing.extend(npc.local_actions().map(|action| npc.needs(action).len() as u32));
        reset(&mut self.needs, npc.n_actions(), 0);
        self.queue.clear();
        known_facts(state).for_each(|fact| self.offer(npc.slot(fact), 0));
        for action in npc.local_actions().filter(|&action| npc.needs(action).is_empty()) {
            self.perform(npc, action, step_cost(action));
        }
        while let Some(Reverse((cost, slot))) = self.queue.pop() {
            if cost > self.cost[slot as usize] {
                continue;
            }
            for &action in npc.needed_by(slot as usize) {
                let needs = &mut self.needs[action.index()];
                *needs = match together {
                    Together::Dearest => cost.max(*needs),
                    Together::Sum => cost.saturating_add(*needs),
                };
                self.missing[action.index()] -= 1;
                if self.missing[action.index()] == 0 {
                    self.perform(npc, action, step_cost(action));
                }
            }
        }
    }

    fn perform(&mut self, npc: &NpcTables, action: LocalAction, step_cost: Option<u64>) {
        if let Some(step_cost) = step_cost {
            let cost = self.needs[action.index()].saturating_add(step_cost);
            npc.sets(action).iter().for_each(|&set| self.offer(npc.slot(set), cost));
        }
    }

    fn offer(&mut self, slot: usize, cost: u64) {
        if cost < self.cost[slot] {
            self.cost[slot] = cost;
            self.queue.push(Reverse((cost, slot as u32)));
        }
    }
}
