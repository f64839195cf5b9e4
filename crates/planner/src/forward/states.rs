//! The states met so far, open and closed: packed in one arena, numbered in order of discovery, found by hashing.
//!
//! In:   a state's number and operators.
//! Out:  the numbers of the states after it, and whether they are new; the way back to the start.
//! Cost: a look-up is a hash, one read of the table, eight places at a time where the processor can,
//!       and one of the arena if the state is known.
//!
//! Bytes per state: 4 for each half word; 4 per place of the table, which is between 8/15 and
//! 4/5 full: 5 to 7.5; and the way: 1/4 in order of discovery, else 8 (as while there are few).
//! So a breadth-first search takes at most 8 bytes more than its packed variables do, once there
//! are a few thousand states. That is why it has a table of its own beside `IndexTable`: a fuller
//! one whose sizes are not powers of two, and one that looks up a state's successors together.
//!
//! Stored are halves of words, worked on are words. The functions are compiled for the number of
//! halves `H` in a state; 0 is any number.

use super::avx2::Avx2;
use super::packed::Packed;
use super::ways::{NO_STATE, Way, Ways};
use throng_base::mix::fold;
use throng_base::reset;

/// The table begins with so many places. Its last size is the largest below `u32::MAX`.
const FIRST_PLACES: usize = 256;
const MOST_PLACES: usize = u32::MAX as usize / 3 * 2;

/// Where a made state was looked for, and what is there: the first entry with its tag, or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Glimpse {
    pub(super) tag: u32,
    pub(super) at: u32,
    pub(super) entry: u32,
}

#[derive(Debug, Default)]
pub(super) struct LaneStates {
    n_halves: usize,
    n_states: usize,
    halves: Vec<u32>,
    pub(super) ways: Ways,
    /// 0 is empty; else the low bits, as many as the table's length has, are a state's number
    /// plus one, and the high bits are the same as those of the low half of its hash. The high
    /// half says where it lies.
    table: Vec<u32>,
    /// The low bits of an entry.
    low: u32,
    /// At so many states the table grows.
    room: usize,
    is_full: bool,
    /// More places than that the table does not get.
    most_places: usize,
    /// States that were made and wait to be taken.
    made: Vec<u64>,
    made_ways: Vec<Way>,
    glimpses: Vec<Glimpse>,
    avx2: Option<Avx2>,
    /// Whether places are looked at one by one, whatever the processor can do.
    pub(super) is_plain: bool,
}

impl LaneStates {
    /// Forgets all states but the start. `in_order`: whether they will be expanded in order of
    /// discovery.
    pub(super) fn begin(&mut self, packed: &Packed, start: &[u64], in_order: bool) {
        self.n_halves = packed.n_halves();
        self.n_states = 0;
        self.halves.clear();
        self.ways.begin(in_order);
        self.is_full = false;
        self.avx2 = Avx2::detect().filter(|_| !self.is_plain);
        self.most_places = MOST_PLACES;
        // Small again: clearing the table of a large search would cost every small one.
        self.make_table(FIRST_PLACES);
        self.clear_made();
        self.made.extend_from_slice(&start[..packed.n_stored()]);
        self.made_ways.push(Way { parent: NO_STATE, operator: 0 });
        self.look_up::<0>();
        self.take::<0>(0);
    }

    pub(super) fn len(&self) -> usize {
        self.n_states
    }

    /// Whether there are more states than can be numbered.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Lets the table grow no more.
    #[cfg(test)]
    pub(super) fn be_small(&mut self) {
        self.most_places = 0;
    }

    /// Bytes in use for states, ways and the table.
    pub(super) fn bytes(&self) -> usize {
        (self.halves.len() + self.table.len()) * 4 + self.ways.bytes()
    }

    /// Gives all memory back.
    pub(super) fn free(&mut self) {
        *self = LaneStates { is_plain: self.is_plain, ..LaneStates::default() };
    }

    #[inline]
    fn n_halves<const H: usize>(&self) -> usize {
        if H == 0 { self.n_halves } else { H }
    }

    /// Reads a state into the first of some words; the others stay.
    #[inline]
    pub(super) fn read<const H: usize>(&self, state: u32, words: &mut [u64]) {
        let at = state as usize;
        match H {
            1 => words[0] = u64::from(self.halves[at]),
            2 => words[0] = joined(&self.halves[2 * at..2 * at + 2]),
            _ => {
                let width = self.n_halves::<H>();
                let pairs = self.halves[at * width..][..width].chunks(2);
                words.iter_mut().zip(pairs).for_each(|(word, pair)| *word = joined(pair));
            }
        }
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

    /// The words of a state that was made.
    #[inline]
    pub(super) fn made<const H: usize>(&self, at: usize) -> &[u64] {
        let width = self.n_halves::<H>().div_ceil(2);
        &self.made[at * width..][..width]
    }

    /// Makes the states after some operators; `before` are the parent's words, derived variables
    /// and all.
    #[inline]
    pub(super) fn make<const H: usize>(
        &mut self,
        packed: &Packed,
        parent: u32,
        before: &[u64],
        operators: &[u32],
    ) {
        self.made_ways.extend(operators.iter().map(|&operator| Way { parent, operator }));
        let width = self.n_halves::<H>().div_ceil(2);
        if width == 1 && !packed.has_effects() {
            let state = before[0];
            self.made.extend(operators.iter().map(|&operator| packed.after(operator, state)));
            return;
        }
        self.make_each(packed, before, operators, width);
    }

    /// The same for any width, and for conditional effects.
    fn make_each(&mut self, packed: &Packed, before: &[u64], operators: &[u32], width: usize) {
        for &operator in operators {
            let end = self.made.len();
            self.made.extend_from_slice(&before[..width]);
            packed.apply(operator, &mut self.made[end..]);
            if packed.has_effects() {
                packed.apply_effects(operator, before, &mut self.made[end..]);
            }
        }
    }

    /// Looks up the states that were made, to be [taken](Self::take) one by one.
    ///
    /// No look-up waits for what another found, so the reads of the table are under way at the
    /// same time.
    #[inline]
    pub(super) fn look_up<const H: usize>(&mut self) {
        while self.n_states + self.made_ways.len() > self.room
            && self.table.len() < self.most_places
        {
            self.grow::<H>();
        }
        let mut glimpses = std::mem::take(&mut self.glimpses);
        let made = &self.made;
        glimpses.clear();
        match self.n_halves::<H>().div_ceil(2) {
            1 => self.glimpse(made.iter().map(|&word| fold(0, word)), &mut glimpses),
            width => {
                let hash = |state: &[u64]| state.iter().fold(0, |hash, &word| fold(hash, word));
                self.glimpse(made.chunks_exact(width).map(hash), &mut glimpses);
            }
        }
        self.glimpses = glimpses;
    }

    #[inline]
    fn glimpse(&self, hashes: impl Iterator<Item = u64>, glimpses: &mut Vec<Glimpse>) {
        match self.avx2 {
            Some(avx2) => avx2.glimpse(&self.table, self.low, hashes, glimpses),
            None => glimpses.extend(hashes.map(|hash| Glimpse::of(hash, &self.table, self.low))),
        }
    }

    /// The number of a state that was looked up, its way, and whether it is new; `None` if there
    /// are too many.
    #[inline]
    pub(super) fn take<const H: usize>(&mut self, made: usize) -> Option<(u32, Way, bool)> {
        let Glimpse { tag, at, mut entry } = self.glimpses[made];
        let (state, way) = (self.made::<H>(made), self.made_ways[made]);
        let (low, n_places, mut at) = (self.low, self.table.len(), at as usize);
        // What was there then is there still; where nothing was, another of these may be by now.
        if entry == 0 {
            entry = self.table[at];
        }
        while entry != 0 {
            if entry & !low == tag && self.is::<H>((entry & low) - 1, state) {
                return Some(((entry & low) - 1, way, false));
            }
            at = if at + 1 == n_places { 0 } else { at + 1 };
            entry = self.table[at];
        }
        if self.n_states >= self.room {
            self.is_full = true;
            return None;
        }
        let number = self.n_states as u32;
        self.table[at] = tag | (number + 1);
        self.n_states += 1;
        self.store::<H>(made);
        self.ways.push(number, way);
        Some((number, way, true))
    }

    /// Whether a stored state is the same as some words.
    #[inline]
    fn is<const H: usize>(&self, number: u32, words: &[u64]) -> bool {
        let at = number as usize;
        match H {
            1 => u64::from(self.halves[at]) == words[0],
            2 => joined(&self.halves[2 * at..2 * at + 2]) == words[0],
            _ => {
                let width = self.n_halves::<H>();
                let mut pairs = self.halves[at * width..][..width].chunks(2).zip(words);
                pairs.all(|(pair, &word)| joined(pair) == word)
            }
        }
    }

    /// Adds a state that was made to the arena.
    #[inline]
    fn store<const H: usize>(&mut self, made: usize) {
        if H == 1 {
            return self.halves.push(self.made[made] as u32);
        }
        let n_halves = self.n_halves::<H>();
        let width = n_halves.div_ceil(2);
        let words = &self.made[made * width..][..width];
        let (last, whole) = match words.split_last() {
            Some((&last, whole)) if n_halves % 2 == 1 => (Some(last as u32), whole),
            _ => (None, words),
        };
        for &word in whole {
            self.halves.extend_from_slice(&[word as u32, (word >> 32) as u32]);
        }
        self.halves.extend(last);
    }

    fn make_table(&mut self, places: usize) {
        reset(&mut self.table, places, 0);
        self.low = (places.next_power_of_two() - 1) as u32;
        self.room = places / 5 * 4;
    }

    #[cold]
    fn grow<const H: usize>(&mut self) {
        self.make_table(self.table.len() / 2 * 3);
        let (low, n_places) = (self.low, self.table.len());
        let width = self.n_halves::<H>();
        let mut number = 0;
        // In blocks, so that the reads of the table are under way at the same time.
        let mut block = [(0, 0); 32];
        for states in self.halves.chunks(block.len() * width) {
            let n_states = states.len() / width;
            for (glimpse, halves) in block.iter_mut().zip(states.chunks_exact(width)) {
                let hash = match H {
                    1 | 2 => fold(0, joined(halves)),
                    _ => halves.chunks(2).fold(0, |hash, pair| fold(hash, joined(pair))),
                };
                *glimpse = (hash, self.table[place(hash, n_places)]);
            }
            for &(hash, entry) in &block[..n_states] {
                let mut at = place(hash, n_places);
                let mut is_taken = entry != 0;
                while is_taken || self.table[at] != 0 {
                    at = if at + 1 == n_places { 0 } else { at + 1 };
                    is_taken = false;
                }
                number += 1;
                self.table[at] = hash as u32 & !low | number;
            }
        }
    }
}

/// Two halves, or the only one, as a word.
#[inline]
fn joined(halves: &[u32]) -> u64 {
    match halves {
        [low, high] => u64::from(*low) | u64::from(*high) << 32,
        [low] => u64::from(*low),
        _ => 0,
    }
}

impl Glimpse {
    /// The first entry from the place of a hash on that has its tag, or the first that is empty.
    #[inline]
    pub(super) fn of(hash: u64, table: &[u32], low: u32) -> Glimpse {
        Glimpse::from(place(hash, table.len()), hash as u32 & !low, table, low)
    }

    /// The same from any place on.
    #[inline]
    pub(super) fn from(mut at: usize, tag: u32, table: &[u32], low: u32) -> Glimpse {
        loop {
            at = if at >= table.len() { 0 } else { at };
            let entry = table[at];
            if entry == 0 || entry & !low == tag {
                return Glimpse { tag, at: at as u32, entry };
            }
            at += 1;
        }
    }
}

/// Where a state with a hash lies in a table of so many places.
#[inline]
pub(super) fn place(hash: u64, n_places: usize) -> usize {
    (((hash >> 32) * n_places as u64) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forward::task::{Atom, GroundTask};
    use throng_base::SplitMix;

    /// Walks a ring of so many values in so many halves of words at once, twice.
    fn walk<const H: usize>(n_halves: u32) {
        [true, false].into_iter().for_each(|is_plain| walk_some::<H>(n_halves, is_plain));
    }

    fn walk_some<const H: usize>(n_halves: u32, is_plain: bool) {
        let mut task = GroundTask::default();
        for _ in 0..n_halves {
            task.add_variable(1 << 16, 0);
            task.add_variable(1 << 16, 0);
        }
        let n_values = 13_000;
        for value in 0..n_values {
            let sets = (0..2 * n_halves).map(|variable| Atom { variable, value });
            task.add_operator(std::iter::empty(), sets, 1);
        }
        let mut packed = Packed::default();
        packed.fill(&task);
        assert_eq!(packed.n_halves(), n_halves as usize);
        let (mut start, mut before) = (Vec::new(), vec![0; packed.n_words()]);
        packed.pack_start(&mut start);
        let mut states = LaneStates { is_plain, ..LaneStates::default() };
        states.begin(&packed, &start, true);
        for round in 0..2 {
            for operator in 1..u32::from(n_values) {
                states.read::<H>(operator - 1, &mut before);
                states.clear_made();
                states.make::<H>(&packed, operator - 1, &before, &[operator, operator, 0]);
                states.look_up::<H>();
                let way = Way { parent: operator - 1, operator };
                assert_eq!(states.take::<H>(0), Some((operator, way, round == 0)));
                assert_eq!(states.take::<H>(1), Some((operator, way, false)));
                assert_eq!(states.take::<H>(2).map(|taken| taken.0), Some(0));
                let n_states = operator as usize + 1;
                if round == 0 && n_states >= 10_000 {
                    let most = (4 * n_halves as usize + 8) * n_states;
                    assert!(states.bytes() <= most, "{} bytes of {most}", states.bytes());
                }
            }
        }
        assert_eq!(states.len(), usize::from(n_values));
    }

    #[test]
    fn states_are_numbered_once_in_order_whatever_their_width() {
        walk::<1>(1);
        walk::<0>(1);
        walk::<2>(2);
        walk::<3>(3);
        walk::<4>(4);
        walk::<0>(7);
    }

    #[test]
    fn places_are_found_together_as_they_are_one_by_one() {
        let mut random = SplitMix::new(31);
        for n_places in [8, 9, 40, 256, 864] {
            let low = u32::from(1023u16);
            // From nearly empty to as full as no table gets; some tags more often than others.
            for n_entries in [1, n_places / 2, n_places - 1] {
                let mut table = vec![0; n_places];
                for number in 1..=n_entries as u32 {
                    let at = random.below(n_places);
                    let free = (at..n_places).chain(0..at).find(|&at| table[at] == 0);
                    table[free.unwrap_or(at)] = (random.below(8) as u32) << 10 | number;
                }
                let hash = |_| (random.number() & !0xffff_fc00) | (random.below(8) as u64) << 10;
                let hashes: Vec<u64> = (0..500).map(hash).collect();
                let mut found = Vec::new();
                let states = LaneStates { avx2: Avx2::detect(), ..LaneStates::default() };
                let states = LaneStates { table, low, ..states };
                states.glimpse(hashes.iter().copied(), &mut found);
                let expected = hashes.iter().map(|&hash| Glimpse::of(hash, &states.table, low));
                assert!(expected.eq(found), "{n_entries} in {n_places}");
            }
        }
    }
}
