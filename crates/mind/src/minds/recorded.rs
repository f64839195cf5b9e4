//! Minds recorded: what has entered them, and the tapes of their groups.
//!
//! In:   whether what enters is to be written down; the groups before and after a tick.
//! Out:  entries, in the order of the calls and of the groups.
//! Cost: one branch while nothing is recorded.

use super::Minds;
use crate::mind::Outbox;
use crate::tape::{Entries, Reading, Tape};
use crate::time::Tick;

impl<W: ?Sized + Sync> Minds<W> {
    /// From now on all that enters these minds is written down, or no longer. Whoever turns this on
    /// takes the [`entries`](Self::entries) after each tick and lets them be
    /// [forgotten](Self::forget_entries). The minds do not live otherwise for it.
    ///
    /// `false`, and all is as before: it is written down already, for somebody else; two would take
    /// each other's entries. It ends by itself when these minds are [restored](Self::restore), for
    /// that enters by no door, and when four million entries or 128 megabytes have come together
    /// because nobody takes them. Then there are no [`entries`](Self::entries).
    pub fn record(&mut self, on: bool) -> bool {
        if on && self.is_recording() {
            return false;
        }
        self.tape = if on { Tape::Writing(Box::default()) } else { Tape::Off };
        self.groups.iter_mut().for_each(|group| group.outbox.tape = Tape::Off);
        self.told.clear();
        true
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

    /// The orders and events since the entries were last forgotten, in one number; of minds that
    /// neither record nor replay, 0.
    pub fn told(&self) -> u64 {
        self.told.digest()
    }

    /// Makes room for what enters next.
    pub fn forget_entries(&mut self) {
        if let Tape::Writing(to) = &mut self.tape {
            to.entries.clear();
        }
        self.told.clear();
    }

    /// The names of the sensors and of the behaviours that there is code for.
    pub fn code_names(&self) -> (Vec<String>, Vec<String>) {
        self.code.names()
    }

    /// What leaves a mind between ticks, with the tape to be given back by
    /// [`take_out`](Self::take_out).
    pub(crate) fn outbox(&mut self) -> Outbox {
        Outbox { tape: self.tape.lend(), ..Outbox::default() }
    }

    /// Gives the groups their tapes.
    pub(crate) fn tapes_out(&mut self, before: Tick) {
        self.tape.tick(before, self.now);
        match &mut self.tape {
            Tape::Off => {
                // It may have stopped by itself.
                let with = self.groups.iter_mut().filter(|group| group.outbox.tape.is_on());
                with.for_each(|group| group.outbox.tape = Tape::Off);
                self.told.clear();
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
    pub(crate) fn tapes_in(&mut self) {
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
                    if let Tape::Reading(part) = group.outbox.tape.lend() {
                        let wrong = part.end(self.now);
                        from.wrong = from.wrong.take().or(wrong);
                    }
                }
            }
        }
        self.tape.stop_if_too_long();
        self.told.add(&self.orders, &self.events);
    }

    /// Puts the tape back and counts what left a mind between ticks.
    pub(crate) fn take_tape(&mut self, outbox: &mut Outbox) {
        self.tape = outbox.tape.lend();
        if self.tape.is_on() {
            self.told.add(&outbox.orders, &outbox.events);
        }
    }

    pub(super) fn read(&mut self, from: Reading) {
        self.tape = Tape::Reading(Box::new(from));
    }

    pub(super) fn stop_reading(&mut self) -> Option<Box<Reading>> {
        match self.tape.lend() {
            Tape::Reading(from) => Some(from),
            Tape::Off | Tape::Writing(_) => None,
        }
    }
}
