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
    /// There is no plan for the goal that matters most.
    NoPlan(GoalId),
    /// The planner's budget was not enough for the goal that matters most.
    GaveUp(GoalId),
    /// The goal that matters most was left not long ago and rests.
    Rests(GoalId),
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
            IdleReason::NoPlan(goal) => of(goal, "there is no plan for"),
            IdleReason::GaveUp(goal) => of(goal, "the planner gave up on"),
            IdleReason::Rests(goal) => of(goal, "it left not long ago, and rests from"),
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
            IdleReason::NoPlan(_) => "no_plan",
            IdleReason::GaveUp(_) => "gave_up",
            IdleReason::Rests(_) => "rests",
            IdleReason::Waits => "waits",
            IdleReason::Between => "between",
        }
    }

    /// The goal that it is about.
    pub fn goal(self) -> Option<GoalId> {
        match self {
            IdleReason::NoPlan(goal) | IdleReason::GaveUp(goal) | IdleReason::Rests(goal) => {
                Some(goal)
            }
            _ => None,
        }
    }
}

impl Mind {
    /// Why it has nothing to do; `None` if a step or a flavour is under way.
    pub fn idles(&self) -> Option<IdleReason> {
        match self.follow.run().map(|run| run.doing) {
            None | Some(Activity::Otherwise(_)) => {}
            Some(Activity::Step(_) | Activity::Flavour(_)) => return None,
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
                _ => IdleReason::NoPlan(goal.goal),
            },
            None if goals.is_empty() => IdleReason::NoGoals,
            None if !any(Standing::Irrelevant) => IdleReason::AllHolds,
            None if any(Standing::Satisfied) => IdleReason::AllHoldsOrDoesNotMatter,
            None => IdleReason::NothingMatters,
        })
    }
}
