//! Finished steps: rows move as their plans foresaw. And plans that the game gives to rows.
//!
//! In:   the NPCs that have finished their next action; a row and the steps it is to do.
//! Out:  states one step further. An NPC does not wait because of its own step, unless it chooses
//!       among all it wants and has got one thing; those who share what it changed may. A row
//!       follows steps that it is given, if they lead from where it is to what it wants.
//! Cost: one addition per row where an action always makes the same difference; one replay of
//!       the steps that a row is given.
//!
//! Steps that touch what a group shares are done one after the other in the order of rows, so
//! that the outcome is the same for any number of threads. Who comes too late, because another
//! has just changed what it needs, does nothing and waits for a new plan.

use super::Crowd;
use crate::changes::is_waiting;
use crate::columns::Walked;
use crate::core::Core;
use crate::plans::PlanId;
use crate::rows::NpcHandle;
use crate::settings::add_counts;
use throng_base::ones;
use throng_domain::compile::{LocalAction, LocalVariable};
use throng_domain::model::ActionId;

/// What came of moving a crowd one step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Applied {
    /// Rows that did their next action.
    pub moved: usize,
    /// Of these, those that did their last one: they have what they want.
    pub arrived: usize,
    /// Rows whose next action was no longer possible: they wait.
    pub blocked: usize,
}

add_counts!(Applied { moved, arrived, blocked });

/// What came of one step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Nothing,
    Moved { arrived: bool },
    Blocked,
}

impl Crowd {
    /// An NPC has finished its next action: its state and its group's shared values become
    /// what the action makes of them. Returns the action; `None` if it has none, or the action
    /// is no longer possible, and then it waits.
    pub fn finish_step(&mut self, npc: NpcHandle) -> Option<ActionId> {
        let row = self.core.columns.find(npc)?;
        if is_waiting(&self.core, row) {
            return None;
        }
        let action = self.core.remainder(row).next()?;
        match finish(&mut self.core, row) {
            Step::Moved { .. } => Some(self.core.kind.npc().actions()[action.index()]),
            Step::Nothing | Step::Blocked => None,
        }
    }

    /// Every NPC that has a next action finishes it. One that waits stays where it is.
    pub fn apply_next(&mut self) -> Applied {
        self.settle();
        let Core { kind, goals, columns, book, pool, .. } = &mut self.core;
        let Walked { moved, arrived } = columns.do_own_steps((kind, goals, book), pool);
        let mut applied = Applied { moved, arrived, blocked: 0 };
        for at in 0..self.core.columns.marked().words().len() {
            for bit in ones(self.core.columns.marked().words()[at]) {
                match finish(&mut self.core, at * 64 + bit) {
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

    /// Lets an NPC follow these steps, as if [`Crowd::plan`] had found them; `false`, and nothing
    /// changes, if they do not lead from its state to its goal.
    pub fn follow(&mut self, npc: NpcHandle, steps: &[ActionId]) -> bool {
        let Some(row) = self.core.columns.find(npc) else { return false };
        let kind = self.core.kind.npc();
        let plan = steps.iter().map(|&action| kind.local_action(action));
        let Some(plan) = plan.collect::<Option<Vec<LocalAction>>>() else { return false };
        // Whether there is nothing to do is for the crowd to say.
        if plan.is_empty() || !self.core.leads(row, &plan) {
            return false;
        }
        let Core { kind, columns, book, .. } = &mut self.core;
        columns.follow(row, &plan, 0, kind, book);
        true
    }

    /// Lets an NPC have nothing to do, as if [`Crowd::plan`] had found that what it wants holds;
    /// `false`, and nothing changes, if it does not.
    pub fn rest(&mut self, npc: NpcHandle) -> bool {
        let row = self.core.columns.find(npc).filter(|&row| self.core.leads(row, &[]));
        let Core { columns, book, .. } = &mut self.core;
        row.map(|row| columns.answer(row, PlanId::SATISFIED.0, book)).is_some()
    }
}

/// The next step of a row that does not wait.
fn finish(core: &mut Core, row: usize) -> Step {
    let mut remainder = core.remainder(row);
    let Some(action) = remainder.next() else { return Step::Nothing };
    let arrived = remainder.is_empty();
    let Core { kind, goals, groups, columns, book, .. } = core;
    let own = |variable: LocalVariable| columns.value(row, kind, variable);
    if kind.effects().touches_shared(action) && !groups.step(columns.group(row), action, kind, own)
    {
        columns.wait(row);
        return Step::Blocked;
    }
    columns.step(row, action, kind, book);
    // Who has one thing of all it wants chooses the next.
    if arrived && goals.is_best(columns.goal(row)) {
        columns.wait(row);
    }
    Step::Moved { arrived }
}

#[cfg(test)]
mod tests {
    use crate::{Crowd, CrowdSettings, FrameBudget, GroupId, Pool, Status};
    use std::sync::Arc;
    use throng_domain::formats::{load, no_includes};
    use throng_domain::{Format, Limits};
    use throng_planner::PreparedDomain;

    const TEXT: &str = "domain d
var at: home, road, shop
var bread: none, some
action walk_out:  at home -> road   if daylight
action walk_in:   at road -> shop
action ride:      at home -> shop   cost 9
action buy:       bread none -> some   while at = shop
goal fed: bread = some
npc someone
    can walk_out, walk_in, ride, buy
    wants fed
    starts at = home, bread = none
";

    #[test]
    fn somebody_follows_what_leads_to_its_goal_and_nothing_else() {
        let loaded = load("t.npc", TEXT, Format::Npc, &Limits::default(), &[], &mut no_includes);
        let domain = Arc::new(PreparedDomain::new(&loaded.model.unwrap()));
        let npc = domain.npcs()[0].id();
        let action = |name: &str| domain.map().find_action(name).unwrap();
        let (ride, buy) = (action("ride"), action("buy"));
        let pool = Arc::new(Pool::new(1));
        let mut crowd =
            Crowd::new(Arc::clone(&domain), npc, CrowdSettings::default(), pool).unwrap();
        let fed = domain.map().find_goal("fed").unwrap();
        let goal = crowd.goal(fed).unwrap();
        let goal_holds = domain.goals()[fed.index()].wants();
        assert_eq!(crowd.goal_id(goal), Some(fed));
        let who = crowd.spawn(GroupId::FIRST, goal).unwrap();
        for wrong in [&[buy][..], &[ride], &[buy, ride], &[action("walk_in"), buy], &[]] {
            assert!(!crowd.follow(who, wrong) && !crowd.rest(who), "{wrong:?}");
            assert_eq!(crowd.status(who), Some(Status::Waiting));
        }
        assert!(crowd.follow(who, &[ride, buy]));
        assert_eq!(crowd.status(who), Some(Status::Following));
        assert_eq!(crowd.plan_of(who).collect::<Vec<_>>(), [ride, buy]);
        // It does not wait, so it keeps a plan that is not the cheapest.
        crowd.plan(FrameBudget::UNLIMITED);
        assert_eq!((crowd.apply_next().moved, crowd.next_action(who)), (1, Some(buy)));
        assert_eq!(crowd.apply_next().arrived, 1);
        assert_eq!(crowd.status(who), Some(Status::Satisfied));
        // What its group may not do it does not take either.
        let other = crowd.spawn(GroupId::FIRST, goal).unwrap();
        let out = [action("walk_out"), action("walk_in"), buy];
        let daylight = domain.map().find_check("daylight").unwrap();
        crowd.set_check(GroupId::FIRST, daylight, false).unwrap();
        assert!(!crowd.follow(other, &out));
        crowd.set_check(GroupId::FIRST, daylight, true).unwrap();
        assert!(crowd.follow(other, &out));
        assert!(crowd.despawn(other) && !crowd.follow(other, &out));
        // Who has what it wants need not be told so by a search.
        let happy = crowd.spawn_with(GroupId::FIRST, goal, goal_holds).unwrap();
        assert_eq!(crowd.status(happy), Some(Status::Waiting));
        assert!(crowd.rest(happy) && !crowd.rest(other));
        assert_eq!(crowd.status(happy), Some(Status::Satisfied));
    }
}
