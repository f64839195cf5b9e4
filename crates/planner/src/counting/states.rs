//! The states met by a forward search with amounts: numbered in order of discovery, found by
//! hashing, each with the cheapest way known to it.
//!
//! In:   packed states.
//! Out:  their numbers; the way back to the start.
//! Cost: a look-up is a hash and, on average, fewer than two comparisons; 16 bytes per state
//!       beside its words, and 8 to 16 of the table.
//!
//! Functions are compiled for the number of words `W` of a state; 0 is any number.

use throng_base::IndexTable;
use throng_base::mix::fold;

/// No node: before the start.
pub(super) const NO_NODE: u32 = u32::MAX;
/// The table begins with so many places.
const FIRST_PLACES: usize = 64;
/// Marks the row of a way to a node that was expanded since it was reached so cheaply.
const DONE: u32 = 1 << 31;

/// How a node was reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// What it costs.
    pub(super) g: u64,
    pub(super) parent: u32,
    row: u32,
}

impl Way {
    /// By a row that is below 2³¹.
    #[inline]
    pub(super) fn new(g: u64, parent: u32, row: usize) -> Way {
        Way { g, parent, row: row as u32 & !DONE }
    }

    #[inline]
    pub(super) fn row(&self) -> usize {
        (self.row & !DONE) as usize
    }
}

/// All nodes of a search.
#[derive(Debug, Default)]
pub(super) struct States {
    width: usize,
    words: Vec<u64>,
    ways: Vec<Way>,
    table: IndexTable,
    is_full: bool,
}

impl States {
    /// Forgets all but the start.
    pub(super) fn begin(&mut self, start: &[u64]) {
        self.width = start.len();
        self.words.clear();
        self.ways.clear();
        self.is_full = false;
        self.table.reset(FIRST_PLACES);
        self.find_or_add::<0>(start, Way::new(0, NO_NODE, 0));
    }

    pub(super) fn len(&self) -> usize {
        self.ways.len()
    }

    /// Whether there are more states than can be numbered.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Bytes in use.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        self.words.len() * 8 + self.ways.len() * size_of::<Way>() + self.table.bytes()
    }

    #[inline]
    pub(super) fn state<const W: usize>(&self, node: u32) -> &[u64] {
        let width = if W == 0 { self.width } else { W };
        &self.words[node as usize * width..][..width]
    }

    #[inline]
    pub(super) fn way(&self, node: u32) -> Way {
        self.ways[node as usize]
    }

    /// Changes the way to a node, which is to be expanded again.
    #[inline]
    pub(super) fn set_way(&mut self, node: u32, way: Way) {
        self.ways[node as usize] = way;
    }

    #[inline]
    pub(super) fn is_done(&self, node: u32) -> bool {
        self.ways[node as usize].row & DONE != 0
    }

    #[inline]
    pub(super) fn set_done(&mut self, node: u32) {
        self.ways[node as usize].row |= DONE;
    }

    /// The number of a state and whether it is new, in which case this is the way to it; `None` if
    /// there are too many.
    #[inline]
    pub(super) fn find_or_add<const W: usize>(
        &mut self,
        state: &[u64],
        way: Way,
    ) -> Option<(u32, bool)> {
        let width = if W == 0 { self.width } else { W };
        let state = &state[..width];
        let number = self.ways.len();
        if number >= NO_NODE as usize - 1 {
            self.is_full = true;
            return None;
        }
        let words = &self.words;
        let at = |node: u32| &words[node as usize * width..][..width];
        // Few words: compared one by one, not by a call.
        let is_same = |node: u32| at(node).iter().zip(state).all(|(a, b)| a == b);
        let hash_of = |node: u32| hash(at(node));
        let found = self.table.find_or_insert(hash(state), number as u32, is_same, hash_of);
        if let Some(node) = found {
            return Some((node, false));
        }
        self.words.extend_from_slice(state);
        self.ways.push(way);
        Some((number as u32, true))
    }

    /// The rows that lead from the start to a node, in order.
    pub(super) fn rows_to(&self, mut node: u32, rows: &mut Vec<u32>) {
        rows.clear();
        loop {
            let way = self.ways[node as usize];
            if way.parent == NO_NODE {
                break;
            }
            rows.push(way.row() as u32);
            node = way.parent;
        }
        rows.reverse();
    }
}

#[inline]
fn hash(state: &[u64]) -> u64 {
    state.iter().fold(0, |hash, &word| fold(hash, word))
}
