//! The certificate that topological planning rests on: every enabled action moves exactly one
//! variable, and no two set the same value.
//!
//! In:   an NPC type and the actions that are there.
//! Out:  for every variable and value the one action that sets it and the one value it comes
//!       from; or the action that breaks the rule.
//! Cost: one visit per action; no allocation once warm.
//!
//! An action that sets a variable of two values from any value is a move from the other one.

use crate::context::ActionMask;
use throng_domain::compile::{LocalAction, LocalFact, LocalVariable, NpcType, Value};

/// No action sets this slot.
const NOBODY: u32 = u32::MAX;

/// Who sets each value, and from where. Only [`Moves::certify`] can fill it, so holding one is
/// the proof.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    setter: Vec<u32>,
    source: Vec<Value>,
    /// Variables with a move from any of two values: their start must be known.
    from_any: Vec<LocalVariable>,
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
    /// Fills the table for the enabled actions of a type.
    ///
    /// # Errors
    ///
    /// The first action that breaks the rule.
    pub fn certify(&mut self, npc: &NpcType, enabled: &ActionMask) -> Result<(), NotMoves> {
        self.setter.clear();
        self.setter.resize(npc.n_slots(), NOBODY);
        self.source.clear();
        self.source.resize(npc.n_slots(), 0);
        self.from_any.clear();
        for action in (0..npc.n_actions() as u32).map(LocalAction) {
            if !enabled.has(action) || npc.sets(action).is_empty() {
                continue;
            }
            let [set] = npc.sets(action) else { return Err(NotMoves::NotUnary(action)) };
            let own = npc.needs(action).iter().find(|need| need.variable == set.variable);
            let source = match own {
                Some(need) => need.value,
                None if npc.n_values(set.variable) == 2 => {
                    self.from_any.push(set.variable);
                    1 - set.value
                }
                None => return Err(NotMoves::FromSeveral(action)),
            };
            let slot = npc.slot(*set);
            if self.setter[slot] != NOBODY {
                let other = LocalAction(self.setter[slot]);
                return Err(NotMoves::NotPostUnique(other, action));
            }
            self.setter[slot] = action.0;
            self.source[slot] = source;
        }
        Ok(())
    }

    /// The action that sets a fact and the value it comes from.
    pub(super) fn into(&self, npc: &NpcType, fact: LocalFact) -> Option<(LocalAction, Value)> {
        let slot = npc.slot(fact);
        (self.setter[slot] != NOBODY).then(|| (LocalAction(self.setter[slot]), self.source[slot]))
    }

    /// Whether the table tells the truth about a start: a move from any value could also begin
    /// at an unknown one.
    pub fn fits(&self, start: &[Value]) -> bool {
        self.from_any.iter().all(|v| start[v.index()] != throng_domain::compile::UNKNOWN)
    }
}
