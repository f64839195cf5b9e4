//! The tape: all that enters minds, written down where it enters, and played back there.
//!
//! In:   the calls of [`Minds`](crate::Minds), and after each call of the game's code what that
//!       did: facts, orders, shares, a place, a number, an answer.
//! Out:  [`Entries`] of a tick; or, from such entries, the same tick again without the game.
//! Cost: off, one branch per call; on, a few bytes per call and no allocation once warm.
//!
//! Minds follow from what enters them, so nothing else is written: no state, no events, no plans.
//! Each group of minds has a tape of its own and they are joined in the order of the groups, so
//! the bytes are the same for any number of threads.

mod answers;
mod call;
mod divergence;
mod output;

pub(crate) use answers::{LOST, Moment, WHAT_IS_LOST};
pub use call::{Deed, MindCall};
pub use divergence::{Divergence, Wrong};
pub(crate) use output::OutputDigest;

use crate::memory::Journal;
use crate::orders::MindId;
use crate::time::Tick;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use throng_base::codec::Encoder;

/// Minds stop writing above this: more than a caller that takes the entries lets come together.
const MOST_ENTRIES: usize = 1 << 22;
const MOST_BYTES: usize = 1 << 27;

/// In the place of a mind, of entries that are about none.
pub(crate) const NO_MIND: MindId = MindId(0);

/// Where one entry begins and whose it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Mark {
    mind: u32,
    call: u32,
    start: u32,
}

/// What entered minds, in order. What an entry says is understood by
/// [`Minds::replay`](crate::Minds::replay) alone.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Entries {
    marks: Vec<Mark>,
    to: Encoder,
}

impl Entries {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.marks.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// What all of them say together, one after the other.
    pub fn bytes(&self) -> &[u8] {
        &self.to.bytes
    }

    /// One by one: the number of the mind, the [`MindCall`] as a number, and what the entry says.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32, &[u8])> {
        (0..self.marks.len()).map(|at| self.entry(at))
    }

    /// The calls alone, as numbers.
    pub fn calls(&self) -> impl Iterator<Item = u32> {
        self.marks.iter().map(|mark| mark.call)
    }

    /// Adds one.
    pub fn push(&mut self, mind: u32, call: u32, says: &[u8]) {
        self.marks.push(Mark { mind, call, start: self.to.bytes.len() as u32 });
        self.to.bytes.extend_from_slice(says);
    }

    /// Forgets all of them, and keeps the room.
    pub fn clear(&mut self) {
        self.marks.clear();
        self.to.bytes.clear();
    }

    pub(crate) fn entry(&self, at: usize) -> (u32, u32, &[u8]) {
        let Mark { mind, call, start } = self.marks[at];
        let end = self.marks.get(at + 1).map_or(self.to.bytes.len(), |next| next.start as usize);
        (mind, call, &self.to.bytes[start as usize..end])
    }

    /// Takes over all of another.
    pub(crate) fn append(&mut self, from: &mut Entries) {
        let offset = self.to.bytes.len() as u32;
        let moved = |mark: Mark| Mark { start: mark.start + offset, ..mark };
        self.marks.extend(from.marks.drain(..).map(moved));
        self.to.bytes.append(&mut from.to.bytes);
    }
}

/// The tape of minds, or of a group of them.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) enum Tape {
    /// Nothing is written; the game's code answers.
    #[default]
    Off,
    /// What the game's code does is written down.
    Writing(Box<Writing>),
    /// The tape answers in place of the game's code.
    Reading(Box<Reading>),
}

impl Tape {
    pub(crate) fn is_on(&self) -> bool {
        !matches!(self, Tape::Off)
    }

    /// Writes down a call of minds, if calls are written down; `says` adds what it brought.
    #[inline]
    pub(crate) fn door(&mut self, mind: MindId, call: MindCall, says: impl FnOnce(&mut Encoder)) {
        if let Tape::Writing(to) = self {
            says(to.begin(mind, call));
            self.stop_if_too_long();
        }
    }

    /// If no caller takes the entries they must not fill the memory.
    pub(crate) fn stop_if_too_long(&mut self) {
        if let Tape::Writing(to) = self
            && (to.entries.len() > MOST_ENTRIES || to.entries.bytes().len() > MOST_BYTES)
        {
            *self = Tape::Off;
        }
    }
}

/// What was written so far.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Writing {
    pub(crate) entries: Entries,
    /// Kept for the next call.
    journal: Option<Box<Journal>>,
}

impl Writing {
    /// Begins an entry; what it says is to follow.
    #[inline]
    pub(crate) fn begin(&mut self, mind: MindId, call: MindCall) -> &mut Encoder {
        let Entries { marks, to } = &mut self.entries;
        marks.push(Mark { mind: mind.0, call: call.number(), start: to.bytes.len() as u32 });
        to
    }

    /// The bytes so far, for the memory that the game's code has in hand to add to.
    pub(crate) fn lend(&mut self, now: Tick) -> Box<Journal> {
        let mut journal = self.journal.take().unwrap_or_default();
        journal.now = now;
        std::mem::swap(&mut journal.to, &mut self.entries.to);
        journal
    }

    /// Takes the bytes back. `None`: the code has put another memory into the place of the mind's,
    /// and what was written is gone with that; only the last entry is there, and says nothing.
    pub(crate) fn take_back(&mut self, journal: Option<Box<Journal>>) -> &mut Encoder {
        match journal {
            Some(mut journal) => {
                std::mem::swap(&mut journal.to, &mut self.entries.to);
                self.journal = Some(journal);
            }
            None => {
                let last = self.entries.marks.pop();
                self.entries.clear();
                self.entries.marks.extend(last.map(|mark| Mark { start: 0, ..mark }));
                self.entries.to.bytes.push(0);
            }
        }
        &mut self.entries.to
    }
}

/// Answers that are still to be given.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Reading {
    pub(crate) entries: Arc<Entries>,
    /// By mind: positions of its answers.
    pub(crate) left: HashMap<u32, VecDeque<u32>>,
    /// The first call that had no answer.
    pub(crate) wrong: Option<Divergence>,
    /// How many words there are: answers know no others.
    pub(crate) words: u32,
}

impl Reading {
    /// The answers of some of the entries.
    pub(crate) fn of(entries: &Arc<Entries>, from: usize, to: usize, words: u32) -> Self {
        let mut left: HashMap<u32, VecDeque<u32>> = HashMap::new();
        for at in from..to {
            left.entry(entries.marks[at].mind).or_default().push_back(at as u32);
        }
        Reading { entries: Arc::clone(entries), left, wrong: None, words }
    }

    /// Moves the answers of some minds to a tape of their own.
    pub(crate) fn part(&mut self, minds: impl Iterator<Item = u32>) -> Reading {
        let left = minds.filter_map(|mind| self.left.remove_entry(&mind)).collect();
        Reading { entries: Arc::clone(&self.entries), left, wrong: None, words: self.words }
    }

    /// The first thing that is wrong counts: what comes later may follow from it.
    pub(crate) fn diverged(&mut self, tick: Tick, mind: Option<MindId>, wrong: Wrong) {
        self.wrong.get_or_insert(Divergence { tick, mind, npc: None, wrong });
    }

    /// What is wrong when all calls were made.
    pub(crate) fn end(mut self, now: Tick) -> Option<Divergence> {
        if self.wrong.is_none() {
            let first = self.left.values().filter_map(VecDeque::front).min();
            if let Some(&at) = first {
                let (mind, number, _) = self.entries.entry(at as usize);
                let wrong = MindCall::of(number).map_or(Wrong::Unknown(number), Wrong::NotAsked);
                self.diverged(now, Some(MindId(mind)), wrong);
            }
        }
        self.wrong
    }
}
