//! What a memory says, compared and summed up: for saved games and for tests of determinism.
//!
//! In:   one memory, or two.
//! Out:  whether they say the same, and a number that tells most that do not apart.
//! Cost: a walk over all facts and their attributes.
//!
//! Content is the facts with their ids, slot by slot; numbers are compared by their bits, so a
//! copy is always equal, whatever was written. How the memory got there is not content: neither
//! its versions and counts, nor its bound, nor where in the pool attributes are.

use super::{FactRef, Memory};
use std::fmt;

impl PartialEq for Memory {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().zip(other.iter()).all(|(one, two)| same(one, two))
    }
}

impl Eq for Memory {}

impl Memory {
    /// The content as a number: FNV-1a, 64 bits, over the facts by slot. Memories that are equal
    /// have the same.
    ///
    /// Of each fact: slot, generation, kind, writer, updated, expires and the mask of attributes;
    /// then of each attribute, in order: the sort of its value (in the order of
    /// [`Value`](crate::fact::Value)), three words of value with zeros for what is not there, and
    /// the confidence. All of them as four bytes, the lowest first, floats by their bits.
    pub fn digest(&self) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut mix = |word: u32| {
            for byte in word.to_le_bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        };
        for fact in self.iter() {
            header(fact).into_iter().for_each(&mut mix);
            fact.pool.bits(fact.slot.chain()).flatten().for_each(&mut mix);
        }
        hash
    }
}

/// Everything but the attributes.
fn header(fact: FactRef<'_>) -> [u32; 7] {
    let slot = fact.slot;
    let id = [u32::from(fact.id.slot), u32::from(slot.generation)];
    let words = [slot.kind.0, slot.writer.0, slot.updated, slot.expires];
    [id[0], id[1], words[0], words[1], words[2], words[3], u32::from(slot.mask)]
}

fn same(one: FactRef<'_>, two: FactRef<'_>) -> bool {
    header(one) == header(two)
        && one.pool.bits(one.slot.chain()).eq(two.pool.bits(two.slot.chain()))
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
