//! The goals that rows of a crowd may have, numbered.

use std::collections::BTreeMap;
use throng_domain::compile::{CompiledDomain, LocalFact, NpcType};
use throng_domain::model::{Fact, GoalId};

/// A goal of a crowd: one of the domain's, or facts that the game made up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GoalRef(pub(crate) u16);

impl GoalRef {
    /// To want nothing: always satisfied.
    pub const NONE: GoalRef = GoalRef(0);
}

/// One goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Goal {
    /// The goal of the domain that it is, if it is one.
    pub(crate) id: Option<GoalId>,
    /// What must hold, by variable.
    pub(crate) facts: Vec<Fact>,
    /// The same among the type's own variables.
    pub(crate) local: Vec<LocalFact>,
}

/// All goals of a crowd.
#[derive(Clone, Debug)]
pub(crate) struct Goals {
    list: Vec<Goal>,
    /// Their numbers, the first one of equals.
    known: BTreeMap<(Option<GoalId>, Vec<Fact>), u16>,
}

impl Goals {
    /// Wanting nothing.
    pub(crate) fn none() -> Goals {
        let none = Goal { id: None, facts: Vec::new(), local: Vec::new() };
        Goals { list: vec![none], known: BTreeMap::from([((None, Vec::new()), 0)]) }
    }

    /// Wanting nothing, and what the type wants.
    pub(crate) fn new(domain: &CompiledDomain, npc: &NpcType) -> Goals {
        let mut goals = Goals::none();
        for &id in npc.goals() {
            goals.add(npc, Some(id), domain.goal(id).wants());
        }
        goals
    }

    /// The number of a goal, new or known; `None` if there are too many.
    pub(crate) fn add(
        &mut self,
        npc: &NpcType,
        id: Option<GoalId>,
        facts: &[Fact],
    ) -> Option<GoalRef> {
        let mut facts = facts.to_vec();
        facts.sort_unstable();
        facts.dedup();
        let key = (id, facts);
        if let Some(&number) = self.known.get(&key) {
            return Some(GoalRef(number));
        }
        self.push(npc, id, key.1)
    }

    /// A goal with a number of its own, whatever is known; `None` if there are too many.
    pub(crate) fn push(
        &mut self,
        npc: &NpcType,
        id: Option<GoalId>,
        facts: Vec<Fact>,
    ) -> Option<GoalRef> {
        let number = u16::try_from(self.list.len()).ok().filter(|&number| number < u16::MAX)?;
        let local = facts.iter().filter_map(|fact| {
            let variable = npc.local_variable(fact.variable)?;
            Some(LocalFact { variable, value: fact.value.index() as u16 })
        });
        let local = local.collect();
        self.known.entry((id, facts.clone())).or_insert(number);
        self.list.push(Goal { id, facts, local });
        Some(GoalRef(number))
    }

    /// The number of a goal of the domain.
    pub(crate) fn find(&self, id: GoalId) -> Option<GoalRef> {
        let at = self.list.iter().position(|goal| goal.id == Some(id))?;
        Some(GoalRef(at as u16))
    }

    pub(crate) fn get(&self, goal: u16) -> &Goal {
        &self.list[usize::from(goal)]
    }

    pub(crate) fn has(&self, goal: GoalRef) -> bool {
        usize::from(goal.0) < self.list.len()
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }
}
