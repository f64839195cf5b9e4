//! The proof that topological planning rests on: every action that takes part moves exactly one
//! variable, and no two set the same value.
//!
//! In:   an NPC type, and which of its actions take part.
//! Out:  for every variable and value the one action that sets it and the one value it comes
//!       from; or the action that breaks the rule.
//! Cost: one visit per action; no allocation once warm.
//!
//! An action that sets a variable of two values from any value is a move from the other one. One
//! that changes nothing is no part of any plan, so it takes no part here.

use throng_base::reset;
use throng_domain::compile::{LocalAction, LocalVariable, NpcTables, PackedValue};

/// No action sets this slot.
const NOBODY: u32 = u32::MAX;

/// Who sets each value, and from where. Only [`SoleSetters::fill`] makes one that is not empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SoleSetters {
    entries: Vec<Entry>,
    /// Moves from any of two values: their variable's start must be known.
    from_any: Vec<(LocalAction, LocalVariable)>,
}

/// Who sets a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Entry {
    setter: u32,
    source: PackedValue,
}

/// The actions of a type that can break the rule: those that are no moves by themselves, and those
/// that set what an earlier one sets. Most questions about a type that breaks it are answered by
/// the first of these.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Suspects(Vec<LocalAction>);

impl Suspects {
    pub(super) fn new(npc: &NpcTables) -> Suspects {
        let is_suspect = |&action: &LocalAction| fault(npc, action, |_| true).is_some();
        Suspects(npc.local_actions().filter(is_suspect).collect())
    }

    /// The first action that breaks the rule among those that take part, if there is one.
    pub(crate) fn first(
        &self,
        npc: &NpcTables,
        takes_part: impl Fn(LocalAction) -> bool,
    ) -> Option<NotMoves> {
        let mut there = self.0.iter().filter(|&&action| takes_part(action));
        there.find_map(|&action| fault(npc, action, &takes_part))
    }
}

/// How an action breaks the rule beside the earlier ones that take part.
fn fault(
    npc: &NpcTables,
    action: LocalAction,
    takes_part: impl Fn(LocalAction) -> bool,
) -> Option<NotMoves> {
    if npc.counts(action) {
        return Some(NotMoves::Counts(action));
    }
    let set = match npc.sets(action) {
        [] => return None,
        [set] => *set,
        _ => return Some(NotMoves::NotUnary(action)),
    };
    let has_source = npc.needs(action).iter().any(|need| need.variable == set.variable);
    if !has_source && npc.n_values(set.variable) != 2 {
        return Some(NotMoves::FromSeveral(action));
    }
    let earlier = npc.setters(npc.slot(set)).iter().take_while(|&&other| other < action);
    let mut earlier = earlier.filter(|&&other| takes_part(other));
    earlier.next().map(|&other| NotMoves::NotPostUnique(other, action))
}

/// Why the actions are not all moves of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotMoves {
    /// The action changes several variables.
    NotUnary(LocalAction),
    /// The action sets a variable from any of several values.
    FromSeveral(LocalAction),
    /// Both actions set the same value.
    NotPostUnique(LocalAction, LocalAction),
    /// The action counts.
    Counts(LocalAction),
}

impl SoleSetters {
    /// The proof for all actions of a type together, if the rule holds for them. An action that
    /// counts is no move, whatever else it sets.
    pub(crate) fn of_all(npc: &NpcTables) -> Option<SoleSetters> {
        let mut setters = SoleSetters::default();
        let counts = npc.local_actions().any(|action| npc.counts(action));
        (!counts && setters.fill(npc, |_| true).is_ok()).then_some(setters)
    }

    /// Makes it the proof for the actions that take part.
    ///
    /// # Errors
    ///
    /// The first action that breaks the rule.
    pub fn fill(
        &mut self,
        npc: &NpcTables,
        takes_part: impl Fn(LocalAction) -> bool,
    ) -> Result<(), NotMoves> {
        reset(&mut self.entries, npc.n_slots(), Entry { setter: NOBODY, source: 0 });
        self.from_any.clear();
        self.from_any.reserve(npc.n_actions());
        for action in npc.local_actions() {
            if !takes_part(action) {
                continue;
            }
            if npc.counts(action) {
                return Err(NotMoves::Counts(action));
            }
            if npc.sets(action).is_empty() {
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

    /// The action that sets a slot and the value it comes from.
    pub fn setter_of(&self, slot: usize) -> Option<(LocalAction, PackedValue)> {
        let entry = self.entries[slot];
        (entry.setter != NOBODY).then_some((LocalAction(entry.setter), entry.source))
    }

    /// The moves from any of two values, and what they move.
    pub fn from_any(&self) -> &[(LocalAction, LocalVariable)] {
        &self.from_any
    }
}
