//! Estimates for states of a forward search: potentials on packed states.
//!
//! In:   a task, its packed rows, states to be weighed from.
//! Out:  the least that is left to pay from a state: the most that any potential says; or that the
//!       goal cannot be reached from it, if a ray says so.
//! Cost: a linear program per potential; per state and potential a product per variable that it
//!       weighs. No allocation once warm.
//!
//! More than is wanted of what nobody takes away is worth no more: else a search would see
//! progress in whatever is done too often.

use super::forward::Estimate;
use super::packed::{Field, Packed};
use super::potential::{PLACES, Part, Potential, need};
use super::solver::{PotentialSolver, Weighed, Weighing};
use super::task::{CountingTask, Effect};
use throng_base::Rows;
use throng_domain::amounts::{ShiftEnd, ValueSet};

/// So many potentials are kept.
const MOST: usize = 6;

/// What a field is worth.
#[derive(Clone, Copy, Debug)]
enum Worth {
    Line { weight: i64, low: u64, high: u64 },
    Table { first: u32, last: u32 },
}

/// A potential on packed states.
#[derive(Debug, Default)]
struct Weights {
    parts: Vec<(Field, Worth)>,
    table: Vec<i64>,
    /// What is wanted is worth, less what is no part of a state.
    wanted: i64,
    /// What each row adds to the worth of every state, and by which parts it adds besides what
    /// depends on the state.
    rises: Vec<i64>,
    varying: Rows<u32>,
    /// What is left to gain from the state being expanded, and what its parts are worth.
    here: i64,
    worths: Vec<i64>,
    is_ray: bool,
    /// How often it said most since there was another.
    n_wins: u32,
}

impl Weights {
    fn fill(&mut self, task: &CountingTask, packed: &Packed, potential: &Potential) {
        self.parts.clear();
        potential.table.clone_into(&mut self.table);
        self.wanted = potential.wanted;
        self.is_ray = potential.is_ray;
        self.n_wins = 0;
        let mut fields = packed.fields().iter().peekable();
        for (variable, &part) in (0..).zip(&potential.parts) {
            let field = fields.next_if(|field| field.variable == variable);
            let worth = match part {
                Part::Nothing | Part::Line { weight: 0, .. } => continue,
                Part::Line { weight, low, high } => {
                    Worth::Line { weight, low: low.into(), high: high.into() }
                }
                Part::Table { first, n_values } => {
                    let last = first + u32::from(n_values).saturating_sub(1);
                    Worth::Table { first, last }
                }
            };
            match field {
                Some(&field) => self.parts.push((field, worth)),
                None => self.wanted -= outside(task, packed, potential, variable),
            }
        }
        self.rises.clear();
        self.varying.clear();
        for &action in packed.actions() {
            let rise = self.rise(task, action);
            self.rises.push(rise);
            self.varying.end_row();
        }
    }

    /// What an action adds to the worth of every state in which it runs; notes the parts by which
    /// it does not add the same everywhere.
    fn rise(&mut self, task: &CountingTask, action: u32) -> i64 {
        let mut sum = 0;
        for change in task.changes(action) {
            let of = |(field, _): &(Field, Worth)| field.variable;
            let Ok(at) = self.parts.binary_search_by_key(&change.variable, of) else { continue };
            let (field, worth) = self.parts[at];
            let only = need(task, action, change.variable).and_then(ValueSet::only);
            match (worth, change.effect, only) {
                (Worth::Line { weight, low: 0, high }, Effect::Shift(shift), _)
                    if high + 1 >= field.size.into() && shift.end == ShiftEnd::Refuse =>
                {
                    sum += weight * i64::from(shift.by);
                }
                (_, Effect::Set(to), Some(from)) => {
                    sum += self.worth(worth, to.into()) - self.worth(worth, from.into());
                }
                _ => self.varying.push_entry(at as u32),
            }
        }
        sum
    }

    #[inline]
    fn worth(&self, worth: Worth, code: u64) -> i64 {
        match worth {
            Worth::Line { weight, low, high } => weight * code.clamp(low, high) as i64,
            // Unknown is above every value; potentials take it as the last one.
            Worth::Table { first, last } => {
                self.table[(u64::from(first) + code).min(last.into()) as usize]
            }
        }
    }

    /// What is left to gain from a state.
    #[inline]
    fn missing(&self, state: &[u64]) -> i64 {
        let worths = self.parts.iter().map(|(field, worth)| self.worth(*worth, field.get(state)));
        self.wanted - worths.sum::<i64>()
    }

    /// Looks at a state that is expanded.
    #[inline]
    fn look(&mut self, state: &[u64]) {
        let mut worths = std::mem::take(&mut self.worths);
        worths.clear();
        worths.extend(self.parts.iter().map(|(field, it)| self.worth(*it, field.get(state))));
        self.here = self.wanted - worths.iter().sum::<i64>();
        self.worths = worths;
    }

    /// What is left to gain from a state that a row leads to from the one that was looked at.
    #[inline]
    fn missing_after(&self, row: usize, state: &[u64]) -> i64 {
        let mut missing = self.here - self.rises[row];
        for &at in self.varying.row(row) {
            let (field, worth) = &self.parts[at as usize];
            missing += self.worths[at as usize] - self.worth(*worth, field.get(state));
        }
        missing
    }
}

/// What a variable that is no part of a state is worth: what it always is, or the most that it can
/// be, because nobody asks for it.
fn outside(task: &CountingTask, packed: &Packed, potential: &Potential, variable: u32) -> i64 {
    let worth = |value| potential.worth(variable, value);
    match potential.parts[variable as usize] {
        _ if !packed.is_changed(variable) => worth(task.start()[variable as usize]),
        Part::Nothing => 0,
        Part::Line { low, high, .. } => worth(low).max(worth(high)),
        Part::Table { first, n_values } => {
            potential.values(first, n_values).iter().copied().max().unwrap_or(0)
        }
    }
}

/// What is known about what is left to pay.
#[derive(Debug, Default)]
pub(super) struct Guide {
    solver: PotentialSolver,
    potential: Potential,
    /// Those behind the first `n_used` are kept to be used again.
    weights: Vec<Weights>,
    n_used: usize,
    values: Vec<u16>,
}

impl Guide {
    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.n_used = 0;
    }

    /// Whether the potential that was found last is a ray.
    pub(super) fn has_ray(&self) -> bool {
        self.n_used > 0 && self.potential.is_ray
    }

    /// The potential that was found last.
    pub(super) fn last(&self) -> &Potential {
        &self.potential
    }

    /// Adds the potential that says most about a state, if there is room, and leaves out those
    /// that never said most since the last.
    pub(super) fn weigh(&mut self, task: &CountingTask, packed: &Packed, state: &[u64]) -> Weighed {
        self.tidy();
        if self.n_used >= MOST {
            return Weighed::Nothing;
        }
        task.start().clone_into(&mut self.values);
        packed.unpack(state, &mut self.values);
        let used = |action| packed.actions().binary_search(&action).is_ok();
        let (wanted, start) = (task.goal(), &self.values[..]);
        let asked = Weighing { task, open: |_| false, used, wanted, start, caps: true };
        let weighed = self.solver.solve(&asked, &mut self.potential);
        if weighed != Weighed::Nothing {
            if self.n_used == self.weights.len() {
                self.weights.push(Weights::default());
            }
            self.weights[self.n_used].fill(task, packed, &self.potential);
            self.n_used += 1;
        }
        weighed
    }

    /// The least cost of the most that is left to gain.
    #[inline]
    fn most_of(&mut self, missing: impl Fn(&Weights) -> i64) -> Option<u64> {
        let (mut most, mut winner) = (0, usize::MAX);
        for (at, weights) in self.weights[..self.n_used].iter().enumerate() {
            let missing = missing(weights);
            if missing > most {
                if weights.is_ray {
                    return None;
                }
                (most, winner) = (missing, at);
            }
        }
        if let Some(winner) = self.weights.get_mut(winner) {
            winner.n_wins = winner.n_wins.saturating_add(1);
        }
        Some((most as u64 + (1 << PLACES) - 1) >> PLACES)
    }

    fn tidy(&mut self) {
        let mut kept = 0;
        for at in 0..self.n_used {
            let weights = &mut self.weights[at];
            if weights.is_ray || std::mem::take(&mut weights.n_wins) > 0 {
                self.weights.swap(kept, at);
                kept += 1;
            }
        }
        self.n_used = kept;
    }
}

impl Estimate for Guide {
    #[inline]
    fn look(&mut self, state: &[u64]) {
        self.weights[..self.n_used].iter_mut().for_each(|weights| weights.look(state));
    }

    #[inline]
    fn rest_after(&mut self, row: usize, state: &[u64]) -> Option<u64> {
        self.most_of(|weights| weights.missing_after(row, state))
    }

    #[inline]
    fn rest(&mut self, state: &[u64]) -> Option<u64> {
        self.most_of(|weights| weights.missing(state))
    }
}
