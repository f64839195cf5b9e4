//! The certificate that topological planning rests on: every enabled action moves exactly one
//! variable, and no two set the same value.
//!
//! In:   an NPC type and the actions that are there.
//! Out:  for every variable and value the one action that sets it and the one value it comes
//!       from; or the action that breaks the rule.
//! Cost: one visit per action, and only when the type changes; if the rule does not hold for all
//!       actions of the type, also when the actions that are there change. No allocation once
//!       warm.
//!
//! An action that sets a variable of two values from any value is a move from the other one.
//!
//! The rule is inherited by every subset of the actions. So where it holds for all of them
//! (decided at load) one table serves every mask, read through the mask; where it does not, the
//! table is made for one mask and kept with it.

use crate::context::ActionMask;
use throng_domain::compile::{
    LocalAction, LocalFact, LocalVariable, NpcType, Stamp, UNKNOWN, Value,
};

/// No action sets this slot.
const NOBODY: u32 = u32::MAX;

/// Who sets each value, and from where. Only [`Moves::certify`] can fill it, so holding one is
/// the proof.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    /// What the table was made for, and what came of it.
    kept: Option<Kept>,
    /// The actions that are there now.
    enabled: ActionMask,
    entries: Vec<Entry>,
    /// Moves from any of two values: their variable's start must be known.
    from_any: Vec<(LocalAction, LocalVariable)>,
}

/// Who sets a slot.
#[derive(Clone, Copy, Debug)]
struct Entry {
    setter: u32,
    source: Value,
}

#[derive(Clone, Copy, Debug)]
struct Kept {
    of: Stamp,
    /// All actions of the type are in the table, so it serves every mask.
    serves_all: bool,
    verdict: Result<(), NotMoves>,
}

/// Why the enabled actions are not all moves of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotMoves {
    /// The action changes no or several variables.
    NotUnary(LocalAction),
    /// The action sets a variable from any of several values.
    FromSeveral(LocalAction),
    /// Both actions set the same value.
    NotPostUnique(LocalAction, LocalAction),
}

impl Moves {
    /// Makes the table fit the enabled actions of a type.
    ///
    /// # Errors
    ///
    /// The first action that breaks the rule.
    pub fn certify(&mut self, npc: &NpcType, enabled: &ActionMask) -> Result<(), NotMoves> {
        if let Some(kept) = self.kept.filter(|kept| kept.of == npc.stamp()) {
            if kept.serves_all {
                self.enabled.copy_from(enabled);
                return Ok(());
            }
            if self.enabled == *enabled {
                return kept.verdict;
            }
        }
        self.enabled.copy_from(enabled);
        let serves_all = npc.classes().are_moves() && self.fill(npc, |_| true).is_ok();
        let verdict = match serves_all {
            true => Ok(()),
            false => self.fill(npc, |action| enabled.has(action)),
        };
        self.kept = Some(Kept { of: npc.stamp(), serves_all, verdict });
        verdict
    }

    fn fill(
        &mut self,
        npc: &NpcType,
        takes_part: impl Fn(LocalAction) -> bool,
    ) -> Result<(), NotMoves> {
        self.entries.clear();
        self.entries.resize(npc.n_slots(), Entry { setter: NOBODY, source: 0 });
        self.from_any.clear();
        for action in (0..npc.n_actions() as u32).map(LocalAction) {
            if !takes_part(action) || npc.sets(action).is_empty() {
                continue;
            }
            let [set] = npc.sets(action) else { return Err(NotMoves::NotUnary(action)) };
            let own = npc.needs(action).iter().find(|need| need.variable == set.variable);
            let source = match own {
                Some(need) => need.value,
                None if npc.n_values(set.variable) == 2 => {
                    self.from_any.push((action, set.variable));
                    1 - set.value
                }
                None => return Err(NotMoves::FromSeveral(action)),
            };
            let entry = &mut self.entries[npc.slot(*set)];
            if entry.setter != NOBODY {
                return Err(NotMoves::NotPostUnique(LocalAction(entry.setter), action));
            }
            *entry = Entry { setter: action.0, source };
        }
        Ok(())
    }

    /// The action that sets a fact and the value it comes from.
    pub(super) fn into(&self, npc: &NpcType, fact: LocalFact) -> Option<(LocalAction, Value)> {
        self.setter_of(npc.slot(fact))
    }

    /// The same for those who walk along the slots of a variable.
    pub(super) fn setter_of(&self, slot: usize) -> Option<(LocalAction, Value)> {
        let entry = self.entries[slot];
        let action = LocalAction(entry.setter);
        // Nobody is in no mask.
        self.enabled.has(action).then_some((action, entry.source))
    }

    /// Whether the table tells the truth about a start: a move from any value could also begin
    /// at an unknown one.
    pub fn fits(&self, start: &[Value]) -> bool {
        let mut from_any = self.from_any.iter().filter(|(action, _)| self.enabled.has(*action));
        from_any.all(|(_, variable)| start[variable.index()] != UNKNOWN)
    }
}
