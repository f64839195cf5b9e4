//! Finished steps: rows move as their plans foresaw. And plans that the game gives to rows.
//!
//! In:   the NPCs that have finished their next action; a row and the steps it is to do.
//! Out:  states one step further. An NPC does not wait because of its own step, unless it chooses
//!       among all it wants and has got one thing; those who share what it changed may. A row
//!       follows steps that it is given, if they lead from where it is to what it wants.
//! Cost: one addition per row where an action always makes the same difference; one replay of
//!       the steps that a row is given.
//!
//! Steps that touch what a group shares are done by those who have claimed it (`line`), one after
//! the other in the order of rows. The others keep their plans and do nothing. Nobody comes too
//! late, but for what the game itself has taken away.

use super::{Crowd, Line};
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
    /// Rows whose next action was no longer possible: they wait. Only the game can bring that
    /// about, with what it says of a group between two steps.
    pub blocked: usize,
    /// Rows whose next action waits for what others have claimed, or stand in line for.
    pub queued: usize,
}

add_counts!(Applied { moved, arrived, blocked, queued });

/// What came of one step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Nothing,
    Moved { arrived: bool },
    Blocked,
    Queued,
}

impl Crowd {
    /// An NPC has finished its next action: its state and its group's shared values become
    /// what the action makes of them. Returns the action; `None` if it has none or waits for a
    /// claim to it, or the action is no longer possible, and then it waits.
    pub fn finish_step(&mut self, npc: NpcHandle) -> Option<ActionId> {
        let (row, action) = self.do_step(npc)?;
        if !self.is_one_of_several() {
            self.with_line(|line, crowds| line.ask_at_once(crowds, 0, row));
        }
        Some(action)
    }

    /// The same, but nobody is given a claim: the row, and what it has done.
    pub(crate) fn do_step(&mut self, npc: NpcHandle) -> Option<(usize, ActionId)> {
        let row = self.core.columns.find(npc)?;
        if is_waiting(&self.core, row) {
            return None;
        }
        let action = self.core.remainder(row).next()?;
        self.make_room_for_claims();
        match finish(&mut self.core, row) {
            Step::Moved { .. } => Some((row, self.core.kind.npc().actions()[action.index()])),
            Step::Nothing | Step::Blocked | Step::Queued => None,
        }
    }

    /// Every NPC that has a next action finishes it. One that waits stays where it is.
    pub fn apply_next(&mut self) -> Applied {
        self.settle();
        if !self.is_one_of_several() {
            // Who gets a claim only now has not been told its next action, and does not do it.
            self.with_line(|line, crowds| line.take_back(crowds));
        }
        let applied = self.do_steps();
        if !self.is_one_of_several() {
            self.hand_out_news();
        }
        applied
    }

    /// Gives claims, if something has changed since that was last done.
    fn hand_out_news(&mut self) {
        if self.core.claims.is_fresh() {
            self.with_line(|line, crowds| line.hand_out(crowds));
        }
    }

    /// What groups share may be claimed in one line for several crowds, which others care for.
    pub(super) fn is_one_of_several(&self) -> bool {
        self.core.groups.tells_changes()
    }

    /// Works with the crowd's own line.
    pub(super) fn with_line<R>(&mut self, work: impl FnOnce(&mut Line, &mut [Crowd]) -> R) -> R {
        let mut line = std::mem::take(&mut self.line);
        let result = work(&mut line, std::slice::from_mut(self));
        self.line = line;
        result
    }

    /// Room for the claims of everybody, if there can be any.
    pub(super) fn make_room_for_claims(&mut self) {
        let Core { kind, columns, groups, claims, .. } = &mut self.core;
        if kind.effects().some_touch_shared() {
            claims.make_room(columns.len(), groups.len());
        }
    }

    /// Those who may do their next action do it.
    pub(crate) fn do_steps(&mut self) -> Applied {
        self.settle();
        self.make_room_for_claims();
        let Core { claims, columns, .. } = &mut self.core;
        debug_assert!(claims.is_sound(|row| columns.group(row)), "claims are counted");
        let Core { kind, goals, columns, book, claims, turns, pool, .. } = &mut self.core;
        let read = (&*kind, &*goals, &*book, &*claims);
        let Walked { moved, arrived } = columns.do_own_steps(read, &mut turns.serve, pool);
        let mut applied = Applied { moved, arrived, ..Applied::default() };
        for at in 0..self.core.turns.serve.words().len() {
            for bit in ones(self.core.turns.serve.words()[at]) {
                match finish(&mut self.core, at * 64 + bit) {
                    Step::Nothing => {}
                    Step::Moved { arrived } => {
                        applied.moved += 1;
                        applied.arrived += usize::from(arrived);
                    }
                    Step::Blocked => applied.blocked += 1,
                    Step::Queued => applied.queued += 1,
                }
            }
        }
        self.core.turns.serve.reset(self.core.columns.len(), false);
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
        self.make_room_for_claims();
        self.core.let_go(row);
        let Core { kind, columns, book, .. } = &mut self.core;
        columns.follow(row, &plan, 0, kind, book);
        self.core.stand(row);
        if !self.is_one_of_several() {
            self.with_line(|line, crowds| line.ask_at_once(crowds, 0, row));
        }
        true
    }

    /// Lets an NPC have nothing to do, as if [`Crowd::plan`] had found that what it wants holds;
    /// `false`, and nothing changes, if it does not.
    pub fn rest(&mut self, npc: NpcHandle) -> bool {
        let row = self.core.columns.find(npc).filter(|&row| self.core.leads(row, &[]));
        let Some(row) = row else { return false };
        self.core.let_go(row);
        let Core { columns, book, .. } = &mut self.core;
        columns.answer(row, PlanId::SATISFIED.0, book);
        true
    }
}

/// The next step of a row that does not wait.
fn finish(core: &mut Core, row: usize) -> Step {
    let mut remainder = core.remainder(row);
    let Some(action) = remainder.next() else { return Step::Nothing };
    let arrived = remainder.is_empty();
    let touches = core.kind.effects().touches_shared(action);
    if touches && !core.claims.holds().get(row) {
        return Step::Queued;
    }
    let Core { kind, goals, groups, columns, book, .. } = core;
    let own = |variable: LocalVariable| columns.value(row, kind, variable);
    if touches && !groups.step(columns.group(row), action, kind, own) {
        columns.wait(row);
        core.let_go(row);
        return Step::Blocked;
    }
    columns.step(row, action, kind, book);
    // Who has one thing of all it wants chooses the next.
    if arrived && goals.is_best(columns.goal(row)) {
        columns.wait(row);
    }
    if core.kind.effects().some_touch_shared() {
        core.stand(row);
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
