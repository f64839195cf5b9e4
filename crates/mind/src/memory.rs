//! Working memory: a bounded number of facts.
//!
//! In:   facts from sensors, tasks and behaviours.
//! Out:  the same to all that ask, until they expire.
//! Cost: 28 bytes per fact, taken when the memory is made, and for what a fact says its
//!       words; a query walks the facts of a kind, or all there are.
//!
//! There is room for a bound of facts, and for five attributes each on average (but always for
//! sixteen, so that any fact fits). What facts say takes room as they come, until as much was there as
//! ever is, or at once ([`Memory::reserve`]). When either runs out, room is made for what is
//! new, one fact after the other until it fits: an expired fact goes first, then the least sure
//! (by its surest attribute), then the one not updated for longest, then the lowest slot. A fact
//! that is being updated does not make room for itself: the others do.
//!
//! A new fact has the lowest free slot. Facts never move, and what is asked is answered by slot.

mod changes;
mod codec;
mod fact_ref;
mod journal;
mod kin;
mod pool;
mod query;
mod told;
mod walks;

use crate::fact::{Attribute, EntityId, FactDraft, Value, mask_of};
use crate::time::{NEVER, Tick, after};
use crate::words::Word;
pub(crate) use changes::KindSet;
pub use fact_ref::FactRef;
pub(crate) use journal::Journal;
use journal::REMOVE;
pub(crate) use kin::Subject;
use kin::{Kin, SUBJECTS};
use pool::{Pool, Record, Written};
use throng_base::{ones, ones_of};
pub use walks::{FactsAbout, FactsOfKind};

/// Attributes per fact that there is room for, on average.
const ATTRIBUTES_PER_FACT: usize = 5;

/// How many attributes a memory of so many facts has room for.
fn most_attributes(bound: usize) -> usize {
    (bound * ATTRIBUTES_PER_FACT).max(Attribute::ALL.len())
}

/// A fact of one memory. Stays invalid once the fact is gone, until its slot has been taken 65,536
/// times more: the last of those has the same id again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct FactId {
    slot: u16,
    generation: u16,
}

/// Why a fact was not changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MemoryError {
    /// The fact is gone: it has expired, was removed, or made room for another.
    Gone,
    /// This attribute takes values of another sort, or finite numbers only.
    WrongSort(Attribute),
}

throng_base::error! { MemoryError {
    Self::Gone => "the fact is gone";
    Self::WrongSort(attribute) => "`{}` does not take such a value", attribute.name();
} }

/// Whether two values with their confidences are the same bit by bit: of two zeros one may be negative.
#[inline]
fn is_same((one, sure): (Value, f32), (other, others): (Value, f32)) -> bool {
    let is_value = match (one, other) {
        (Value::Position(one), Value::Position(other)) => {
            one.map(f32::to_bits) == other.map(f32::to_bits)
        }
        (Value::Number(one), Value::Number(other)) => one.to_bits() == other.to_bits(),
        _ => one == other,
    };
    is_value && sure.to_bits() == others.to_bits()
}

/// Everything of a fact but its attributes.
#[derive(Clone, Copy, PartialEq)]
struct Slot {
    kind: Word,
    writer: Word,
    updated: Tick,
    expires: Tick,
    /// How many facts have been here, the last one included.
    generation: u16,
    mask: u16,
    first: u32,
}

impl Slot {
    fn new() -> Self {
        let [kind, writer] = [Word::NONE; 2];
        Slot { kind, writer, updated: 0, expires: 0, generation: 0, mask: 0, first: 0 }
    }

    /// What a fact says of itself, whatever was in the slot before.
    fn says(&self) -> (Word, Word, Tick, Tick) {
        (self.kind, self.writer, self.updated, self.expires)
    }

    #[inline]
    fn record(&self) -> Record {
        Record { first: self.first, mask: self.mask }
    }

    fn set_record(&mut self, record: Record) {
        Record { first: self.first, mask: self.mask } = record;
    }
}

/// Facts of one mind, or those that all share.
///
/// Two memories are equal if they hold the same facts with the same ids, numbers bit by bit.
#[derive(Clone)]
pub struct Memory {
    slots: Box<[Slot]>,
    /// Which slots hold a fact, and which of them may be meant.
    kin: Kin,
    /// Which kinds have changed since it was last asked.
    changed: KindSet,
    pool: Pool,
    len: u32,
    next_expiry: Tick,
    version: u64,
    refreshed: u64,
    evicted: u64,
    /// While the game's code has it in hand and what that does is recorded.
    pub(crate) journal: Option<Box<Journal>>,
    /// The first fact that was given attributes it cannot have since that was last asked.
    pub(crate) wrong: Option<(Word, u16)>,
}

impl Memory {
    /// Room for so many facts: at least one, at most 65,535. What they say takes room as they come.
    pub fn new(bound: usize) -> Self {
        let bound = bound.clamp(1, usize::from(u16::MAX));
        Memory {
            slots: vec![Slot::new(); bound].into_boxed_slice(),
            kin: Kin::new(bound),
            changed: KindSet::ALL,
            pool: Pool::new(bound, most_attributes(bound)),
            len: 0,
            next_expiry: NEVER,
            version: 0,
            refreshed: 0,
            evicted: 0,
            journal: None,
            wrong: None,
        }
    }

    /// Takes all the room that its facts can need, so that it allocates nothing from now on.
    pub fn reserve(&mut self) {
        self.pool.reserve(self.bound(), most_attributes(self.bound()));
    }

    /// How many facts it can hold.
    pub fn bound(&self) -> usize {
        self.slots.len()
    }

    /// How many facts it holds.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many bytes it takes, on the heap and by itself. Grows only when it holds more than ever.
    pub fn bytes(&self) -> usize {
        let slots = size_of_val(&*self.slots);
        size_of::<Memory>() + slots + self.kin.heap() + self.pool.heap()
    }

    throng_base::getters! {
        /// Changes whenever a fact comes, goes, or says something else. Which of two was confirmed last
        /// no condition asks; who keeps an answer of [`Memory::surest`], which does, holds
        /// [`Memory::refreshed`] too.
        version: u64;

        /// Changes whenever a fact is confirmed as it is.
        refreshed: u64;

        /// No fact expires before this moment.
        next_expiry: Tick;

        /// How many facts had to make room for others so far.
        evicted: u64;
    }

    /// What tells whether answers about it may be others now; confirmations count only where ages
    /// are asked for.
    pub(crate) fn versions(&self, with_age: bool) -> (u64, u64) {
        (self.version, if with_age { self.refreshed } else { 0 })
    }

    /// Of which kinds a fact has come, gone, says something else, or was confirmed since this was
    /// last asked.
    #[inline]
    pub(crate) fn take_changed(&mut self) -> KindSet {
        std::mem::take(&mut self.changed)
    }

    /// Remembers a fact, believed for `keep` ticks unless the draft says otherwise.
    pub fn add(&mut self, draft: &FactDraft, writer: Word, now: Tick, keep: Tick) -> FactId {
        self.note_add(draft, writer, now, keep);
        self.note_wrong(draft);
        let said = mask_of(&draft.attributes);
        let needed = Pool::needed(Record::default(), said);
        while self.len() == self.bound() || self.pool.left() < needed {
            self.evict(now, None);
        }
        let full = self.kin.all().iter().take_while(|&&word| word == u64::MAX).count();
        // There is room, so one of them is free.
        let bit = self.kin.all().get(full).map_or(0, |word| word.trailing_ones() as usize);
        let at = full * 64 + bit;
        let expires = after(now, draft.keep.unwrap_or(keep));
        let slot = &mut self.slots[at];
        let generation = slot.generation.wrapping_add(1);
        let (kind, updated) = (draft.kind, now);
        *slot = Slot { kind, writer, updated, expires, generation, ..Slot::new() };
        self.pool.write(&mut self.slots, at, &draft.attributes, said);
        self.enter(at);
        self.change(kind);
        self.next_expiry = self.next_expiry.min(expires);
        FactId { slot: at as u16, generation }
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
        match self.known(draft, same, writer).map(FactRef::id) {
            Some(id) => {
                self.update(id, draft, now, keep);
                id
            }
            None => self.add(draft, writer, now, keep),
        }
    }

    /// The fact of the same kind and writer that agrees in the attributes `same`.
    fn known(&self, draft: &FactDraft, same: &[Attribute], writer: Word) -> Option<FactRef<'_>> {
        let is_it = |fact: &FactRef<'_>| {
            fact.writer() == writer && fact.agrees(draft, same.iter().copied())
        };
        let subject = same.iter().find_map(|&attribute| {
            draft.attributes[attribute as usize].and_then(|(it, _)| Subject::new(attribute, it))
        });
        match subject {
            Some(subject) => self.of_subject(draft.kind, subject).find(is_it),
            None => self.of_kind(draft.kind).find(is_it),
        }
    }

    /// Brings a fact up to date: what the draft does not mention stays. It is believed `keep`
    /// ticks from now, if that is longer than it was.
    pub fn update(&mut self, id: FactId, draft: &FactDraft, now: Tick, keep: Tick) {
        let Some(at) = self.slot_of(id) else { return };
        self.note_wrong(draft);
        if self.says(at, draft) {
            self.note_update(id, draft, 0, now, keep);
            self.refreshed += 1;
            self.renew(at, draft.keep.unwrap_or(keep), now);
            return;
        }
        let said = mask_of(&draft.attributes);
        let needed = Pool::needed(self.slots[at].record(), said);
        while self.pool.left() < needed {
            self.evict(now, Some(at));
        }
        let named = SUBJECTS.iter().any(|&it| draft.attributes[it as usize].is_some());
        let before = if named { self.subjects(at) } else { [None; 2] };
        let Written { changed, differs } =
            self.pool.write(&mut self.slots, at, &draft.attributes, said);
        self.note_update(id, draft, differs, now, keep);
        let may_be_another = SUBJECTS.iter().any(|&it| differs >> it as u16 & 1 == 1);
        if may_be_another && before != self.subjects(at) {
            self.move_subjects(at, before);
        }
        if changed {
            self.change(self.slots[at].kind);
        } else {
            self.refreshed += 1;
        }
        self.renew(at, draft.keep.unwrap_or(keep), now);
    }

    /// Whether the fact in a slot says all that a draft does, bit by bit: most of what sensors see is
    /// what they saw before.
    fn says(&self, at: usize, draft: &FactDraft) -> bool {
        let fact = self.fact(at);
        let known = |(attribute, new): (Attribute, &Option<(Value, f32)>)| {
            new.is_none_or(|new| fact.get(attribute).is_some_and(|old| is_same(old, new)))
        };
        Attribute::ALL.into_iter().zip(&draft.attributes).all(known)
    }

    /// The fact in a slot is as old as this moment, and believed for so long from now.
    #[inline]
    fn renew(&mut self, at: usize, keep: Tick, now: Tick) {
        let slot = &mut self.slots[at];
        slot.updated = now;
        slot.expires = slot.expires.max(after(now, keep));
        self.changed.insert_confirmed(slot.kind);
    }

    /// Sets one attribute of a fact.
    ///
    /// # Errors
    ///
    /// The fact is gone, or the value is of another sort than the attribute, or not finite.
    pub fn set(
        &mut self,
        id: FactId,
        attribute: Attribute,
        value: impl Into<Value>,
        confidence: f32,
        now: Tick,
    ) -> Result<(), MemoryError> {
        let kind = self.get(id).map(FactRef::kind).ok_or(MemoryError::Gone)?;
        let draft = FactDraft::new(kind).with(attribute, value, confidence);
        if draft.attributes[attribute as usize].is_none() {
            self.note_wrong(&draft);
            return Err(MemoryError::WrongSort(attribute));
        }
        self.update(id, &draft, now, 0);
        Ok(())
    }

    /// Remembers that a fact was given what it cannot have, until it is asked for.
    #[inline]
    fn note_wrong(&mut self, draft: &FactDraft) {
        if draft.wrong != 0 && self.wrong.is_none() {
            self.wrong = Some((draft.kind, draft.wrong));
        }
    }

    /// Makes an attribute less sure, down to this. The fact stays as old as it is and is believed no
    /// longer: doubt does not confirm it. `false` if the fact is gone, has no such attribute, or is no surer
    /// than that.
    pub fn lower(&mut self, id: FactId, attribute: Attribute, confidence: f32) -> bool {
        let Some(at) = self.slot_of(id) else { return false };
        let known = self.fact(at).get(attribute);
        let Some((value, _)) = known.filter(|(_, sure)| *sure > confidence) else { return false };
        self.note_lower(id, attribute, confidence);
        let draft = FactDraft::new(self.slots[at].kind).with(attribute, value, confidence);
        let said = mask_of(&draft.attributes);
        let changed = self.pool.write(&mut self.slots, at, &draft.attributes, said).changed;
        if changed {
            self.change(draft.kind);
        }
        changed
    }

    /// Lets a fact be believed until a moment, if that is later than it was; `false` if it is gone.
    pub fn extend(&mut self, id: FactId, until: Tick) -> bool {
        let Some(at) = self.slot_of(id) else { return false };
        self.note_extend(id, until);
        let slot = &mut self.slots[at];
        slot.expires = slot.expires.max(until);
        true
    }

    /// Forgets a fact; `false` if it is gone already.
    pub fn remove(&mut self, id: FactId) -> bool {
        let Some(at) = self.slot_of(id) else { return false };
        self.note(REMOVE, None, id);
        self.clear(at);
        true
    }

    /// Forgets all facts for which this holds; says how many.
    pub fn remove_if(&mut self, mut gone: impl FnMut(FactRef<'_>) -> bool) -> usize {
        let before = self.len();
        for word in 0..self.kin.all().len() {
            for at in ones(self.kin.all()[word]).map(|bit| word * 64 + bit) {
                let fact = self.fact(at);
                let id = fact.id();
                if gone(fact) {
                    self.note(REMOVE, None, id);
                    self.clear(at);
                }
            }
        }
        before - self.len()
    }

    /// Forgets what has expired; says how much. Before [`next_expiry`](Self::next_expiry) this is
    /// one comparison.
    pub fn forget(&mut self, now: Tick) -> usize {
        if now < self.next_expiry {
            return 0;
        }
        let journal = self.note_forget(now);
        let mut next = NEVER;
        let count = self.remove_if(|fact| {
            let due = fact.expires() <= now;
            next = if due { next } else { next.min(fact.expires()) };
            due
        });
        self.next_expiry = next;
        self.journal = journal;
        count
    }

    /// A fact by id; `None` if it is gone.
    #[inline]
    pub fn get(&self, id: FactId) -> Option<FactRef<'_>> {
        self.slot_of(id).map(|at| self.fact(at))
    }

    /// All facts, by slot.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = FactRef<'_>> {
        ones_of(self.kin.all()).map(|at| self.fact(at))
    }

    /// All facts of a kind, by slot.
    #[inline]
    pub fn of_kind(&self, kind: Word) -> FactsOfKind<'_> {
        FactsOfKind { memory: self, kind, slots: self.kin.of(kind) }
    }

    /// All facts of a kind whose `object` is a thing, by slot.
    #[inline]
    pub fn about(&self, kind: Word, object: EntityId) -> FactsAbout<'_> {
        self.of_subject(kind, Subject::Object(object))
    }

    #[inline]
    pub(crate) fn of_subject(&self, kind: Word, subject: Subject) -> FactsAbout<'_> {
        FactsAbout { memory: self, kind, subject, slots: self.kin.about(kind, subject) }
    }

    /// What the fact in a slot is about, by an attribute.
    #[inline]
    fn subject(&self, at: usize, attribute: Attribute) -> Option<Subject> {
        let (value, _) = self.pool.get(self.slots[at].record(), attribute as usize)?;
        Subject::new(attribute, value)
    }

    fn subjects(&self, at: usize) -> [Option<Subject>; 2] {
        SUBJECTS.map(|attribute| self.subject(at, attribute))
    }

    #[inline]
    fn fact(&self, at: usize) -> FactRef<'_> {
        let slot = &self.slots[at];
        let id = FactId { slot: at as u16, generation: slot.generation };
        FactRef { id, slot, pool: &self.pool }
    }

    #[inline]
    fn slot_of(&self, id: FactId) -> Option<usize> {
        let at = usize::from(id.slot);
        (self.kin.has(at) && self.slots[at].generation == id.generation).then_some(at)
    }

    /// A fact that has been written into a slot is there.
    fn enter(&mut self, at: usize) {
        self.kin.set_kind(self.slots[at].kind, at, true);
        self.move_subjects(at, [None; 2]);
        self.len += 1;
    }

    /// The fact in a slot is about another thing than before.
    fn move_subjects(&mut self, at: usize, before: [Option<Subject>; 2]) {
        // All old ones first: two may share a row.
        let now = self.subjects(at);
        for (subjects, on) in [(before, false), (now, true)] {
            subjects.into_iter().flatten().for_each(|it| self.kin.set_subject(it, at, on));
        }
    }

    fn clear(&mut self, at: usize) {
        for subject in self.subjects(at).into_iter().flatten() {
            self.kin.set_subject(subject, at, false);
        }
        self.pool.free(&mut self.slots[at]);
        self.kin.set_kind(self.slots[at].kind, at, false);
        self.len -= 1;
        self.change(self.slots[at].kind);
    }

    /// A fact of a kind came, went, or says something else.
    #[inline]
    fn change(&mut self, kind: Word) {
        self.version += 1;
        self.changed.insert(kind);
    }

    /// Forgets the fact least worth its place, but never the one in slot `spared`.
    fn evict(&mut self, now: Tick, spared: Option<usize>) {
        let worth = |at: usize| {
            let slot = &self.slots[at];
            (slot.expires > now, self.pool.surest(slot.record()), slot.updated)
        };
        let others = ones_of(self.kin.all()).filter(|&at| Some(at) != spared);
        let worths = others.map(|at| (at, worth(at)));
        let least = worths.reduce(|least, next| if next.1 < least.1 { next } else { least });
        if let Some((at, _)) = least {
            self.clear(at);
            self.evicted += 1;
        }
    }
}
