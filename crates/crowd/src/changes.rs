//! Which NPCs a change of a group concerns.
//!
//! In:   what differs for a group since its members were served: checks, forbidden actions,
//!       shared values.
//! Out:  the rows whose answer may be another one now; all others keep their plans.
//! Cost: one pass over the rows of groups that changed; 64 others at a time are passed over.
//!
//! A row is concerned if
//! - a step it has still to do is gone;
//! - its remaining steps no longer lead to its goal from the shared values that are there now,
//!   or another NPC has done one of them;
//! - it has no plan, and actions were added or shared values changed;
//! - it has a plan, and a cheaper one may have become possible: actions were added or shared
//!   values changed, in a type in which the same value can be had in several ways, or its goal is
//!   a choice among several.
//!
//! Where every action moves one variable and no two set the same value, none counts, and the shared
//! values are known before and after, the last cannot happen: every plan contains the actions of a
//! cheapest one, whatever else is there.

mod search;

use crate::core::Core;
use crate::groups::Difference;
use crate::plans::PlanId;
use throng_domain::compile::{LocalVariable, PackedValue, UNKNOWN};

/// What differs, for each group that is not settled.
#[derive(Debug, Default)]
pub(crate) struct Settling {
    /// By group: its place among the differences, or none.
    place: Vec<u32>,
    /// By group: how many groups before it are not settled.
    before: Vec<u32>,
    differences: Vec<Difference>,
    /// A plain state, by part of the rows.
    states: Vec<Vec<PackedValue>>,
}

impl Settling {
    /// Compares all rows with what their groups have become; those concerned wait from now on.
    pub(crate) fn settle(&mut self, core: &mut Core) {
        debug_assert!(core.columns.is_sound(&core.book), "nobody is forgotten");
        if !core.groups.update_all(core.kind.npc()) {
            return;
        }
        let Settling { place, before, differences, states } = self;
        let Core { kind, groups, .. } = core;
        place.clear();
        place.resize(groups.len(), u32::MAX);
        let mut n = 0;
        for (group, place) in place.iter_mut().enumerate().filter(|at| groups.is_unsettled(at.0)) {
            if differences.len() == n {
                differences.push(Difference::with_room(kind.npc()));
            }
            groups.difference(kind.npc(), group, &mut differences[n]);
            *place = n as u32;
            n += 1;
        }
        if n == 0 {
            return;
        }
        let n_variables = kind.npc().variables().len();
        // How many there are before each group tells whether some lie between two.
        before.clear();
        let mut n_before = 0;
        for &place in place.iter().chain(&[u32::MAX]) {
            before.push(n_before);
            n_before += u32::from(place != u32::MAX);
        }
        let may_be = |low: u16, high: u16| before[usize::from(high) + 1] > before[usize::from(low)];
        let make = || vec![UNKNOWN; n_variables];
        core.let_wait((states, &make), &may_be, &|core, row, state: &mut Vec<PackedValue>| {
            let at = place[core.columns.group(row)];
            if at == u32::MAX {
                return false;
            }
            is_affected(core, row, &differences[at as usize], state)
        });
        for group in (0..place.len()).filter(|&group| place[group] != u32::MAX) {
            core.groups.settle(group);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        4 * (self.place.capacity() + self.before.capacity())
            + self.differences.capacity() * size_of::<Difference>()
            + self.states.iter().map(|state| 2 * state.capacity()).sum::<usize>()
    }
}

/// Whether a row waits, or would if its group's changes were looked at.
pub(crate) fn is_waiting(core: &Core, row: usize) -> bool {
    let group = core.columns.group(row);
    let waits = core.columns.waiting().get(row);
    if waits || !core.groups.has_changes() || !core.groups.is_unsettled(group) {
        return waits;
    }
    let mut difference = Difference::default();
    core.groups.difference(core.kind.npc(), group, &mut difference);
    is_affected(core, row, &difference, &mut core.kind.npc().unknown_state())
}

/// Whether the answer of a row may be another one, given what differs for its group.
pub(crate) fn is_affected(
    core: &Core,
    row: usize,
    difference: &Difference,
    state: &mut [PackedValue],
) -> bool {
    let goal = core.columns.goal(row);
    let Difference { shared, removed, has_added, has_unknown, .. } = difference;
    let id = PlanId(core.columns.id(row));
    if matches!(id, PlanId::UNPLANNED | PlanId::IMPOSSIBLE | PlanId::GAVE_UP) {
        return *has_added || !shared.is_empty() || id == PlanId::UNPLANNED;
    }
    let remainder = core.remainder(row);
    // From an unknown value an action may be a detour that is none from a known one.
    let has_one_way = core.kind.has_one_way() && !has_unknown;
    // Nor of several goals: another of them may be had now, or be cheaper.
    let may_gain = *has_added || !shared.is_empty();
    let is_choice = may_gain && core.goals.choice(goal).is_some();
    let is_cheaper_possible = may_gain && (!has_one_way || is_choice);
    if is_cheaper_possible && !remainder.is_empty() {
        return true;
    }
    if !removed.is_empty() && remainder.clone().any(|action| removed.contains(&action)) {
        return true;
    }
    if shared.is_empty() {
        return false;
    }
    match is_choice {
        true => {
            core.read_state(row, state);
            !core.goals.holds(goal, |variable| state[variable.index()])
        }
        false => !shared_values_fit(core, row, state),
    }
}

/// Whether the remaining steps of a row lead to its goal from the shared values that are
/// there now, none of them for nothing, as far as shared values go.
fn shared_values_fit(core: &Core, row: usize, state: &mut [PackedValue]) -> bool {
    let (effects, goal) = (core.kind.effects(), core.columns.goal(row));
    state.copy_from_slice(core.shared(row));
    if core.kind.npc().has_amounts() || !core.goals.wants(goal).comparisons.is_empty() {
        // Shared amounts may be compared with its own, which stand still.
        core.columns.read(row, &core.kind, state);
    }
    for action in core.remainder(row) {
        if !effects.shared_needs_hold(action, |variable| state[variable.index()]) {
            return false;
        }
        for change in effects.shared_changes(action) {
            let value = &mut state[change.variable.index()];
            // Another has done it: the plan works, but there is a shorter one.
            if change.is_done(*value) {
                return false;
            }
            *value = change.after(*value);
        }
    }
    let is_shared = |variable| core.kind.space().is_shared(variable);
    let value = |variable: LocalVariable| state[variable.index()];
    core.goals.shared_part_holds(goal, is_shared, value)
}
