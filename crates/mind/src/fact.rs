//! Facts: what a mind believes, all in one format.
//!
//! A fact has a kind (a word, open to the game), up to sixteen attributes, each with a value and
//! a confidence from 0 to 1, the moment it was last updated, the moment it expires, and its
//! writer. Which attributes it has differs from kind to kind.

mod codec;

pub(crate) use codec::{decode_attributes, encode_attributes, encode_fact, mask_of};

use crate::time::Tick;
use crate::words::Word;
use throng_base::ones;

/// A point or a direction.
pub type Position = [f32; 3];

/// A thing of the game, by the game's own number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct EntityId(pub u64);

/// Declares the attributes: what each is called in files, and what kind of value it has.
macro_rules! attributes {
    ($($(#[$doc:meta])* $attribute:ident $name:literal $sort:ident,)*) => {
        /// One of the sixteen attributes of a fact.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum Attribute {
            $($(#[$doc])* $attribute,)*
        }

        impl Attribute {
            /// All of them, in order.
            pub const ALL: [Attribute; 16] = [$(Attribute::$attribute),*];

            /// How it is written in files.
            pub fn name(self) -> &'static str {
                [$($name),*][self as usize]
            }

            /// What kind of value it has.
            pub fn sort(self) -> Sort {
                [$(Sort::$sort),*][self as usize]
            }
        }
    };
}

attributes! {
    /// Where: a place.
    Position "position" Position,
    /// Which way: a place, read as a direction.
    Direction "direction" Position,
    /// What is sensed: a word. Its confidence is how strongly.
    Stimulus "stimulus" Word,
    /// The entity that it is about: a handle.
    Object "object" Entity,
    /// Where it comes from: a handle.
    Source "source" Entity,
    /// What is felt: a word. Its confidence is how much.
    Desire "desire" Word,
    /// How far it reaches: a number.
    Radius "radius" Number,
    /// What happened: a word.
    Event "event" Word,
    /// A place with a name: a word.
    Node "node" Word,
    /// What is to be done: a word.
    Task "task" Word,
    /// What is known of it: a word.
    Knowledge "knowledge" Word,
    /// What kind of harm: a word.
    Damage "damage" Word,
    /// How much: a number.
    Amount "amount" Number,
    /// A door, window, ladder with a name: a word.
    Link "link" Word,
    /// When, in seconds: a number.
    Time "time" Number,
    /// Which one, by number.
    Index "index" Number,
}

/// What kind of value an attribute has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// A point or a direction.
    Position,
    /// A word.
    Word,
    /// A thing of the game.
    Entity,
    /// A number.
    Number,
}

impl Attribute {
    /// The attribute that is written so.
    pub fn named(name: &str) -> Option<Attribute> {
        Attribute::ALL.into_iter().find(|attribute| attribute.name() == name)
    }

    /// Whether it can have a value.
    #[inline]
    pub(crate) fn takes(self, value: Value) -> bool {
        self.sort() == value.sort() && value.is_finite()
    }
}

/// The value of an attribute.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    /// A point or a direction.
    Position(Position),
    /// A word.
    Word(Word),
    /// A thing of the game.
    Entity(EntityId),
    /// A number.
    Number(f32),
}

impl Value {
    /// What kind of value it is.
    pub fn sort(self) -> Sort {
        match self {
            Value::Position(_) => Sort::Position,
            Value::Word(_) => Sort::Word,
            Value::Entity(_) => Sort::Entity,
            Value::Number(_) => Sort::Number,
        }
    }

    /// Whether all its numbers are numbers.
    fn is_finite(self) -> bool {
        match self {
            Value::Position(place) => place.iter().all(|at| at.is_finite()),
            Value::Number(number) => number.is_finite(),
            Value::Word(_) | Value::Entity(_) => true,
        }
    }
}

macro_rules! values {
    ($($sort:ident($of:ty)),*) => {$(
        impl From<$of> for Value {
            fn from(value: $of) -> Self {
                Value::$sort(value)
            }
        }
    )*};
}

values!(Position(Position), Word(Word), Entity(EntityId), Number(f32));

/// By attribute: its value and how sure that is.
pub(crate) type Attributes = [Option<(Value, f32)>; 16];

/// A fact to be remembered, built by sensors.
///
/// ```
/// use throng_mind::fact::{Attribute, FactDraft, EntityId};
/// use throng_mind::words::Words;
///
/// let mut words = Words::default();
/// let (noise, loud) = (words.intern("noise"), words.intern("loud"));
/// let fact = FactDraft::new(noise)
///     .with(Attribute::Position, [3.0, 4.0, 0.0], 1.0)
///     .with(Attribute::Stimulus, loud, 0.7)
///     .with(Attribute::Object, EntityId(7), 1.0);
/// assert_eq!(fact.kind, noise);
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct FactDraft {
    /// What kind of fact.
    pub kind: Word,
    /// How long it is to be believed, in ticks; `None` for what the sensor's `keeps` says.
    pub keep: Option<Tick>,
    /// By attribute: value and confidence.
    pub attributes: Attributes,
    /// By attribute, a bit: it was given what it cannot be.
    pub(crate) wrong: u16,
}

/// Drafts are equal if they say the same.
impl PartialEq for FactDraft {
    fn eq(&self, other: &Self) -> bool {
        let FactDraft { kind, keep, attributes, wrong: _ } = self;
        (kind, keep, attributes) == (&other.kind, &other.keep, &other.attributes)
    }
}

impl FactDraft {
    /// A fact without attributes.
    #[inline]
    pub fn new(kind: Word) -> Self {
        FactDraft { kind, keep: None, attributes: [None; 16], wrong: 0 }
    }

    /// The same with an attribute; confidence is brought into 0 to 1. A value of the wrong sort, or
    /// one that is no number, is left out: [`wrong`](Self::wrong) says so, and if the fact is
    /// written nonetheless, so do [`Minds::mistakes`](crate::Minds::mistakes).
    pub fn with(mut self, attribute: Attribute, value: impl Into<Value>, confidence: f32) -> Self {
        let value = value.into();
        if attribute.takes(value) {
            let confidence = if confidence.is_nan() { 0.0 } else { confidence.clamp(0.0, 1.0) };
            self.attributes[attribute as usize] = Some((value, confidence));
        } else {
            self.wrong |= 1 << attribute as u16;
        }
        self
    }

    /// The same with an attribute, if there is a value for it.
    pub fn with_some(
        self,
        attribute: Attribute,
        value: Option<impl Into<Value>>,
        confidence: f32,
    ) -> Self {
        match value {
            Some(value) => self.with(attribute, value, confidence),
            None => self,
        }
    }

    /// The same without what [`with`](Self::with) would not have taken.
    pub(crate) fn cleaned(&self) -> Self {
        let given = Attribute::ALL.into_iter().zip(self.attributes);
        let empty = FactDraft { attributes: [None; 16], ..*self };
        given.fold(empty, |draft, (attribute, given)| match given {
            Some((value, sure)) => draft.with(attribute, value, sure),
            None => draft,
        })
    }

    /// The attributes that were given what they cannot be.
    pub fn wrong(&self) -> impl Iterator<Item = Attribute> + use<> {
        attributes_of(self.wrong)
    }

    /// The same, believed for so many ticks.
    pub fn keep(mut self, ticks: Tick) -> Self {
        self.keep = Some(ticks);
        self
    }
}

/// The attributes whose bits are set.
pub(crate) fn attributes_of(bits: u16) -> impl Iterator<Item = Attribute> + use<> {
    ones(bits.into()).filter_map(|at| Attribute::ALL.get(at).copied())
}
