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

use crate::changes::{is_affected, is_waiting};
use crate::core::Core;
use crate::goals::GoalRef;
use crate::groups::{Difference, Groups};
use crate::kind::Kind;
use crate::plans::PlanId;
use crate::turns::Turns;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use throng_domain::compile::{
    CompiledDomain, LocalAction, LocalFact, LocalVariable, LocalWish, NpcTables, PackedValue,
    UNKNOWN,
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
pub enum CrowdReloadError {
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
    /// There are more groups than can be numbered.
    TooManyGroups,
}

impl fmt::Display for CrowdReloadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CrowdReloadError::NoSuchType { name } => write!(
                f,
                "the new domain has no NPC type `{name}`, and none that `was {name}`; the old \
                 version stays"
            ),
            CrowdReloadError::TwoTypesBecomeOne { name } => write!(
                f,
                "two NPC types of the old domain would both become `{name}`; the old version stays"
            ),
            CrowdReloadError::TooManyGoals => {
                write!(f, "there are more goals than can be numbered; the old version stays")
            }
            CrowdReloadError::TooManyGroups => {
                write!(f, "there are more groups than can be numbered; the old version stays")
            }
        }
    }
}

impl std::error::Error for CrowdReloadError {}

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

    fn local(&self, old: &NpcTables, new: &NpcTables, fact: LocalFact) -> Option<LocalFact> {
        let fact = self.fact(old.fact(fact))?;
        let variable = new.local_variable(fact.variable)?;
        Some(LocalFact { variable, value: fact.value.index() as PackedValue })
    }

    fn action(&self, old: &NpcTables, new: &NpcTables, action: LocalAction) -> Option<LocalAction> {
        let name = self.old.map().action(old.actions()[action.index()]);
        new.local_action(self.new.map().find_action(name)?)
    }
}

/// From states of the old type to states of the new one.
struct ValueMap {
    /// For each old variable its new one, and the new value of each old value.
    variables: Vec<Option<(LocalVariable, Vec<PackedValue>)>>,
    /// The state that a new variable has before anything is known of it.
    starts: Vec<PackedValue>,
}

impl ValueMap {
    fn new(names: &Names<'_>, old: &NpcTables, new: &NpcTables) -> ValueMap {
        let mut starts = new.unknown_state();
        for fact in new.starts() {
            if let Some(local) = new.local_variable(fact.variable) {
                starts[local.index()] = fact.value.index() as PackedValue;
            }
        }
        let variable = |(at, id): (usize, &VariableId)| {
            let to = new.local_variable(names.variable(*id)?)?;
            let variable = LocalVariable(at as u32);
            let value = |value| {
                let fact =
                    names.local(old, new, LocalFact { variable, value: value as PackedValue });
                fact.map_or(UNKNOWN, |fact| fact.value)
            };
            Some((to, (0..old.n_values(variable)).map(value).collect()))
        };
        ValueMap { variables: old.variables().iter().enumerate().map(variable).collect(), starts }
    }

    /// Writes a state in new numbers; returns whether a value was lost.
    fn translate(&self, state: &[PackedValue], next: &mut [PackedValue]) -> bool {
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
fn same_actions(names: &Names<'_>, old: &NpcTables, new: &NpcTables) -> Vec<Option<LocalAction>> {
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

fn same_wishes(same: &[Option<LocalAction>], old: &NpcTables, new: &NpcTables) -> bool {
    let mapped = |actions: &[LocalAction]| -> Vec<Option<LocalAction>> {
        actions.iter().map(|action| same[action.index()]).collect()
    };
    let is_same = |(old, new): (&LocalWish, &LocalWish)| {
        mapped(&old.before) == new.before.iter().copied().map(Some).collect::<Vec<_>>()
            && mapped(&old.after) == new.after.iter().copied().map(Some).collect::<Vec<_>>()
    };
    old.wishes().len() == new.wishes().len() && old.wishes().iter().zip(new.wishes()).all(is_same)
}

/// The crowd as it would be in another version of the domain.
pub(crate) fn migrated(
    old: &Core,
    domain: Arc<CompiledDomain>,
) -> Result<(Core, Migration), CrowdReloadError> {
    let name = old.kind.domain().map().npc(old.kind.id());
    let gone = || CrowdReloadError::NoSuchType { name: name.to_string() };
    let id = domain.map().find_npc(name).ok_or_else(gone)?;
    let kind = Kind::new(Arc::clone(&domain), id).ok_or_else(gone)?;
    let mut next = Core::new(kind, old.settings, Arc::clone(&old.pool));
    let names = Names { old: old.kind.domain(), new: &domain };
    let same = same_actions(&names, old.kind.npc(), next.kind.npc());
    let has_same_wishes = same_wishes(&same, old.kind.npc(), next.kind.npc());
    let same_goals = goals::take(&mut next.goals, &next.kind, &old.goals, &names)?;
    let differences = take_groups(&mut next, old, &names, &same)?;
    let values = ValueMap::new(&names, old.kind.npc(), next.kind.npc());
    let mut migration = Migration::default();
    let (mut state, mut work) = (old.kind.npc().unknown_state(), next.kind.npc().unknown_state());
    let mut steps = Vec::new();
    next.columns.take_rows(&old.columns);
    for row in old.columns.rows().alive().iter() {
        // The values that still exist, and the type's `starts` for variables that are new.
        old.read_state(row, &mut state);
        let lost = values.translate(&state, &mut work);
        next.columns.write(row, &next.kind, &work);
        migration.lost_values += usize::from(lost);
        let was_waiting = is_waiting(old, row);
        let (has_goal, goal_is_same) = same_goals[usize::from(old.columns.goal(row))];
        if !has_goal {
            next.columns.set_goal(row, GoalRef::NONE);
            migration.lost_goals += 1;
        }
        // The answer that it had, its steps in new numbers.
        steps.clear();
        let remainder = old.remainder(row).map(|action| same[action.index()]);
        let all_same = remainder.map(|action| steps.extend(action)).count() == steps.len();
        match PlanId(old.columns.id(row)) {
            no @ (PlanId::UNPLANNED | PlanId::IMPOSSIBLE | PlanId::GAVE_UP) => {
                next.columns.answer(row, no.0, &mut next.book);
            }
            _ => next.columns.follow(row, &steps, &next.kind, &mut next.book),
        }
        // A goal may speak of what the type no longer touches, and hence no longer knows.
        let goal_is_own = next.goals.is_own(next.columns.goal(row));
        let difference = &differences[old.columns.group(row)];
        let waits = was_waiting
            || lost
            || !goal_is_same
            || !goal_is_own
            || !all_same
            || (!has_same_wishes && !steps.is_empty())
            || is_affected(&next, row, difference, &mut work);
        if waits {
            next.columns.wait(row);
        }
        migration.concerned += usize::from(waits && !was_waiting);
        migration.kept += usize::from(!waits || was_waiting);
    }
    next.turns = Turns::new(old.turns.frame());
    next.groups.tell_changes(old.groups.tells_changes());
    Ok((next, migration))
}

/// The old groups with their numbers; for each what differs for its members.
fn take_groups(
    next: &mut Core,
    old: &Core,
    names: &Names<'_>,
    same: &[Option<LocalAction>],
) -> Result<Vec<Difference>, CrowdReloadError> {
    let Core { kind, groups, .. } = next;
    let mut differences = Vec::with_capacity(old.groups.len());
    for at in 0..old.groups.len() {
        if at > 0 {
            groups.add(kind).ok_or(CrowdReloadError::TooManyGroups)?;
        }
        groups.set_rate(at, old.groups.rates()[at]);
        take_checks(groups, at, &old.groups, names);
        for (action, new) in actions(names, &old.kind, kind) {
            groups.forbid(at, new, old.groups.forbidden(at).has(action));
        }
        // What was private or unknown to the type, and is shared now, may be another value than
        // the one that plans were made for.
        let mut shared = kind.space().shared().to_vec();
        for (variable, new) in shared_variables(names, &old.kind, kind) {
            let value = old.groups.shared(at)[variable.index()];
            let mapped = shared_value(names, (&old.kind, kind), variable, value);
            groups.set_shared(at, new, mapped);
            if (mapped == UNKNOWN) == (value == UNKNOWN) {
                shared.retain(|&variable| variable != new);
            }
        }
        groups.update(kind.npc(), at);
        groups.settle(at);
        let was = old.groups.situations().get(old.groups.settled(at)).enabled();
        let now = groups.situations().get(groups.situation(at)).enabled();
        let stays = |old: usize| was.has(LocalAction(old as u32));
        let known = same.iter().enumerate().filter_map(|(old, new)| Some((old, (*new)?)));
        let removed = known.clone().filter(|&(old, new)| stays(old) && !now.has(new));
        let kept = known.clone().filter(|&(old, new)| stays(old) && now.has(new)).count();
        let all = 0..kind.npc().n_actions() as u32;
        let n_now = all.filter(|&action| now.has(LocalAction(action))).count();
        let removed = removed.map(|(_, new)| new).collect();
        let (has_added, has_unknown) = (n_now > kept, !shared.is_empty());
        let enabled = throng_planner::ActionMask::default();
        differences.push(Difference { shared, removed, has_added, has_unknown, enabled });
    }
    Ok(differences)
}

/// Context checks by name.
fn take_checks(groups: &mut Groups, at: usize, old: &Groups, names: &Names<'_>) {
    for name in names.old.map().check_names() {
        let (before, after) = (names.old.map().find_check(name), names.new.map().find_check(name));
        if let (Some(before), Some(after)) = (before, after) {
            groups.set_check(at, after, old.checks(at).holds(before));
        }
    }
}

/// The actions that two types have, by both numbers.
fn actions<'n>(
    names: &'n Names<'_>,
    old: &'n Kind,
    new: &'n Kind,
) -> impl Iterator<Item = (LocalAction, LocalAction)> + 'n {
    let all = (0..old.npc().n_actions() as u32).map(LocalAction);
    all.filter_map(|action| Some((action, names.action(old.npc(), new.npc(), action)?)))
}

/// The variables that both types share, by both numbers.
fn shared_variables<'n>(
    names: &'n Names<'_>,
    old: &'n Kind,
    new: &'n Kind,
) -> impl Iterator<Item = (LocalVariable, LocalVariable)> + 'n {
    old.space().shared().iter().filter_map(|&variable| {
        let id = names.variable(old.npc().variables()[variable.index()])?;
        Some((variable, new.shared_variable(id)?))
    })
}

/// A value of a shared variable in new numbers; unknown if it no longer exists.
fn shared_value(
    names: &Names<'_>,
    (old, new): (&Kind, &Kind),
    variable: LocalVariable,
    value: PackedValue,
) -> PackedValue {
    let fact = LocalFact { variable, value };
    let mapped = (value != UNKNOWN).then(|| names.local(old.npc(), new.npc(), fact)).flatten();
    mapped.map_or(UNKNOWN, |fact| fact.value)
}

/// What the groups of other types were told and this type, which was `before`, could not hear: the
/// first who knows a thing tells it.
pub(crate) fn catch_up(next: &mut Core, before: Option<&Core>, others: &[&Core]) {
    let Some(first) = others.first() else { return };
    let domain = Arc::clone(next.kind.domain());
    let names = Names { old: first.kind.domain(), new: &domain };
    let Core { kind, groups, .. } = next;
    for at in 0..groups.len().min(first.groups.len()) {
        if before.is_none() {
            groups.set_rate(at, first.groups.rates()[at]);
            take_checks(groups, at, &first.groups, &names);
        }
        let mut heard_of: BTreeSet<LocalAction> = BTreeSet::new();
        let mut heard: BTreeSet<LocalVariable> = BTreeSet::new();
        for other in before.into_iter().chain(others.iter().copied()) {
            let is_own = before.is_some_and(|before| std::ptr::eq(before, other));
            for (action, new) in actions(&names, &other.kind, kind) {
                if heard_of.insert(new) && !is_own {
                    groups.forbid(at, new, other.groups.forbidden(at).has(action));
                }
            }
            for (variable, new) in shared_variables(&names, &other.kind, kind) {
                if heard.insert(new) && !is_own {
                    let value = other.groups.shared(at)[variable.index()];
                    let mapped = shared_value(&names, (&other.kind, kind), variable, value);
                    groups.set_shared(at, new, mapped);
                }
            }
        }
    }
}
