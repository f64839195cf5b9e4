//! A domain that engines can plan with: the compiled tables, and what engines make of them.
//!
//! In:   a [`CompiledDomain`], or the [`Model`] it is made of.
//! Out:  a [`PreparedDomain`]: for every NPC type the [`EngineTables`] and the [`ClassReport`].
//! Cost: linear in the actions of each type, once; a look-up is an index.
//!
//! What plans keeps one, mostly in an `Arc`; what only reads the domain takes the [`CompiledDomain`]
//! that it dereferences to.

use crate::classes::{ClassReport, classify};
use crate::tables::EngineTables;
use std::ops::Deref;
use throng_domain::compile::{CompiledDomain, Variation};
use throng_domain::model::{Model, NpcTypeId};

/// A compiled domain with all that engines learn from it at load.
#[derive(Clone, Debug)]
pub struct PreparedDomain {
    compiled: CompiledDomain,
    /// By NPC type.
    types: Vec<(EngineTables, ClassReport)>,
}

impl PreparedDomain {
    /// Compiles and prepares a model.
    pub fn new(model: &Model) -> PreparedDomain {
        CompiledDomain::new(model).into()
    }

    /// What engines look up of an NPC type.
    #[inline]
    pub fn tables(&self, npc: NpcTypeId) -> &EngineTables {
        &self.types[npc.index()].0
    }

    /// Which restrictions an NPC type keeps with all its actions, and hence with any of them.
    pub fn classes(&self, npc: NpcTypeId) -> &ClassReport {
        &self.types[npc.index()].1
    }

    /// A domain of one NPC type that differs in one thing, to ask "what if" and be thrown away; see
    /// [`CompiledDomain::varied`]. Nothing is learned of it but what search needs.
    pub(crate) fn varied(
        &self,
        model: &Model,
        npc: NpcTypeId,
        variation: Variation,
    ) -> PreparedDomain {
        let compiled = self.compiled.varied(model, npc, variation);
        let tables = compiled.npcs().iter().map(EngineTables::for_search);
        let types = tables.map(|tables| (tables, ClassReport::unexamined())).collect();
        PreparedDomain { compiled, types }
    }
}

impl From<CompiledDomain> for PreparedDomain {
    fn from(compiled: CompiledDomain) -> PreparedDomain {
        let types = compiled.npcs().iter().map(|npc| (EngineTables::new(npc), classify(npc)));
        let types = types.collect();
        PreparedDomain { compiled, types }
    }
}

impl Deref for PreparedDomain {
    type Target = CompiledDomain;

    fn deref(&self) -> &CompiledDomain {
        &self.compiled
    }
}
