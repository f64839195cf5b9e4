//! The forms in which plans are handed out.
//!
//! In:   the rows of a block: what fired, and status.
//! Out:  masks of the word, lists of actions, first actions.
//! Cost: masks are a transposition of rows; a list is two to four look-ups more; a first action is
//!       one pass over the rows.
//!
//! A mask has status in its two highest bits, a list (four bits per action, the first in the
//! lowest) has its length in bits 56 to 59 and status in bits 60 and 61: 0 plan, 1 impossible,
//! 3 unknown. What failed has no other bits.

use super::bits::Table;
use super::block::{EMPTY, FULL, Fired, LANES, Simd};
use throng_domain::compile::LocalAction;

/// As first action: the goal holds already.
pub const NEXT_NONE: u8 = 0xff;
/// As first action: there is no plan.
pub const NEXT_IMPOSSIBLE: u8 = 0xfe;
/// As first action: the exact planner has to decide.
pub const NEXT_UNKNOWN: u8 = 0xfd;

/// Words of up to so many positions fit into 16 bits with their status.
pub(super) const SHORT: usize = 14;
/// Lists have room for so many actions, of types with so many.
pub(super) const LONGEST_LIST: u32 = 14;
pub(super) const MOST_LISTED: usize = 16;

/// Status of a list.
pub(super) const LIST_UNKNOWN: u64 = 3 << 60;

/// From eight positions of the word that fired to their actions: four bits each, their number in
/// bits 56 to 59.
#[derive(Clone, Debug)]
pub(super) struct ListTables {
    parts: Vec<[u64; 256]>,
    /// Plans may have more actions than a list has room for.
    can_overflow: bool,
}

impl ListTables {
    /// The tables of a word; `None` if the type has too many actions.
    pub(super) fn new(word: &[LocalAction], n_actions: usize) -> Option<ListTables> {
        if n_actions > MOST_LISTED {
            return None;
        }
        let mut parts: Vec<[u64; 256]> = Vec::new();
        for part in word.chunks(8) {
            let entry = |mask: usize| {
                let fired = part.iter().enumerate().filter(|(at, _)| mask >> at & 1 == 1);
                let shifted =
                    fired.enumerate().map(|(nth, (_, action))| u64::from(action.0) << (4 * nth));
                shifted.fold(0, |all, action| all | action) | length_of(mask, part.len()) << 56
            };
            parts.push(std::array::from_fn(entry));
        }
        // Two parts at least, so that short words have one way to go.
        parts.resize(parts.len().max(2), [0; 256]);
        Some(ListTables { parts, can_overflow: n_actions > LONGEST_LIST as usize })
    }

    #[inline(always)]
    fn join(list: u64, next: u64) -> u64 {
        let actions = next & 0xffff_ffff;
        // Four times the length so far; what does not fit was refused before.
        let shift = (list >> 54) as u32;
        (list | actions.wrapping_shl(shift)) + (next & !0xffff_ffff)
    }

    /// Lists of masks of 16 bits.
    #[inline(always)]
    pub(super) fn expand16(&self, masks: &[u16], lists: &mut [u64]) {
        let [low, high, ..] = &self.parts[..] else { return };
        for (list, &mask) in lists.iter_mut().zip(masks) {
            let actions =
                Self::join(low[usize::from(mask & 0xff)], high[usize::from(mask >> 8 & 0x3f)]);
            *list = actions | u64::from(mask >> 14) << 60;
        }
    }

    /// Lists of masks of 32 bits.
    #[inline(always)]
    pub(super) fn expand32(&self, masks: &[u32], lists: &mut [u64]) {
        for (list, &mask) in lists.iter_mut().zip(masks) {
            if self.can_overflow && (mask & !(3 << 30)).count_ones() > LONGEST_LIST {
                *list = LIST_UNKNOWN;
                continue;
            }
            let mut actions = 0;
            for (part, table) in self.parts.iter().enumerate() {
                let fired = (mask & !(3 << 30)) >> (8 * part) & 0xff;
                actions = Self::join(actions, table[fired as usize]);
            }
            *list = actions | u64::from(mask >> 30) << 60;
        }
    }
}

/// How many positions of a part fired.
fn length_of(mask: usize, n: usize) -> u64 {
    (mask & ((1 << n) - 1)).count_ones().into()
}

impl Table {
    /// Puts status on top of what fired, from row `first` on.
    #[inline(always)]
    pub(super) fn write_status(&mut self, first: usize) {
        self.fired[first] = self.failed;
        self.fired[first + 1] = self.undecided;
    }

    /// The first action of each NPC.
    #[inline(always)]
    pub(super) fn write_next<S: Simd>(
        &self,
        simd: S,
        positions: impl Iterator<Item = usize>,
        word: &[LocalAction],
        out: &mut [u8; LANES],
    ) {
        let mut bits: Fired = [EMPTY; 32];
        let mut add = |npcs: S::V, number: u8| {
            for (bit, row) in bits.iter_mut().enumerate().take(8) {
                if number >> bit & 1 == 1 {
                    simd.store(row, simd.or(simd.load(row), npcs));
                }
            }
        };
        let mut waiting = simd.load(&FULL);
        for position in positions {
            let fired = simd.load(&self.fired[position]);
            add(simd.and(waiting, fired), word[position].0 as u8);
            waiting = simd.without(waiting, fired);
        }
        let (failed, undecided) = (simd.load(&self.failed), simd.load(&self.undecided));
        add(simd.without(waiting, failed), NEXT_NONE);
        add(simd.without(failed, undecided), NEXT_IMPOSSIBLE);
        add(undecided, NEXT_UNKNOWN);
        simd.numbers8(&bits, out);
    }
}
