//! The goals that rows of a crowd may have, numbered.
//!
//! In:   goals of the domain, conditions that the game made up, choices among them.
//! Out:  a number for each, whether it holds in a state, what is chosen of a choice.
//! Cost: a look-up; whether it holds, a comparison per fact or range.

use crate::error::CrowdError;
use crate::kind::Kind;
use crate::list::Wanted;
use std::collections::BTreeMap;
use throng_domain::compile::{
    LocalComparison, LocalFact, LocalRange, LocalVariable, NpcTables, PackedValue,
};
use throng_domain::model::{Conditions, GoalId, Wants};

/// A goal of a crowd: one of the domain's, conditions that the game made up, or a choice among
/// goals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CrowdGoalId(pub(crate) u16);

impl CrowdGoalId {
    /// To want nothing: always satisfied.
    pub const NONE: CrowdGoalId = CrowdGoalId(0);
}

/// One goal.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Goal {
    /// The goal of the domain that it is, if it is one.
    id: Option<GoalId>,
    /// What must hold, by variable.
    wants: Wants,
    /// The same among the type's own variables.
    local: LocalWants,
    /// If it is a choice, among what; it wants nothing of its own then.
    choice: Option<Choice>,
}

/// What must hold among the variables of a type.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct LocalWants {
    facts: Vec<LocalFact>,
    ranges: Vec<LocalRange>,
    comparisons: Vec<LocalComparison>,
}

impl LocalWants {
    fn new(npc: &NpcTables, wants: &Wants) -> LocalWants {
        let facts = wants.facts.iter().filter_map(|fact| {
            let variable = npc.local_variable(fact.variable)?;
            Some(LocalFact { variable, value: fact.value.index() as PackedValue })
        });
        let ranges = wants.ranges.iter().filter_map(|range| {
            let variable = npc.local_variable(range.variable)?;
            Some(LocalRange { variable, values: range.values })
        });
        let comparisons = wants.comparisons.iter().filter_map(|it| {
            let variable = npc.local_variable(it.variable)?;
            let other = npc.local_variable(it.other)?;
            Some(LocalComparison { variable, other, comparison: *it })
        });
        LocalWants {
            facts: facts.collect(),
            ranges: ranges.collect(),
            comparisons: comparisons.collect(),
        }
    }

    fn len(&self) -> usize {
        self.facts.len() + self.ranges.len() + self.comparisons.len()
    }

    /// Whether all of it holds that speaks of one of some variables.
    fn holds(
        &self,
        is_asked: impl Fn(LocalVariable) -> bool,
        value: &impl Fn(LocalVariable) -> PackedValue,
    ) -> bool {
        let asked = |it: &&LocalComparison| is_asked(it.variable) || is_asked(it.other);
        let compares =
            |it: &LocalComparison| it.comparison.holds(value(it.variable), value(it.other));
        let mut facts = self.facts.iter().filter(|it| is_asked(it.variable));
        let mut ranges = self.ranges.iter().filter(|it| is_asked(it.variable));
        facts.all(|it| value(it.variable) == it.value)
            && ranges.all(|it| it.values.has(value(it.variable)))
            && self.comparisons.iter().filter(asked).all(compares)
    }
}

impl Goal {
    /// Whether it speaks of nothing but the type's own variables.
    fn is_own(&self) -> bool {
        self.local.len() == self.wants.conditions().len()
    }

    /// Whether all that it wants holds. What is not among the type's own variables is not known to
    /// hold.
    fn holds(&self, value: &impl Fn(LocalVariable) -> PackedValue) -> bool {
        self.is_own() && self.local.holds(|_| true, value)
    }
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

/// What came out for a goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict<P> {
    Holds,
    Plan(P),
    Impossible,
    /// The source that was asked cannot tell.
    Open,
}

impl Choice {
    /// The goals it is made of, in the order in which they are asked for.
    pub(crate) fn parts(&self) -> impl Iterator<Item = u16> + '_ {
        self.stages.iter().flatten().copied()
    }

    /// What is chosen, given what came out for each of its parts, by position.
    pub(crate) fn decide<P: Copy>(
        &self,
        came: impl Fn(usize) -> Verdict<P>,
        cost: impl Fn(P) -> u64,
    ) -> Verdict<P> {
        let (mut none, mut end) = (Verdict::Holds, 0);
        for stage in &self.stages {
            let first = end;
            end += stage.len();
            let all = || (first..end).map(&came);
            if all().any(|one| matches!(one, Verdict::Holds)) {
                continue;
            }
            if all().any(|one| matches!(one, Verdict::Open)) {
                return Verdict::Open;
            }
            let plans = all().filter_map(|one| match one {
                Verdict::Plan(plan) => Some(plan),
                _ => None,
            });
            // Of equals the first.
            if let Some(least) = plans.min_by_key(|&plan| cost(plan)) {
                return Verdict::Plan(least);
            }
            none = Verdict::Impossible;
        }
        none
    }
}

/// All goals of a crowd.
#[derive(Clone, Debug)]
pub(crate) struct Goals {
    list: Vec<Goal>,
    /// Their numbers, the first one of equals.
    known: BTreeMap<(Option<GoalId>, Wants), u16>,
    /// Of how many goals a choice consists at most; one, if there is no choice.
    most_parts: u64,
}

impl Goals {
    /// Wanting nothing.
    pub(crate) fn none() -> Goals {
        let known = BTreeMap::from([((None, Wants::default()), 0)]);
        Goals { list: vec![Goal::default()], known, most_parts: 1 }
    }

    /// Adds what the type wants.
    pub(crate) fn declare(&mut self, kind: &Kind) -> Result<(), CrowdError> {
        let mut goals = kind.npc().goals().iter().map(|&id| (id, kind.domain().goal(id)));
        goals.try_for_each(|(id, goal)| self.add(kind, Some(id), goal.conditions()).map(|_| ()))
    }

    /// The number of conditions that must hold, new or known.
    pub(crate) fn of_conditions(
        &mut self,
        kind: &Kind,
        wants: Conditions<'_>,
    ) -> Result<CrowdGoalId, CrowdError> {
        let map = kind.domain().map();
        if let Some(&fact) = wants.facts.iter().find(|&&fact| !map.has_fact(fact)) {
            return Err(CrowdError::UnknownFact(fact));
        }
        match map.has_conditions(wants) {
            true => self.add(kind, None, wants),
            false => Err(CrowdError::UnknownConditions),
        }
    }

    /// The number of a goal of the domain, new or known.
    pub(crate) fn of_domain(&mut self, kind: &Kind, id: GoalId) -> Result<CrowdGoalId, CrowdError> {
        let goal = kind.domain().goals().get(id.index()).ok_or(CrowdError::UnknownGoal(id))?;
        self.add(kind, Some(id), goal.conditions())
    }

    fn add(
        &mut self,
        kind: &Kind,
        id: Option<GoalId>,
        wants: Conditions<'_>,
    ) -> Result<CrowdGoalId, CrowdError> {
        let key = (id, sorted(wants));
        match self.known.get(&key) {
            Some(&number) => Ok(CrowdGoalId(number)),
            None => self.push(kind, id, key.1),
        }
    }

    fn next_number(&self) -> Result<u16, CrowdError> {
        let number = u16::try_from(self.list.len()).ok();
        number.filter(|&number| number < u16::MAX).ok_or(CrowdError::TooManyGoals)
    }

    /// A goal with a number of its own, whatever is known.
    pub(crate) fn push(
        &mut self,
        kind: &Kind,
        id: Option<GoalId>,
        wants: Wants,
    ) -> Result<CrowdGoalId, CrowdError> {
        let number = self.next_number()?;
        let local = LocalWants::new(kind.npc(), &wants);
        self.known.entry((id, wants.clone())).or_insert(number);
        self.list.push(Goal { id, wants, local, choice: None });
        Ok(CrowdGoalId(number))
    }

    /// The number of a choice, new or known.
    pub(crate) fn of_choice(&mut self, choice: Choice) -> Result<CrowdGoalId, CrowdError> {
        let known = self.list.iter().position(|goal| goal.choice.as_ref() == Some(&choice));
        if let Some(known) = known {
            return Ok(CrowdGoalId(known as u16));
        }
        let number = self.next_number()?;
        self.list.push(Goal::default());
        self.set_choice(number, choice);
        Ok(CrowdGoalId(number))
    }

    /// Makes a goal a choice.
    pub(crate) fn set_choice(&mut self, goal: u16, choice: Choice) {
        self.most_parts = self.most_parts.max(choice.parts().count() as u64);
        self.list[usize::from(goal)].choice = Some(choice);
    }

    /// The choice among some goals of the domain.
    pub(crate) fn among(&mut self, kind: &Kind, ids: &[GoalId]) -> Result<Choice, CrowdError> {
        let mut parts = Vec::new();
        for &id in ids {
            let part = self.of_domain(kind, id)?.0;
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        Ok(Choice { stages: vec![parts], is_best: false })
    }

    /// The choice among all that a type wants, the most important first: the order of the single
    /// planner.
    pub(crate) fn best(&mut self, kind: &Kind) -> Result<Choice, CrowdError> {
        let domain = kind.domain();
        let mut order = kind.npc().goals().to_vec();
        order.sort_unstable_by_key(|&id| (std::cmp::Reverse(domain.goal(id).priority()), id));
        let mut stages: Vec<Vec<u16>> = Vec::new();
        let mut names = Vec::new();
        for id in order {
            let part = self.add(kind, Some(id), domain.goal(id).conditions())?.0;
            let name = domain.goal(id).group();
            match names.iter().position(|known| name.is_some() && *known == name) {
                Some(at) => stages[at].push(part),
                None => {
                    stages.push(vec![part]);
                    names.push(name);
                }
            }
        }
        Ok(Choice { stages, is_best: true })
    }

    #[inline]
    fn get(&self, goal: u16) -> &Goal {
        &self.list[usize::from(goal)]
    }

    #[inline]
    pub(crate) fn has(&self, goal: CrowdGoalId) -> bool {
        usize::from(goal.0) < self.list.len()
    }

    /// How many there are; numbers are those below.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// The goal of the domain that a goal is, if it is one.
    pub(crate) fn id(&self, goal: u16) -> Option<GoalId> {
        self.get(goal).id
    }

    /// What must hold; nothing for a choice.
    pub(crate) fn wants(&self, goal: u16) -> &Wants {
        &self.get(goal).wants
    }

    /// What must hold among the type's own variables, if these are values and nothing is counted.
    pub(crate) fn local_facts(&self, goal: u16) -> Option<&[LocalFact]> {
        let local = &self.get(goal).local;
        (local.ranges.is_empty() && local.comparisons.is_empty()).then_some(&local.facts)
    }

    /// What a goal that is no choice wants of the type's own variables.
    pub(crate) fn wanted(&self, goal: u16) -> Wanted<'_> {
        let LocalWants { facts, ranges, comparisons } = &self.get(goal).local;
        Wanted { facts, ranges, comparisons }
    }

    /// Whether some goal wants something of amounts.
    pub(crate) fn has_amounts(&self) -> bool {
        (0..self.len() as u16).any(|goal| self.local_facts(goal).is_none())
    }

    /// Whether all that a goal, which is no choice, wants of shared variables holds.
    pub(crate) fn shared_part_holds(
        &self,
        goal: u16,
        is_shared: impl Fn(LocalVariable) -> bool,
        value: impl Fn(LocalVariable) -> PackedValue,
    ) -> bool {
        self.get(goal).local.holds(is_shared, &value)
    }

    /// The choice that a goal is, if it is one.
    #[inline]
    pub(crate) fn choice(&self, goal: u16) -> Option<&Choice> {
        self.get(goal).choice.as_ref()
    }

    /// How many goals are asked for, at most, to answer for one.
    pub(crate) fn most_parts(&self) -> u64 {
        self.most_parts
    }

    /// Whether a goal is to choose among all that the type wants.
    pub(crate) fn is_best(&self, goal: u16) -> bool {
        self.choice(goal).is_some_and(|choice| choice.is_best)
    }

    /// Whether a goal holds: all that it wants, or of each stage of a choice one goal.
    pub(crate) fn holds(&self, goal: u16, value: impl Fn(LocalVariable) -> PackedValue) -> bool {
        let goal = self.get(goal);
        match &goal.choice {
            None => goal.holds(&value),
            Some(choice) => choice.stages.iter().all(|stage| self.holds_one(stage, &value)),
        }
    }

    /// Whether one of some goals holds, of which none is a choice.
    pub(crate) fn holds_one(
        &self,
        goals: &[u16],
        value: impl Fn(LocalVariable) -> PackedValue,
    ) -> bool {
        goals.iter().any(|&goal| self.get(goal).holds(&value))
    }

    /// Whether a goal, or each of a choice, speaks of nothing but the type's own variables.
    pub(crate) fn is_own(&self, goal: u16) -> bool {
        let goal = self.get(goal);
        let parts = goal.choice.iter().flat_map(Choice::parts);
        goal.is_own() && parts.map(|part| self.get(part)).all(Goal::is_own)
    }
}

/// Conditions in one order, each once.
pub(crate) fn sorted(wants: Conditions<'_>) -> Wants {
    let mut wants = wants.to_wants();
    wants.facts.sort_unstable();
    wants.facts.dedup();
    wants.ranges.sort_unstable();
    wants.ranges.dedup();
    wants.comparisons.sort_unstable();
    wants.comparisons.dedup();
    wants
}
