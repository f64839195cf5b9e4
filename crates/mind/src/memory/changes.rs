//! How often facts of kinds have changed: so that what asks for few kinds is made anew only for them.
//!
//! In:   each change of a memory, by the kind of its fact.
//! Out:  for a set of kinds, a number that grows whenever one of them has changed.
//! Cost: 64 bytes; a question costs a step per counter that is asked for.
//!
//! Sixteen counters serve all kinds: one that shares a counter with another is taken for changed once
//! too often, never too seldom. Where a memory has been is not saved with it: who remembers a number
//! forgets it with the memory.

use crate::words::Word;
use throng_base::ones;

/// Counters of changes.
#[derive(Clone, Default)]
pub(super) struct Changes([u32; 16]);

/// A set of kinds: a bit for each counter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct KindSet(u16);

impl KindSet {
    /// Takes a kind in.
    pub(crate) fn insert(&mut self, kind: Word) {
        self.0 |= 1 << counter_of(kind);
    }
}

/// Kinds have small numbers beside each other, or a file's distance apart: both are spread.
#[inline]
fn counter_of(kind: Word) -> usize {
    (kind.0.wrapping_mul(0x9e37_79b1) >> 28) as usize
}

impl Changes {
    #[inline]
    pub(super) fn count(&mut self, kind: Word) {
        let counter = &mut self.0[counter_of(kind)];
        *counter = counter.wrapping_add(1);
    }

    /// How often facts of these kinds have changed. No counter goes back, so the sum stays only if
    /// all do.
    #[inline]
    pub(super) fn of(&self, kinds: KindSet) -> u64 {
        ones(kinds.0.into()).map(|at| u64::from(self.0[at])).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_seen_by_whoever_asks_for_its_kind() {
        let mut changes = Changes::default();
        for kind in (0..40).map(Word) {
            let mut asked = KindSet::default();
            asked.insert(kind);
            let before = changes.of(asked);
            changes.count(kind);
            assert_eq!(changes.of(asked), before + 1);
            assert_eq!(changes.of(KindSet::default()), 0);
        }
    }
}
