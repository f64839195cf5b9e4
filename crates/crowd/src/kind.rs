//! The type of a crowd, with what is worked out once from it.
//!
//! In:   a domain and a type of it.
//! Out:  its tables, the numbers of its private states, what its actions do to a row.
//! Cost: a look-up.

use crate::effects::Effects;
use crate::space::Space;
use std::sync::Arc;
use throng_domain::compile::{LocalAction, LocalVariable, NpcTables, PackedValue, UNKNOWN};
use throng_domain::model::{NpcTypeId, VariableId};
use throng_planner::PreparedDomain;

/// A type of a domain; it stays what it is for as long as its crowd lives.
#[derive(Debug)]
pub(crate) struct Kind {
    domain: Arc<PreparedDomain>,
    npc: NpcTypeId,
    space: Space,
    effects: Effects,
}

impl Kind {
    throng_base::getters! { pub(crate):
        domain: &Arc<PreparedDomain>;
        space: &Space;
        effects: &Effects;
    }

    /// `None` if the domain has no such type.
    pub(crate) fn new(domain: Arc<PreparedDomain>, npc: NpcTypeId) -> Option<Kind> {
        let tables = domain.npcs().get(npc.index())?;
        let space = Space::new(domain.map(), tables);
        let effects = Effects::new(tables, &space);
        Some(Kind { domain, npc, space, effects })
    }

    pub(crate) fn id(&self) -> NpcTypeId {
        self.npc
    }

    /// The tables of the type.
    #[inline]
    pub(crate) fn npc(&self) -> &NpcTables {
        self.domain.npc(self.npc)
    }

    /// Whether every value can be had in one way only, so that plans need no search.
    pub(crate) fn has_one_way(&self) -> bool {
        self.domain.tables(self.npc).sole_setters.is_some()
    }

    /// The local number of a variable that groups share; `None` if this is none.
    pub(crate) fn shared_variable(&self, id: VariableId) -> Option<LocalVariable> {
        self.npc().local_variable(id).filter(|&local| self.space.is_shared(local))
    }

    /// What some actions cost together.
    pub(crate) fn cost(&self, actions: &[LocalAction]) -> u64 {
        let npc = self.npc();
        actions.iter().map(|&action| npc.cost(action)).sum()
    }

    /// What the type starts with, as a plain state in which nothing else is known.
    pub(crate) fn starts(&self) -> Vec<PackedValue> {
        let mut starts = self.npc().unknown_state();
        for fact in self.npc().starts() {
            if let Some(local) = self.npc().local_variable(fact.variable) {
                starts[local.index()] = fact.value.index() as PackedValue;
            }
        }
        starts
    }

    /// The same of what groups share alone.
    pub(crate) fn shared_starts(&self) -> Vec<PackedValue> {
        let mut shared = self.starts();
        self.space.private().iter().for_each(|variable| shared[variable.index()] = UNKNOWN);
        shared
    }
}
