//! What the game tells minds between two ticks: messages, places, values, what all know.
//!
//! In:   a mind's number and what is so.
//! Out:  the mind knows, and wakes if that matters; a recording knows too.
//! Cost: one look-up. What does not fit is ignored.

use super::Minds;
use crate::fact::{FactDraft, Position};
use crate::memory::Memory;
use crate::mistakes::Noted;
use crate::orders::{Message, MindId};
use crate::shared::share;
use crate::time::Tick;
use throng_domain::compile::PackedValue;
use throng_domain::model::{CheckId, Fact};

impl<W: ?Sized + Sync> Minds<W> {
    /// Puts a message into a mind's inbox; `false` if there is no such mind. A stimulus that none of
    /// its sensors runs on goes by: it does not even wake the mind.
    pub fn tell(&mut self, id: MindId, message: impl Into<Message>) -> bool {
        let Some((group, at)) = self.places.get(&id).copied() else { return false };
        let mut message = message.into();
        if let Message::Told(fact) | Message::Retold(fact) | Message::Untold(fact) = &mut message {
            self.take_wrong(fact, "Minds::tell", Some(id));
        }
        let mind = &mut self.groups[group as usize].minds[at as usize];
        if let Message::Stimulus(stimulus) = &message
            && !mind.senses.hears(&self.spec, stimulus.kind)
        {
            return true;
        }
        self.tape.tell(id, &message);
        mind.inbox.push(message);
        true
    }

    /// Says where a mind is; sensors may do so too. What is no place is ignored.
    pub fn set_place(&mut self, id: MindId, here: Position) {
        if let Some(mind) = self.mind_mut(id)
            && mind.here != here
            && here.iter().all(|at| at.is_finite())
        {
            mind.here = here;
            mind.wake = 0;
            self.tape.place(id, &here);
        }
    }

    /// Gives a variable a value; if a `symbol` rule speaks of it, that has the last word. A fact of
    /// another domain that does not fit is ignored; one that holds already changes nothing.
    pub fn set_fact(&mut self, id: MindId, fact: Fact) {
        let fits = self.spec.domain.map().has_fact(fact);
        if let Some(mind) = self.mind_mut(id).filter(|_| fits) {
            mind.state.set(fact.variable, fact.value.index() as PackedValue);
            mind.wake_if_changed();
            self.tape.fact(id, fact);
        }
    }

    /// Answers a check, from now on in place of the file's rule. A check of another domain that
    /// does not fit is ignored.
    pub fn set_check(&mut self, id: MindId, check: CheckId, holds: bool) {
        let fits = check.index() < self.spec.domain.map().n_checks();
        if let Some(mind) = self.mind_mut(id).filter(|_| fits) {
            mind.state.tell_check(check, holds);
            mind.wake_if_changed();
            self.tape.check(id, check, holds);
        }
    }

    /// What all minds know.
    pub fn shared(&self) -> &Memory {
        &self.shared
    }

    /// Adds to what all minds know, for so many ticks. A fact of the same kind that agrees in all
    /// words and things is brought up to date instead.
    pub fn share(&mut self, fact: &FactDraft, keep: Tick) {
        let mut fact = *fact;
        self.take_wrong(&mut fact, "Minds::share", None);
        self.tape.share(&fact, keep);
        share(&mut self.shared, &fact, self.spec.told, self.now, keep);
    }

    /// Notes what a fact was given and cannot have.
    fn take_wrong(&mut self, fact: &mut FactDraft, by: &str, mind: Option<MindId>) {
        let noted = Noted::default();
        noted.fact(&self.spec, fact);
        for mistake in noted.of_the_game(by, self.now, mind) {
            self.mistakes.add(mistake, &self.spec);
        }
    }
}
