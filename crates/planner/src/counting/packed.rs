//! States with amounts as words: a field per variable, with a guard bit above it.
//!
//! In:   a task.
//! Out:  its start, its actions and its goal as masks: whether an action fits is two subtractions
//!       per word, what it does is one addition; what stops at an end, and sets with holes, come
//!       from short lists.
//! Cost: linear in the task; refilled without allocation once warm.
//!
//! What cannot matter is left out: variables that nothing changes are looked at once, variables
//! that nobody asks for are no part of a state, and actions that can never run, or that only
//! change such variables, are no rows. Costs are divided by what divides them all.
//!
//! Unknown is the highest code of a field, above every value, and only fields that begin unknown
//! have one: no action makes a value unknown.

use super::solver::common_divisor;
use super::{CountingTask, Effect, Need};
use throng_base::{Rows, reset};
use throng_domain::amounts::{ShiftBy, ShiftEnd, ValueSet};
use throng_domain::compile::UNKNOWN;

/// No field: the variable is no part of a state.
const NO_FIELD: u32 = u32::MAX;
/// So often relevance is passed on; what is not settled then counts as relevant.
const MOST_ROUNDS: usize = 16;

/// Where a variable's value lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Field {
    pub(super) word: u32,
    pub(super) shift: u32,
    /// As many ones as the field has bits, its guard aside.
    pub(super) ones: u64,
    pub(super) variable: u32,
    /// How many values there are; a code that is not below is unknown.
    pub(super) size: u16,
}

impl Field {
    #[inline]
    pub(super) fn get(&self, state: &[u64]) -> u64 {
        state[self.word as usize] >> self.shift & self.ones
    }

    #[inline]
    fn put(&self, state: &mut [u64], code: u64) {
        let word = &mut state[self.word as usize];
        *word = *word & !(self.ones << self.shift) | code << self.shift;
    }
}

/// A shift that may stop.
#[derive(Clone, Copy, Debug)]
struct Clamp {
    field: Field,
    shift: ShiftBy,
}

/// A set with holes.
#[derive(Clone, Copy, Debug)]
struct Holes {
    field: Field,
    values: ValueSet,
    /// The values as bits, if all of them are small.
    few: Option<u64>,
}

impl Holes {
    #[inline]
    fn has(&self, state: &[u64]) -> bool {
        let code = self.field.get(state);
        match self.few {
            Some(bits) => code < 64 && bits >> code & 1 == 1,
            None => self.values.has(code as u16),
        }
    }
}

/// A task on packed states.
#[derive(Debug, Default)]
pub(super) struct Packed {
    width: usize,
    fields: Vec<Field>,
    field_of: Vec<u32>,
    guards: Vec<u64>,
    start: Vec<u64>,
    /// Of each row: the least fields, the greatest with guards, those that stay, what is added.
    /// The last row is the goal's.
    masks: Vec<u64>,
    holes: Rows<Holes>,
    clamps: Rows<Clamp>,
    /// The action of each row.
    actions: Vec<u32>,
    costs: Vec<u64>,
    unit: u64,
    /// Whether the goal cannot hold, whatever is done.
    is_never: bool,
    /// By variable.
    is_changed: Vec<bool>,
    is_asked: Vec<bool>,
    is_kept: Vec<bool>,
}

impl Packed {
    throng_base::getters! {
        /// Words of a state.
        width: usize;
        /// Where values lie, by variable; only of those that are part of a state.
        fields: &[Field];
        start: &[u64];
        /// What divides all costs.
        unit: u64;
        /// Whether the goal cannot hold, whatever is done.
        is_never: bool;
        /// The action of each row.
        actions: &[u32];
        /// What each row costs, in units.
        costs: &[u64];
    }

    pub(super) fn fill(&mut self, task: &CountingTask) {
        self.choose(task);
        self.lay_out(task);
        self.masks.clear();
        self.holes.clear();
        self.clamps.clear();
        for at in 0..self.actions.len() {
            self.add_row(task, self.actions[at]);
        }
        self.add_needs(task, task.goal());
        self.holes.end_row();
        let fixed = |need: &&Need| self.field_of[need.variable as usize] == NO_FIELD;
        let fails = |need: &Need| !need.values.has(task.start()[need.variable as usize]);
        let mut fixed = task.goal().iter().filter(fixed);
        self.is_never = fixed.any(fails) || task.goal().iter().any(|need| need.values.is_empty());
        self.unit =
            self.actions.iter().fold(0, |unit, &action| common_divisor(unit, task.cost(action)));
        let unit = self.unit.max(1);
        self.costs.clear();
        self.costs.extend(self.actions.iter().map(|&action| task.cost(action) / unit));
    }

    /// Which actions can run and matter, and which variables are part of a state.
    fn choose(&mut self, task: &CountingTask) {
        let (n_variables, n_actions) = (task.n_variables(), task.n_actions() as u32);
        reset(&mut self.is_changed, n_variables, false);
        for action in 0..n_actions {
            for change in task.changes(action) {
                self.is_changed[change.variable as usize] = true;
            }
        }
        self.actions.clear();
        let changed = &self.is_changed;
        let can_be = |need: &Need| {
            let at = need.variable as usize;
            !need.values.is_empty() && (changed[at] || need.values.has(task.start()[at]))
        };
        let can_run = |action: &u32| task.needs(*action).iter().all(can_be);
        self.actions.extend((0..n_actions).filter(can_run));
        reset(&mut self.is_asked, n_variables, false);
        task.goal().iter().for_each(|need| self.is_asked[need.variable as usize] = true);
        self.keep_relevant(task);
        reset(&mut self.is_kept, n_variables, false);
        for &action in &self.actions {
            for change in task.changes(action) {
                let at = change.variable as usize;
                self.is_kept[at] = self.is_asked[at];
            }
        }
        // Changed at most by what cannot run: fixed as well.
        let kept = &self.is_kept;
        let can_be = |need: &Need| {
            let at = need.variable as usize;
            kept[at] || need.values.has(task.start()[at])
        };
        self.actions.retain(|&action| task.needs(action).iter().all(can_be));
    }

    /// Passes on what is asked for, from the goal to what can serve it, and leaves out the rest.
    fn keep_relevant(&mut self, task: &CountingTask) {
        let mut is_settled = false;
        for _ in 0..MOST_ROUNDS {
            is_settled = true;
            for &action in &self.actions {
                if !self.serves(task, action) {
                    continue;
                }
                for need in task.needs(action) {
                    let asked = &mut self.is_asked[need.variable as usize];
                    is_settled &= *asked;
                    *asked = true;
                }
            }
            if is_settled {
                break;
            }
        }
        if !is_settled {
            self.is_asked.fill(true);
        }
        let mut actions = std::mem::take(&mut self.actions);
        actions.retain(|&action| self.serves(task, action));
        self.actions = actions;
    }

    /// Whether an action changes something that is asked for.
    fn serves(&self, task: &CountingTask, action: u32) -> bool {
        task.changes(action).iter().any(|change| self.is_asked[change.variable as usize])
    }

    /// Gives every variable that is part of a state its field, and packs the start.
    fn lay_out(&mut self, task: &CountingTask) {
        self.fields.clear();
        self.start.clear();
        self.guards.clear();
        reset(&mut self.field_of, task.n_variables(), NO_FIELD);
        let (mut word, mut shift) = (0, 0);
        for (at, (&size, &start)) in task.sizes().iter().zip(task.start()).enumerate() {
            if !self.is_kept[at] {
                continue;
            }
            // One more code if it begins unknown.
            let is_known = start < size;
            let top = if is_known { size.saturating_sub(1) } else { size };
            let bits = (u16::BITS - top.leading_zeros()).max(1);
            if shift + bits + 1 > u64::BITS {
                (word, shift) = (word + 1, 0);
            }
            let ones = (1 << bits) - 1;
            self.field_of[at] = self.fields.len() as u32;
            let field = Field { word, shift, ones, variable: at as u32, size };
            self.fields.push(field);
            self.start.resize(word as usize + 1, 0);
            self.guards.resize(word as usize + 1, 0);
            field.put(&mut self.start, if is_known { u64::from(start) } else { ones });
            self.guards[word as usize] |= 1 << (shift + bits);
            shift += bits + 1;
        }
        // A state of no variables is still one.
        self.start.resize(self.start.len().max(1), 0);
        self.guards.resize(self.start.len(), 0);
        self.width = self.start.len();
    }

    fn field(&self, variable: u32) -> Option<Field> {
        self.fields.get(self.field_of[variable as usize] as usize).copied()
    }

    fn add_row(&mut self, task: &CountingTask, action: u32) {
        let from = self.add_needs(task, task.needs(action));
        self.holes.end_row();
        let (keep, add) = (from + 2 * self.width, from + 3 * self.width);
        for change in task.changes(action) {
            let Some(field) = self.field(change.variable) else { continue };
            let word = field.word as usize;
            match change.effect {
                Effect::Set(value) => {
                    self.masks[keep + word] &= !(field.ones << field.shift);
                    let value = u64::from(value) << field.shift;
                    self.masks[add + word] = self.masks[add + word].wrapping_add(value);
                }
                Effect::Shift(shift) if self.may_stop(task, action, change.variable, shift) => {
                    self.clamps.push_entry(Clamp { field, shift });
                }
                Effect::Shift(shift) => {
                    let by = (i64::from(shift.by) << field.shift) as u64;
                    self.masks[add + word] = self.masks[add + word].wrapping_add(by);
                }
            }
        }
        self.clamps.end_row();
    }

    /// Whether a shift stops for some value that its action can run with.
    fn may_stop(&self, task: &CountingTask, action: u32, variable: u32, shift: ShiftBy) -> bool {
        let ShiftEnd::Stop(stop) = shift.end else { return false };
        let need = task.needs(action).iter().find(|need| need.variable == variable);
        let Some((first, last)) = need.and_then(|need| need.values.ends()) else { return true };
        let stop = i32::from(stop);
        match shift.by >= 0 {
            true => i32::from(last) + shift.by > stop,
            false => i32::from(first) + shift.by < stop,
        }
    }

    /// Adds the masks of a row that asks for this and does nothing yet; gives where they begin.
    fn add_needs(&mut self, task: &CountingTask, needs: &[Need]) -> usize {
        let (from, width) = (self.masks.len(), self.width);
        self.masks.resize(from + width, 0);
        self.masks.resize(from + 3 * width, u64::MAX);
        self.masks.resize(from + 4 * width, 0);
        for need in needs {
            // Those without a field are fixed, and were looked at.
            let Some(field) = self.field(need.variable) else { continue };
            let is_known = task.start()[need.variable as usize] < field.size;
            let Some((first, last)) = need.values.ends() else { continue };
            let word = field.word as usize;
            let (first, last) = (first.min(field.size), last.min(field.size.saturating_sub(1)));
            self.masks[from + word] |= u64::from(first) << field.shift;
            if !is_known || last < field.size.saturating_sub(1) {
                let high = &mut self.masks[from + width + word];
                *high &= !(field.ones << field.shift);
                *high |= u64::from(last) << field.shift;
            }
            if need.values.runs().len() > 1 {
                let few = (last < 64).then(|| need.values.values().fold(0, |b, v| b | 1 << v));
                self.holes.push_entry(Holes { field, values: need.values, few });
            }
        }
        from
    }

    /// Whether some action changes a variable.
    pub(super) fn is_changed(&self, variable: u32) -> bool {
        self.is_changed[variable as usize]
    }

    /// Writes the values of a state; those of variables that are no part of it stay.
    pub(super) fn unpack(&self, state: &[u64], values: &mut [u16]) {
        for field in &self.fields {
            let code = field.get(state) as u16;
            values[field.variable as usize] = if code < field.size { code } else { UNKNOWN };
        }
    }

    /// Whether a row fits a state; the row behind the last is the goal.
    #[inline]
    pub(super) fn fits<const W: usize>(&self, row: usize, state: &[u64]) -> bool {
        let width = if W == 0 { self.width } else { W };
        let masks = &self.masks[row * 4 * width..][..2 * width];
        let (low, high) = masks.split_at(width);
        let (state, guards) = (&state[..width], &self.guards[..width]);
        let mut misses = 0;
        for at in 0..width {
            let above = (state[at] | guards[at]).wrapping_sub(low[at]);
            // All of high that is no field is ones, so nothing is borrowed there.
            let below = high[at].wrapping_sub(state[at]);
            misses |= !(above & below) & guards[at];
        }
        misses == 0 && self.holes.row(row).iter().all(|holes| holes.has(state))
    }

    /// Whether the goal holds in a state.
    #[inline]
    pub(super) fn is_goal<const W: usize>(&self, state: &[u64]) -> bool {
        self.fits::<W>(self.actions.len(), state)
    }

    /// Writes the state after a row that fits.
    #[inline]
    pub(super) fn apply<const W: usize>(&self, row: usize, state: &[u64], next: &mut [u64]) {
        let width = if W == 0 { self.width } else { W };
        let masks = &self.masks[(row * 4 + 2) * width..][..2 * width];
        let (keep, add) = masks.split_at(width);
        let (state, next) = (&state[..width], &mut next[..width]);
        for at in 0..width {
            next[at] = (state[at] & keep[at]).wrapping_add(add[at]);
        }
        for clamp in self.clamps.row(row) {
            let before = clamp.field.get(state) as u16;
            let after = clamp.shift.apply(before, clamp.field.size).unwrap_or(before);
            clamp.field.put(next, u64::from(after));
        }
    }
}
