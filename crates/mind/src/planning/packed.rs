//! A plan as bytes and back; its steps are actions of the type.

use super::{PlanBook, Waits};
use crate::events::Cause;
use crate::known::Known;
use crate::pack::{Damaged, Packer, Unpacker};

crate::pack_choices!("cause of a plan" Cause {
    NothingToDo = 0,
    BetterGoal = 1,
    GoalIrrelevant = 2,
    PlanInvalid = 3,
    StepFailed = 4,
    PlanEnded = 5,
    GoalReached = 6,
    TryAgain = 7,
    Reloaded = 8,
});

impl PlanBook {
    pub(crate) fn pack(&self, to: &mut Packer, known: &Known<'_>) {
        let PlanBook {
            goal,
            steps,
            at,
            cost,
            cause,
            made,
            need,
            late,
            asked,
            waits,
            checked,
            broken_at,
            serial,
        } = self;
        known.pack_goal(*goal, to);
        to.number(steps.len() as u64);
        steps.iter().for_each(|&step| known.pack_action(Some(step), to));
        to.put(at).put(cost).put(cause).put(made).put(need).put(late).put(asked);
        to.put(&waits.map(|Waits { cause, since, holds_up }| (cause, since, holds_up)))
            .put(checked);
        known.pack_action(*broken_at, to);
        to.put(serial);
    }

    pub(crate) fn unpack(from: &mut Unpacker<'_>, known: &Known<'_>) -> Result<Self, Damaged> {
        let goal = known.goal(from)?;
        let mut steps = Vec::new();
        for _ in 0..from.count()? {
            steps.push(known.certain_action(from)?);
        }
        let plan = PlanBook {
            goal,
            steps,
            at: from.take()?,
            cost: from.take()?,
            cause: from.take()?,
            made: from.past(known.now)?,
            need: from.take()?,
            late: from.take()?,
            asked: from.counter()?,
            waits: waits(from, known)?,
            checked: from.take()?,
            broken_at: known.action(from)?,
            serial: from.counter()?,
        };
        // A step that ends as its plan is dropped is counted all the same: so one beyond the end.
        let fits = plan.at <= plan.steps.len() + 1 && (goal.is_some() || plan.steps.is_empty());
        if fits { Ok(plan) } else { from.damaged("step of a plan") }
    }
}

/// Since when a mind waits is a moment that has been.
fn waits(from: &mut Unpacker<'_>, known: &Known<'_>) -> Result<Option<Waits>, Damaged> {
    if !from.take::<bool>()? {
        return Ok(None);
    }
    let (cause, since, holds_up) = (from.take()?, from.past(known.now)?, from.take()?);
    Ok(Some(Waits { cause, since, holds_up }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::tests::comes_back;

    #[test]
    fn causes_come_back() {
        // The list of choices is checked by the compiler.
        comes_back::<Cause>(|trial, _| trial.any());
    }
}
