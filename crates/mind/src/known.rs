//! What is known of a mind before its bytes are read: how many there are of everything.
//!
//! In:   the file that the mind is of, present or former, and its type.
//! Out:  bounds, and ids by position.
//! Cost: a look into a table.

use crate::events::Activity;
use crate::former::{Names, TypeNames};
use crate::orders::Stimulus;
use crate::spec::{Spec, When};
use crate::time::Tick;
use throng_base::codec::{CodecIn, DecodeError, Decoder, Encoder};
use throng_domain::compile::NpcTables;
use throng_domain::model::{ActionId, CheckId, GoalId, NpcTypeId};

/// A file that minds are of.
#[derive(Clone, Copy)]
pub(crate) struct File<'s> {
    pub(crate) names: &'s Names,
    /// `None` for another version: what is read is in its numbers, and can only be carried over.
    present: Option<&'s Spec>,
}

impl<'s> File<'s> {
    /// The one in force.
    pub(crate) fn present(spec: &'s Spec) -> Self {
        File { names: spec.names(), present: Some(spec) }
    }

    /// Another version.
    pub(crate) fn former(names: &'s Names) -> Self {
        File { names, present: None }
    }

    /// For a type that the file has.
    pub(crate) fn known(self, npc: NpcTypeId, now: Tick) -> Known<'s> {
        let own = &self.names.npcs[npc.index()];
        let (says_more, has_besides, asks, says_most) = (false, false, false, false);
        let (file, spec) = (self.names, self.present);
        Known { file, own, spec, npc, now, says_more, has_besides, asks, says_most }
    }
}

/// A sensor of a type, by position in its file, at a moment.
#[derive(Clone, Copy)]
pub(crate) struct SensorOf {
    pub(crate) at: u16,
    pub(crate) now: Tick,
}

/// A type of a file, at a moment.
pub(crate) struct Known<'s> {
    pub(crate) file: &'s Names,
    pub(crate) own: &'s TypeNames,
    pub(crate) spec: Option<&'s Spec>,
    pub(crate) npc: NpcTypeId,
    pub(crate) now: Tick,
    /// The mind has more parts than those of older saves.
    pub(crate) says_more: bool,
    /// The mind has asked the game something.
    pub(crate) asks: bool,
    /// Its type does things beside the step, which older saves do not know either.
    pub(crate) has_besides: bool,
    /// The mind has just reached something, or got another task.
    pub(crate) says_most: bool,
}

impl<'s> Known<'s> {
    /// What the file in force says; `None` for a former one.
    pub(crate) fn present(&self) -> Option<(&'s Spec, &'s NpcTables)> {
        self.spec.map(|spec| (spec, spec.domain.npc(self.npc)))
    }

    /// The sensors of the type. Of a former file nothing asks which: what waits for them is carried
    /// over, they are not.
    pub(crate) fn sensors(&self) -> Vec<SensorOf> {
        let ids = self.spec.map(|spec| &spec.npcs[self.npc.index()].sensors[..]);
        let at = |at| ids.map_or(0, |ids| ids[at]);
        (0..self.own.sensors).map(|n| SensorOf { at: at(n), now: self.now }).collect()
    }

    /// Whether a sensor of the type runs on this: only then it takes it out again.
    pub(crate) fn runs_on(&self, at: usize, stimulus: &Stimulus) -> bool {
        let runs_on = |spec: &Spec| {
            let sensor = spec.npcs[self.npc.index()].sensors[at];
            spec.sensors[usize::from(sensor)].when == When::On(stimulus.kind)
        };
        at < self.own.sensors && self.spec.is_none_or(runs_on)
    }

    /// Whether the type has all of these sensors, each a bit by its position.
    pub(crate) fn has_sensors(&self, sensors: u64) -> bool {
        self.own.sensors >= 64 || sensors >> self.own.sensors == 0
    }

    pub(crate) fn checks(&self) -> impl Iterator<Item = CheckId> + use<> {
        (0..self.file.checks.len()).map(CheckId::at)
    }

    /// How many things can be done beside; of a former file as many as can be, for what it did is
    /// only given up.
    pub(crate) fn n_besides(&self) -> usize {
        self.spec.map_or(usize::from(u16::MAX) + 1, |spec| spec.besides.len())
    }

    /// How many parts something under way has.
    pub(crate) fn n_parts(&self, doing: Activity) -> usize {
        doing.action().map_or(0, |action| self.file.actions[action.index()].1)
    }

    /// How many amounts something under way moves.
    pub(crate) fn n_shifts(&self, doing: Activity) -> usize {
        doing.action().map_or(0, |action| self.file.actions[action.index()].2)
    }
}

/// Ids of a type, by their position there: a type's are sorted, and those of a mind are its type's.
macro_rules! ids_of_the_type {
    ($($id:ident, $list:ident, $what:literal;)*) => {$(
        impl CodecIn<Known<'_>> for $id {
            fn encode_in(&self, to: &mut Encoder, known: &Known<'_>) {
                to.write(&known.own.$list.binary_search(self).unwrap_or(usize::MAX));
            }

            fn decode_in(from: &mut Decoder<'_>, known: &Known<'_>) -> Result<Self, DecodeError> {
                let all = &known.own.$list;
                from.below(all.len(), $what).map(|at| all[at])
            }
        }
    )*};
}

ids_of_the_type! {
    ActionId, actions, "action of the type";
    GoalId, goals, "goal of the type";
}

/// A check of the file.
impl CodecIn<Known<'_>> for CheckId {
    fn encode_in(&self, to: &mut Encoder, _: &Known<'_>) {
        to.write(self);
    }

    fn decode_in(from: &mut Decoder<'_>, known: &Known<'_>) -> Result<Self, DecodeError> {
        from.below(known.file.checks.len(), "check").map(CheckId::at)
    }
}
