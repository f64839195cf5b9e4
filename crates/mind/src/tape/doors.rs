//! The doors of minds, written down; and the tapes of the groups.
//!
//! In:   what is called between ticks, and the groups before and after a tick.
//! Out:  entries, in the order of the calls and of the groups.
//! Cost: one branch while nobody records.

use super::{Call, Entries, Reading, Tape};
use crate::fact::{FactDraft, Handle, Place};
use crate::mind::{Mind, Outbox};
use crate::minds::Minds;
use crate::orders::{Message, MindId};
use crate::spec::Spec;
use crate::time::Tick;
use throng_base::codec::Encoder;
use throng_domain::model::{CheckId, Fact, NpcId};

/// Minds stop writing above this: more than anybody who takes the entries lets come together.
const MOST_ENTRIES: usize = 1 << 22;
const MOST_BYTES: usize = 1 << 27;

/// Whose entry it is if it is nobody's.
pub(super) const NOBODY: MindId = MindId(0);

impl Tape {
    #[inline]
    fn door(&mut self, mind: MindId, call: Call, says: impl FnOnce(&mut Encoder)) {
        if let Tape::Writing(to) = self {
            says(to.begin(mind, call));
            self.stop_if_too_long();
        }
    }

    pub(crate) fn spawn(&mut self, mind: MindId, npc: NpcId, me: Handle) {
        self.door(mind, Call::Spawn, |to| _ = to.write(&npc).write(&me));
    }

    pub(crate) fn despawn(&mut self, mind: MindId) {
        self.door(mind, Call::Despawn, |_| {});
    }

    pub(crate) fn interrupt(&mut self, mind: MindId) {
        self.door(mind, Call::Interrupt, |_| {});
    }

    pub(crate) fn tell(&mut self, mind: MindId, message: &Message) {
        let about = match message {
            Message::Stimulus(stimulus) => {
                let object = stimulus.object.map_or(0, |object| object.0 as u32);
                stimulus.kind.0 ^ object.wrapping_mul(0x9e37_79b1) >> 16 << 8
            }
            _ => 0,
        };
        self.door(mind, Call::Tell(about & 0xff_ffff), |to| _ = to.write(message));
    }

    pub(crate) fn place(&mut self, mind: MindId, here: &Place) {
        self.door(mind, Call::Place, |to| _ = to.write(here));
    }

    pub(crate) fn fact(&mut self, mind: MindId, fact: Fact) {
        let call = Call::Fact(fact.variable.index() as u32);
        self.door(mind, call, |to| _ = to.write(&fact.value));
    }

    pub(crate) fn check(&mut self, mind: MindId, check: CheckId, holds: bool) {
        self.door(mind, Call::Check(check.index() as u32), |to| _ = to.write(&holds));
    }

    pub(crate) fn share(&mut self, fact: &FactDraft, keep: Tick) {
        self.door(NOBODY, Call::Share, |to| {
            // The longest is frequent, and so the shortest.
            to.symbol(keep);
            to.write(fact);
        });
    }

    /// The new file itself is for whoever keeps the recording; but not its words, some of which
    /// come from code.
    pub(crate) fn reload(&mut self, spec: &Spec) {
        self.door(NOBODY, Call::Reload, |to| _ = to.write(&spec.words));
    }

    pub(crate) fn budget(&mut self, budget: Option<u32>) {
        self.door(NOBODY, Call::Budget, |to| _ = to.write(&budget));
    }

    pub(crate) fn aside(&mut self, mind: MindId) {
        self.door(mind, Call::Aside, |_| {});
    }

    pub(crate) fn back(&mut self, mind: &Mind, spec: &Spec) {
        self.door(mind.id, Call::Back, |to| mind.encode(spec, to));
    }

    /// Nobody takes the entries: they must not fill the memory.
    fn stop_if_too_long(&mut self) {
        if let Tape::Writing(to) = self
            && (to.entries.len() > MOST_ENTRIES || to.entries.bytes().len() > MOST_BYTES)
        {
            *self = Tape::Off;
        }
    }

    fn tick(&mut self, before: Tick, now: Tick) {
        self.door(NOBODY, Call::Tick, |to| to.number(u64::from(now.wrapping_sub(before))));
    }
}

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
