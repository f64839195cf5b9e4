//! The entries of a tick in few bytes, and back.
//!
//! In:   entries; or bytes, not to be trusted.
//! Out:  bytes; or the same entries.
//! Cost: one comparison per entry if minds go on as before; a few bytes for each that does not.
//!
//! Minds do much the same in every tick. So an entry is told by its difference from the last one
//! of the same mind and call, of which the common beginning and end are left out; and which entry
//! it is, by what followed the entry before it the last time. A row of entries that are all as
//! expected is one number.

use std::collections::HashMap;
use throng_mind::pack::{Damaged, Packer, Unpacker};
use throng_mind::tape::Entries;

/// No tick has more entries, or more bytes in them: it would not be read.
pub(crate) const MOST_ENTRIES: usize = 1 << 21;
pub(crate) const MOST_BYTES: usize = 1 << 26;

/// What comes next, in the two lowest bits of a number.
const AS_EXPECTED: u64 = 0;
const OTHERWISE: u64 = 1;
const KNOWN: u64 = 2;
const NEW: u64 = 3;

/// Before the first entry of a tick.
const BEGIN: u32 = 0;

#[derive(Clone, Debug)]
struct Last {
    mind: u32,
    call: u32,
    says: Vec<u8>,
    /// What followed it the last time; [`BEGIN`]: nothing did.
    next: u32,
}

/// The last entry of every mind and call since a keyframe. Writer and reader keep the same.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    entries: Vec<Last>,
    by_key: HashMap<(u32, u32), u32>,
}

impl Table {
    pub(crate) fn new() -> Self {
        let begin = Last { mind: 0, call: u32::MAX, says: Vec::new(), next: BEGIN };
        Table { entries: vec![begin], by_key: HashMap::new() }
    }

    /// Forgets everything: what follows is read without what came before.
    pub(crate) fn clear(&mut self) {
        self.entries.truncate(1);
        self.entries[0].next = BEGIN;
        self.by_key.clear();
    }

    /// Writes the entries of a tick.
    pub(crate) fn shrink(&mut self, entries: &Entries, to: &mut Packer) {
        let (mut before, mut expected) = (BEGIN, 0u64);
        for (mind, call, says) in entries.iter() {
            let guess = self.entries[before as usize].next;
            let last = &self.entries[guess as usize];
            let is_guessed = guess != BEGIN && last.mind == mind && last.call == call;
            if is_guessed && last.says == says {
                expected += 1;
                before = guess;
                continue;
            }
            if expected > 0 {
                to.number((expected - 1) << 2 | AS_EXPECTED);
                expected = 0;
            }
            let known = if is_guessed { Some(guess) } else { self.find(mind, call) };
            let at = match known {
                Some(at) => {
                    let last = &mut self.entries[at as usize];
                    if is_guessed {
                        let (first, end) = same_ends(&last.says, says);
                        to.number((first as u64) << 2 | OTHERWISE);
                        write_between(says, first, end, to);
                    } else {
                        to.number(u64::from(at) << 2 | KNOWN);
                        if last.says == says {
                            to.number(0);
                        } else {
                            let (first, end) = same_ends(&last.says, says);
                            to.number(first as u64 + 1);
                            write_between(says, first, end, to);
                        }
                    }
                    last.says.clear();
                    last.says.extend_from_slice(says);
                    at
                }
                None => {
                    to.number((says.len() as u64) << 2 | NEW);
                    to.put(&mind).put(&call);
                    to.bytes.extend_from_slice(says);
                    self.add(mind, call, says)
                }
            };
            self.entries[before as usize].next = at;
            before = at;
        }
        if expected > 0 {
            to.number((expected - 1) << 2 | AS_EXPECTED);
        }
    }

    fn find(&self, mind: u32, call: u32) -> Option<u32> {
        self.by_key.get(&(mind, call)).copied()
    }

    fn add(&mut self, mind: u32, call: u32, says: &[u8]) -> u32 {
        let at = self.entries.len() as u32;
        self.entries.push(Last { mind, call, says: says.to_vec(), next: BEGIN });
        self.by_key.insert((mind, call), at);
        at
    }

    /// Reads the entries of a tick, up to the end of the bytes.
    pub(crate) fn grow(
        &mut self,
        from: &mut Unpacker<'_>,
        entries: &mut Entries,
    ) -> Result<(), Damaged> {
        let mut before = BEGIN;
        while from.left() > 0 {
            let number = from.number()?;
            let rest = usize::try_from(number >> 2).unwrap_or(usize::MAX);
            match number & 3 {
                AS_EXPECTED => {
                    for _ in 0..=rest {
                        before = self.guess(before, from)?;
                        self.give(before, from, entries)?;
                    }
                    continue;
                }
                OTHERWISE => {
                    let at = self.guess(before, from)?;
                    read_difference(&mut self.entries[at as usize].says, rest, from)?;
                    before = self.follow(before, at);
                }
                KNOWN => {
                    let known = 1..self.entries.len();
                    let Some(at) = Some(rest).filter(|at| known.contains(at)) else {
                        return from.damaged("entry that was before");
                    };
                    let difference = from.take::<usize>()?;
                    if let Some(same) = difference.checked_sub(1) {
                        read_difference(&mut self.entries[at].says, same, from)?;
                    }
                    before = self.follow(before, at as u32);
                }
                _ => {
                    let (mind, call) = (from.take()?, from.take()?);
                    let says = from.raw(rest)?;
                    if self.find(mind, call).is_some() {
                        return from.damaged("new entry: there is one");
                    }
                    let at = self.add(mind, call, says);
                    before = self.follow(before, at);
                }
            }
            self.give(before, from, entries)?;
        }
        Ok(())
    }

    fn guess(&self, before: u32, from: &Unpacker<'_>) -> Result<u32, Damaged> {
        match self.entries[before as usize].next {
            BEGIN => from.damaged("entry that is expected"),
            next => Ok(next),
        }
    }

    fn follow(&mut self, before: u32, at: u32) -> u32 {
        self.entries[before as usize].next = at;
        at
    }

    fn give(&self, at: u32, from: &Unpacker<'_>, entries: &mut Entries) -> Result<(), Damaged> {
        let Last { mind, call, says, .. } = &self.entries[at as usize];
        let is_room =
            entries.len() < MOST_ENTRIES && entries.bytes().len() + says.len() <= MOST_BYTES;
        if !is_room {
            return from.damaged("tick: it has too many entries");
        }
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
fn write_between(says: &[u8], first: usize, end: usize, to: &mut Packer) {
    let between = &says[first..says.len() - end];
    to.number(end as u64);
    to.number(between.len() as u64);
    to.bytes.extend_from_slice(between);
}

fn read_difference(
    says: &mut Vec<u8>,
    first: usize,
    from: &mut Unpacker<'_>,
) -> Result<(), Damaged> {
    let last = from.take::<usize>()?;
    let count = from.count()?;
    let between = from.raw(count)?;
    let Some(end) = says.len().checked_sub(last).filter(|&end| first <= end) else {
        return from.damaged("difference");
    };
    says.splice(first..end, between.iter().copied());
    Ok(())
}
