//! Events: what happened in minds, as plain data, for stories, recordings and figures.

use crate::ask::AskKind;
use crate::effects::Circle;
use crate::orders::MindId;
use crate::picks::{Key, PickReason};
use crate::progress::Ending;
use crate::time::Tick;
use crate::words::Word;
use throng_base::codec::{Encode, Encoder};
use throng_base::encode_enum;
use throng_domain::model::{ActionId, GoalId};

/// Why a mind planned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cause {
    /// It had neither goal nor plan.
    NothingToDo,
    /// Another goal became the best.
    BetterGoal,
    /// The goal lost its relevance.
    GoalIrrelevant,
    /// The rest of the plan would not work any more, as things are.
    PlanInvalid,
    /// A step failed.
    StepFailed,
    /// The last step was done and the goal does not hold.
    PlanEnded,
    /// The goal holds: what next?
    GoalReached,
    /// Before, no plan was found; something has changed since.
    TryAgain,
    /// The domain was replaced.
    Reloaded,
    /// What it is about was exchanged: the slot that it names holds something else.
    Reselected,
    /// The goal reconsiders, and there is a cheaper plan.
    Cheaper,
}

/// What was done, and how it began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Activity {
    /// A step of a plan.
    Step(ActionId),
    /// What the mind does when it has no plan.
    Otherwise(ActionId),
    /// A flavour, by position in the spec.
    Flavour(u16),
    /// Something beside the step, by position in the spec.
    Beside(u16),
}

impl Activity {
    /// The action of the domain that is done, if it is one.
    #[must_use]
    pub fn action(self) -> Option<ActionId> {
        match self {
            Activity::Step(action) | Activity::Otherwise(action) => Some(action),
            Activity::Flavour(_) | Activity::Beside(_) => None,
        }
    }
}

/// What happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EventKind {
    /// A goal became active; `None`: there is none.
    Goal(Option<GoalId>),
    /// A plan of so many steps was made.
    Planned {
        /// Why it was asked for.
        cause: Cause,
        /// The goal that it is for.
        goal: GoalId,
        /// The number of its steps.
        steps: u16,
    },
    /// A plan was asked for and there is none for any goal that matters.
    NoPlan(Cause),
    /// A plan is wanted, and it is not this mind's turn to ask the planner yet.
    Waits(Cause),
    /// An action was started; runs are counted from 1 for each mind.
    Started {
        /// The run, counted from 1 for each mind.
        run: u32,
        /// The step, flavour or `otherwise` action, or what is done beside.
        doing: Activity,
        /// The kind chosen, for actions with kinds.
        kind: Option<Word>,
    },
    /// The run has ended.
    Ended {
        /// The run, counted from 1 for each mind.
        run: u32,
        /// The step, flavour or `otherwise` action, or what is done beside.
        doing: Activity,
        /// Done, failed or cancelled.
        how: Ending,
    },
    /// What is done beside the step, by position in the spec, has ordered a way without having the
    /// legs: the order was not given.
    WrongChannel(u16),
    /// A step was left out because the world had done it.
    Skipped(ActionId),
    /// An action was done, and what it should bring about does not hold.
    NoEffect(ActionId),
    /// An action is not trusted for a while.
    Doubted(ActionId),
    /// An action was learnt.
    Learnt(ActionId),
    /// A slot holds something else.
    Picked {
        /// The slot, by position among those of the file:
        /// [`Spec::slot_name`](crate::spec::Spec::slot_name).
        slot: u16,
        /// What it holds; [`Key::None`]: nothing.
        now: Key,
        /// What it held.
        before: Key,
        /// Its score, in thousandths.
        score: u16,
        /// Why it changed.
        why: PickReason,
    },
    /// An action tells others something, as the file says with `tells`.
    Tells {
        /// The kind of the fact.
        kind: Word,
        /// What it is about.
        about: Key,
        /// To whom; `None`: to all who are near.
        to: Option<Circle>,
    },
    /// Another has told it something, which it knows from the next tick on. What all are told is in
    /// the shared memory, and nobody's event.
    Told {
        /// The kind of the fact.
        kind: Word,
        /// What it is about.
        about: Key,
        /// Who told it.
        by: MindId,
    },
    /// The game did not answer a question in time.
    Unanswered {
        /// What was asked.
        what: AskKind,
        /// What it is about; [`Key::None`]: a bare place, or nothing.
        about: Key,
        /// Whether the game had it; else it waited for its turn.
        handed_out: bool,
    },
    /// A sensor did heavy work; by position in the spec.
    Heavy(u16),
    /// The code of this sensor or behaviour made a mistake: which is in
    /// [`Minds::mistakes`](crate::Minds::mistakes). Not recorded: a replay calls no code.
    Mistake(Word),
}

impl EventKind {
    /// Whether it only tells of what orders, facts and other events follow from or lead to as well.
    /// It is in no digest, so that it can be told more fully.
    #[must_use]
    pub fn is_for_readers(self) -> bool {
        matches!(self, EventKind::Tells { .. } | EventKind::Told { .. })
    }
}

/// Something that happened in a mind, at a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// The tick.
    pub at: Tick,
    /// The mind.
    pub mind: MindId,
    /// What happened.
    pub what: EventKind,
}

encode_enum!(Activity { 0 => Step(action), 1 => Otherwise(action), 2 => Flavour(at), 3 => Beside(at) });

encode_enum!(EventKind {
    0 => Goal(goal),
    1 => Planned { cause, goal, steps },
    2 => NoPlan(cause),
    3 => Waits(cause),
    4 => Started { run, doing, kind },
    5 => Ended { run, doing, how },
    6 => Skipped(action),
    7 => NoEffect(action),
    8 => Doubted(action),
    9 => Learnt(action),
    10 => Heavy(sensor),
    11 => Mistake(by),
    12 => Picked { slot, now, before, score, why },
    13 => Tells { kind, about, to },
    14 => Told { kind, about, by },
    15 => Unanswered { what, about, handed_out },
    16 => WrongChannel(at),
});

encode_enum!(Ending { 0 => Done, 1 => Failed(why), 2 => Cancelled });

/// Only written, into digests: to read one takes the file.
impl Encode for Event {
    fn encode(&self, to: &mut Encoder) {
        let Event { at, mind, what } = self;
        to.write(at).write(mind).write(what);
    }
}
