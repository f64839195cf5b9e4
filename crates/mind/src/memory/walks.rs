//! Walks over the facts of a kind: all of them, or those about a thing.
//!
//! In:   a memory, and the slots that its rows of bits leave.
//! Out:  the facts, by slot.
//! Cost: a step per slot that may be meant.

use super::kin::{About, Subject};
use super::{FactRef, Memory};
use crate::words::Word;
use throng_base::BitsIter;

/// The facts of a kind, by slot.
#[derive(Clone, Debug)]
pub struct FactsOfKind<'m> {
    pub(super) memory: &'m Memory,
    pub(super) kind: Word,
    /// Those that may be.
    pub(super) slots: BitsIter<'m>,
}

impl<'m> Iterator for FactsOfKind<'m> {
    type Item = FactRef<'m>;

    #[inline]
    fn next(&mut self) -> Option<FactRef<'m>> {
        let Self { memory, kind, slots } = self;
        let at = slots.find(|&at| memory.slots[at].kind == *kind)?;
        Some(memory.fact(at))
    }
}

/// The facts of a kind about a thing, by slot.
#[derive(Clone, Debug)]
pub struct FactsAbout<'m> {
    pub(super) memory: &'m Memory,
    pub(super) kind: Word,
    pub(super) subject: Subject,
    /// Those that may be.
    pub(super) slots: About<'m>,
}

impl<'m> Iterator for FactsAbout<'m> {
    type Item = FactRef<'m>;

    #[inline]
    fn next(&mut self) -> Option<FactRef<'m>> {
        let Self { memory, kind, subject, slots } = self;
        let is_about = |at: usize| memory.subject(at, subject.attribute()) == Some(*subject);
        let at = slots.find(|&at| memory.slots[at].kind == *kind && is_about(at))?;
        Some(memory.fact(at))
    }
}
