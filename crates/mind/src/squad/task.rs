//! A task: what one member of a squad is to do, with a number, a claim and exactly one end.
//!
//! ```text
//! given ─▶ under way ⇄ elsewhere ─┬─▶ done        the member reports it
//!                                 ├─▶ failed      the member reports it, and why
//!                                 ├─▶ refused     the member did something else for too long
//!                                 ├─▶ cancelled   the squad wants something else, or is no more
//!                                 ├─▶ dead        the member's mind has ended
//!                                 └─▶ timed out   it took too long
//! ```

use crate::fact::{EntityId, Position};
use crate::orders::{MindId, OrderId, TaskSlot};
use crate::time::Tick;
use crate::words::Word;

/// How a task ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TaskEnd {
    /// The member did it.
    Done,
    /// The member could not; the word says why.
    Failed(Word),
    /// The member did something else for longer than its squad has patience.
    Refused,
    /// The squad wants it no longer, or the member has left.
    Cancelled,
    /// The member is dead, or gone.
    Dead,
    /// It took longer than tasks may.
    TimedOut,
}

impl TaskEnd {
    /// The word of a failure, as files and messages say it; `None` if it was none.
    pub fn text(self) -> Option<&'static str> {
        match self {
            TaskEnd::Done | TaskEnd::Cancelled => None,
            TaskEnd::Failed(_) => Some("failed"),
            TaskEnd::Refused => Some("refused"),
            TaskEnd::Dead => Some("dead"),
            TaskEnd::TimedOut => Some("late"),
        }
    }
}

/// A task under way.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Task {
    /// Counted from 1; never used for another.
    pub number: u32,
    /// The squad that gave it, by number.
    pub squad: u32,
    /// The order of the squad's mind.
    pub order: OrderId,
    /// The mind of the member.
    pub member: MindId,
    /// The member.
    pub to: EntityId,
    /// What is to be done.
    pub what: Word,
    /// The position to do it at.
    pub place: Position,
    /// What it claims.
    pub slot: TaskSlot,
    /// The entity that that is, if the world knows one.
    pub thing: Option<EntityId>,
    /// The entity that it is against or about.
    pub about: Option<EntityId>,
    /// The tick in which it was given.
    pub given: Tick,
    /// The tick in which the member was last at it; [`given`](Self::given) if it never was.
    pub seen: Tick,
    /// What the member does for it; [`Word::NONE`] while it does something else.
    pub doing: Word,
    /// Whether the member was told: by radio at once, by voice when the call reaches it.
    pub told: bool,
    /// The squad's action let go of it then; the next may go on with it.
    pub loose: Option<Tick>,
}

/// What happened to a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TaskEvent {
    /// It was given.
    Given,
    /// Its member knows of it: by radio as soon as it is given, by voice when the call reaches it.
    Told,
    /// It has ended.
    Ended(TaskEnd),
}

/// What happened to a task, and which it is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TaskNews {
    /// The task as it was then.
    pub task: Task,
    /// What happened.
    pub event: TaskEvent,
}

impl TaskNews {
    /// Whether the task has ended.
    pub fn is_end(&self) -> bool {
        matches!(self.event, TaskEvent::Ended(_))
    }
}
