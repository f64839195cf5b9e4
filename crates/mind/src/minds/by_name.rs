//! Minds asked by name, and told in words: for the edges of a game, its log and its debugger.
//!
//! In:   minds, an event of theirs, a word of their file.
//! Out:  a number for a name, a sentence for an event, an inspection for a mind.
//! Cost: look-ups by text, and text is allocated; names are best asked for once, at load.

use super::Minds;
use crate::events::{Event, EventKind};
use crate::inspect::{EventText, Inspection};
use crate::mistakes::Mistake;
use crate::orders::MindId;
use crate::words::{UnknownWordError, Word};

impl<W: ?Sized + Sync> Minds<W> {
    /// The number of a word, for stimuli, facts and orders. A [`reload`](Minds::reload) may give
    /// it another number.
    ///
    /// # Errors
    ///
    /// Neither the file nor the code has named it.
    pub fn word(&self, text: &str) -> Result<Word, UnknownWordError> {
        let spec = self.spec();
        spec.words.find(text).ok_or_else(|| UnknownWordError::of(text, &spec.words))
    }

    /// The mistakes that the game's code made so far, each once: words that nobody knows,
    /// attributes of the wrong sort. Empty is right: look here after each tick, or in a test at the
    /// end. The first 256 are kept; [`EventKind::Mistake`] tells when one is made.
    pub fn mistakes(&self) -> &[Mistake] {
        self.mistakes.all()
    }

    /// All that a mind believes, wants and does now, and why; `None` if it has ended.
    pub fn inspect(&self, id: MindId) -> Option<Inspection> {
        Some(self.mind(id)?.inspect(self.spec(), self.now()))
    }

    /// An event of the last tick, in words; who and when is not said.
    pub fn describe(&self, event: &Event) -> String {
        let mut told = EventText::of(event.what, self.spec(), self.mind(event.mind), event.at);
        if let EventKind::Mistake(by) = event.what {
            let by = self.spec().words.text(by);
            let its = self.mistakes().iter().filter(|mistake| mistake.by == by);
            let its: Vec<String> = its.map(|mistake| mistake.what.to_string()).collect();
            told.why = Some(its.join("; "));
        }
        told.to_string()
    }
}
