//! The doors of a mind: messages in, orders out.
//!
//! In:   [`Message`]s into the inbox: stimuli, what others tell (as tasks of a squad), what became of
//!       orders, answers to questions.
//! Out:  [`IssuedOrder`]s, typed by the subsystem that they are for.
//! Cost: plain copies.
//!
//! An order has exactly one end: the subsystem reports it done or failed, or the mind cancels it.
//! [`Order::Emit`] has none: it is over when it is given.

mod codec;

use crate::ask::Reply;
use crate::fact::{Attribute, EntityId, FactDraft, Position};
use crate::time::Tick;
use crate::words::Word;

throng_base::typed_id! {
    /// A mind of a [`Minds`](crate::Minds), by number; never used for another.
    pub struct MindId(pub u32);
    /// An order of one mind, counted from 1: another mind has orders of the same numbers, so an
    /// order is known by its [`MindId`] and this.
    pub struct OrderId(pub u32);
}

/// What a subsystem is to do.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Order {
    /// Navigation: go there. `node` names the place if it has a name, `manner` says how.
    Move {
        /// The position to go to.
        to: Position,
        /// The named place, or [`Word::NONE`].
        node: Word,
        /// `walk`, `run`, `dive` …
        manner: Word,
    },
    /// Weapons: draw, reload, fire … at an entity.
    Weapon {
        /// What to do with it.
        what: Word,
        /// The entity aimed at; `None`: at none.
        at: Option<EntityId>,
        /// The position aimed at, where that is not the entity's own, as where it is expected;
        /// `None`: where the entity is.
        to: Option<Position>,
    },
    /// Animation: play this for so long.
    Animate {
        /// The animation.
        what: Word,
        /// For how many ticks.
        ticks: Tick,
    },
    /// Targeting: look at and aim at this.
    Target {
        /// The entity aimed at; `None`: at none.
        at: Option<EntityId>,
    },
    /// A smart object: use it.
    Use {
        /// What to do with it.
        what: Word,
        /// The entity.
        on: EntityId,
    },
    /// Squads: a member is to do this. Ended by [`Squads`](crate::squad::Squads).
    Task {
        /// What: `hold`, `suppress` …
        what: Word,
        /// The member that is to do it.
        to: EntityId,
        /// The position to do it at.
        place: Position,
        /// What no other member may have meanwhile.
        slot: TaskSlot,
        /// The entity that it is against or about.
        about: Option<EntityId>,
    },
    /// Anything else that the game understands.
    Other {
        /// What to do.
        what: Word,
        /// With which thing.
        on: Option<EntityId>,
        /// Which named thing, or [`Word::NONE`].
        name: Word,
        /// The position to do it at.
        place: Position,
        /// How much, of whatever the game counts; 0 if it counts nothing.
        amount: f32,
    },
    /// Something that others can sense is let out, as a shout. It happens when the order is given:
    /// it is never cancelled, and nothing is to be reported.
    Emit(Stimulus),
    /// The order of this number, of the same mind, is no longer wanted; nothing is to be reported
    /// any more. See [`IssuedOrder::cancels`].
    Cancel(OrderId),
}

impl Order {
    /// Whether the subsystem is to report what became of it.
    pub fn is_reported(&self) -> bool {
        !matches!(self, Order::Cancel(_) | Order::Emit(_))
    }
}

/// What a task claims: at most one task at a time has it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum TaskSlot {
    /// Nothing: others may stand there too.
    Free,
    /// A place with a name, as a cover.
    Place(Word),
    /// A thing of the game.
    Thing(EntityId),
}

impl TaskSlot {
    /// The named place that it is.
    pub(crate) fn place(self) -> Option<Word> {
        if let TaskSlot::Place(name) = self { Some(name) } else { None }
    }
}

/// An order on its way to a subsystem.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct IssuedOrder {
    /// The mind that gives it.
    pub mind: MindId,
    /// The thing of the game that the mind is the mind of.
    pub me: EntityId,
    /// Its number; 0 for [`Order::Cancel`] and [`Order::Emit`], which nothing becomes of.
    pub id: OrderId,
    /// What is to be done.
    pub order: Order,
}

impl IssuedOrder {
    /// Whether this calls that order off: it is an [`Order::Cancel`] with its number, and of the
    /// same mind.
    pub fn cancels(&self, other: &IssuedOrder) -> bool {
        matches!(self.order, Order::Cancel(id) if id == other.id) && self.mind == other.mind
    }
}

/// Something that can be sensed: a sound, a sight, a blow.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stimulus {
    /// What kind; sensors run `on` it.
    pub kind: Word,
    /// The position that it comes from.
    pub position: Position,
    /// How strong, from 0 to 1.
    pub strength: f32,
    /// How far it reaches.
    pub radius: f32,
    /// The entity that caused it.
    pub source: Option<EntityId>,
    /// The entity that it is about.
    pub object: Option<EntityId>,
    /// What happened, or [`Word::NONE`].
    pub event: Word,
    /// How much, of whatever the game counts.
    pub amount: f32,
}

impl Stimulus {
    /// Something at a place, at full strength.
    pub fn new(kind: Word, position: Position) -> Self {
        let (source, object, event) = (None, None, Word::NONE);
        Stimulus { kind, position, strength: 1.0, radius: 0.0, source, object, event, amount: 0.0 }
    }

    /// The same as a fact of the same kind.
    pub fn as_fact(&self) -> FactDraft {
        let sure = self.strength;
        FactDraft::new(self.kind)
            .with(Attribute::Position, self.position, sure)
            .with(Attribute::Stimulus, self.kind, sure)
            .with(Attribute::Radius, self.radius, sure)
            .with(Attribute::Amount, self.amount, sure)
            .with_some(Attribute::Source, self.source, sure)
            .with_some(Attribute::Object, self.object, sure)
            .with_some(Attribute::Event, Some(self.event).filter(|it| *it != Word::NONE), sure)
    }
}

impl From<Stimulus> for Message {
    fn from(stimulus: Stimulus) -> Self {
        Message::Stimulus(stimulus)
    }
}

/// Something for a mind's inbox.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Message {
    /// Something that can be sensed.
    Stimulus(Stimulus),
    /// A fact told by others, as a squad's task: remembered as it is, for a minute unless it says
    /// otherwise. What becomes of it is the mind's own affair: its goals decide.
    Told(Box<FactDraft>),
    /// The same, in place of what was told before of the same kind, `object` and `index`.
    Retold(Box<FactDraft>),
    /// What was told no longer counts: facts of this kind, told by others, that agree in all that
    /// this says are forgotten.
    Untold(Box<FactDraft>),
    /// An order was carried out.
    Done(OrderId),
    /// An order could not be carried out; the word says why.
    Failed(OrderId, Word),
    /// The game answers a question of the mind, by its number there. Games answer by
    /// [`Minds::answer`](crate::Minds::answer), which knows whether there is such a question.
    Answered(u32, Reply),
}
