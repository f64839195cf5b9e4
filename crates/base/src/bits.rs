//! A set of small numbers, one bit each.
//!
//! In:   numbers below the length of the set; those beyond are never in it.
//! Out:  whether they are in it, one by one or 64 at a time.
//! Cost: one word per 64 numbers; no allocation but when the set becomes longer.

/// A bit set.
///
/// ```
/// use throng_base::Bits;
/// let mut bits = Bits::new(100);
/// bits.insert(3);
/// bits.insert(64);
/// assert_eq!(bits.iter().collect::<Vec<_>>(), [3, 64]);
/// ```
#[derive(PartialEq, Eq, Hash, Debug, Default)]
pub struct Bits {
    /// Bits from `len` on are 0.
    words: Vec<u64>,
    len: usize,
}

impl Clone for Bits {
    fn clone(&self) -> Self {
        Bits { words: self.words.clone(), len: self.len }
    }

    /// Reuses the memory, which a derived one would not.
    fn clone_from(&mut self, other: &Self) {
        self.words.clone_from(&other.words);
        self.len = other.len;
    }
}

impl Bits {
    crate::getters! {
        /// Numbers are below this.
        len: usize;
        /// The numbers 64 at a time.
        words: &[u64];
    }

    /// An empty set of numbers below `len`.
    pub fn new(len: usize) -> Self {
        Bits { words: vec![0; len.div_ceil(64)], len }
    }

    /// All numbers below `len`.
    pub fn full(len: usize) -> Self {
        let mut bits = Bits::default();
        bits.reset(len, true);
        bits
    }

    /// Becomes all numbers below `len`, or none of them.
    pub fn reset(&mut self, len: usize, on: bool) {
        self.words.clear();
        self.words.resize(len.div_ceil(64), if on { u64::MAX } else { 0 });
        self.len = len;
        self.trim();
    }

    /// Clears the bits behind the last number.
    fn trim(&mut self) {
        if let Some(last) = self.words.last_mut().filter(|_| !self.len.is_multiple_of(64)) {
            *last &= (1 << (self.len % 64)) - 1;
        }
    }

    /// Makes the set longer by one number, which is in it or not.
    pub fn push(&mut self, on: bool) {
        if self.len.is_multiple_of(64) {
            self.words.push(0);
        }
        self.len += 1;
        self.set(self.len - 1, on);
    }

    /// Room for so many numbers more.
    pub fn reserve(&mut self, more: usize) {
        self.words.reserve(more.div_ceil(64));
    }

    /// Whether no number is in it.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Whether a number is in it.
    #[inline]
    pub fn get(&self, at: usize) -> bool {
        self.words.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    /// Puts a number in, or out; nothing happens to one that is not below the length.
    #[inline]
    pub fn set(&mut self, at: usize, on: bool) {
        if at < self.len
            && let Some(word) = self.words.get_mut(at / 64)
        {
            let bit = 1 << (at % 64);
            *word = if on { *word | bit } else { *word & !bit };
        }
    }

    /// Puts a number in; whether it was not in it before.
    #[inline]
    pub fn insert(&mut self, at: usize) -> bool {
        let new = at < self.len && !self.get(at);
        self.set(at, true);
        new
    }

    /// Takes out what is in `others`.
    pub fn remove_all(&mut self, others: &Bits) {
        self.combine(others, |word, others| word & !others);
    }

    /// Puts in what is in `others`, which are as many.
    pub fn insert_all(&mut self, others: &Bits) {
        self.combine(others, |word, others| word | others);
    }

    /// Takes out what is not in `others`.
    pub fn keep_all(&mut self, others: &Bits) {
        self.combine(others, |word, others| word & others);
    }

    #[inline]
    fn combine(&mut self, others: &Bits, of: impl Fn(u64, u64) -> u64) {
        let pairs = self.words.iter_mut().zip(&others.words);
        pairs.for_each(|(word, &others)| *word = of(*word, others));
    }

    /// Whether all of `others`, which are as many, are in it.
    #[must_use]
    pub fn has_all(&self, others: &Bits) -> bool {
        self.words.iter().zip(&others.words).all(|(word, others)| others & !word == 0)
    }

    /// The numbers 64 at a time, to write. The caller leaves the bits behind the last number 0.
    #[inline]
    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// How many numbers are in it.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The numbers in it, ascending.
    #[inline]
    pub fn iter(&self) -> BitsIter<'_> {
        ones_of(&self.words)
    }

    /// The memory it holds.
    pub fn bytes(&self) -> usize {
        8 * self.words.capacity()
    }
}

/// The positions of the ones of words, 64 to each, ascending.
#[inline]
pub fn ones_of(words: &[u64]) -> BitsIter<'_> {
    let (&first, rest) = words.split_first().unwrap_or((&0, &[]));
    BitsIter { ones: Ones(first), base: 0, rest }
}

/// The numbers of a [`Bits`], ascending. Plain loops over words: minds and crowds walk it in their
/// innermost loops, where a flattened iterator was not inlined.
#[derive(Clone, Debug)]
pub struct BitsIter<'b> {
    /// Those of the word under way, and the number of its first bit.
    ones: Ones,
    base: usize,
    rest: &'b [u64],
}

impl Iterator for BitsIter<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        loop {
            if let Some(bit) = self.ones.next() {
                return Some(self.base + bit);
            }
            let (&word, rest) = self.rest.split_first()?;
            (self.ones, self.base, self.rest) = (Ones(word), self.base + 64, rest);
        }
    }
}

impl FromIterator<bool> for Bits {
    fn from_iter<I: IntoIterator<Item = bool>>(flags: I) -> Self {
        let mut bits = Bits::default();
        flags.into_iter().for_each(|on| bits.push(on));
        bits
    }
}

/// The positions of the ones of a word, ascending.
///
/// ```
/// assert_eq!(throng_base::ones(0b1010).collect::<Vec<_>>(), [1, 3]);
/// ```
#[inline]
pub fn ones(word: u64) -> Ones {
    Ones(word)
}

/// The positions of the ones of a word.
#[derive(Clone, Debug)]
pub struct Ones(u64);

impl Iterator for Ones {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let at = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(at)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Ones {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SplitMix;
    use std::collections::BTreeSet;

    #[test]
    fn random_changes_agree_with_a_plain_set() {
        let mut random = SplitMix::new(3);
        for len in [0, 1, 63, 64, 65, 200] {
            let (mut bits, mut twin) = (Bits::new(len), BTreeSet::new());
            for _ in 0..2_000 {
                let at = random.below(len + 70);
                match random.below(3) {
                    0 => {
                        let new = at < len && twin.insert(at);
                        assert_eq!(bits.insert(at), new);
                    }
                    1 => {
                        bits.set(at, false);
                        twin.remove(&at);
                    }
                    _ => assert_eq!(bits.get(at), twin.contains(&at)),
                }
            }
            assert!(bits.iter().eq(twin.iter().copied()));
            assert_eq!((bits.count(), bits.is_empty()), (twin.len(), twin.is_empty()));
        }
    }

    #[test]
    fn all_but_some_is_the_rest() {
        for len in [0, 1, 63, 64, 65, 128, 130] {
            let mut bits = Bits::full(len);
            assert_eq!((bits.count(), bits.len()), (len, len));
            let even: Bits = (0..len).map(|at| at % 2 == 0).collect();
            bits.remove_all(&even);
            assert!(bits.iter().eq((0..len).filter(|at| at % 2 == 1)));
            assert_eq!((bits.has_all(&even), even.has_all(&bits)), (len == 0, len < 2));
            let odd = bits.clone();
            bits.insert_all(&even);
            assert!(bits == Bits::full(len) && bits.has_all(&odd));
            bits.keep_all(&odd);
            assert_eq!(bits, odd);
            bits.words_mut().fill(0);
            assert_eq!(bits, Bits::new(len));
        }
    }

    #[test]
    fn pushed_is_the_same_as_set() {
        let mut random = SplitMix::new(9);
        let flags: Vec<bool> = (0..300).map(|_| random.percent(30)).collect();
        let pushed: Bits = flags.iter().copied().collect();
        let mut set = Bits::new(300);
        flags.iter().enumerate().for_each(|(at, &on)| set.set(at, on));
        assert_eq!(pushed, set);
    }

    #[test]
    fn ones_are_all_and_in_order() {
        for word in [0, 1, u64::MAX, 1 << 63, 0x8000_0000_0000_0001, 0xf0f0] {
            let twin: Vec<usize> = (0..64).filter(|at| word >> at & 1 == 1).collect();
            assert_eq!(ones(word).len(), twin.len());
            assert_eq!(ones(word).collect::<Vec<_>>(), twin);
        }
    }
}
