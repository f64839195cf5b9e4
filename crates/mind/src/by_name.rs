//! Minds asked by name, and told in words: for the edges of a game, its log and its debugger.
//!
//! In:   minds, an event of theirs, a word of their file.
//! Out:  a number for a name, a sentence for an event, an inspection for a mind.
//! Cost: look-ups by text, and text is allocated; names are best asked for once, at load.

use crate::events::{Event, What};
use crate::inspect::{Inspection, Told};
use crate::minds::Minds;
use crate::mistakes::Mistake;
use crate::orders::MindId;
use crate::spec::Spec;
use crate::words::Word;
use std::fmt;
use throng_base::{DidYouMean, nearest};

/// A word that neither the file nor the code has named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownWord {
    /// As it was asked for.
    pub word: String,
    /// The nearest one that is known.
    pub nearest: Option<String>,
}

impl fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "neither the file nor `Body::words` has the word `{}`", self.word)?;
        DidYouMean(self.nearest.as_deref()).fmt(f)
    }
}

impl std::error::Error for UnknownWord {}

impl UnknownWord {
    pub(crate) fn of(text: &str, spec: &Spec) -> UnknownWord {
        let nearest = nearest(text, spec.words.iter()).map(str::to_string);
        UnknownWord { word: text.to_string(), nearest }
    }
}

impl<W: ?Sized + Sync> Minds<W> {
    /// The number of a word, for stimuli, facts and orders. A [`reload`](Minds::reload) may give
    /// it another number.
    ///
    /// # Errors
    ///
    /// Neither the file nor the code has named it.
    pub fn word(&self, text: &str) -> Result<Word, UnknownWord> {
        let spec = self.spec();
        spec.words.find(text).ok_or_else(|| UnknownWord::of(text, spec))
    }

    /// The mistakes that the game's code made so far, each once: words that nobody knows,
    /// attributes of the wrong sort. Empty is right: look here after each tick, or in a test at the
    /// end. The first 256 are kept; [`What::Mistake`] tells when one is made.
    pub fn mistakes(&self) -> &[Mistake] {
        self.mistakes.all()
    }

    /// All that a mind believes, wants and does now, and why; `None` if it has ended.
    pub fn inspect(&self, id: MindId) -> Option<Inspection> {
        Some(self.mind(id)?.inspect(self.spec(), self.now()))
    }

    /// An event of the last tick, in words; who and when is not said.
    pub fn in_words(&self, event: &Event) -> String {
        let mut told = Told::of(event.what, self.spec(), self.mind(event.mind), event.at);
        if let What::Mistake(by) = event.what {
            let by = self.spec().words.text(by);
            let its = self.mistakes().iter().filter(|mistake| mistake.by == by);
            let its: Vec<String> = its.map(|mistake| mistake.what.to_string()).collect();
            told.why = Some(its.join("; "));
        }
        told.to_string()
    }
}
