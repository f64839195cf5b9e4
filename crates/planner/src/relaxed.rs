//! What could ever become true, if nothing that was true were ever lost.
//!
//! In:   the facts to begin with, and the actions that are there.
//! Out:  the set of facts reachable under that kindness. A goal outside it is impossible for
//!       every planner: a proof in linear time, and the place to look for the reason.
//! Cost: each need of each action once; no allocation once warm.
//!
//! Of amounts it knows little: an action that moves one is taken to reach all its values. Where
//! amounts matter, [`Reach`](crate::counting::Reach) says how far they get.

use crate::problem::Problem;
use throng_base::{Rows, reset};
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
            self.perform(npc, action);
        }
        while let Some(fact) = self.open.pop() {
            for &action in npc.needed_by(npc.slot(fact)) {
                self.unmet[action.index()] -= 1;
                if self.unmet[action.index()] == 0 && is_there(action) {
                    self.perform(npc, action);
                }
            }
        }
    }

    /// What an action sets is reached, and of what it moves every value: how far it gets is not
    /// asked here, nor how much it needs, so that what is not reached never is.
    #[inline]
    fn perform(&mut self, npc: &NpcTables, action: LocalAction) {
        npc.sets(action).iter().for_each(|&fact| self.reach(npc, fact));
        if npc.has_amounts() {
            self.move_all(npc, action);
        }
    }

    #[cold]
    fn move_all(&mut self, npc: &NpcTables, action: LocalAction) {
        for shift in npc.shifts(action) {
            npc.facts_of(shift.variable).for_each(|fact| self.reach(npc, fact));
        }
    }

    #[inline]
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

/// Backward: which of the actions that are there bring about, or move, something that a goal, or an
/// action of these, demands. A plan with a step of the others is a plan without it, too.
pub(crate) fn relevant(
    npc: &NpcTables,
    problem: &Problem,
    is_there: impl Fn(LocalAction) -> bool,
) -> Vec<bool> {
    let ranges = problem.goal_ranges().iter().map(|range| range.variable);
    relevant_to(npc, problem.goal().iter(), ranges, is_there)
}

/// The same for any facts that are wanted, and variables of which sets of values are.
///
/// A value that something moves may be set a step before it is what is demanded, so who sets or
/// moves such a variable in whatever way is taken to matter.
pub(crate) fn relevant_to<'f>(
    npc: &NpcTables,
    facts: impl Iterator<Item = &'f LocalFact>,
    ranges: impl Iterator<Item = LocalVariable>,
    is_there: impl Fn(LocalAction) -> bool,
) -> Vec<bool> {
    let mut demands = Demands::new(npc, &is_there);
    facts.for_each(|&fact| demands.add_fact(npc, fact));
    ranges.for_each(|variable| demands.add(variable));
    let mut relevant = vec![false; npc.n_actions()];
    while let Some(demand) = demands.open.pop() {
        let setters: Vec<LocalAction> = match demand {
            Demand::Slot(slot) => npc.setters(slot).to_vec(),
            Demand::Variable(variable) => {
                let movers = demands.movers.row(variable.index()).iter().copied();
                npc.setters_of(variable).map(|(_, action)| action).chain(movers).collect()
            }
        };
        for action in setters.into_iter().filter(|&action| is_there(action)) {
            if std::mem::replace(&mut relevant[action.index()], true) {
                continue;
            }
            npc.needs(action).iter().for_each(|&need| demands.add_fact(npc, need));
            npc.ranges(action).iter().for_each(|range| demands.add(range.variable));
            npc.comparisons(action).iter().for_each(|it| demands.add(it.variable));
        }
    }
    relevant
}

/// Something that is demanded.
enum Demand {
    /// This value.
    Slot(usize),
    /// Some values of this variable.
    Variable(LocalVariable),
}

/// What is demanded, each thing once.
struct Demands {
    slots: Vec<bool>,
    variables: Vec<bool>,
    /// By variable: the actions that move it.
    movers: Rows<LocalAction>,
    open: Vec<Demand>,
}

impl Demands {
    fn new(npc: &NpcTables, is_there: &impl Fn(LocalAction) -> bool) -> Demands {
        let n_variables = npc.variables().len();
        let there = npc.local_actions().filter(|&action| is_there(action));
        let moves = there.flat_map(|action| {
            npc.shifts(action).iter().map(move |shift| (shift.variable.index(), action))
        });
        let moves: Vec<(usize, LocalAction)> = moves.collect();
        Demands {
            slots: vec![false; npc.n_slots()],
            variables: vec![false; n_variables],
            movers: Rows::from_pairs(n_variables, moves.into_iter()),
            open: Vec::new(),
        }
    }

    fn add_fact(&mut self, npc: &NpcTables, fact: LocalFact) {
        if !self.movers.row(fact.variable.index()).is_empty() {
            self.add(fact.variable);
        } else if !std::mem::replace(&mut self.slots[npc.slot(fact)], true) {
            self.open.push(Demand::Slot(npc.slot(fact)));
        }
    }

    fn add(&mut self, variable: LocalVariable) {
        if !std::mem::replace(&mut self.variables[variable.index()], true) {
            self.open.push(Demand::Variable(variable));
        }
    }
}
