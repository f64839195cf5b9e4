//! The actions that could come next, smallest id first.
//!
//! In:   actions, some with a node each.
//! Out:  the one of smallest id.
//! Cost: a few words, whatever the number of actions: a tree of bits, 64 to a word. A heap would
//!       cost the logarithm of what is ready.

use throng_domain::compile::LocalAction;

/// A set of actions as a tree of bits: a bit of one level tells of a word of the level below.
#[derive(Clone, Debug, Default)]
pub(super) struct ActionSet {
    levels: Vec<Vec<u64>>,
    /// No word of the lowest level before is in use.
    at: usize,
}

impl ActionSet {
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
        self.at = 0;
    }

    /// Adds an action.
    #[inline]
    pub(super) fn insert(&mut self, action: LocalAction) {
        let mut at = action.index();
        self.at = self.at.min(at / 64);
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

    /// Takes out the action of smallest id.
    #[inline]
    pub(super) fn take_first(&mut self) -> Option<LocalAction> {
        if self.levels.first()?.get(self.at).is_none_or(|&word| word == 0) {
            self.at = self.first_word()?;
        }
        let mut at = self.at;
        let mut first = None;
        for level in &mut self.levels {
            let word = &mut level[at];
            first = first.or(Some(LocalAction((at * 64) as u32 + word.trailing_zeros())));
            *word &= *word - 1;
            if *word != 0 {
                break;
            }
            at /= 64;
        }
        first
    }

    /// The first word of the lowest level that is in use.
    fn first_word(&self) -> Option<usize> {
        let mut at = 0;
        for level in self.levels[1..].iter().rev() {
            let word = level[at];
            if word == 0 {
                return None;
            }
            at = at * 64 + word.trailing_zeros() as usize;
        }
        (self.levels[0][at] != 0).then_some(at)
    }
}

/// The same set, each action with its node.
///
/// Two occurrences of one action follow each other in one walk, so they are never ready together:
/// an action is a name good enough for its node.
#[derive(Clone, Debug, Default)]
pub(super) struct Ready {
    actions: ActionSet,
    node: Vec<u32>,
}

impl Ready {
    /// Empties the set and makes room for actions `0..n`.
    pub(super) fn begin(&mut self, n: usize) {
        self.actions.begin(n);
        self.node.resize(n, 0);
    }

    /// Adds an action.
    #[inline]
    pub(super) fn insert(&mut self, action: LocalAction, node: u32) {
        self.node[action.index()] = node;
        self.actions.insert(action);
    }

    /// Takes out the action of smallest id, with its node.
    #[inline]
    pub(super) fn take_first(&mut self) -> Option<(LocalAction, u32)> {
        let action = self.actions.take_first()?;
        Some((action, self.node[action.index()]))
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
