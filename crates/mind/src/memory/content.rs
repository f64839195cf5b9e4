//! What a memory says, compared and summed up: for saved games and for tests of determinism.
//!
//! In:   one memory, or two.
//! Out:  whether they say the same, and a number that tells most that do not apart.
//! Cost: a walk over all facts and their attributes; allocates.
//!
//! Content is the facts with their ids, slot by slot; numbers are compared by their bits, so a
//! copy is always equal, whatever was written. How the memory got there is not content: neither
//! its versions and counts, nor its bound, nor where in the pool attributes are.

use super::Memory;
use std::fmt;
use throng_base::checksum;
use throng_base::codec::Encoder;

impl Memory {
    fn content(&self) -> Vec<u8> {
        let mut to = Encoder::default();
        for fact in self.iter() {
            to.write(&fact.id.slot).write(&fact.id.generation).write(&fact.slot.writer);
            to.write(&fact.slot.updated).write(&fact.slot.expires).write(&fact.draft());
        }
        to.bytes
    }

    /// The content as a number: the [`checksum`] of the encoded facts, by slot. Memories that are
    /// equal have the same.
    ///
    /// Of each fact: slot, generation, writer, updated, expires; then kind and attributes as a
    /// [`FactDraft`](crate::fact::FactDraft) has them.
    pub fn digest(&self) -> u64 {
        checksum(0, &self.content())
    }
}

impl PartialEq for Memory {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.content() == other.content()
    }
}

impl Eq for Memory {}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
