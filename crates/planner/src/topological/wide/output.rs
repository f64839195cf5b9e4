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
use super::program::Program;
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

/// From what fired to lists, without status.
#[derive(Clone, Debug)]
pub(super) struct ListTables {
    /// For short words: the list of every mask.
    whole: Vec<u64>,
    /// For longer ones: of eight positions their actions, four bits each, and their number in bits
    /// 56 to 59.
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
        let can_overflow = n_actions > LONGEST_LIST as usize;
        if word.len() <= SHORT {
            let whole = (0..1 << SHORT).map(|mask| list_of(word, mask & ((1 << word.len()) - 1)));
            return Some(ListTables { whole: whole.collect(), parts: Vec::new(), can_overflow });
        }
        let part = |part: &[LocalAction]| {
            std::array::from_fn(|mask| list_of(part, mask & ((1 << part.len()) - 1)))
        };
        let parts = word.chunks(8).map(part).collect();
        Some(ListTables { whole: Vec::new(), parts, can_overflow })
    }

    /// Lists of masks of 16 bits.
    #[inline(always)]
    pub(super) fn expand16(&self, masks: &[u16; LANES], lists: &mut [u64]) {
        let Some(whole) = self.whole.first_chunk::<{ 1 << SHORT }>() else { return };
        for (list, &mask) in lists.iter_mut().zip(masks) {
            let status = u64::from(mask >> SHORT) << 60;
            *list = whole[usize::from(mask) & ((1 << SHORT) - 1)] | status;
        }
    }

    /// Lists of masks of 32 bits.
    #[inline(always)]
    pub(super) fn expand32(&self, masks: &[u32; LANES], lists: &mut [u64]) {
        for (list, &mask) in lists.iter_mut().zip(masks) {
            let fired = mask & !(3 << 30);
            if self.can_overflow && fired.count_ones() > LONGEST_LIST {
                *list = LIST_UNKNOWN;
                continue;
            }
            let mut actions = 0u64;
            for (part, table) in self.parts.iter().enumerate() {
                let more = table[(fired >> (8 * part) & 0xff) as usize];
                // Four times the length so far.
                let shift = (actions >> 54 & 0x3c) as u32;
                actions = (actions | (more & 0xffff_ffff) << shift) + (more & !0xffff_ffff);
            }
            *list = actions | u64::from(mask >> 30) << 60;
        }
    }
}

/// The actions of the positions that fired, and their number.
fn list_of(word: &[LocalAction], mask: usize) -> u64 {
    let fired = word.iter().enumerate().filter(|(at, _)| mask >> at & 1 == 1);
    let actions = fired.enumerate().map(|(nth, (_, action))| u64::from(action.0) << (4 * nth));
    actions.fold(0, |all, action| all | action) | u64::from(mask.count_ones()) << 56
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
        program: &Program,
        word: &[LocalAction],
        out: &mut [u8; LANES],
    ) {
        let mut bits: Fired = [EMPTY; 32];
        let mut waiting = simd.load(&FULL);
        for position in &program.order {
            let position = usize::from(position.position);
            let fired = simd.load(&self.fired[position]);
            add(simd, &mut bits, simd.and(waiting, fired), word[position].0 as u8);
            waiting = simd.without(waiting, fired);
        }
        let (failed, undecided) = (simd.load(&self.failed), simd.load(&self.undecided));
        add(simd, &mut bits, simd.without(waiting, failed), NEXT_NONE);
        add(simd, &mut bits, simd.without(failed, undecided), NEXT_IMPOSSIBLE);
        add(simd, &mut bits, undecided, NEXT_UNKNOWN);
        simd.numbers8(&bits, out);
    }
}

/// Gives some NPCs a number, bit by bit.
#[inline(always)]
fn add<S: Simd>(simd: S, bits: &mut Fired, npcs: S::V, number: u8) {
    for (bit, row) in bits.iter_mut().enumerate().take(8) {
        if number >> bit & 1 == 1 {
            simd.store(row, simd.or(simd.load(row), npcs));
        }
    }
}
