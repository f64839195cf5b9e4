//! The open list: nodes to expand, the most promising first.
//!
//! In:   nodes with what they promise.
//! Out:  the one of least total, then of least rest, then the one that was found first.
//! Cost: a look at each while there are few, which is cheaper than any order among them; else that
//!       of a heap. Which of the two it is changes nothing that can be seen.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// An open node: f, h, its number.
pub(super) type Entry = (u64, u64, u32);

/// So many are kept without order.
const FEW: usize = 16;
/// Room for so many is made before the first search, so that those of games allocate no more.
const ROOM: usize = 256;

/// Nodes to expand.
#[derive(Debug, Default)]
pub(super) struct OpenList {
    /// All of them, while there are few.
    few: Vec<Entry>,
    /// All of them, once there have been more.
    many: BinaryHeap<Reverse<Entry>>,
}

impl OpenList {
    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.few.clear();
        if self.many.capacity() < ROOM {
            self.few.reserve(FEW);
            self.many.reserve(ROOM);
        }
        if !self.many.is_empty() {
            self.many.clear();
        }
    }

    pub(super) fn len(&self) -> usize {
        self.few.len() + self.many.len()
    }

    #[inline]
    pub(super) fn push(&mut self, entry: Entry) {
        if self.few.len() < FEW && self.many.is_empty() {
            self.few.push(entry);
        } else {
            self.push_many(entry);
        }
    }

    #[inline(never)]
    fn push_many(&mut self, entry: Entry) {
        self.many.extend(self.few.drain(..).map(Reverse));
        self.many.push(Reverse(entry));
    }

    /// Takes out the first.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<Entry> {
        let mut first = *self.few.first().or(self.many.peek().map(|Reverse(entry)| entry))?;
        if self.few.is_empty() {
            self.many.pop();
            return Some(first);
        }
        let mut place = 0;
        for (at, &entry) in self.few.iter().enumerate().skip(1) {
            if entry < first {
                (first, place) = (entry, at);
            }
        }
        self.few.swap_remove(place);
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::SplitMix;

    #[test]
    fn it_pops_as_a_heap_does() {
        let mut dice = SplitMix::new(7);
        let (mut open, mut twin) = (OpenList::default(), BinaryHeap::new());
        for node in 0..20_000u32 {
            if node % 5_000 == 0 {
                open.clear();
                twin.clear();
            }
            // Long waves, so that it is empty, small and large by turns.
            if dice.percent(47 + 6 * (node as usize / 500 % 2)) {
                let entry = (dice.below_u64(4), dice.below_u64(3), node);
                open.push(entry);
                twin.push(Reverse(entry));
            } else {
                assert_eq!(open.pop(), twin.pop().map(|Reverse(entry)| entry));
            }
            assert_eq!(open.len(), twin.len());
        }
    }
}
