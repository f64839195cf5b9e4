//! Plain data as bytes and back: what saved games, tables and recordings are made of.
//!
//! In:   values; or bytes from anywhere, not to be trusted.
//! Out:  the same as bytes; or the values, or where the bytes are wrong.
//! Cost: small numbers take one byte; decoding never allocates more than the bytes can fill.
//!
//! Unsigned numbers are varints, seven bits a byte, lowest first, in their shortest form; signed ones are zigzag varints;
//! floats are varints of their bits with the bytes reversed, so that round ones are short and all
//! come back bit by bit. Nothing is self-describing: encoder and decoder are of one version, which
//! the [`ByteFormat`] that the bytes begin with states. Structs and enums are described once, for both
//! ways, by [`codec_struct!`](crate::codec_struct) and [`codec_enum!`](crate::codec_enum).

mod describe;
mod format;
#[cfg(test)]
mod golden;
mod std_types;
#[cfg(test)]
mod tests;
pub mod trial;

pub use format::{ByteFormat, FormatError, ReadError};

use crate::checksum;
use std::sync::Arc;

/// Bytes that are not what they should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DecodeError {
    /// How many bytes were read before.
    pub at: usize,
    /// What was to be read there.
    pub what: &'static str,
}

crate::error! { DecodeError {
    Self { at, what } => "byte {at}: this is no {what}";
} }

/// What can be written as bytes.
pub trait Encode {
    /// Appends the bytes of this value.
    fn encode(&self, to: &mut Encoder);
}

/// What can be read from bytes.
pub trait Decode: Sized {
    /// Reads a value.
    ///
    /// # Errors
    ///
    /// The bytes are no such value.
    fn decode(from: &mut Decoder<'_>) -> Result<Self, DecodeError>;
}

/// What is written and read beside a context that it is held against, as a number beside the table
/// it is a position of.
pub trait CodecIn<C: ?Sized>: Sized {
    /// Appends the bytes of this value.
    fn encode_in(&self, to: &mut Encoder, context: &C);

    /// Reads a value that fits the context.
    ///
    /// # Errors
    ///
    /// The bytes are no such value.
    fn decode_in(from: &mut Decoder<'_>, context: &C) -> Result<Self, DecodeError>;
}

/// Bytes being written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Encoder {
    /// What was written so far.
    pub bytes: Vec<u8>,
}

impl Encoder {
    /// The bytes of one value.
    pub fn bytes_of<T: Encode + ?Sized>(value: &T) -> Vec<u8> {
        let mut to = Encoder::default();
        value.encode(&mut to);
        to.bytes
    }

    /// Writes a value.
    #[inline]
    pub fn write<T: Encode + ?Sized>(&mut self, value: &T) -> &mut Self {
        value.encode(self);
        self
    }

    /// Writes a value beside its context.
    pub fn write_in<C: ?Sized, T: CodecIn<C>>(&mut self, value: &T, context: &C) -> &mut Self {
        value.encode_in(self, context);
        self
    }

    /// Writes a number as a varint: seven bits a byte, the lowest first, and in each but the last the
    /// highest bit set.
    #[inline]
    pub fn number(&mut self, number: u64) {
        match u8::try_from(number) {
            Ok(byte @ 0..0x80) => self.bytes.push(byte),
            _ => self.long_number(number),
        }
    }

    /// The same of more than seven bits. Up to 56 bits are one store: all eight bytes are put there,
    /// and those that the number does not need are taken back.
    fn long_number(&mut self, mut number: u64) {
        while number >= 1 << 56 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        let n_bytes = (u64::BITS - (number | 1).leading_zeros()).div_ceil(7) as usize;
        // Halves, quarters, bytes are moved apart by four, two and one bits.
        let mut spread = number & 0x0fff_ffff | (number & 0x00ff_ffff_f000_0000) << 4;
        spread = spread & 0x0000_3fff_0000_3fff | (spread & 0x0fff_c000_0fff_c000) << 2;
        spread = spread & 0x007f_007f_007f_007f | (spread & 0x3f80_3f80_3f80_3f80) << 1;
        let more_follow = 0x8080_8080_8080_8080 & ((1 << (8 * (n_bytes - 1))) - 1);
        let end = self.bytes.len() + n_bytes;
        self.bytes.extend_from_slice(&(spread | more_follow).to_le_bytes());
        self.bytes.truncate(end);
    }

    /// Writes bytes as they are. The reader must know how many there are.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Writes bytes and how many there are.
    pub fn section(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.raw(bytes);
    }

    /// Writes a list and how long it is.
    pub fn list<T: Encode>(&mut self, values: impl ExactSizeIterator<Item = T>) {
        self.number(values.len() as u64);
        values.for_each(|value| value.encode(self));
    }

    /// Writes a number of a table of names; the highest number, which means none, is short too.
    pub fn symbol(&mut self, symbol: u32) {
        self.number(u64::from(symbol.wrapping_add(1)));
    }

    /// Writes yes and no, eight to a byte. The reader must know how many there are.
    pub fn bits(&mut self, bits: impl Iterator<Item = bool>) {
        let (mut byte, mut n) = (0, 0);
        for bit in bits {
            byte |= u8::from(bit) << n;
            n += 1;
            if n == 8 {
                self.bytes.push(std::mem::take(&mut byte));
                n = 0;
            }
        }
        if n > 0 {
            self.bytes.push(byte);
        }
    }

    /// Writes all that `fill` does as one whole: with its length, and a number over its bytes by
    /// which damage is found before anything is read of it.
    pub fn seal(&mut self, fill: impl FnOnce(&mut Encoder)) {
        let mut whole = Encoder::default();
        fill(&mut whole);
        self.section(&whole.bytes);
        self.raw(&checksum(0, &whole.bytes).to_le_bytes());
    }
}

/// Bytes being read.
#[derive(Clone, Debug)]
pub struct Decoder<'b> {
    bytes: &'b [u8],
    at: usize,
    /// How many symbols there are: what is read as one is one of them, or none.
    symbols: u32,
    /// What the symbols of another table are in this one.
    renamed: Option<Arc<[u32]>>,
}

impl<'b> Decoder<'b> {
    /// From the first byte on.
    pub fn new(bytes: &'b [u8]) -> Self {
        Decoder { bytes, at: 0, symbols: u32::MAX, renamed: None }
    }

    /// From now on symbols are those of a table of this length: others are errors. Gives what held
    /// before.
    pub fn limit_symbols(&mut self, symbols: u32) -> u32 {
        std::mem::replace(&mut self.symbols, symbols)
    }

    /// From now on symbols are numbers of another table, and are read as what they are in this
    /// one, by position; `None`: no longer.
    pub fn rename_symbols(&mut self, renamed: Option<Arc<[u32]>>) {
        self.renamed = renamed;
    }

    /// How many bytes were read.
    pub fn at(&self) -> usize {
        self.at
    }

    /// How many bytes are left.
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The next byte, which is not read by this.
    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// This is no such thing.
    ///
    /// # Errors
    ///
    /// Always.
    pub fn error<T>(&self, what: &'static str) -> Result<T, DecodeError> {
        Err(DecodeError { at: self.at, what })
    }

    /// The value, if that is sound.
    ///
    /// # Errors
    ///
    /// It is not.
    pub fn sound<T>(&self, value: T, is: bool, what: &'static str) -> Result<T, DecodeError> {
        if is { Ok(value) } else { self.error(what) }
    }

    /// Reads a value.
    ///
    /// # Errors
    ///
    /// The bytes are no such value.
    pub fn read<T: Decode>(&mut self) -> Result<T, DecodeError> {
        T::decode(self)
    }

    /// Reads a value beside its context.
    ///
    /// # Errors
    ///
    /// The bytes are no such value, or it does not fit.
    pub fn read_in<C: ?Sized, T: CodecIn<C>>(&mut self, context: &C) -> Result<T, DecodeError> {
        T::decode_in(self, context)
    }

    /// Reads so many bytes.
    ///
    /// # Errors
    ///
    /// There are fewer.
    pub fn raw(&mut self, count: usize) -> Result<&'b [u8], DecodeError> {
        let Some(bytes) = self.bytes[self.at..].get(..count) else {
            return self.error("whole entry: the end is missing");
        };
        self.at += count;
        Ok(bytes)
    }

    /// Reads as many bytes as the list is long.
    ///
    /// # Errors
    ///
    /// There are fewer.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let mut array = [0; N];
        array.copy_from_slice(self.raw(N)?);
        Ok(array)
    }

    /// Reads bytes that were written with their number.
    ///
    /// # Errors
    ///
    /// There are fewer.
    pub fn section(&mut self) -> Result<&'b [u8], DecodeError> {
        let count = self.count()?;
        self.raw(count)
    }

    /// Goes past a whole that was [sealed](Encoder::seal), and gives what reads it.
    ///
    /// # Errors
    ///
    /// It is not as it was written.
    pub fn unseal(&mut self) -> Result<Decoder<'b>, DecodeError> {
        let before = self.clone();
        let whole = self.section()?;
        let end = self.at;
        if self.array()? != checksum(0, whole).to_le_bytes() {
            return before.error("whole as it was written: its checksum does not fit");
        }
        Ok(Decoder { bytes: &self.bytes[..end], at: end - whole.len(), ..before })
    }

    /// Reads a varint. A number has one form, the shortest: so equal values have equal bytes.
    ///
    /// # Errors
    ///
    /// It does not end, does not fit, or could be shorter.
    pub fn number(&mut self) -> Result<u64, DecodeError> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.raw(1)?[0];
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            number |= bits << shift;
            if byte < 0x80 {
                let is_shortest = byte > 0 || shift == 0;
                return self.sound(number, is_shortest, "number in its shortest form");
            }
        }
        self.error("number")
    }

    /// Reads how many follow, each of which takes at least one byte.
    ///
    /// # Errors
    ///
    /// There cannot be so many: the bytes are not there.
    pub fn count(&mut self) -> Result<usize, DecodeError> {
        let count = self.number()?;
        match usize::try_from(count) {
            Ok(count) if count <= self.left() => Ok(count),
            _ => self.error("list: it would be longer than what is left"),
        }
    }

    /// Reads a list, item by item.
    ///
    /// # Errors
    ///
    /// It is longer than the bytes, or one of them is wrong.
    pub fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T, DecodeError>,
    ) -> Result<Vec<T>, DecodeError> {
        let count = self.count()?;
        self.items(count, &mut item)
    }

    /// Reads so many items, of which nothing says that they take a byte each.
    ///
    /// # Errors
    ///
    /// One of them is wrong.
    pub fn items<T>(
        &mut self,
        count: usize,
        mut item: impl FnMut(&mut Self) -> Result<T, DecodeError>,
    ) -> Result<Vec<T>, DecodeError> {
        (0..count).map(|_| item(self)).collect()
    }

    /// Reads a position below a bound.
    ///
    /// # Errors
    ///
    /// It is not below.
    pub fn below(&mut self, bound: usize, what: &'static str) -> Result<usize, DecodeError> {
        let number = self.number()?;
        match usize::try_from(number) {
            Ok(number) if number < bound => Ok(number),
            _ => self.error(what),
        }
    }

    /// Reads a counter. One that is about to run over was never counted: it would take a year of
    /// counting at every tick to come to half of what 32 bits hold.
    ///
    /// # Errors
    ///
    /// It is no number, or about to run over.
    pub fn counter(&mut self) -> Result<u32, DecodeError> {
        match self.read::<u32>()? {
            count if count <= u32::MAX / 2 => Ok(count),
            _ => self.error("count: it is too high"),
        }
    }

    /// The same in 64 bits.
    ///
    /// # Errors
    ///
    /// It is no number, or about to run over.
    pub fn long_counter(&mut self) -> Result<u64, DecodeError> {
        match self.number()? {
            count if count <= u64::MAX / 2 => Ok(count),
            _ => self.error("count: it is too high"),
        }
    }

    /// Reads a moment that is over.
    ///
    /// # Errors
    ///
    /// It is after `now`.
    pub fn past(&mut self, now: u32) -> Result<u32, DecodeError> {
        match self.read::<u32>()? {
            moment if moment <= now => Ok(moment),
            _ => self.error("moment that is over"),
        }
    }

    /// Reads a number of a table of names; the highest means none.
    ///
    /// # Errors
    ///
    /// The table has no such number.
    pub fn symbol(&mut self) -> Result<u32, DecodeError> {
        let symbol = self.read::<u32>()?.wrapping_sub(1);
        let found = match &self.renamed {
            _ if symbol == u32::MAX => Some(symbol),
            Some(renamed) => renamed.get(symbol as usize).copied(),
            None => Some(symbol).filter(|&symbol| symbol < self.symbols),
        };
        found.map_or_else(|| self.error("word of the table"), Ok)
    }

    /// Reads so many yes and no, eight to a byte.
    ///
    /// # Errors
    ///
    /// There are fewer, or something is said beyond the last.
    pub fn bits(&mut self, n: usize) -> Result<Vec<bool>, DecodeError> {
        let bytes = self.raw(n.div_ceil(8))?;
        let bit = |at: usize| bytes[at / 8] >> (at % 8) & 1 == 1;
        match bytes.last().is_some_and(|&last| !n.is_multiple_of(8) && last >> (n % 8) != 0) {
            true => self.error("list of so many"),
            false => Ok((0..n).map(bit).collect()),
        }
    }

    /// Nothing may be left.
    ///
    /// # Errors
    ///
    /// Something is.
    pub fn finish(self) -> Result<(), DecodeError> {
        if self.left() == 0 { Ok(()) } else { self.error("end: there are bytes left") }
    }
}
