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
    /// Remembers a fact in place of the one of the same kind, writer, `object` and `index`; one that
    /// has neither, in place of the one that agrees in place, words and things but in who told it. What
    /// the new one does not mention is gone; a fact that says the same is only made younger. What
    /// others wrote of the same object, less surely where it is, is gone too: it was older.
    pub fn retell(&mut self, draft: &FactDraft, writer: Word, now: Tick, keep: Tick) {
        if SAME.iter().all(|&at| draft.attributes[at as usize].is_none()) {
            let counts = |it: Attribute| it != Attribute::Source && it.sort() != Sort::Number;
            return self.put_like(draft, counts, writer, now, keep);
        }
        let known = self.known(draft, &SAME, writer);
        let stale = known.filter(|fact| fact.says_more_than(draft)).map(FactRef::id);
        if let Some(stale) = stale {
            self.remove(stale);
        }
        if let Some((_, sure)) = draft.attributes[Attribute::Position as usize]
            && draft.attributes[Attribute::Object as usize].is_some()
        {
            let is_less = |fact: FactRef<'_>| fact.sure(Attribute::Position) < sure;
            self.remove_if(|fact| {
                fact.kind() == draft.kind
                    && fact.writer() != writer
                    && fact.has(Attribute::Position)
                    && fact.agrees(draft, [Attribute::Object])
                    && is_less(fact)
            });
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
        let counts = |it: Attribute| matches!(it.sort(), Sort::Word | Sort::Entity);
        self.put_like(fact, counts, writer, now, keep);
    }

    /// Puts a fact in place of the one that agrees in those of its attributes that count.
    fn put_like(
        &mut self,
        fact: &FactDraft,
        counts: impl Fn(Attribute) -> bool,
        writer: Word,
        now: Tick,
        keep: Tick,
    ) {
        let mut same = [Attribute::Position; Attribute::ALL.len()];
        let mut n = 0;
        for attribute in attributes_of(mask_of(&fact.attributes)) {
            if counts(attribute) {
                same[n] = attribute;
                n += 1;
            }
        }
        self.put(fact, &same[..n], writer, now, keep);
    }
}
