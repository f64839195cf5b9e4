//! Who is served in a frame: the most urgent of the waiting first, everybody in turn.
//!
//! In:   the rows that wait, how urgent they are, how often their groups have their turn, and
//!       how many may be served.
//! Out:  the rows to serve, decided before any work is split over threads.
//! Cost: nothing if all may be served; else two passes over the waiting.
//!
//! Among equals the turn goes round: who was left out comes first in the next frame.

use crate::groups::Group;
use throng_base::{Bits, ones};

/// Whose urgency is this or more is served out of turn.
pub(crate) const AT_ONCE: u8 = u8::MAX;

/// Who had the last turn, by urgency; and who is served now.
#[derive(Debug)]
pub(crate) struct Turns {
    /// The row after the last that was served, by urgency.
    after: Vec<u32>,
    /// The rows to serve in this frame that have no answer yet.
    pub(crate) serve: Bits,
    /// The rows to serve in this frame.
    pub(crate) chosen: Bits,
}

/// What decides about turns.
pub(crate) struct Waiting<'c> {
    pub(crate) dirty: &'c Bits,
    pub(crate) urgency: &'c [u8],
    pub(crate) group: &'c [u16],
    pub(crate) groups: &'c [Group],
    pub(crate) frame: u64,
}

impl Waiting<'_> {
    /// How urgent a row is; `None` if its group has no turn.
    fn urgency(&self, row: usize) -> Option<u8> {
        let group = &self.groups[usize::from(self.group[row])];
        let urgency = self.urgency[row].saturating_add(group.urgency);
        let every = u64::from(group.every.max(1));
        let has_turn = every == 1 || row as u64 % every == self.frame % every;
        (has_turn || urgency == AT_ONCE).then_some(urgency)
    }
}

impl Waiting<'_> {
    /// Counts those who have a turn, by urgency.
    pub(crate) fn count(&self, counts: &mut [usize; 256]) {
        for urgency in self.dirty.iter().filter_map(|row| self.urgency(row)) {
            counts[usize::from(urgency)] += 1;
        }
    }
}

impl Turns {
    pub(crate) fn new() -> Turns {
        Turns { after: vec![0; 256], serve: Bits::default(), chosen: Bits::default() }
    }

    /// Chooses at most `most` of the waiting.
    pub(crate) fn choose(&mut self, waiting: &Waiting<'_>, n_rows: usize, most: usize) {
        self.choose_some(waiting, n_rows, most);
        self.chosen.reset(n_rows, false);
        self.chosen.words_mut().copy_from_slice(self.serve.words());
    }

    fn choose_some(&mut self, waiting: &Waiting<'_>, n_rows: usize, most: usize) {
        self.serve.reset(n_rows, false);
        let n_waiting = waiting.dirty.count();
        if n_waiting <= most && waiting.groups.iter().all(|group| group.every <= 1) {
            self.serve.words_mut().copy_from_slice(waiting.dirty.words());
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
            _ => waiting.dirty.iter().filter(|row| *row >= after).filter(is_last).count(),
        };
        let mut from_after = some.min(behind);
        let mut from_top = some - from_after;
        let wraps = from_top > 0;
        for (at, &word) in waiting.dirty.words().iter().enumerate() {
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
    use throng_planner::{ActionMask, Checks};

    fn group(urgency: u8, every: u16) -> Group {
        let (checks, forbidden) = (Checks::all(0), ActionMask::none(0));
        let (shared, touched) = (Vec::new(), Vec::new());
        let (now, settled, is_stale) = (0, 0, false);
        let untold = Vec::new();
        Group { checks, forbidden, shared, urgency, every, now, settled, touched, untold, is_stale }
    }

    fn all_dirty(n: usize) -> Bits {
        let mut dirty = Bits::default();
        (0..n).for_each(|_| dirty.push(true));
        dirty
    }

    #[test]
    fn the_urgent_come_first_and_the_rest_in_turn() {
        let dirty = all_dirty(100);
        let mut urgency = vec![0; 100];
        urgency[70] = 9;
        let (group_of, groups) = (vec![0; 100], [group(0, 1)]);
        let mut turns = Turns::new();
        let mut seen = vec![0; 100];
        for frame in 0..11 {
            let waiting = Waiting {
                dirty: &dirty,
                urgency: &urgency,
                group: &group_of,
                groups: &groups,
                frame,
            };
            turns.choose(&waiting, 100, 10);
            assert_eq!(turns.serve.count(), 10);
            turns.serve.iter().for_each(|row| seen[row] += 1);
        }
        assert_eq!(seen[70], 11);
        assert!(seen.iter().enumerate().all(|(row, &n)| row == 70 || n == 1), "{seen:?}");
    }

    #[test]
    fn a_slow_group_has_its_turn_every_so_many_frames() {
        let dirty = all_dirty(64);
        let (urgency, group_of, groups) = (vec![0; 64], vec![0; 64], [group(0, 4)]);
        let mut turns = Turns::new();
        for frame in 0..8 {
            let waiting = Waiting {
                dirty: &dirty,
                urgency: &urgency,
                group: &group_of,
                groups: &groups,
                frame,
            };
            turns.choose(&waiting, 64, 1000);
            assert_eq!(turns.serve.count(), 16);
            assert!(turns.serve.iter().all(|row| row as u64 % 4 == frame % 4));
        }
    }

    #[test]
    fn nobody_is_served_without_a_budget() {
        let dirty = all_dirty(5);
        let (urgency, group_of, groups) = (vec![255; 5], vec![0; 5], [group(0, 1)]);
        let waiting = Waiting {
            dirty: &dirty,
            urgency: &urgency,
            group: &group_of,
            groups: &groups,
            frame: 0,
        };
        let mut turns = Turns::new();
        turns.choose(&waiting, 5, 0);
        assert_eq!(turns.serve.count(), 0);
    }
}
