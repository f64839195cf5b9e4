//! The compiled domain: the model in dense tables, one set per NPC type.
//!
//! In:   a [`Model`].
//! Out:  a [`CompiledDomain`]: immutable, `Send + Sync`, the same bytes for the same model,
//!       with a digest that tells two domains apart.
//! Cost: linear in the model as seen by each NPC type; readers have counted it beforehand.
//!
//! Below this line there are no strings: names come back through the [`SourceMap`].

mod by_name;
mod digest;
mod former;
mod npc_type;
mod numbered;
mod packed;
mod source_map;
mod tables;
mod type_view;

pub use by_name::{DomainId, IdOrName, UnknownNameError};
pub use digest::Digest;
pub(crate) use digest::digest_of;
pub use former::{CarriedValue, FormerValues};
pub use npc_type::{
    LocalAction, LocalComparison, LocalFact, LocalKind, LocalPreference, LocalRange, LocalShift,
    LocalVariable, NpcTables, Stamp,
};
pub use packed::{PackedValue, StateLayout, UNKNOWN};
pub use source_map::SourceMap;
pub use tables::{Tables, TablesError};
pub use throng_base::Rows;
use type_view::TypeView;
pub use type_view::Variation;

use crate::model::{Conditions, Fact, GoalId, Model, NpcTypeId, Wants};
use crate::number::Cost;
use std::collections::HashMap;
use std::sync::Arc;

throng_base::readable! {
    /// A goal below the model: what it wants, how much it matters.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct CompiledGoal {
        wants: Wants as _,
        /// How much it matters beside other goals.
        priority: Cost,
        /// The first of the goals that serve the same name, if it is one of several alternatives.
        group: Option<GoalId>,
    }

    /// A whole domain, ready to plan with.
    #[derive(Clone, Debug)]
    pub struct CompiledDomain {
        /// All NPC types, in declared order; at least one.
        npcs: Vec<NpcTables> => &[NpcTables],
        /// All goals, in declared order.
        goals: Vec<CompiledGoal> => &[CompiledGoal],
        /// Names and places of everything. Shared with variations, which change no name.
        map: Arc<SourceMap> => &SourceMap,
        /// What the domain is, in 128 bits: equal for equal domains, whatever text they came from.
        digest: Digest,
    }
}

impl CompiledGoal {
    /// The values that must hold, by variable; beside them, what is asked of amounts.
    #[must_use]
    pub fn wants(&self) -> &[Fact] {
        &self.wants.facts
    }

    /// All that must hold.
    #[must_use]
    pub fn conditions(&self) -> Conditions<'_> {
        self.wants.conditions()
    }
}

impl CompiledDomain {
    /// Compiles a model.
    pub fn new(model: &Model) -> Self {
        let npcs = (0..model.npcs.len()).map(|at| TypeView::of(model, NpcTypeId::at(at)));
        let mut served: HashMap<&str, GoalId> = HashMap::new();
        let mut goals = Vec::with_capacity(model.goals.len());
        for (at, goal) in model.goals.iter().enumerate() {
            let group = goal.serves().map(|name| *served.entry(name).or_insert(GoalId::at(at)));
            let (wants, priority) = (goal.conditions().to_wants(), goal.priority);
            goals.push(CompiledGoal { wants, priority, group });
        }
        let map = Arc::new(SourceMap::new(model));
        let npcs = npcs.map(|parts| NpcTables::new(&parts)).collect();
        CompiledDomain { npcs, goals, map, digest: digest_of(model) }
    }

    /// A domain of one NPC type, as it would be with one thing otherwise: to ask "what if", and to
    /// be thrown away. `model` is what this domain was compiled from; its goals are left out, and
    /// its digest is this domain's, so no search may be resumed from one to the other.
    pub fn varied(&self, model: &Model, npc: NpcTypeId, variation: Variation) -> CompiledDomain {
        let mut parts = TypeView::of(model, npc);
        parts.vary(variation);
        parts.id = NpcTypeId::at(0);
        CompiledDomain {
            npcs: vec![NpcTables::new(&parts)],
            goals: Vec::new(),
            map: Arc::clone(&self.map),
            digest: self.digest,
        }
    }

    /// The fact that the action of [`Variation::Mark`] was done, or was not yet.
    pub fn mark(model: &Model, done: bool) -> Fact {
        type_view::mark_of(model, done)
    }

    /// One NPC type.
    pub fn npc(&self, id: NpcTypeId) -> &NpcTables {
        &self.npcs[id.index()]
    }

    /// One goal.
    pub fn goal(&self, id: GoalId) -> &CompiledGoal {
        &self.goals[id.index()]
    }

    /// The canonical bytes that the digest is made of.
    pub fn canonical_bytes(model: &Model) -> Vec<u8> {
        digest::canonical_bytes(model)
    }
}
