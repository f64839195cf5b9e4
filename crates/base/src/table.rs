//! An index from content to position: things are kept in a list elsewhere, and found by hash.
//!
//! In:   a hash, and by closure whether the thing at a position is the one that is looked for.
//! Out:  its position.
//! Cost: on average fewer than two comparisons; four bytes per place, at most half of them taken.
//!
//! Positions come from the caller, so nothing that can be seen depends on the hash.
//! `planner/forward/states.rs` and `crowd/memo.rs` have tables of their own, and say why.

/// Positions by hash (open addressing, linear probing).
///
/// ```
/// use throng_base::{IndexTable, mix::hash};
/// let mut names: Vec<&str> = Vec::new();
/// let mut table = IndexTable::default();
/// let of = |name: &str| hash(name.bytes());
/// for name in ["guard", "cook", "guard"] {
///     let next = names.len() as u32;
///     let found = table.find_or_insert(of(name), next, |at| names[at as usize] == name, |at| {
///         of(names[at as usize])
///     });
///     if found.is_none() {
///         names.push(name);
///     }
/// }
/// assert_eq!(names, ["guard", "cook"]);
/// assert_eq!(table.find(of("cook"), |at| names[at as usize] == "cook"), Some(1));
/// ```
#[derive(Clone, Debug, Default)]
pub struct IndexTable {
    /// Positions plus one; 0 is free. As many as a power of two, or none.
    places: Vec<u32>,
    len: usize,
    /// What the table held, while it grows: kept, so that a warm one allocates nothing.
    moving: Vec<u32>,
}

/// A table that holds anything has at least so many places.
const FEWEST: usize = 8;

impl IndexTable {
    /// An empty table of so many places (the next power of two).
    pub fn with_places(places: usize) -> Self {
        let mut table = IndexTable::default();
        table.reset(places);
        table
    }

    /// Forgets everything and has so many places (the next power of two). A table that was large
    /// becomes small again: clearing it would cost every small use after a large one.
    pub fn reset(&mut self, places: usize) {
        self.places.clear();
        self.places.resize(places.next_power_of_two(), 0);
        self.len = 0;
    }

    /// How many positions it holds.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The memory in use.
    pub fn bytes(&self) -> usize {
        self.places.len() * size_of::<u32>()
    }

    /// The memory it holds.
    pub fn capacity_bytes(&self) -> usize {
        (self.places.capacity() + self.moving.capacity()) * size_of::<u32>()
    }

    /// The position with this hash that is the same.
    #[inline]
    pub fn find(&self, hash: u64, mut is_same: impl FnMut(u32) -> bool) -> Option<u32> {
        if self.places.is_empty() {
            return None;
        }
        self.probe(hash, &mut is_same).ok()
    }

    /// The same position, or the free place for it. There must be a free place.
    #[inline]
    fn probe(&self, hash: u64, is_same: &mut impl FnMut(u32) -> bool) -> Result<u32, usize> {
        let mask = self.places.len() - 1;
        let mut at = home(hash, mask);
        loop {
            match self.places[at] {
                0 => return Err(at),
                entry if is_same(entry - 1) => return Ok(entry - 1),
                _ => at = (at + 1) & mask,
            }
        }
    }

    /// The position with this hash that is the same; if there is none, `position` is entered and
    /// nothing returned. `hash_of` gives the hashes of positions that are in the table, if it has
    /// to grow. Positions are below `u32::MAX`.
    #[inline]
    pub fn find_or_insert(
        &mut self,
        hash: u64,
        position: u32,
        mut is_same: impl FnMut(u32) -> bool,
        hash_of: impl FnMut(u32) -> u64,
    ) -> Option<u32> {
        if (self.len + 1) * 2 > self.places.len() {
            self.grow(hash_of);
        }
        match self.probe(hash, &mut is_same) {
            Ok(found) => Some(found),
            Err(place) => {
                self.places[place] = position.wrapping_add(1);
                self.len += 1;
                None
            }
        }
    }

    /// Enters a position that is known to be new.
    #[inline]
    pub fn insert(&mut self, hash: u64, position: u32, hash_of: impl FnMut(u32) -> u64) {
        self.find_or_insert(hash, position, |_| false, hash_of);
    }

    #[cold]
    fn grow(&mut self, mut hash_of: impl FnMut(u32) -> u64) {
        self.moving.clear();
        self.moving.extend(self.places.iter().filter(|&&entry| entry != 0));
        let size = (self.places.len() * 2).max(FEWEST);
        self.places.clear();
        self.places.resize(size, 0);
        for at in 0..self.moving.len() {
            let entry = self.moving[at];
            if let Err(place) = self.probe(hash_of(entry - 1), &mut |_| false) {
                self.places[place] = entry;
            }
        }
    }

    /// Takes a position out and closes the gap, so that searches need no tombstones; whether it
    /// was there.
    pub fn remove(
        &mut self,
        hash: u64,
        position: u32,
        mut hash_of: impl FnMut(u32) -> u64,
    ) -> bool {
        if self.places.is_empty() {
            return false;
        }
        let mask = self.places.len() - 1;
        let mut gap = home(hash, mask);
        while self.places[gap] != position.wrapping_add(1) {
            if self.places[gap] == 0 {
                return false;
            }
            gap = (gap + 1) & mask;
        }
        let mut at = (gap + 1) & mask;
        while self.places[at] != 0 {
            let its_home = home(hash_of(self.places[at] - 1), mask);
            // It may move back to the gap unless that is before its home.
            if at.wrapping_sub(its_home) & mask >= at.wrapping_sub(gap) & mask {
                self.places[gap] = self.places[at];
                gap = at;
            }
            at = (at + 1) & mask;
        }
        self.places[gap] = 0;
        self.len -= 1;
        true
    }
}

#[inline]
fn home(hash: u64, mask: usize) -> usize {
    hash as usize & mask
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SplitMix;
    use crate::mix::hash;
    use std::collections::HashMap;

    /// Random calls beside a plain map; also with hashes of which nearly all are equal.
    #[test]
    fn churn_agrees_with_a_map() {
        for spread in [u64::MAX, 0x8000_0000_0000_0007, 0] {
            let mut random = SplitMix::new(spread ^ 1);
            let of = |key: u32| hash([key]) & spread;
            let (mut keys, mut free) = (Vec::<u32>::new(), Vec::new());
            let (mut table, mut twin) = (IndexTable::default(), HashMap::new());
            for _ in 0..20_000 {
                let key = random.below(150) as u32;
                let same = |at: u32| keys[at as usize] == key;
                assert_eq!(table.find(of(key), same), twin.get(&key).copied());
                if random.one_in(2) {
                    let position = free.last().copied().unwrap_or(keys.len() as u32);
                    let hash_of = |at: u32| of(keys[at as usize]);
                    let found = table.find_or_insert(of(key), position, same, hash_of);
                    assert_eq!(found, twin.get(&key).copied());
                    if found.is_none() {
                        twin.insert(key, position);
                        match free.pop() {
                            Some(at) => keys[at as usize] = key,
                            None => keys.push(key),
                        }
                    }
                } else if let Some(position) = twin.remove(&key) {
                    assert!(table.remove(of(key), position, |at| of(keys[at as usize])));
                    free.push(position);
                } else {
                    assert!(!table.remove(of(key), 9_999, |at| of(keys[at as usize])));
                }
                assert_eq!((table.len(), table.is_empty()), (twin.len(), twin.is_empty()));
                assert!(table.len() * 2 <= table.bytes() / 4);
            }
        }
    }

    #[test]
    fn reset_is_empty_and_small() {
        let mut table = IndexTable::default();
        assert_eq!(table.find(5, |_| true), None);
        (0..1_000).for_each(|at| table.insert(hash([at]), at, |at| hash([at])));
        let warm = table.capacity_bytes();
        assert!((0..1_000).all(|at| table.find(hash([at]), |found| found == at) == Some(at)));
        table.reset(60);
        assert_eq!((table.bytes(), table.len()), (4 * 64, 0));
        assert_eq!(table.find(hash([3u32]), |_| true), None);
        (0..1_000).for_each(|at| table.insert(hash([at]), at, |at| hash([at])));
        assert_eq!(table.capacity_bytes(), warm, "a warm table allocates nothing");
    }
}
