//! The sets of demands met so far: of fixed size, numbered in order of discovery, found by hashing.
//!
//! In:   demands as masks of the packed state.
//! Out:  a number per distinct set, with the cheapest known way from it to the goal.
//! Cost: a look-up is a hash and, on average, fewer than two comparisons.

use throng_base::IndexTable;
use throng_base::mix::fold;
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
        (0..W).fold(0, |hash, at| fold(fold(hash, self.look[at]), self.see[at]))
    }
}

/// How a node was made, and what it costs.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeCost {
    /// What it costs from here to the goal, by the cheapest way known.
    pub(super) g: u64,
    /// The heuristic: the least from what holds now to here.
    pub(super) h: u64,
    pub(super) parent: u32,
    pub(super) action: LocalAction,
    pub(super) done: bool,
}

/// All nodes of a search.
#[derive(Debug, Default)]
pub(super) struct Nodes<const W: usize> {
    pub(super) demands: Vec<Demands<W>>,
    pub(super) ways: Vec<NodeCost>,
    table: IndexTable,
    pub(super) is_full: bool,
}

impl<const W: usize> Nodes<W> {
    pub(super) fn clear(&mut self) {
        self.demands.clear();
        self.ways.clear();
        self.is_full = false;
        self.table.reset(64);
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.demands.len() * (size_of::<Demands<W>>() + size_of::<NodeCost>()) + self.table.bytes()
    }

    /// The number of a set of demands; g of one that is new is `u64::MAX`. `None` if there are too
    /// many.
    pub(super) fn find_or_add(&mut self, demands: Demands<W>) -> Option<u32> {
        let node = u32::try_from(self.demands.len()).ok().filter(|&node| node < NO_NODE - 1);
        let Some(node) = node else {
            self.is_full = true;
            return None;
        };
        let known = &self.demands;
        let is_same = |node: u32| known[node as usize] == demands;
        let hash_of = |node: u32| known[node as usize].hash();
        let found = self.table.find_or_insert(demands.hash(), node, is_same, hash_of);
        if found.is_some() {
            return found;
        }
        self.demands.push(demands);
        let (parent, action) = (NO_NODE, LocalAction(0));
        self.ways.push(NodeCost { g: u64::MAX, h: 0, parent, action, done: false });
        Some(node)
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
                assert_eq!(nodes.demands[n as usize], demands);
            }
        }
    }
}
