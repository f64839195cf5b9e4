//! What the classes look at: who needs which value while doing something else, and the loops
//! of the variables.
//!
//! In:   the tables of an NPC type.
//! Out:  the requested slots; the [`Cycle`]s (Definition 2); the causal graph. Each is made when
//!       first asked for.
//! Cost: one visit per action and need, one per value.
//!
//! Cycles are only asked for where every value has at most one setter and every setter one
//! source, so that walking backward is forced.

use super::causal::{CausalGraph, Parts};
use crate::tables::as_move;
use std::cell::OnceCell;
use throng_domain::compile::{LocalAction, LocalFact, LocalVariable, NpcTables};
use throng_domain::model::{ActionId, VariableId};

/// A loop of moves of one variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cycle {
    pub(super) variable: LocalVariable,
    pub(super) actions: Vec<LocalAction>,
    pub(super) requested: Vec<LocalFact>,
}

impl Cycle {
    throng_base::getters! {
        /// The variable that goes round.
        variable: LocalVariable;
        /// The actions in order, beginning with the one that is declared first.
        actions: &[LocalAction];
        /// The values on it that some action needs during itself, in the order of the actions that
        /// set them.
        requested: &[LocalFact];
    }

    /// Whether it is a pair of actions, each of which sets a requested value.
    pub(super) fn is_needed_both_ways(&self) -> bool {
        self.actions.len() == 2 && self.requested.len() == 2
    }

    /// Whether it passes a requested value and has more than two actions.
    pub(super) fn is_too_long(&self) -> bool {
        self.actions.len() > 2 && !self.requested.is_empty()
    }
}

/// What the checks share.
pub(super) struct Structure<'n> {
    pub(super) npc: &'n NpcTables,
    cycles: OnceCell<Vec<Cycle>>,
    causal: OnceCell<CausalGraph>,
}

impl<'n> Structure<'n> {
    pub(super) fn new(npc: &'n NpcTables) -> Self {
        Structure { npc, cycles: OnceCell::new(), causal: OnceCell::new() }
    }

    /// What must hold during an action: what it needs of variables that it leaves alone.
    pub(super) fn during(&self, action: LocalAction) -> impl Iterator<Item = LocalFact> {
        let needs = self.npc.needs(action).iter().copied();
        needs.filter(move |need| !self.changes(action, need.variable))
    }

    /// The actions that need a fact during themselves, by id.
    pub(super) fn requesters(&self, fact: LocalFact) -> impl Iterator<Item = LocalAction> {
        let needed_by = self.npc.needed_by(self.npc.slot(fact)).iter().copied();
        needed_by.filter(move |&action| !self.changes(action, fact.variable))
    }

    fn changes(&self, action: LocalAction, variable: LocalVariable) -> bool {
        // Sorted by variable; nearly always one entry.
        self.npc.sets(action).binary_search_by_key(&variable, |set| set.variable).is_ok()
            || self.npc.shifts(action).iter().any(|shift| shift.variable == variable)
    }

    /// The variables that an action counts: those that it moves, and those that change and of
    /// which it wants one of several values.
    pub(super) fn counted(&self, action: LocalAction) -> Vec<VariableId> {
        let mut all = self.moves(action);
        all.extend(self.asked_ranges(action));
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The variables that an action moves.
    pub(super) fn moves(&self, action: LocalAction) -> Vec<VariableId> {
        let moved = self.npc.shifts(action).iter().map(|shift| shift.variable);
        moved.map(|variable| self.npc.variables()[variable.index()]).collect()
    }

    /// The variables that change, that an action leaves alone, and of which it wants one of
    /// several values.
    pub(super) fn asked_ranges(&self, action: LocalAction) -> Vec<VariableId> {
        let npc = self.npc;
        let ranges = npc.ranges(action).iter().map(|range| range.variable);
        let asked = ranges.chain(npc.comparisons(action).iter().map(|it| it.variable));
        let asked = asked.filter(|&v| npc.can_change(v) && !self.changes(action, v));
        let mut all: Vec<VariableId> = asked.map(|v| npc.variables()[v.index()]).collect();
        all.dedup();
        all
    }

    /// The domain's id of an action.
    pub(super) fn id(&self, action: LocalAction) -> ActionId {
        self.npc.actions()[action.index()]
    }

    /// The variable that a move changes.
    pub(super) fn moved(&self, action: LocalAction) -> Option<LocalVariable> {
        self.npc.sets(action).first().map(|set| set.variable)
    }

    /// All loops, by variable. Only where U and P hold.
    pub(super) fn cycles(&self) -> &[Cycle] {
        self.cycles.get_or_init(|| find_cycles(self))
    }

    /// The undirected causal graph.
    pub(super) fn causal(&self) -> &CausalGraph {
        self.causal.get_or_init(|| {
            let links = self.npc.local_actions().flat_map(|action| {
                let moved = self.moved(action);
                self.during(action).filter_map(move |need| Some((moved?, need.variable)))
            });
            CausalGraph::new(self.npc.variables().len(), &links.collect::<Vec<_>>())
        })
    }

    /// The loops and, if they were asked for, the parts of the causal graph: to keep.
    pub(super) fn into_kept(self) -> (Vec<Cycle>, Option<Parts>) {
        let _ = self.cycles();
        let parts = self.causal.into_inner().map(|graph| graph.parts);
        (self.cycles.into_inner().unwrap_or_default(), parts)
    }
}

/// Walks backward from every value until a value seen before; a value seen on the same walk
/// closes a loop.
fn find_cycles(structure: &Structure<'_>) -> Vec<Cycle> {
    let npc = structure.npc;
    let mut walk_of = vec![0u32; npc.n_slots()];
    let mut n_walks = 0;
    let mut cycles = Vec::new();
    let mut walk = Vec::new();
    for variable in structure.npc.local_variables() {
        for fact in structure.npc.facts_of(variable) {
            n_walks += 1;
            walk.clear();
            let mut at = fact;
            while walk_of[npc.slot(at)] == 0 {
                walk_of[npc.slot(at)] = n_walks;
                let Some(&action) = npc.setters(npc.slot(at)).first() else { break };
                let Some((_, source)) = as_move(npc, action) else { break };
                walk.push((at, action));
                at.value = source;
            }
            let closes = walk.iter().position(|&(passed, _)| passed == at);
            cycles.extend(closes.map(|begin| cycle(structure, variable, &walk[begin..])));
        }
    }
    cycles
}

/// A loop from its backward walk.
fn cycle(
    structure: &Structure<'_>,
    variable: LocalVariable,
    backward: &[(LocalFact, LocalAction)],
) -> Cycle {
    let mut steps = backward.to_vec();
    steps.reverse();
    let first = steps.iter().enumerate().min_by_key(|(_, (_, action))| *action);
    let first = first.map_or(0, |(at, _)| at);
    steps.rotate_left(first);
    let is_requested = |fact: &LocalFact| structure.requesters(*fact).next().is_some();
    Cycle {
        variable,
        actions: steps.iter().map(|&(_, action)| action).collect(),
        requested: steps.iter().map(|&(fact, _)| fact).filter(is_requested).collect(),
    }
}
