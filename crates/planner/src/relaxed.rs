//! What could ever become true, if nothing that was true were ever lost.
//!
//! In:   the facts to begin with, and the actions that are there.
//! Out:  the set of facts reachable under that kindness. A goal outside it is impossible for
//!       every planner: a proof in linear time, and the place to look for the reason.
//! Cost: each need of each action once; no allocation once warm.

use crate::problem::Problem;
use throng_base::reset;
use throng_domain::compile::{
    LocalAction, LocalFact, LocalVariable, NpcTables, PackedValue, UNKNOWN,
};

/// Facts reached, kept between calls.
#[derive(Clone, Default, Debug)]
pub struct Relaxed {
    reached: Vec<bool>,
    unmet: Vec<u32>,
    open: Vec<LocalFact>,
}

/// The facts of a state whose values are known.
pub(crate) fn known_facts(state: &[PackedValue]) -> impl Iterator<Item = LocalFact> {
    let facts = state.iter().zip((0..).map(LocalVariable));
    facts
        .filter(|(value, _)| **value != UNKNOWN)
        .map(|(&value, variable)| LocalFact { variable, value })
}

impl Relaxed {
    /// Computes what is reachable from the problem's start with the actions that are there.
    pub fn explore(&mut self, npc: &NpcTables, problem: &Problem) {
        let is_there = |action| problem.enabled().has(action);
        self.explore_from(npc, known_facts(problem.start()), is_there);
    }

    /// The same from any facts, with any actions.
    pub(crate) fn explore_from(
        &mut self,
        npc: &NpcTables,
        facts: impl Iterator<Item = LocalFact>,
        is_there: impl Fn(LocalAction) -> bool,
    ) {
        reset(&mut self.reached, npc.n_slots(), false);
        self.open.clear();
        self.open.reserve(npc.n_slots());
        facts.for_each(|fact| self.reach(npc, fact));
        self.unmet.clear();
        self.unmet.extend(npc.local_actions().map(|action| npc.needs(action).len() as u32));
        let free = npc.local_actions().filter(|&action| npc.needs(action).is_empty());
        for action in free.filter(|&action| is_there(action)) {
            npc.sets(action).iter().for_each(|&fact| self.reach(npc, fact));
        }
        while let Some(fact) = self.open.pop() {
            for &action in npc.needed_by(npc.slot(fact)) {
                self.unmet[action.index()] -= 1;
                if self.unmet[action.index()] == 0 && is_there(action) {
                    npc.sets(action).iter().for_each(|&fact| self.reach(npc, fact));
                }
            }
        }
    }

    fn reach(&mut self, npc: &NpcTables, fact: LocalFact) {
        if !std::mem::replace(&mut self.reached[npc.slot(fact)], true) {
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

/// Backward: which of the actions that are there set something that a goal, or an action of these,
/// demands. A plan with a step of the others is a plan without it, too.
pub(crate) fn relevant<'f>(
    npc: &NpcTables,
    goal: impl Iterator<Item = &'f LocalFact>,
    is_there: impl Fn(LocalAction) -> bool,
) -> Vec<bool> {
    let mut relevant = vec![false; npc.n_actions()];
    let mut demanded = vec![false; npc.n_slots()];
    let mut open: Vec<usize> = goal.map(|&fact| npc.slot(fact)).collect();
    open.iter().for_each(|&slot| demanded[slot] = true);
    while let Some(slot) = open.pop() {
        for &action in npc.setters(slot).iter().filter(|&&action| is_there(action)) {
            if !std::mem::replace(&mut relevant[action.index()], true) {
                let needs = npc.needs(action).iter().map(|&need| npc.slot(need));
                open.extend(needs.filter(|&slot| !std::mem::replace(&mut demanded[slot], true)));
            }
        }
    }
    relevant
}
