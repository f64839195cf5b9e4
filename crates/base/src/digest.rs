//! Digests: one number for many, by which contents are told apart and damage is found.
//!
//! In:   bytes or words, in order.
//! Out:  64 or 128 bits: equal for equal input, on every machine and in every version.
//! Cost: two multiplications per word of 64 bits; one wide one per byte for [`Digest128`].
//!
//! Not against forgers: nothing is trusted because of a digest alone.

use crate::mix::{mix, words_of};

/// A running digest of 64 bits.
///
/// ```
/// use throng_base::Digest64;
/// let mut digest = Digest64::new();
/// digest.word(3u64);
/// digest.bytes(b"three");
/// assert_ne!(digest.value(), Digest64::new().value());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digest64(u64);

impl Digest64 {
    /// Of nothing.
    pub const fn new() -> Self {
        Digest64(0xcbf2_9ce4_8422_2325)
    }

    /// Adds a number.
    #[inline]
    pub fn word(&mut self, word: impl Into<u64>) {
        self.0 = mix(self.0, word.into());
    }

    /// Adds bytes and how many there are.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        words_of(bytes, |word| self.word(word));
    }

    /// The number.
    pub fn value(self) -> u64 {
        self.0
    }

    /// Of these words.
    pub fn of<W: Into<u64>>(words: impl IntoIterator<Item = W>) -> u64 {
        let mut digest = Digest64::new();
        words.into_iter().for_each(|word| digest.word(word));
        digest.0
    }
}

impl Default for Digest64 {
    fn default() -> Self {
        Digest64::new()
    }
}

/// The number of these bytes after that of others.
///
/// ```
/// use throng_base::checksum;
/// let whole = checksum(checksum(0, b"head"), b"body");
/// assert_ne!(whole, checksum(checksum(0, b"head"), b"bodi"));
/// ```
pub fn checksum(before: u64, bytes: &[u8]) -> u64 {
    let mut digest = Digest64(before);
    digest.bytes(bytes);
    mix(digest.0, 0)
}

/// A digest of 128 bits: FNV-1a, offset basis and prime as its authors publish them.
///
/// ```
/// use throng_base::Digest128;
/// let digest = Digest128::of(b"a");
/// assert_eq!(digest.to_string(), "d228cb696f1a8caf78912b704e4a8964");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Digest128(pub u128);

impl Digest128 {
    /// Of nothing.
    pub const EMPTY: Digest128 = Digest128(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);

    /// Of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let mut digest = Digest128::EMPTY;
        digest.bytes(bytes);
        digest
    }

    /// Adds bytes; nothing tells where they were cut.
    pub fn bytes(&mut self, bytes: &[u8]) {
        const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        let next = |hash: u128, &byte: &u8| (hash ^ u128::from(byte)).wrapping_mul(PRIME);
        self.0 = bytes.iter().fold(self.0, next);
    }
}

crate::display! { Digest128 {
    Self(digest) => "{digest:032x}";
} }

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn hashes_as_published() {
        // Test vectors of the FNV authors.
        assert_eq!(Digest128::of(b"").0, 0x6c62272e07bb014262b821756295c58d);
        assert_eq!(Digest128::of(b"a").0, 0xd228cb696f1a8caf78912b704e4a8964);
        let mut cut = Digest128::of(b"foo");
        cut.bytes(b"bar");
        assert_eq!(cut, Digest128::of(b"foobar"));
    }

    #[test]
    fn every_flipped_bit_every_length_and_every_order_has_a_number_of_its_own() {
        let mut seen = HashSet::new();
        for length in 0..40 {
            let mut bytes: Vec<u8> = (0..length).collect();
            assert!(seen.insert(checksum(1, &bytes)));
            for bit in 0..bytes.len() * 8 {
                bytes[bit / 8] ^= 1 << (bit % 8);
                assert!(seen.insert(checksum(1, &bytes)));
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
        }
        let (one, two) = (checksum(0, b"one"), checksum(0, b"two"));
        assert_ne!(checksum(one, b"two"), checksum(two, b"one"));
    }

    #[test]
    fn where_bytes_are_cut_and_in_which_order_words_come_is_told() {
        let of = |parts: &[&[u8]]| {
            let mut digest = Digest64::new();
            parts.iter().for_each(|part| digest.bytes(part));
            digest.value()
        };
        assert_ne!(of(&[b"ab", b"c"]), of(&[b"a", b"bc"]));
        assert_ne!(of(&[b""]), of(&[]));
        assert_ne!(Digest64::of([1u64, 2]), Digest64::of([2u64, 1]));
        assert_eq!(Digest64::of([0u32; 0]), Digest64::default().value());
    }
}
