//! The sets of demands met so far: of fixed size, numbered in order of discovery.
//!
//! In:   demands as masks of the packed state.
//! Out:  a number per distinct set, with the cheapest known way from it to the goal.
//! Cost: among the first [`FEW`] nodes a look at each; after that a hash and, on average, fewer than
//!       two comparisons. Most searches of games end before there is anything to hash.

use throng_base::IndexTable;
use throng_base::mix::fold;
use throng_domain::compile::LocalAction;

/// No node: the parent of the goal.
pub(super) const NO_NODE: u32 = u32::MAX;

/// So many nodes are found without a table.
const FEW: usize = 16;
/// How many places a table begins with.
const PLACES: usize = 64;

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

    /// Whether they are the same, without a jump per word.
    #[inline]
    fn is(&self, other: &Demands<W>) -> bool {
        let differ = |at| (self.look[at] ^ other.look[at]) | (self.see[at] ^ other.see[at]);
        (0..W).fold(0, |all, at| all | differ(at)) == 0
    }
}

/// A set of demands, how it was made, and what it costs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<const W: usize> {
    pub(super) demands: Demands<W>,
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
    pub(super) all: Vec<Node<W>>,
    /// Made when there are [`FEW`] nodes.
    table: IndexTable,
    pub(super) is_full: bool,
}

impl<const W: usize> Nodes<W> {
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.is_full = false;
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        let is_small = self.all.len() < FEW;
        let table = if is_small { PLACES * size_of::<u32>() } else { self.table.bytes() };
        self.all.len() * size_of::<Node<W>>() + table
    }

    /// The number of a set of demands; g of one that is new is `u64::MAX`. `None` if there are too
    /// many.
    #[inline]
    pub(super) fn find_or_add(&mut self, demands: &Demands<W>) -> Option<u32> {
        if self.all.len() >= FEW {
            return self.find_or_add_by_hash(demands);
        }
        let known = self.all.iter().position(|node| node.demands.is(demands));
        Some(known.map_or_else(|| self.add(demands), |known| known as u32))
    }

    #[inline]
    fn add(&mut self, demands: &Demands<W>) -> u32 {
        let (node, action) = (self.all.len() as u32, LocalAction(0));
        let (g, h, parent, done) = (u64::MAX, 0, NO_NODE, false);
        self.all.push(Node { demands: *demands, g, h, parent, action, done });
        if self.all.len() == FEW {
            self.begin_table();
        }
        node
    }

    #[cold]
    fn begin_table(&mut self) {
        let hash_of = |node: u32| self.all[node as usize].demands.hash();
        self.table.reset(PLACES);
        (0..FEW as u32).for_each(|node| self.table.insert(hash_of(node), node, hash_of));
    }

    #[inline(never)]
    fn find_or_add_by_hash(&mut self, demands: &Demands<W>) -> Option<u32> {
        let node = u32::try_from(self.all.len()).ok().filter(|&node| node < NO_NODE - 1);
        let Some(node) = node else {
            self.is_full = true;
            return None;
        };
        let known = &self.all;
        let is_same = |node: u32| known[node as usize].demands.is(demands);
        let hash_of = |node: u32| known[node as usize].demands.hash();
        let found = self.table.find_or_insert(demands.hash(), node, is_same, hash_of);
        found.or_else(|| Some(self.add(demands)))
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
                assert_eq!(nodes.find_or_add(&demands), Some(n as u32), "round {round}");
                assert_eq!(nodes.all[n as usize].demands, demands);
            }
        }
    }
}
