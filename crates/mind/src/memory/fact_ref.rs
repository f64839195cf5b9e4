//! A fact in memory, to be read.
//!
//! In:   a slot and the attributes behind it.
//! Out:  what the fact says.
//! Cost: an attribute that is not there costs one test; one that is, a step per attribute before
//!       it.

use super::pool::Pool;
use super::{FactId, Slot};
use crate::fact::{Attribute, EntityId, FactDraft, Position, Value, mask_of};
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
        self.pool.get(self.slot.record(), attribute as usize)
    }

    /// Whether it has an attribute.
    #[inline]
    pub(crate) fn has(self, attribute: Attribute) -> bool {
        self.slot.mask >> attribute as usize & 1 == 1
    }

    /// An attribute's confidence; 0 without the attribute.
    #[inline]
    pub fn sure(self, attribute: Attribute) -> f32 {
        self.pool.sure(self.slot.record(), attribute as usize).unwrap_or(0.0)
    }

    /// Whether it has the values of a draft in these attributes, however sure.
    pub(crate) fn agrees(
        self,
        draft: &FactDraft,
        same: impl IntoIterator<Item = Attribute>,
    ) -> bool {
        let value = |known: Option<(Value, f32)>| known.map(|(value, _)| value);
        let wanted = |at: Attribute| value(draft.attributes[at as usize]);
        same.into_iter().all(|at| value(self.get(at)) == wanted(at))
    }

    /// Whether it has an attribute that a draft has not.
    #[inline]
    pub fn says_more_than(self, draft: &FactDraft) -> bool {
        self.slot.mask & !mask_of(&draft.attributes) != 0
    }

    /// All that it says, as a draft.
    pub fn draft(self) -> FactDraft {
        let mut draft = FactDraft::new(self.kind());
        self.pool
            .all(self.slot.record())
            .for_each(|(at, known)| draft.attributes[at] = Some(known));
        draft
    }
}

/// The value of an attribute, if it is of a sort.
macro_rules! values {
    ($($(#[$doc:meta])* $name:ident: $sort:ident($of:ty);)*) => {
        impl FactRef<'_> {$(
            $(#[$doc])*
            #[inline]
            pub fn $name(self, attribute: Attribute) -> Option<$of> {
                match self.get(attribute) {
                    Some((Value::$sort(value), _)) => Some(value),
                    _ => None,
                }
            }
        )*}
    };
}

values! {
    /// An attribute that is a word.
    word: Word(Word);

    /// An attribute that is a number.
    number: Number(f32);

    /// An attribute that is a thing of the game.
    entity: Entity(EntityId);

    /// An attribute that is a place.
    position: Position(Position);
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
