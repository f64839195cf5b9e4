//! What could ever become true, if nothing that was true were ever lost.
//!
//! In:   a problem.
//! Out:  the set of facts reachable under that kindness. A goal outside it is impossible for
//!       every planner: a proof in linear time, and the place to look for the reason.
//! Cost: each need of each action once; no allocation once warm.

use crate::problem::Problem;
use throng_domain::compile::{LocalAction, LocalFact, LocalVariable, NpcTables, UNKNOWN};

/// Facts reached, kept between calls.
#[derive(Clone, Default, Debug)]
pub struct Relaxed {
    reached: Vec<bool>,
    unmet: Vec<u32>,
    open: Vec<LocalFact>,
}

impl Relaxed {
    /// Computes what is reachable from the problem's start with the actions that are there.
    pub fn explore(&mut self, npc: &NpcTables, problem: &Problem) {
        self.reached.clear();
        self.reached.resize(npc.n_slots(), false);
        self.unmet.clear();
        self.open.clear();
        for (at, &value) in problem.start().iter().enumerate() {
            if value != UNKNOWN {
                self.reach(npc, LocalFact { variable: LocalVariable(at as u32), value });
            }
        }
        for action in (0..npc.n_actions() as u32).map(LocalAction) {
            let needs = npc.needs(action).len() as u32;
            self.unmet.push(needs);
            if needs == 0 && problem.enabled().has(action) {
                npc.sets(action).iter().for_each(|&fact| self.reach(npc, fact));
            }
        }
        while let Some(fact) = self.open.pop() {
            for &action in npc.needed_by(npc.slot(fact)) {
                self.unmet[action.index()] -= 1;
                if self.unmet[action.index()] == 0 && problem.enabled().has(action) {
                    npc.sets(action).iter().for_each(|&fact| self.reach(npc, fact));
                }
            }
        }
    }

    fn reach(&mut self, npc: &NpcTables, fact: LocalFact) {
        let slot = npc.slot(fact);
        if !self.reached[slot] {
            self.reached[slot] = true;
            self.open.push(fact);
        }
    }

    /// The first wanted fact that was not reached.
    pub fn missing(&self, npc: &NpcTables, problem: &Problem) -> Option<LocalFact> {
        problem.goal().iter().copied().find(|&fact| !self.has(npc, fact))
    }

    /// Whether a fact was reached.
    pub fn has(&self, npc: &NpcTables, fact: LocalFact) -> bool {
        self.reached[npc.slot(fact)]
    }
}
