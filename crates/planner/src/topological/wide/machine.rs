//! The rule machine, one NPC at a time: the plain twin of the bit-sliced kernels.
//!
//! In:   a state, a goal, the actions that are there.
//! Out:  which positions of the type's word fired: a cheapest plan; or that there is none; or that
//!       the machine does not know.
//! Cost: one test of a machine word per rule; no branch depends on another NPC.
//!
//! 1. Begin: what carries every variable from its value to its goal value is still to do.
//! 2. Closure rules add what that needs. The result K is in every plan.
//! 3. Order rules run what is still to do, in the fixed sequence of the word. Each looks at the
//!    simulated state, so what comes out has been replayed, and an order of K is a cheapest plan.

use super::fields::Fields;
use super::goal::GoalWord;
use super::proofs::Proofs;
use super::rules::{ClosureRule, OrderRule};

/// What the machine says about one NPC.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lane {
    /// A cheapest plan: bit i is set if position i of the word is part of it. None is set if the
    /// goal holds already.
    Plan(u32),
    /// There is no plan. This is a proof.
    Impossible,
    /// The exact planner has to decide.
    Unknown,
}

/// The rules of a type and the sequence to apply them in.
#[derive(Clone, Debug)]
pub(super) struct Machine {
    pub(super) fields: Fields,
    pub(super) closure: Vec<ClosureRule>,
    /// Every order rule once.
    pub(super) order: Vec<OrderRule>,
    /// The word: positions in `order`.
    pub(super) word: Vec<usize>,
    pub(super) proofs: Proofs,
}

impl Machine {
    pub(super) fn plan(&self, packed: u64, goal: &GoalWord, enabled: u64) -> Lane {
        let Some(state) = self.fields.unpacked(packed) else { return Lane::Unknown };
        let needed = self.close(state, goal);
        if needed & self.fields.action_bits() & !self.fields.actions(enabled) != 0 {
            return Lane::Impossible;
        }
        let (end, mask) = self.run(needed);
        let is_done = end & self.fields.action_bits() == 0 && end & goal.look == goal.see;
        if is_done { Lane::Plan(mask) } else { self.judge(needed, end, goal) }
    }

    /// The start with everything that must be done.
    pub(super) fn close(&self, state: u64, goal: &GoalWord) -> u64 {
        let mut word = state | goal.open;
        for (variable, wanted) in goal.wants.iter().enumerate() {
            let Some(wanted) = *wanted else { continue };
            let start = self.fields.value(variable, state);
            word |= self.fields.chain(variable, start, wanted).unwrap_or(0);
        }
        for segment in self.closure.chunk_by(|a, b| a.segment == b.segment) {
            loop {
                let before = word;
                for rule in segment {
                    if word & rule.care == rule.want && word & rule.any != 0 {
                        word |= rule.set;
                    }
                }
                if word == before || !segment[0].repeats {
                    break;
                }
            }
        }
        word
    }

    /// Runs what can run, in the order of the word; gives the end and what fired.
    pub(super) fn run(&self, mut word: u64) -> (u64, u32) {
        let mut mask = 0;
        for (position, &rule) in self.word.iter().enumerate() {
            let rule = &self.order[rule];
            if rule.is_ready(word) {
                word ^= rule.flip;
                mask |= 1 << position;
            }
        }
        (word, mask)
    }

    /// Whether everything that is needed has a way, and every goal value too: otherwise no planner
    /// finds a plan. `None` if the machine cannot say, because an action would be needed twice.
    pub(super) fn is_closed(&self, needed: u64, goal: &GoalWord) -> Option<bool> {
        for (variable, wanted) in goal.wants.iter().enumerate() {
            let start = self.fields.value(variable, needed);
            if wanted.is_some_and(|to| self.fields.chain(variable, start, to).is_none()) {
                return Some(false);
            }
        }
        let mut twice = false;
        for request in &self.proofs.requests {
            let start = self.fields.value(request.variable, needed);
            let is_asked = needed & request.any != 0 && needed & request.setter == 0;
            if !is_asked || request.starts >> start & 1 == 0 {
                continue;
            }
            let is_open = needed & self.fields.open(request.variable) != 0;
            if is_open || request.on_loop >> start & 1 == 0 {
                return Some(false);
            }
            twice = true;
        }
        (!twice).then_some(true)
    }

    fn judge(&self, needed: u64, end: u64, goal: &GoalWord) -> Lane {
        match self.is_closed(needed, goal) {
            Some(false) => return Lane::Impossible,
            None => return Lane::Unknown,
            Some(true) => {}
        }
        let goes_on = self.order.iter().any(|rule| rule.is_ready(end));
        let is_contested = self.proofs.contests.iter().any(|contest| {
            let start = self.fields.value(contest.variable, needed);
            let is_open = needed & self.fields.open(contest.variable) != 0;
            let asked = contest.requesters.iter().filter(|any| needed & **any != 0).count();
            contest.is_open == is_open && contest.starts >> start & 1 == 1 && asked >= 2
        });
        if goes_on || is_contested { Lane::Unknown } else { Lane::Impossible }
    }
}
