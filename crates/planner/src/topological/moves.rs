//! The proof that topological planning rests on, for the actions that are there.
//!
//! In:   an NPC type and the actions that are there.
//! Out:  for every variable and value the one action that sets it and the one value it comes
//!       from; or the action that breaks the rule.
//! Cost: where the rule holds for all actions of the type (decided at load, and owned by it) a
//!       copy of the mask; else one visit per action, and only when the type or the actions that
//!       are there change. No allocation once warm.
//!
//! The rule is inherited by every subset of the actions. So one proof serves every mask, read
//! through the mask.

use crate::context::ActionMask;
pub use throng_domain::compile::NotMoves;
use throng_domain::compile::{
    LocalAction, LocalFact, NpcTables, PackedValue, SoleSetters, Stamp, UNKNOWN,
};

/// Who sets each value, and from where. Only [`Moves::certify`] can fill it, so holding one is
/// the proof.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    /// The actions that are there now.
    enabled: ActionMask,
    /// For a type whose actions are moves only under a mask: what was found, for which mask.
    own: SoleSetters,
    kept: Option<(Stamp, Result<(), NotMoves>)>,
}

impl Moves {
    /// Makes the proof fit the enabled actions of a type.
    ///
    /// # Errors
    ///
    /// The first action that breaks the rule.
    pub fn certify(&mut self, npc: &NpcTables, enabled: &ActionMask) -> Result<(), NotMoves> {
        if npc.sole_setters().is_some() {
            // Another type's mask is no longer the one that was kept.
            self.kept = None;
            self.enabled.copy_from(enabled);
            return Ok(());
        }
        if let Some((of, verdict)) = &self.kept
            && of == npc.stamp()
            && self.enabled == *enabled
        {
            return *verdict;
        }
        self.enabled.copy_from(enabled);
        let verdict = self.own.fill(npc, |action| enabled.has(action));
        self.kept = Some((npc.stamp().clone(), verdict));
        verdict
    }

    fn setters<'m>(&'m self, npc: &'m NpcTables) -> &'m SoleSetters {
        npc.sole_setters().unwrap_or(&self.own)
    }

    /// The action that sets a fact and the value it comes from.
    pub(super) fn into(
        &self,
        npc: &NpcTables,
        fact: LocalFact,
    ) -> Option<(LocalAction, PackedValue)> {
        self.setter_of(npc, npc.slot(fact))
    }

    /// The same for those who walk along the slots of a variable.
    pub(super) fn setter_of(
        &self,
        npc: &NpcTables,
        slot: usize,
    ) -> Option<(LocalAction, PackedValue)> {
        self.setters(npc).setter_of(slot).filter(|&(action, _)| self.enabled.has(action))
    }

    /// Whether the proof tells the truth about a start: a move from any value could also begin
    /// at an unknown one.
    pub fn fits(&self, npc: &NpcTables, start: &[PackedValue]) -> bool {
        let from_any = self.setters(npc).from_any().iter();
        let mut there = from_any.filter(|(action, _)| self.enabled.has(*action));
        there.all(|(_, variable)| start[variable.index()] != UNKNOWN)
    }
}
