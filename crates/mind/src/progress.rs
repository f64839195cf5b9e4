//! What the game's code answers: how much a sensor did, how far an action has got, how it ended.

use crate::time::Tick;
use crate::words::Word;

/// How much a sensor did.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Work {
    /// Nothing to speak of.
    Light,
    /// A path, a ray, a sort: enough for this mind and tick.
    Heavy,
}

/// How far an action has got.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// Ask again next tick.
    Running,
    /// Ask again when one of its orders has ended.
    Waiting,
    /// Ask again at this moment, or when one of its orders has ended.
    Until(Tick),
    /// It is done.
    Done,
    /// It cannot be done; the word says why.
    Failed(Word),
}

/// How an action ended. Every action that was started ends exactly once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// It did what it is for.
    Done,
    /// It could not; the word says why.
    Failed(Word),
    /// It was not wanted any more.
    Cancelled,
}
