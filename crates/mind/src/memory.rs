//! Working memory: a bounded number of facts.
//!
//! In:   facts from sensors, tasks and behaviours.
//! Out:  the same to whoever asks, until they expire.
//! Cost: one slot per fact; a query walks them.
//!
//! When it is full, room is made for what is new: an expired fact goes first, then the least
//! sure (by its surest attribute), then the one not updated for longest, then the lowest slot.

use crate::fact::{Attribute, FactDraft, Value};
use crate::time::{NEVER, Tick, after};
use crate::words::Word;

/// A fact of one memory. Stays invalid once the fact is gone, until 65,536 others have had its slot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FactId {
    slot: u16,
    generation: u16,
}

#[derive(Clone, PartialEq, Debug)]
struct Stored {
    draft: FactDraft,
    updated: Tick,
    expires: Tick,
    writer: Word,
}

#[derive(Clone, PartialEq, Debug, Default)]
struct Slot {
    generation: u16,
    fact: Option<Stored>,
}

/// Facts of one mind, or those that all share.
#[derive(Clone, PartialEq, Debug)]
pub struct Memory {
    slots: Vec<Slot>,
    len: usize,
    version: u64,
    refreshed: u64,
    next_expiry: Tick,
    evicted: u64,
}

/// A fact in memory.
#[derive(Clone, Copy, Debug)]
pub struct FactRef<'m> {
    id: FactId,
    fact: &'m Stored,
}

impl<'m> FactRef<'m> {
    /// Its id.
    pub fn id(self) -> FactId {
        self.id
    }

    /// Its kind.
    pub fn kind(self) -> Word {
        self.fact.draft.kind
    }

    /// Who wrote it: the sensor's name, or the action's.
    pub fn writer(self) -> Word {
        self.fact.writer
    }

    /// When it was last updated.
    pub fn updated(self) -> Tick {
        self.fact.updated
    }

    /// When it will be forgotten.
    pub fn expires(self) -> Tick {
        self.fact.expires
    }

    /// An attribute's value and confidence.
    pub fn get(self, attribute: Attribute) -> Option<(Value, f32)> {
        self.fact.draft.attributes[attribute as usize]
    }

    /// An attribute's confidence; 0 without the attribute.
    pub fn sure(self, attribute: Attribute) -> f32 {
        self.get(attribute).map_or(0.0, |(_, sure)| sure)
    }

    /// An attribute that is a word.
    pub fn word(self, attribute: Attribute) -> Option<Word> {
        match self.get(attribute) {
            Some((Value::Word(word), _)) => Some(word),
            _ => None,
        }
    }

    /// An attribute that is a number.
    pub fn number(self, attribute: Attribute) -> Option<f32> {
        match self.get(attribute) {
            Some((Value::Number(number), _)) => Some(number),
            _ => None,
        }
    }

    /// An attribute that is a thing of the game.
    pub fn handle(self, attribute: Attribute) -> Option<crate::fact::Handle> {
        match self.get(attribute) {
            Some((Value::Handle(handle), _)) => Some(handle),
            _ => None,
        }
    }

    /// An attribute that is a place.
    pub fn place(self, attribute: Attribute) -> Option<crate::fact::Place> {
        match self.get(attribute) {
            Some((Value::Place(place), _)) => Some(place),
            _ => None,
        }
    }
}

impl Memory {
    /// Room for so many facts: at least one, at most 65,535.
    pub fn new(bound: usize) -> Self {
        let slots = vec![Slot::default(); bound.clamp(1, usize::from(u16::MAX))];
        Memory { slots, len: 0, version: 0, refreshed: 0, next_expiry: NEVER, evicted: 0 }
    }

    /// How many facts it can hold.
    pub fn bound(&self) -> usize {
        self.slots.len()
    }

    /// How many facts it holds.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Changes whenever a fact comes, goes, or says something else.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Changes whenever a fact is confirmed as it is.
    pub fn refreshed(&self) -> u64 {
        self.refreshed
    }

    /// No fact expires before this moment.
    pub fn next_expiry(&self) -> Tick {
        self.next_expiry
    }

    /// How many facts had to make room for others so far.
    pub fn evicted(&self) -> u64 {
        self.evicted
    }

    /// Remembers a fact, believed for `keep` ticks unless the draft says otherwise.
    pub fn add(&mut self, draft: &FactDraft, writer: Word, now: Tick, keep: Tick) -> FactId {
        let slot = self.room(now);
        let expires = after(now, draft.keep.unwrap_or(keep));
        let stored = Stored { draft: *draft, updated: now, expires, writer };
        let place = &mut self.slots[slot];
        place.generation = place.generation.wrapping_add(1);
        place.fact = Some(stored);
        self.len += 1;
        self.version += 1;
        self.next_expiry = self.next_expiry.min(expires);
        FactId { slot: slot as u16, generation: self.slots[slot].generation }
    }

    /// Updates the fact of the same kind and writer that agrees in the attributes `same`, or
    /// remembers a new one. What the draft does not mention stays.
    pub fn put(
        &mut self,
        draft: &FactDraft,
        same: &[Attribute],
        writer: Word,
        now: Tick,
        keep: Tick,
    ) -> FactId {
        let value = |fact: FactRef<'_>, at: Attribute| fact.get(at).map(|(value, _)| value);
        let wanted = |at: Attribute| draft.attributes[at as usize].map(|(value, _)| value);
        let known = self.of_kind(draft.kind).find(|fact| {
            fact.writer() == writer && same.iter().all(|&at| value(*fact, at) == wanted(at))
        });
        match known.map(FactRef::id) {
            Some(id) => {
                self.update(id, draft, now, keep);
                id
            }
            None => self.add(draft, writer, now, keep),
        }
    }

    /// Brings a fact up to date: what the draft does not mention stays. It is believed `keep`
    /// ticks from now, if that is longer than it was.
    pub fn update(&mut self, id: FactId, draft: &FactDraft, now: Tick, keep: Tick) {
        let expires = after(now, draft.keep.unwrap_or(keep));
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

    /// Sets one attribute of a fact; `false` if the fact is gone or the value is of another sort.
    pub fn set(
        &mut self,
        id: FactId,
        attribute: Attribute,
        value: Value,
        confidence: f32,
        now: Tick,
    ) -> bool {
        let Some(kind) = self.get(id).map(FactRef::kind) else { return false };
        let draft = FactDraft::new(kind).with(attribute, value, confidence);
        let fits = draft.attributes[attribute as usize].is_some();
        if fits {
            self.update(id, &draft, now, 0);
        }
        fits
    }

    /// Lets a fact be believed until a moment, if that is later than it was; `false` if it is gone.
    pub fn extend(&mut self, id: FactId, until: Tick) -> bool {
        let Some(fact) = self.stored_mut(id) else { return false };
        fact.expires = fact.expires.max(until);
        true
    }

    /// Forgets a fact; `false` if it is gone already.
    pub fn remove(&mut self, id: FactId) -> bool {
        if self.stored_mut(id).is_none() {
            return false;
        }
        self.clear(usize::from(id.slot));
        true
    }

    /// Forgets all facts for which this holds; says how many.
    pub fn remove_if(&mut self, mut gone: impl FnMut(FactRef<'_>) -> bool) -> usize {
        let mut count = 0;
        for slot in 0..self.slots.len() {
            if self.at(slot).is_some_and(&mut gone) {
                self.clear(slot);
                count += 1;
            }
        }
        count
    }

    /// Forgets what has expired; says how much.
    pub fn forget(&mut self, now: Tick) -> usize {
        if now < self.next_expiry {
            return 0;
        }
        let count = self.remove_if(|fact| fact.expires() <= now);
        self.next_expiry = self.iter().map(FactRef::expires).min().unwrap_or(NEVER);
        count
    }

    /// A fact by id; `None` if it is gone.
    pub fn get(&self, id: FactId) -> Option<FactRef<'_>> {
        self.at(usize::from(id.slot)).filter(|fact| fact.id == id)
    }

    /// All facts, by slot.
    pub fn iter(&self) -> impl Iterator<Item = FactRef<'_>> {
        (0..self.slots.len()).filter_map(|slot| self.at(slot))
    }

    /// All facts of a kind, by slot.
    pub fn of_kind(&self, kind: Word) -> impl Iterator<Item = FactRef<'_>> {
        self.iter().filter(move |fact| fact.kind() == kind)
    }

    /// Of the facts of a kind the one whose attribute is surest; of equals the one updated last,
    /// then the lowest slot.
    pub fn surest(&self, kind: Word, attribute: Attribute) -> Option<FactRef<'_>> {
        let with = self.of_kind(kind).filter(|fact| fact.get(attribute).is_some());
        with.reduce(|best, next| {
            let key = |fact: FactRef<'_>| (fact.sure(attribute), fact.updated());
            if key(next) > key(best) { next } else { best }
        })
    }

    fn at(&self, slot: usize) -> Option<FactRef<'_>> {
        let place = self.slots.get(slot)?;
        let id = FactId { slot: slot as u16, generation: place.generation };
        place.fact.as_ref().map(|fact| FactRef { id, fact })
    }

    fn stored_mut(&mut self, id: FactId) -> Option<&mut Stored> {
        let slot = self.slots.get_mut(usize::from(id.slot))?;
        slot.fact.as_mut().filter(|_| slot.generation == id.generation)
    }

    fn clear(&mut self, slot: usize) {
        self.slots[slot].fact = None;
        self.len -= 1;
        self.version += 1;
    }

    /// An empty slot; the least worth its place is evicted if there is none.
    fn room(&mut self, now: Tick) -> usize {
        if let Some(slot) = self.slots.iter().position(|slot| slot.fact.is_none()) {
            return slot;
        }
        let surest = |fact: &Stored| {
            let sure = fact.draft.attributes.iter().flatten().map(|(_, sure)| *sure);
            sure.fold(0.0, f32::max)
        };
        let mut least = 0;
        let worth = |slot: &Slot| {
            let fact = slot.fact.as_ref()?;
            Some((fact.expires > now, surest(fact), fact.updated))
        };
        for slot in 1..self.slots.len() {
            if worth(&self.slots[slot]) < worth(&self.slots[least]) {
                least = slot;
            }
        }
        self.clear(least);
        self.evicted += 1;
        least
    }
}

impl Memory {
    /// What it takes.
    pub fn bytes(&self) -> usize {
        size_of::<Memory>() + self.slots.capacity() * size_of::<Slot>()
    }

    /// One number for all facts.
    pub fn digest(&self) -> u64 {
        self.version
    }
}
