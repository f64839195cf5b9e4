//! Demands in a row, and the first of them that another lies within.
//!
//! In:   demands, one after the other.
//! Out:  the first that a demand lies within; a state is a demand too, the narrowest.
//! Cost: linear, sixteen at a time, and of most only a lane or two.

use super::demand::Layout;

/// How many demands are looked at together.
const BLOCK: usize = 16;

/// Demands in the order in which they were kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Cover {
    /// Sixteen demands after the other; of each sixteen the first lane of all, then the second.
    blocks: Vec<[u16; BLOCK]>,
    len: usize,
}

impl Cover {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<[u16; BLOCK]>()
    }

    pub(super) fn push(&mut self, demand: &[u16]) {
        let (n_lanes, at) = (demand.len(), self.len);
        if at % BLOCK == 0 {
            // Nothing lies within what asks for more than there is.
            self.blocks.resize(self.blocks.len() + n_lanes, [u16::MAX; BLOCK]);
        }
        for (row, &lane) in self.blocks[at / BLOCK * n_lanes..].iter_mut().zip(demand) {
            row[at % BLOCK] = lane;
        }
        self.len += 1;
    }

    /// The first demand, from a position on or a little before it, that a demand lies within.
    pub(super) fn find(&self, layout: &Layout, demand: &[u16], from: usize) -> Option<usize> {
        let n_lanes = layout.n_lanes();
        let first = from / BLOCK;
        let blocks = self.blocks.chunks_exact(n_lanes.max(1)).enumerate().skip(first);
        for (at, block) in blocks {
            let mut more = [0u16; BLOCK];
            let (masks, bounds) = block.split_at(layout.n_masks());
            let (asked_masks, asked_bounds) = demand.split_at(layout.n_masks());
            for (row, asked) in masks.iter().zip(asked_masks) {
                for (more, outer) in more.iter_mut().zip(row) {
                    *more |= outer & !asked;
                }
            }
            if !has_zero(&more) {
                continue;
            }
            for (row, &asked) in bounds.iter().zip(asked_bounds) {
                for (more, outer) in more.iter_mut().zip(row) {
                    *more |= outer.saturating_sub(asked);
                }
                if !has_zero(&more) {
                    break;
                }
            }
            if let Some(found) = more.iter().position(|&more| more == 0) {
                return Some(at * BLOCK + found);
            }
        }
        None
    }
}

#[inline]
fn has_zero(lanes: &[u16; BLOCK]) -> bool {
    lanes.iter().fold(0u16, |any, &lane| any | if lane == 0 { u16::MAX } else { 0 }) != 0
}
