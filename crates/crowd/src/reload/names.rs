//! Values, actions and checks of a former type in the numbers of a type of now.
//!
//! In:   a [`Former`] crowd, and the type that it is now.
//! Out:  each thing by its name, present or former; amounts by number.
//! Cost: a look-up by name per value, action and check, once; then an index.

use crate::former::{ActionAmounts, Former, FormerGroup, number_of};
use crate::groups::Groups;
use crate::kind::Kind;
use std::collections::BTreeSet;
use throng_domain::amounts::ShiftEnd;
use throng_domain::compile::{
    CarriedValue, LocalAction, LocalFact, LocalVariable, NpcTables, PackedValue, UNKNOWN,
};
use throng_domain::model::CheckId;

/// From the numbers of a former type to those of a type of now.
pub(super) struct Names {
    /// For each variable its new one, and the new value of each value.
    variables: Vec<Option<(LocalVariable, Vec<CarriedValue>)>>,
    pub(super) actions: Vec<Option<LocalAction>>,
    checks: Vec<Option<CheckId>>,
    /// The state that a new variable has before anything is known of it.
    starts: Vec<PackedValue>,
}

/// What happened to values on the way.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Losses {
    /// One is gone.
    pub(super) lost: bool,
    /// One is another number.
    pub(super) clamped: bool,
}

impl Names {
    pub(super) fn new(old: &Former, new: &Kind) -> Names {
        let (map, npc) = (new.domain().map(), new.npc());
        let variables = old.variables.iter().map(|variable| {
            let id = map.find_variable(&variable.name)?;
            let values = (0..variable.values.len() as PackedValue)
                .map(|value| variable.values.carry(value, map, id));
            Some((npc.local_variable(id)?, values.collect()))
        });
        // Actions of one name are variants of each other, in the same order.
        let nth = |at: usize| {
            let name = &old.actions[at].name;
            old.actions[..at].iter().rev().take_while(|before| before.name == *name).count()
        };
        let actions = old.actions.iter().enumerate().map(|(at, action)| {
            let mut known = map.find_actions(&action.name);
            let first = known.next()?;
            npc.local_action(
                nth(at).checked_sub(1).and_then(|more| known.nth(more)).unwrap_or(first),
            )
        });
        Names {
            variables: variables.collect(),
            actions: actions.collect(),
            checks: old.checks.iter().map(|name| map.find_check(name)).collect(),
            starts: new.starts(),
        }
    }

    /// A variable with a value; `None` if one of them is gone, or is another number.
    fn fact(&self, (variable, value): (u32, PackedValue)) -> Option<LocalFact> {
        let (variable, values) = self.variables.get(variable as usize)?.as_ref()?;
        match *values.get(usize::from(value))? {
            CarriedValue::Same(value) => {
                let value = value.index() as PackedValue;
                Some(LocalFact { variable: *variable, value })
            }
            CarriedValue::Nearest(_) | CarriedValue::Gone => None,
        }
    }

    /// Writes a state in new numbers; returns what happened to its values.
    pub(super) fn translate(&self, state: &[PackedValue], next: &mut [PackedValue]) -> Losses {
        next.copy_from_slice(&self.starts);
        let mut losses = Losses::default();
        for (&value, variable) in state.iter().zip(&self.variables) {
            let Some((to, values)) = variable else { continue };
            let new = carried(values, value);
            next[to.index()] = new.packed();
            losses.lost |= new == CarriedValue::Gone && value != UNKNOWN;
            losses.clamped |= matches!(new, CarriedValue::Nearest(_));
        }
        losses
    }

    /// What a former group shares that both types do: by variable of before, its new one and its
    /// value, and whether that is the one of before.
    pub(super) fn shared<'n>(
        &'n self,
        old: &'n Former,
        group: &'n FormerGroup,
        kind: &'n Kind,
    ) -> impl Iterator<Item = (LocalVariable, PackedValue, bool)> + 'n {
        let variables = old.variables.iter().zip(&group.shared).zip(&self.variables);
        variables.filter_map(|((variable, &value), new)| {
            let (to, values) = new.as_ref()?;
            let is_shared = variable.is_shared && kind.space().is_shared(*to);
            let new = carried(values, value);
            let is_same = match new {
                CarriedValue::Same(_) => true,
                CarriedValue::Nearest(_) => false,
                CarriedValue::Gone => value == UNKNOWN,
            };
            is_shared.then_some((*to, new.packed(), is_same))
        })
    }

    pub(super) fn take_checks(&self, groups: &mut Groups, at: usize, old: &FormerGroup) {
        for (check, &holds) in self.checks.iter().zip(&old.checks) {
            if let Some(check) = check {
                groups.set_check(at, *check, holds);
            }
        }
    }

    /// The actions that the new type has unchanged, by old number.
    pub(super) fn same_actions(&self, old: &Former, new: &Kind) -> Vec<Option<LocalAction>> {
        let is = |facts: &[(u32, PackedValue)], others: &[LocalFact]| {
            let mapped: Option<BTreeSet<_>> = facts.iter().map(|&fact| self.fact(fact)).collect();
            mapped == Some(others.iter().copied().collect())
        };
        let actions = old.actions.iter().zip(&self.actions);
        let same = actions.map(|(action, other)| {
            let (other, npc) = ((*other)?, new.npc());
            let is_same = is(&action.needs, npc.needs(other))
                && is(&action.sets, npc.sets(other))
                && self.counts_the_same(&action.amounts, npc, other)
                && action.cost == npc.cost(other);
            is_same.then_some(other)
        });
        same.collect()
    }

    /// Whether an action of now asks for the same numbers as one of before, and moves them so.
    fn counts_the_same(&self, old: &ActionAmounts, npc: &NpcTables, action: LocalAction) -> bool {
        let variable = |at: u32| Some(self.variables.get(at as usize)?.as_ref()?.0);
        let value = |at: u32, value: PackedValue| Some(self.fact((at, value))?.value);
        let ranges = old.ranges.iter().map(|(at, runs)| {
            let values = runs.iter().flat_map(|&(first, last)| first..=last);
            let values: Option<BTreeSet<_>> = values.map(|it| value(*at, it)).collect();
            Some((variable(*at)?, values?))
        });
        let comparisons = old
            .comparisons
            .iter()
            .map(|&(at, relation, other)| Some((variable(at)?, relation, variable(other)?)));
        let shifts = old.shifts.iter().map(|&(at, by, stop)| {
            let stop = match stop {
                Some(stop) => Some(value(at, stop)?),
                None => None,
            };
            Some((variable(at)?, by, stop))
        });
        let now = |end: ShiftEnd| match end {
            ShiftEnd::Refuse => None,
            ShiftEnd::Stop(stop) => Some(stop),
        };
        let ranges_now = npc.ranges(action).iter();
        let comparisons_now = npc.comparisons(action).iter();
        let shifts_now = npc.shifts(action).iter();
        same(ranges, ranges_now.map(|it| (it.variable, it.values.values().collect())))
            && same(
                comparisons,
                comparisons_now
                    .map(|it| (it.variable, number_of(it.comparison.relation), it.other)),
            )
            && same(shifts, shifts_now.map(|it| (it.variable, it.by.by, now(it.by.end))))
    }
}

/// Whether all are there, and the same in whatever order.
fn same<T: Ord>(old: impl Iterator<Item = Option<T>>, new: impl Iterator<Item = T>) -> bool {
    let old: Option<BTreeSet<T>> = old.collect();
    old == Some(new.collect())
}

/// What a value of before is now.
fn carried(values: &[CarriedValue], value: PackedValue) -> CarriedValue {
    values.get(usize::from(value)).copied().unwrap_or(CarriedValue::Gone)
}
