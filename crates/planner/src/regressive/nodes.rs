//! The sets of demands met so far: of fixed size, numbered in order of discovery, found by hashing.
//!
//! In:   demands as masks of the packed state.
//! Out:  a number per distinct set, with the cheapest known way from it to the goal.
//! Cost: a look-up is a hash and, on average, fewer than two comparisons.

use throng_domain::compile::LocalAction;

/// No node: the parent of the goal.
pub(super) const NO_NODE: u32 = u32::MAX;

/// What must hold: the bits to look at, and what must be seen there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Demands<const W: usize> {
    pub(super) look: [u64; W],
    pub(super) see: [u64; W],
}

impl<const W: usize> Demands<W> {
    fn hash(&self) -> u64 {
        let mut hash = 0u64;
        for at in 0..W {
            hash = (hash ^ self.look[at]).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            hash = (hash.rotate_left(29) ^ self.see[at]).wrapping_mul(0xd6e8_feb8_6659_fd93);
        }
        hash ^ hash >> 32
    }
}

/// How a node was made, and what it costs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// From here to the goal.
    pub(super) cost: u64,
    /// The least from what holds now to here.
    pub(super) rest: u64,
    pub(super) parent: u32,
    pub(super) action: LocalAction,
    pub(super) done: bool,
}

/// All nodes of a search.
#[derive(Debug, Default)]
pub(super) struct Nodes<const W: usize> {
    demands: Vec<Demands<W>>,
    ways: Vec<Way>,
    /// Node numbers plus one; 0 is empty. Its length is a power of two, at most half full.
    table: Vec<u32>,
    full: bool,
}

impl<const W: usize> Nodes<W> {
    pub(super) fn clear(&mut self) {
        self.demands.clear();
        self.ways.clear();
        self.full = false;
        // Begin small again: clearing the table of a large search would cost every small one.
        self.table.clear();
        self.table.resize(64, 0);
    }

    /// Whether there are more nodes than can be numbered.
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.demands.len() * (size_of::<Demands<W>>() + size_of::<Way>()) + self.table.len() * 4
    }

    pub(super) fn demands(&self, node: u32) -> Demands<W> {
        self.demands[node as usize]
    }

    pub(super) fn way(&self, node: u32) -> Way {
        self.ways[node as usize]
    }

    pub(super) fn way_mut(&mut self, node: u32) -> &mut Way {
        &mut self.ways[node as usize]
    }

    /// The number of a set of demands; one that is new costs `u64::MAX`. `None` if there are too
    /// many.
    pub(super) fn find_or_add(&mut self, demands: Demands<W>) -> Option<u32> {
        if (self.demands.len() + 1) * 2 > self.table.len() {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut at = demands.hash() as usize & mask;
        loop {
            match self.table[at] {
                0 => break,
                found if self.demands[found as usize - 1] == demands => return Some(found - 1),
                _ => at = (at + 1) & mask,
            }
        }
        let node = u32::try_from(self.demands.len()).ok().filter(|&node| node < NO_NODE - 1);
        let Some(node) = node else {
            self.full = true;
            return None;
        };
        self.table[at] = node + 1;
        self.demands.push(demands);
        let (parent, action) = (NO_NODE, LocalAction(0));
        self.ways.push(Way { cost: u64::MAX, rest: 0, parent, action, done: false });
        Some(node)
    }

    fn grow(&mut self) {
        let size = self.table.len() * 2;
        self.table.clear();
        self.table.resize(size, 0);
        for (node, demands) in self.demands.iter().enumerate() {
            let mut at = demands.hash() as usize & (size - 1);
            while self.table[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            self.table[at] = node as u32 + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_demands_have_one_number() {
        let mut nodes = Nodes::<2>::default();
        for round in 0..2 {
            for n in 0..1_000u64 {
                if (round, n) == (0, 0) {
                    nodes.clear();
                }
                let demands = Demands { look: [n, 1], see: [n / 3, 0] };
                assert_eq!(nodes.find_or_add(demands), Some(n as u32), "round {round}");
                assert_eq!(nodes.demands(n as u32), demands);
            }
        }
    }
}
