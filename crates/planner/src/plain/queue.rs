//! States waiting to be expanded: the cheapest first, then the one discovered first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

#[derive(Debug, Default)]
pub(super) struct Queue {
    heap: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Queue {
    pub(super) fn clear(&mut self) {
        self.heap.clear();
    }

    pub(super) fn push(&mut self, cost: u64, node: u32) {
        self.heap.push(Reverse((cost, node)));
    }

    pub(super) fn peek(&self) -> Option<(u64, u32)> {
        self.heap.peek().map(|&Reverse(entry)| entry)
    }

    pub(super) fn pop(&mut self) {
        self.heap.pop();
    }

    pub(super) fn bytes(&self) -> usize {
        self.heap.len() * size_of::<(u64, u32)>()
    }
}
