//! Why a mind has nothing to do.
//!
//! In:   a mind.
//! Out:  an [`IdleReason`], and the same in words.
//! Cost: a look at its goals.

use super::goal_name;
use crate::choose::Standing;
use crate::events::Activity;
use crate::mind::Mind;
use crate::spec::Spec;
use crate::time::Tick;
use throng_domain::model::GoalId;

/// Why a mind has nothing to do, or only what it does without a plan.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum IdleReason {
    /// Its type has no goals.
    NoGoals,
    /// All that it wants holds.
    AllHolds,
    /// What does not hold does not matter now.
    AllHoldsOrDoesNotMatter,
    /// Nothing that it wants matters now.
    NothingMatters,
    /// It is a member of a squad that has no task for it, and nothing else matters to it.
    NoTask,
    /// There is no plan for the goal that matters most.
    NoPlan(GoalId),
    /// The same, while something that it can do is not there for a while: it failed, had no effect,
    /// cools, or waits for its chance.
    Pauses(GoalId),
    /// The planner's budget was not enough for the goal that matters most.
    GaveUp(GoalId),
    /// The goal that matters most was left not long ago and rests.
    Rests(GoalId),
    /// Something that mattered more than this was reached a moment ago, and lingers.
    HeldBack(GoalId),
    /// It waits for its turn to ask the planner.
    Waits,
    /// It has a plan, and nothing of it is under way.
    Between,
}

impl IdleReason {
    /// In words.
    pub fn words(self, spec: &Spec) -> String {
        let of = |goal, what: &str| format!("{what} `{}`", goal_name(spec, goal));
        match self {
            IdleReason::NoGoals => "it wants nothing".to_string(),
            IdleReason::AllHolds => "all it wants holds".to_string(),
            IdleReason::AllHoldsOrDoesNotMatter => {
                "all it wants holds, or does not matter now".to_string()
            }
            IdleReason::NothingMatters => "nothing it wants matters now".to_string(),
            IdleReason::NoTask => "its squad has no task for it".to_string(),
            IdleReason::NoPlan(goal) => of(goal, "there is no plan for"),
            IdleReason::Pauses(goal) => {
                of(goal, "something has failed, cools or waits for its chance; no plan for")
            }
            IdleReason::GaveUp(goal) => of(goal, "the planner gave up on"),
            IdleReason::Rests(goal) => of(goal, "it left not long ago, and rests from"),
            IdleReason::HeldBack(goal) => of(goal, "what it has just reached lingers, before"),
            IdleReason::Waits => "it waits for its turn to plan".to_string(),
            IdleReason::Between => "it is between two steps".to_string(),
        }
    }

    /// A stable word for programs.
    pub fn code(self) -> &'static str {
        match self {
            IdleReason::NoGoals => "no_goals",
            IdleReason::AllHolds => "all_holds",
            IdleReason::AllHoldsOrDoesNotMatter => "all_holds_or_does_not_matter",
            IdleReason::NothingMatters => "nothing_matters",
            IdleReason::NoTask => "no_task",
            IdleReason::NoPlan(_) => "no_plan",
            IdleReason::Pauses(_) => "pauses",
            IdleReason::GaveUp(_) => "gave_up",
            IdleReason::Rests(_) => "rests",
            IdleReason::HeldBack(_) => "held_back",
            IdleReason::Waits => "waits",
            IdleReason::Between => "between",
        }
    }

    /// The goal that it is about.
    pub fn goal(self) -> Option<GoalId> {
        match self {
            IdleReason::NoPlan(goal)
            | IdleReason::Pauses(goal)
            | IdleReason::GaveUp(goal)
            | IdleReason::Rests(goal)
            | IdleReason::HeldBack(goal) => Some(goal),
            _ => None,
        }
    }
}

impl Mind {
    /// Why it has nothing to do; `None` if a step or a flavour is under way.
    pub fn idles(&self, spec: &Spec, now: Tick) -> Option<IdleReason> {
        match self.follow.run().map(|run| run.doing) {
            None | Some(Activity::Otherwise(_)) => {}
            Some(Activity::Step(_) | Activity::Flavour(_) | Activity::Beside(_)) => return None,
        }
        if self.plan.waits.is_some() {
            return Some(IdleReason::Waits);
        }
        let goals = self.goals.all();
        if self.goals.active().is_some() || self.plan.goal().is_some() {
            return Some(IdleReason::Between);
        }
        let any = |of: Standing| goals.iter().any(|goal| goal.standing == of);
        let wanted = goals
            .iter()
            .filter(|goal| !matches!(goal.standing, Standing::Satisfied | Standing::Irrelevant));
        let most = wanted.max_by(|a, b| a.score.total_cmp(&b.score));
        Some(match most {
            Some(goal) => match goal.standing {
                Standing::GaveUp => IdleReason::GaveUp(goal.goal),
                Standing::Resting => IdleReason::Rests(goal.goal),
                Standing::HeldBack => IdleReason::HeldBack(goal.goal),
                _ if self.is_held_up(now) => IdleReason::Pauses(goal.goal),
                _ => IdleReason::NoPlan(goal.goal),
            },
            None if goals.is_empty() => IdleReason::NoGoals,
            None if any(Standing::Irrelevant) && self.lacks_a_task(spec) => IdleReason::NoTask,
            None if !any(Standing::Irrelevant) => IdleReason::AllHolds,
            None if any(Standing::Satisfied) => IdleReason::AllHoldsOrDoesNotMatter,
            None => IdleReason::NothingMatters,
        })
    }

    /// Whether something that it can do is not there for a while.
    fn is_held_up(&self, now: Tick) -> bool {
        let paused = self.state.pauses.paused.words().iter().any(|&word| word != 0);
        paused || self.state.doubts.iter().any(|doubt| doubt.until > now)
    }

    /// Whether it is a member of a squad that has told it no task.
    fn lacks_a_task(&self, spec: &Spec) -> bool {
        let task = spec.squad_words.task;
        let is_member = spec.squads.iter().any(|squad| squad.of.contains(&self.npc));
        is_member && self.squad.is_some() && self.memory.of_kind(task).next().is_none()
    }
}
