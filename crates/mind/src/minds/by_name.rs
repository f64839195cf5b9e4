//! Minds asked by name, and told in words: for the edges of a game, its log and its debugger.
//!
//! In:   minds, an event of theirs, a word of their file, an id.
//! Out:  an id for a name, a name for an id, a sentence for an event, an inspection for a mind.
//! Cost: look-ups by text, and text is allocated; names are best asked for once, at load.

use super::Minds;
use crate::events::{Event, EventKind};
use crate::inspect::{EmptyReason, EventText, Inspection, key_name};
use crate::mistakes::Mistake;
use crate::orders::MindId;
use crate::spec::{SelectSpec, Spec};
use crate::words::{UnknownWordError, Word};
use throng_domain::compile::{DomainId, UnknownNameError};
use throng_domain::model::VariableId;

/// Why a call of [`Minds`] did nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MindError {
    /// There is no such mind: it has ended, or never was.
    NoMind(MindId),
    /// The domain has nothing of this name, or the id is of another domain.
    UnknownName(Box<UnknownNameError>),
    /// The variable is no amount: it has words, or a list of values.
    NoAmount(VariableId),
    /// A number is not in the range of the amount, which is this.
    OutOfRange {
        /// The number.
        number: i64,
        /// The least and the greatest that it can be.
        range: (i64, i64),
    },
    /// A position has a number that is not finite.
    NotFinite,
    /// What enters these minds is recorded already, for another caller.
    Recorded,
}

throng_base::error! { MindError {
    Self::NoMind(id) => "there is no mind {id}: it has ended, or never was";
    Self::UnknownName(unknown) => "{unknown}";
    Self::NoAmount(_) => "the variable is no amount, as `var hp: 0..100` is; use `set_fact`";
    Self::OutOfRange { number, range: (low, high) } =>
        "{number} is out of the range {low}..{high} of the amount; clamp it first";
    Self::NotFinite => "a position needs finite numbers";
    Self::Recorded => "these minds are recorded already";
} source {
    Self::UnknownName(unknown) => &**unknown;
} }

impl From<UnknownNameError> for MindError {
    fn from(unknown: UnknownNameError) -> MindError {
        MindError::UnknownName(Box::new(unknown))
    }
}

/// An id that has a name: of a type, an action, a goal, a check, a variable, or a word. Calls of
/// [`Minds`] that want an id take it, or its name; for a fact the names of variable and value.
///
/// ```
/// # use throng_domain::{Format, Limits, load, formats::no_includes};
/// # use throng_planner::PreparedDomain;
/// # use throng_mind::{Minds, body::Body, fact::EntityId, spec::Spec, time::Pace};
/// # let text = "domain d\nvar x: a, b\naction go: x a -> b\ngoal g: x = b\nnpc n\n can go\n wants g\n starts x = a";
/// # let loaded = load("d.npc", text, Format::Npc, &Limits::default(), &throng_mind::notes::WORDS, &mut no_includes);
/// # let model = loaded.model.unwrap();
/// # let domain = std::sync::Arc::new(PreparedDomain::new(&model));
/// # let spec = Spec::read(&model, domain, Pace { ticks_per_second: 10 }).unwrap();
/// # let mut minds = Minds::<()>::new(spec, Body::new(), 1).unwrap();
/// let id = minds.spawn("n", EntityId(1)).unwrap();
/// let npc = minds.mind(id).unwrap().npc();
/// assert_eq!(minds.name(npc), Some("n"));
/// assert!(minds.spawn(npc, EntityId(2)).is_ok());
/// minds.set_fact(id, ("x", "b")).unwrap();
/// let error = minds.spawn("m", EntityId(3)).unwrap_err();
/// assert_eq!(error.to_string(), "unknown NPC type `m`; known are: n");
/// ```
pub trait NamedId {
    /// Its name; `None` if it is of another domain.
    fn name(self, spec: &Spec) -> Option<&str>;
}

impl<Id: DomainId> NamedId for Id {
    fn name(self, spec: &Spec) -> Option<&str> {
        spec.domain.map().name(self)
    }
}

impl NamedId for Word {
    fn name(self, spec: &Spec) -> Option<&str> {
        spec.words.texts.get(self.0 as usize).map(String::as_str)
    }
}

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

    /// The name of an id or word; `None` if it is of another domain.
    pub fn name(&self, id: impl NamedId) -> Option<&str> {
        id.name(self.spec())
    }

    /// The mistakes that the game's code made so far, each once: unknown words, attributes of the
    /// wrong sort. Empty is right: look here after each tick, or in a test at the end. The first
    /// 256 are kept; [`EventKind::Mistake`] tells when one is made.
    pub fn mistakes(&self) -> &[Mistake] {
        &self.mistakes.all
    }

    /// All that a mind believes, wants and does now, and why; `None` if it has ended.
    pub fn inspect(&self, id: MindId) -> Option<Inspection> {
        let (mind, spec) = (self.mind(id)?, self.spec());
        let own = self.claims().iter().filter(|claim| claim.mind == id);
        let claims = own.map(|claim| key_name(spec, Some(mind), claim.key)).collect();
        let mut seen = Inspection { claims, ..mind.inspect(spec, self.now()) };
        for (at, pick) in seen.picks.iter_mut().enumerate().filter(|(_, it)| it.holds.is_none()) {
            let of = |select: &&SelectSpec| select.slots.contains(&(at as u16));
            let select = spec.selects.iter().find(of).map(|select| select.select);
            let empty = select.and_then(|select| self.why_empty(id, select));
            pick.why = empty.map_or("there is no other candidate", EmptyReason::words);
        }
        Some(seen)
    }

    /// An event of the last tick, in words, without its mind and its tick.
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
