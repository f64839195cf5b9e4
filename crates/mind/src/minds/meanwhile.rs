//! What happened to a mind while others saw to it: values, and how far its plan is done.
//!
//! In:   a mind that was [put aside](Minds::put_aside) and is back, and what became of it.
//! Out:  the same mind as if it had known: it goes on from there.
//! Cost: a pass over what has changed; not for the frame.
//!
//! What was under way when the mind left is cancelled, once, with its orders: others went on from
//! there, so the step has been done by them or is begun anew. Memory, doubts and what was learnt
//! stay as they were; what has expired is forgotten in the next tick, and what it asked of the game is
//! withdrawn. Values that a `symbol` rule
//! speaks of are believed until the senses have looked, as after an action of the mind's own.

use super::Minds;
use crate::orders::MindId;
use crate::tape::MindCall;
use throng_domain::compile::{PackedValue, UNKNOWN};
use throng_domain::model::{ActionId, GoalId, ValueId, VariableId};

/// What became of the plan of a mind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Followed<'m> {
    /// So many more steps of it have been done.
    Own {
        /// How many steps, counted from the one under way or next.
        done: usize,
    },
    /// There is another one by now.
    Other {
        /// The goal that it is for.
        goal: GoalId,
        /// What is left to do.
        steps: &'m [ActionId],
        /// What that costs, in thousandths.
        cost: u64,
    },
}

/// What happened to a mind while others saw to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Meanwhile<'m> {
    /// Variables that have another value now; `None`: the value is unknown.
    pub values: &'m [(VariableId, Option<ValueId>)],
    /// What became of its plan.
    pub plan: Followed<'m>,
}

/// What cannot have happened to a mind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MeanwhileError {
    /// There is no such mind.
    NoMind,
    /// The domain has no such variable, or no such value of it.
    Value(VariableId),
    /// The plan does not have so many steps left.
    Steps(usize),
    /// Its type does not want this.
    Goal(GoalId),
    /// Its type cannot do this.
    Action(ActionId),
}

throng_base::error! { MeanwhileError {
    Self::NoMind => "there is no such mind";
    Self::Value(variable) => "variable {variable} does not have such a value";
    Self::Steps(done) => "its plan does not have {done} steps left to do";
    Self::Goal(goal) => "its type does not want goal {goal}";
    Self::Action(action) => "its type cannot do action {action}";
} }

impl<W: ?Sized + Sync> Minds<W> {
    /// Tells a mind that is back what happened meanwhile. Orders and events of the action that is
    /// cancelled are with those of the last tick.
    ///
    /// # Errors
    ///
    /// Something that cannot have happened to it; then nothing has.
    pub fn catch_up(
        &mut self,
        id: MindId,
        meanwhile: &Meanwhile<'_>,
        world: &W,
    ) -> Result<(), MeanwhileError> {
        self.fits(id, meanwhile)?;
        let Some(mind) = self.mind(id) else { return Err(MeanwhileError::NoMind) };
        let need = mind.plan.need;
        if mind.follow.is_busy() {
            // It is there.
            let _ = self.interrupt(id, world);
        }
        let (spec, now) = (std::sync::Arc::clone(&self.spec), self.now);
        let Some(mind) = self.mind_mut(id) else { return Err(MeanwhileError::NoMind) };
        // It need not think anew because of what has been cancelled.
        mind.plan.need = need;
        // What it wanted to know then is of no use now.
        mind.questions.withdraw();
        for &(variable, value) in meanwhile.values {
            let value = value.map_or(UNKNOWN, |value| value.index() as PackedValue);
            mind.state.carry(&spec, variable, value, now);
        }
        match meanwhile.plan {
            Followed::Own { done } => mind.plan.at += done,
            Followed::Other { goal, steps, cost } => {
                mind.plan.take_over(goal, steps, cost, now);
                let at = mind.goals.all().iter().position(|standings| standings.goal == goal);
                mind.goals.activate(&spec, at, now);
            }
        }
        mind.wake = 0;
        let mind = mind.clone();
        self.forget_questions(id);
        self.tape.door(mind.id, MindCall::Back, |to| mind.encode(&spec, to));
        Ok(())
    }

    fn fits(&self, id: MindId, meanwhile: &Meanwhile<'_>) -> Result<(), MeanwhileError> {
        let mind = self.mind(id).ok_or(MeanwhileError::NoMind)?;
        let (map, kind) = (self.spec.domain.map(), self.spec.domain.npc(mind.npc));
        for &(variable, value) in meanwhile.values {
            let known = variable.index() < map.n_variables();
            let n_values = if known { map.n_values(variable) } else { 0 };
            if !known || value.is_some_and(|value| value.index() >= n_values) {
                return Err(MeanwhileError::Value(variable));
            }
        }
        match meanwhile.plan {
            Followed::Own { done } => {
                let left = mind.plan.steps.len().saturating_sub(mind.plan.at);
                if done > left { Err(MeanwhileError::Steps(done)) } else { Ok(()) }
            }
            Followed::Other { goal, steps, .. } => {
                if !kind.goals().contains(&goal) {
                    return Err(MeanwhileError::Goal(goal));
                }
                let cannot = steps.iter().find(|&&action| kind.local_action(action).is_none());
                cannot.map_or(Ok(()), |&action| Err(MeanwhileError::Action(action)))
            }
        }
    }
}
