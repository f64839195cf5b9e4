//! The actions that could come next, smallest id first.
//!
//! In:   actions, each with its node.
//! Out:  the one of smallest id.
//! Cost: a few words, whatever the number of actions: a tree of bits, 64 to a word. A heap would
//!       cost the logarithm of what is ready.
//!
//! Two occurrences of one action follow each other in one walk, so they are never ready
//! together: an action is a name good enough for its node.

use throng_domain::compile::LocalAction;

/// A set of actions as a tree of bits: a bit of one level tells of a word of the level below.
#[derive(Clone, Debug, Default)]
pub(super) struct Ready {
    levels: Vec<Vec<u64>>,
    node: Vec<u32>,
}

impl Ready {
    /// Empties the set and makes room for actions `0..n`.
    pub(super) fn begin(&mut self, n: usize) {
        let mut size = n.max(1);
        let mut n_levels = 0;
        loop {
            size = size.div_ceil(64);
            match self.levels.get_mut(n_levels) {
                Some(level) => level.clear(),
                None => self.levels.push(Vec::new()),
            }
            self.levels[n_levels].resize(size, 0);
            n_levels += 1;
            if size == 1 {
                break;
            }
        }
        self.levels.truncate(n_levels);
        self.node.resize(n, 0);
    }

    /// Adds an action.
    pub(super) fn insert(&mut self, action: LocalAction, node: u32) {
        self.node[action.index()] = node;
        let mut at = action.index();
        for level in &mut self.levels {
            let word = &mut level[at / 64];
            let was_empty = *word == 0;
            *word |= 1 << (at % 64);
            if !was_empty {
                break;
            }
            at /= 64;
        }
    }

    /// Takes out the action of smallest id, with its node.
    pub(super) fn take_first(&mut self) -> Option<(LocalAction, u32)> {
        let mut at = 0;
        for level in self.levels.iter().rev() {
            let word = level[at];
            if word == 0 {
                return None;
            }
            at = at * 64 + word.trailing_zeros() as usize;
        }
        let first = at;
        for level in &mut self.levels {
            let word = &mut level[at / 64];
            *word &= *word - 1;
            if *word != 0 {
                break;
            }
            at /= 64;
        }
        Some((LocalAction(first as u32), self.node[first]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::SplitMix;

    #[test]
    fn it_is_a_queue_by_id() {
        let mut ready = Ready::default();
        for n in [1usize, 64, 65, 5000, 300_000] {
            ready.begin(n);
            let mut twin = std::collections::BTreeSet::new();
            let mut random = SplitMix::new(5);
            for _ in 0..3_000 {
                let id = random.below(n);
                if random.below(3) < 2 {
                    ready.insert(LocalAction(id as u32), id as u32 + 7);
                    twin.insert(id);
                } else {
                    let first = ready.take_first();
                    let expected = twin.pop_first();
                    assert_eq!(first, expected.map(|id| (LocalAction(id as u32), id as u32 + 7)));
                }
            }
        }
    }
}
