//! The entries of a tick in few bytes, and back.
//!
//! In:   entries; or bytes, not to be trusted.
//! Out:  bytes; or the same entries.
//! Cost: one comparison per entry if minds go on as before; a few bytes for each that does not.
//!
//! Minds do much the same in every tick, and as others of their kind. So an entry is told by its
//! difference from the last one of the same mind and call, or of the same call of any mind, of
//! which the common beginning and end are left out; and which entry it is, by what followed the
//! entry before it the last time. A row of entries that are all as expected is one number.

use std::collections::HashMap;
use throng_base::BuildMix;
use throng_base::codec::{DecodeError, Decoder, Encoder};
use throng_mind::tape::Entries;

/// No tick has more entries, or more bytes in them: it would not be read.
pub(crate) const MOST_ENTRIES: usize = 1 << 21;
pub(crate) const MOST_BYTES: usize = 1 << 25;
/// No more bytes are held from tick to tick; the next keyframe comes before that.
const MOST_HELD: usize = 1 << 27;

/// It is time for a keyframe if more is held before a tick: one that is as large as can be, and one
/// more, still have room.
pub(crate) const MUCH_HELD: usize = MOST_HELD - 2 * MOST_BYTES;

/// What comes next, in the lowest bits of a number. First the rows of entries that are expected:
/// they say what they said the last time, or what the call said of the mind before.
const AS_BEFORE: u64 = 0;
const AS_OTHERS: u64 = 1;
/// An entry that is expected, and differs from what it said, or what others did.
const NOT_AS_BEFORE: u64 = 2;
const NOT_AS_OTHERS: u64 = 3;
/// An entry of a mind and call that were there before, but are not expected.
const KNOWN: u64 = 4;
/// An entry of a mind and call that were not: of no call that was there, or of one that was.
const NEW: u64 = 5;
const NEW_LIKE_OTHERS: u64 = 6;
const BITS: u32 = 3;

/// Before the first entry of a tick.
const BEGIN: u32 = 0;

#[derive(Clone, Debug)]
struct Last {
    mind: u32,
    call: u32,
    says: Vec<u8>,
    /// What followed it the last time; [`BEGIN`]: nothing did.
    next: u32,
    /// Position of its call among all.
    call_at: u32,
}

/// The last entry of every mind and call since a keyframe. Writer and reader keep the same.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    entries: Vec<Last>,
    // Keys are numbers of our own, or of a file whose reader bounds how many there are.
    by_key: HashMap<(u32, u32), u32, BuildMix>,
    by_call: HashMap<u32, u32, BuildMix>,
    /// By call: the entry of it that last said something else than before.
    news: Vec<u32>,
    /// How many bytes all entries say.
    held: usize,
}

/// What a row of expected entries is like, and how long it is.
struct Row {
    tag: u64,
    count: u64,
}

impl Row {
    fn add(&mut self, tag: u64, to: &mut Encoder) {
        if self.tag != tag {
            self.end(to);
            self.tag = tag;
        }
        self.count += 1;
    }

    fn end(&mut self, to: &mut Encoder) {
        if self.count > 0 {
            to.number((self.count - 1) << BITS | self.tag);
            self.count = 0;
        }
    }
}

impl Table {
    pub(crate) fn new() -> Self {
        let begin = Last { mind: 0, call: u32::MAX, says: Vec::new(), next: BEGIN, call_at: 0 };
        let (by_key, by_call) = (HashMap::default(), HashMap::default());
        Table { entries: vec![begin], by_key, by_call, news: Vec::new(), held: 0 }
    }

    /// Forgets everything: what follows is read without what came before.
    pub(crate) fn clear(&mut self) {
        self.entries.truncate(1);
        self.entries[0].next = BEGIN;
        self.by_key.clear();
        self.by_call.clear();
        self.news.clear();
        self.held = 0;
    }

    /// Writes the entries of a tick.
    pub(crate) fn shrink(&mut self, entries: &Entries, to: &mut Encoder) {
        let mut before = BEGIN;
        let mut row = Row { tag: AS_BEFORE, count: 0 };
        for (mind, call, says) in entries.iter() {
            let guess = self.entries[before as usize].next;
            let last = &self.entries[guess as usize];
            let is_guessed = guess != BEGIN && last.mind == mind && last.call == call;
            if is_guessed && last.says == says {
                row.add(AS_BEFORE, to);
                before = guess;
                continue;
            }
            if is_guessed && self.others(guess) == says {
                row.add(AS_OTHERS, to);
                self.set(guess, says);
                before = guess;
                continue;
            }
            row.end(to);
            let at = match if is_guessed { Some(guess) } else { self.find(mind, call) } {
                Some(at) => {
                    self.write_known(at, is_guessed, says, to);
                    self.set(at, says);
                    at
                }
                None => self.write_new(mind, call, says, to),
            };
            self.tell_news(at);
            before = self.follow(before, at);
        }
        row.end(to);
    }

    fn write_known(&self, at: u32, is_guessed: bool, says: &[u8], to: &mut Encoder) {
        let (own, others) = (&self.entries[at as usize].says[..], self.others(at));
        let (first, end) = same_ends(own, says);
        if is_guessed {
            let (other_first, other_end) = same_ends(others, says);
            if other_first + other_end > first + end {
                to.number((other_first as u64) << BITS | NOT_AS_OTHERS);
                write_between(says, other_first, other_end, to);
            } else {
                to.number((first as u64) << BITS | NOT_AS_BEFORE);
                write_between(says, first, end, to);
            }
            return;
        }
        to.number(u64::from(at) << BITS | KNOWN);
        if own == says {
            to.number(0);
        } else if others == says {
            to.number(1);
        } else {
            to.number(first as u64 + 2);
            write_between(says, first, end, to);
        }
    }

    fn write_new(&mut self, mind: u32, call: u32, says: &[u8], to: &mut Encoder) -> u32 {
        match self.by_call.get(&call) {
            Some(&call_at) => {
                let others = &self.entries[self.news[call_at as usize] as usize].says;
                let (first, end) = same_ends(others, says);
                to.number((first as u64) << BITS | NEW_LIKE_OTHERS);
                to.write(&mind).write(&call);
                write_between(says, first, end, to);
            }
            None => {
                to.number((says.len() as u64) << BITS | NEW);
                to.write(&mind).write(&call);
                to.bytes.extend_from_slice(says);
            }
        }
        self.add(mind, call, says)
    }

    fn find(&self, mind: u32, call: u32) -> Option<u32> {
        self.by_key.get(&(mind, call)).copied()
    }

    /// What the call said when it last said something else than before.
    fn others(&self, at: u32) -> &[u8] {
        let call_at = self.entries[at as usize].call_at as usize;
        self.news.get(call_at).map_or(&[], |&news| &self.entries[news as usize].says)
    }

    fn tell_news(&mut self, at: u32) {
        let call_at = self.entries[at as usize].call_at as usize;
        self.news[call_at] = at;
    }

    /// Whether it is time for a keyframe, so that less has to be held. Asked before a tick, of which
    /// it may then hold the entries, and of one more before it is asked again.
    pub(crate) fn is_full(&self) -> bool {
        self.held > MUCH_HELD
    }

    /// As if much had been said.
    #[cfg(test)]
    pub(crate) fn fill(&mut self) {
        self.held = MOST_HELD - MOST_BYTES;
    }

    fn set(&mut self, at: u32, says: &[u8]) {
        let last = &mut self.entries[at as usize].says;
        self.held = self.held - last.len() + says.len();
        last.clear();
        last.extend_from_slice(says);
    }

    fn add(&mut self, mind: u32, call: u32, says: &[u8]) -> u32 {
        let at = self.entries.len() as u32;
        let next = self.news.len() as u32;
        let call_at = *self.by_call.entry(call).or_insert(next);
        if call_at == next {
            self.news.push(at);
        }
        self.entries.push(Last { mind, call, says: says.to_vec(), next: BEGIN, call_at });
        self.by_key.insert((mind, call), at);
        self.held += says.len();
        at
    }

    /// Reads the entries of a tick, up to the end of the bytes.
    pub(crate) fn grow(
        &mut self,
        from: &mut Decoder<'_>,
        entries: &mut Entries,
    ) -> Result<(), DecodeError> {
        let mut before = BEGIN;
        while from.left() > 0 {
            let number = from.number()?;
            let rest = usize::try_from(number >> BITS).unwrap_or(usize::MAX);
            let tag = number & ((1 << BITS) - 1);
            if tag == AS_BEFORE || tag == AS_OTHERS {
                for _ in 0..=rest {
                    before = self.guess(before, from)?;
                    if tag == AS_OTHERS {
                        let says = self.others(before).to_vec();
                        self.set(before, &says);
                    }
                    self.give(before, from, entries)?;
                }
                continue;
            }
            let at = match tag {
                NOT_AS_BEFORE | NOT_AS_OTHERS => {
                    let at = self.guess(before, from)?;
                    self.read_difference(at, tag == NOT_AS_OTHERS, rest, from)?;
                    at
                }
                KNOWN => self.read_known(rest, from)?,
                NEW | NEW_LIKE_OTHERS => self.read_new(tag, rest, from)?,
                _ => return from.error("entry"),
            };
            self.tell_news(at);
            before = self.follow(before, at);
            self.give(before, from, entries)?;
        }
        Ok(())
    }

    fn read_known(&mut self, at: usize, from: &mut Decoder<'_>) -> Result<u32, DecodeError> {
        from.sound((), (1..self.entries.len()).contains(&at), "entry that was before")?;
        let at = at as u32;
        match from.read::<usize>()? {
            0 => {}
            1 => {
                let says = self.others(at).to_vec();
                self.set(at, &says);
            }
            more => self.read_difference(at, false, more - 2, from)?,
        }
        Ok(at)
    }

    fn read_new(
        &mut self,
        tag: u64,
        rest: usize,
        from: &mut Decoder<'_>,
    ) -> Result<u32, DecodeError> {
        let (mind, call) = (from.read()?, from.read()?);
        let others = self.by_call.get(&call).map(|&call_at| self.news[call_at as usize]);
        let says = match (tag, others) {
            (NEW, None) => from.raw(rest)?.to_vec(),
            (NEW_LIKE_OTHERS, Some(others)) => {
                difference(&self.entries[others as usize].says, rest, from)?
            }
            _ => return from.error("new entry"),
        };
        from.sound((), self.find(mind, call).is_none(), "new entry: there is one")?;
        Ok(self.add(mind, call, &says))
    }

    fn read_difference(
        &mut self,
        at: u32,
        is_from_others: bool,
        first: usize,
        from: &mut Decoder<'_>,
    ) -> Result<(), DecodeError> {
        let old = if is_from_others { self.others(at) } else { &self.entries[at as usize].says };
        let says = difference(old, first, from)?;
        self.set(at, &says);
        Ok(())
    }

    fn guess(&self, before: u32, from: &Decoder<'_>) -> Result<u32, DecodeError> {
        match self.entries[before as usize].next {
            BEGIN => from.error("entry that is expected"),
            next => Ok(next),
        }
    }

    fn follow(&mut self, before: u32, at: u32) -> u32 {
        self.entries[before as usize].next = at;
        at
    }

    fn give(&self, at: u32, from: &Decoder<'_>, entries: &mut Entries) -> Result<(), DecodeError> {
        let Last { mind, call, says, .. } = &self.entries[at as usize];
        let bytes = entries.bytes().len() + says.len();
        let fits = entries.len() < MOST_ENTRIES && bytes <= MOST_BYTES && self.held <= MOST_HELD;
        from.sound((), fits, "tick: it has too many entries")?;
        entries.push(*mind, *call, says);
        Ok(())
    }
}

/// How many bytes are the same at the beginning, and of the rest at the end.
fn same_ends(old: &[u8], new: &[u8]) -> (usize, usize) {
    let same = |(a, b): &(&u8, &u8)| a == b;
    let first = old.iter().zip(new).take_while(same).count();
    let (old, new) = (&old[first..], &new[first..]);
    (first, old.iter().rev().zip(new.iter().rev()).take_while(same).count())
}

/// Writes what is between the ends, and how long the second of them is.
fn write_between(says: &[u8], first: usize, end: usize, to: &mut Encoder) {
    let between = &says[first..says.len() - end];
    to.number(end as u64);
    to.number(between.len() as u64);
    to.bytes.extend_from_slice(between);
}

/// Puts what is between the ends of another entry.
fn difference(old: &[u8], first: usize, from: &mut Decoder<'_>) -> Result<Vec<u8>, DecodeError> {
    let end = from.read::<usize>()?;
    let count = from.count()?;
    let between = from.raw(count)?;
    let is_there = old.len().checked_sub(end).is_some_and(|middle| first <= middle);
    from.sound((), is_there, "difference")?;
    Ok([&old[..first], between, &old[old.len() - end..]].concat())
}

#[cfg(test)]
mod tests;
