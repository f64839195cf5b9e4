//! Finished steps: rows move as their plans foresaw.
//!
//! In:   who has finished its next action; or everybody.
//! Out:  states one step further. Nobody waits because of its own step, but for those who choose
//!       among all they want and have got one thing; those who share what it changed may.
//! Cost: one addition per row where an action always makes the same difference.
//!
//! Steps that touch what a group shares are done one after the other in the order of rows, so
//! that the outcome is the same for any number of threads. Who comes too late, because another
//! has just changed what it needs, does nothing and waits for a new plan.

use crate::crowd::Crowd;
use crate::groups::{Group, GroupRef};
use crate::rows::Handle;
use crate::states::Column;
use throng_domain::compile::LocalAction;
use throng_domain::model::ActionId;

/// What came of moving a crowd one step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Applied {
    /// Rows that did their next action.
    pub moved: usize,
    /// Of these, those that did their last one: they have what they want.
    pub arrived: usize,
    /// Rows whose next action was no longer possible: they wait.
    pub blocked: usize,
}

impl std::ops::AddAssign for Applied {
    fn add_assign(&mut self, other: Applied) {
        self.moved += other.moved;
        self.arrived += other.arrived;
        self.blocked += other.blocked;
    }
}

/// What came of one step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Nothing,
    Moved { arrived: bool },
    Blocked,
}

impl Crowd {
    /// Somebody has finished its next action: its state and its group's shared values become
    /// what the action makes of them. Returns the action; `None` if it has none, or the action
    /// is no longer possible, and then it waits.
    pub fn finish_step(&mut self, npc: Handle) -> Option<ActionId> {
        let row = self.rows.find(npc)?;
        if self.is_waiting(row) {
            return None;
        }
        let action = self.remainder(row).next()?;
        match self.finish(row) {
            Step::Moved { .. } => Some(self.kind().actions()[action.index()]),
            Step::Nothing | Step::Blocked => None,
        }
    }

    /// Everybody who has a next action finishes it. Who waits stays where it is.
    pub fn apply_next(&mut self) -> Applied {
        self.settle();
        let mut applied = Applied::default();
        for at in 0..self.rows.alive().words().len() {
            let moving = self.rows.alive().words()[at] & !self.dirty.words()[at];
            for bit in throng_base::ones(moving) {
                match self.finish(at * 64 + bit) {
                    Step::Nothing => {}
                    Step::Moved { arrived } => {
                        applied.moved += 1;
                        applied.arrived += usize::from(arrived);
                    }
                    Step::Blocked => applied.blocked += 1,
                }
            }
        }
        applied
    }

    /// The next step of a row that does not wait.
    fn finish(&mut self, row: usize) -> Step {
        let mut remainder = self.remainder(row);
        let Some(action) = remainder.next() else { return Step::Nothing };
        let arrived = remainder.is_empty();
        if self.effects.touches_shared(action) && !self.finish_shared(row, action) {
            self.dirty.set(row, true);
            return Step::Blocked;
        }
        self.finish_private(row, action);
        self.advance(row);
        // Who has one thing of all it wants chooses the next.
        if arrived && self.goals.is_best(self.goal[row]) {
            self.dirty.set(row, true);
        }
        Step::Moved { arrived }
    }

    /// What an action does to the row's own variables. Its private needs hold: the plan was
    /// found from this state, and whoever changes a private value makes the row wait.
    fn finish_private(&mut self, row: usize, action: LocalAction) {
        match (&mut self.states.column, self.effects.difference(action)) {
            (Column::Narrow(column), Some(more)) if column[row] != u16::MAX => {
                column[row] = (i64::from(column[row]) + more) as u16;
                return;
            }
            (Column::Index(column), Some(more)) if column[row] != u32::MAX => {
                column[row] = (i64::from(column[row]) + more) as u32;
                return;
            }
            (Column::Packed(column, 1), _) => {
                column[row] = self.effects.after(action, column[row]);
                return;
            }
            _ => {}
        }
        let kind = self.domain.npc(self.npc);
        self.states.read(row, &self.space, kind, &mut self.state);
        for set in kind.sets(action).iter().filter(|set| !self.space.is_shared(set.variable)) {
            self.state[set.variable.index()] = set.value;
        }
        self.states.write(row, &self.space, kind, &self.state);
    }

    /// What an action does to the values that the row's group shares; `false` if what it needs
    /// of them is not there.
    fn finish_shared(&mut self, row: usize, action: LocalAction) -> bool {
        let group = usize::from(self.group[row]);
        let Group { shared, touched, untold, is_stale, .. } = &mut self.groups.list[group];
        if !self.effects.shared_needs_hold(action, shared) {
            return false;
        }
        let sets = self.effects.shared_sets(action);
        let is_change = sets.iter().any(|set| shared[set.variable.index()] != set.value);
        if is_change {
            for set in sets {
                if !touched.contains(&set.variable) {
                    touched.push(set.variable);
                }
                shared[set.variable.index()] = set.value;
                if self.tells_changes && !untold.contains(&set.variable) {
                    if untold.is_empty() {
                        self.shared_changes.push(GroupRef(group as u16));
                    }
                    untold.push(set.variable);
                }
            }
            *is_stale = true;
            self.has_changes = true;
        }
        true
    }
}
