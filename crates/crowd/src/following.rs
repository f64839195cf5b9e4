//! The steps that a row has still to do, and what they mean for it.
//!
//! In:   a row.
//! Out:  its remaining actions, from the arena of plans or from the word of the wide kernel.
//! Cost: nothing until they are read.
//!
//! A number with its highest bit set is no plan of the arena but a set of positions in the word
//! that the whole type shares: the plan itself, computed by the wide kernel.

use crate::crowd::Crowd;
use crate::plans::PlanId;
use throng_domain::compile::LocalAction;

/// Marks numbers that are sets of positions.
const WORD: u32 = 1 << 31;

/// Actions left to do, in order.
#[derive(Clone, Debug)]
pub(crate) enum Remainder<'c> {
    Steps(std::slice::Iter<'c, LocalAction>),
    Word { word: &'c [LocalAction], left: u32 },
}

impl Remainder<'_> {
    pub(crate) const NOTHING: Remainder<'static> = Remainder::Word { word: &[], left: 0 };

    /// Whether the number of a row is a set of positions.
    pub(crate) fn is_word(id: u32) -> bool {
        id & WORD != 0
    }

    /// The number of a row that goes by these positions.
    pub(crate) fn of_word(left: u32) -> u32 {
        WORD | left
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Iterator for Remainder<'_> {
    type Item = LocalAction;

    fn next(&mut self) -> Option<LocalAction> {
        match self {
            Remainder::Steps(steps) => steps.next().copied(),
            Remainder::Word { word, left } => {
                let next = word.get(left.trailing_zeros() as usize).copied();
                *left &= left.wrapping_sub(1);
                next
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = match self {
            Remainder::Steps(steps) => steps.len(),
            Remainder::Word { left, .. } => left.count_ones() as usize,
        };
        (len, Some(len))
    }
}

impl ExactSizeIterator for Remainder<'_> {}

impl Crowd {
    /// What a row has still to do, if it goes by what it was told last.
    pub(crate) fn remainder(&self, row: usize) -> Remainder<'_> {
        let id = self.ids.get(row);
        if Remainder::is_word(id) {
            return Remainder::Word { word: self.work.word(), left: id & !WORD };
        }
        let steps = self.plans.actions(PlanId(id));
        let done = usize::from(self.step[row]).min(steps.len());
        Remainder::Steps(steps[done..].iter())
    }

    /// One step of a row is done.
    pub(crate) fn advance(&mut self, row: usize) {
        let id = self.ids.get(row);
        if Remainder::is_word(id) {
            let left = id & !WORD;
            self.ids.set(row, Remainder::of_word(left & left.wrapping_sub(1)));
        }
        match self.step[row].checked_add(1) {
            Some(step) => self.step[row] = step,
            None => self.begin_anew(row),
        }
    }

    /// More steps than can be counted: what is left of the plan becomes a plan of its own.
    fn begin_anew(&mut self, row: usize) {
        let left: Vec<LocalAction> = self.remainder(row).skip(1).collect();
        let kind = self.domain.npc(self.npc);
        let cost = left.iter().map(|&action| kind.cost(action)).sum();
        let id = self.plans.intern(&left, cost);
        self.assign(row, id.0);
        self.plans.release(id);
        self.step[row] = 0;
    }
}
