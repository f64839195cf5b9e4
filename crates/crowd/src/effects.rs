//! What an action does to a row, worked out once per type.
//!
//! In:   the type and its private variables.
//! Out:  for each action what it makes of a state that is a number or one word, and what it needs
//!       and changes of shared variables.
//! Cost: a look-up; a step or two per amount that stops at an end.

use crate::claims::Want;
use crate::space::Space;
use throng_base::Rows;
use throng_domain::amounts::{ShiftBy, ShiftEnd};
use throng_domain::compile::{
    LocalAction, LocalComparison, LocalFact, LocalRange, LocalShift, LocalVariable, NpcTables,
    PackedValue,
};

/// What an action makes of the private part of a state in which it can be done.
#[derive(Clone, Debug)]
struct Effect {
    /// What to add to the number of a state; `None` if that depends on the state, but for what
    /// stops.
    difference: Option<i64>,
    /// What stays of a packed state of one word, what is written into it, and what is added. Values
    /// stay within their fields, so that what is carried from one to the next comes back.
    keep: u64,
    write: u64,
    add: u64,
    /// Whether some private amount stops.
    stops: bool,
    /// Whether it reads or writes what a group shares.
    touches_shared: bool,
}

/// A private amount that an action moves up to a stop: by how much depends on the state.
#[derive(Clone, Copy, Debug)]
struct Stopped {
    shift: LocalShift,
    n_values: PackedValue,
    /// By how much the number of a state grows with the value.
    weight: i64,
    /// Its place in a packed state of one word.
    mask: u64,
}

/// What becomes of a shared value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SharedEffect {
    Set(PackedValue),
    /// Of so many values.
    Shift(ShiftBy, PackedValue),
}

/// A shared variable that an action changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SharedChange {
    pub(crate) variable: LocalVariable,
    effect: SharedEffect,
}

impl SharedChange {
    /// The value after it; an amount that cannot move so stays.
    pub(crate) fn after(&self, value: PackedValue) -> PackedValue {
        match self.effect {
            SharedEffect::Set(set) => set,
            SharedEffect::Shift(by, n_values) => by.apply(value, n_values).unwrap_or(value),
        }
    }

    /// Adds what it does to the wants of a variable, which would have the value `now`; `false` if
    /// it cannot be done.
    pub(crate) fn note(&self, now: PackedValue, want: &mut Want) -> bool {
        match self.effect {
            SharedEffect::Set(set) => {
                want.set(set);
                true
            }
            SharedEffect::Shift(by, n_values) => want.shift(now, by, n_values),
        }
    }

    /// Whether it is there to bring about a value that is there.
    pub(crate) fn is_done(&self, value: PackedValue) -> bool {
        matches!(self.effect, SharedEffect::Set(set) if set == value)
    }
}

/// The effects of all actions of a type.
#[derive(Debug)]
pub(crate) struct Effects {
    of: Vec<Effect>,
    stopped: Rows<Stopped>,
    shared_needs: Rows<LocalFact>,
    shared_ranges: Rows<LocalRange>,
    shared_comparisons: Rows<LocalComparison>,
    shared_changes: Rows<SharedChange>,
    /// Whether some action touches what is shared.
    some_touch_shared: bool,
}

impl Effects {
    pub(crate) fn new(npc: &NpcTables, space: &Space) -> Effects {
        let actions = || npc.local_actions();
        let is_shared = |variable: LocalVariable| space.is_shared(variable);
        let n_values = |variable: LocalVariable| npc.n_values(variable) as PackedValue;
        let changes = |action: LocalAction| {
            let sets =
                npc.sets(action).iter().map(|set| (set.variable, SharedEffect::Set(set.value)));
            let shifts = npc.shifts(action).iter();
            let shifts =
                shifts.map(|it| (it.variable, SharedEffect::Shift(it.by, n_values(it.variable))));
            let all = sets.chain(shifts).filter(|(variable, _)| is_shared(*variable));
            all.map(|(variable, effect)| SharedChange { variable, effect })
        };
        let stopped = |action: LocalAction| {
            let own = npc.shifts(action).iter().filter(|it| !is_shared(it.variable) && stops(it));
            own.map(|&shift| Stopped {
                shift,
                n_values: n_values(shift.variable),
                // Where states have numbers these are far below the highest.
                weight: i64::try_from(space.weight(shift.variable)).unwrap_or(0),
                mask: npc.layout().field_mask(shift.variable.index()),
            })
        };
        let of_shared = |it: &LocalComparison| is_shared(it.variable) || is_shared(it.other);
        let mut effects = Effects {
            of: actions().map(|action| Effect::new(npc, space, action)).collect(),
            stopped: Rows::from_lists(actions().map(stopped)),
            shared_needs: Rows::from_lists(actions().map(|action| {
                npc.needs(action).iter().copied().filter(|need| is_shared(need.variable))
            })),
            shared_ranges: Rows::from_lists(actions().map(|action| {
                npc.ranges(action).iter().copied().filter(|range| is_shared(range.variable))
            })),
            shared_comparisons: Rows::from_lists(
                actions().map(|action| npc.comparisons(action).iter().copied().filter(of_shared)),
            ),
            shared_changes: Rows::from_lists(actions().map(changes)),
            some_touch_shared: false,
        };
        for at in 0..effects.of.len() {
            let touches_shared = !(effects.shared_needs.row(at).is_empty()
                && effects.shared_ranges.row(at).is_empty()
                && effects.shared_comparisons.row(at).is_empty()
                && effects.shared_changes.row(at).is_empty());
            let stops = !effects.stopped.row(at).is_empty();
            let effect = &mut effects.of[at];
            (effect.touches_shared, effect.stops) = (touches_shared, stops);
            effects.some_touch_shared |= touches_shared;
        }
        effects
    }

    /// The number of a private state after an action that can be done in it; `None` if that has
    /// to be worked out from its values.
    #[inline]
    pub(crate) fn number_after(
        &self,
        action: LocalAction,
        number: u64,
        space: &Space,
    ) -> Option<u64> {
        let effect = &self.of[action.index()];
        let mut more = effect.difference?;
        if !effect.stops {
            return number.checked_add_signed(more);
        }
        for it in self.stopped.row(action.index()) {
            let value = space.value(number, it.shift.variable);
            let after = it.shift.by.apply(value, it.n_values)?;
            more += (i64::from(after) - i64::from(value)) * it.weight;
        }
        number.checked_add_signed(more)
    }

    /// A packed private state of one word after an action that can be done in it.
    #[inline]
    pub(crate) fn word_after(&self, action: LocalAction, word: u64) -> u64 {
        let effect = &self.of[action.index()];
        let mut after = ((word & effect.keep) | effect.write).wrapping_add(effect.add);
        if !effect.stops {
            return after;
        }
        for it in self.stopped.row(action.index()) {
            let place = it.mask.trailing_zeros();
            let value = (word & it.mask) >> place;
            let moved = it.shift.by.apply(value as PackedValue, it.n_values);
            let moved = moved.map_or(value, u64::from);
            after = (after & !it.mask) | moved << place;
        }
        after
    }

    /// Whether an action reads or writes what a group shares.
    #[inline]
    pub(crate) fn touches_shared(&self, action: LocalAction) -> bool {
        self.of[action.index()].touches_shared
    }

    /// Whether some action does.
    pub(crate) fn some_touch_shared(&self) -> bool {
        self.some_touch_shared
    }

    /// Whether some action compares a shared amount with another one.
    pub(crate) fn compares_shared(&self) -> bool {
        self.shared_comparisons.iter().any(|row| !row.is_empty())
    }

    /// What an action needs of shared values.
    pub(crate) fn shared_conditions(
        &self,
        action: LocalAction,
    ) -> (&[LocalFact], &[LocalRange], &[LocalComparison]) {
        let at = action.index();
        (self.shared_needs.row(at), self.shared_ranges.row(at), self.shared_comparisons.row(at))
    }

    /// Whether what an action needs of shared values is there, given the value of each variable.
    pub(crate) fn shared_needs_hold(
        &self,
        action: LocalAction,
        value: impl Fn(LocalVariable) -> PackedValue,
    ) -> bool {
        let at = action.index();
        let compares =
            |it: &LocalComparison| it.comparison.holds(value(it.variable), value(it.other));
        self.shared_needs.row(at).iter().all(|need| value(need.variable) == need.value)
            && self.shared_ranges.row(at).iter().all(|it| it.values.has(value(it.variable)))
            && self.shared_comparisons.row(at).iter().all(compares)
    }

    /// What an action changes of shared values.
    pub(crate) fn shared_changes(&self, action: LocalAction) -> &[SharedChange] {
        self.shared_changes.row(action.index())
    }
}

impl Effect {
    fn new(npc: &NpcTables, space: &Space, action: LocalAction) -> Effect {
        let layout = npc.layout();
        let (mut keep, mut write, mut add) = (u64::MAX, 0, 0u64);
        for set in npc.sets(action).iter().filter(|set| !space.is_shared(set.variable)) {
            keep &= !layout.field_mask(set.variable.index());
            write |= layout.field_bits(set.variable.index(), set.value);
        }
        for shift in own_shifts(npc, space, action) {
            let place = layout.field_mask(shift.variable.index()).trailing_zeros();
            add = add.wrapping_add((i64::from(shift.by.by) as u64) << place);
        }
        let difference = difference(npc, space, action);
        Effect { difference, keep, write, add, stops: false, touches_shared: false }
    }
}

/// Whether a shift stops at an end instead of being refused there.
fn stops(shift: &LocalShift) -> bool {
    matches!(shift.by.end, ShiftEnd::Stop(_))
}

/// The private amounts that an action moves by the same from everywhere.
fn own_shifts<'n>(
    npc: &'n NpcTables,
    space: &'n Space,
    action: LocalAction,
) -> impl Iterator<Item = &'n LocalShift> {
    npc.shifts(action).iter().filter(|it| !space.is_shared(it.variable) && !stops(it))
}

fn difference(npc: &NpcTables, space: &Space, action: LocalAction) -> Option<i64> {
    space.n_states()?;
    let mut sum = 0i64;
    let mut add = |variable: LocalVariable, step: i64| {
        let weight = i64::try_from(space.weight(variable)).ok()?;
        sum = sum.checked_add(step.checked_mul(weight)?)?;
        Some(())
    };
    for set in npc.sets(action).iter().filter(|set| !space.is_shared(set.variable)) {
        let from = npc.needs(action).iter().find(|need| need.variable == set.variable)?;
        add(set.variable, i64::from(set.value) - i64::from(from.value))?;
    }
    for shift in own_shifts(npc, space, action) {
        add(shift.variable, shift.by.by.into())?;
    }
    Some(sum)
}
