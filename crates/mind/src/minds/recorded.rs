//! Minds recorded: what has entered them, and the tapes of their groups.
//!
//! In:   whether what enters is to be written down; the groups before and after a tick.
//! Out:  entries, in the order of the calls and of the groups.
//! Cost: one branch while nothing is recorded.

use super::{MindError, Minds};
use crate::mind::Outbox;
use crate::tape::{Entries, MindCall, NO_MIND, Tape};
use crate::time::Tick;
use std::mem::take;

impl<W: ?Sized + Sync> Minds<W> {
    /// From now on all that enters these minds is written down. The caller takes the
    /// [`entries`](Self::entries) after each tick and lets them be
    /// [forgotten](Self::forget_entries). The minds live as they would without it.
    ///
    /// It ends by itself when these minds are [restored](Self::restore), because that enters by no
    /// call that is written down, and when four million entries or 128 megabytes have come together
    /// that nobody took. Then there are no [`entries`](Self::entries).
    ///
    /// # Errors
    ///
    /// It is written down already: two callers would take each other's entries.
    pub fn record(&mut self) -> Result<(), MindError> {
        if self.is_recording() {
            return Err(MindError::Recorded);
        }
        self.set_tape(Tape::Writing(Box::default()));
        Ok(())
    }

    /// What enters is no longer written down; entries that were not taken are gone.
    pub fn stop_recording(&mut self) {
        self.set_tape(Tape::Off);
    }

    fn set_tape(&mut self, tape: Tape) {
        self.tape = tape;
        self.groups.iter_mut().for_each(|group| group.outbox.tape = Tape::Off);
        self.output.digest = 0;
    }

    /// Whether what enters is written down.
    pub fn is_recording(&self) -> bool {
        matches!(self.tape, Tape::Writing(_))
    }

    /// All that has entered since the entries were last forgotten; `None` unless it is written
    /// down.
    pub fn entries(&self) -> Option<&Entries> {
        match &self.tape {
            Tape::Writing(to) => Some(&to.entries),
            _ => None,
        }
    }

    /// The checksum of the orders and events since the entries were last forgotten; 0 for minds
    /// that neither record nor replay.
    pub fn output_digest(&self) -> u64 {
        self.output.digest
    }

    /// Takes all that has entered, in exchange for the room of others, which are forgotten, and
    /// forgets it.
    pub fn take_entries(&mut self, into: &mut Entries) {
        into.clear();
        if let Tape::Writing(to) = &mut self.tape {
            std::mem::swap(&mut to.entries, into);
        }
        self.output.digest = 0;
    }

    /// Makes room for what enters next.
    pub fn forget_entries(&mut self) {
        if let Tape::Writing(to) = &mut self.tape {
            to.entries.clear();
        }
        self.output.digest = 0;
    }

    /// The names of the sensors and of the behaviours that there is code for.
    pub fn code_names(&self) -> (Vec<String>, Vec<String>) {
        self.code.names()
    }

    /// Lets something leave minds between ticks: it is added to what left them in the last.
    pub(super) fn between_ticks(&mut self, act: impl FnOnce(&Self, &mut Outbox)) {
        let mut outbox = Outbox { tape: take(&mut self.tape), ..Outbox::default() };
        act(self, &mut outbox);
        self.tape = take(&mut outbox.tape);
        if self.tape.is_on() {
            self.output.add(&outbox.orders, &outbox.events);
        }
        self.take_out(&mut outbox);
        self.hand_round();
    }

    /// Gives the groups their tapes.
    pub(super) fn tapes_out(&mut self, before: Tick) {
        let ahead = self.now.wrapping_sub(before);
        self.tape.door(NO_MIND, MindCall::Tick, |to| _ = to.write(&ahead));
        match &mut self.tape {
            Tape::Off => {
                // It may have stopped by itself.
                let with = self.groups.iter_mut().filter(|group| group.outbox.tape.is_on());
                with.for_each(|group| group.outbox.tape = Tape::Off);
                self.output.digest = 0;
            }
            Tape::Writing(_) => {
                let without = self.groups.iter_mut().filter(|group| !group.outbox.tape.is_on());
                without.for_each(|group| group.outbox.tape = Tape::Writing(Box::default()));
            }
            Tape::Reading(from) => {
                for group in &mut self.groups {
                    let part = from.part(group.minds.iter().map(|mind| mind.id.0));
                    group.outbox.tape = Tape::Reading(Box::new(part));
                }
            }
        }
    }

    /// Joins the tapes of the groups, in order.
    pub(super) fn tapes_in(&mut self) {
        match &mut self.tape {
            Tape::Off => return,
            Tape::Writing(to) => {
                for group in &mut self.groups {
                    if let Tape::Writing(part) = &mut group.outbox.tape {
                        to.entries.append(&mut part.entries);
                    }
                }
            }
            Tape::Reading(from) => {
                for group in &mut self.groups {
                    if let Tape::Reading(part) = take(&mut group.outbox.tape) {
                        let wrong = part.end(self.now);
                        from.wrong = from.wrong.take().or(wrong);
                    }
                }
            }
        }
        self.tape.stop_if_too_long();
        self.output.add(&self.orders, &self.events);
    }
}
