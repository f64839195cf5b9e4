//! The proof that topological planning rests on, for the actions that are there.
//!
//! In:   an NPC type and the actions that are there.
//! Out:  for every variable and value the one action that sets it and the one value it comes
//!       from; or the action that breaks the rule.
//! Cost: where the rule holds for all actions of the type (decided at load) nothing. Where it does
//!       not, a look at the first of those that can break it; only where none of them does one
//!       visit per action, when the type or the actions that are there change. No allocation once
//!       warm.
//!
//! The rule is inherited by every subset of the actions. So one proof serves every mask, read
//! through the mask.

use crate::budget::Mode;
use crate::call::Call;
use crate::classes::ClassReport;
use crate::context::ActionMask;
use crate::problem::Problem;
pub use crate::tables::NotMoves;
use crate::tables::{DenseMoves, SoleSetters};
use throng_domain::compile::{LocalAction, LocalFact, NpcTables, PackedValue, Stamp, UNKNOWN};

/// Working memory of the proof: what was found for a type whose actions are moves only under a
/// mask, and for which mask.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    enabled: ActionMask,
    own: SoleSetters,
    kept: Option<(Stamp, Result<(), NotMoves>)>,
}

impl Moves {
    /// Makes the proof fit the actions of a problem that are there.
    ///
    /// # Errors
    ///
    /// The first action that breaks the rule.
    pub fn certify(&mut self, call: &Call<'_>) -> Result<(), NotMoves> {
        if call.tables().sole_setters.is_some() {
            return Ok(());
        }
        let (npc, enabled) = (call.npc(), call.problem.enabled());
        if let Some((of, verdict)) = &self.kept
            && of == npc.stamp()
            && self.enabled == *enabled
        {
            return *verdict;
        }
        let suspect = call.tables().suspects.first(npc, |action| enabled.has(action));
        if let Some(not_moves) = suspect {
            #[cfg(debug_assertions)]
            {
                self.kept = None;
                let twin = self.own.fill(npc, |action| enabled.has(action));
                debug_assert_eq!(Err(not_moves), twin, "who is to blame");
            }
            return Err(not_moves);
        }
        self.enabled.copy_from(enabled);
        let verdict = self.own.fill(npc, |action| enabled.has(action));
        self.kept = Some((npc.stamp().clone(), verdict));
        verdict
    }

    fn setters<'c>(&'c self, call: &Call<'c>) -> &'c SoleSetters {
        call.tables().sole_setters.as_ref().unwrap_or(&self.own)
    }

    /// Whether the proof, once [certified](Moves::certify), tells the truth about the start: a move
    /// from any value could also begin at an unknown one.
    pub fn fits(&self, call: &Call<'_>) -> bool {
        let from_any = self.setters(call).from_any().iter();
        let mut there = from_any.filter(|(action, _)| call.problem.enabled().has(*action));
        there.all(|(_, variable)| call.problem.start()[variable.index()] != UNKNOWN)
    }

    /// What the planner looks up for a call that was certified.
    pub(super) fn table<'c>(&'c self, call: &Call<'c>) -> MoveTable<'c> {
        MoveTable {
            npc: call.npc(),
            problem: call.problem,
            mode: call.mode,
            setters: self.setters(call),
            bits: call.tables().dense_moves.as_ref(),
            classes: call.domain.classes(call.problem.npc()),
        }
    }
}

/// The moves of a problem: who sets each value, from where, at what price.
#[derive(Clone, Copy)]
pub(super) struct MoveTable<'c> {
    pub(super) npc: &'c NpcTables,
    pub(super) problem: &'c Problem,
    /// What a step counts.
    pub(super) mode: Mode,
    pub(super) setters: &'c SoleSetters,
    /// The tables of the type that serve 64 needs at a time, if it has them.
    pub(super) bits: Option<&'c DenseMoves>,
    pub(super) classes: &'c ClassReport,
}

impl MoveTable<'_> {
    /// The action that sets a fact and the value it comes from.
    pub(super) fn into(&self, fact: LocalFact) -> Option<(LocalAction, PackedValue)> {
        self.setter_of(self.npc.slot(fact))
    }

    /// The same for a walk along the slots of a variable.
    pub(super) fn setter_of(&self, slot: usize) -> Option<(LocalAction, PackedValue)> {
        let enabled = self.problem.enabled();
        self.setters.setter_of(slot).filter(|&(action, _)| enabled.has(action))
    }

    /// What a step counts: its cost, or one if only their number matters.
    pub(super) fn step_cost(&self, action: LocalAction) -> u64 {
        self.problem.step_cost(self.npc, self.mode, action)
    }

    /// Whether the goal names every variable.
    pub(super) fn is_total(&self) -> bool {
        self.problem.goal().len() == self.npc.variables().len()
    }
}
