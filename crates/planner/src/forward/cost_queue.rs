//! A queue of atoms by price, cheapest first.
//!
//! In:   atoms with prices, none below the last one taken out.
//! Out:  the cheapest; of several the last put in.
//! Cost: constant for small prices, which have a stack each; the logarithm of their number for
//!       large ones.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// OpenList below have a stack each.
const SMALL: usize = 1 << 12;

#[derive(Debug, Default)]
pub(super) struct CostQueue {
    stacks: Vec<Vec<u32>>,
    /// No stack before is in use.
    at: usize,
    n_small: usize,
    large: BinaryHeap<Reverse<(u64, u32)>>,
}

impl CostQueue {
    pub(super) fn clear(&mut self) {
        if self.n_small > 0 {
            self.stacks.iter_mut().for_each(Vec::clear);
        }
        self.n_small = 0;
        self.at = 0;
        self.large.clear();
    }

    #[inline]
    pub(super) fn push(&mut self, price: u64, atom: u32) {
        if price >= SMALL as u64 {
            self.large.push(Reverse((price, atom)));
            return;
        }
        let price = price as usize;
        if price >= self.stacks.len() {
            self.stacks.resize_with(price + 1, Vec::new);
        }
        self.stacks[price].push(atom);
        self.n_small += 1;
        self.at = self.at.min(price);
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<(u64, u32)> {
        if self.n_small == 0 {
            return self.large.pop().map(|Reverse(entry)| entry);
        }
        loop {
            if let Some(atom) = self.stacks[self.at].pop() {
                self.n_small -= 1;
                return Some((self.at as u64, atom));
            }
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_come_out_in_order_small_and_large() {
        let mut queue = CostQueue::default();
        for round in 0..2 {
            for at in 0..6_000u64 {
                queue.push(at * 7_919 % 6_000 * 2, at as u32);
            }
            let (mut last, mut n) = (0, 0);
            while let Some((price, atom)) = queue.pop() {
                assert_eq!(price, u64::from(atom) * 7_919 % 6_000 * 2);
                assert!(price >= last, "round {round}");
                (last, n) = (price, n + 1);
            }
            assert_eq!(n, 6_000);
            queue.push(5, 1);
            queue.clear();
            assert_eq!(queue.pop(), None);
        }
    }
}
