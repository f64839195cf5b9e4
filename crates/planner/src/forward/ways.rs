//! How each state was reached.
//!
//! In:   the states in order of discovery, each with its parent and operator.
//! Out:  a state's parent, and its operator where that is kept.
//! Cost: 8 bytes per state; or 2 bits, if states are expanded in order of discovery.
//!
//! Breadth-first, parents rise with their children. So a row of bits tells all parents: the bit
//! of state `s` with parent `p` is number `s - 1 + p`, which is one bit per state and one per
//! parent. The bits of a plan's states are found in one pass from the last to the first.
//! Operators are not kept then: extracting the plan tries the parent's again. While there are
//! few states they are in a list all the same, for searches that end soon.

/// No state: before the start.
pub(super) const NO_STATE: u32 = u32::MAX;

/// With more states than that, a list becomes bits.
const FEW: usize = 1024;

/// How a state was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Way {
    pub(super) parent: u32,
    pub(super) operator: u32,
}

#[derive(Debug, Default)]
pub(super) struct Ways {
    in_order: bool,
    /// Whether parents are bits by now.
    is_bits: bool,
    list: Vec<Way>,
    bits: Vec<u64>,
}

impl Ways {
    /// Forgets all; `in_order` promises that parents will not fall.
    pub(super) fn begin(&mut self, in_order: bool) {
        self.in_order = in_order;
        self.is_bits = false;
        self.list.clear();
        self.bits.clear();
    }

    pub(super) fn bytes(&self) -> usize {
        self.list.len() * size_of::<Way>() + self.bits.len() * 8
    }

    /// Adds the way to the next state; the start comes first, from [`NO_STATE`].
    #[inline]
    pub(super) fn push(&mut self, state: u32, way: Way) {
        if self.is_bits {
            self.set_bit(state, way.parent);
            return;
        }
        self.list.push(way);
        if self.in_order && self.list.len() > FEW {
            self.become_bits();
        }
    }

    #[inline]
    fn set_bit(&mut self, state: u32, parent: u32) {
        let bit = state as usize - 1 + parent as usize;
        if bit / 64 >= self.bits.len() {
            self.bits.resize(bit / 64 + 1, 0);
        }
        self.bits[bit / 64] |= 1 << (bit % 64);
    }

    #[cold]
    fn become_bits(&mut self) {
        self.is_bits = true;
        // The start has no parent.
        for state in 1..self.list.len() {
            self.set_bit(state as u32, self.list[state].parent);
        }
        self.list.clear();
    }

    /// Changes the way to a state, where ways are a list.
    pub(super) fn set(&mut self, state: u32, way: Way) {
        if let Some(known) = self.list.get_mut(state as usize) {
            *known = way;
        }
    }

    /// The way to a state; `None` if only its parent is kept.
    pub(super) fn get(&self, state: u32) -> Option<Way> {
        self.list.get(state as usize).copied()
    }

    /// Writes the states on the way from the start to a state, both included.
    pub(super) fn states_to(&self, last: u32, n_states: usize, path: &mut Vec<u32>) {
        path.clear();
        path.push(last);
        if self.is_bits {
            self.read_bits(last, n_states, path);
        } else {
            self.read_list(last, path);
        }
        path.reverse();
    }

    fn read_list(&self, last: u32, path: &mut Vec<u32>) {
        let parent = |state: u32| self.get(state).map(|way| way.parent);
        let mut next = parent(last);
        while let Some(state) = next.filter(|&state| state != NO_STATE) {
            path.push(state);
            next = parent(state);
        }
    }

    fn read_bits(&self, last: u32, n_states: usize, path: &mut Vec<u32>) {
        let mut state = last;
        // How many bits are set up to the word at hand, itself included.
        let mut up_to = n_states.saturating_sub(1);
        let mut word = self.bits.len();
        while state != 0 && word > 0 {
            let ones = self.bits[word - 1].count_ones() as usize;
            // State `s` is the one with `s` bits set up to its own.
            if up_to - ones >= state as usize {
                up_to -= ones;
                word -= 1;
                continue;
            }
            let rank = state as usize - (up_to - ones);
            let bit = (word - 1) * 64 + select(self.bits[word - 1], rank);
            state = (bit - (state as usize - 1)) as u32;
            path.push(state);
        }
    }
}

/// Where the bit is with which `rank` bits are set, from 1 on.
fn select(mut word: u64, rank: usize) -> usize {
    for _ in 1..rank {
        word &= word - 1;
    }
    word.trailing_zeros() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::SplitMix;

    #[test]
    fn bits_tell_the_same_parents_as_a_list() {
        let mut random = SplitMix::new(1);
        for n_states in [1, 2, 3, 64, 1_024, 1_025, 20_000] {
            let (mut ways, mut parents) = (Ways::default(), vec![NO_STATE]);
            ways.begin(true);
            ways.push(0, Way { parent: NO_STATE, operator: 0 });
            for state in 1..n_states {
                let last = if state == 1 { 0 } else { parents[state as usize - 1] };
                // Some have many children, some none.
                let step = if random.one_in(4) { random.below(200) as u32 } else { 0 };
                let parent = (last + step).min(state - 1);
                parents.push(parent);
                ways.push(state, Way { parent, operator: 7 });
            }
            let is_long = n_states as usize > FEW;
            assert!(!is_long || ways.bytes() <= n_states as usize / 4 + 8);
            for last in (0..n_states).step_by(1 + n_states as usize / 50) {
                let (mut path, mut state, mut expected) = (Vec::new(), last, vec![last]);
                while parents[state as usize] != NO_STATE {
                    state = parents[state as usize];
                    expected.push(state);
                }
                expected.reverse();
                ways.states_to(last, n_states as usize, &mut path);
                assert_eq!(path, expected, "{n_states} states, to {last}");
            }
        }
    }
}
