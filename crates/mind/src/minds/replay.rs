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
use crate::tape::{Divergence, Entries, LOST, MindCall, NOBODY, Reading, WHAT_IS_LOST, Wrong};
use crate::time::Tick;
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
    /// before it; `next_file` gives the new file where one was loaded.
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
        self.told.clear();
        let told = self.events().len();
        let mut at = 0;
        while at < entries.len() {
            let next = self.answers_end(entries, at + 1)?;
            let (mind, number, says) = entries.entry(at);
            let mind = MindId(mind);
            let Some(call) = MindCall::of(number) else {
                return Err(self.wrong(mind, Wrong::Unknown(number)));
            };
            if call == MindCall::Tick {
                if next < entries.len() {
                    return Err(self.wrong(mind, Wrong::NoTick));
                }
                events.extend_from_slice(&self.events()[told..]);
            }
            // A new file may bring other words, so they are counted for each entry.
            let words = u32::try_from(self.spec().words.len()).unwrap_or(u32::MAX);
            self.read(Reading::of(entries, at + 1, next, words));
            let mut from = Decoder::new(says);
            from.limit_symbols(words);
            let entered = match call {
                MindCall::Tick => self.enter_tick(&mut from, tick),
                call => self.enter(mind, call, &mut from, next_file),
            };
            let reading = self.stop_reading();
            entered?;
            let now = self.now();
            if let Some(wrong) = reading.and_then(|reading| reading.end(now)) {
                return Err(self.named(wrong));
            }
            if let Err(damaged) = from.finish() {
                return Err(self.wrong(mind, Wrong::Says { call, damaged }));
            }
            if call == MindCall::Tick {
                events.extend_from_slice(self.events());
                return Ok(());
            }
            at = next;
        }
        Err(self.wrong(NOBODY, Wrong::NoTick))
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
        let mind = Some(mind).filter(|mind| *mind != NOBODY);
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
    ) -> Result<(), Divergence> {
        let entered = match call {
            MindCall::Reload => return self.enter_reload(from, next_file),
            MindCall::Spawn => {
                let begun = self
                    .enter_spawn(from)
                    .map_err(|damaged| self.wrong(mind, Wrong::Says { call, damaged }))?;
                if begun != mind {
                    return Err(self.wrong(mind, Wrong::OtherMind(begun)));
                }
                Ok(())
            }
            MindCall::Share => self.enter_share(from),
            MindCall::Budget => from.read().map(|budget| self.set_budget(budget)),
            MindCall::Back => self.enter_mind(from).map(|_| ()),
            _ if self.mind(mind).is_none() => return Err(self.wrong(mind, Wrong::NoMind(call))),
            MindCall::Despawn => {
                self.despawn(mind, &());
                Ok(())
            }
            MindCall::Aside => {
                self.put_aside(mind);
                Ok(())
            }
            MindCall::Interrupt => {
                self.interrupt(mind, &());
                Ok(())
            }
            MindCall::Tell(_) => from.read().map(|it: Message| _ = self.tell(mind, it)),
            MindCall::Place => from.read().map(|here| self.set_place(mind, here)),
            MindCall::Fact(variable) => self.enter_fact(mind, variable, from),
            MindCall::Check(check) => self.enter_check(mind, check, from),
            MindCall::Tick => return Err(self.wrong(mind, Wrong::NoTick)),
            MindCall::Sensor(_) | MindCall::Start(_) | MindCall::GoOn(_) | MindCall::End(_) => {
                return Err(self.wrong(mind, Wrong::NotAsked(call)));
            }
        };
        entered.map_err(|damaged| self.wrong(mind, Wrong::Says { call, damaged }))
    }

    fn enter_spawn(&mut self, from: &mut Decoder<'_>) -> Result<MindId, DecodeError> {
        let map = Arc::clone(&self.spec.domain);
        let npc = map.map().npc_at(from.read()?);
        let me = from.read()?;
        match npc {
            Some(npc) => Ok(self.spawn(npc, me)),
            // A type of another domain: it had a number, and ended before it began.
            None => Ok(self.skip_mind()),
        }
    }

    fn enter_share(&mut self, from: &mut Decoder<'_>) -> Result<(), DecodeError> {
        let keep = from.read::<Tick>()?.wrapping_sub(1);
        let fact = from.read()?;
        self.share(&fact, keep);
        Ok(())
    }

    /// Minds that live a tick far away may never come back from it, so it is looked at first.
    fn enter_tick(&mut self, from: &mut Decoder<'_>, tick: Tick) -> Result<(), Divergence> {
        let ahead = from.read::<Tick>().map_err(|damaged| {
            let call = MindCall::Tick;
            self.wrong(NOBODY, Wrong::Says { call, damaged })
        })?;
        let now = self.now().wrapping_add(ahead);
        if now != tick {
            return Err(self.wrong(NOBODY, Wrong::OtherTick { recorded: tick, entered: now }));
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
        let domain = Arc::clone(&self.spec.domain);
        let map = domain.map();
        if map.variable_at(variable as usize).is_none() {
            return from.error("variable");
        }
        let Some(fact) = map.fact_at(variable as usize, from.read()?) else {
            return from.error("value");
        };
        self.set_fact(mind, fact);
        Ok(())
    }

    fn enter_check(
        &mut self,
        mind: MindId,
        check: u32,
        from: &mut Decoder<'_>,
    ) -> Result<(), DecodeError> {
        let domain = Arc::clone(&self.spec.domain);
        let Some(check) = domain.map().check_at(check as usize) else {
            return from.error("check");
        };
        self.set_check(mind, check, from.read()?);
        Ok(())
    }

    fn enter_reload(
        &mut self,
        from: &mut Decoder<'_>,
        next_file: &mut dyn FnMut() -> Option<Spec>,
    ) -> Result<(), Divergence> {
        let Some(mut spec) = next_file() else { return Err(self.wrong(NOBODY, Wrong::NoFile)) };
        let same = take_words(from, &mut spec).map_err(|damaged| {
            let call = MindCall::Reload;
            self.wrong(NOBODY, Wrong::Says { call, damaged })
        })?;
        if !same {
            return Err(self.wrong(NOBODY, Wrong::OtherWords));
        }
        // It was not refused then; who ended by it ends again.
        let reloaded = self.reload_and_end(spec, &());
        reloaded.map(|_| ()).map_err(|refused| self.wrong(NOBODY, Wrong::Code(refused)))
    }
}

/// Gives a file the words it had, in order; `false` if they have other numbers now.
fn take_words(from: &mut Decoder<'_>, spec: &mut Spec) -> Result<bool, DecodeError> {
    let count = from.count()?;
    let mut same = true;
    for at in 0..count {
        let word = from.read::<String>()?;
        same &= spec.words.intern(&word).0 as usize == at;
    }
    Ok(same && spec.words.len() == count)
}
