//! States: sorted arrays of positions, bit sets, or both.
//!
//! In:   positions of atoms that hold; what an action deletes and adds.
//! Out:  the state after it, stored once and numbered.
//! Cost: linear in the atoms of a state for arrays, in the words of a set for bits.
//!
//! Section 4.3 of the seed, with its three ways: [`Arrays`] keeps and computes with arrays,
//! [`Bits`] with sets of bits, [`Combined`] keeps arrays and computes with bits. A set of bits is
//! kept without its empty end, so nobody must know beforehand how many atoms there will be.
//!
//! A result is (state − deleted) + added, in this order: what is deleted and added holds.

use super::shared::Shared;

/// A way to keep states.
pub trait Kept: Default {
    /// Its name in tables.
    const NAME: &'static str;

    /// Takes a state out: the following is about it.
    fn load(&mut self, state: u32);
    /// The positions of its atoms, ascending.
    fn positions(&self) -> &[u32];
    /// Whether it has an atom.
    fn holds(&self, position: u32) -> bool;
    /// Makes the state after it; gives its number and whether it is new.
    fn after(&mut self, deleted: &[u32], added: &[u32]) -> (u32, bool);
    /// Keeps the state of these atoms, ascending; gives its number.
    fn keep(&mut self, positions: &[u32]) -> u32;
    /// The rows that are kept.
    fn rows(&self) -> &Shared;
    /// Whether there may be no room for one more with so many atoms.
    fn is_full(&self, n_atoms: usize) -> bool;
}

/// Sorted arrays.
#[derive(Clone, Debug, Default)]
pub struct Arrays {
    states: Shared,
    now: Vec<u32>,
    made: Vec<u32>,
}

impl Kept for Arrays {
    const NAME: &'static str = "array";

    fn load(&mut self, state: u32) {
        self.now.clear();
        self.states.append_to(state, &mut self.now);
    }

    fn positions(&self) -> &[u32] {
        &self.now
    }

    fn holds(&self, position: u32) -> bool {
        self.now.binary_search(&position).is_ok()
    }

    fn after(&mut self, deleted: &[u32], added: &[u32]) -> (u32, bool) {
        self.made.clear();
        self.made.extend(self.now.iter().filter(|position| !deleted.contains(position)));
        for &position in added {
            if let Err(at) = self.made.binary_search(&position) {
                self.made.insert(at, position);
            }
        }
        self.states.share(&self.made)
    }

    fn keep(&mut self, positions: &[u32]) -> u32 {
        self.states.share(positions).0
    }

    fn rows(&self) -> &Shared {
        &self.states
    }

    fn is_full(&self, n_atoms: usize) -> bool {
        self.states.is_full_for(n_atoms)
    }
}

/// Bits of a word.
const WORD: u32 = u32::BITS;

fn has(words: &[u32], position: u32) -> bool {
    words.get((position / WORD) as usize).is_some_and(|word| word >> (position % WORD) & 1 == 1)
}

fn set(words: &mut Vec<u32>, position: u32) {
    let at = (position / WORD) as usize;
    if at >= words.len() {
        words.resize(at + 1, 0);
    }
    words[at] |= 1 << (position % WORD);
}

/// (state − deleted) + added, into `made`, without the empty end.
fn change(now: &[u32], deleted: &[u32], added: &[u32], made: &mut Vec<u32>) {
    made.clear();
    made.extend_from_slice(now);
    for &position in deleted {
        if let Some(word) = made.get_mut((position / WORD) as usize) {
            *word &= !(1 << (position % WORD));
        }
    }
    for &position in added {
        set(made, position);
    }
    while made.last() == Some(&0) {
        made.pop();
    }
}

/// Appends the positions of a set, ascending.
fn list(words: &[u32], into: &mut Vec<u32>) {
    for (at, &word) in words.iter().enumerate() {
        let mut left = word;
        while left != 0 {
            into.push(at as u32 * WORD + left.trailing_zeros());
            left &= left - 1;
        }
    }
}

/// Bit sets.
#[derive(Clone, Debug, Default)]
pub struct Bits {
    states: Shared,
    now: Vec<u32>,
    positions: Vec<u32>,
    made: Vec<u32>,
}

impl Kept for Bits {
    const NAME: &'static str = "bit set";

    fn load(&mut self, state: u32) {
        self.now.clear();
        self.states.append_to(state, &mut self.now);
        self.positions.clear();
        list(&self.now, &mut self.positions);
    }

    fn positions(&self) -> &[u32] {
        &self.positions
    }

    fn holds(&self, position: u32) -> bool {
        has(&self.now, position)
    }

    fn after(&mut self, deleted: &[u32], added: &[u32]) -> (u32, bool) {
        change(&self.now, deleted, added, &mut self.made);
        self.states.share(&self.made)
    }

    fn keep(&mut self, positions: &[u32]) -> u32 {
        change(&[], &[], positions, &mut self.made);
        self.states.share(&self.made).0
    }

    fn rows(&self) -> &Shared {
        &self.states
    }

    fn is_full(&self, n_atoms: usize) -> bool {
        self.states.is_full_for(n_atoms / WORD as usize + 1)
    }
}

/// Kept as arrays, computed as bit sets.
#[derive(Clone, Debug, Default)]
pub struct Combined {
    states: Shared,
    now: Vec<u32>,
    positions: Vec<u32>,
    made: Vec<u32>,
    made_positions: Vec<u32>,
}

impl Kept for Combined {
    const NAME: &'static str = "array, computed as bit set";

    fn load(&mut self, state: u32) {
        self.positions.clear();
        self.states.append_to(state, &mut self.positions);
        change(&[], &[], &self.positions, &mut self.now);
    }

    fn positions(&self) -> &[u32] {
        &self.positions
    }

    fn holds(&self, position: u32) -> bool {
        has(&self.now, position)
    }

    fn after(&mut self, deleted: &[u32], added: &[u32]) -> (u32, bool) {
        change(&self.now, deleted, added, &mut self.made);
        self.made_positions.clear();
        list(&self.made, &mut self.made_positions);
        self.states.share(&self.made_positions)
    }

    fn keep(&mut self, positions: &[u32]) -> u32 {
        self.states.share(positions).0
    }

    fn rows(&self) -> &Shared {
        &self.states
    }

    fn is_full(&self, n_atoms: usize) -> bool {
        self.states.is_full_for(n_atoms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<K: Kept>() {
        let mut states = K::default();
        let start = states.keep(&[1, 5, 40]);
        states.load(start);
        assert_eq!(states.positions(), [1, 5, 40]);
        assert!(states.holds(40) && !states.holds(2) && !states.holds(1000));
        let (next, is_new) = states.after(&[40, 1, 700], &[2, 5]);
        assert!(is_new && next != start);
        let (far, _) = states.after(&[], &[300]);
        assert_eq!(states.after(&[], &[]), (start, false));
        // What is deleted and added holds.
        assert_eq!(states.after(&[5], &[5]), (start, false));
        states.load(next);
        assert_eq!(states.positions(), [2, 5]);
        // A set that becomes short again is the short one.
        assert_eq!(states.after(&[2], &[1, 40]), (start, false));
        states.load(far);
        assert_eq!(states.positions(), [1, 5, 40, 300]);
        assert_eq!(states.after(&[300], &[]), (start, false));
        states.load(start);
        let (nothing, _) = states.after(&[1, 5, 40], &[]);
        states.load(nothing);
        assert!(states.positions().is_empty() && states.rows().len() == 4);
    }

    #[test]
    fn all_three_ways_make_and_find_the_same_states() {
        check::<Arrays>();
        check::<Bits>();
        check::<Combined>();
    }
}
