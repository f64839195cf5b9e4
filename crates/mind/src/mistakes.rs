//! Mistakes of the game's code: an unknown word, a value that an attribute cannot have.
//!
//! In:   what sensors and behaviours ask for and write, call by call.
//! Out:  a list of [`Mistake`]s, each once with how often it was made, and an event each time.
//! Cost: nothing while there are none; then text is allocated.
//!
//! What can be known before anything runs is refused by [`Minds::new`](crate::Minds::new): names
//! without use, words that are [expected](crate::Body::expects). The rest shows itself when
//! the code runs. Nothing stops then, but nothing is silent either. Mistakes are about the code,
//! not about minds: they are neither saved nor recorded.

use crate::events::{Event, EventKind};
use crate::fact::{Attribute, FactDraft, Sort, attributes_of};
use crate::memory::Memory;
use crate::orders::MindId;
use crate::spec::Spec;
use crate::time::Tick;
use crate::words::{UnknownWordError, Word};
use std::cell::RefCell;
use std::fmt;

/// So many are kept apart; code that makes up words as it goes could make any number.
const MOST: usize = 256;

/// What the code did wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Misuse {
    /// It asked for a word that neither the file nor [`Body::words`](crate::Body::words) has, and
    /// was given [`Word::NONE`].
    Word(UnknownWordError),
    /// It gave an attribute of a fact a value of another sort, or one that is no number. The fact
    /// is without it.
    Attribute {
        /// The kind of the fact; empty if it is unknown.
        fact: String,
        /// The attribute.
        attribute: Attribute,
    },
    /// It asked for a parameter, by number, that the action does not have.
    Parameter(usize),
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misuse::Word(unknown) => write!(f, "{unknown}"),
            Misuse::Attribute { fact, attribute } => {
                let takes = match attribute.sort() {
                    Sort::Position => "a place, of finite numbers",
                    Sort::Word => "a word",
                    Sort::Entity => "a handle",
                    Sort::Number => "a finite number",
                };
                let name = attribute.name();
                let fact = if fact.is_empty() { "of no known kind" } else { &format!("`{fact}`") };
                write!(f, "`{name}` of the fact {fact} takes {takes}; what it got is left out")
            }
            Misuse::Parameter(at) => write!(f, "the action has no parameter {at}"),
        }
    }
}

/// A mistake of the game's code.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Mistake {
    /// The code: the sensor or behaviour; `Minds::tell` or `Minds::share` for what the game
    /// says itself.
    pub by: String,
    /// The mistake.
    pub what: Misuse,
    /// The tick in which it was first made.
    pub at: Tick,
    /// The mind in which it was; `None`: in none.
    pub mind: Option<MindId>,
    /// How often it was made.
    pub times: u64,
}

throng_base::display! { Mistake {
    Self { by, what, at, mind, times } => "the code of `{by}`: {what} (first at tick {at}{}{})",
        mind.map(|mind| format!(" in mind {mind}")).unwrap_or_default(),
        if *times == 1 { String::new() } else { format!(", {times} times so far") };
} }

/// All mistakes so far, each once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mistakes {
    pub(crate) all: Vec<Mistake>,
}

impl Mistakes {
    /// Counts a mistake that is known, or adds it with the nearest word.
    pub(crate) fn add(&mut self, mut mistake: Mistake, spec: &Spec) {
        let is_it = |known: &&mut Mistake| {
            known.by == mistake.by
                && match (&known.what, &mistake.what) {
                    (Misuse::Word(known), Misuse::Word(unknown)) => known.word == unknown.word,
                    (known, other) => known == other,
                }
        };
        if let Some(known) = self.all.iter_mut().find(is_it) {
            known.times += 1;
        } else if self.all.len() < MOST {
            if let Misuse::Word(unknown) = &mut mistake.what {
                *unknown = UnknownWordError::of(&unknown.word, &spec.words);
            }
            self.all.push(mistake);
        }
    }
}

/// Mistakes of one call, noted while the code has all else in hand.
#[derive(Default)]
pub(crate) struct Noted(RefCell<Vec<Misuse>>);

impl Noted {
    pub(crate) fn add(&self, misuse: Misuse) {
        self.0.borrow_mut().push(misuse);
    }

    /// A word, or none and a note.
    pub(crate) fn word(&self, spec: &Spec, text: &str) -> Word {
        spec.words.find(text).unwrap_or_else(|| {
            self.add(Misuse::Word(UnknownWordError { word: text.to_string(), nearest: None }));
            Word::NONE
        })
    }

    /// Notes the attributes that a fact could not take, once: its marks are cleared.
    #[inline]
    pub(crate) fn fact(&self, spec: &Spec, fact: &mut FactDraft) {
        if fact.wrong != 0 {
            self.attributes(spec, fact.kind, std::mem::take(&mut fact.wrong));
        }
    }

    /// Notes what was written into a memory and could not be.
    #[inline]
    pub(crate) fn memory(&self, spec: &Spec, memory: &mut Memory) {
        if let Some((kind, wrong)) = memory.wrong.take() {
            self.attributes(spec, kind, wrong);
        }
    }

    fn attributes(&self, spec: &Spec, kind: Word, wrong: u16) {
        for attribute in attributes_of(wrong) {
            self.add(Misuse::Attribute { fact: spec.words.text(kind).to_string(), attribute });
        }
    }

    /// Puts what was noted of a call on its way: an event, if there is anything, and the mistakes.
    #[inline]
    pub(crate) fn send(
        self,
        by: Word,
        spec: &Spec,
        (at, mind): (Tick, MindId),
        events: &mut Vec<Event>,
        mistakes: &mut Vec<Mistake>,
    ) {
        if self.0.borrow().is_empty() {
            return;
        }
        events.push(Event { at, mind, what: EventKind::Mistake(by) });
        mistakes.extend(self.of_the_game(spec.words.text(by), at, Some(mind)));
    }

    /// The mistakes of what the game says itself.
    pub(crate) fn of_the_game(self, by: &str, at: Tick, mind: Option<MindId>) -> Vec<Mistake> {
        let noted = self.0.into_inner().into_iter();
        noted.map(|what| Mistake { by: by.to_string(), what, at, mind, times: 1 }).collect()
    }
}
