//! Questions: what minds ask of the game, and what it answers, at once or later.
//!
//! In:   what sensors, behaviours and checks want to know: a ray, a way, anything else.
//! Out:  [`IssuedQuestion`]s for the game, a few in each tick; the [`Reply`] to who asked, when it comes.
//! Cost: a step per question of the mind; nothing for minds that ask nothing.
//!
//! A ray or a way may take an engine longer than a mind can wait in a tick. So a mind asks, and goes
//! by what it knows until the answer is there:
//!
//! ```text
//! ask ─▶ filed ─▶ handed out (Minds::questions) ─▶ answered (Minds::answer) ─▶ who asked is told
//!                                               └▶ unanswered (two seconds)  ─┘
//! ```
//!
//! Every question has one end: it is answered, it is unanswered after [`PATIENCE_SECONDS`], or it is
//! withdrawn because its mind ends or goes out of sight. A mind has at most [`MOST_OPEN`] open, and
//! one about the same thing at a time.

mod asked;
mod codec;

pub use crate::ask::{Ask, AskKind, KEPT_SECONDS, MOST_OPEN, PATIENCE_SECONDS, Point, Reply};
pub use asked::{AskedQuestion, QuestionStatus, Questions};
pub(crate) use asked::{Asker, MOST_KEPT};

use crate::fact::EntityId;
use crate::orders::MindId;
use crate::time::Tick;

throng_base::typed_id! {
    /// A question of a mind, by number; never used for another.
    pub struct QuestionId(pub u64);
}

impl QuestionId {
    /// The question of this number of a mind.
    pub(crate) fn of(mind: MindId, number: u32) -> Self {
        QuestionId(u64::from(mind.0) << 32 | u64::from(number))
    }

    /// Whose it is.
    pub fn mind(self) -> MindId {
        MindId((self.0 >> 32) as u32)
    }

    /// Its number among those of the mind, counted from 1.
    pub fn number(self) -> u32 {
        self.0 as u32
    }
}

/// A question that the game is asked.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct IssuedQuestion {
    /// Its number, to [answer](crate::Minds::answer) it by.
    pub id: QuestionId,
    /// The mind that asks.
    pub mind: MindId,
    /// The thing of the game that it is the mind of.
    pub me: EntityId,
    /// What it wants to know.
    pub ask: Ask,
    /// From where: who asks, where he is now, unless the question says otherwise.
    pub from: Point,
    /// What it is about; `None` of a question about nothing.
    pub to: Option<Point>,
    /// When it was asked.
    pub since: Tick,
}
