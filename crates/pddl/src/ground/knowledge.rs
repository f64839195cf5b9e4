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

    /// Two facts of one group that the literals together ask for.
    pub(super) fn clash(&self, literals: &[Literal]) -> Option<(u32, u32)> {
        self.held(literals).clash()
    }

    /// The groups of which the literals ask for a fact.
    pub(super) fn held(&self, literals: &[Literal]) -> Asked {
        let groups_of = |fact| self.groups_of(fact).iter().copied();
        match self.groups.is_empty() {
            true => Asked::default(),
            false => Asked::new(literals, groups_of),
        }
    }

    /// Whether another fact of a group of this one is held.
    pub(super) fn is_excluded(&self, fact: u32, held: &Asked) -> bool {
        self.groups_of(fact).iter().any(|&group| held.has_other(group, fact))
    }
}

/// Groups, or variables, with the facts of each that literals ask for, sorted.
#[derive(Default)]
pub(super) struct Asked(Vec<(u32, u32)>);

impl Asked {
    /// The groups that each fact is in which the literals ask for.
    pub(super) fn new<G: IntoIterator<Item = u32>>(
        literals: &[Literal],
        groups_of: impl Fn(u32) -> G,
    ) -> Self {
        let facts = literals.iter().filter(|&&literal| holds(literal)).map(|&l| fact_of(l));
        let mut asked: Vec<(u32, u32)> = facts
            .flat_map(|fact| groups_of(fact).into_iter().map(move |group| (group, fact)))
            .collect();
        asked.sort_unstable();
        Asked(asked)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether another fact of a group is asked for.
    pub(super) fn has_other(&self, group: u32, fact: u32) -> bool {
        let from = self.0.partition_point(|&(of, _)| of < group);
        let mut of_group = self.0[from..].iter().take_while(|(of, _)| *of == group);
        of_group.any(|&(_, other)| other != fact)
    }

    /// Two facts of one group.
    fn clash(&self) -> Option<(u32, u32)> {
        let differ = |pair: &&[(u32, u32)]| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1;
        self.0.windows(2).find(differ).map(|pair| (pair[0].1, pair[1].1))
    }
}
