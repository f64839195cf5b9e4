//! Parts that most minds have nothing in: of those a mind has a pointer, and no more.
//!
//! In:   a part, as what is picked or asked, whose file may have no word about it.
//! Out:  the same to all that read it; what is empty is shared.
//! Cost: 8 bytes while there is nothing; else the part besides, on the heap, from the first time that
//!       it is written to.

use std::collections::VecDeque;
use std::fmt;
use std::ops::{Deref, DerefMut};
use throng_base::codec::{CodecIn, Decode, DecodeError, Decoder, Encode, Encoder};

/// What can be empty, and is the same whenever it is.
pub(crate) trait Empty: PartialEq + Default + 'static {
    /// One in which there is nothing.
    fn empty() -> &'static Self;
}

impl<T: PartialEq + 'static> Empty for Vec<T> {
    fn empty() -> &'static Self {
        const { &Vec::new() }
    }
}

impl<T: PartialEq + 'static> Empty for VecDeque<T> {
    fn empty() -> &'static Self {
        const { &VecDeque::new() }
    }
}

/// A part that is seldom anything but empty.
#[derive(Clone)]
pub(crate) struct Seldom<T>(Option<Box<T>>);

impl<T> Seldom<T> {
    /// One that is not empty, or has room.
    pub(crate) fn filled(part: T) -> Self {
        Seldom(Some(Box::new(part)))
    }

    /// Bytes on the heap, without those that the part has there itself.
    pub(crate) fn heap_bytes(&self) -> usize {
        if self.0.is_some() { size_of::<T>() } else { 0 }
    }
}

impl<T> Default for Seldom<T> {
    fn default() -> Self {
        Seldom(None)
    }
}

impl<T: Empty> From<T> for Seldom<T> {
    fn from(part: T) -> Self {
        Seldom((part != *T::empty()).then(|| Box::new(part)))
    }
}

impl<T: Empty> Deref for Seldom<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.0.as_deref().unwrap_or_else(|| T::empty())
    }
}

impl<T: Empty> DerefMut for Seldom<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.0.get_or_insert_default()
    }
}

impl<T: Empty> PartialEq for Seldom<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Empty + fmt::Debug> fmt::Debug for Seldom<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: Empty + Encode> Encode for Seldom<T> {
    fn encode(&self, to: &mut Encoder) {
        (**self).encode(to);
    }
}

impl<T: Empty + Decode> Decode for Seldom<T> {
    fn decode(from: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        T::decode(from).map(Seldom::from)
    }
}

impl<C: ?Sized, T: Empty + CodecIn<C>> CodecIn<C> for Seldom<T> {
    fn encode_in(&self, to: &mut Encoder, context: &C) {
        (**self).encode_in(to, context);
    }

    fn decode_in(from: &mut Decoder<'_>, context: &C) -> Result<Self, DecodeError> {
        T::decode_in(from, context).map(Seldom::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::beside::Besides;
    use crate::picks::Picks;
    use crate::symbols::Pauses;
    use throng_base::codec::trial::comes_back;

    /// What is written to begins as its default: it has to be what was read until then.
    fn begins_as_it_was<T: Empty + fmt::Debug>() {
        assert_eq!(T::default(), *T::empty());
        let mut part = Seldom::<T>::default();
        _ = &mut *part;
        assert!(part.heap_bytes() > 0);
        assert_eq!(part, Seldom::default());
    }

    #[test]
    fn what_is_written_to_begins_as_what_is_empty() {
        begins_as_it_was::<Vec<u32>>();
        begins_as_it_was::<VecDeque<u32>>();
        begins_as_it_was::<Besides>();
        begins_as_it_was::<Picks>();
        begins_as_it_was::<Pauses>();
    }

    #[test]
    fn parts_come_back() {
        comes_back::<Seldom<Vec<u32>>>(|trial, round| match round % 3 {
            0 => Seldom::default(),
            // Empty, and has room.
            1 => Seldom::filled(Vec::with_capacity(4)),
            _ => Seldom::filled(trial.any()),
        });
    }

    #[test]
    fn a_part_is_on_the_heap_from_when_it_is_written_to() {
        let mut part: Seldom<Vec<u32>> = Vec::new().into();
        assert_eq!((part.len(), part.heap_bytes(), size_of_val(&part)), (0, 0, 8));
        part.push(4);
        assert_eq!((part[0], part.heap_bytes()), (4, 24));
        assert!(part == vec![4].into() && part != Seldom::default());
        // What became empty is equal to what never was anything else.
        part.clear();
        assert_eq!(part, Seldom::default());
    }
}
