//! A crowd apart from its domain: what it holds in numbers, and what the numbers are called.
//!
//! In:   a crowd whose groups are settled; or bytes, not to be trusted.
//! Out:  a [`Former`], which any version of the domain can take over (`reload`); its bytes.
//! Cost: one pass over the rows.
//!
//! What a crowd has learned (tables, memory of answers, searches under way) is not part of it: it
//! is found again. That the wide kernel was made is: it orders steps in a way of its own.

mod amounts;

#[cfg(test)]
use amounts::FormerRange;
pub(crate) use amounts::{ActionAmounts, FormerAmounts, GoalAmounts, number_of};

use crate::core::Core;
use crate::goals::{Choice, Goals};
use crate::groups::Rate;
use crate::ledger::Remainder;
use crate::plans::PlanId;
use crate::rows::Rows;
use std::collections::{BTreeMap, BTreeSet};
use throng_base::codec_struct;
use throng_base::ones;
use throng_domain::compile::{
    FormerValues, LocalAction, LocalFact, PackedValue, SourceMap, UNKNOWN,
};
use throng_domain::model::{CheckId, Fact};
use throng_planner::ActionMask;

/// A crowd in the numbers of some version of its domain. Actions and variables are those of the
/// type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Former {
    /// The type.
    pub(crate) name: String,
    pub(crate) variables: Vec<FormerVariable>,
    pub(crate) actions: Vec<FormerAction>,
    /// Soft orders: those to come first, those to come later.
    pub(crate) preferences: Vec<(Vec<u32>, Vec<u32>)>,
    pub(crate) checks: Vec<String>,
    /// From goal 1 on; 0 is to want nothing.
    pub(crate) goals: Vec<FormerGoal>,
    pub(crate) groups: Vec<FormerGroup>,
    /// The generation of each row, and whether an NPC lives in it.
    pub(crate) rows: Vec<(u16, bool)>,
    /// Rows to be given out again, the next one last.
    pub(crate) free: Vec<u32>,
    /// The number on its handles.
    pub(crate) crowd: u16,
    /// Those alive, by row.
    pub(crate) npcs: Vec<FormerNpc>,
    /// The private values of each, one NPC after the other.
    pub(crate) values: Vec<PackedValue>,
    /// The plans that NPCs go by, each once, numbered from [`PlanId::FIRST`].
    pub(crate) plans: Vec<Vec<u32>>,
    /// The word of the wide kernel; empty if there is none.
    pub(crate) word: Vec<u32>,
    /// Whether numbers of plans took two bytes, by which sources are chosen.
    pub(crate) is_narrow: bool,
    pub(crate) frame: u64,
    /// The row after the last that was served, by urgency; 0 where there is none.
    pub(crate) served_after: BTreeMap<u8, u32>,
    /// The row after the last that was planned for.
    pub(crate) planned_after: u32,
    /// Who holds claims, which is written behind the rest.
    pub(crate) claims: FormerClaims,
}

codec_struct!(Former {
    name, variables, actions, preferences, checks, goals, groups, rows, free, crowd, npcs, values, plans,
    word, is_narrow, frame: long_counter, served_after, planned_after,
}
given { claims: FormerClaims::default() }
where |read| read.groups_fit(), "crowd whose groups fit its type"
where |read| read.npcs_fit(), "crowd whose NPCs fit its rows, goals, groups and plans");

/// Claims to what groups share.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct FormerClaims {
    /// The rows that hold one.
    pub(crate) holders: Vec<u32>,
    /// By group, where its line begins: crowd and row. Of a population they are with its first
    /// crowd.
    pub(crate) heads: Vec<(u16, u32)>,
}

codec_struct!(FormerClaims { holders, heads });

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FormerVariable {
    pub(crate) name: String,
    pub(crate) is_shared: bool,
    pub(crate) values: FormerValues,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FormerAction {
    pub(crate) name: String,
    /// Variables and values.
    pub(crate) needs: Vec<(u32, PackedValue)>,
    pub(crate) sets: Vec<(u32, PackedValue)>,
    pub(crate) cost: u64,
    /// What it counts, which is written behind the rest.
    pub(crate) amounts: ActionAmounts,
}

codec_struct!(FormerAction { name, needs, sets, cost }
given { amounts: ActionAmounts::default() });

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FormerGoal {
    /// If it is a goal of the domain.
    pub(crate) name: Option<String>,
    /// What must hold: variables and values.
    pub(crate) facts: Vec<(String, String)>,
    pub(crate) choice: Option<Choice>,
    /// If it is a choice among all that serve a name, that name.
    pub(crate) serves: Option<String>,
    /// What must hold of amounts, which is written behind the rest.
    pub(crate) amounts: GoalAmounts,
}

codec_struct!(FormerGoal { name, facts, choice, serves }
given { amounts: GoalAmounts::default() });

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FormerGroup {
    /// Whether each check holds.
    pub(crate) checks: Vec<bool>,
    /// Whether each action is taken out.
    pub(crate) forbidden: Vec<bool>,
    /// Whether each action is there.
    pub(crate) enabled: Vec<bool>,
    /// A value per variable, of which the shared ones count.
    pub(crate) shared: Vec<PackedValue>,
    pub(crate) rate: Rate,
}

codec_struct!(FormerGroup { checks, forbidden, enabled, shared, rate });
codec_struct!(Rate { every, urgency });

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FormerNpc {
    pub(crate) goal: u16,
    pub(crate) group: u16,
    pub(crate) urgency: u8,
    pub(crate) waits: bool,
    /// What it goes by: a verdict, a plan, or a set of positions in the word.
    pub(crate) id: u32,
    /// Steps done of that.
    pub(crate) done: u16,
}

codec_struct!(FormerNpc { goal, group, urgency, waits, id, done });
codec_struct!(Choice { stages, is_best });

impl Former {
    /// A crowd as it is; its groups are settled.
    pub(crate) fn of(core: &Core, planned_after: u32, heads: Vec<(u16, u32)>) -> Former {
        let (map, kind, columns) = (core.kind.domain().map(), core.kind.npc(), &core.columns);
        let actions = || (0..kind.n_actions() as u32).map(LocalAction);
        let numbers = |actions: &[LocalAction]| actions.iter().map(|action| action.0).collect();
        let facts = |facts: &[LocalFact]| facts.iter().map(|f| (f.variable.0, f.value)).collect();
        let mask = |mask: &ActionMask| actions().map(|action| mask.has(action)).collect();
        let variable = |id| FormerVariable {
            name: map.variable(id).to_string(),
            is_shared: map.is_shared(id),
            values: FormerValues::of(map, id),
        };
        let action = |action: LocalAction| FormerAction {
            name: map.action(kind.actions()[action.index()]).to_string(),
            needs: facts(kind.needs(action)),
            sets: facts(kind.sets(action)),
            cost: kind.cost(action),
            amounts: ActionAmounts::of(kind, action),
        };
        let group = |at: usize| FormerGroup {
            checks: (0..map.n_checks())
                .map(|check| core.groups.checks(at).holds(CheckId::at(check)))
                .collect(),
            forbidden: mask(core.groups.forbidden(at)),
            enabled: mask(&core.groups.situations.get(core.groups.settled(at)).enabled),
            shared: core.groups.shared(at).to_vec(),
            rate: core.groups.rates()[at],
        };
        let (generations, free, crowd) = columns.rows().parts();
        let alive = columns.rows().alive();
        let mut former = Former {
            name: map.npc(core.kind.id()).to_string(),
            variables: kind.variables().iter().map(|&id| variable(id)).collect(),
            actions: actions().map(action).collect(),
            preferences: kind
                .preferences()
                .iter()
                .map(|wish| (numbers(&wish.before), numbers(&wish.after)))
                .collect(),
            checks: map.check_names().map(str::to_string).collect(),
            goals: goals(&core.goals, map),
            groups: (0..core.groups.len()).map(group).collect(),
            rows: generations.iter().enumerate().map(|(at, &one)| (one, alive.get(at))).collect(),
            free: free.to_vec(),
            crowd,
            npcs: Vec::new(),
            values: Vec::new(),
            plans: Vec::new(),
            word: numbers(&core.book.word),
            is_narrow: columns.is_narrow(),
            frame: core.turns.frame(),
            served_after: core.turns.after().collect(),
            planned_after,
            claims: FormerClaims {
                holders: core.claims.holds().iter().map(|row| row as u32).collect(),
                heads,
            },
        };
        let mut state = kind.unknown_state();
        let mut numbered: BTreeMap<u32, u32> = BTreeMap::new();
        for row in alive.iter() {
            columns.read(row, &core.kind, &mut state);
            let own = core.kind.space().private().iter();
            former.values.extend(own.map(|variable| state[variable.index()]));
            let id = columns.id(row);
            let id = match Remainder::is_word(id) || !PlanId(id).is_plan() {
                true => id,
                // By first use: what it is in the arena depends on what was there before.
                false => *numbered.entry(id).or_insert_with(|| {
                    former.plans.push(numbers(core.book.plans.actions(PlanId(id))));
                    PlanId::FIRST.0 - 1 + former.plans.len() as u32
                }),
            };
            former.npcs.push(FormerNpc {
                goal: columns.goal(row),
                group: columns.groups()[row],
                urgency: columns.urgency()[row],
                waits: columns.waiting().get(row),
                id,
                done: columns.steps_done(row),
            });
        }
        former
    }

    fn groups_fit(&self) -> bool {
        let (variables, actions) = (self.variables.len(), self.actions.len());
        let fits = |group: &FormerGroup| {
            group.checks.len() == self.checks.len()
                && group.forbidden.len() == actions
                && group.enabled.len() == actions
                && group.shared.len() == variables
        };
        !self.groups.is_empty() && self.groups.iter().all(fits)
    }

    fn npcs_fit(&self) -> bool {
        let n_alive = self.rows.iter().filter(|(_, is_alive)| *is_alive).count();
        let n_private = self.variables.iter().filter(|variable| !variable.is_shared).count();
        let fits = |npc: &FormerNpc| {
            let plan = (npc.id as usize).checked_sub(PlanId::FIRST.index());
            let has_answer = match Remainder::word_of(npc.id) {
                Some(left) => ones(left.into()).all(|at| at < self.word.len()),
                None => plan.is_none_or(|plan| plan < self.plans.len()),
            };
            has_answer
                && usize::from(npc.goal) <= self.goals.len()
                && usize::from(npc.group) < self.groups.len()
        };
        Rows::of_parts(&self.rows, &self.free, self.crowd).is_some()
            && self.npcs.len() == n_alive
            && n_alive.checked_mul(n_private) == Some(self.values.len())
            && self.npcs.iter().all(fits)
    }

    /// By goal: whether it, or each of a choice, speaks of nothing but the type's own variables.
    pub(crate) fn own_goals(&self) -> Vec<bool> {
        let variables: BTreeSet<&str> = self.variables.iter().map(|it| it.name.as_str()).collect();
        let is_own = |goal: &FormerGoal| {
            let facts = goal.facts.iter().map(|(variable, _)| variable.as_str());
            facts.chain(goal.amounts.variables()).all(|variable| variables.contains(variable))
        };
        let own: Vec<bool> = [true].into_iter().chain(self.goals.iter().map(is_own)).collect();
        let all_own = |choice: &Choice| {
            choice.parts().all(|part| own.get(usize::from(part)).is_some_and(|is| *is))
        };
        let choices = self.goals.iter().map(|goal| goal.choice.as_ref().is_none_or(all_own));
        [true].into_iter().chain(choices).zip(&own).map(|(all, is)| all && *is).collect()
    }

    /// The plan of the arena that an NPC goes by, from its first step on; empty if it goes by none.
    pub(crate) fn plan(&self, npc: &FormerNpc) -> &[u32] {
        let at = (npc.id as usize).checked_sub(PlanId::FIRST.index());
        at.and_then(|at| self.plans.get(at)).map_or(&[], Vec::as_slice)
    }

    /// The steps that an NPC has still to do.
    pub(crate) fn left<'f>(&'f self, npc: &FormerNpc) -> impl Iterator<Item = usize> + 'f {
        let positions = ones(Remainder::word_of(npc.id).unwrap_or(0).into());
        let word = positions.filter_map(|at| self.word.get(at));
        let plan = self.plan(npc).iter().skip(npc.done.into());
        word.chain(plan).map(|&action| action as usize)
    }

    /// Writes the state of the NPC of a position, with what its group shares.
    pub(crate) fn read_state(&self, at: usize, state: &mut Vec<PackedValue>) {
        let n_private = self.variables.iter().filter(|variable| !variable.is_shared).count();
        let mut own = self.values[at * n_private..].iter();
        let shared = &self.groups[usize::from(self.npcs[at].group)].shared;
        state.clear();
        for (variable, shared) in self.variables.iter().zip(shared) {
            let value = if variable.is_shared { Some(shared) } else { own.next() };
            state.push(value.copied().unwrap_or(UNKNOWN));
        }
    }
}

fn goals(goals: &Goals, map: &SourceMap) -> Vec<FormerGoal> {
    let goal = |number: u16| {
        let choice = goals.choice(number).cloned();
        let fact =
            |fact: Fact| (map.variable(fact.variable).to_string(), map.value(fact).to_string());
        FormerGoal {
            name: goals.id(number).map(|id| map.goal(id).to_string()),
            facts: goals.wants(number).facts.iter().map(|&one| fact(one)).collect(),
            amounts: GoalAmounts::of(goals.wants(number), map),
            serves: choice.as_ref().and_then(|choice| served(goals, choice, map)),
            choice,
        }
    };
    (1..goals.len() as u16).map(goal).collect()
}

/// The name that a choice serves, if it is among all that do.
fn served(goals: &Goals, choice: &Choice, map: &SourceMap) -> Option<String> {
    let ids: Vec<_> = choice.parts().filter_map(|part| goals.id(part)).collect();
    let (name, all) = map.served_by(*ids.first()?)?;
    (!choice.is_best && all == ids).then(|| name.to_string())
}

/// A population apart from its domain.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct FormerPopulation {
    pub(crate) crowds: Vec<Former>,
    pub(crate) n_groups: usize,
    /// The number on the handles of the next new crowd.
    pub(crate) next_crowd: u16,
    /// Who is served first in the next frame.
    pub(crate) first: usize,
}

codec_struct!(FormerPopulation { crowds, n_groups, next_crowd, first }
where |read| read.has_groups(), "population whose crowds have its groups");

impl FormerPopulation {
    fn has_groups(&self) -> bool {
        self.crowds.iter().all(|crowd| crowd.groups.len() >= self.n_groups)
            && (self.n_groups == 1 || !self.crowds.is_empty())
    }
}

#[cfg(test)]
pub(crate) mod tests;
