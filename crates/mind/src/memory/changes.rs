//! Which kinds of facts have changed since that was last asked: so that what asks for few kinds is
//! made anew only for them.
//!
//! In:   each change and each confirmation in a memory, by the kind of its fact.
//! Out:  a set of kinds that have changed, and one of kinds that were confirmed.
//! Cost: 4 bytes.
//!
//! Sixteen bits serve all kinds: one that shares a bit with another is taken for changed once too
//! often, never too seldom. It is not saved: in a memory that comes back everything is new.

use crate::words::Word;

/// Sets of kinds: those whose facts say something else, or are others, and those that were confirmed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct KindSet(pub(crate) u32);

impl KindSet {
    /// All kinds.
    pub(crate) const ALL: Self = KindSet(u32::MAX);

    /// Takes in that facts of a kind change.
    #[inline]
    pub(crate) fn insert(&mut self, kind: Word) {
        self.0 |= 1 << bit_of(kind);
    }

    /// Takes in that facts of a kind are confirmed as they are.
    #[inline]
    pub(crate) fn insert_confirmed(&mut self, kind: Word) {
        self.0 |= 1 << (16 + bit_of(kind));
    }
}

/// Kinds have small numbers beside each other, or a file's distance apart: both are spread.
#[inline]
fn bit_of(kind: Word) -> u32 {
    kind.0.wrapping_mul(0x9e37_79b1) >> 28
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_seen_by_whoever_asks_for_its_kind_and_a_confirmation_is_no_change() {
        for kind in (0..40).map(Word) {
            let [mut changed, mut confirmed] = [KindSet::default(); 2];
            changed.insert(kind);
            confirmed.insert_confirmed(kind);
            assert_eq!((changed.0 & KindSet::ALL.0).count_ones(), 1);
            assert_eq!(confirmed.0, changed.0 << 16);
        }
    }
}
