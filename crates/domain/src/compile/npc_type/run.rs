//! What an action asks of a state, and the state after it.
//!
//! In:   the tables of a type, an action, a state.
//! Out:  whether it can be done; the state changed.
//! Cost: what the action asks and sets; types without amounts never look at them.

use super::{LocalAction, LocalShift, LocalVariable, NpcTables, PackedValue};

impl NpcTables {
    /// Whether all that an action requires holds in a state.
    #[inline]
    pub fn can_run(&self, action: LocalAction, state: &[PackedValue]) -> bool {
        self.facts_allow(action, state) && (!self.has_amounts || self.amounts_allow(action, state))
    }

    /// Whether the values that an action requires hold in a state: all it asks for, in a type
    /// without amounts.
    #[inline]
    pub fn facts_allow(&self, action: LocalAction, state: &[PackedValue]) -> bool {
        self.needs(action).iter().all(|need| state[need.variable.index()] == need.value)
    }

    /// Whether what an action requires of amounts holds in a state. Never part of its callers,
    /// which are to stay small.
    #[inline(never)]
    pub fn amounts_allow(&self, action: LocalAction, state: &[PackedValue]) -> bool {
        self.ranges(action).iter().all(|it| it.values.has(state[it.variable.index()]))
            && self.comparisons(action).iter().all(|it| it.holds(state))
    }

    /// Whether what an action requires of amounts that nothing of the type changes holds in a
    /// state, and hence always.
    pub fn standing_allows(&self, action: LocalAction, state: &[PackedValue]) -> bool {
        let stands = |variable: LocalVariable| !self.can_change(variable);
        let ranges = self.ranges(action).iter().filter(|it| stands(it.variable));
        let comparisons = self.comparisons(action).iter().filter(|it| stands(it.variable));
        ranges.into_iter().all(|it| it.values.has(state[it.variable.index()]))
            && comparisons.into_iter().all(|it| it.holds(state))
    }

    /// Makes a state the one after an action.
    #[inline]
    pub fn run(&self, action: LocalAction, state: &mut [PackedValue]) {
        self.set_all(action, state);
        if self.has_amounts {
            self.shift_all(action, state);
        }
    }

    /// Writes what an action sets into a state: all it does, in a type without amounts.
    #[inline]
    pub fn set_all(&self, action: LocalAction, state: &mut [PackedValue]) {
        self.sets(action).iter().for_each(|set| state[set.variable.index()] = set.value);
    }

    #[inline(never)]
    fn shift_all(&self, action: LocalAction, state: &mut [PackedValue]) {
        for shift in self.shifts(action) {
            let value = &mut state[shift.variable.index()];
            *value = self.shifted(*shift, *value).unwrap_or(*value);
        }
    }

    /// What a value becomes by a shift; `None` if it would leave the range, or is unknown.
    pub fn shifted(&self, shift: LocalShift, value: PackedValue) -> Option<PackedValue> {
        shift.by.apply(value, self.n_values(shift.variable) as PackedValue)
    }
}
