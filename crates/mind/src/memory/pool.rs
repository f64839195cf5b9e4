//! The attributes of all facts of one memory, each fact's in a [record](record) of words.
//!
//! In:   drafts whose attributes are to be kept.
//! Out:  attributes, read by their number.
//! Cost: a record is one word of 32 bits, one to three for each value, and one for each confidence that
//!       is not the fact's usual one, which takes one too unless it is 1.
//!
//! Records stand one behind the other. A fact that has other attributes than before gets a new one at
//! the end; when the end is reached, those that are left move together, or the pool grows. It has room
//! for what facts usually say; it grows by half of what it holds, and only if it never held as much: a
//! game in which minds know no more than before allocates nothing here.

mod record;
#[cfg(test)]
mod tests;

use super::Slot;
use crate::fact::{Attribute, Attributes, EntityId, Sort, Value, mask_of};
use crate::words::Word;
pub(super) use record::Record;
use record::{
    CERTAIN, CERTAINTY, FORM_BITS, HEAD, MOST, NOBODY, Place, SORTS, below, bits_of, count,
    sort_of, usual_of, width_of, words_of, written_as,
};
use std::mem::take;
use throng_base::ones;

/// Room that is taken at the start, in words: for what facts usually say, so that a memory seldom
/// grows, if it is full or nearly so.
const USUAL_WORDS: usize = 160;
const USUAL_WORDS_PER_FACT: usize = 4;

/// What writing has changed.
#[derive(Clone, Copy)]
pub(super) struct Written {
    /// Something has another value, or another confidence.
    pub(super) changed: bool,
    /// The attributes that are not what they were bit by bit: of two zeros one may be negative.
    pub(super) differs: u16,
}

/// Records, and room for more.
pub(super) struct Pool {
    words: Vec<u32>,
    /// How many of the words are of records that nobody has any more.
    waste: u32,
    /// One of these records: where, and how many words it has; none if there are 0.
    hole: (u32, u32),
    /// How many attributes more it takes.
    left: u32,
}

impl Clone for Pool {
    /// With as much room, which a derived one would not have.
    fn clone(&self) -> Self {
        let mut words = Vec::with_capacity(self.words.capacity());
        words.extend_from_slice(&self.words);
        Pool { words, ..*self }
    }
}

impl Pool {
    /// For so many facts and attributes; with room for what so many usual facts say.
    pub(super) fn new(facts: usize, attributes: usize) -> Self {
        let mut words = Vec::with_capacity(USUAL_WORDS + USUAL_WORDS_PER_FACT * facts);
        words.push(CERTAINTY);
        Pool { words, waste: 0, hole: (0, 0), left: attributes as u32 }
    }

    /// How many attributes more it takes.
    pub(super) fn left(&self) -> usize {
        self.left as usize
    }

    /// Bytes on the heap.
    pub(super) fn heap(&self) -> usize {
        self.words.capacity() * size_of::<u32>()
    }

    /// Takes all the room that so many facts with so many attributes can need.
    pub(super) fn reserve(&mut self, facts: usize, attributes: usize) {
        // An odd record has one word and five for each attribute; no other has more.
        self.make_room_for(1 + facts + 5 * attributes);
    }

    /// The attribute of that number.
    #[inline]
    pub(super) fn get(&self, record: Record, attribute: usize) -> Option<(Value, f32)> {
        if !record.has(attribute) {
            return None;
        }
        // Asked in the innermost loops: `read` of its place, with fewer steps.
        if record.is_odd() {
            return Some(self.read_odd(record, attribute));
        }
        let own = self.own(record);
        let value = record.values() + words_of(record.mask & below(attribute), record.is_wide());
        let sure = match () {
            () if own >> attribute & 1 == 1 => self.words[record.place_of(own, attribute).sure],
            () if record.first & CERTAIN != 0 => CERTAINTY,
            () => self.words[record.at() + 1],
        };
        let known = self.value(value, SORTS[attribute], record.is_wide());
        let known = (known, f32::from_bits(sure));
        debug_assert!(
            bits_of(known)
                == bits_of(self.read(record, attribute, record.place_of(own, attribute))),
            "it is what is read of its place"
        );
        Some(known)
    }

    #[cold]
    fn read_odd(&self, record: Record, attribute: usize) -> (Value, f32) {
        self.read(record, attribute, record.place_of(0, attribute))
    }

    /// How sure the attribute of that number is.
    #[inline]
    pub(super) fn sure(&self, record: Record, attribute: usize) -> Option<f32> {
        if !record.has(attribute) {
            return None;
        }
        let place = record.place_of(self.own(record), attribute);
        Some(f32::from_bits(self.words[place.sure]))
    }

    /// How sure the surest attribute is; 0 without any.
    pub(super) fn surest(&self, record: Record) -> f32 {
        let sure = |(_, place): (usize, Place)| f32::from_bits(self.words[place.sure]);
        record.places(self.own(record)).map(sure).fold(0.0, f32::max)
    }

    /// All attributes of a record, in order.
    pub(super) fn all(&self, record: Record) -> impl Iterator<Item = (usize, (Value, f32))> {
        let places = record.places(self.own(record));
        places.map(move |(at, place)| (at, self.read(record, at, place)))
    }

    /// Whether a record of a slot is the same bit by bit as one of the same slot in another pool.
    pub(super) fn is_same(&self, record: Record, other: &Pool, others: Record) -> bool {
        if record.mask == 0 || record.mask != others.mask {
            return record.mask == others.mask;
        }
        // Written in the same form they are the same words; what is the same may still be written in
        // two forms.
        record.form() == others.form() && self.words_of(record) == other.words_of(others)
            || self
                .all(record)
                .zip(other.all(others))
                .all(|((_, one), (_, two))| bits_of(one) == bits_of(two))
    }

    /// All words of a record.
    fn words_of(&self, record: Record) -> &[u32] {
        &self.words[record.at()..record.at() + record.len(self.own(record))]
    }

    /// The attributes with a confidence of their own.
    #[inline]
    fn own(&self, record: Record) -> u16 {
        self.words.get(record.at()).map_or(0, |head| (head >> 16) as u16)
    }

    #[inline]
    fn read(&self, record: Record, attribute: usize, place: Place) -> (Value, f32) {
        let sort = match record.is_odd() {
            true => sort_of(self.words[place.value - 1]),
            false => SORTS[attribute],
        };
        let value = self.value(place.value, sort, record.is_wide() || record.is_odd());
        (value, f32::from_bits(self.words[place.sure]))
    }

    /// The value of a sort that stands somewhere; whether that of a thing has two words.
    #[inline]
    fn value(&self, at: usize, sort: Sort, has_two: bool) -> Value {
        match sort {
            Sort::Position => {
                let mut place = [0; 3];
                place.copy_from_slice(&self.words[at..at + 3]);
                let [x, y, z] = place;
                Value::Position([f32::from_bits(x), f32::from_bits(y), f32::from_bits(z)])
            }
            Sort::Word => Value::Word(Word(self.words[at])),
            Sort::Entity => {
                let high = if has_two { self.words[at + 1] } else { 0 };
                Value::Entity(EntityId(u64::from(self.words[at]) | u64::from(high) << 32))
            }
            Sort::Number => Value::Number(f32::from_bits(self.words[at])),
        }
    }

    /// Whether an attribute is this already, bit by bit, and of what is equal to itself; most of what is
    /// written again is. Of an odd record nothing is said.
    #[inline]
    fn says(&self, record: Record, attribute: usize, place: Place, new: (Value, f32)) -> bool {
        let value = place.value;
        let is_value = match (new.0, SORTS[attribute]) {
            (Value::Position(new), Sort::Position) => {
                let [x, y, z] = new;
                let is_number = !(x.is_nan() || y.is_nan() || z.is_nan());
                is_number && self.words[value..value + 3] == [x.to_bits(), y.to_bits(), z.to_bits()]
            }
            (Value::Word(new), Sort::Word) => self.words[value] == new.0,
            (Value::Entity(new), Sort::Entity) => {
                let high = if record.is_wide() { self.words[value + 1] } else { 0 };
                new.0 == u64::from(self.words[value]) | u64::from(high) << 32
            }
            (Value::Number(new), Sort::Number) => {
                self.words[value] == new.to_bits() && !new.is_nan()
            }
            _ => false,
        };
        is_value && self.words[place.sure] == new.1.to_bits() && !new.1.is_nan() && !record.is_odd()
    }

    /// Writes an attribute over; `false` if the record cannot have that.
    fn store(&mut self, record: Record, attribute: usize, place: Place, new: (Value, f32)) -> bool {
        let [sort, a, b, c, sure] = bits_of(new);
        let needs = written_as(Attribute::ALL[attribute], new.0);
        if record.is_odd() {
            self.words[place.value - 1..place.value + 4].copy_from_slice(&[sort, a, b, c, sure]);
            return true;
        }
        let is_shared = place.sure == record.usual();
        if needs & !record.first != 0 || is_shared && self.words[place.sure] != sure {
            return false;
        }
        self.words[place.value] = a;
        match width_of(attribute, record.is_wide()) {
            1 => {}
            2 => self.words[place.value + 1] = b,
            _ => self.words[place.value + 1..place.value + 3].copy_from_slice(&[b, c]),
        }
        self.words[place.sure] = sure;
        true
    }

    /// How many attributes a record takes in with [`write`](Self::write) that were not there before,
    /// if these are said.
    pub(super) fn needed(record: Record, said: u16) -> usize {
        count(said & !record.mask)
    }

    /// Writes what a draft mentions, which is `said`, into the fact of a slot; the rest stays. Says what
    /// difference that made. So many attributes must be [left](Self::left).
    pub(super) fn write(
        &mut self,
        slots: &mut [Slot],
        slot: usize,
        draft: &Attributes,
        said: u16,
    ) -> Written {
        debug_assert_eq!(said, mask_of(draft), "what a draft mentions is said");
        let record = slots[slot].record();
        let new = said & !record.mask;
        let mut written = Written { changed: new != 0, differs: new };
        let mut fits = new == 0;
        for (at, place) in record.places(self.own(record)) {
            let Some(new) = draft[at] else { continue };
            if self.says(record, at, place, new) {
                continue;
            }
            let old = self.read(record, at, place);
            let changed = old != new;
            if changed || bits_of(old) != bits_of(new) {
                written.changed |= changed;
                written.differs |= 1 << at;
                fits = fits && self.store(record, at, place, new);
            }
        }
        if !fits {
            self.write_anew(slots, slot, draft, said);
        }
        written
    }

    /// Writes the attributes of a fact and what a draft mentions into a record as they need it.
    fn write_anew(&mut self, slots: &mut [Slot], slot: usize, draft: &Attributes, said: u16) {
        let old = slots[slot].record();
        let mut known = [(Value::Number(0.0), 0.0); Attribute::ALL.len()];
        let mut new = Record { first: 0, mask: old.mask | said };
        self.all(old).for_each(|(at, it)| known[at] = it);
        let all = || ones(new.mask.into());
        for at in all() {
            known[at] = draft[at].unwrap_or(known[at]);
            new.first |= written_as(Attribute::ALL[at], known[at].0);
        }
        let (usual, own) = usual_of(&known, new.mask);
        new.first |= if usual == CERTAINTY || new.is_odd() { CERTAIN } else { 0 };
        // Of each value all words are written: what it does not need is written over by the next.
        let mut words = [0; MOST + 5];
        let mut len = new.values() - new.at();
        words[..HEAD].copy_from_slice(&[slot as u32 | u32::from(own) << 16, usual]);
        if new.is_odd() {
            for at in all() {
                words[len..len + 5].copy_from_slice(&bits_of(known[at]));
                len += 5;
            }
        } else {
            for at in all() {
                let [_, a, b, c, _] = bits_of(known[at]);
                words[len..len + 3].copy_from_slice(&[a, b, c]);
                len += width_of(at, new.is_wide());
            }
            for at in ones(own.into()) {
                words[len] = known[at].1.to_bits();
                len += 1;
            }
        }
        debug_assert_eq!(len, new.len(own), "a record is as long as what is read of it");
        debug_assert!(len <= 1 + 5 * count(new.mask), "no more than room is reserved for");
        self.left -= count(new.mask & !old.mask) as u32;
        let old_len = if old.mask == 0 { 0 } else { old.len(self.own(old)) };
        let words = &words[..len];
        let at = if old_len == len {
            self.words[old.at()..old.at() + len].copy_from_slice(words);
            old.at()
        } else {
            self.drop_record(old);
            self.add(slots, words)
        };
        new.first |= (at as u32) << FORM_BITS;
        slots[slot].set_record(new);
    }

    /// Takes the attributes of a fact back.
    pub(super) fn free(&mut self, slot: &mut Slot) {
        let record = slot.record();
        self.drop_record(record);
        self.left += count(record.mask) as u32;
        slot.set_record(Record::default());
    }

    /// A record is nobody's any more: it says how long it is.
    fn drop_record(&mut self, record: Record) {
        if record.mask == 0 {
            return;
        }
        let (at, len) = (record.at(), record.len(self.own(record)));
        if at + len == self.words.len() {
            self.words.truncate(at);
        } else {
            self.words[at] = NOBODY | (len as u32) << 16;
            self.waste += len as u32;
            self.hole = (at as u32, len as u32);
        }
    }

    /// Adds the words of a record; says where they are.
    fn add(&mut self, slots: &mut [Slot], record: &[u32]) -> usize {
        self.make_room_for(self.words.len() - self.waste as usize + record.len());
        if self.hole.1 as usize == record.len() {
            let at = take(&mut self.hole).0 as usize;
            self.waste -= record.len() as u32;
            self.words[at..at + record.len()].copy_from_slice(record);
            return at;
        }
        if self.words.len() + record.len() > self.words.capacity() {
            self.move_together(slots);
        }
        let at = self.words.len();
        self.words.extend_from_slice(record);
        at
    }

    /// Room for so many words in all and a part more, so that records need not be moved together again
    /// at once. There is, if there ever was for as many.
    fn make_room_for(&mut self, words: usize) {
        let spare = words / 16 + 4;
        if words + spare > self.words.capacity() {
            self.words.reserve_exact(words + words / 2 + spare - self.words.len());
        }
    }

    /// Moves the records that are left to the beginning.
    fn move_together(&mut self, slots: &mut [Slot]) {
        let (mut from, mut to) = (1, 1);
        while let Some(&head) = self.words.get(from) {
            let owner = head & NOBODY;
            if owner == NOBODY {
                from += (head >> 16) as usize;
                continue;
            }
            let mut record = slots[owner as usize].record();
            debug_assert_eq!(record.at(), from, "a record knows whose it is");
            let len = record.len((head >> 16) as u16);
            if to < from {
                self.words.copy_within(from..from + len, to);
                record.first = (to as u32) << FORM_BITS | record.form();
                slots[owner as usize].set_record(record);
            }
            (from, to) = (from + len, to + len);
        }
        self.words.truncate(to);
        (self.waste, self.hole) = (0, (0, 0));
    }
}
