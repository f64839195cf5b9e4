//! The least that is left to pay from a state, if needs are taken one at a time.
//!
//! In:   a state.
//! Out:  a price that no plan from there undercuts; `None` if there is no plan from there.
//! Cost: each need of the actions that can matter once, and a queue of slots.
//!
//! Actions that set nothing that the goal, or an action that matters, demands are left out: a plan
//! with such a step is a plan without it, too.

use crate::outcome::Mode;
use crate::problem::Problem;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use throng_domain::compile::{
    LocalAction, LocalFact, LocalVariable, NpcTables, PackedValue, UNKNOWN,
};

/// The estimate for one problem, with its working memory.
pub(super) struct LeastRest<'p> {
    npc: &'p NpcTables,
    problem: &'p Problem,
    mode: Mode,
    matter: Vec<bool>,
    price: Vec<u64>,
    missing: Vec<u32>,
    queue: BinaryHeap<Reverse<(u64, u32)>>,
}

impl<'p> LeastRest<'p> {
    pub(super) fn new(npc: &'p NpcTables, problem: &'p Problem, mode: Mode) -> Self {
        LeastRest {
            npc,
            problem,
            mode,
            matter: matter(npc, problem),
            price: Vec::new(),
            missing: Vec::new(),
            queue: BinaryHeap::new(),
        }
    }

    /// The actions that are there and can matter, by id.
    pub(super) fn actions(&self) -> Vec<LocalAction> {
        let all = (0..self.npc.n_actions() as u32).map(LocalAction);
        all.filter(|action| self.matter[action.index()]).collect()
    }

    /// The least price from a state to the goal.
    pub(super) fn of(&mut self, state: &[PackedValue]) -> Option<u64> {
        let npc = self.npc;
        self.price.clear();
        self.price.resize(npc.n_slots(), u64::MAX);
        self.missing.clear();
        self.queue.clear();
        for (at, &value) in state.iter().enumerate() {
            if value != UNKNOWN {
                let variable = LocalVariable(at as u32);
                self.offer(npc.slot(LocalFact { variable, value }), 0);
            }
        }
        for at in 0..npc.n_actions() {
            let action = LocalAction(at as u32);
            self.missing.push(npc.needs(action).len() as u32);
            if npc.needs(action).is_empty() {
                self.run(action, 0);
            }
        }
        while let Some(Reverse((price, slot))) = self.queue.pop() {
            if price > self.price[slot as usize] {
                continue;
            }
            // Taken in order of price: the need that comes last is the dearest.
            for &action in npc.needed_by(slot as usize) {
                self.missing[action.index()] -= 1;
                if self.missing[action.index()] == 0 {
                    self.run(action, price);
                }
            }
        }
        let prices = self.problem.goal().iter().map(|&fact| self.price[npc.slot(fact)]);
        prices.max().or(Some(0)).filter(|&price| price < u64::MAX)
    }

    fn run(&mut self, action: LocalAction, before: u64) {
        if self.matter[action.index()] {
            let price = before.saturating_add(self.problem.step_cost(self.npc, self.mode, action));
            self.npc.sets(action).iter().for_each(|&set| self.offer(self.npc.slot(set), price));
        }
    }

    fn offer(&mut self, slot: usize, price: u64) {
        if price < self.price[slot] {
            self.price[slot] = price;
            self.queue.push(Reverse((price, slot as u32)));
        }
    }
}

/// Which actions are there and set something that is demanded.
fn matter(npc: &NpcTables, problem: &Problem) -> Vec<bool> {
    let mut matter = vec![false; npc.n_actions()];
    let mut demanded = vec![false; npc.n_slots()];
    let mut open: Vec<usize> = problem.goal().iter().map(|&fact| npc.slot(fact)).collect();
    open.iter().for_each(|&slot| demanded[slot] = true);
    while let Some(slot) = open.pop() {
        for &action in npc.setters(slot).iter().filter(|&&action| problem.enabled().has(action)) {
            if !std::mem::replace(&mut matter[action.index()], true) {
                let needs = npc.needs(action).iter().map(|&need| npc.slot(need));
                open.extend(needs.filter(|&slot| !std::mem::replace(&mut demanded[slot], true)));
            }
        }
    }
    matter
}
