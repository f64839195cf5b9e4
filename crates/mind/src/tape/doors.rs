//! The doors of minds, written down; and the tapes of the groups.
//!
//! In:   what is called between ticks, and the groups before and after a tick.
//! Out:  entries, in the order of the calls and of the groups.
//! Cost: one branch while nobody records.

use super::{MindCall, Tape};
use crate::fact::{EntityId, FactDraft, Position};
use crate::orders::{Message, MindId};
use crate::spec::Spec;
use crate::time::Tick;
use throng_base::codec::Encoder;
use throng_domain::model::{CheckId, Fact, NpcTypeId};

/// Minds stop writing above this: more than anybody who takes the entries lets come together.
const MOST_ENTRIES: usize = 1 << 22;
const MOST_BYTES: usize = 1 << 27;

/// Whose entry it is if it is nobody's.
pub(crate) const NOBODY: MindId = MindId(0);

impl Tape {
    #[inline]
    fn door(&mut self, mind: MindId, call: MindCall, says: impl FnOnce(&mut Encoder)) {
        if let Tape::Writing(to) = self {
            says(to.begin(mind, call));
            self.stop_if_too_long();
        }
    }

    pub(crate) fn spawn(&mut self, mind: MindId, npc: NpcTypeId, me: EntityId) {
        self.door(mind, MindCall::Spawn, |to| _ = to.write(&npc).write(&me));
    }

    pub(crate) fn despawn(&mut self, mind: MindId) {
        self.door(mind, MindCall::Despawn, |_| {});
    }

    pub(crate) fn interrupt(&mut self, mind: MindId) {
        self.door(mind, MindCall::Interrupt, |_| {});
    }

    pub(crate) fn tell(&mut self, mind: MindId, message: &Message) {
        let about = match message {
            Message::Stimulus(stimulus) => {
                let object = stimulus.object.map_or(0, |object| object.0 as u32);
                stimulus.kind.0 ^ object.wrapping_mul(0x9e37_79b1) >> 16 << 8
            }
            _ => 0,
        };
        self.door(mind, MindCall::Tell(about & 0xff_ffff), |to| _ = to.write(message));
    }

    pub(crate) fn place(&mut self, mind: MindId, here: &Position) {
        self.door(mind, MindCall::Place, |to| _ = to.write(here));
    }

    pub(crate) fn fact(&mut self, mind: MindId, fact: Fact) {
        let call = MindCall::Fact(fact.variable.index() as u32);
        self.door(mind, call, |to| _ = to.write(&fact.value));
    }

    pub(crate) fn check(&mut self, mind: MindId, check: CheckId, holds: bool) {
        self.door(mind, MindCall::Check(check.index() as u32), |to| _ = to.write(&holds));
    }

    pub(crate) fn share(&mut self, fact: &FactDraft, keep: Tick) {
        self.door(NOBODY, MindCall::Share, |to| {
            // The longest is frequent, and so the shortest.
            to.symbol(keep);
            to.write(fact);
        });
    }

    /// The new file itself is for whoever keeps the recording; but not its words, some of which
    /// come from code.
    pub(crate) fn reload(&mut self, spec: &Spec) {
        self.door(NOBODY, MindCall::Reload, |to| _ = to.write(&spec.words));
    }

    pub(crate) fn budget(&mut self, budget: Option<u32>) {
        self.door(NOBODY, MindCall::Budget, |to| _ = to.write(&budget));
    }

    pub(crate) fn aside(&mut self, mind: MindId) {
        self.door(mind, MindCall::Aside, |_| {});
    }

    /// A mind that was away is back, as `says` writes it.
    pub(crate) fn back(&mut self, mind: MindId, says: impl FnOnce(&mut Encoder)) {
        self.door(mind, MindCall::Back, says);
    }

    /// Nobody takes the entries: they must not fill the memory.
    pub(crate) fn stop_if_too_long(&mut self) {
        if let Tape::Writing(to) = self
            && (to.entries.len() > MOST_ENTRIES || to.entries.bytes().len() > MOST_BYTES)
        {
            *self = Tape::Off;
        }
    }

    pub(crate) fn tick(&mut self, before: Tick, now: Tick) {
        self.door(NOBODY, MindCall::Tick, |to| to.number(u64::from(now.wrapping_sub(before))));
    }
}
