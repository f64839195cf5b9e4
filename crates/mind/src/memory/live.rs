//! Which slots hold a fact: one bit each.
//!
//! In:   slots taken and given up.
//! Out:  the taken ones in order, the lowest free one.
//! Cost: one word per 64 slots; a walk costs the taken slots and the words.

const BITS: usize = u64::BITS as usize;

/// A set of slots, of fixed size.
#[derive(Clone)]
pub(super) struct Live {
    words: Box<[u64]>,
}

impl Live {
    /// None of so many slots.
    pub(super) fn none_of(slots: usize) -> Self {
        Live { words: vec![0; slots.div_ceil(BITS)].into_boxed_slice() }
    }

    /// Whether a slot is taken; one beyond the last is not.
    #[inline]
    pub(super) fn contains(&self, slot: usize) -> bool {
        self.words.get(slot / BITS).is_some_and(|word| word >> (slot % BITS) & 1 == 1)
    }

    /// Takes a slot.
    pub(super) fn insert(&mut self, slot: usize) {
        self.words[slot / BITS] |= 1 << (slot % BITS);
    }

    /// Gives a slot up.
    pub(super) fn remove(&mut self, slot: usize) {
        self.words[slot / BITS] &= !(1 << (slot % BITS));
    }

    /// The lowest slot that is free. If all are taken it is beyond the last.
    pub(super) fn lowest_free(&self) -> usize {
        let full = self.words.iter().take_while(|&&word| word == u64::MAX).count();
        let bit = self.words.get(full).map_or(0, |word| word.trailing_ones() as usize);
        full * BITS + bit
    }

    /// The taken slots, in order.
    #[inline]
    pub(super) fn iter(&self) -> Taken<'_> {
        let (&bits, rest) = self.words.split_first().unwrap_or((&0, &[]));
        Taken { bits, from: 0, rest }
    }

    /// The first taken slot from this one on.
    pub(super) fn next_from(&self, slot: usize) -> Option<usize> {
        let rest = self.words.get(slot / BITS..)?;
        let (&word, rest) = rest.split_first()?;
        let bits = word & u64::MAX << (slot % BITS);
        Taken { bits, from: slot - slot % BITS, rest }.next()
    }

    /// Bytes on the heap.
    pub(super) fn heap(&self) -> usize {
        size_of_val(&*self.words)
    }
}

/// Walks the taken slots.
pub(super) struct Taken<'l> {
    /// Those of the word under way, and the slot of its first bit.
    bits: u64,
    from: usize,
    rest: &'l [u64],
}

impl Iterator for Taken<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.bits == 0 {
            let (&bits, rest) = self.rest.split_first()?;
            (self.bits, self.rest) = (bits, rest);
            self.from += BITS;
        }
        let bit = self.bits.trailing_zeros() as usize;
        self.bits &= self.bits - 1;
        Some(self.from + bit)
    }
}

#[cfg(test)]
mod tests {
    use super::Live;

    #[test]
    fn slots_come_in_order_across_words_and_the_lowest_free_one_is_found() {
        let mut live = Live::none_of(130);
        for slot in [129, 64, 0, 63, 1] {
            live.insert(slot);
        }
        assert_eq!(live.iter().collect::<Vec<_>>(), [0, 1, 63, 64, 129]);
        assert_eq!([2, 63, 65, 129].map(|slot| live.next_from(slot)), [63, 63, 129, 129].map(Some));
        assert_eq!([130, 192, 1000].map(|slot| live.next_from(slot)), [None; 3]);
        assert_eq!(live.lowest_free(), 2);
        (2..129).for_each(|slot| live.insert(slot));
        assert_eq!(live.lowest_free(), 130);
        live.remove(64);
        assert_eq!((live.lowest_free(), live.contains(64), live.contains(65)), (64, false, true));
        assert!(!live.contains(1000));
    }
}
