//! The states met so far: packed, numbered in order of discovery, found by hashing.
//!
//! In:   packed states.
//! Out:  a number per distinct state, with the cheapest known way to it.
//! Cost: a look-up is a hash and, on average, fewer than two comparisons; states take their
//!       words and 32 bytes, the table 4 to 8 bytes each.

use throng_domain::compile::LocalAction;

/// No node: the parent of the start.
pub(super) const NO_NODE: u32 = u32::MAX;

/// How a state is reached.
#[derive(Clone, Copy, Debug)]
struct Way {
    cost: u64,
    /// The least that is left to pay from here.
    rest: u64,
    parent: u32,
    action: LocalAction,
    done: bool,
}

#[derive(Debug, Default)]
pub(super) struct Store {
    n_words: usize,
    words: Vec<u64>,
    ways: Vec<Way>,
    /// Node numbers plus one; 0 is empty. Its length is a power of two, at most half full.
    table: Vec<u32>,
    full: bool,
}

impl Store {
    pub(super) fn clear(&mut self, n_words: usize) {
        self.n_words = n_words;
        self.words.clear();
        self.ways.clear();
        self.full = false;
        // Begin small again: clearing the table of a large search would cost every small one.
        self.table.clear();
        self.table.resize(64, 0);
    }

    pub(super) fn len(&self) -> usize {
        self.ways.len()
    }

    /// Whether there are more states than can be numbered.
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    /// Bytes in use for states, ways and the table.
    pub(super) fn bytes(&self) -> usize {
        self.words.len() * 8 + self.ways.len() * size_of::<Way>() + self.table.len() * 4
    }

    /// The number of a state, new or known; `None` if there are too many.
    pub(super) fn find_or_add(&mut self, state: &[u64]) -> Option<u32> {
        if (self.ways.len() + 1) * 2 > self.table.len() {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut at = hash(state) as usize & mask;
        loop {
            match self.table[at] {
                0 => break,
                found if self.words(found - 1) == state => return Some(found - 1),
                _ => at = (at + 1) & mask,
            }
        }
        let node = u32::try_from(self.ways.len()).ok().filter(|&node| node < NO_NODE - 1);
        let Some(node) = node else {
            self.full = true;
            return None;
        };
        self.table[at] = node + 1;
        self.words.extend_from_slice(state);
        self.ways.push(Way {
            cost: u64::MAX,
            rest: 0,
            parent: NO_NODE,
            action: LocalAction(0),
            done: false,
        });
        Some(node)
    }

    fn grow(&mut self) {
        let length = self.table.len() * 2;
        self.table.clear();
        self.table.resize(length, 0);
        for node in 0..self.ways.len() as u32 {
            let mut at = hash(self.words(node)) as usize & (length - 1);
            while self.table[at] != 0 {
                at = (at + 1) & (length - 1);
            }
            self.table[at] = node + 1;
        }
    }

    pub(super) fn words(&self, node: u32) -> &[u64] {
        let start = node as usize * self.n_words;
        &self.words[start..start + self.n_words]
    }

    pub(super) fn cost(&self, node: u32) -> u64 {
        self.ways[node as usize].cost
    }

    pub(super) fn is_done(&self, node: u32) -> bool {
        self.ways[node as usize].done
    }

    pub(super) fn set_done(&mut self, node: u32) {
        self.ways[node as usize].done = true;
    }

    pub(super) fn set_way(&mut self, node: u32, cost: u64, parent: u32, action: LocalAction) {
        let rest = self.ways[node as usize].rest;
        self.ways[node as usize] = Way { cost, rest, parent, action, done: false };
    }

    pub(super) fn rest(&self, node: u32) -> u64 {
        self.ways[node as usize].rest
    }

    pub(super) fn set_rest(&mut self, node: u32, rest: u64) {
        self.ways[node as usize].rest = rest;
    }

    /// The state before `node` and the action between; `None` for the start.
    pub(super) fn way(&self, node: u32) -> Option<(u32, LocalAction)> {
        let way = self.ways[node as usize];
        (way.parent != NO_NODE).then_some((way.parent, way.action))
    }
}

/// Mixes words well enough for a table of powers of two; fixed, so runs repeat.
fn hash(words: &[u64]) -> u64 {
    let mut hash = 0x9e37_79b9_7f4a_7c15u64;
    for &word in words {
        hash = (hash ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd);
        hash ^= hash >> 32;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_numbered_once_in_order() {
        let mut store = Store::default();
        store.clear(2);
        for round in 0..2 {
            for n in 0..1000u64 {
                assert_eq!(store.find_or_add(&[n, n % 7]), Some(n as u32), "round {round}");
            }
        }
        assert_eq!(store.len(), 1000);
        assert_eq!(store.words(999), [999, 5]);
    }

    #[test]
    fn a_type_without_variables_has_one_state() {
        let mut store = Store::default();
        store.clear(0);
        assert_eq!((store.find_or_add(&[]), store.find_or_add(&[])), (Some(0), Some(0)));
    }
}
