//! Whom a change of a group concerns.
//!
//! In:   what differs for a group since its members were served: checks, forbidden actions,
//!       shared values.
//! Out:  the rows whose answer may be another one now; all others keep their plans.
//! Cost: one pass over the rows in a frame in which some group changed.
//!
//! A row is concerned if
//! - a step it has still to do is gone;
//! - its remaining steps no longer lead to its goal from the shared values that are there now,
//!   or one of them has been done by somebody else;
//! - it has no plan, and actions were added or shared values changed;
//! - it has a plan, and a cheaper one may have become possible: actions were added or shared
//!   values changed, in a type in which the same value can be had in several ways, or its goal is
//!   a choice among several.
//!
//! Where every action moves one variable and no two set the same value, and the shared values are
//! known before and after, the last cannot happen: every plan contains the actions of a cheapest
//! one, whatever else is there.

use crate::crowd::Crowd;
use crate::groups::Difference;
use crate::plans::PlanId;
use throng_base::ones;
use throng_domain::compile::Value;

/// What differs, for each group that is not settled.
#[derive(Debug, Default)]
pub(crate) struct Settling {
    /// By group: its place among the differences, or none.
    place: Vec<u32>,
    differences: Vec<Difference>,
    state: Vec<Value>,
}

impl Settling {
    pub(crate) fn bytes(&self) -> usize {
        4 * self.place.capacity()
            + self.differences.capacity() * size_of::<Difference>()
            + 2 * self.state.capacity()
    }
}

impl Crowd {
    /// Compares all rows with what their groups have become; those concerned wait from now on.
    /// `plan` and `apply_next` begin with it. Call it before asking many how they stand: until
    /// then each of them is compared anew.
    pub fn settle(&mut self) {
        if !std::mem::take(&mut self.has_changes) {
            return;
        }
        self.groups.update_all(self.domain.npc(self.npc));
        let mut settling = std::mem::take(&mut self.work.settling);
        let Settling { place, differences, state } = &mut settling;
        place.clear();
        place.resize(self.groups.list.len(), u32::MAX);
        let mut n = 0;
        for (group, place) in place.iter_mut().enumerate() {
            if !self.groups.is_unsettled(group) {
                continue;
            }
            if differences.len() == n {
                differences.push(Difference::with_room(self.domain.npc(self.npc)));
            }
            self.groups.difference(self.domain.npc(self.npc), group, &mut differences[n]);
            *place = n as u32;
            n += 1;
        }
        state.clone_from(&self.state);
        if n > 0 {
            for word in 0..self.dirty.words().len() {
                let settled = self.rows.alive().words()[word] & !self.dirty.words()[word];
                for row in ones(settled).map(|bit| word * 64 + bit) {
                    let at = place[usize::from(self.group[row])];
                    if at != u32::MAX && self.is_affected(row, &differences[at as usize], state) {
                        self.dirty.set(row, true);
                    }
                }
            }
        }
        for group in (0..self.groups.list.len()).filter(|&group| place[group] != u32::MAX) {
            self.groups.settle(group);
        }
        self.work.settling = settling;
    }

    /// Whether the answer of a row may be another one, given what differs for its group.
    pub(crate) fn is_affected(
        &self,
        row: usize,
        difference: &Difference,
        state: &mut [Value],
    ) -> bool {
        let Difference { shared, removed, has_added, has_unknown, .. } = difference;
        let id = PlanId(self.ids.get(row));
        if matches!(id, PlanId::UNPLANNED | PlanId::IMPOSSIBLE | PlanId::GAVE_UP) {
            return *has_added || !shared.is_empty() || id == PlanId::UNPLANNED;
        }
        let remainder = self.remainder(row);
        // From an unknown value an action may be a detour that is none from a known one.
        let has_one_way = self.kind().sole_setters().is_some() && !has_unknown;
        // Nor of several goals: another of them may be had now, or be cheaper.
        let may_gain = *has_added || !shared.is_empty();
        let is_choice = may_gain && self.goals.choice(self.goal[row]).is_some();
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
                self.read_state(row, state);
                !self.goals.holds(self.goal[row], |variable| state[variable.index()])
            }
            false => !self.shared_values_fit(row, state),
        }
    }

    /// Whether the remaining steps of a row lead to its goal from the shared values that are
    /// there now, none of them for nothing, as far as shared values go.
    fn shared_values_fit(&self, row: usize, state: &mut [Value]) -> bool {
        state.copy_from_slice(&self.groups.list[usize::from(self.group[row])].shared);
        for action in self.remainder(row) {
            if !self.effects.shared_needs_hold(action, state) {
                return false;
            }
            for set in self.effects.shared_sets(action) {
                // Somebody else has done it: the plan works, but there is a shorter one.
                if state[set.variable.index()] == set.value {
                    return false;
                }
                state[set.variable.index()] = set.value;
            }
        }
        let goal = &self.goals.get(self.goal[row]).local;
        let mut shared = goal.iter().filter(|fact| self.space.is_shared(fact.variable));
        shared.all(|fact| state[fact.variable.index()] == fact.value)
    }
}
