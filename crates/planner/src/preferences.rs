//! Puts the steps of a plan into the order that the domain would rather see (`prefer`).
//!
//! In:   a problem and a plan for it.
//! Out:  the same steps, in an order that is still a plan: the wishes of the domain are granted
//!       one after the other, each if some order grants it beside those before.
//! Cost: for each wish that is not granted yet, one sort of the steps by what they need from
//!       each other; where that fails, for plans of up to [`SEARCHED`] steps, a search among
//!       all orders that ends at [`MOST_NODES`] beginnings. Nothing is allocated once warm.
//!
//! The price of a plan is the sum of its steps, so no order is dearer than another.

use crate::commute::commute_counting;
use crate::problem::Problem;
use crate::replay::replay;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use throng_base::{Digest64, reset};
use throng_domain::compile::{LocalAction, LocalFact, NpcTables, PackedValue};

/// Plans of more steps are left as they are.
pub const LONGEST: usize = 1000;
/// In plans of up to so many steps all orders are considered.
pub const SEARCHED: usize = 64;
/// A wish that takes longer to grant is dropped.
pub const MOST_NODES: u32 = 20_000;

/// Working memory.
#[derive(Clone, Debug, Default)]
pub struct PreferenceScratch {
    /// The order found so far: positions in the plan as it came.
    order: Vec<u32>,
    /// An order on trial.
    trial: Vec<u32>,
    /// Pairs of positions in the plan as it came, the first to come before the second.
    granted: Vec<(u32, u32)>,
    /// Pairs of places in the order, the first to come before the second: what steps need from each
    /// other, and what is granted.
    after: Vec<(u32, u32)>,
    waiting: Vec<u32>,
    ready: BinaryHeap<Reverse<u32>>,
    state: Vec<PackedValue>,
    undo: Vec<(u32, PackedValue)>,
    dead_ends: HashSet<(u64, u64)>,
    steps: Vec<LocalAction>,
    before: Vec<u64>,
}

/// Reorders `plan`, which is a plan for `problem`.
pub fn honour(
    npc: &NpcTables,
    problem: &Problem,
    plan: &mut Vec<LocalAction>,
    scratch: &mut PreferenceScratch,
) {
    if npc.preferences().is_empty() || plan.len() < 2 || plan.len() > LONGEST {
        return;
    }
    scratch.order.clear();
    scratch.order.extend(0..plan.len() as u32);
    scratch.granted.clear();
    for preference in npc.preferences() {
        let kept = scratch.granted.len();
        let both = plan.iter().enumerate();
        for (first, _) in both.clone().filter(|(_, step)| preference.before.contains(step)) {
            let later = both.clone().filter(|(_, step)| preference.after.contains(step));
            scratch.granted.extend(later.map(|(second, _)| (first as u32, second as u32)));
        }
        let granted = scratch.holds(kept)
            || scratch.sort(npc, problem, plan)
            || scratch.search(npc, problem, plan);
        if !granted {
            scratch.granted.truncate(kept);
        }
    }
    scratch.steps.clear();
    scratch.steps.extend(scratch.order.iter().map(|&at| plan[at as usize]));
    // The orders were made to be plans; as always, what is handed out is replayed.
    if replay(npc, problem, &scratch.steps, &mut scratch.state).is_some() {
        scratch.steps.clone_into(plan);
    }
}

impl PreferenceScratch {
    /// Whether the order so far grants the pairs from `from` on; the others it does.
    fn holds(&mut self, from: usize) -> bool {
        let place = &mut self.waiting;
        reset(place, self.order.len(), 0);
        self.order.iter().enumerate().for_each(|(at, &step)| place[step as usize] = at as u32);
        self.granted[from..].iter().all(|&(a, b)| place[a as usize] < place[b as usize])
    }

    /// Sorts the steps so that each still has what it needs from the step that gives it now;
    /// where that leaves a choice, the order stays. `false` if the pairs forbid it.
    fn sort(&mut self, npc: &NpcTables, problem: &Problem, plan: &[LocalAction]) -> bool {
        let n_steps = self.order.len();
        self.find_causes(npc, problem, plan);
        self.find_counted(npc, problem, plan);
        // As `holds` found it.
        let place = |step: u32| self.waiting[step as usize];
        self.after.extend(self.granted.iter().map(|&(a, b)| (place(a), place(b))));
        self.after.sort_unstable();
        self.after.dedup();
        reset(&mut self.waiting, n_steps, 0);
        self.after.iter().for_each(|&(_, second)| self.waiting[second as usize] += 1);
        self.ready.clear();
        let free = (0..n_steps as u32).filter(|&at| self.waiting[at as usize] == 0);
        self.ready.extend(free.map(Reverse));
        self.trial.clear();
        while let Some(Reverse(at)) = self.ready.pop() {
            self.trial.push(self.order[at as usize]);
            let first = self.after.partition_point(|&(a, _)| a < at);
            for &(_, second) in self.after[first..].iter().take_while(|&&(a, _)| a == at) {
                self.waiting[second as usize] -= 1;
                if self.waiting[second as usize] == 0 {
                    self.ready.push(Reverse(second));
                }
            }
        }
        let sorted = self.trial.len() == n_steps;
        if sorted {
            std::mem::swap(&mut self.order, &mut self.trial);
        }
        sorted
    }

    /// What counts stays in order, unless the order does not matter.
    fn find_counted(&mut self, npc: &NpcTables, problem: &Problem, plan: &[LocalAction]) {
        if !npc.has_amounts() {
            return;
        }
        let action = |at: usize| plan[self.order[at] as usize];
        for second in 1..self.order.len() {
            for first in 0..second {
                let (a, b) = (action(first), action(second));
                if !commute_counting(npc, problem.start(), a, b) {
                    self.after.push((first as u32, second as u32));
                }
            }
        }
    }

    /// What the steps need from each other in the order so far: who gives before who takes,
    /// and each step that changes it otherwise before the one or after the other.
    fn find_causes(&mut self, npc: &NpcTables, problem: &Problem, plan: &[LocalAction]) {
        self.after.clear();
        let n_steps = self.order.len();
        let action = |at: usize| plan[self.order[at] as usize];
        let sets = |at: usize, need: &LocalFact| {
            npc.sets(action(at)).iter().any(|set| set.variable == need.variable)
        };
        // The goal needs what it wants behind the last step.
        for taker in 0..=n_steps {
            let needs = match taker < n_steps {
                true => npc.needs(action(taker)),
                false => problem.goal(),
            };
            for need in needs {
                let giver = (0..taker).rev().find(|&at| sets(at, need));
                for other in (0..n_steps).filter(|&at| at != taker && sets(at, need)) {
                    let (at, after) = (other as u32, taker as u32);
                    match giver {
                        Some(giver) if other == giver && taker < n_steps => {
                            self.after.push((at, after));
                        }
                        Some(giver) if other == giver => {}
                        Some(giver) if other < giver => self.after.push((at, giver as u32)),
                        _ => self.after.push((after, at)),
                    }
                }
            }
        }
    }

    /// Looks among all orders for one that is a plan and grants the pairs, the order so far
    /// tried first. `false` if there is none, or it takes too long to tell.
    fn search(&mut self, npc: &NpcTables, problem: &Problem, plan: &[LocalAction]) -> bool {
        let n_steps = self.order.len();
        if n_steps > SEARCHED {
            return false;
        }
        reset(&mut self.before, n_steps, 0);
        for &(first, second) in &self.granted {
            self.before[second as usize] |= 1 << first;
        }
        self.dead_ends.clear();
        problem.start().clone_into(&mut self.state);
        self.undo.clear();
        self.trial.clear();
        let mut nodes = 0;
        let found = self.complete(npc, problem, plan, 0, &mut nodes);
        if found {
            std::mem::swap(&mut self.order, &mut self.trial);
        }
        found
    }

    /// Completes the order on trial, which has taken the steps in `taken`.
    fn complete(
        &mut self,
        npc: &NpcTables,
        problem: &Problem,
        plan: &[LocalAction],
        taken: u64,
        nodes: &mut u32,
    ) -> bool {
        if self.trial.len() == plan.len() {
            return problem.is_goal(&self.state);
        }
        *nodes += 1;
        if *nodes > MOST_NODES || !self.dead_ends.insert((taken, fingerprint(&self.state))) {
            return false;
        }
        for at in 0..plan.len() {
            let step = self.order[at];
            let action = plan[step as usize];
            let can = taken >> step & 1 == 0
                && self.before[step as usize] & !taken == 0
                && npc.can_run(action, &self.state);
            if !can {
                continue;
            }
            // Of equal steps one is as good as another.
            let is_equal = |&other: &u32| plan[other as usize] == action && taken >> other & 1 == 0;
            if self.order[..at].iter().any(is_equal) {
                continue;
            }
            let mark = self.undo.len();
            let sets = npc.sets(action).iter().map(|set| set.variable);
            for variable in sets.chain(npc.shifts(action).iter().map(|shift| shift.variable)) {
                self.undo.push((variable.0, self.state[variable.index()]));
            }
            npc.run(action, &mut self.state);
            self.trial.push(step);
            if self.complete(npc, problem, plan, taken | 1 << step, nodes) {
                return true;
            }
            self.trial.pop();
            for (variable, value) in self.undo.drain(mark..).rev() {
                self.state[variable as usize] = value;
            }
        }
        false
    }
}

/// A state in 64 bits; two that look alike could only cost a wish.
fn fingerprint(state: &[PackedValue]) -> u64 {
    Digest64::of(state.iter().copied())
}
