//! What is done to a memory while the game's code has it in hand, written down and done again.
//!
//! In:   the few ways to change a memory, to which all others come down; or the bytes of them.
//! Out:  bytes; or a memory changed in the same way.
//! Cost: one test per change while nothing is recorded; a fact confirmed as it is takes five bytes.
//!
//! Of an update only what makes a difference is written, so that a sensor that sees the same twice
//! writes the same twice.

use super::{FactId, Memory};
use crate::fact::{Attribute, FactDraft, decode_attributes, encode_attributes, mask_of};
use crate::time::Tick;
use crate::words::Word;
use throng_base::codec::{DecodeError, Decoder, Encoder};

const END: u8 = 0;
const ADD: u8 = 1;
const UPDATE: u8 = 2;
const LOWER: u8 = 3;
const EXTEND: u8 = 4;
pub(super) const REMOVE: u8 = 5;
const FORGET: u8 = 6;
/// With one of the above: a moment follows which is not that of the call.
const ANOTHER_MOMENT: u8 = 8;

// Of a memory that may have forgotten it since.
throng_base::codec_struct!(FactId { slot, generation });

// A fact of the memory that is changed.
throng_base::codec_struct!(in memory: Memory; FactId { slot, generation }
    where |id| memory.slot_of(*id).is_some(), "fact that is there");

/// What was done to a memory during one call of code.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Journal {
    /// The moment of the call.
    pub(crate) now: Tick,
    pub(crate) to: Encoder,
}

impl Journal {
    fn operation(&mut self, operation: u8, now: Tick) {
        if now == self.now {
            self.to.bytes.push(operation);
        } else {
            self.to.bytes.push(operation | ANOTHER_MOMENT);
            self.to.write(&now);
        }
    }

    /// Says that nothing more comes.
    pub(crate) fn end(to: &mut Encoder) {
        to.bytes.push(END);
    }
}

impl Memory {
    /// Begins to note what is done with a fact, if it is noted at all.
    pub(super) fn note(
        &mut self,
        operation: u8,
        now: Option<Tick>,
        id: FactId,
    ) -> Option<&mut Journal> {
        let journal = self.journal.as_mut()?;
        journal.operation(operation, now.unwrap_or(journal.now));
        journal.to.write(&id.slot).write(&id.generation);
        Some(journal)
    }

    #[inline]
    pub(super) fn note_add(&mut self, draft: &FactDraft, writer: Word, now: Tick, keep: Tick) {
        let Some(journal) = &mut self.journal else { return };
        journal.operation(ADD, now);
        journal
            .to
            .write(&draft.keep.unwrap_or(keep).wrapping_add(1))
            .write(&draft.kind)
            .write(&writer);
        encode_attributes(&mut journal.to, &draft.attributes, mask_of(&draft.attributes));
    }

    /// Of an update only what `differs` from what was known is written.
    #[inline]
    pub(super) fn note_update(
        &mut self,
        id: FactId,
        draft: &FactDraft,
        differs: u16,
        now: Tick,
        keep: Tick,
    ) {
        let Some(journal) = self.note(UPDATE, Some(now), id) else { return };
        journal.to.write(&draft.keep.unwrap_or(keep).wrapping_add(1));
        encode_attributes(&mut journal.to, &draft.attributes, differs);
    }

    #[inline]
    pub(super) fn note_lower(&mut self, id: FactId, attribute: Attribute, confidence: f32) {
        let Some(journal) = self.note(LOWER, None, id) else { return };
        journal.to.bytes.push(attribute as u8);
        journal.to.write(&confidence);
    }

    #[inline]
    pub(super) fn note_extend(&mut self, id: FactId, until: Tick) {
        let Some(journal) = self.note(EXTEND, None, id) else { return };
        // As a distance, so that doing it again looks the same.
        let ahead = until.wrapping_sub(journal.now).wrapping_add(1);
        journal.to.write(&ahead);
    }

    /// Of forgetting the moment says it all.
    #[inline]
    pub(super) fn note_forget(&mut self, now: Tick) -> Option<Box<Journal>> {
        let mut journal = self.journal.take()?;
        journal.operation(FORGET, now);
        Some(journal)
    }

    /// Does again what was written.
    pub(crate) fn do_again(
        &mut self,
        now: Tick,
        from: &mut Decoder<'_>,
    ) -> Result<(), DecodeError> {
        loop {
            let operation = from.raw(1)?[0];
            let another = operation & ANOTHER_MOMENT != 0;
            let at = if another { from.read()? } else { now };
            match operation & !ANOTHER_MOMENT {
                END => return Ok(()),
                ADD => {
                    let keep = from.read::<u32>()?.wrapping_sub(1);
                    let mut draft = FactDraft::new(from.read()?);
                    let writer = from.read()?;
                    draft.attributes = decode_attributes(from)?;
                    self.add(&draft, writer, at, keep);
                }
                UPDATE => {
                    let id = from.read_in(self)?;
                    let keep = from.read::<u32>()?.wrapping_sub(1);
                    let mut draft = FactDraft::new(Word::NONE);
                    draft.attributes = decode_attributes(from)?;
                    self.update(id, &draft, at, keep);
                }
                LOWER => {
                    let id = from.read_in(self)?;
                    let attribute = from.below(Attribute::ALL.len(), "attribute")?;
                    self.lower(id, Attribute::ALL[attribute], from.read()?);
                }
                EXTEND => {
                    let id = from.read_in(self)?;
                    let until = from.read::<u32>()?.wrapping_sub(1).wrapping_add(now);
                    self.extend(id, until);
                }
                REMOVE => {
                    let id = from.read_in(self)?;
                    self.remove(id);
                }
                FORGET => _ = self.forget(at),
                _ => return from.error("change of a memory"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::comes_back;

    #[test]
    fn the_number_of_a_fact_comes_back() {
        comes_back::<FactId>(|trial, _| FactId { slot: trial.any(), generation: trial.any() });
    }
}
