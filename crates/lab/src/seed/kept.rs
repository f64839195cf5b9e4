//! States: sorted arrays of positions, bit sets, or both.
//!
//! In:   positions of atoms that hold; what an action deletes and adds.
//! Out:  the state after it, stored once and numbered.
//! Cost: linear in the atoms of a state for arrays, in the words of a set for bits.
//!
//! Section 4.3 of the seed, with its three ways: [`Arrays`] keeps and computes with arrays,
//! [`Bits`] with sets of bits, [`Combined`] keeps arrays and computes with bits. A set of bits is
//! kept without its empty end, so the number of atoms need not be known beforehand.
//!
//! A result is (state − deleted) + added, in this order: what is deleted and added holds.

use super::shared::Shared;
use std::marker::PhantomData;
use throng_base::bits::ones;

/// A way to keep states: one copy of the search is compiled for each.
pub trait Kept: Default {
    /// Whether a kept row is a set of bits, or else an array of positions.
    const KEEPS_BITS: bool;
    /// Whether the state after an action is computed on a set of bits.
    const COMPUTES_BITS: bool;
}

/// Sorted arrays.
#[derive(Clone, Debug, Default)]
pub struct Arrays;

impl Kept for Arrays {
    const KEEPS_BITS: bool = false;
    const COMPUTES_BITS: bool = false;
}

/// Bit sets.
#[derive(Clone, Debug, Default)]
pub struct Bits;

impl Kept for Bits {
    const KEEPS_BITS: bool = true;
    const COMPUTES_BITS: bool = true;
}

/// Kept as arrays, computed as bit sets.
#[derive(Clone, Debug, Default)]
pub struct Combined;

impl Kept for Combined {
    const KEEPS_BITS: bool = false;
    const COMPUTES_BITS: bool = true;
}

/// All states met, and the one that was taken out.
#[derive(Clone, Debug, Default)]
pub struct States<K> {
    rows: Shared,
    /// The state taken out, as positions and, where bits are computed with, as a set.
    positions: Vec<u32>,
    bits: Vec<u32>,
    /// The state being made.
    made: Vec<u32>,
    made_bits: Vec<u32>,
    way: PhantomData<K>,
}

impl<K: Kept> States<K> {
    /// Takes a state out: the following is about it.
    pub fn load(&mut self, state: u32) {
        let States { rows, positions, bits, .. } = self;
        positions.clear();
        if K::KEEPS_BITS {
            bits.clear();
            rows.append_to(state, bits);
            list(bits, positions);
        } else {
            rows.append_to(state, positions);
            if K::COMPUTES_BITS {
                change(&[], &[], positions, bits);
            }
        }
    }

    /// The positions of its atoms, ascending.
    pub fn positions(&self) -> &[u32] {
        &self.positions
    }

    /// Whether it has an atom.
    pub fn holds(&self, position: u32) -> bool {
        match K::COMPUTES_BITS {
            true => has(&self.bits, position),
            false => self.positions.binary_search(&position).is_ok(),
        }
    }

    /// Makes the state after it; gives its number and whether it is new.
    pub fn after(&mut self, deleted: &[u32], added: &[u32]) -> (u32, bool) {
        let States { rows, positions, bits, made, made_bits, .. } = self;
        if K::COMPUTES_BITS {
            change(bits, deleted, added, made_bits);
            if K::KEEPS_BITS {
                return rows.share(made_bits);
            }
            made.clear();
            list(made_bits, made);
        } else {
            made.clear();
            made.extend(positions.iter().filter(|position| !deleted.contains(position)));
            for &position in added {
                if let Err(at) = made.binary_search(&position) {
                    made.insert(at, position);
                }
            }
        }
        rows.share(made)
    }

    /// Keeps the state of these atoms, ascending; gives its number.
    pub fn keep(&mut self, positions: &[u32]) -> u32 {
        if !K::KEEPS_BITS {
            return self.rows.share(positions).0;
        }
        change(&[], &[], positions, &mut self.made_bits);
        self.rows.share(&self.made_bits).0
    }

    /// The rows that are kept.
    pub fn rows(&self) -> &Shared {
        &self.rows
    }

    /// Whether there may be no room for one more with so many atoms.
    pub fn is_full(&self, n_atoms: usize) -> bool {
        let numbers = if K::KEEPS_BITS { n_atoms / WORD as usize + 1 } else { n_atoms };
        self.rows.is_full_for(numbers)
    }
}

/// Bits of a word.
const WORD: u32 = u32::BITS;

fn has(words: &[u32], position: u32) -> bool {
    words.get((position / WORD) as usize).is_some_and(|word| word >> (position % WORD) & 1 == 1)
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
        let at = (position / WORD) as usize;
        made.resize(made.len().max(at + 1), 0);
        made[at] |= 1 << (position % WORD);
    }
    while made.last() == Some(&0) {
        made.pop();
    }
}

/// Appends the positions of a set, ascending.
fn list(words: &[u32], into: &mut Vec<u32>) {
    for (at, &word) in words.iter().enumerate() {
        into.extend(ones(word.into()).map(|bit| at as u32 * WORD + bit as u32));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<K: Kept>() {
        let mut states = States::<K>::default();
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
