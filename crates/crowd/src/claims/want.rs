//! What the rest of a plan wants of one shared variable, and whether several can have theirs.
//!
//! In:   conditions and effects of the steps that are left, one after the other, with the value
//!       that the variable would have.
//! Out:  a [`Want`]; a [`Hold`], which adds wants up and admits another or does not.
//! Cost: a few comparisons each, however many wants were added up.
//!
//! A want is admitted if all whose wants were added up, and the new one, can do their steps in
//! whatever order they finish them, and none undoes what another needs. Who only reads is in
//! nobody's way but that of who changes what it reads; who only counts is in nobody's way as long
//! as there is enough for all; who sets a value shares it with those who set the same or live with
//! it. Whoever does more than that with a variable has it alone.

use throng_domain::Relation;
use throng_domain::amounts::{ShiftBy, ShiftEnd, ValueSet};
use throng_domain::compile::{LocalVariable, PackedValue};

/// What the rest of a plan wants of a shared variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Want {
    pub(crate) variable: LocalVariable,
    /// The values that others may make of it: from each of them the rest works.
    low: i32,
    high: i32,
    /// By how much it moves the value down and up at most, on its way.
    down: i32,
    up: i32,
    /// By how much it has moved it so far.
    offset: i32,
    /// The only value that it sets.
    set: Option<PackedValue>,
    /// It cannot share the variable with anybody.
    is_alone: bool,
}

impl Want {
    /// Nothing yet.
    pub(crate) fn of(variable: LocalVariable) -> Want {
        Want {
            variable,
            low: i32::MIN,
            high: i32::MAX,
            down: 0,
            up: 0,
            offset: 0,
            set: None,
            is_alone: false,
        }
    }

    /// It has the variable for itself, whatever it does with it.
    pub(crate) fn have_alone(&mut self) {
        self.is_alone = true;
    }

    /// A step needs a value out of a set, and the variable would have the value `now`; `false` if
    /// that is none of them.
    pub(crate) fn need(&mut self, now: PackedValue, values: &ValueSet) -> bool {
        let run = values.runs().iter().find(|&&(first, last)| first <= now && now <= last);
        let Some(&(first, last)) = run else { return false };
        self.keep_within(first.into(), last.into());
        true
    }

    /// A step compares the value `now` with a number that nobody changes.
    pub(crate) fn compare(&mut self, now: PackedValue, relation: Relation, with: i64) {
        let with = with.clamp(-1_000_000, 1_000_000) as i32;
        let (low, high) = match relation {
            Relation::Is => (with, with),
            Relation::IsNot if i32::from(now) < with => (i32::MIN, with - 1),
            Relation::IsNot => (with + 1, i32::MAX),
            Relation::Less => (i32::MIN, with - 1),
            Relation::AtMost => (i32::MIN, with),
            Relation::More => (with + 1, i32::MAX),
            Relation::AtLeast => (with, i32::MAX),
        };
        self.keep_within(low, high);
    }

    /// The value is to stay between these, now that it has moved by `offset`. What it has set
    /// itself stays: who would set another value is not admitted.
    fn keep_within(&mut self, low: i32, high: i32) {
        if self.set.is_none() {
            self.low = self.low.max(low.saturating_sub(self.offset));
            self.high = self.high.min(high.saturating_sub(self.offset));
        }
    }

    /// A step sets the variable.
    pub(crate) fn set(&mut self, value: PackedValue) {
        let is_first = self.down == 0 && self.up == 0 && self.set.is_none();
        self.is_alone |= !is_first && self.set != Some(value);
        self.set = Some(value);
    }

    /// A step counts by so much from the value `now`, of so many; `false` if it cannot.
    pub(crate) fn shift(&mut self, now: PackedValue, by: ShiftBy, n_values: PackedValue) -> bool {
        let Some(after) = by.apply(now, n_values) else { return false };
        if self.set.is_some() || i32::from(after) - i32::from(now) != by.by {
            // How far it goes depends on who was there before.
            self.is_alone = true;
            return true;
        }
        let (mut low, mut high) = (0, i32::from(n_values) - 1);
        match by.end {
            ShiftEnd::Refuse => {}
            ShiftEnd::Stop(stop) if by.by > 0 => high = high.min(stop.into()),
            ShiftEnd::Stop(stop) => low = low.max(stop.into()),
        }
        self.offset += by.by;
        self.keep_within(low, high);
        (self.down, self.up) = (self.down.max(-self.offset), self.up.max(self.offset));
        true
    }

    fn counts(&self) -> bool {
        self.down > 0 || self.up > 0
    }

    fn lives_with(&self, value: PackedValue) -> bool {
        (self.low..=self.high).contains(&value.into())
    }
}

/// Whether a want is admitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Admission {
    Yes,
    No,
    /// The variable has another value than when wants were added up.
    Unknown,
}

/// Wants of one variable of a group, added up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Hold {
    n: u32,
    n_setters: u32,
    is_alone: bool,
    /// The value that the variable had.
    value: PackedValue,
    /// What those set who set it.
    set: PackedValue,
    /// By how much all together move it at most.
    down: i32,
    up: i32,
    /// Within these the values have to stay, own moves of each included.
    low: i32,
    high: i32,
    /// The same of those who set it, before they do.
    set_low: i32,
    set_high: i32,
}

impl Hold {
    /// Whether another can have what it wants, given the value that there is now.
    pub(crate) fn admits(&self, want: &Want, value: PackedValue) -> Admission {
        if self.n == 0 {
            return Admission::Yes;
        }
        if self.value != value {
            return Admission::Unknown;
        }
        let is_admitted = !self.is_alone
            && !want.is_alone
            && match (self.n_setters > 0, want.set) {
                (true, Some(set)) => {
                    let others = self.set_low..=self.set_high;
                    set == self.set && want.lives_with(set) && others.contains(&set.into())
                }
                (true, None) => !want.counts() && want.lives_with(self.set),
                (false, Some(set)) => {
                    let others = self.low..=self.high;
                    self.down == 0 && self.up == 0 && others.contains(&set.into())
                }
                (false, None) => {
                    let both = self.with(want, value);
                    let value = i32::from(value);
                    value.saturating_sub(both.down) >= both.low
                        && value.saturating_add(both.up) <= both.high
                }
            };
        if is_admitted { Admission::Yes } else { Admission::No }
    }

    /// Adds a want.
    pub(crate) fn add(&mut self, want: &Want, value: PackedValue) {
        *self = self.with(want, value);
    }

    /// Nobody else is admitted.
    pub(crate) fn close(&mut self) {
        self.is_alone = true;
    }

    fn with(&self, want: &Want, value: PackedValue) -> Hold {
        let (least, most) = (i32::MIN, i32::MAX);
        let mut all = match self.n {
            0 => {
                let (low, high, set_low, set_high) = (least, most, least, most);
                Hold { value, low, high, set_low, set_high, ..Hold::default() }
            }
            _ => *self,
        };
        all.n = all.n.saturating_add(1);
        all.is_alone |= want.is_alone;
        match want.set {
            Some(set) => {
                all.is_alone |= all.n_setters > 0 && all.set != set;
                all.n_setters = all.n_setters.saturating_add(1);
                all.set = set;
                all.set_low = all.set_low.max(want.low);
                all.set_high = all.set_high.min(want.high);
            }
            None => {
                all.down = all.down.saturating_add(want.down);
                all.up = all.up.saturating_add(want.up);
                all.low = all.low.max(want.low.saturating_sub(want.down));
                all.high = all.high.min(want.high.saturating_add(want.up));
            }
        }
        all
    }
}

#[cfg(test)]
mod tests;
