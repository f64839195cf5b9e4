//! A plan as bytes and back; its steps are actions of the type.

use super::{PlanBook, Waits};
use crate::events::Cause;
use crate::known::Known;
use throng_base::{codec_enum, codec_struct};

codec_enum!("cause of a plan" Cause {
    0 => NothingToDo,
    1 => BetterGoal,
    2 => GoalIrrelevant,
    3 => PlanInvalid,
    4 => StepFailed,
    5 => PlanEnded,
    6 => GoalReached,
    7 => TryAgain,
    8 => Reloaded,
});

codec_struct!(in known: Known<'_>; Waits { cause, since: past(known.now), holds_up });

codec_struct!(
    in known: Known<'_>;
    PlanBook {
        goal in known,
        steps in known,
        at,
        cost,
        cause,
        made: past(known.now),
        need,
        late,
        asked: counter,
        waits in known,
        checked,
        broken_at in known,
        serial: counter,
    }
    // A step that ends as its plan is dropped is counted all the same: so one beyond the end.
    where |plan| plan.at <= plan.steps.len() + 1
        && (plan.goal.is_some() || plan.steps.is_empty()),
        "step of a plan"
);

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::comes_back;

    #[test]
    fn causes_come_back() {
        // The list of choices is checked by the compiler.
        comes_back::<Cause>(|trial, _| trial.any());
    }
}
