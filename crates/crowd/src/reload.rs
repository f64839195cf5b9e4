//! A new version of the domain under a running crowd.
//!
//! In:   the domain as it is now.
//! Out:  the same crowd in the new domain: handles, goals and groups keep their numbers; states
//!       and plans go over by name, former names (`was`) included. Or an error, and then nothing
//!       has changed.
//! Cost: one pass over the rows.
//!
//! Only those concerned wait: who lost a value, whose goal reads otherwise, whose remaining steps
//! are no longer the same actions, and those whom the actions that came or went concern by the
//! rules of `changes`.

mod goals;

use crate::crowd::Crowd;
use crate::goals::GoalRef;
use crate::groups::Difference;
use crate::plans::PlanId;
use std::fmt;
use std::sync::Arc;
use throng_domain::compile::{
    CompiledDomain, LocalAction, LocalFact, LocalVariable, LocalWish, NpcType, UNKNOWN, Value,
};
use throng_domain::model::{Fact, VariableId};

/// What a reload came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Migration {
    /// NPCs that go on as before.
    pub kept: usize,
    /// NPCs that wait for an answer now, and did not before.
    pub concerned: usize,
    /// NPCs that had a value which no longer exists; it is unknown now.
    pub lost_values: usize,
    /// NPCs whose goal no longer exists; they want nothing now.
    pub lost_goals: usize,
}

impl std::ops::AddAssign for Migration {
    fn add_assign(&mut self, other: Migration) {
        self.kept += other.kept;
        self.concerned += other.concerned;
        self.lost_values += other.lost_values;
        self.lost_goals += other.lost_goals;
    }
}

/// Why the old version stays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CannotReload {
    /// The new domain has no such NPC type, present or former.
    NoSuchType {
        /// Its name in the old domain.
        name: String,
    },
    /// Two NPC types with members of their own would be this one.
    TwoTypesBecomeOne {
        /// Its name in the new domain.
        name: String,
    },
    /// There are more goals, old and new together, than can be numbered.
    TooManyGoals,
}

impl fmt::Display for CannotReload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CannotReload::NoSuchType { name } => write!(
                f,
                "the new domain has no NPC type `{name}`, and none that `was {name}`; the old \
                 version stays"
            ),
            CannotReload::TwoTypesBecomeOne { name } => write!(
                f,
                "two NPC types of the old domain would both become `{name}`; the old version stays"
            ),
            CannotReload::TooManyGoals => {
                write!(f, "there are more goals than can be numbered; the old version stays")
            }
        }
    }
}

impl std::error::Error for CannotReload {}

/// From the old domain's numbers to the new one's.
struct Names<'d> {
    old: &'d CompiledDomain,
    new: &'d CompiledDomain,
}

impl Names<'_> {
    fn variable(&self, id: VariableId) -> Option<VariableId> {
        self.new.map().find_variable(self.old.map().variable(id))
    }

    fn fact(&self, fact: Fact) -> Option<Fact> {
        let variable = self.variable(fact.variable)?;
        let value = self.new.map().find_value(variable, self.old.map().value(fact))?;
        Some(Fact { variable, value })
    }

    fn facts(&self, facts: &[Fact]) -> Option<Vec<Fact>> {
        let mut facts: Vec<Fact> =
            facts.iter().map(|&fact| self.fact(fact)).collect::<Option<_>>()?;
        facts.sort_unstable();
        Some(facts)
    }

    fn local(&self, old: &NpcType, new: &NpcType, fact: LocalFact) -> Option<LocalFact> {
        let fact = self.fact(old.fact(fact))?;
        let variable = new.local_variable(fact.variable)?;
        Some(LocalFact { variable, value: fact.value.index() as Value })
    }

    fn action(&self, old: &NpcType, new: &NpcType, action: LocalAction) -> Option<LocalAction> {
        let name = self.old.map().action(old.actions()[action.index()]);
        new.local_action(self.new.map().find_action(name)?)
    }
}

/// From states of the old type to states of the new one.
struct ValueMap {
    /// For each old variable its new one, and the new value of each old value.
    variables: Vec<Option<(LocalVariable, Vec<Value>)>>,
    /// The state that a new variable has before anything is known of it.
    starts: Vec<Value>,
}

impl ValueMap {
    fn new(names: &Names<'_>, old: &NpcType, new: &NpcType) -> ValueMap {
        let mut starts = new.unknown_state();
        for fact in new.starts() {
            if let Some(local) = new.local_variable(fact.variable) {
                starts[local.index()] = fact.value.index() as Value;
            }
        }
        let variable = |(at, id): (usize, &VariableId)| {
            let to = new.local_variable(names.variable(*id)?)?;
            let variable = LocalVariable(at as u32);
            let value = |value| {
                let fact = names.local(old, new, LocalFact { variable, value: value as Value });
                fact.map_or(UNKNOWN, |fact| fact.value)
            };
            Some((to, (0..old.n_values(variable)).map(value).collect()))
        };
        ValueMap { variables: old.variables().iter().enumerate().map(variable).collect(), starts }
    }

    /// Writes a state in new numbers; returns whether a value was lost.
    fn translate(&self, state: &[Value], next: &mut [Value]) -> bool {
        next.copy_from_slice(&self.starts);
        let mut lost = false;
        for (&value, variable) in state.iter().zip(&self.variables) {
            let Some((to, values)) = variable else { continue };
            let new = values.get(usize::from(value)).copied().unwrap_or(UNKNOWN);
            next[to.index()] = new;
            lost |= new == UNKNOWN && value != UNKNOWN;
        }
        lost
    }
}

/// The actions of the old type that the new one has unchanged, by old number.
fn same_actions(names: &Names<'_>, old: &NpcType, new: &NpcType) -> Vec<Option<LocalAction>> {
    let facts = |facts: &[LocalFact]| -> Option<Vec<LocalFact>> {
        let mapped = facts.iter().map(|&fact| names.local(old, new, fact));
        let mut mapped: Vec<LocalFact> = mapped.collect::<Option<_>>()?;
        mapped.sort_unstable();
        Some(mapped)
    };
    let sorted = |facts: &[LocalFact]| {
        let mut facts = facts.to_vec();
        facts.sort_unstable();
        facts
    };
    let same = |action: LocalAction| {
        let other = names.action(old, new, action)?;
        let is_same = facts(old.needs(action)) == Some(sorted(new.needs(other)))
            && facts(old.sets(action)) == Some(sorted(new.sets(other)))
            && old.cost(action) == new.cost(other);
        is_same.then_some(other)
    };
    (0..old.n_actions() as u32).map(|action| same(LocalAction(action))).collect()
}

fn same_wishes(same: &[Option<LocalAction>], old: &NpcType, new: &NpcType) -> bool {
    let mapped = |actions: &[LocalAction]| -> Vec<Option<LocalAction>> {
        actions.iter().map(|action| same[action.index()]).collect()
    };
    let is_same = |(old, new): (&LocalWish, &LocalWish)| {
        mapped(&old.before) == new.before.iter().copied().map(Some).collect::<Vec<_>>()
            && mapped(&old.after) == new.after.iter().copied().map(Some).collect::<Vec<_>>()
    };
    old.wishes().len() == new.wishes().len() && old.wishes().iter().zip(new.wishes()).all(is_same)
}

impl Crowd {
    /// Goes over to a new version of the domain.
    ///
    /// # Errors
    ///
    /// If the crowd's type is gone; everything is then as it was.
    pub fn reload(&mut self, domain: Arc<CompiledDomain>) -> Result<Migration, CannotReload> {
        self.settle();
        let (next, migration) = self.migrated(domain)?;
        *self = next;
        Ok(migration)
    }

    /// The crowd as it would be in another version of the domain.
    pub(crate) fn migrated(
        &self,
        domain: Arc<CompiledDomain>,
    ) -> Result<(Crowd, Migration), CannotReload> {
        let name = self.domain.map().npc(self.npc);
        let gone = || CannotReload::NoSuchType { name: name.to_string() };
        let id = domain.map().find_npc(name).ok_or_else(gone)?;
        let pool = Arc::clone(&self.pool);
        let mut next = Crowd::new(Arc::clone(&domain), id, self.settings, pool).ok_or_else(gone)?;
        let names = Names { old: &self.domain, new: &domain };
        let (old, new) = (self.kind(), domain.npc(id));
        let same = same_actions(&names, old, new);
        let has_same_wishes = same_wishes(&same, old, new);
        let same_goals = next.take_goals(self, &names)?;
        let differences = next.take_groups(self, &names, &same);
        let mut migration = Migration::default();
        let mut state = old.unknown_state();
        let mut steps = Vec::new();
        let values = ValueMap::new(&names, old, new);
        let mut work = new.unknown_state();
        for row in 0..self.rows.len() {
            next.push_row(self, row);
            if !self.rows.alive().get(row) {
                continue;
            }
            self.read_state(row, &mut state);
            let lost = next.take_state(row, &values, &state);
            migration.lost_values += usize::from(lost);
            let was_waiting = self.is_waiting(row);
            let (has_goal, goal_is_same) = same_goals[usize::from(self.goal[row])];
            if !has_goal {
                next.goal[row] = GoalRef::NONE.0;
                migration.lost_goals += 1;
            }
            steps.clear();
            let remainder = self.remainder(row).map(|action| same[action.index()]);
            let all_same = remainder.map(|action| steps.extend(action)).count() == steps.len();
            next.take_plan(row, PlanId(self.ids.get(row)), &steps);
            // A goal may speak of what the type no longer touches, and hence no longer knows.
            let goal_is_own = next.goals.is_own(next.goal[row]);
            let difference = &differences[usize::from(self.group[row])];
            let waits = was_waiting
                || lost
                || !goal_is_same
                || !goal_is_own
                || !all_same
                || (!has_same_wishes && !steps.is_empty())
                || next.is_affected(row, difference, &mut work);
            next.dirty.set(row, waits);
            migration.concerned += usize::from(waits && !was_waiting);
            migration.kept += usize::from(!waits || was_waiting);
        }
        next.rows = self.rows.clone();
        (next.frame, next.tells_changes) = (self.frame, self.tells_changes);
        Ok((next, migration))
    }

    /// The old groups with their numbers; for each what differs for its members.
    fn take_groups(
        &mut self,
        old: &Crowd,
        names: &Names<'_>,
        same: &[Option<LocalAction>],
    ) -> Vec<Difference> {
        let (old_kind, domain) = (old.kind(), Arc::clone(&self.domain));
        let kind = domain.npc(self.npc);
        let mut differences = Vec::with_capacity(old.groups.list.len());
        for (at, before) in old.groups.list.iter().enumerate() {
            if at > 0 {
                self.add_group();
            }
            let mut shared = Vec::new();
            let Some(group) = self.groups.list.get_mut(at) else { break };
            (group.urgency, group.every) = (before.urgency, before.every);
            for name in names.old.map().check_names() {
                let (old, new) =
                    (names.old.map().find_check(name), names.new.map().find_check(name));
                if let (Some(old), Some(new)) = (old, new) {
                    group.checks.set(new, before.checks.holds(old));
                }
            }
            for action in (0..old_kind.n_actions() as u32).map(LocalAction) {
                if let Some(new) = names.action(old_kind, kind, action) {
                    group.forbidden.set(new, before.forbidden.has(action));
                }
            }
            for &variable in old.space.shared() {
                let id = old_kind.variables()[variable.index()];
                let Some(new) = names.variable(id).and_then(|id| kind.local_variable(id)) else {
                    continue;
                };
                let value = before.shared[variable.index()];
                let fact = LocalFact { variable, value };
                let mapped =
                    (value != UNKNOWN).then(|| names.local(old_kind, kind, fact)).flatten();
                if self.space.is_shared(new) {
                    group.shared[new.index()] = mapped.map_or(UNKNOWN, |fact| fact.value);
                    if mapped.is_none() && value != UNKNOWN {
                        shared.push(new);
                    }
                }
            }
            // What was private or unknown to the type, and is shared now, may be another value
            // than the one that plans were made for.
            for &new in self.space.shared() {
                let was_shared = old.space.shared().iter().any(|&variable| {
                    names
                        .variable(old_kind.variables()[variable.index()])
                        .and_then(|id| kind.local_variable(id))
                        == Some(new)
                });
                if !was_shared {
                    shared.push(new);
                }
            }
            self.groups.update(kind, at);
            self.groups.settle(at);
            let was = &old.groups.situation(before.settled).enabled;
            let now = &self.groups.situation(self.groups.list[at].now).enabled;
            let stays = |old: usize| was.has(LocalAction(old as u32));
            let known = same.iter().enumerate().filter_map(|(old, new)| Some((old, (*new)?)));
            let removed = known.clone().filter(|&(old, new)| stays(old) && !now.has(new));
            let kept = known.clone().filter(|&(old, new)| stays(old) && now.has(new)).count();
            let n_now = (0..kind.n_actions() as u32).filter(|&a| now.has(LocalAction(a))).count();
            let removed = removed.map(|(_, new)| new).collect();
            let (has_added, enabled) = (n_now > kept, throng_planner::ActionMask::default());
            let has_unknown = !shared.is_empty();
            differences.push(Difference { shared, removed, has_added, has_unknown, enabled });
        }
        differences
    }

    /// A row for one of another crowd: empty but for goal, group and urgency.
    fn push_row(&mut self, old: &Crowd, row: usize) {
        self.states.push();
        self.goal.push(old.goal[row]);
        self.group.push(old.group[row]);
        self.ids.push();
        self.step.push(0);
        self.urgency.push(old.urgency[row]);
        self.dirty.push(false);
    }

    /// The values that still exist, and the type's `starts` for variables that are new. Returns
    /// whether a value was lost.
    fn take_state(&mut self, row: usize, values: &ValueMap, state: &[Value]) -> bool {
        let lost = values.translate(state, &mut self.state);
        self.states.write(row, &self.space, self.domain.npc(self.npc), &self.state);
        lost
    }

    /// The answer that a row had, its steps in new numbers.
    fn take_plan(&mut self, row: usize, before: PlanId, steps: &[LocalAction]) {
        let id = match before {
            PlanId::UNPLANNED | PlanId::IMPOSSIBLE | PlanId::GAVE_UP => before,
            _ => {
                let kind = self.domain.npc(self.npc);
                let cost = steps.iter().map(|&action| kind.cost(action)).sum();
                self.plans.intern(steps, cost)
            }
        };
        self.assign(row, id.0);
        self.plans.release(id);
    }
}
