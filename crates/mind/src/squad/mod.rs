//! Squads: minds that plan for several, and tasks that their members may refuse.
//!
//! ```text
//! members' minds ──where they are, what they know──▶ the squad's mind: goals, plan, steps
//!       ▲                                                        │ Order::Task
//!       └──a fact `task`; their own goals decide──── Squads ◀────┘
//!                    └────how each task ended────────────▶ the end of the order
//! ```
//!
//! In:   the `squad` statements of a file, minds, and a [`Ground`]: questions to the game's world.
//! Out:  squads formed by closeness; tasks with numbers and claims, each of which ends exactly once.
//! Cost: a look at each member per tick; forming and telling twice a second.
//!
//! A squad is a mind like any other: it has a type of the file, is told facts, plans with the
//! ordinary planner and can be inspected. It differs in what its orders are: tasks for others.
//! [`Squads::step`] runs between ticks, so minds still do not see each other within one.
//!
//! | file | holds |
//! |---|---|
//! | `squads` | the step: members that are gone, ends of tasks |
//! | `giving` | orders of squads become tasks |
//! | `forming` | groups by positions alone; members of squads |
//! | `telling` | what squads and members are told; tasks that are over are taken back |
//! | `sharing` | what one member knows all know |
//! | `leading` | who leads |
//! | `voice` | orders that are called out |
//! | `formation` | who goes where beside the leader |
//! | `task` | a task and its ends |
//! | `codec` | all of it as bytes, and back |
//! | `duty` | the member's side: its task, and its reports |
//! | `team` | the squad's side: its members, and tasks for them |
//! | `tried` | what one run has tried, so that it ends |
//! | `cover`, `advance`, `search`, `flank`, `orders` | behaviours of squads |

mod advance;
mod codec;
mod cover;
mod duty;
mod flank;
mod formation;
mod forming;
mod giving;
mod leading;
mod orders;
mod search;
mod sharing;
mod squads;
mod task;
mod team;
mod telling;
mod tried;
mod voice;

pub use crate::duty::{Duty, my_task};
pub use crate::spec::SQUAD_WORDS as WORDS;
pub use advance::{AdvanceInCover, OrderlyAdvance};
pub use cover::{GetToCover, HoldGround};
pub use duty::OnDuty;
pub use flank::{Flank, LayFire, Strike};
pub use orders::{Give, MoveInFormation};
pub use search::SearchArea;
pub use squads::{Member, Squad, Squads};
pub use task::{Task, TaskEnd, TaskEvent, TaskNews};
pub use team::{Enemy, Mate, OrderCounts, Team, assign, outcome};

use crate::fact::{EntityId, FactDraft, Position};
use crate::mind::Mind;
use crate::orders::TaskSlot;
use crate::words::Word;

/// A place that a task can be about, and what having it claims.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spot {
    /// What is claimed.
    pub slot: TaskSlot,
    /// Its position.
    pub place: Position,
}

/// What squads ask the game's world. All answers are read-only and the same for the same world.
pub trait Ground {
    /// The side that an entity is on: only those of one side form a squad. [`Word::NONE`]: on none.
    fn side(&self, who: EntityId) -> Word;

    /// What the members of a squad know that their squad should, each thing once: enemies as
    /// `character`, with `object`, `position`, and how sure each is.
    fn known_to(&self, members: &[&Mind]) -> Vec<FactDraft>;

    /// Cover within reach of a place that is free for these and protects against an enemy there;
    /// the nearest first.
    fn covers(
        &self,
        who: &[EntityId],
        around: Position,
        reach: f32,
        against: Option<Position>,
    ) -> Vec<Spot>;

    /// Places within reach where an enemy could be, free for these; the nearest first.
    fn places(&self, who: &[EntityId], around: Position, reach: f32) -> Vec<Spot>;

    /// How far it is from here to there, out of view of `unseen_by` if that is given; `None`
    /// without a way.
    fn way(&self, from: Position, to: Position, unseen_by: Option<Position>) -> Option<f32>;

    /// Whether nothing stands between two places.
    fn sees(&self, from: Position, to: Position) -> bool;

    /// Whether fire from a place keeps an enemy down that is there, or close behind something there.
    fn reaches(&self, from: Position, to: Position) -> bool;

    /// The entity that a place with a name is, if it is one: selections that claim it and tasks that
    /// are done there know of each other by it.
    fn named(&self, name: Word) -> Option<EntityId> {
        let _ = name;
        None
    }

    /// The place nearest to `near` where one can stand who comes from `from`, and where none of
    /// `taken` is. Without a word of the world: `near` itself, if there is a way.
    fn room(&self, from: Position, near: Position, taken: &[Position]) -> Option<Position> {
        let _ = taken;
        self.way(from, near, None).map(|_| near)
    }
}

/// How far it is between two places.
pub(crate) fn distance(a: Position, b: Position) -> f32 {
    a.iter().zip(&b).map(|(a, b)| (a - b) * (a - b)).sum::<f32>().sqrt()
}
