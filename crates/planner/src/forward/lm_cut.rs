//! The heuristic LM-cut, a lower bound on what is left to pay: disjoint landmarks, found by cutting.
//!
//! In:   a relaxed task, what operators cost, a state.
//! Out:  a sum of prices that every plan must pay, or that the goal is out of reach.
//! Cost: one pass over the relaxed task, and for each landmark what its cut touches again; no
//!       allocation once warm. The caller's `stop` is asked between landmarks; after a stop the
//!       same state is gone on with.
//!
//! Each atom has a price: what its dearest need costs, by the cheapest way (the price of a set
//! is that of its dearest member). While the goal has a price above zero, operators are found of
//! which every plan must use one: those that lead from atoms that are reached without the goal's
//! zone into it, where the zone is all that reaches the goal for nothing. The cheapest of them is
//! paid, by all of them, and what they still cost is less by that.
//!
//! Why it never exceeds the true cost: each round takes from every operator of its landmark the
//! same amount, and the amounts taken from one operator add up to its cost at most. So a plan
//! pays each landmark out of a share of its own. Conditional effects do not change that: they are
//! relaxed operators of their own, but what is paid is taken from the *operator*, and so from all
//! its parts at once; a plan that runs an operator once and profits from several of its effects
//! has paid its cost once, and the shares of all landmarks that contain any of its parts add up
//! to this cost at most. Rules cost nothing and are in no cut: whatever reaches the zone for
//! nothing belongs to it. Defaults of derived variables are true everywhere, which only makes
//! the bound lower.
//!
//! Follows "Landmarks, Critical Paths and Abstractions: What's the Difference Anyway?".

use super::cheapest::Heuristic;
use super::cost_queue::CostQueue;
use super::packed::Packed;
use super::relaxed_task::RelaxedTask;
use super::stop::Stop;
use super::task::GroundTask;
use crate::budget::Limit;
use throng_base::reset;
use throng_domain::compile::PackedValue;

/// So many looks at needs take as long as a state takes to be generated: measured.
const LOOKS_PER_STATE: u64 = 8;

const NEVER: u64 = u64::MAX;
const NOBODY: u32 = u32::MAX;

/// Where an atom is seen from the goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Zone {
    Unseen,
    /// Reached from the state without the goal's zone.
    Before,
    /// Reaches the goal for nothing.
    Goal,
}

/// What is known of a relaxed operator.
#[derive(Clone, Copy, Debug)]
struct Part {
    missing: u32,
    /// Its dearest need; none if it has no needs or misses some.
    supporter: u32,
}

#[derive(Debug, Default)]
pub(super) struct LmCut {
    relaxed: RelaxedTask,
    /// By owner; in units of the largest common measure.
    costs: Vec<u64>,
    unit: u64,
    fresh: Vec<Part>,
    work: u64,
    // About one state.
    /// Whether it was stopped at one.
    is_under_way: bool,
    /// The sum of the landmarks so far.
    paid: u64,
    left: Vec<u64>,
    parts: Vec<Part>,
    price: Vec<u64>,
    zone: Vec<Zone>,
    queue: CostQueue,
    stack: Vec<u32>,
    start: Vec<u32>,
    cut: Vec<u32>,
}

impl LmCut {
    /// Makes the tables for a task, in which every operator costs one if `counts_steps`.
    pub(super) fn fill(&mut self, task: &GroundTask, packed: &Packed, counts_steps: bool) {
        self.relaxed.fill(task, packed);
        let operators = 0..task.n_operators() as u32;
        self.costs.clear();
        self.costs.extend(operators.map(|o| if counts_steps { 1 } else { task.cost(o) }));
        self.unit = self.costs.iter().fold(0, |a, &b| common_measure(a, b)).max(1);
        self.costs.iter_mut().for_each(|cost| *cost /= self.unit);
        // The owner of the rules.
        self.costs.push(0);
        self.fresh.clear();
        self.fresh.extend((0..self.relaxed.len() as u32).map(|part| Part {
            missing: self.relaxed.needs.row(part as usize).len() as u32,
            supporter: NOBODY,
        }));
        self.work = 0;
        self.is_under_way = false;
    }

    /// Pays for another landmark; `false` if there is none.
    fn take_landmark(&mut self) -> bool {
        match self.dearest_goal() {
            // Out of reach, or for nothing, or no part is left that is not true everywhere.
            None | Some((NEVER | 0, _)) => return false,
            Some((_, atom)) => self.find_cut(atom),
        }
        let least = self.cut.iter().map(|&part| self.left_of(part)).min().unwrap_or(0);
        debug_assert!(least > 0, "a cut that costs nothing");
        if least == 0 {
            return false;
        }
        self.paid += least;
        self.pay(least);
        true
    }

    fn left_of(&self, part: u32) -> u64 {
        self.left[self.relaxed.owners[part as usize] as usize]
    }

    fn dearest_goal(&self) -> Option<(u64, u32)> {
        // Of several the first.
        let goal = self.relaxed.goal.iter().map(|&atom| (self.price[atom as usize], atom));
        goal.reduce(|best, next| if next.0 > best.0 { next } else { best })
    }

    /// OpenList everything from a state.
    fn explore(&mut self, state: &[PackedValue]) {
        reset(&mut self.price, self.relaxed.n_atoms(), NEVER);
        self.parts.clone_from(&self.fresh);
        self.queue.clear();
        self.start.clear();
        self.start.extend(self.relaxed.atoms(state));
        for &atom in &self.start {
            self.price[atom as usize] = 0;
            self.queue.push(0, atom);
        }
        for at in 0..self.relaxed.free.len() {
            let part = self.relaxed.free[at];
            self.perform(part, 0);
        }
        while let Some((price, atom)) = self.queue.pop() {
            if price > self.price[atom as usize] {
                continue;
            }
            let needers = self.relaxed.needers.range(atom as usize);
            self.work += 1 + needers.len() as u64;
            for at in needers {
                let part = self.relaxed.needers.entries()[at];
                let known = &mut self.parts[part as usize];
                known.missing -= 1;
                if known.missing == 0 {
                    // Atoms come by price, so the last is the dearest.
                    known.supporter = atom;
                    self.perform(part, price);
                }
            }
        }
    }

    fn perform(&mut self, part: u32, needs: u64) {
        let price = needs.saturating_add(self.left_of(part)).min(NEVER - 1);
        for &atom in self.relaxed.sets.row(part as usize) {
            if price < self.price[atom as usize] {
                self.price[atom as usize] = price;
                self.queue.push(price, atom);
            }
        }
    }

    /// Writes the landmark before a part of the goal into `cut`.
    fn find_cut(&mut self, goal: u32) {
        reset(&mut self.zone, self.relaxed.n_atoms(), Zone::Unseen);
        self.zone[goal as usize] = Zone::Goal;
        self.stack.clear();
        self.stack.push(goal);
        while let Some(atom) = self.stack.pop() {
            let setters = self.relaxed.setters.row(atom as usize);
            self.work += 1 + setters.len() as u64;
            for &part in setters {
                let supporter = self.parts[part as usize].supporter;
                let is_free = self.left[self.relaxed.owners[part as usize] as usize] == 0;
                if is_free && supporter != NOBODY && self.zone[supporter as usize] != Zone::Goal {
                    self.zone[supporter as usize] = Zone::Goal;
                    self.stack.push(supporter);
                }
            }
        }
        self.cut.clear();
        for at in 0..self.start.len() {
            let atom = self.start[at];
            self.zone[atom as usize] = Zone::Before;
            self.stack.push(atom);
        }
        for at in 0..self.relaxed.free.len() {
            self.cross(self.relaxed.free[at]);
        }
        while let Some(atom) = self.stack.pop() {
            let needers = self.relaxed.needers.range(atom as usize);
            self.work += 1 + needers.len() as u64;
            for at in needers {
                let part = self.relaxed.needers.entries()[at];
                if self.parts[part as usize].supporter == atom {
                    self.cross(part);
                }
            }
        }
    }

    /// Goes over a relaxed operator: into the goal's zone by the cut, else on.
    fn cross(&mut self, part: u32) {
        let sets = self.relaxed.sets.row(part as usize);
        if sets.iter().any(|&atom| self.zone[atom as usize] == Zone::Goal) {
            self.cut.push(part);
            return;
        }
        for &atom in sets {
            if self.zone[atom as usize] == Zone::Unseen {
                self.zone[atom as usize] = Zone::Before;
                self.stack.push(atom);
            }
        }
    }

    /// Takes an amount from every operator of the cut, and prices anew what that touches.
    fn pay(&mut self, amount: u64) {
        self.cut.iter_mut().for_each(|part| *part = self.relaxed.owners[*part as usize]);
        self.cut.sort_unstable();
        self.cut.dedup();
        self.queue.clear();
        for at in 0..self.cut.len() {
            let owner = self.cut[at];
            self.left[owner as usize] -= amount;
            for at in self.relaxed.parts.range(owner as usize) {
                let part = self.relaxed.parts.entries()[at];
                self.perform_again(part);
            }
        }
        while let Some((price, atom)) = self.queue.pop() {
            if price > self.price[atom as usize] {
                continue;
            }
            let needers = self.relaxed.needers.range(atom as usize);
            self.work += 1 + needers.len() as u64;
            for at in needers {
                let part = self.relaxed.needers.entries()[at];
                // Only a dearest need that became cheaper changes anything.
                if self.parts[part as usize].supporter == atom {
                    self.find_supporter(part);
                    self.perform_again(part);
                }
            }
        }
    }

    fn find_supporter(&mut self, part: u32) {
        let needs = self.relaxed.needs.row(part as usize);
        self.work += needs.len() as u64;
        let mut best = self.parts[part as usize].supporter;
        for &atom in needs {
            if self.price[atom as usize] > self.price[best as usize] {
                best = atom;
            }
        }
        self.parts[part as usize].supporter = best;
    }

    fn perform_again(&mut self, part: u32) {
        let known = self.parts[part as usize];
        if known.missing > 0 {
            return;
        }
        let needs = match known.supporter {
            NOBODY => 0,
            supporter => self.price[supporter as usize],
        };
        self.perform(part, needs);
    }
}

impl Heuristic for LmCut {
    const INFORMED: bool = true;
    const NEAREST_FIRST: bool = true;

    /// The state must have its derived variables.
    fn estimate(
        &mut self,
        state: &mut [PackedValue],
        stop: &mut Stop<'_>,
    ) -> Result<Option<u64>, Limit> {
        if self.relaxed.is_hopeless() {
            return Ok(None);
        }
        let mut asked_at = self.work;
        if !std::mem::replace(&mut self.is_under_way, true) {
            self.left.clone_from(&self.costs);
            self.paid = 0;
            self.explore(state);
        }
        while self.take_landmark() {
            // Which part of the goal is dearest takes looks too.
            let looks = self.work - asked_at + self.relaxed.goal.len() as u64;
            asked_at = self.work;
            stop.after(looks / LOOKS_PER_STATE)?;
        }
        self.is_under_way = false;
        let is_reached = self.dearest_goal().is_none_or(|(price, _)| price < NEVER);
        Ok(is_reached.then_some(self.paid.saturating_mul(self.unit)))
    }

    /// By looks at needs: a measure of time that is always the same.
    fn work(&self) -> u64 {
        self.work / LOOKS_PER_STATE
    }
}

fn common_measure(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
