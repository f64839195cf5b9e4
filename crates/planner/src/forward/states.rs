//! The states met so far: packed in one arena, numbered in order of discovery, found by hashing.
//!
//! In:   a state's number and operators.
//! Out:  the numbers of the states after it, and whether they are new; the way back to the start.
//! Cost: a look-up is a hash, one read of the table, and one of the arena if the state is known.
//!
//! Bytes per state: 8 for each word, 8 for the way, and 4 per place of the table, which is
//! between three and six eighths full: 5.3 to 10.7. So 21 to 27 bytes for states of one word.
//!
//! The functions are compiled for the number of words `W` in a state; 0 is any number.

use super::packed::Packed;

/// No state: before the start.
pub(super) const NO_STATE: u32 = u32::MAX;
/// The table begins with two to this power places, and ends with this.
const FIRST_BITS: u32 = 8;
const MOST_BITS: u32 = 31;

/// How a state was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Way {
    pub(super) parent: u32,
    pub(super) operator: u32,
}

/// A made state's hash, and what the table has where it points.
#[derive(Clone, Copy, Debug)]
struct Glimpse {
    hash: u64,
    entry: u32,
}

#[derive(Debug, Default)]
pub(super) struct States {
    n_words: usize,
    words: Vec<u64>,
    ways: Vec<Way>,
    /// 0 is empty; else the low bits, as many as the table's length has, are a state's number
    /// plus one, and the high bits are the same as those of its hash.
    table: Vec<u32>,
    bits: u32,
    /// At so many states the table grows.
    room: usize,
    is_full: bool,
    /// States that were made and wait to be taken.
    made: Vec<u64>,
    made_ways: Vec<Way>,
    glimpses: Vec<Glimpse>,
}

impl States {
    /// Forgets all states but the start.
    pub(super) fn begin(&mut self, start: &[u64]) {
        self.n_words = start.len();
        self.words.clear();
        self.ways.clear();
        self.is_full = false;
        // Small again: clearing the table of a large search would cost every small one.
        self.make_table(FIRST_BITS);
        self.clear_made();
        self.made.extend_from_slice(start);
        self.made_ways.push(Way { parent: NO_STATE, operator: 0 });
        self.look_up::<0>();
        self.take::<0>(0);
    }

    pub(super) fn len(&self) -> usize {
        self.ways.len()
    }

    /// Whether there are more states than can be numbered.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Bytes in use for states, ways and the table.
    pub(super) fn bytes(&self) -> usize {
        self.words.len() * 8 + self.ways.len() * size_of::<Way>() + self.table.len() * 4
    }

    pub(super) fn way(&self, state: u32) -> Way {
        self.ways[state as usize]
    }

    pub(super) fn set_way(&mut self, state: u32, way: Way) {
        self.ways[state as usize] = way;
    }

    #[inline]
    fn width<const W: usize>(&self) -> usize {
        if W == 0 { self.n_words } else { W }
    }

    #[inline]
    pub(super) fn words<const W: usize>(&self, state: u32) -> &[u64] {
        let width = self.width::<W>();
        &self.words[state as usize * width..][..width]
    }

    /// Forgets the states that were made.
    pub(super) fn clear_made(&mut self) {
        self.made.clear();
        self.made_ways.clear();
    }

    /// How many states were made.
    pub(super) fn n_made(&self) -> usize {
        self.made_ways.len()
    }

    /// Makes the states after some operators.
    #[inline]
    pub(super) fn make<const W: usize>(&mut self, packed: &Packed, parent: u32, operators: &[u32]) {
        self.made_ways.extend(operators.iter().map(|&operator| Way { parent, operator }));
        let width = self.width::<W>();
        let from = parent as usize * width;
        if W == 1 {
            let state = self.words[from];
            self.made.extend(operators.iter().map(|&operator| packed.after(operator, state)));
            return;
        }
        for &operator in operators {
            let end = self.made.len();
            self.made.extend_from_slice(&self.words[from..][..width]);
            packed.apply(operator, &mut self.made[end..]);
        }
    }

    /// Looks up the states that were made, to be [taken](Self::take) one by one.
    ///
    /// No look-up waits for what another found, so the reads of the table are under way at the
    /// same time.
    #[inline]
    pub(super) fn look_up<const W: usize>(&mut self) {
        while self.ways.len() + self.made_ways.len() > self.room && self.bits < MOST_BITS {
            self.grow::<W>();
        }
        let (table, mask) = (&self.table[..], self.table.len() - 1);
        self.glimpses.clear();
        self.glimpses.extend(self.made.chunks_exact(self.width::<W>()).map(|state| {
            let hash = hash(state);
            Glimpse { hash, entry: table[hash as usize & mask] }
        }));
    }

    /// The number of a state that was looked up, its way, and whether it is new; `None` if there
    /// are too many.
    #[inline]
    pub(super) fn take<const W: usize>(&mut self, at: usize) -> Option<(u32, Way, bool)> {
        let width = self.width::<W>();
        let Glimpse { hash, entry: seen } = self.glimpses[at];
        let (state, way) = (&self.made[at * width..][..width], self.made_ways[at]);
        let mask = self.table.len() - 1;
        let low = mask as u32;
        let tag = (hash >> 32) as u32 & !low;
        let is = |number: u32| match W {
            1 => self.words[number as usize] == state[0],
            _ => &self.words[number as usize * width..][..width] == state,
        };
        // Most states are known, and most of these lie where they were looked for first. What
        // was there then is there still.
        if seen != 0 && seen & !low == tag && is((seen & low) - 1) {
            return Some(((seen & low) - 1, way, false));
        }
        let mut place = hash as usize & mask;
        loop {
            let entry = self.table[place];
            if entry == 0 {
                break;
            }
            if entry & !low == tag && is((entry & low) - 1) {
                return Some(((entry & low) - 1, way, false));
            }
            place = (place + 1) & mask;
        }
        if self.ways.len() >= self.room {
            self.is_full = true;
            return None;
        }
        let number = self.ways.len() as u32;
        self.table[place] = tag | (number + 1);
        self.words.extend_from_slice(state);
        self.ways.push(way);
        Some((number, way, true))
    }

    fn make_table(&mut self, bits: u32) {
        self.bits = bits;
        self.table.clear();
        self.table.resize(1 << bits, 0);
        self.room = (1 << bits) / 4 * 3;
    }

    #[cold]
    fn grow<const W: usize>(&mut self) {
        self.make_table(self.bits + 1);
        let (width, mask) = (self.width::<W>(), self.table.len() - 1);
        let low = mask as u32;
        for state in 0..self.ways.len() {
            let hash = hash(&self.words[state * width..][..width]);
            let mut at = hash as usize & mask;
            while self.table[at] != 0 {
                at = (at + 1) & mask;
            }
            self.table[at] = (hash >> 32) as u32 & !low | (state as u32 + 1);
        }
    }
}

/// Mixes words well enough for a table of powers of two; fixed, so runs repeat.
#[inline]
fn hash(words: &[u64]) -> u64 {
    let mut hash = 0u64;
    for &word in words {
        let product =
            u128::from(hash ^ word ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xd6e8_feb8_6659_fd93);
        hash = product as u64 ^ (product >> 64) as u64;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forward::task::{Atom, Task};

    /// Walks a ring of so many values in `words` variables at once, twice.
    fn walk<const W: usize>(n_words: u32) {
        let mut task = Task::default();
        for _ in 0..n_words {
            task.add_variable(1 << 16, 0);
            task.add_variable(1 << 16, 0);
            task.add_variable(1 << 16, 0);
            task.add_variable(1 << 16, 0);
        }
        let n_values = 3_000;
        for value in 0..n_values {
            let sets = (0..4 * n_words).map(|variable| Atom { variable, value });
            task.add_operator(std::iter::empty(), sets, 1);
        }
        let mut packed = Packed::default();
        packed.fill(&task);
        assert_eq!(packed.n_words(), n_words as usize);
        let mut start = Vec::new();
        packed.pack_start(&mut start);
        let mut states = States::default();
        states.begin(&start);
        for round in 0..2 {
            for operator in 1..u32::from(n_values) {
                states.clear_made();
                states.make::<W>(&packed, operator - 1, &[operator, operator, 0]);
                states.look_up::<W>();
                let way = Way { parent: operator - 1, operator };
                assert_eq!(states.take::<W>(0), Some((operator, way, round == 0)));
                assert_eq!(states.take::<W>(1), Some((operator, way, false)));
                assert_eq!(states.take::<W>(2).map(|taken| taken.0), Some(0));
            }
        }
        assert_eq!(states.len(), usize::from(n_values));
        let per_state = states.bytes() as f64 / states.len() as f64;
        let words = f64::from(8 * n_words);
        assert!((words + 13.3..words + 18.7).contains(&per_state), "{per_state} bytes");
    }

    #[test]
    fn states_are_numbered_once_in_order_whatever_their_width() {
        walk::<1>(1);
        walk::<0>(1);
        walk::<2>(2);
        walk::<4>(4);
        walk::<0>(7);
    }
}
