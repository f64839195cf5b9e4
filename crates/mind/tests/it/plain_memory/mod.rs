//! Working memory in its plainest form: every fact with all sixteen attributes, every walk over
//! all slots. The oracle of `crates/mind/src/memory.rs`.
//!
//! Bounds are the same: so many facts, and five attributes for each on average (at least sixteen).
//! Room is made in the same order: an expired fact goes first, then the least sure (by its surest
//! attribute), then the one not updated for longest, then the lowest slot; but not the fact that
//! is being updated.
#![allow(clippy::unwrap_used, reason = "an oracle that cannot answer fails the test")]

use throng_mind::fact::{Attribute, FactDraft, Value};
use throng_mind::time::{NEVER, Tick, after};
use throng_mind::words::Word;

/// A fact of one memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct PlainId {
    pub(crate) slot: u16,
    pub(crate) generation: u16,
}

/// A fact and all that is known of it.
#[derive(Clone, Debug)]
pub(crate) struct Plain {
    pub(crate) draft: FactDraft,
    pub(crate) updated: Tick,
    pub(crate) expires: Tick,
    pub(crate) writer: Word,
}

#[derive(Clone, Debug, Default)]
struct Slot {
    generation: u16,
    fact: Option<Plain>,
}

/// Facts of one mind.
#[derive(Clone, Debug)]
pub(crate) struct PlainMemory {
    slots: Vec<Slot>,
    pub(crate) version: u64,
    pub(crate) refreshed: u64,
    pub(crate) next_expiry: Tick,
    pub(crate) evicted: u64,
    /// Of those evicted, the ones for whom there was a slot but no attributes.
    pub(crate) evicted_for_attributes: u64,
}

impl Plain {
    pub(crate) fn get(&self, attribute: Attribute) -> Option<(Value, f32)> {
        self.draft.attributes[attribute as usize]
    }

    fn attributes(&self) -> usize {
        self.draft.attributes.iter().flatten().count()
    }

    /// The fewer the sooner it makes room.
    fn worth(&self, now: Tick) -> (bool, f32, Tick) {
        let sure = self.draft.attributes.iter().flatten().map(|(_, sure)| *sure);
        (self.expires > now, sure.fold(0.0, f32::max), self.updated)
    }
}

impl PlainMemory {
    pub(crate) fn new(bound: usize) -> Self {
        let slots = vec![Slot::default(); bound.clamp(1, usize::from(u16::MAX))];
        PlainMemory {
            slots,
            version: 0,
            refreshed: 0,
            next_expiry: NEVER,
            evicted: 0,
            evicted_for_attributes: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.iter().count()
    }

    pub(crate) fn add(
        &mut self,
        draft: &FactDraft,
        writer: Word,
        now: Tick,
        keep: Tick,
    ) -> PlainId {
        let wanted = draft.attributes.iter().flatten().count();
        while self.len() == self.slots.len() {
            self.evict(now, None);
        }
        while self.attributes_left() < wanted {
            self.evict(now, None);
            self.evicted_for_attributes += 1;
        }
        let slot = self.slots.iter().position(|slot| slot.fact.is_none()).unwrap();
        let expires = after(now, draft.keep.unwrap_or(keep));
        let place = &mut self.slots[slot];
        place.generation = place.generation.wrapping_add(1);
        place.fact = Some(Plain { draft: *draft, updated: now, expires, writer });
        self.version += 1;
        self.next_expiry = self.next_expiry.min(expires);
        PlainId { slot: slot as u16, generation: self.slots[slot].generation }
    }

    pub(crate) fn put(
        &mut self,
        draft: &FactDraft,
        same: &[Attribute],
        writer: Word,
        now: Tick,
        keep: Tick,
    ) -> PlainId {
        let value = |fact: &Plain, at: Attribute| fact.get(at).map(|(value, _)| value);
        let wanted = |at: Attribute| draft.attributes[at as usize].map(|(value, _)| value);
        let known = self.of_kind(draft.kind).find(|(_, fact)| {
            fact.writer == writer && same.iter().all(|&at| value(fact, at) == wanted(at))
        });
        match known.map(|(id, _)| id) {
            Some(id) => {
                self.update(id, draft, now, keep);
                id
            }
            None => self.add(draft, writer, now, keep),
        }
    }

    pub(crate) fn update(&mut self, id: PlainId, draft: &FactDraft, now: Tick, keep: Tick) {
        let expires = after(now, draft.keep.unwrap_or(keep));
        let Some(fact) = self.get(id) else { return };
        let both = draft.attributes.iter().zip(&fact.draft.attributes);
        let added = both.filter(|(new, old)| new.is_some() && old.is_none()).count();
        while self.attributes_left() < added {
            self.evict(now, Some(id));
            self.evicted_for_attributes += 1;
        }
        let Some(fact) = self.stored_mut(id) else { return };
        let mut changed = false;
        for (old, new) in fact.draft.attributes.iter_mut().zip(&draft.attributes) {
            changed |= new.is_some() && old != new;
            *old = new.or(*old);
        }
        fact.updated = now;
        fact.expires = fact.expires.max(expires);
        self.version += u64::from(changed);
        self.refreshed += u64::from(!changed);
    }

    pub(crate) fn set(
        &mut self,
        id: PlainId,
        at: Attribute,
        value: Value,
        sure: f32,
        now: Tick,
    ) -> bool {
        let Some(kind) = self.get(id).map(|fact| fact.draft.kind) else { return false };
        let draft = FactDraft::new(kind).with(at, value, sure);
        let fits = draft.attributes[at as usize].is_some();
        if fits {
            self.update(id, &draft, now, 0);
        }
        fits
    }

    pub(crate) fn extend(&mut self, id: PlainId, until: Tick) -> bool {
        let Some(fact) = self.stored_mut(id) else { return false };
        fact.expires = fact.expires.max(until);
        true
    }

    pub(crate) fn remove(&mut self, id: PlainId) -> bool {
        if self.stored_mut(id).is_none() {
            return false;
        }
        self.clear(usize::from(id.slot));
        true
    }

    pub(crate) fn remove_if(&mut self, mut gone: impl FnMut(&Plain) -> bool) -> usize {
        let mut count = 0;
        for slot in 0..self.slots.len() {
            if self.slots[slot].fact.as_ref().is_some_and(&mut gone) {
                self.clear(slot);
                count += 1;
            }
        }
        count
    }

    pub(crate) fn forget(&mut self, now: Tick) -> usize {
        if now < self.next_expiry {
            return 0;
        }
        let count = self.remove_if(|fact| fact.expires <= now);
        self.next_expiry = self.iter().map(|(_, fact)| fact.expires).min().unwrap_or(NEVER);
        count
    }

    pub(crate) fn get(&self, id: PlainId) -> Option<&Plain> {
        self.iter().find(|(other, _)| *other == id).map(|(_, fact)| fact)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (PlainId, &Plain)> {
        self.slots.iter().enumerate().filter_map(|(slot, place)| {
            let id = PlainId { slot: slot as u16, generation: place.generation };
            place.fact.as_ref().map(|fact| (id, fact))
        })
    }

    pub(crate) fn of_kind(&self, kind: Word) -> impl Iterator<Item = (PlainId, &Plain)> {
        self.iter().filter(move |(_, fact)| fact.draft.kind == kind)
    }

    pub(crate) fn surest(&self, kind: Word, attribute: Attribute) -> Option<PlainId> {
        let with = self.of_kind(kind).filter(|(_, fact)| fact.get(attribute).is_some());
        let best = with.reduce(|best, next| {
            let sure = |fact: &Plain| fact.get(attribute).map_or(0.0, |(_, sure)| sure);
            let key = |fact: &Plain| (sure(fact), fact.updated);
            if key(next.1) > key(best.1) { next } else { best }
        });
        best.map(|(id, _)| id)
    }

    fn attributes_left(&self) -> usize {
        let used: usize = self.iter().map(|(_, fact)| fact.attributes()).sum();
        (self.slots.len() * 5).max(16) - used
    }

    fn stored_mut(&mut self, id: PlainId) -> Option<&mut Plain> {
        let slot = self.slots.get_mut(usize::from(id.slot))?;
        slot.fact.as_mut().filter(|_| slot.generation == id.generation)
    }

    fn clear(&mut self, slot: usize) {
        self.slots[slot].fact = None;
        self.version += 1;
    }

    fn evict(&mut self, now: Tick, spared: Option<PlainId>) {
        let mut least: Option<(PlainId, &Plain)> = None;
        for (id, fact) in self.iter().filter(|(id, _)| Some(*id) != spared) {
            if least.is_none_or(|(_, other)| fact.worth(now) < other.worth(now)) {
                least = Some((id, fact));
            }
        }
        let slot = usize::from(least.unwrap().0.slot);
        self.clear(slot);
        self.evicted += 1;
    }
}
