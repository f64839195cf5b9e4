//! An action under way.
//!
//! In:   what [`tick`](crate::tick) starts.
//! Out:  plain data.
//! Cost: none.

use crate::events::Activity;
use crate::time::Tick;
use crate::words::Word;

/// When a behaviour wants to be asked again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AskAgain {
    /// When an order has ended.
    Orders,
    /// Then, or when an order has ended.
    At(Tick),
    /// It is done already, which counts from then on.
    Over(Tick),
}

/// An action under way, or something beside it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Run {
    /// Counted from 1 for each mind.
    pub run: u32,
    /// The step, flavour or `otherwise` action, or what is done beside.
    pub doing: Activity,
    /// The kind chosen at start, for actions with kinds.
    pub kind: Option<Word>,
    /// The tick in which it was started.
    pub since: Tick,
    /// Of a compound, the part under way and since when.
    pub(crate) part: u16,
    pub(crate) part_since: Tick,
    pub(crate) ask: AskAgain,
    pub(crate) state: u64,
    /// Of a step, which plan and which of its steps.
    pub(crate) serial: u32,
    pub(crate) step: usize,
}
