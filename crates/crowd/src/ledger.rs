//! What the numbers mean that rows go by: plans of the arena, or steps of the type's word.
//!
//! In:   the number of a row, and how many steps of it are done.
//! Out:  its remaining actions.
//! Cost: nothing until they are read.
//!
//! A number with its highest bit set is no plan of the arena but a set of positions in the word
//! that the whole type shares: the plan itself, computed by the wide kernel.

use crate::plans::{PlanId, PlanStore};
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

    /// The positions that the number of a row is a set of, if it is one.
    pub(crate) fn word_of(id: u32) -> Option<u32> {
        Remainder::is_word(id).then_some(id & !WORD)
    }

    /// The number of a row that goes by these positions.
    pub(crate) fn of_word(left: u32) -> u32 {
        WORD | left
    }

    /// Whether there is a step to do for who has this number and has done none.
    #[inline]
    pub(crate) fn has_steps(id: u32) -> bool {
        id > WORD || (PlanId::FIRST.0..WORD).contains(&id)
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

/// All plans that rows go by.
#[derive(Debug, Default)]
pub(crate) struct PlanLedger {
    pub(crate) plans: PlanStore,
    /// The word that plans of the wide kernel speak of; empty if there is none.
    pub(crate) word: Vec<LocalAction>,
}

impl PlanLedger {
    /// What a number has still to do, so many steps of it done.
    #[inline]
    pub(crate) fn remainder(&self, id: u32, done: u16) -> Remainder<'_> {
        if Remainder::is_word(id) {
            return Remainder::Word { word: &self.word, left: id & !WORD };
        }
        let steps = self.plans.actions(PlanId(id));
        Remainder::Steps(steps[usize::from(done).min(steps.len())..].iter())
    }

    /// The next action of a number, so many steps of it done, and whether it is the last one.
    #[inline]
    pub(crate) fn next_step(&self, id: u32, done: u16) -> Option<(LocalAction, bool)> {
        match Remainder::word_of(id) {
            None => self.plans.step(PlanId(id), done.into()),
            Some(left) => {
                let action = self.word.get(left.trailing_zeros() as usize)?;
                Some((*action, left.is_power_of_two()))
            }
        }
    }

    /// The number of the rest after one step of a set of positions; that of a plan stays.
    #[inline]
    pub(crate) fn after_step(id: u32) -> u32 {
        let left = id & !WORD;
        if Remainder::is_word(id) { WORD | (left & left.wrapping_sub(1)) } else { id }
    }

    /// A row goes by `next` and no longer by `before`.
    pub(crate) fn exchange(&mut self, before: u32, next: u32) {
        if !Remainder::is_word(next) {
            self.plans.retain(PlanId(next));
        }
        if !Remainder::is_word(before) {
            self.plans.release(PlanId(before));
        }
    }
}
