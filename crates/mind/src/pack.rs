//! Plain data as bytes and back: what saved games and recordings are made of.
//!
//! In:   values; or bytes from anywhere, not to be trusted.
//! Out:  the same as bytes; or the values, or where the bytes are wrong.
//! Cost: small numbers take one byte; reading never allocates more than the bytes can fill.
//!
//! Numbers are written seven bits a byte, lowest first; floats bit by bit, so that what is read is
//! exactly what was written. Nothing is self-describing: reader and writer are of one version,
//! which the file that holds the bytes states.

mod checksum;
mod facts;
pub mod trial;

pub use checksum::checksum;

use crate::time::Tick;
use crate::words::Word;
use std::fmt;
use std::sync::Arc;

/// Bytes that are not what they should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Damaged {
    /// How many bytes were read before.
    pub at: usize,
    /// What was to be read there.
    pub what: &'static str,
}

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: this is no {}", self.at, self.what)
    }
}

impl std::error::Error for Damaged {}

/// Bytes being written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Packer {
    /// What was written so far.
    pub bytes: Vec<u8>,
}

impl Packer {
    /// Writes a value.
    pub fn put<T: Pack>(&mut self, value: &T) -> &mut Self {
        value.pack(self);
        self
    }

    /// Writes a text.
    pub fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.bytes.extend(text.as_bytes());
    }

    /// Writes all that `fill` does as one whole: with its length, and a number over its bytes by
    /// which damage is found before anything is read of it.
    pub fn seal(&mut self, fill: impl FnOnce(&mut Packer)) {
        let mut whole = Packer::default();
        fill(&mut whole);
        self.number(whole.bytes.len() as u64);
        self.bytes.extend(&whole.bytes);
        self.bytes.extend(checksum(0, &whole.bytes).to_le_bytes());
    }

    /// Writes a number, seven bits a byte.
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }
}

/// Bytes being read.
#[derive(Clone, Debug)]
pub struct Unpacker<'b> {
    bytes: &'b [u8],
    at: usize,
    /// How many words there are; what is read as a word is one of them, or none.
    words: u32,
    /// What the words of another table are in this one.
    were: Option<Arc<[Word]>>,
}

impl<'b> Unpacker<'b> {
    /// From the first byte on.
    pub fn new(bytes: &'b [u8]) -> Self {
        Unpacker { bytes, at: 0, words: u32::MAX, were: None }
    }

    /// From now on words are those of a table of this length: others are damage. Gives what held
    /// before.
    pub fn limit_words(&mut self, words: u32) -> u32 {
        std::mem::replace(&mut self.words, words)
    }

    /// From now on words are numbers of another table, and are read as what they are in this one,
    /// by position; `None`: no longer. [`Restored::words`](crate::Restored::words) has such a list.
    pub fn map_words(&mut self, were: Option<Arc<[Word]>>) {
        self.were = were;
    }

    /// How many bytes were read.
    pub fn at(&self) -> usize {
        self.at
    }

    /// How many bytes are left.
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// This is no such thing.
    pub fn damaged<T>(&self, what: &'static str) -> Result<T, Damaged> {
        Err(Damaged { at: self.at, what })
    }

    /// Reads a value.
    ///
    /// # Errors
    ///
    /// The bytes are no such value.
    pub fn take<T: Pack>(&mut self) -> Result<T, Damaged> {
        T::unpack(self)
    }

    /// Reads so many bytes.
    ///
    /// # Errors
    ///
    /// There are fewer.
    pub fn raw(&mut self, count: usize) -> Result<&'b [u8], Damaged> {
        let Some(bytes) = self.bytes[self.at..].get(..count) else {
            return self.damaged("whole entry: the end is missing");
        };
        self.at += count;
        Ok(bytes)
    }

    /// Goes past a whole that was [sealed](Packer::seal), and gives what reads it.
    ///
    /// # Errors
    ///
    /// It is not as it was written.
    pub fn unseal(&mut self) -> Result<Unpacker<'b>, Damaged> {
        let before = self.clone();
        let count = self.count()?;
        let at = self.at;
        let whole = self.raw(count)?;
        if self.raw(8)? != checksum(0, whole).to_le_bytes() {
            return before.damaged("whole as it was written: its checksum does not fit");
        }
        let were = self.were.clone();
        Ok(Unpacker { bytes: &self.bytes[..at + count], at, words: self.words, were })
    }

    /// Reads a number written seven bits a byte.
    ///
    /// # Errors
    ///
    /// It does not end, or does not fit.
    pub fn number(&mut self) -> Result<u64, Damaged> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.raw(1)?[0];
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        self.damaged("number")
    }

    /// Reads how many follow, each of which takes at least one byte.
    ///
    /// # Errors
    ///
    /// There cannot be so many: the bytes are not there.
    pub fn count(&mut self) -> Result<usize, Damaged> {
        let count = self.number()?;
        match usize::try_from(count) {
            Ok(count) if count <= self.left() => Ok(count),
            _ => self.damaged("list: it would be longer than what is left"),
        }
    }

    /// Reads a position below a bound.
    ///
    /// # Errors
    ///
    /// It is not below.
    pub fn below(&mut self, bound: usize, what: &'static str) -> Result<usize, Damaged> {
        let number = self.number()?;
        match usize::try_from(number) {
            Ok(number) if number < bound => Ok(number),
            _ => self.damaged(what),
        }
    }

    /// Reads a counter. One that is about to run over was never counted: it would take a year of
    /// counting at every tick to come to half of what 32 bits hold.
    ///
    /// # Errors
    ///
    /// It is no number, or about to run over.
    pub fn counter(&mut self) -> Result<u32, Damaged> {
        match self.take::<u32>()? {
            count if count <= u32::MAX / 2 => Ok(count),
            _ => self.damaged("count: it is too high"),
        }
    }

    /// The same in 64 bits.
    ///
    /// # Errors
    ///
    /// It is no number, or about to run over.
    pub fn long_counter(&mut self) -> Result<u64, Damaged> {
        match self.number()? {
            count if count <= u64::MAX / 2 => Ok(count),
            _ => self.damaged("count: it is too high"),
        }
    }

    /// Reads a moment that is over.
    ///
    /// # Errors
    ///
    /// It is after `now`.
    pub fn past(&mut self, now: Tick) -> Result<Tick, Damaged> {
        match self.take::<Tick>()? {
            moment if moment <= now => Ok(moment),
            _ => self.damaged("moment that is over"),
        }
    }

    /// Nothing may be left.
    ///
    /// # Errors
    ///
    /// Something is.
    pub fn finish(self) -> Result<(), Damaged> {
        if self.left() == 0 { Ok(()) } else { self.damaged("end: there are bytes left") }
    }
}

/// What can be written as bytes and read back.
pub trait Pack: Sized {
    /// Writes it.
    fn pack(&self, to: &mut Packer);

    /// Reads one.
    ///
    /// # Errors
    ///
    /// The bytes are no such value.
    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged>;
}

macro_rules! pack_numbers {
    ($($number:ty),*) => {$(
        impl Pack for $number {
            fn pack(&self, to: &mut Packer) {
                to.number(*self as u64);
            }

            fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
                <$number>::try_from(from.number()?).or_else(|_| from.damaged("number of this size"))
            }
        }
    )*};
}

pack_numbers!(u8, u16, u32, u64, usize);

macro_rules! pack_signed {
    ($($number:ty),*) => {$(
        impl Pack for $number {
            fn pack(&self, to: &mut Packer) {
                // The sign goes last, so that small numbers of either sign are short.
                let wide = i64::from(*self);
                to.number((wide << 1 ^ wide >> 63).cast_unsigned());
            }

            fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
                let folded = from.number()?;
                let wide = (folded >> 1).cast_signed() ^ -(folded & 1).cast_signed();
                <$number>::try_from(wide).or_else(|_| from.damaged("number of this size"))
            }
        }
    )*};
}

pack_signed!(i16, i32, i64);

/// Writes and reads an enumeration without fields, each choice as its number. The list is checked:
/// a choice that is not in it does not compile.
#[macro_export]
macro_rules! pack_choices {
    ($what:literal $choice:ty { $($name:ident = $number:literal),* $(,)? }) => {
        impl $crate::pack::Pack for $choice {
            fn pack(&self, to: &mut $crate::pack::Packer) {
                let number: u8 = match self {
                    $(<$choice>::$name => $number,)*
                };
                to.put(&number);
            }

            fn unpack(
                from: &mut $crate::pack::Unpacker<'_>,
            ) -> Result<Self, $crate::pack::Damaged> {
                match from.take::<u8>()? {
                    $($number => Ok(<$choice>::$name),)*
                    _ => from.damaged($what),
                }
            }
        }
    };
}

impl Pack for bool {
    fn pack(&self, to: &mut Packer) {
        to.bytes.push(u8::from(*self));
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        match from.raw(1)?[0] {
            0 => Ok(false),
            1 => Ok(true),
            _ => from.damaged("yes or no"),
        }
    }
}

impl Pack for f32 {
    fn pack(&self, to: &mut Packer) {
        to.bytes.extend(self.to_bits().to_le_bytes());
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        let bytes = from.raw(4)?;
        Ok(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }
}

impl Pack for String {
    fn pack(&self, to: &mut Packer) {
        to.text(self);
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        let count = from.count()?;
        let bytes = from.raw(count)?;
        let text = std::str::from_utf8(bytes).map(str::to_string);
        text.or_else(|_| from.damaged("text"))
    }
}

impl<T: Pack> Pack for Option<T> {
    fn pack(&self, to: &mut Packer) {
        to.put(&self.is_some());
        if let Some(value) = self {
            value.pack(to);
        }
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        Ok(if from.take()? { Some(from.take()?) } else { None })
    }
}

impl<T: Pack> Pack for Box<T> {
    fn pack(&self, to: &mut Packer) {
        (**self).pack(to);
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        Ok(Box::new(from.take()?))
    }
}

impl<T: Pack> Pack for Vec<T> {
    fn pack(&self, to: &mut Packer) {
        to.number(self.len() as u64);
        self.iter().for_each(|value| value.pack(to));
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        let count = from.count()?;
        let mut all = Vec::new();
        for _ in 0..count {
            all.push(from.take()?);
        }
        Ok(all)
    }
}

impl<T: Pack, const N: usize> Pack for [T; N] {
    fn pack(&self, to: &mut Packer) {
        // What takes no byte could not be counted in a list of such.
        const { assert!(N > 0, "an empty list of fixed length takes no byte") };
        self.iter().for_each(|value| value.pack(to));
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        let mut all = Vec::with_capacity(N);
        for _ in 0..N {
            all.push(from.take()?);
        }
        <[T; N]>::try_from(all).or_else(|_| from.damaged("list of this length"))
    }
}

macro_rules! pack_tuples {
    ($(($($name:ident $at:tt),+)),*) => {$(
        impl<$($name: Pack),+> Pack for ($($name,)+) {
            fn pack(&self, to: &mut Packer) {
                $(self.$at.pack(to);)+
            }

            fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
                Ok(($($name::unpack(from)?,)+))
            }
        }
    )*};
}

pack_tuples!((A 0, B 1), (A 0, B 1, C 2), (A 0, B 1, C 2, D 3));

#[cfg(test)]
pub(crate) mod tests;
