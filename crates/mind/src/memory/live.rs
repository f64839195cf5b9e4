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
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(|(at, &word)| bits_of(at, word))
    }

    /// How many groups of 64 slots there are.
    pub(super) fn groups(&self) -> usize {
        self.words.len()
    }

    /// The taken slots of a group as they are now, in order: slots may be given up meanwhile.
    pub(super) fn group(&self, at: usize) -> impl Iterator<Item = usize> + use<> {
        bits_of(at, self.words[at])
    }

    /// Bytes on the heap.
    pub(super) fn heap(&self) -> usize {
        size_of_val(&*self.words)
    }
}

fn bits_of(at: usize, mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(at * BITS + bit)
    })
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
        assert_eq!(live.lowest_free(), 2);
        (2..129).for_each(|slot| live.insert(slot));
        assert_eq!(live.lowest_free(), 130);
        live.remove(64);
        assert_eq!((live.lowest_free(), live.contains(64), live.contains(65)), (64, false, true));
        assert!(!live.contains(1000));
    }
}
