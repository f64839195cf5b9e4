//! What others tell, told anew or taken back, and what all share.
//!
//! In:   a fact that was told, as it is now; or what no longer counts.
//! Out:  one fact in place of the older one; or none.
//! Cost: a walk over the facts of the kind.

use super::{FactRef, Memory};
use crate::fact::{Attribute, FactDraft, Sort, attributes_of, mask_of};
use crate::time::Tick;
use crate::words::Word;

/// What makes two tellings be about the same.
const SAME: [Attribute; 2] = [Attribute::Object, Attribute::Index];

impl Memory {
    /// Remembers a fact in place of the one of the same kind, writer, `object` and `index`. What
    /// the new one does not mention is gone; a fact that says the same is only made younger.
    pub fn retell(&mut self, draft: &FactDraft, writer: Word, now: Tick, keep: Tick) {
        let known = self.known(draft, &SAME, writer);
        let stale = known.filter(|fact| fact.says_more_than(draft)).map(FactRef::id);
        if let Some(stale) = stale {
            self.remove(stale);
        }
        self.put(draft, &SAME, writer, now, keep);
    }

    /// Forgets the facts of this kind and writer that agree in all attributes that `like` has;
    /// says how many.
    pub fn unsay(&mut self, like: &FactDraft, writer: Word) -> usize {
        self.note_wrong(like);
        let said = mask_of(&like.attributes);
        self.remove_if(|fact| {
            fact.kind() == like.kind
                && fact.writer() == writer
                && fact.agrees(like, attributes_of(said))
        })
    }

    /// Brings the fact of the same kind that agrees in all words and things up to date, or adds
    /// one: an NPC that calls out twice has not seen two.
    pub(crate) fn share(&mut self, fact: &FactDraft, writer: Word, now: Tick, keep: Tick) {
        let mut same = [Attribute::Position; Attribute::ALL.len()];
        let mut n = 0;
        for attribute in attributes_of(mask_of(&fact.attributes)) {
            if matches!(attribute.sort(), Sort::Word | Sort::Entity) {
                same[n] = attribute;
                n += 1;
            }
        }
        self.put(fact, &same[..n], writer, now, keep);
    }
}
