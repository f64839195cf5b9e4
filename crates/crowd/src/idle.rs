//! Who has nothing to do, for games that hand out goals.
//!
//! In:   a crowd that was served.
//! Out:  those without a next step, and whether a goal would be new to them.
//! Cost: one pass over the rows; whoever waits or has steps left is passed over.

use crate::answers::Status;
use crate::crowd::Crowd;
use crate::goals::GoalRef;
use crate::groups::GroupRef;
use crate::plans::PlanId;
use crate::rows::Handle;
use throng_base::ones;

/// Somebody who has nothing to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Idle {
    /// Who.
    pub npc: Handle,
    /// Satisfied, without a plan, or given up.
    pub status: Status,
    /// What it wanted.
    pub goal: GoalRef,
    /// Its group.
    pub group: GroupRef,
    /// How many steps of its last plan it has done.
    pub steps_done: usize,
}

impl Crowd {
    /// Everybody who neither waits nor has a step left to do, in the order of rows.
    pub fn idle(&self) -> impl Iterator<Item = Idle> + '_ {
        let words = self.rows.alive().words().iter().zip(self.dirty.words()).enumerate();
        words.flat_map(move |(at, (alive, dirty))| {
            ones(alive & !dirty).filter_map(move |bit| {
                let row = at * 64 + bit;
                let status = self.status_of(row);
                let is_idle = !matches!(status, Status::Waiting | Status::Following);
                is_idle.then(|| Idle {
                    npc: self.rows.handle(row),
                    status,
                    goal: GoalRef(self.goal[row]),
                    group: GroupRef(self.group[row]),
                    steps_done: self.step[row].into(),
                })
            })
        })
    }

    /// Who lives in a row, for columns of your own beside the crowd's.
    pub fn handle(&self, row: usize) -> Option<Handle> {
        self.rows.alive().get(row).then(|| self.rows.handle(row))
    }

    /// How somebody would stand with another goal, if a table knows: one load, nothing planned,
    /// nothing changed. `None` if no table does, or its group was changed and not settled.
    pub fn peek(&self, npc: Handle, goal: GoalRef) -> Option<Status> {
        let row = self.rows.find(npc).filter(|_| self.goals.has(goal))?;
        let group = &self.groups.list[usize::from(self.group[row])];
        // What was said since is in no table yet: `settle` first.
        let situation = (!group.is_stale).then_some(group.now)?;
        let table = self.groups.policy(situation, goal.0)?.table.as_ref()?;
        match table.plan(self.states.index(row)?) {
            PlanId::UNPLANNED => None,
            PlanId::SATISFIED => Some(Status::Satisfied),
            PlanId::IMPOSSIBLE => Some(Status::Impossible),
            PlanId::GAVE_UP => Some(Status::GaveUp),
            _ => Some(Status::Following),
        }
    }

    /// Whether somebody has already what a goal wants; `false` if one of them does not exist.
    pub fn has(&self, npc: Handle, goal: GoalRef) -> bool {
        let Some(row) = self.rows.find(npc).filter(|_| self.goals.has(goal)) else { return false };
        let shared = &self.groups.list[usize::from(self.group[row])].shared;
        let kind = self.domain.npc(self.npc);
        self.goals.holds(goal.0, |variable| match self.space.is_shared(variable) {
            true => shared[variable.index()],
            false => self.states.value(row, &self.space, kind, variable),
        })
    }
}
