//! Minds asked by name, and told in words: for the edges of a game, its log and its debugger.
//!
//! In:   minds, an event of theirs, a word of their file.
//! Out:  a number for a name, a sentence for an event, an inspection for a mind.
//! Cost: look-ups by text, and text is allocated; names are best asked for once, at load.

use crate::body::Ending;
use crate::events::{Event, What};
use crate::inspect::{Inspection, cause_words, doing_words, ending_words};
use crate::minds::Minds;
use crate::orders::MindId;
use crate::words::Word;
use std::fmt;
use throng_domain::diagnostics::Nearest;

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
        match &self.nearest {
            Some(nearest) => write!(f, "; did you mean `{nearest}`?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for UnknownWord {}

impl<W: ?Sized + Sync> Minds<W> {
    /// The number of a word, for stimuli, facts and orders. A [`reload`](Minds::reload) may give
    /// it another number.
    ///
    /// # Errors
    ///
    /// Neither the file nor the code has named it.
    pub fn word(&self, text: &str) -> Result<Word, UnknownWord> {
        let words = &self.spec().words;
        words.find(text).ok_or_else(|| {
            let nearest = Nearest::of(text, words.iter()).map(str::to_string);
            UnknownWord { word: text.to_string(), nearest }
        })
    }

    /// All that a mind believes, wants and does now, and why; `None` if it has ended.
    pub fn inspect(&self, id: MindId) -> Option<Inspection> {
        Some(self.mind(id)?.inspect(self.spec(), self.now()))
    }

    /// An event of the last tick, in words; who and when is not said.
    pub fn in_words(&self, event: &Event) -> String {
        let spec = self.spec();
        let map = spec.domain.map();
        match event.what {
            What::Goal(Some(goal)) => format!("wants {}", map.goal(goal)),
            What::Goal(None) => "wants nothing".to_string(),
            What::Planned { cause, .. } => {
                let steps = self.mind(event.mind).map_or(&[][..], |mind| mind.plan().steps());
                let names: Vec<&str> = steps.iter().map(|&action| map.action(action)).collect();
                format!("plans {}: {}", names.join(", "), cause_words(cause))
            }
            What::NoPlan(cause) => match self.mind(event.mind) {
                Some(mind) => mind.why(spec, event.at),
                None => format!("no plan: {}", cause_words(cause)),
            },
            What::Started { doing, kind, .. } => {
                let kind = kind.map(|kind| format!(" as {}", spec.words.text(kind)));
                format!("starts {}{}", doing_words(spec, doing), kind.unwrap_or_default())
            }
            What::Ended { doing, how, .. } => match how {
                Ending::Done => format!("has done {}", doing_words(spec, doing)),
                Ending::Cancelled => format!("gives up {}", doing_words(spec, doing)),
                Ending::Failed(_) => {
                    format!("{} {}", doing_words(spec, doing), ending_words(spec, how))
                }
            },
            What::Skipped(action) => format!("need not do {}", map.action(action)),
            What::NoEffect(action) => format!("sees no effect of {}", map.action(action)),
            What::Doubted(action) => format!("doubts {}", map.action(action)),
            What::Learnt(action) => format!("learns {}", map.action(action)),
            What::Heavy(sensor) => {
                let sensor = spec.sensors.get(usize::from(sensor));
                let name = sensor.map_or("", |sensor| spec.words.text(sensor.name));
                format!("looks hard with {name}")
            }
        }
    }
}
