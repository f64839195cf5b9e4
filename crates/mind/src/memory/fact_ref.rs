//! A fact in memory, to be read.
//!
//! In:   a slot and the attributes behind it.
//! Out:  what the fact says.
//! Cost: an attribute that is not there costs one test; one that is, a step per attribute before
//!       it.

use super::pool::Pool;
use super::{FactId, Slot};
use crate::fact::{Attribute, EntityId, Position, Value};
use crate::time::Tick;
use crate::words::Word;
use std::fmt;

/// A fact in memory.
#[derive(Clone, Copy)]
pub struct FactRef<'m> {
    pub(super) id: FactId,
    pub(super) slot: &'m Slot,
    pub(super) pool: &'m Pool,
}

impl<'m> FactRef<'m> {
    /// Its id.
    #[inline]
    pub fn id(self) -> FactId {
        self.id
    }

    /// Its kind.
    #[inline]
    pub fn kind(self) -> Word {
        self.slot.kind
    }

    /// Its writer: the name of a sensor or an action.
    #[inline]
    pub fn writer(self) -> Word {
        self.slot.writer
    }

    /// When it was last updated.
    #[inline]
    pub fn updated(self) -> Tick {
        self.slot.updated
    }

    /// When it will be forgotten.
    #[inline]
    pub fn expires(self) -> Tick {
        self.slot.expires
    }

    /// An attribute's value and confidence.
    #[inline]
    pub fn get(self, attribute: Attribute) -> Option<(Value, f32)> {
        self.pool.get(self.slot.chain(), attribute as usize)
    }

    /// An attribute's confidence; 0 without the attribute.
    #[inline]
    pub fn sure(self, attribute: Attribute) -> f32 {
        self.pool.sure(self.slot.chain(), attribute as usize).unwrap_or(0.0)
    }

    /// An attribute that is a word.
    #[inline]
    pub fn word(self, attribute: Attribute) -> Option<Word> {
        match self.get(attribute) {
            Some((Value::Word(word), _)) => Some(word),
            _ => None,
        }
    }

    /// An attribute that is a number.
    #[inline]
    pub fn number(self, attribute: Attribute) -> Option<f32> {
        match self.get(attribute) {
            Some((Value::Number(number), _)) => Some(number),
            _ => None,
        }
    }

    /// An attribute that is a thing of the game.
    #[inline]
    pub fn entity(self, attribute: Attribute) -> Option<EntityId> {
        match self.get(attribute) {
            Some((Value::Entity(handle), _)) => Some(handle),
            _ => None,
        }
    }

    /// An attribute that is a place.
    #[inline]
    pub fn position(self, attribute: Attribute) -> Option<Position> {
        match self.get(attribute) {
            Some((Value::Position(place), _)) => Some(place),
            _ => None,
        }
    }
}

impl fmt::Debug for FactRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Fact");
        shown.field("id", &self.id).field("kind", &self.kind()).field("writer", &self.writer());
        shown.field("updated", &self.updated()).field("expires", &self.expires());
        for attribute in Attribute::ALL {
            if let Some(known) = self.get(attribute) {
                shown.field(attribute.name(), &known);
            }
        }
        shown.finish()
    }
}
