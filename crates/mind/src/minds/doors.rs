//! What the game tells minds between two ticks: messages, positions, values, what all know.
//!
//! In:   a mind's id and what is so.
//! Out:  the mind knows, and wakes if that matters; a recording knows too.
//! Cost: one look-up.

use super::{MindError, Minds};
use crate::fact::{FactDraft, Position};
use crate::inspect::{EmptyReason, WhyPicked};
use crate::mistakes::Noted;
use crate::orders::{Message, MindId};
use crate::select::{Claim, Key};
use crate::tape::{MindCall, NO_MIND};
use crate::time::Tick;
use crate::words::Word;
use std::sync::Arc;
use throng_domain::compile::{IdOrName, PackedValue, UNKNOWN, UnknownNameError};
use throng_domain::model::{CheckId, Fact, SelectId, ValueId, VariableId};

impl<W: ?Sized + Sync> Minds<W> {
    /// Puts a message into a mind's inbox. A stimulus that none of its sensors runs on goes by: it
    /// does not even wake the mind.
    ///
    /// # Errors
    ///
    /// There is no such mind.
    pub fn tell(&mut self, id: MindId, message: impl Into<Message>) -> Result<(), MindError> {
        let (group, at) = *self.places.get(&id).ok_or(MindError::NoMind(id))?;
        let mut message = message.into();
        if let Message::Told(fact) | Message::Retold(fact) | Message::Untold(fact) = &mut message {
            self.take_wrong(fact, "Minds::tell", Some(id));
        }
        let mind = &mut self.groups[group as usize].minds[at as usize];
        let mut about = 0;
        if let Message::Stimulus(stimulus) = &message {
            if !mind.senses.hears(&self.spec, stimulus.kind) {
                return Ok(());
            }
            let object = stimulus.object.map_or(0, |object| object.0 as u32);
            // Any mixer would do; this one is part of the format of recordings.
            about = stimulus.kind.0 ^ object.wrapping_mul(0x9e37_79b1) >> 16 << 8;
        }
        self.tape.door(id, MindCall::Tell(about & 0xff_ffff), |to| _ = to.write(&message));
        mind.take_in(message);
        Ok(())
    }

    /// Says where a mind is; sensors may do so too.
    ///
    /// # Errors
    ///
    /// There is no such mind, or a number is not finite.
    pub fn set_place(&mut self, id: MindId, here: Position) -> Result<(), MindError> {
        if !here.iter().all(|at| at.is_finite()) {
            return Err(MindError::NotFinite);
        }
        let mind = self.mind_mut(id).ok_or(MindError::NoMind(id))?;
        if mind.here != here {
            mind.here = here;
            mind.wake = 0;
            self.tape.door(id, MindCall::Place, |to| _ = to.write(&here));
        }
        Ok(())
    }

    /// Says whose side a mind is on. Those of one side share out what they pick; in the beginning
    /// all are on the same.
    ///
    /// # Errors
    ///
    /// There is no such mind.
    pub fn set_side(&mut self, id: MindId, side: Word) -> Result<(), MindError> {
        let mind = self.mind_mut(id).ok_or(MindError::NoMind(id))?;
        if mind.side != side {
            mind.side = side;
            // What cools for its side is another's now.
            mind.state.look_anew();
            mind.wake = 0;
            self.tape.door(id, MindCall::Side, |to| _ = to.write(&side));
        }
        Ok(())
    }

    /// Lets a mind have a thing or a place for itself until it is [released](Self::release), whatever
    /// it plans: no selection with `claims` of another picks it. `false` if another has it.
    ///
    /// # Errors
    ///
    /// There is no such mind.
    pub fn claim(&mut self, id: MindId, key: Key) -> Result<bool, MindError> {
        self.mind(id).ok_or(MindError::NoMind(id))?;
        self.tape.door(id, MindCall::Claim, |to| _ = to.write(&key));
        Ok(key.can_be_claimed() && self.others.give(Claim { key, since: self.now, mind: id }))
    }

    /// A mind does not have a thing or a place for itself any more; it may ask for it again.
    ///
    /// # Errors
    ///
    /// There is no such mind.
    pub fn release(&mut self, id: MindId, key: Key) -> Result<(), MindError> {
        self.mind(id).ok_or(MindError::NoMind(id))?;
        self.tape.door(id, MindCall::Release, |to| _ = to.write(&key));
        self.others.take_back(id, Some(key));
        Ok(())
    }

    /// Why a selection of a mind holds what it holds: its candidates, what they score by, and what
    /// was left out. `None` if there is no such mind or selection.
    pub fn why_picked(&self, id: MindId, select: &str) -> Option<WhyPicked> {
        let mind = self.mind(id)?;
        mind.why_picked(&self.spec, select, &self.shared, &self.others, self.now)
    }

    /// Why a selection of a mind holds nothing; `None` if it holds something, or if there is no
    /// such mind or selection.
    pub fn why_empty(&self, id: MindId, select: SelectId) -> Option<EmptyReason> {
        let spec = self.spec.selects.iter().find(|spec| spec.select == select)?;
        self.mind(id)?.why_empty(&self.spec, spec, &self.shared, &self.others, self.now)
    }

    /// Who has what for itself, by thing, as of the last tick.
    pub fn claims(&self) -> &[Claim] {
        self.others.claims()
    }

    /// Gives a variable a value, by id or by the names of both; if a `symbol` rule speaks of it,
    /// that has the last word. One that holds already changes nothing.
    ///
    /// # Errors
    ///
    /// There is no such mind, variable or value.
    pub fn set_fact(&mut self, id: MindId, fact: impl IdOrName<Fact>) -> Result<(), MindError> {
        let map = self.spec.domain.map();
        let known = Some(fact.id(map)?).filter(|fact| map.has_fact(*fact));
        let Fact { variable, value } = known.ok_or_else(|| UnknownNameError::foreign("value"))?;
        let mind = self.mind_mut(id).ok_or(MindError::NoMind(id))?;
        mind.state.set(variable, value.index() as PackedValue);
        mind.wake_if_changed();
        let call = MindCall::Fact(variable.index() as u32);
        self.tape.door(id, call, |to| _ = to.write(&value));
        Ok(())
    }

    /// Gives an amount a number, as [`set_fact`](Self::set_fact) gives a variable a value.
    ///
    /// # Errors
    ///
    /// There is no such mind or amount, or the number is out of its range.
    pub fn set_amount(
        &mut self,
        id: MindId,
        variable: impl IdOrName<VariableId>,
        number: i64,
    ) -> Result<(), MindError> {
        let map = self.spec.domain.map();
        let variable = map.id(variable)?;
        let range = map.amount(variable).ok_or(MindError::NoAmount(variable))?;
        if !(range.0..=range.1).contains(&number) {
            return Err(MindError::OutOfRange { number, range });
        }
        let value = ValueId::at((number - range.0) as usize);
        self.set_fact(id, Fact { variable, value })
    }

    /// The number that a mind takes an amount for; `None` if it is unknown, or no amount, or there
    /// is no such mind.
    pub fn amount(&self, id: MindId, variable: impl IdOrName<VariableId>) -> Option<i64> {
        let map = self.spec.domain.map();
        let variable = map.id(variable).ok()?;
        let (low, _) = map.amount(variable)?;
        let value = self.mind(id)?.state.values()[variable.index()];
        (value != UNKNOWN).then(|| low + i64::from(value))
    }

    /// Answers a check, by id or name, from now on in place of the file's rule.
    ///
    /// # Errors
    ///
    /// There is no such mind or check.
    pub fn set_check(
        &mut self,
        id: MindId,
        check: impl IdOrName<CheckId>,
        holds: bool,
    ) -> Result<(), MindError> {
        let check = self.spec.domain.map().id(check)?;
        let (spec, now) = (Arc::clone(&self.spec), self.now);
        let mind = self.mind_mut(id).ok_or(MindError::NoMind(id))?;
        mind.state.tell_check(check, holds);
        mind.state.note_told(&spec, check, now);
        mind.wake_if_changed();
        let call = MindCall::Check(check.index() as u32);
        self.tape.door(id, call, |to| _ = to.write(&holds));
        Ok(())
    }

    /// Adds to what all minds know, for so many ticks. A fact of the same kind that agrees in all
    /// words and things is brought up to date instead.
    pub fn share(&mut self, fact: &FactDraft, keep: Tick) {
        let mut fact = *fact;
        self.take_wrong(&mut fact, "Minds::share", None);
        self.tape.door(NO_MIND, MindCall::Share, |to| {
            // The longest time is frequent, and so the shortest.
            to.symbol(keep);
            to.write(&fact);
        });
        self.shared.share(&fact, self.spec.told, self.now, keep);
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
