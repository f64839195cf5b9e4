//! Potentials: what a state is worth, such that no action raises it by more than it costs.
//!
//! In:   weights that [`PotentialSolver`](super::PotentialSolver) has found and verified.
//! Out:  how far a state or a demand is apart from another, never above the truth, and consistent:
//!       an action never changes it by more than its cost. Or a *ray*: a worth that no action
//!       raises at all, so that whatever is worth more than the start can never be had.
//! Cost: a product per variable.
//!
//! An amount is worth so much a unit, a word has a table. Everything is whole numbers: costs are
//! counted in `unit`s, their greatest common divisor, and weights in fractions of it.

use super::reach::NEVER;
use super::task::{CountingChange, CountingTask, Effect, Need};
use throng_domain::amounts::{ShiftBy, ShiftEnd, ValueSet};

/// A unit of cost has two to this power fractions.
pub(super) const PLACES: u32 = 16;

/// How a variable is weighed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// It is worth nothing.
    Nothing,
    /// So much a unit, between these values; what is beyond is taken as the nearer one.
    Line { weight: i64, low: u16, high: u16 },
    /// So much a value, from this place of the table on; unknown comes last.
    Table { first: u32, n_values: u16 },
}

/// What a variable adds to a worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weight<'p> {
    /// So much a unit of its value.
    Each(i64),
    /// By value; an unknown one is the last.
    Values(&'p [i64]),
}

/// Weights, verified against a task.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Potential {
    pub(super) parts: Vec<Part>,
    pub(super) table: Vec<i64>,
    /// What the wanted is worth at least, and the start.
    pub(super) wanted: i64,
    pub(super) there: i64,
    pub(super) unit: u64,
    pub(super) is_ray: bool,
}

impl Potential {
    throng_base::getters! {
        /// Whether no action raises the worth at all: more than there is can never be had.
        is_ray: bool;
        /// What is wanted is worth at least so much.
        wanted: i64;
        /// What the start is worth.
        there: i64;
    }

    /// What each variable adds that adds anything.
    pub fn weights(&self) -> impl Iterator<Item = (u32, Weight<'_>)> {
        let parts = self.parts.iter().enumerate();
        parts.filter_map(|(variable, part)| {
            let weight = match *part {
                Part::Nothing | Part::Line { weight: 0, .. } => return None,
                Part::Line { weight, .. } => Weight::Each(weight),
                Part::Table { first, n_values } => {
                    let values = self.values(first, n_values);
                    if values.iter().all(|&value| value == 0) {
                        return None;
                    }
                    Weight::Values(values)
                }
            };
            Some((variable as u32, weight))
        })
    }

    pub(super) fn values(&self, first: u32, n_values: u16) -> &[i64] {
        &self.table[first as usize..first as usize + usize::from(n_values)]
    }

    /// What a value of a variable is worth.
    #[inline]
    pub fn worth(&self, variable: u32, value: u16) -> i64 {
        match self.parts[variable as usize] {
            Part::Nothing => 0,
            Part::Line { weight, low, high } => weight * i64::from(value.clamp(low, high)),
            Part::Table { first, n_values } => {
                let at = usize::from(value).min(usize::from(n_values.saturating_sub(1)));
                self.values(first, n_values).get(at).copied().unwrap_or(0)
            }
        }
    }

    /// What a variable is worth at least with some value of a set; without one, with any value.
    pub fn least(&self, variable: u32, values: Option<&ValueSet>) -> i64 {
        let ends = values.and_then(ValueSet::ends).unwrap_or((0, u16::MAX));
        match self.parts[variable as usize] {
            Part::Nothing => 0,
            Part::Line { .. } => self.worth(variable, ends.0).min(self.worth(variable, ends.1)),
            Part::Table { first, n_values } => {
                let table = self.values(first, n_values).iter().enumerate();
                let has = |at: usize| values.is_none_or(|values| values.has(at as u16));
                table.filter(|&(at, _)| has(at)).map(|(_, &worth)| worth).min().unwrap_or(0)
            }
        }
    }

    /// What is left to gain from a state to what is wanted, in fractions of a unit.
    #[inline]
    pub fn missing(&self, state: &[u16]) -> i64 {
        let worths = state.iter().zip(0..).map(|(&value, variable)| self.worth(variable, value));
        self.wanted - worths.sum::<i64>()
    }

    /// The least cost of what is left to gain.
    #[inline]
    pub fn cost_of(&self, missing: i64) -> u64 {
        if missing <= 0 {
            return 0;
        }
        if self.is_ray {
            return NEVER;
        }
        ((missing as u64 + (1 << PLACES) - 1) >> PLACES).saturating_mul(self.unit)
    }

    /// The least that it costs from a state to what is wanted.
    pub fn of_state(&self, state: &[u16]) -> u64 {
        self.cost_of(self.missing(state))
    }

    /// The least that it costs from the start to all of some needs, sorted by variable.
    pub fn of_demand(&self, needs: &[Need]) -> u64 {
        let worths = (0..self.parts.len() as u32).map(|variable| {
            let own = needs.binary_search_by_key(&variable, |need| need.variable);
            self.least(variable, own.ok().map(|at| &needs[at].values))
        });
        self.cost_of(worths.sum::<i64>() - self.there)
    }

    /// What an action adds to the worth of every state in which it runs, if it is always the same.
    pub fn rise(&self, task: &CountingTask, action: u32) -> Option<i64> {
        let mut sum = 0;
        for change in task.changes(action) {
            sum += match (self.parts[change.variable as usize], change.effect) {
                (Part::Nothing | Part::Line { weight: 0, .. }, _) => 0,
                (Part::Line { weight, low, high }, Effect::Shift(shift)) => {
                    let top = task.sizes()[change.variable as usize].saturating_sub(1);
                    let is_whole = low == 0 && high >= top && shift.end == ShiftEnd::Refuse;
                    is_whole.then_some(weight * i64::from(shift.by))?
                }
                (_, Effect::Shift(_)) => None?,
                (_, Effect::Set(value)) => {
                    let from = need(task, action, change.variable)?.only()?;
                    self.worth(change.variable, value) - self.worth(change.variable, from)
                }
            };
        }
        Some(sum)
    }

    /// The most that an action adds to the worth of a state. Without an upper end of a variable
    /// its weight is not below nothing, so that the least value it takes decides.
    pub(super) fn most_rise(&self, task: &CountingTask, action: u32) -> i128 {
        let rises = task.changes(action).iter().map(|change| {
            let variable = change.variable;
            match (self.parts[variable as usize], change.effect) {
                (Part::Nothing, _) => 0,
                (Part::Line { weight, .. }, _) => {
                    let (least, most) = moves(task, action, change);
                    let by = if weight >= 0 { most } else { least };
                    i128::from(weight) * i128::from(by)
                }
                (Part::Table { .. }, Effect::Shift(_)) => 0,
                (Part::Table { .. }, Effect::Set(value)) => {
                    let from = self.least(variable, need(task, action, variable));
                    i128::from(self.worth(variable, value)) - i128::from(from)
                }
            }
        });
        rises.sum()
    }
}

/// What an action needs of a variable.
pub(super) fn need(task: &CountingTask, action: u32, variable: u32) -> Option<&ValueSet> {
    let needs = task.needs(action);
    let at = needs.binary_search_by_key(&variable, |need| need.variable).ok()?;
    Some(&needs[at].values)
}

/// By how much an action moves a known value of a variable, at least and at most.
pub(super) fn moves(task: &CountingTask, action: u32, change: &CountingChange) -> (i32, i32) {
    let size = task.sizes()[change.variable as usize];
    let all = ValueSet::all(size);
    let values = need(task, action, change.variable).unwrap_or(&all);
    let Some((first, last)) = values.ends() else { return (0, 0) };
    let by = |value: u16| match change.effect {
        Effect::Set(to) => i32::from(to) - i32::from(value),
        Effect::Shift(ShiftBy { by, end: ShiftEnd::Refuse }) => by,
        Effect::Shift(shift) => {
            shift.apply(value, size).map_or(0, |to| i32::from(to) - i32::from(value))
        }
    };
    let (a, b) = (by(first), by(last));
    (a.min(b), a.max(b))
}
