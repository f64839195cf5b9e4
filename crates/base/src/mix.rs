//! Mixing: small changes of the input change every bit of the output.
//!
//! In:   words of 64 bits.
//! Out:  words of 64 bits, the same in every run and on every machine.
//! Cost: one multiplication for [`fold`], two for [`mix`].
//!
//! None of it withstands an attacker who chooses the words and knows what the hash begins with;
//! where bytes come from outside, [`hash_bytes`] begins with a seed that is drawn at random, or
//! readers bound how many there are.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher};

/// 2⁶⁴ divided by the golden ratio: what generators and mixers step by.
pub const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// A word with all its bits mixed; different words stay different (the last step of splitmix64).
#[inline]
pub const fn scramble(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// Adds a word to a digest. The step can be undone, so no single change can get lost in it.
#[inline]
pub const fn mix(digest: u64, word: u64) -> u64 {
    scramble((digest ^ word).wrapping_add(GOLDEN))
}

/// Adds a word to the hash of a key: both halves of one wide product. Half the price of [`mix`],
/// and good enough for a table, where equal hashes are looked at again.
#[inline]
pub const fn fold(hash: u64, word: u64) -> u64 {
    let product = (hash ^ word ^ GOLDEN) as u128 * 0xd6e8_feb8_6659_fd93;
    product as u64 ^ (product >> 64) as u64
}

/// The hash of a key of several words.
///
/// ```
/// use throng_base::mix::hash;
/// assert_eq!(hash([1u64, 2]), hash([1u64, 2]));
/// assert_ne!(hash([1u64, 2]), hash([2u64, 1]));
/// ```
#[inline]
pub fn hash<W: Into<u64>>(words: impl IntoIterator<Item = W>) -> u64 {
    words.into_iter().fold(0, |hash, word| fold(hash, word.into()))
}

/// The hash of bytes under a seed. From a seed that nobody can know, bytes that a stranger chooses
/// meet by chance alone.
///
/// ```
/// use throng_base::mix::hash_bytes;
/// assert_eq!(hash_bytes(7, b"guard"), hash_bytes(7, b"guard"));
/// assert_ne!(hash_bytes(7, b"guard"), hash_bytes(8, b"guard"));
/// assert_ne!(hash_bytes(7, b"a"), hash_bytes(7, b"a\0"));
/// ```
#[inline]
pub fn hash_bytes(seed: u64, bytes: &[u8]) -> u64 {
    let mut hash = fold(seed, bytes.len() as u64);
    words_of(bytes, |word| hash = fold(hash, word));
    hash
}

/// A hasher for maps whose keys are small and our own, in place of the slower default of `std`.
#[derive(Clone, Copy, Default, Debug)]
pub struct Mixer(u64);

impl Mixer {
    /// One that begins with a seed, for keys that are not our own.
    #[inline]
    pub const fn seeded(seed: u64) -> Mixer {
        Mixer(seed)
    }
}

/// Maps with [`Mixer`]: `HashMap<K, V, BuildMix>`.
pub type BuildMix = BuildHasherDefault<Mixer>;

/// The same with a key that is another in every table: for names that come from outside, which nobody
/// can choose so that they fall on one place without knowing the key.
#[derive(Clone, Debug)]
pub struct BuildKeyedMix(u64);

impl Default for BuildKeyedMix {
    fn default() -> Self {
        BuildKeyedMix(RandomState::new().hash_one(GOLDEN))
    }
}

impl BuildHasher for BuildKeyedMix {
    type Hasher = Mixer;

    #[inline]
    fn build_hasher(&self) -> Mixer {
        Mixer(self.0)
    }
}

/// Numbers that are narrower than a word are mixed as one.
macro_rules! narrow_words {
    ($($write:ident($number:ty)),*) => {$(
        #[inline]
        fn $write(&mut self, number: $number) {
            self.write_u64(number.into());
        }
    )*};
}

impl Hasher for Mixer {
    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        words_of(bytes, |word| self.write_u64(word));
    }

    narrow_words! { write_u8(u8), write_u16(u16), write_u32(u32) }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.0 = fold(self.0, number);
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }
}

/// Bytes as words, little end first; the last one filled up with zeros.
#[inline]
pub(crate) fn words_of(bytes: &[u8], mut each: impl FnMut(u64)) {
    let (words, rest) = bytes.as_chunks();
    words.iter().for_each(|&word| each(u64::from_le_bytes(word)));
    if !rest.is_empty() {
        each(last_word(bytes, rest));
    }
}

/// The bytes behind the last whole word, at most seven, as one.
#[inline]
fn last_word(bytes: &[u8], rest: &[u8]) -> u64 {
    // Whatever stands before them is shifted out.
    if let Some(word) = bytes.last_chunk() {
        return u64::from_le_bytes(*word) >> (64 - 8 * rest.len());
    }
    match (rest.first_chunk(), rest.last_chunk()) {
        (Some(low), Some(high)) => {
            let high = u64::from(u32::from_le_bytes(*high)) >> (64 - 8 * rest.len());
            u64::from(u32::from_le_bytes(*low)) | high << 32
        }
        _ => rest.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, HashMap, HashSet};

    #[test]
    fn one_bit_changes_about_half_of_the_bits() {
        let mixers: [fn(u64, u64) -> u64; 3] = [|_, word| scramble(word), mix, fold];
        for mixer in mixers {
            for bit in 0..64 {
                let differs: u32 = (0..64)
                    .map(|at| {
                        let word = scramble(at);
                        (mixer(7, word) ^ mixer(7, word ^ 1 << bit)).count_ones()
                    })
                    .sum();
                assert!((24 * 64..40 * 64).contains(&differs), "bit {bit}: {differs}");
            }
        }
    }

    #[test]
    fn small_keys_spread_over_low_and_high_bits() {
        let pairs = || (0..64u64).flat_map(|a| (0..64u64).map(move |b| [a, b]));
        for shift in [0, 16, 48] {
            let places: HashSet<u64> = pairs().map(|pair| hash(pair) >> shift & 0xffff).collect();
            // 4,096 keys in 65,536 places: about 3,970 differ if chance decides.
            assert!(places.len() > 3_850, "{}", places.len());
        }
        assert_eq!(pairs().map(hash).collect::<HashSet<_>>().len(), 4_096);
    }

    #[test]
    fn the_last_word_is_the_rest_of_the_bytes() {
        let bytes: Vec<u8> = (1..=40).map(|byte| byte * 5).collect();
        for length in 0..bytes.len() {
            let (mut words, mut twin) = (Vec::new(), Vec::new());
            words_of(&bytes[..length], |word| words.push(word));
            for chunk in bytes[..length].chunks(8) {
                twin.push(chunk.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte)));
            }
            assert_eq!(words, twin, "{length}");
        }
    }

    #[test]
    fn every_table_has_a_key_of_its_own() {
        let [one, two] = [BuildKeyedMix::default(), BuildKeyedMix::default()];
        assert_ne!(one.hash_one("name"), two.hash_one("name"));
        assert_eq!(one.hash_one("name"), one.clone().hash_one("name"));
        assert_ne!(one.hash_one("name"), one.hash_one("names"));
    }

    #[test]
    fn a_map_with_it_is_a_map() {
        let (mut map, mut twin) = (HashMap::<_, _, BuildMix>::default(), BTreeMap::new());
        for number in 0..10_000u32 {
            let key = (number * 7 % 501, (number % 3) as u8, vec![number as u16 % 5; 3]);
            assert_eq!(map.insert(key.clone(), number), twin.insert(key, number));
        }
        assert_eq!(map.into_iter().collect::<BTreeMap<_, _>>(), twin);
    }
}
