//! Who of a crowd has claimed what its group shares, and who stands in line for it.
//!
//! In:   rows that come to a step which touches what their group shares, rows that are done with
//!       such steps.
//! Out:  for each row whether it holds a claim, or asks for one; the groups in which something
//!       became free.
//! Cost: a bit each; rows of a type that touches nothing shared cost nothing.
//!
//! What is claimed is in no column: it follows from the steps that a row has still to do
//! ([`Want`], worked out by `footprint`). Who gets a claim is decided for all crowds of a
//! population together, by `crowd/line`.

mod want;

pub(crate) use want::{Admission, Hold, Want};

use throng_base::Bits;

/// The claims of one crowd.
#[derive(Debug, Default)]
pub(crate) struct Claims {
    /// Rows that hold a claim.
    holds: Bits,
    /// Rows whose next step touches what is shared, and that hold none. One that waits may be
    /// among them until it is served.
    asks: Bits,
    /// How many of each, by group.
    n_holding: Vec<u32>,
    n_asking: Vec<u32>,
    /// Groups in which a holder has moved, or left, since its claims were last added up.
    stale: Bits,
    /// Groups of which the game has said other values: who holds a claim may hold too much.
    said: Bits,
    /// Something changed since claims were last given.
    is_fresh: bool,
}

impl Claims {
    throng_base::getters! { pub(crate):
        holds: &Bits;
        asks: &Bits;
        is_fresh: bool;
    }

    /// Room for so many rows and groups.
    pub(crate) fn make_room(&mut self, rows: usize, groups: usize) {
        for (bits, n) in [
            (&mut self.holds, rows),
            (&mut self.asks, rows),
            (&mut self.stale, groups),
            (&mut self.said, groups),
        ] {
            while bits.len() < n {
                bits.push(false);
            }
        }
        for counts in [&mut self.n_holding, &mut self.n_asking] {
            counts.resize(groups.max(counts.len()), 0);
        }
    }

    /// Whether a row holds a claim or asks for one.
    #[inline]
    pub(crate) fn knows(&self, row: usize) -> bool {
        self.holds.get(row) || self.asks.get(row)
    }

    /// The same of 64 rows.
    #[inline]
    pub(crate) fn known(&self, word: usize) -> u64 {
        let of = |bits: &Bits| bits.words().get(word).copied().unwrap_or(0);
        of(&self.holds) | of(&self.asks)
    }

    /// Whether nobody asks, and the game has said nothing.
    pub(crate) fn is_quiet(&self) -> bool {
        self.asks.is_empty() && !self.has_said()
    }

    /// How many rows of a group hold a claim.
    pub(crate) fn n_holding(&self, group: usize) -> usize {
        self.n_holding.get(group).map_or(0, |&n| n as usize)
    }

    /// How many rows of a group ask for one.
    pub(crate) fn n_asking(&self, group: usize) -> usize {
        self.n_asking.get(group).map_or(0, |&n| n as usize)
    }

    /// Whether what is added up of a group's claims may be more than what is held.
    pub(crate) fn is_stale(&self, group: usize) -> bool {
        self.stale.get(group)
    }

    /// Whether the game has said other values of some group.
    pub(crate) fn has_said(&self) -> bool {
        !self.said.is_empty()
    }

    /// Whether the game has said other values of a group.
    pub(crate) fn was_said(&self, group: usize) -> bool {
        self.said.get(group)
    }

    /// The claims of a group have been added up.
    pub(crate) fn added_up(&mut self, group: usize) {
        self.stale.set(group, false);
        self.said.set(group, false);
    }

    /// Claims have been given.
    pub(crate) fn handed_out(&mut self) {
        self.is_fresh = false;
    }

    /// A holder of a group has moved, or will do something else.
    pub(crate) fn touch(&mut self, group: usize) {
        self.stale.set(group, true);
        self.is_fresh = true;
    }

    /// The game has said another value of what a group shares. If nobody has ever claimed anything
    /// there, nothing is to be looked at anew.
    pub(crate) fn say(&mut self, group: usize) {
        self.said.set(group, true);
        self.is_fresh = true;
    }

    /// A row comes to a step that touches what is shared, or has none to come to.
    pub(crate) fn ask(&mut self, row: usize, group: usize, asks: bool) {
        if self.asks.get(row) != asks {
            self.asks.set(row, asks);
            count(&mut self.n_asking, group, asks);
            self.is_fresh = true;
        }
    }

    /// A row gets a claim.
    pub(crate) fn grant(&mut self, row: usize, group: usize) {
        self.ask(row, group, false);
        if self.holds.insert(row) {
            count(&mut self.n_holding, group, true);
        }
    }

    /// A row holds nothing any more, and asks for nothing.
    pub(crate) fn leave(&mut self, row: usize, group: usize) {
        self.ask(row, group, false);
        if self.holds.get(row) {
            self.holds.set(row, false);
            count(&mut self.n_holding, group, false);
            self.touch(group);
        }
    }

    /// Rows that wait ask for nothing.
    pub(crate) fn forget_asking(&mut self, waiting: &Bits, group_of: impl Fn(usize) -> usize) {
        for at in 0..self.asks.words().len() {
            let waits = waiting.words().get(at).copied().unwrap_or(0);
            for bit in throng_base::ones(self.asks.words()[at] & waits) {
                let row = at * 64 + bit;
                self.ask(row, group_of(row), false);
            }
        }
    }

    /// Whether the counts are those of the bits, and nobody both holds and asks. Counts are taken
    /// down and up again: a frame that is checked allocates nothing either.
    pub(crate) fn is_sound(&mut self, group_of: impl Fn(usize) -> usize) -> bool {
        let counted = |bits: &Bits, counts: &mut [u32]| {
            let n: u32 = counts.iter().sum();
            bits.iter().for_each(|row| count(counts, group_of(row), false));
            let is_right = counts.iter().all(|&n| n == 0) && bits.count() == n as usize;
            bits.iter().for_each(|row| count(counts, group_of(row), true));
            is_right
        };
        counted(&self.holds, &mut self.n_holding)
            && counted(&self.asks, &mut self.n_asking)
            && self.holds.iter().all(|row| !self.asks.get(row))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.holds.bytes() + self.asks.bytes()
    }
}

/// One row more of a group, or less.
fn count(counts: &mut [u32], group: usize, more: bool) {
    if let Some(n) = counts.get_mut(group) {
        *n = if more { n.saturating_add(1) } else { n.saturating_sub(1) };
    }
}
