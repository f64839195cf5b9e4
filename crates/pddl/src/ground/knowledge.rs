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

    /// Whether two different facts are of one group.
    pub(super) fn are_excluded(&self, one: u32, other: u32) -> bool {
        let others = self.groups_of(other);
        one != other && self.groups_of(one).iter().any(|group| others.contains(group))
    }

    /// Whether the literals together ask for two facts of one group.
    pub(super) fn exclude(&self, literals: impl Iterator<Item = Literal>) -> bool {
        self.clash(literals).is_some()
    }

    /// Two facts of one group that the literals together ask for.
    pub(super) fn clash(&self, literals: impl Iterator<Item = Literal>) -> Option<(u32, u32)> {
        let held = self.held(literals).0;
        let differ = |pair: &&[(u32, u32)]| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1;
        held.windows(2).find(differ).map(|pair| (pair[0].1, pair[1].1))
    }

    /// The groups of which the literals ask for a fact.
    pub(super) fn held(&self, literals: impl Iterator<Item = Literal>) -> Held {
        let mut held: Vec<(u32, u32)> = Vec::new();
        if !self.groups.is_empty() {
            for fact in literals.filter(|&literal| holds(literal)).map(fact_of) {
                held.extend(self.groups_of(fact).iter().map(|&group| (group, fact)));
            }
            held.sort_unstable();
        }
        Held(held)
    }

    /// Whether another fact of a group of this one is held.
    pub(super) fn is_excluded(&self, fact: u32, held: &Held) -> bool {
        self.groups_of(fact).iter().any(|&group| {
            let from = held.0.partition_point(|&(of, _)| of < group);
            let mut of_group = held.0[from..].iter().take_while(|(of, _)| *of == group);
            of_group.any(|&(_, other)| other != fact)
        })
    }
}

/// Groups with the fact of each that is asked for, sorted.
pub(super) struct Held(Vec<(u32, u32)>);

impl Held {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}
