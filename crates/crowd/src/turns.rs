//! Which NPCs are served in a frame: the most urgent of the waiting first, all in turn.
//!
//! In:   the rows that wait, how urgent they are, how often their groups have their turn, and
//!       how many may be served.
//! Out:  the rows to serve, decided before any work is split over threads.
//! Cost: nothing if all may be served; else two passes over the waiting.
//!
//! Among equals the turn goes round: who was left out comes first in the next frame.

use crate::columns::Columns;
use crate::groups::Rate;
use std::collections::BTreeMap;
use throng_base::{Bits, ones};

/// Whose urgency is this or more is served out of turn.
const AT_ONCE: u8 = u8::MAX;

/// Who had the last turn, by urgency; and who is served now.
#[derive(Debug)]
pub(crate) struct Turns {
    /// How many frames there were.
    frame: u64,
    /// The row after the last that was served, by urgency.
    after: Vec<u32>,
    /// The rows to serve in this frame that have no answer yet; none between frames. Steps have it
    /// for their working memory.
    pub(crate) serve: Bits,
    /// The rows to serve in this frame.
    chosen: Bits,
}

/// What decides about turns.
struct Waiting<'c> {
    waiting: &'c Bits,
    urgency: &'c [u8],
    group: &'c [u16],
    rates: &'c [Rate],
    frame: u64,
}

impl<'c> Waiting<'c> {
    fn of(columns: &'c Columns, rates: &'c [Rate], frame: u64) -> Self {
        let (waiting, urgency) = (columns.waiting(), columns.urgency());
        Waiting { waiting, urgency, group: columns.groups(), rates, frame }
    }

    /// How urgent a row is; `None` if its group has no turn.
    fn urgency(&self, row: usize) -> Option<u8> {
        let rate = self.rates[usize::from(self.group[row])];
        let urgency = self.urgency[row].saturating_add(rate.urgency);
        let every = u64::from(rate.every.max(1));
        let has_turn = every == 1 || row as u64 % every == self.frame % every;
        (has_turn || urgency == AT_ONCE).then_some(urgency)
    }

    /// Counts those who have a turn, by urgency.
    fn count(&self, counts: &mut [usize; 256]) {
        for urgency in self.waiting.iter().filter_map(|row| self.urgency(row)) {
            counts[usize::from(urgency)] += 1;
        }
    }
}

impl Turns {
    throng_base::getters! { pub(crate):
        /// How many frames there were.
        frame: u64;
        /// The rows that were to be served in this frame.
        chosen: &Bits;
    }

    /// For tests that scramble them.
    #[cfg(test)]
    pub(crate) fn chosen_mut(&mut self) -> &mut Bits {
        &mut self.chosen
    }

    /// The turns after so many frames; `served` is the row after the last served, by urgency.
    pub(crate) fn new(frame: u64, served: &BTreeMap<u8, u32>) -> Turns {
        let mut after = vec![0; 256];
        served.iter().for_each(|(&urgency, &row)| after[usize::from(urgency)] = row);
        Turns { frame, after, serve: Bits::default(), chosen: Bits::default() }
    }

    /// The row after the last that was served, by urgency; what is not there is row 0.
    pub(crate) fn after(&self) -> impl Iterator<Item = (u8, u32)> + '_ {
        (0..=u8::MAX).zip(self.after.iter().copied()).filter(|(_, row)| *row > 0)
    }

    /// One frame more.
    pub(crate) fn begin(&mut self) {
        self.frame += 1;
    }

    /// Counts those who will have a turn in the next frame, by urgency.
    pub(crate) fn count(&self, columns: &Columns, rates: &[Rate], counts: &mut [usize; 256]) {
        Waiting::of(columns, rates, self.frame + 1).count(counts);
    }

    /// Chooses at most `most` of the waiting.
    pub(crate) fn choose(&mut self, columns: &Columns, rates: &[Rate], most: usize) {
        self.choose_among(&Waiting::of(columns, rates, self.frame), most);
        self.chosen.reset(columns.len(), false);
        self.chosen.words_mut().copy_from_slice(self.serve.words());
    }

    fn choose_among(&mut self, waiting: &Waiting<'_>, most: usize) {
        self.serve.reset(waiting.group.len(), false);
        let n_waiting = waiting.waiting.count();
        if n_waiting <= most && waiting.rates.iter().all(|rate| rate.every <= 1) {
            self.serve.words_mut().copy_from_slice(waiting.waiting.words());
            return;
        }
        let mut counts = [0usize; 256];
        waiting.count(&mut counts);
        let mut left = most;
        let mut last_level = 0;
        for level in (0..256).rev() {
            last_level = level;
            if counts[level] > left {
                break;
            }
            left -= counts[level];
            // All of this level are served.
            counts[level] = 0;
        }
        // Of the last level only some are: those behind the last one served, then from the top.
        let some = if counts[last_level] > 0 { left } else { 0 };
        let after = self.after[last_level] as usize;
        let is_last = |row: &usize| waiting.urgency(*row).map(usize::from) == Some(last_level);
        let behind = match some {
            0 => 0,
            _ => waiting.waiting.iter().filter(|row| *row >= after).filter(is_last).count(),
        };
        let mut from_after = some.min(behind);
        let mut from_top = some - from_after;
        let wraps = from_top > 0;
        for (at, &word) in waiting.waiting.words().iter().enumerate() {
            let mut chosen = 0u64;
            for bit in ones(word) {
                let row = at * 64 + bit;
                let Some(urgency) = waiting.urgency(row) else { continue };
                let level = usize::from(urgency);
                let quota = if row >= after { &mut from_after } else { &mut from_top };
                let is_chosen = match counts[level] {
                    0 => true,
                    _ if level == last_level && *quota > 0 => {
                        *quota -= 1;
                        if !wraps || row < after {
                            self.after[level] = row as u32 + 1;
                        }
                        true
                    }
                    _ => false,
                };
                chosen |= u64::from(is_chosen) << bit;
            }
            self.serve.words_mut()[at] = chosen;
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        4 * self.after.capacity() + self.serve.bytes() + self.chosen.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_waiting(n: usize) -> Bits {
        let mut all = Bits::default();
        (0..n).for_each(|_| all.push(true));
        all
    }

    #[test]
    fn the_urgent_come_first_and_the_rest_in_turn() {
        let all = all_waiting(100);
        let mut urgency = vec![0; 100];
        urgency[70] = 9;
        let (group, rates) = (vec![0; 100], [Rate { every: 1, urgency: 0 }]);
        let mut turns = Turns::new(0, &BTreeMap::new());
        let mut seen = vec![0; 100];
        for frame in 0..11 {
            let waiting =
                Waiting { waiting: &all, urgency: &urgency, group: &group, rates: &rates, frame };
            turns.choose_among(&waiting, 10);
            assert_eq!(turns.serve.count(), 10);
            turns.serve.iter().for_each(|row| seen[row] += 1);
        }
        assert_eq!(seen[70], 11);
        assert!(seen.iter().enumerate().all(|(row, &n)| row == 70 || n == 1), "{seen:?}");
    }

    #[test]
    fn a_slow_group_has_its_turn_every_so_many_frames() {
        let all = all_waiting(64);
        let (urgency, group, rates) = (vec![0; 64], vec![0; 64], [Rate { every: 4, urgency: 0 }]);
        let mut turns = Turns::new(0, &BTreeMap::new());
        for frame in 0..8 {
            let waiting =
                Waiting { waiting: &all, urgency: &urgency, group: &group, rates: &rates, frame };
            turns.choose_among(&waiting, 1000);
            assert_eq!(turns.serve.count(), 16);
            assert!(turns.serve.iter().all(|row| row as u64 % 4 == frame % 4));
        }
    }

    #[test]
    fn nobody_is_served_without_a_budget() {
        let all = all_waiting(5);
        let (urgency, group, rates) = (vec![255; 5], vec![0; 5], [Rate { every: 1, urgency: 0 }]);
        let waiting =
            Waiting { waiting: &all, urgency: &urgency, group: &group, rates: &rates, frame: 0 };
        let mut turns = Turns::new(0, &BTreeMap::new());
        turns.choose_among(&waiting, 0);
        assert_eq!(turns.serve.count(), 0);
    }
}
