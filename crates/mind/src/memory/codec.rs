//! A memory as bytes and back, so that ids stay valid and room is made alike.
//!
//! In:   a memory; or bytes and the bound that the file says.
//! Out:  bytes; or the memory that goes on exactly as the other would have.
//! Cost: a byte per slot at least, so that bytes never claim more room than they can fill.
//!
//! Where in the pool attributes are is not kept: nothing depends on it. What each slot held before its
//! present fact is only its generation.
//!
//! Memories are compared by their content: the facts with their ids, slot by slot, and numbers by
//! their bits, so a copy is always equal, whatever was written. How the memory got there is not
//! content: neither its versions and counts, nor its bound.

use super::{FactRef, Memory, Pool, Slot};
use crate::fact::{Attribute, FactDraft, Value, encode_fact};
use crate::memory::pool::Chain;
use crate::time::Tick;
use std::fmt;
use throng_base::checksum;
use throng_base::codec::{DecodeError, Decoder, Encoder};

impl Memory {
    pub(crate) fn encode(&self, to: &mut Encoder) {
        let Memory {
            slots,
            live,
            kin: _,
            changed: _,
            pool: _,
            len: _,
            next_expiry,
            version,
            refreshed,
            evicted,
            journal: _,
            wrong: _,
        } = self;
        to.write(next_expiry).write(version).write(refreshed).write(evicted);
        for (at, slot) in slots.iter().enumerate() {
            let lives = live.get(at);
            to.number(u64::from(slot.generation) << 1 | u64::from(lives));
            if lives {
                to.write(&slot.writer).write(&slot.updated).write(&slot.expires);
                self.encode_fact(at, to);
            }
        }
    }

    fn encode_fact(&self, at: usize, to: &mut Encoder) {
        let (kind, chain) = (self.slots[at].kind, self.slots[at].chain());
        let takes = |(at, (value, sure)): (usize, (Value, f32))| {
            Attribute::ALL[at].takes(value) && (0.0..=1.0).contains(&sure)
        };
        if self.pool.all(chain).all(takes) {
            encode_fact(to, kind, chain.mask, self.pool.all(chain).map(|(_, known)| known));
        } else {
            // A fact built by hand can have what no fact has; a save must not be lost by it.
            to.write(&self.fact(at).draft().cleaned());
        }
    }

    /// Whether it is written as another is, found without writing: `true` is certain. Of what is
    /// [cleaned](FactDraft::cleaned) when it is written the answer may be `false` all the same.
    pub(crate) fn is_same(&self, other: &Memory) -> bool {
        let counts = |memory: &Memory| {
            (memory.next_expiry, memory.version, memory.refreshed, memory.evicted)
        };
        // Of a slot without a fact only the generation is written.
        let is_same = |(at, (one, two)): (usize, (&Slot, &Slot))| {
            one == two
                || one.generation == two.generation
                    && (!self.live.get(at) || one.says() == two.says())
        };
        let facts_are = |fact: FactRef<'_>| {
            let other_chain = other.slots[usize::from(fact.id.slot)].chain();
            self.pool.is_same(fact.slot.chain(), &other.pool, other_chain)
        };
        counts(self) == counts(other)
            && self.bound() == other.bound()
            && self.live == other.live
            && self.slots.iter().zip(&other.slots).enumerate().all(is_same)
            && self.iter().all(facts_are)
    }

    /// Reads a memory of this bound, as it was at this moment or before.
    pub(crate) fn decode(
        from: &mut Decoder<'_>,
        bound: usize,
        now: Tick,
    ) -> Result<Self, DecodeError> {
        from.sound((), from.left() >= bound, "memory of this size: the end is missing")?;
        let mut memory = Memory::new(bound);
        memory.next_expiry = from.read()?;
        memory.version = from.long_counter()?;
        memory.refreshed = from.long_counter()?;
        memory.evicted = from.long_counter()?;
        for at in 0..memory.bound() {
            let head = from.number()?;
            let Ok(generation) = u16::try_from(head >> 1) else {
                return from.error("number of a fact");
            };
            memory.slots[at].generation = generation;
            if head & 1 == 1 {
                memory.decode_fact(at, from, now)?;
            }
        }
        Ok(memory)
    }

    fn decode_fact(
        &mut self,
        at: usize,
        from: &mut Decoder<'_>,
        now: Tick,
    ) -> Result<(), DecodeError> {
        let (writer, updated, expires) = (from.read()?, from.past(now)?, from.read::<Tick>()?);
        let draft: FactDraft = from.read()?;
        from.sound((), draft.cleaned() == draft, "fact")?;
        let mut chain = Chain::default();
        let fits = Pool::needed(chain, &draft.attributes) <= self.pool.left();
        from.sound((), draft.keep.is_none() && fits, "fact for which there is room")?;
        from.sound((), expires >= self.next_expiry, "fact that expires when its memory looks")?;
        self.pool.write(&mut chain, &draft.attributes);
        let slot = &mut self.slots[at];
        slot.set_chain(chain);
        (slot.kind, slot.writer, slot.updated, slot.expires) =
            (draft.kind, writer, updated, expires);
        self.enter(at);
        Ok(())
    }
}

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
    /// [`FactDraft`] has them.
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

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::words::Word;

    fn there_and_back(memory: &Memory, now: Tick) -> Memory {
        let mut packer = Encoder::default();
        memory.encode(&mut packer);
        let mut unpacker = Decoder::new(&packer.bytes);
        let back = Memory::decode(&mut unpacker, memory.bound(), now).unwrap();
        unpacker.finish().unwrap();
        let mut again = Encoder::default();
        back.encode(&mut again);
        assert_eq!(packer, again);
        back
    }

    /// A memory that came back goes on as the other: same ids, same evictions, same versions.
    #[test]
    fn a_memory_that_came_back_goes_on_alike() {
        let mut random = throng_base::SplitMix::new(1);
        let mut dice = |below: u64| random.below_u64(below);
        let mut memory = Memory::new(5);
        let mut twin = memory.clone();
        let mut ids = Vec::new();
        for now in 0..2000 {
            let mut draft = FactDraft::new(Word(dice(3) as u32));
            for attribute in Attribute::ALL {
                if dice(3) != 0 {
                    continue;
                }
                let sure = dice(5) as f32 / 4.0;
                draft = draft.with(attribute, Word(dice(4) as u32), sure);
                draft = draft.with(attribute, dice(4) as f32, sure);
            }
            let (what, keep) = (dice(6), dice(40) as Tick);
            let known = ids.get(dice(8) as usize).copied();
            for memory in [&mut memory, &mut twin] {
                let id = match (what, known) {
                    (0, Some(id)) => {
                        memory.update(id, &draft, now, keep);
                        None
                    }
                    (1, Some(id)) => memory.remove(id).then_some(id),
                    (2, _) => Some(memory.put(&draft, &[], Word(9), now, keep)),
                    _ => Some(memory.add(&draft, Word(9), now, keep)),
                };
                ids.extend(id);
                memory.forget(now);
            }
            ids.drain(..ids.len().saturating_sub(8));
            twin = there_and_back(&twin, now);
            assert_eq!(memory, twin);
            let counts = |m: &Memory| (m.version(), m.refreshed(), m.evicted(), m.next_expiry());
            assert_eq!(counts(&memory), counts(&twin));
            assert_eq!(memory.pool.left(), twin.pool.left());
        }
        assert!(memory.evicted() > 100);
    }

    #[test]
    fn a_fact_built_by_hand_does_not_spoil_what_it_is_saved_with() {
        let mut draft = FactDraft::new(Word(1)).with(Attribute::Amount, 2.0, 1.0);
        let clean = draft;
        draft.attributes[Attribute::Position as usize] = Some((Word(4).into(), 1.0));
        draft.attributes[Attribute::Radius as usize] = Some((f32::NAN.into(), 1.0));
        let (mut memory, mut other) = (Memory::new(2), Memory::new(2));
        memory.add(&draft, Word(9), 1, 10);
        other.add(&clean, Word(9), 1, 10);
        let back = there_and_back(&memory, 1);
        assert_eq!(back, other);
        // The same bytes with what no fact has are no save.
        let mut to = Encoder::default();
        other.encode(&mut to);
        let amount = Encoder::bytes_of(&Value::Number(2.0));
        let at = to.bytes.windows(amount.len()).rposition(|bytes| bytes == amount).unwrap();
        to.bytes[at] = 1;
        assert!(Memory::decode(&mut Decoder::new(&to.bytes), 2, 1).is_err());
    }

    #[test]
    fn what_no_memory_holds_is_refused() {
        let mut memory = Memory::new(2);
        let full = Attribute::ALL.into_iter().fold(FactDraft::new(Word(0)), |draft, at| {
            draft.with(at, Word(1), 1.0).with(at, 1.0, 1.0).with(at, [1.0; 3], 1.0)
        });
        memory.add(&full, Word(0), 5, 10);
        let mut packer = Encoder::default();
        memory.encode(&mut packer);
        let read = |bytes: &[u8], now| Memory::decode(&mut Decoder::new(bytes), 2, now).map(drop);
        assert_eq!(read(&packer.bytes, 5), Ok(()));
        // A fact of later, and a moment to look that comes after the fact is to be forgotten.
        assert!(read(&packer.bytes, 4).is_err());
        assert_eq!(packer.bytes[0], 15);
        packer.bytes[0] = 16;
        assert!(read(&packer.bytes, 5).is_err());
        // Room for a memory that the bytes cannot fill is not taken.
        assert!(Memory::decode(&mut Decoder::new(&[0; 100]), 60_000, 5).is_err());
        // A fact that has no room: there are sixteen attributes in all.
        packer.bytes[0] = 15;
        packer.bytes.pop();
        let fact = packer.bytes[4..].to_vec();
        packer.bytes.extend(fact);
        assert!(read(&packer.bytes, 5).is_err());
    }
}
