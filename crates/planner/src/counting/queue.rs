//! The open list of a search with amounts: the least rank first, of the same rank the last put in.
//!
//! In:   nodes with ranks, of which most are near the first one.
//! Out:  a node of the least rank.
//! Cost: constant; 8 bytes per entry, 4 per rank in use. Ranks far away are in a heap.
//!
//! The last put in is the deepest, as a rule: of many ways that promise the same, one is followed
//! to its end instead of all at once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Ranks so far above the first have a stack each.
const NEAR: u64 = 1 << 16;
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Entry {
    node: u32,
    /// The one below it on its stack.
    below: u32,
}

#[derive(Debug)]
pub(super) struct Queue {
    /// The rank of the first stack.
    base: u64,
    /// The top of each stack.
    tops: Vec<u32>,
    /// Which stacks are not empty.
    bits: Vec<u64>,
    entries: Vec<Entry>,
    /// The first of the entries that are free.
    free: u32,
    /// No stack in a word of bits before has entries.
    at: usize,
    n_near: usize,
    far: BinaryHeap<Reverse<(u64, Reverse<u32>)>>,
}

impl Default for Queue {
    fn default() -> Self {
        Queue {
            base: 0,
            tops: Vec::new(),
            bits: Vec::new(),
            entries: Vec::new(),
            free: NONE,
            at: 0,
            n_near: 0,
            far: BinaryHeap::new(),
        }
    }
}

impl Queue {
    /// Forgets all entries; ranks will begin about here.
    pub(super) fn clear(&mut self, base: u64) {
        self.base = base;
        self.tops.clear();
        self.bits.clear();
        self.entries.clear();
        self.free = NONE;
        self.at = 0;
        self.n_near = 0;
        self.far.clear();
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.len() * size_of::<Entry>()
            + self.far.len() * size_of::<(u64, u32)>()
            + self.tops.len() * size_of::<u32>()
    }

    #[inline]
    pub(super) fn push(&mut self, rank: u64, node: u32) {
        let near = rank.saturating_sub(self.base);
        if near >= NEAR || self.entries.len() >= NONE as usize {
            self.far.push(Reverse((rank, Reverse(node))));
            return;
        }
        let at = near as usize;
        if at >= self.tops.len() {
            self.tops.resize(at + 1, NONE);
            self.bits.resize(at / 64 + 1, 0);
        }
        let entry = Entry { node, below: self.tops[at] };
        match self.entries.get_mut(self.free as usize) {
            Some(free) => {
                self.tops[at] = std::mem::replace(&mut self.free, free.below);
                *free = entry;
            }
            None => {
                self.tops[at] = self.entries.len() as u32;
                self.entries.push(entry);
            }
        }
        self.bits[at / 64] |= 1 << (at % 64);
        self.at = self.at.min(at / 64);
        self.n_near += 1;
    }

    /// The next node and its rank, which stay.
    #[inline]
    pub(super) fn peek(&mut self) -> Option<(u64, u32)> {
        if self.n_near == 0 {
            return self.far.peek().map(|&Reverse((rank, Reverse(node)))| (rank, node));
        }
        while self.bits[self.at] == 0 {
            self.at += 1;
        }
        let at = self.at * 64 + self.bits[self.at].trailing_zeros() as usize;
        Some((self.base + at as u64, self.entries[self.tops[at] as usize].node))
    }

    /// Takes the next node out.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(u64, u32)> {
        let next = self.peek()?;
        if self.n_near == 0 {
            self.far.pop();
            return Some(next);
        }
        let at = (next.0 - self.base) as usize;
        let top = self.tops[at];
        let entry = &mut self.entries[top as usize];
        self.tops[at] = std::mem::replace(&mut entry.below, self.free);
        self.free = top;
        if self.tops[at] == NONE {
            self.bits[at / 64] &= !(1 << (at % 64));
        }
        self.n_near -= 1;
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::SplitMix;

    #[test]
    fn the_least_rank_comes_first_and_of_it_the_last_near_and_far() {
        let (mut queue, mut random) = (Queue::default(), SplitMix::new(3));
        for base in [0, 1_000] {
            // A new one is an empty one.
            if base > 0 {
                queue.clear(base);
            }
            let mut plain: Vec<(u64, u32)> = Vec::new();
            for node in 0..4_000u32 {
                // Those before the base count as the first; far ones go by number.
                let rank = match random.below(10) {
                    0 => NEAR * 2 + random.below_u64(3),
                    1 => base.saturating_sub(5),
                    _ => base + random.below_u64(300),
                };
                queue.push(rank, node);
                plain.push((rank.max(base), node));
                for _ in 0..random.below(if node < 2_000 { 2 } else { 4 }) {
                    let least = plain.iter().map(|entry| entry.0).min();
                    let at = plain.iter().rposition(|entry| Some(entry.0) == least);
                    let expected = at.map(|at| plain.remove(at));
                    assert_eq!(queue.peek(), expected);
                    assert_eq!(queue.pop(), expected);
                }
            }
            assert!(queue.bytes() > 8);
        }
    }
}
