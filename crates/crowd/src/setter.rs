//! A value of a variable in a crowd's own numbers, to be written into many states.
//!
//! In:   a type, how its states are written, one value of one of its own variables.
//! Out:  that value in place of the one before, without reading the others of the state.
//! Cost: names, places and weights are looked up once; then a few multiplications or masks per
//!       NPC, and no branch.

use crate::kind::Kind;
use crate::space::Digit;
use throng_base::Digest64;
use throng_domain::compile::{LocalVariable, PackedValue, UNKNOWN};

/// A value that NPCs of a crowd may be given, with its name resolved once and for all.
///
/// It comes from [`Crowd::setter`](crate::Crowd::setter) and is good for that crowd until another
/// version of the domain is loaded; another crowd, or another version, refuses it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub struct Setter {
    /// Who made it.
    stamp: u64,
    variable: LocalVariable,
    value: PackedValue,
    place: Place,
}

/// Where the value is in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// In the number of a state.
    Number(Digit),
    /// In one of its words.
    Field { word: usize, mask: u64, bits: u64 },
    /// Nowhere that can be written alone: a number says no unknown value.
    Whole,
}

impl Setter {
    throng_base::getters! { pub(crate):
        stamp: u64;
        variable: LocalVariable;
        value: PackedValue;
    }

    /// What tells crowds apart whose states are written in another way.
    pub(crate) fn stamp_of(kind: &Kind, is_numbered: bool) -> u64 {
        let digest = kind.domain().digest().0;
        let parts = [digest as u64, (digest >> 64) as u64, kind.id().index() as u64];
        Digest64::of(parts.into_iter().chain([u64::from(is_numbered)]))
    }

    /// A private variable having a value of its own, or an unknown one.
    pub(crate) fn new(
        kind: &Kind,
        (stamp, is_numbered): (u64, bool),
        variable: LocalVariable,
        value: PackedValue,
    ) -> Setter {
        let (layout, at) = (kind.npc().layout(), variable.index());
        let place = match is_numbered {
            false => Place::Field {
                word: layout.word(at),
                mask: layout.field_mask(at),
                bits: layout.field_bits(at, value),
            },
            true if value == UNKNOWN => Place::Whole,
            true => kind.space().digit_of(variable, value).map_or(Place::Whole, Place::Number),
        };
        Setter { stamp, variable, value, place }
    }

    /// The number of a state with this value; `None` if there is none.
    #[inline]
    pub(crate) fn on_number(&self, number: u32) -> Option<u32> {
        match &self.place {
            Place::Number(digit) => Some(digit.on(number)),
            _ => None,
        }
    }

    /// Writes the value into the words of a state; whether they are others now.
    #[inline]
    pub(crate) fn on_words(&self, words: &mut [u64]) -> Option<bool> {
        let Place::Field { word, mask, bits } = self.place else { return None };
        let word = words.get_mut(word)?;
        let before = std::mem::replace(word, *word & !mask | bits);
        Some(before != *word)
    }
}
