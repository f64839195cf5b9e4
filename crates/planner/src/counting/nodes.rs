//! The demands met so far: numbered in order of discovery, found by hashing.
//!
//! In:   demands in lanes.
//! Out:  a number per distinct one, with the cheapest known way from it to the goal.
//! Cost: a look-up is a hash and, on average, fewer than two comparisons.

use super::lane::{Lane, Lanes};
use throng_base::IndexTable;
use throng_base::mix::fold;

/// No node: the parent of the goal.
pub(super) const NO_NODE: u32 = u32::MAX;

/// How a node was made, and what it costs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// What it costs from here to the goal, by the cheapest way known.
    pub(super) g: u64,
    /// The least from the start to here.
    pub(super) h: u64,
    pub(super) parent: u32,
    pub(super) action: u32,
    /// By how many potentials it was estimated.
    pub(super) n_worths: u8,
    pub(super) done: bool,
}

/// All nodes of a search.
#[derive(Clone, Debug)]
pub(super) struct Nodes<N, const L: usize> {
    pub(super) demands: Vec<Lanes<N, L>>,
    pub(super) ways: Vec<Way>,
    table: IndexTable,
    pub(super) is_full: bool,
}

impl<N, const L: usize> Default for Nodes<N, L> {
    fn default() -> Self {
        let table = IndexTable::default();
        Nodes { demands: Vec::new(), ways: Vec::new(), table, is_full: false }
    }
}

impl<N: Lane, const L: usize> Nodes<N, L> {
    pub(super) fn clear(&mut self) {
        self.demands.clear();
        self.ways.clear();
        self.is_full = false;
        self.table.reset(64);
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.demands.len() * (size_of::<Lanes<N, L>>() + size_of::<Way>()) + self.table.bytes()
    }

    /// The number of a demand; g of one that is new is `u64::MAX`. `None` if there are too many.
    #[inline]
    pub(super) fn find_or_add(&mut self, demand: &Lanes<N, L>) -> Option<u32> {
        let node = u32::try_from(self.demands.len()).ok().filter(|&node| node < NO_NODE - 1);
        let Some(node) = node else {
            self.is_full = true;
            return None;
        };
        let known = &self.demands;
        let is_same = |node: u32| known[node as usize] == *demand;
        let hash_of = |node: u32| hash(&known[node as usize]);
        let found = self.table.find_or_insert(hash(demand), node, is_same, hash_of);
        if found.is_some() {
            return found;
        }
        self.demands.push(*demand);
        let (parent, action) = (NO_NODE, 0);
        self.ways.push(Way { g: u64::MAX, h: 0, parent, action, n_worths: 0, done: false });
        Some(node)
    }

    /// The actions from a node to the goal.
    pub(super) fn way(&self, mut node: u32, plan: &mut Vec<u32>) {
        plan.clear();
        while let Some(way) = self.ways.get(node as usize)
            && way.parent != NO_NODE
        {
            plan.push(way.action);
            node = way.parent;
        }
    }
}

#[inline]
fn hash<N: Lane, const L: usize>(demand: &Lanes<N, L>) -> u64 {
    let in_word = 8 / size_of::<N>();
    let words = demand.chunks_exact(in_word).map(|lanes| {
        let bits = 8 * size_of::<N>();
        let shifted = lanes.iter().enumerate().map(|(at, &lane)| lane.into() << (at * bits));
        shifted.fold(0, |word, lane: u64| word | lane)
    });
    words.fold(0, fold)
}
