//! A tape being written.
//!
//! In:   calls of minds, and what the game's code did in a call.
//! Out:  entries.
//! Cost: a few bytes per call; the room is kept from tick to tick.

use super::{Entries, Mark, MindCall};
use crate::memory::Journal;
use crate::orders::MindId;
use crate::time::Tick;
use throng_base::codec::Encoder;

/// What was written so far.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Writing {
    pub(crate) entries: Entries,
    /// Kept for the next call.
    journal: Option<Box<Journal>>,
}

impl Writing {
    /// Begins an entry; what it says is to follow.
    pub(crate) fn begin(&mut self, mind: MindId, call: MindCall) -> &mut Encoder {
        let start = self.entries.to.bytes.len() as u32;
        self.entries.marks.push(Mark { mind: mind.0, call: call.number(), start });
        &mut self.entries.to
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
