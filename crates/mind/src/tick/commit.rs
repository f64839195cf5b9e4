//! `npc … commits SECONDS`: what was begun is not given up at once.
//!
//! In:   the step under way and when it was begun; the goals.
//! Out:  whether it goes on, whatever the plan would be now.
//! Cost: a comparison; nothing for types that do not commit.
//!
//! What is known of a new enemy, of places and ways comes in bit by bit, and each bit may make
//! another plan the better one. Who turns with each of them twitches. So a step goes on for a moment
//! though its plan would not work any more, its goal does not matter any more, or another is better;
//! by then what was to come has come. It ends all the same if it is done, if it fails, if the goal is
//! reached, if it is for another task, and if an urgent goal calls.

use super::MindTick;
use crate::choose::Standing;
use crate::events::Activity;
use crate::run::Run;
use crate::time::{Tick, after};

impl<W: ?Sized> MindTick<'_, W> {
    /// Until when the step under way is gone on with; `None` if nothing is, or the type does not
    /// commit.
    pub(super) fn committed_until(&self) -> Option<Tick> {
        let commits = self.context.spec.npcs[self.mind.npc.index()].commits;
        let run = self.mind.follow.run.filter(|_| commits > 0)?;
        let is_step = matches!(run.doing, Activity::Step(_))
            && run.serial == self.mind.plan.serial
            && run.step == self.mind.plan.at
            && self.mind.plan.goal.is_some();
        is_step.then(|| after(run.since, commits))
    }

    /// Whether the step under way goes on, whatever the plan would be now; only an urgent goal may
    /// take its place.
    pub(super) fn is_committed(&self) -> bool {
        let is_young = self.committed_until().is_some_and(|until| self.context.now < until);
        is_young && !self.is_released()
    }

    /// Whether what was only just begun may end: something must be seen to, it is done, its goal is
    /// reached, or it was begun for another task.
    fn is_released(&self) -> bool {
        let mind = &*self.mind;
        let active = mind.goals.active_at().map(|at| mind.goals.all()[at].standing);
        let run = mind.follow.run;
        let has_come_true = |run: Run| {
            // Of something else its effect says nothing.
            let action = run.doing.action().filter(|_| !self.is_about_another(&run));
            action.is_some_and(|action| self.has_effect(action))
        };
        let is_done = run.is_some_and(|run| run.run == mind.picks.fulfilled || has_come_true(run));
        let is_over = active == Some(Standing::Satisfied) || mind.follow.another_task;
        mind.plan.need.is_some() || is_over || is_done
    }
}
