//! What is known of facts beside the operators: which exclude each other, which never hold.
//!
//! In:   proven groups.
//! Out:  answers for pruning.

use super::propositional::{Literal, fact_of, holds};

/// What is known beside the task.
#[derive(Clone, Default, Debug)]
pub(super) struct Knowledge {
    /// Facts that never hold; may be shorter than the facts.
    pub(super) dead: Vec<bool>,
    /// By fact, the groups it is in; may be shorter than the facts. Of a group at most one
    /// holds.
    pub(super) groups: Vec<Vec<u32>>,
}

impl Knowledge {
    /// Whether a fact never holds.
    pub(super) fn is_dead(&self, fact: u32) -> bool {
        self.dead.get(fact as usize).is_some_and(|dead| *dead)
    }

    /// The groups of a fact.
    pub(super) fn groups_of(&self, fact: u32) -> &[u32] {
        self.groups.get(fact as usize).map_or(&[], |groups| groups)
    }

    /// Whether the literals together ask for two facts of one group.
    pub(super) fn exclude(&self, literals: impl Iterator<Item = Literal>) -> bool {
        if self.groups.is_empty() {
            return false;
        }
        let mut seen: Vec<(u32, u32)> = Vec::new();
        for fact in literals.filter(|&literal| holds(literal)).map(fact_of) {
            seen.extend(self.groups_of(fact).iter().map(|&group| (group, fact)));
        }
        seen.sort_unstable();
        seen.windows(2).any(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1)
    }
}
