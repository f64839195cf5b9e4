//! The machine word of the rule machine: where values, actions and open variables have their bits.
//!
//! In:   a compiled type whose actions are all moves of their own.
//! Out:  for each variable a field for its value, for each action the bit *still to do*, for each
//!       variable the bit *the goal leaves it open*; chains and loops as sets of such bits.
//! Cost: at load only; per variable the square of its values times the length of a chain.
//!
//! Unlike a packed state a field has no code for unknown: unknown values are found when states are
//! read, and never enter the machine.

use super::WideError;
use crate::tables::SoleSetters;
use throng_domain::compile::{LocalAction, LocalFact, LocalVariable, NpcTables, PackedValue};

/// Bits of the machine word.
pub(super) const WORD_BITS: usize = 64;

/// How many values a variable may have: sets of values are machine words.
pub(super) const MOST_VALUES: usize = 64;

/// One variable in the machine word.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) shift: u32,
    pub(super) width: u32,
    pub(super) size: PackedValue,
    /// Where the same variable lies in a packed state, and its bits there shifted down.
    pub(super) packed_shift: u32,
    pub(super) packed_mask: u64,
    /// By value: the action that sets it, if there is one.
    pub(super) setters: Vec<Option<LocalAction>>,
    /// By value: the actions that need it during themselves.
    pub(super) requesters: Vec<u64>,
    /// By value: the actions of the loop through it; none if there is no loop.
    pub(super) loops: Vec<u64>,
    chains: Vec<Option<u64>>,
}

/// One move.
#[derive(Clone, Debug)]
pub(super) struct Move {
    pub(super) variable: usize,
    pub(super) from: PackedValue,
    pub(super) to: PackedValue,
    /// What must hold during it, on other variables.
    pub(super) needs: Vec<LocalFact>,
}

/// The layout of the machine word and what moves in it.
#[derive(Clone, Debug)]
pub(super) struct Fields {
    pub(super) variables: Vec<Field>,
    /// By action; `None` for one that changes nothing and so is part of no plan.
    pub(super) moves: Vec<Option<Move>>,
    n_state_bits: u32,
}

impl Fields {
    pub(super) fn new(npc: &NpcTables) -> Result<Fields, WideError> {
        if let Some(action) = npc.local_actions().find(|&action| npc.counts(action)) {
            return Err(WideError::Counts { action });
        }
        let proof = SoleSetters::of_all(npc).ok_or(WideError::NotMoves)?;
        if npc.has_amounts() {
            // What stands still decides which actions are there, for each NPC by itself.
            return Err(WideError::Amounts);
        }
        if !npc.preferences().is_empty() {
            return Err(WideError::Wishes);
        }
        let variables = || npc.local_variables();
        if let Some(large) = variables().find(|&v| npc.n_values(v) > MOST_VALUES) {
            return Err(WideError::Values { variable: large, n_values: npc.n_values(large) });
        }
        let width = |v: LocalVariable| npc.n_values(v).next_power_of_two().trailing_zeros();
        let n_state_bits = variables().map(width).sum::<u32>();
        let bits = n_state_bits as usize + npc.n_actions() + npc.variables().len();
        if bits > WORD_BITS || npc.layout().n_words() != 1 {
            return Err(WideError::Bits { bits });
        }
        let mut fields =
            Fields { variables: Vec::new(), moves: vec![None; npc.n_actions()], n_state_bits };
        let mut shift = 0;
        for variable in variables() {
            let packed_mask = npc.layout().field_mask(variable.index());
            let n_values = npc.n_values(variable);
            let mut field = Field {
                shift,
                width: width(variable),
                size: n_values as PackedValue,
                packed_shift: packed_mask.trailing_zeros(),
                packed_mask: packed_mask >> packed_mask.trailing_zeros(),
                setters: vec![None; n_values],
                requesters: vec![0; n_values],
                loops: vec![0; n_values],
                chains: Vec::new(),
            };
            shift += field.width;
            for to in 0..n_values as PackedValue {
                let slot = npc.slot(LocalFact { variable, value: to });
                let Some((action, from)) = proof.setter_of(slot) else { continue };
                let others = npc.needs(action).iter().filter(|need| need.variable != variable);
                let needs = others.copied().collect();
                let step = Move { variable: variable.index(), from, to, needs };
                fields.moves[action.index()] = Some(step);
                field.setters[usize::from(to)] = Some(action);
            }
            fields.variables.push(field);
        }
        fields.add_requesters();
        (0..fields.variables.len()).for_each(|variable| fields.add_chains(variable));
        Ok(fields)
    }

    fn add_requesters(&mut self) {
        for (action, step) in self.moves.iter().enumerate() {
            for need in step.iter().flat_map(|step| &step.needs) {
                let field = &mut self.variables[need.variable.index()];
                field.requesters[usize::from(need.value)] |=
                    1 << (self.n_state_bits + action as u32);
            }
        }
    }

    fn add_chains(&mut self, variable: usize) {
        let n = self.variables[variable].size;
        for from in 0..n {
            for to in 0..n {
                let back = self.back(variable, from, to);
                let field = &mut self.variables[variable];
                field.chains.push(if from == to { Some(0) } else { back });
                if from == to {
                    field.loops[usize::from(from)] = back.unwrap_or(0);
                }
            }
        }
    }

    /// Backward from `to` until `from`, at least one step.
    fn back(&self, variable: usize, from: PackedValue, to: PackedValue) -> Option<u64> {
        let field = &self.variables[variable];
        let (mut chain, mut at) = (0, to);
        for _ in 0..field.size {
            let setter = field.setters[usize::from(at)]?;
            chain |= self.action(setter);
            at = self.moves[setter.index()].as_ref()?.from;
            if at == from {
                return Some(chain);
            }
        }
        None
    }

    /// The actions that carry a variable from one value to another; `None` if nothing does.
    pub(super) fn chain(&self, variable: usize, from: PackedValue, to: PackedValue) -> Option<u64> {
        let field = &self.variables[variable];
        field.chains[usize::from(from) * usize::from(field.size) + usize::from(to)]
    }

    /// The bits of all values together.
    pub(super) fn state_bits(&self) -> u64 {
        (1u64 << self.n_state_bits) - 1
    }

    pub(super) fn n_state_bits(&self) -> u32 {
        self.n_state_bits
    }

    pub(super) fn n_actions(&self) -> usize {
        self.moves.len()
    }

    /// The bits of all actions together.
    pub(super) fn action_bits(&self) -> u64 {
        low_bits(self.moves.len() as u32) << self.n_state_bits
    }

    /// The bit of an action: it is still to do.
    pub(super) fn action(&self, action: LocalAction) -> u64 {
        1 << (self.n_state_bits + action.0)
    }

    /// A set of actions, bit by id, as bits of the machine word.
    pub(super) fn actions(&self, mask: u64) -> u64 {
        (mask & low_bits(self.moves.len() as u32)) << self.n_state_bits
    }

    /// The place of a variable's open bit: the goal does not name it.
    pub(super) fn open_row(&self, variable: usize) -> u32 {
        self.n_state_bits + (self.moves.len() + variable) as u32
    }

    pub(super) fn open(&self, variable: usize) -> u64 {
        1 << self.open_row(variable)
    }

    /// The bits of a variable's value.
    pub(super) fn field_mask(&self, variable: usize) -> u64 {
        let field = &self.variables[variable];
        low_bits(field.width) << field.shift
    }

    /// A value of a variable as bits of the machine word.
    pub(super) fn code(&self, variable: usize, value: PackedValue) -> u64 {
        u64::from(value) << self.variables[variable].shift
    }

    /// The value of a variable in a machine word.
    pub(super) fn value(&self, variable: usize, word: u64) -> PackedValue {
        let field = &self.variables[variable];
        (word >> field.shift & low_bits(field.width)) as PackedValue
    }

    /// The values of a packed state as bits of the machine word; `None` if one is unknown.
    pub(super) fn unpacked(&self, packed: u64) -> Option<u64> {
        let mut word = 0;
        for field in &self.variables {
            let code = packed >> field.packed_shift & field.packed_mask;
            if code >= u64::from(field.size) {
                return None;
            }
            word |= code << field.shift;
        }
        Some(word)
    }
}

/// So many bits set, from the lowest; at most 64.
pub(super) fn low_bits(n: u32) -> u64 {
    if n >= 64 { u64::MAX } else { (1 << n) - 1 }
}
