//! Minds that live again from what was recorded, without the game.
//!
//! In:   the entries of a tick, in order.
//! Out:  the minds one tick later; or the first place where they leave what was recorded.
//! Cost: the tick, and some look-ups; not for the frame.

use super::Minds;
use crate::body::{Acting, Body, Progress, Sensing, Work};
use crate::events::Event;
use crate::fit::BodyErrors;
use crate::orders::{Message, MindId};
use crate::spec::Spec;
use crate::tape::{
    Divergence, Entries, LOST, MindCall, NO_MIND, Reading, Tape, WHAT_IS_LOST, Wrong,
};
use crate::time::Tick;
use std::mem::take;
use std::sync::Arc;
use throng_base::codec::{DecodeError, Decoder};

impl Minds<()> {
    /// Minds without a game: for these sensors and behaviours, by name, the recording answers.
    ///
    /// # Errors
    ///
    /// A polled sensor of the file is not among them.
    pub fn for_replay(
        spec: Spec,
        sensors: &[String],
        behaviours: &[String],
    ) -> Result<Minds<()>, BodyErrors> {
        // None of this is ever called: the tape answers first.
        let silent = |_: &mut Sensing<'_, ()>| Work::Light;
        let idle = |_: &mut Acting<'_, ()>| Progress::Done;
        let body = Body::new().for_many_files();
        let body = sensors.iter().fold(body, |body, name| body.sensor(name, silent));
        let body = behaviours.iter().fold(body, |body, name| body.behaviour(name, idle));
        Minds::new(spec, body, 1)
    }

    /// Lets everything enter that was recorded of one tick, and the tick happen, which is to be
    /// `tick`: no other is entered. `events` takes those of the tick and those of what happened
    /// before and after it; `next_file` gives the new file where one was loaded.
    ///
    /// # Errors
    ///
    /// Where the minds leave what was recorded. What they are then means nothing.
    pub fn replay(
        &mut self,
        entries: &Arc<Entries>,
        tick: Tick,
        events: &mut Vec<Event>,
        next_file: &mut dyn FnMut() -> Option<Spec>,
    ) -> Result<(), Divergence> {
        self.forget_entries();
        let (mut seen, mut has_ticked) = (self.events().len(), false);
        let mut at = 0;
        while at < entries.len() {
            let next = self.answers_end(entries, at + 1)?;
            let (mind, number, says) = entries.entry(at);
            let mind = MindId(mind);
            let call =
                MindCall::of(number).ok_or_else(|| self.wrong(mind, Wrong::Unknown(number)))?;
            if call == MindCall::Tick {
                if has_ticked {
                    return Err(self.wrong(mind, Wrong::NoTick));
                }
                events.extend_from_slice(&self.events()[seen..]);
                (seen, has_ticked) = (0, true);
            }
            // A new file may bring other words, so they are counted for each entry.
            let words = self.spec().words.limit();
            self.tape = Tape::Reading(Box::new(Reading::of(entries, at + 1, next, words)));
            let mut from = Decoder::new(says);
            from.limit_symbols(words);
            let entered = match call {
                MindCall::Tick => self.enter_tick(&mut from, tick),
                call => self.enter(mind, call, &mut from, next_file),
            };
            let tape = take(&mut self.tape);
            entered.map_err(|wrong| self.wrong(mind, wrong))?;
            let now = self.now();
            if let Tape::Reading(reading) = tape
                && let Some(wrong) = reading.end(now)
            {
                return Err(self.named(wrong));
            }
            let finished = from.finish();
            finished.map_err(|damaged| self.wrong(mind, Wrong::Says { call, damaged }))?;
            at = next;
        }
        if !has_ticked {
            return Err(self.wrong(NO_MIND, Wrong::NoTick));
        }
        events.extend_from_slice(&self.events()[seen..]);
        Ok(())
    }

    /// Where the answers that begin here end.
    fn answers_end(&self, entries: &Entries, from: usize) -> Result<usize, Divergence> {
        let mut at = from;
        while at < entries.len() {
            let (mind, number, says) = entries.entry(at);
            let Some(call) = MindCall::of(number).filter(|call| call.is_answer()) else { break };
            // This comes first, for others may be lost with it.
            if says.first().is_some_and(|is| is & LOST != 0) {
                let wrong =
                    Wrong::Says { call, damaged: DecodeError { at: 0, what: WHAT_IS_LOST } };
                return Err(self.wrong(MindId(mind), wrong));
            }
            at += 1;
        }
        Ok(at)
    }

    fn wrong(&self, mind: MindId, wrong: Wrong) -> Divergence {
        let mind = Some(mind).filter(|mind| *mind != NO_MIND);
        self.named(Divergence { tick: self.now(), mind, npc: None, wrong })
    }

    fn named(&self, mut wrong: Divergence) -> Divergence {
        let mind = wrong.mind.and_then(|mind| self.mind(mind));
        wrong.npc = mind.map(|mind| self.spec().domain.map().npc(mind.npc()).to_string());
        wrong
    }

    /// Lets one thing enter.
    fn enter(
        &mut self,
        mind: MindId,
        call: MindCall,
        from: &mut Decoder<'_>,
        next_file: &mut dyn FnMut() -> Option<Spec>,
    ) -> Result<(), Wrong> {
        let is_of_none = matches!(
            call,
            MindCall::Reload
                | MindCall::Share
                | MindCall::Budget
                | MindCall::Nodes
                | MindCall::HeavyBudget
                | MindCall::Questions
                | MindCall::Seed
                | MindCall::Tick
        );
        let begins = matches!(call, MindCall::Spawn | MindCall::Back) || call.is_answer();
        if self.mind(mind).is_none() && !is_of_none && !begins {
            return Err(Wrong::NoMind(call));
        }
        let entered = match call {
            MindCall::Reload => return self.enter_reload(from, next_file),
            MindCall::Spawn => match self.enter_spawn(from) {
                Ok(begun) if begun != mind => return Err(Wrong::OtherMind(begun)),
                other => other.map(|_| ()),
            },
            MindCall::Share => self.enter_share(from),
            MindCall::Budget => from.read().map(|budget| self.set_budget(budget)),
            MindCall::HeavyBudget => from.read().map(|most| self.set_heavy_budget(most)),
            MindCall::Questions => from.read().map(|most| self.set_questions(most)),
            MindCall::Nodes => from.read().map(|nodes| self.set_nodes_per_call(nodes)),
            MindCall::Seed => from.read().map(|seed| self.set_seed(seed)),
            MindCall::Squad => from.read().map(|squad| _ = self.set_squad(mind, squad)),
            MindCall::Back => self.enter_mind(from).map(|_| ()),
            // The mind of all of these is there, and what they bring is held against the file.
            MindCall::Despawn => Ok(_ = self.despawn(mind, &())),
            MindCall::Aside => Ok(_ = self.put_aside(mind)),
            MindCall::Interrupt => Ok(_ = self.interrupt(mind, &())),
            MindCall::Tell(_) => from.read().map(|it: Message| _ = self.tell(mind, it)),
            MindCall::Place => from.read().map(|here| _ = self.set_place(mind, here)),
            MindCall::Claim => from.read().map(|key| _ = self.claim(mind, key)),
            MindCall::Release => from.read().map(|key| _ = self.release(mind, key)),
            MindCall::Side => from.read().map(|side| _ = self.set_side(mind, side)),
            MindCall::Fact(variable) => self.enter_fact(mind, variable, from),
            MindCall::Check(check) => match self.spec.domain.map().check_at(check as usize) {
                Some(check) => from.read().map(|holds| _ = self.set_check(mind, check, holds)),
                None => from.error("check"),
            },
            MindCall::Tick => return Err(Wrong::NoTick),
            MindCall::Sensor(_) | MindCall::Start(_) | MindCall::GoOn(_) | MindCall::End(_) => {
                return Err(Wrong::NotAsked(call));
            }
        };
        entered.map_err(|damaged| Wrong::Says { call, damaged })
    }

    fn enter_spawn(&mut self, from: &mut Decoder<'_>) -> Result<MindId, DecodeError> {
        let (npc, me) = from.read()?;
        let npc = self.spec.domain.map().npc_at(npc);
        let begun = npc.and_then(|npc| self.spawn(npc, me).ok());
        begun.map_or_else(|| from.error("NPC type"), Ok)
    }

    fn enter_share(&mut self, from: &mut Decoder<'_>) -> Result<(), DecodeError> {
        let keep = from.read::<Tick>()?.wrapping_sub(1);
        let fact = from.read()?;
        self.share(&fact, keep);
        Ok(())
    }

    /// Minds that live a tick far away may never come back from it, so it is looked at first.
    fn enter_tick(&mut self, from: &mut Decoder<'_>, tick: Tick) -> Result<(), Wrong> {
        let ahead = from.read::<Tick>();
        let ahead = ahead.map_err(|damaged| Wrong::Says { call: MindCall::Tick, damaged })?;
        let now = self.now().wrapping_add(ahead);
        if now != tick {
            return Err(Wrong::OtherTick { recorded: tick, entered: now });
        }
        self.tick(&(), now);
        Ok(())
    }

    fn enter_fact(
        &mut self,
        mind: MindId,
        variable: u32,
        from: &mut Decoder<'_>,
    ) -> Result<(), DecodeError> {
        let map = self.spec.domain.map();
        let is_known = map.variable_at(variable as usize).is_some();
        match map.fact_at(variable as usize, from.read()?) {
            Some(fact) => Ok(_ = self.set_fact(mind, fact)),
            None => from.error(if is_known { "value" } else { "variable" }),
        }
    }

    fn enter_reload(
        &mut self,
        from: &mut Decoder<'_>,
        next_file: &mut dyn FnMut() -> Option<Spec>,
    ) -> Result<(), Wrong> {
        let mut spec = next_file().ok_or(Wrong::NoFile)?;
        let words: Vec<String> =
            from.read().map_err(|damaged| Wrong::Says { call: MindCall::Reload, damaged })?;
        if !spec.words.take(&words) {
            return Err(Wrong::OtherWords);
        }
        // It was not refused then; a mind that ended by it ends again.
        self.reload_and_end(spec, &()).map(|_| ()).map_err(Wrong::Code)
    }
}
