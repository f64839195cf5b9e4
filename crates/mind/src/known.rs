//! What is known of a mind before its bytes are read: how many there are of everything.
//!
//! In:   the file that the mind is of, present or former, and its type.
//! Out:  bounds, and ids by position.
//! Cost: a look into a table.

use crate::events::Activity;
use crate::former::{FormerType, Names};
use crate::orders::Stimulus;
use crate::spec::{NpcSpec, Spec, When};
use crate::time::Tick;
use throng_base::codec::{CodecIn, DecodeError, Decoder, Encoder};
use throng_domain::compile::NpcTables;
use throng_domain::model::{ActionId, CheckId, GoalId, NpcTypeId, VariableId};

/// A file that minds are of.
#[derive(Clone, Copy)]
pub(crate) enum File<'s> {
    /// The one in force.
    Present(&'s Spec),
    /// Another version: what is read is in its numbers, and can only be carried over.
    Former(&'s Names),
}

impl<'s> File<'s> {
    pub(crate) fn n_types(self) -> usize {
        match self {
            File::Present(spec) => spec.npcs.len(),
            File::Former(names) => names.npcs.len(),
        }
    }

    /// For a type that the file has.
    pub(crate) fn known(self, npc: NpcTypeId, now: Tick) -> Known<'s> {
        let of = match self {
            File::Present(spec) => Of::Present(spec, spec.domain.npc(npc), &spec.npcs[npc.index()]),
            File::Former(names) => Of::Former(names, &names.npcs[npc.index()]),
        };
        Known { of, npc, now }
    }
}

#[derive(Clone, Copy)]
enum Of<'s> {
    Present(&'s Spec, &'s NpcTables, &'s NpcSpec),
    Former(&'s Names, &'s FormerType),
}

/// A sensor of a type, by position in its file, at a moment.
#[derive(Clone, Copy)]
pub(crate) struct SensorOf {
    pub(crate) at: u16,
    pub(crate) now: Tick,
}

/// A type of a file, at a moment.
pub(crate) struct Known<'s> {
    of: Of<'s>,
    pub(crate) npc: NpcTypeId,
    pub(crate) now: Tick,
}

impl<'s> Known<'s> {
    /// What the file in force says; `None` for a former one.
    pub(crate) fn present(&self) -> Option<(&'s Spec, &'s NpcTables)> {
        match self.of {
            Of::Present(spec, kind, _) => Some((spec, kind)),
            Of::Former(..) => None,
        }
    }

    pub(crate) fn memory(&self) -> usize {
        match self.of {
            Of::Present(_, _, own) => own.memory,
            Of::Former(_, own) => own.memory,
        }
    }

    /// The sensors of the type.
    pub(crate) fn sensors(&self) -> Vec<SensorOf> {
        let of = |at| SensorOf { at, now: self.now };
        match self.of {
            Of::Present(_, _, own) => own.sensors.iter().copied().map(of).collect(),
            // Nobody asks which: what waits is carried over, sensors are not.
            Of::Former(_, own) => vec![of(0); own.sensors],
        }
    }

    /// Whether a sensor of the type runs on this: only then it takes it out again.
    pub(crate) fn runs_on(&self, at: usize, stimulus: &Stimulus) -> bool {
        match self.of {
            Of::Present(spec, _, own) => own.sensors.get(at).is_some_and(|&sensor| {
                spec.sensors[usize::from(sensor)].when == When::On(stimulus.kind)
            }),
            Of::Former(_, own) => at < own.sensors,
        }
    }

    pub(crate) fn n_variables(&self) -> usize {
        match self.of {
            Of::Present(spec, ..) => spec.domain.map().n_variables(),
            Of::Former(names, _) => names.variables.len(),
        }
    }

    pub(crate) fn n_values(&self, variable: VariableId) -> usize {
        match self.of {
            Of::Present(spec, ..) => spec.domain.map().values(variable).len(),
            Of::Former(names, _) => names.variables[variable.index()].1.len(),
        }
    }

    pub(crate) fn n_checks(&self) -> usize {
        match self.of {
            Of::Present(spec, ..) => spec.domain.map().n_checks(),
            Of::Former(names, _) => names.checks.len(),
        }
    }

    pub(crate) fn checks(&self) -> impl Iterator<Item = CheckId> + use<> {
        (0..self.n_checks()).map(CheckId::at)
    }

    /// The variables of all symbols.
    pub(crate) fn n_symbols(&self) -> usize {
        match self.of {
            Of::Present(spec, ..) => spec.symbols.len(),
            Of::Former(names, _) => names.symbols.len(),
        }
    }

    pub(crate) fn symbol(&self, at: usize) -> VariableId {
        match self.of {
            Of::Present(spec, ..) => spec.symbols[at].variable,
            Of::Former(names, _) => names.symbols[at],
        }
    }

    pub(crate) fn n_learns(&self) -> usize {
        match self.of {
            Of::Present(spec, ..) => spec.learns.len(),
            Of::Former(names, _) => names.learns.len(),
        }
    }

    pub(crate) fn n_flavours(&self) -> usize {
        match self.of {
            Of::Present(spec, ..) => spec.flavours.len(),
            Of::Former(names, _) => names.flavours,
        }
    }

    pub(crate) fn otherwise(&self) -> Option<ActionId> {
        match self.of {
            Of::Present(_, _, own) => own.otherwise,
            Of::Former(_, own) => own.otherwise,
        }
    }

    /// How many parts something under way has.
    pub(crate) fn n_parts(&self, doing: Activity) -> usize {
        match (doing, self.of) {
            (Activity::Flavour(_), _) => 0,
            (Activity::Step(action) | Activity::Otherwise(action), Of::Present(spec, ..)) => {
                spec.action(action).parts.len()
            }
            (Activity::Step(action) | Activity::Otherwise(action), Of::Former(names, _)) => {
                names.actions[action.index()].1
            }
        }
    }

    /// The actions of the type.
    pub(crate) fn actions(&self) -> &'s [ActionId] {
        match self.of {
            Of::Present(_, kind, _) => kind.actions(),
            Of::Former(_, own) => &own.actions,
        }
    }

    /// The goals of the type.
    pub(crate) fn goals(&self) -> &'s [GoalId] {
        match self.of {
            Of::Present(_, kind, _) => kind.goals(),
            Of::Former(_, own) => &own.goals,
        }
    }
}

/// An action of the type; 0 for none.
impl CodecIn<Known<'_>> for Option<ActionId> {
    fn encode_in(&self, to: &mut Encoder, known: &Known<'_>) {
        let kind = known.present().map(|(_, kind)| kind);
        let local = kind.zip(*self).and_then(|(kind, action)| kind.local_action(action));
        to.number(local.map_or(0, |local| local.index() as u64 + 1));
    }

    fn decode_in(from: &mut Decoder<'_>, known: &Known<'_>) -> Result<Self, DecodeError> {
        let at = from.below(known.actions().len() + 1, "action of the type")?;
        Ok(at.checked_sub(1).map(|at| known.actions()[at]))
    }
}

impl CodecIn<Known<'_>> for ActionId {
    fn encode_in(&self, to: &mut Encoder, known: &Known<'_>) {
        Some(*self).encode_in(to, known);
    }

    fn decode_in(from: &mut Decoder<'_>, known: &Known<'_>) -> Result<Self, DecodeError> {
        let action: Option<ActionId> = from.read_in(known)?;
        action.map_or_else(|| from.error("action of the type"), Ok)
    }
}

/// A goal of the type; 0 for none.
impl CodecIn<Known<'_>> for Option<GoalId> {
    fn encode_in(&self, to: &mut Encoder, known: &Known<'_>) {
        let at = self.and_then(|goal| known.goals().iter().position(|own| *own == goal));
        to.number(at.map_or(0, |at| at as u64 + 1));
    }

    fn decode_in(from: &mut Decoder<'_>, known: &Known<'_>) -> Result<Self, DecodeError> {
        let at = from.below(known.goals().len() + 1, "goal of the type")?;
        Ok(at.checked_sub(1).map(|at| known.goals()[at]))
    }
}
