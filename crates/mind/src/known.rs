//! What is known of a mind before its bytes are read: how many there are of everything.
//!
//! In:   the file that the mind is of, present or former, and its type.
//! Out:  bounds, and ids by position.
//! Cost: a look into a table.

use crate::former::{FormerType, Names};
use crate::orders::Stimulus;
use crate::pack::{Damaged, Packer, Unpacker};
use crate::spec::{NpcSpec, Spec, When};
use crate::time::Tick;
use throng_domain::compile::NpcType;
use throng_domain::model::{ActionId, CheckId, GoalId, NpcId, VariableId};

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
    pub(crate) fn known(self, npc: NpcId, now: Tick) -> Known<'s> {
        let of = match self {
            File::Present(spec) => Of::Present(spec, spec.domain.npc(npc), &spec.npcs[npc.index()]),
            File::Former(names) => Of::Former(names, &names.npcs[npc.index()]),
        };
        Known { of, npc, now }
    }
}

#[derive(Clone, Copy)]
enum Of<'s> {
    Present(&'s Spec, &'s NpcType, &'s NpcSpec),
    Former(&'s Names, &'s FormerType),
}

/// A type of a file, at a moment.
pub(crate) struct Known<'s> {
    of: Of<'s>,
    pub(crate) npc: NpcId,
    pub(crate) now: Tick,
}

impl<'s> Known<'s> {
    /// What the file in force says; `None` for a former one.
    pub(crate) fn present(&self) -> Option<(&'s Spec, &'s NpcType)> {
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

    pub(crate) fn n_sensors(&self) -> usize {
        match self.of {
            Of::Present(_, _, own) => own.sensors.len(),
            Of::Former(_, own) => own.sensors,
        }
    }

    /// A sensor by position in its file, from one by position in its type.
    pub(crate) fn sensor(&self, at: usize) -> u16 {
        match self.of {
            Of::Present(_, _, own) => own.sensors[at],
            // Nobody asks: what waits is carried over, sensors are not.
            Of::Former(..) => 0,
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

    /// How many parts an action has.
    pub(crate) fn n_parts(&self, action: ActionId) -> usize {
        match self.of {
            Of::Present(spec, ..) => spec.action(action).parts.len(),
            Of::Former(names, _) => names.actions[action.index()].1,
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

    /// An action of the type; 0 for none.
    pub(crate) fn pack_action(&self, action: Option<ActionId>, to: &mut Packer) {
        let kind = self.present().map(|(_, kind)| kind);
        let local = kind.zip(action).and_then(|(kind, action)| kind.local_action(action));
        to.number(local.map_or(0, |local| local.index() as u64 + 1));
    }

    pub(crate) fn action(&self, from: &mut Unpacker<'_>) -> Result<Option<ActionId>, Damaged> {
        let at = from.below(self.actions().len() + 1, "action of the type")?;
        Ok(at.checked_sub(1).map(|at| self.actions()[at]))
    }

    pub(crate) fn certain_action(&self, from: &mut Unpacker<'_>) -> Result<ActionId, Damaged> {
        match self.action(from)? {
            Some(action) => Ok(action),
            None => from.damaged("action of the type"),
        }
    }

    /// A goal of the type; 0 for none.
    pub(crate) fn pack_goal(&self, goal: Option<GoalId>, to: &mut Packer) {
        let at = goal.and_then(|goal| self.goals().iter().position(|own| *own == goal));
        to.number(at.map_or(0, |at| at as u64 + 1));
    }

    pub(crate) fn goal(&self, from: &mut Unpacker<'_>) -> Result<Option<GoalId>, Damaged> {
        let at = from.below(self.goals().len() + 1, "goal of the type")?;
        Ok(at.checked_sub(1).map(|at| self.goals()[at]))
    }
}
