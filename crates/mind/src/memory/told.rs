//! What others tell, told anew or taken back.
//!
//! In:   a fact that was told, as it is now; or what no longer counts.
//! Out:  one fact in place of the older one; or none.
//! Cost: a walk over the facts of the kind.

use super::{FactRef, Memory};
use crate::fact::{Attribute, FactDraft};
use crate::time::Tick;
use crate::words::Word;

/// What makes two tellings be about the same.
const SAME: [Attribute; 2] = [Attribute::Object, Attribute::Index];

impl Memory {
    /// Remembers a fact in place of the one of the same kind, writer, `object` and `index`. What
    /// the new one does not mention is gone; a fact that says the same is only made younger.
    pub fn retell(&mut self, draft: &FactDraft, writer: Word, now: Tick, keep: Tick) {
        let wanted = |at: Attribute| draft.attributes[at as usize].map(|(value, _)| value);
        let value = |fact: FactRef<'_>, at: Attribute| fact.get(at).map(|(value, _)| value);
        let is_it = |fact: &FactRef<'_>| {
            fact.writer() == writer && SAME.iter().all(|&at| value(*fact, at) == wanted(at))
        };
        let known = self.of_kind(draft.kind).find(is_it);
        let says_more = |fact: FactRef<'_>| {
            Attribute::ALL.into_iter().any(|at| fact.get(at).is_some() && wanted(at).is_none())
        };
        let stale = known.filter(|&fact| says_more(fact)).map(FactRef::id);
        if let Some(stale) = stale {
            self.remove(stale);
        }
        self.put(draft, &SAME, writer, now, keep);
    }

    /// Forgets the facts of this kind and writer that agree in all attributes that `like` has;
    /// says how many.
    pub fn unsay(&mut self, like: &FactDraft, writer: Word) -> usize {
        self.note_wrong(like);
        self.remove_if(|fact| {
            let agrees = |at: Attribute| {
                let wanted = like.attributes[at as usize].map(|(value, _)| value);
                wanted.is_none_or(|wanted| fact.get(at).map(|(value, _)| value) == Some(wanted))
            };
            fact.kind() == like.kind
                && fact.writer() == writer
                && Attribute::ALL.into_iter().all(agrees)
        })
    }
}
