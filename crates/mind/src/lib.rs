//! Minds: one NPC in depth. Stimuli in, orders out.
//!
//! ```text
//! stimuli ─▶ sensors ─▶ memory ─▶ symbols ─▶ goals ─▶ planner ─▶ plan ─▶ orders ─▶ the game
//!    ▲                                                                                │
//!    └──────────────────────────── what became of the orders ◀────────────────────────┘
//! ```
//!
//! In:   a [`Spec`](spec::Spec) read from an `.npc` file, the game's sensors and behaviours, and
//!       what happens: stimuli, finished orders.
//! Out:  orders, events, and for every moment what the mind believes, wants, does, and why.
//! Cost: a mind with nothing to do costs one comparison per tick; nothing is allocated once warm.
//!
//! Knows no engine, does no I/O, reads no clock: time is counted in ticks by the caller. The same
//! input gives the same output for any number of threads.
#![forbid(unsafe_code)]

// So that a file of tests can be used inside the crate and outside.
#[cfg(test)]
extern crate self as throng_mind;

mod ask;
mod beside;
pub mod blackboard;
pub mod body;
pub mod chance;
pub mod channels;
pub mod choose;
mod code;
pub mod condition;
mod duty;
pub mod effects;
pub mod events;
pub mod fact;
mod fit;
mod former;
pub mod heavy;
pub mod inspect;
mod known;
pub mod memory;
mod mind;
mod minds;
mod mistakes;
pub mod notes;
pub mod orders;
mod picks;
pub mod planning;
mod progress;
pub mod questions;
mod run;
mod seldom;
pub mod select;
pub mod senses;
mod shown;
pub mod spec;
pub mod squad;
pub mod symbols;
pub mod tape;
pub mod tick;
pub mod time;
pub mod turns;
mod versions;
pub mod vocabulary;
pub mod words;

pub use body::{Acting, Behaviour, Body, Ending, Progress, Sensing, Sensor, Work};
pub use fit::{BodyError, BodyErrors, Hint, ReloadError, TypeGone};
pub use mind::{Follow, Mind};
pub use minds::{
    Dropped, Followed, FormerKind, Lost, Meanwhile, MeanwhileError, MindError, Minds, Moving,
    NamedId, Reloaded, RestoreError, Restored, SavedMinds, Totals,
};
pub use mistakes::{Mistake, Misuse};
pub use run::Run;
#[doc(hidden)]
pub use symbols::AskRules;
pub use throng_domain::compile::IdOrName;
pub use throng_planner::PreparedDomain;
pub use words::UnknownWordError;

/// What most games need to give their NPCs minds.
pub mod prelude {
    pub use crate::body::{Acting, Behaviour, Body, Ending, Progress, Sensing, Sensor, Work};
    pub use crate::events::{Event, EventKind};
    pub use crate::fact::{Attribute, EntityId, FactDraft, Position};
    pub use crate::orders::{IssuedOrder, Message, MindId, Order, OrderId, Stimulus};
    pub use crate::questions::{Ask, IssuedQuestion, Point, QuestionId, Reply};
    pub use crate::time::Tick;
    pub use crate::words::Word;
    pub use crate::{Mind, Minds};
}
