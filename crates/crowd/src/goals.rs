//! The goals that rows of a crowd may have, numbered.
//!
//! In:   goals of the domain, facts that the game made up, choices among them.
//! Out:  a number for each, and whether it holds in a state.
//! Cost: a look-up; whether it holds, a comparison per fact.

use std::collections::BTreeMap;
use throng_domain::compile::{CompiledDomain, LocalFact, LocalVariable, NpcType, Value};
use throng_domain::model::{Fact, GoalId};

/// A goal of a crowd: one of the domain's, facts that the game made up, or a choice among goals.
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
    /// If it is a choice, among what; it has no facts of its own then.
    pub(crate) choice: Option<Choice>,
}

/// A goal that is made of others, which have numbers of their own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Choice {
    /// What is asked for one after the other until one can be had; of the goals of a stage any
    /// will do, the cheapest is taken, of equals the first.
    pub(crate) stages: Vec<Vec<u16>>,
    /// Whether it is all that the type wants, by priority, rather than one thing.
    pub(crate) is_best: bool,
}

impl Choice {
    /// The goals it is made of, in the order in which they are asked for.
    pub(crate) fn parts(&self) -> impl Iterator<Item = u16> + '_ {
        self.stages.iter().flatten().copied()
    }
}

/// All goals of a crowd.
#[derive(Clone, Debug)]
pub(crate) struct Goals {
    list: Vec<Goal>,
    /// Their numbers, the first one of equals.
    known: BTreeMap<(Option<GoalId>, Vec<Fact>), u16>,
    /// Of how many goals a choice consists at most; one, if there is no choice.
    most_parts: u64,
}

impl Goals {
    /// Wanting nothing.
    pub(crate) fn none() -> Goals {
        let none = Goal { id: None, facts: Vec::new(), local: Vec::new(), choice: None };
        let known = BTreeMap::from([((None, Vec::new()), 0)]);
        Goals { list: vec![none], known, most_parts: 1 }
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
        self.list.push(Goal { id, facts, local, choice: None });
        Some(GoalRef(number))
    }

    /// The number of a choice, new or known; `None` if there are too many goals.
    pub(crate) fn add_choice(&mut self, choice: Choice) -> Option<GoalRef> {
        let known = self.list.iter().position(|goal| goal.choice.as_ref() == Some(&choice));
        if let Some(known) = known {
            return Some(GoalRef(known as u16));
        }
        let number = u16::try_from(self.list.len()).ok().filter(|&number| number < u16::MAX)?;
        self.list.push(Goal { id: None, facts: Vec::new(), local: Vec::new(), choice: None });
        self.set_choice(number, choice);
        Some(GoalRef(number))
    }

    /// Makes a goal a choice.
    pub(crate) fn set_choice(&mut self, goal: u16, choice: Choice) {
        self.most_parts = self.most_parts.max(choice.parts().count() as u64);
        self.list[usize::from(goal)].choice = Some(choice);
    }

    /// All that a type wants, the most important first: the order of the single planner. `None` if
    /// there are too many goals.
    pub(crate) fn best(&mut self, domain: &CompiledDomain, npc: &NpcType) -> Option<Choice> {
        let mut order = npc.goals().to_vec();
        order.sort_unstable_by_key(|&id| (std::cmp::Reverse(domain.goal(id).priority()), id));
        let mut stages: Vec<Vec<u16>> = Vec::new();
        let mut names = Vec::new();
        for id in order {
            let part = self.add(npc, Some(id), domain.goal(id).wants())?.0;
            let name = domain.goal(id).group();
            match names.iter().position(|known| name.is_some() && *known == name) {
                Some(at) => stages[at].push(part),
                None => {
                    stages.push(vec![part]);
                    names.push(name);
                }
            }
        }
        Some(Choice { stages, is_best: true })
    }

    /// The number of a goal of the domain.
    pub(crate) fn find(&self, id: GoalId) -> Option<GoalRef> {
        let at = self.list.iter().position(|goal| goal.id == Some(id))?;
        Some(GoalRef(at as u16))
    }

    /// How many goals are asked for, at most, to answer for one.
    pub(crate) fn most_parts(&self) -> u64 {
        self.most_parts
    }

    /// The choice that a goal is, if it is one.
    pub(crate) fn choice(&self, goal: u16) -> Option<&Choice> {
        self.list[usize::from(goal)].choice.as_ref()
    }

    /// Whether a goal is to choose among all that the type wants.
    pub(crate) fn is_best(&self, goal: u16) -> bool {
        self.choice(goal).is_some_and(|choice| choice.is_best)
    }

    /// Whether a goal holds: all its facts, or of each stage of a choice one goal.
    pub(crate) fn holds(&self, goal: u16, value: impl Fn(LocalVariable) -> Value) -> bool {
        match self.choice(goal) {
            None => self.has_facts(goal, &value),
            Some(choice) => choice.stages.iter().all(|stage| self.holds_one(stage, &value)),
        }
    }

    /// Whether one of some goals holds, of which none is a choice.
    pub(crate) fn holds_one(&self, goals: &[u16], value: impl Fn(LocalVariable) -> Value) -> bool {
        goals.iter().any(|&goal| self.has_facts(goal, &value))
    }

    /// Whether a goal speaks of nothing but the type's own variables.
    pub(crate) fn is_own(&self, goal: u16) -> bool {
        let plain = |goal: u16| self.get(goal).local.len() == self.get(goal).facts.len();
        plain(goal) && self.choice(goal).is_none_or(|choice| choice.parts().all(plain))
    }

    fn has_facts(&self, goal: u16, value: impl Fn(LocalVariable) -> Value) -> bool {
        let goal = self.get(goal);
        // What is not among the type's own variables nobody knows to hold.
        goal.local.len() == goal.facts.len()
            && goal.local.iter().all(|fact| value(fact.variable) == fact.value)
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
