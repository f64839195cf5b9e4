//! Tables of a small NPC type whose actions are all *moves*: at most 64 actions and one word of
//! state, every action changes one variable from one value, no two set the same value.
//!
//! In:   the compiled type.
//! Out:  sets of actions as machine words: the way from any value to any other, the loop through
//!       a value, who sets and who needs a slot; conditions and changes as masks of the state.
//! Cost: for each variable the square of its values, times the length of the way.
//!
//! Made once at load. A mask of enabled actions only takes actions away, so the tables serve
//! every mask.

use super::as_move;
use throng_domain::compile::{LocalAction, LocalFact, LocalVariable, NpcTables, PackedValue};

/// There is no way from the one value to the other.
pub const NO_WAY: u64 = u64::MAX;

/// Ways are written down for all pairs of values, but never more than this many per action, so
/// that the tables stay linear in the text whatever a stranger declares.
const WAYS_PER_ACTION: usize = 64;

/// One action as masks of the packed state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SmallMove {
    /// The bits of the state that it looks at.
    pub look: u64,
    /// What it must see there.
    pub see: u64,
    /// The bits that stay.
    pub keep: u64,
    /// The bits it writes.
    pub write: u64,
    /// The actions that need the value it leaves.
    pub needs_left: u64,
    /// The action that sets the value it leaves, as a set of one or none.
    pub brings_back: u64,
    /// Its price in thousandths, as the domain says.
    pub cost: u64,
    needs: (u32, u32),
}

/// A value that must hold during an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SmallNeed {
    /// The bits of the state to look at.
    pub look: u64,
    /// What to see there.
    pub see: u64,
    /// The action that sets the value, as a set of one or none.
    pub setter: u64,
    /// The variable.
    pub variable: u32,
    /// Its value.
    pub value: PackedValue,
}

/// A variable of a small type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct SmallVariable {
    shift: u32,
    /// The bits of its value, shifted down.
    mask: u64,
    size: u32,
    way_start: u32,
    slot_start: u32,
    /// The actions that move it.
    own: u64,
}

/// The tables of a small type of moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SmallMoves {
    moves: Vec<SmallMove>,
    /// By action, the slot it leaves.
    leaves: Vec<u32>,
    needs: Vec<SmallNeed>,
    variables: Vec<SmallVariable>,
    ways: Vec<u64>,
    loops: Vec<u64>,
    setter: Vec<u64>,
    requesters: Vec<u64>,
}

impl SmallMoves {
    /// The tables, if the type is small and all its actions are moves with values of their own.
    pub(super) fn new(npc: &NpcTables) -> Option<SmallMoves> {
        let n_variables = npc.variables().len();
        let fits = npc.n_actions() <= 64 && npc.layout().n_words() == 1 && n_variables <= 64;
        // Who plans by these asks for no problem, which would see what amounts forbid.
        let fits = fits && !npc.has_amounts();
        let ways: usize = npc.local_variables().map(|v| npc.n_values(v).saturating_pow(2)).sum();
        if !fits || ways > WAYS_PER_ACTION * npc.n_actions() {
            return None;
        }
        let mut tables = SmallMoves {
            moves: Vec::with_capacity(npc.n_actions()),
            leaves: Vec::with_capacity(npc.n_actions()),
            needs: Vec::new(),
            variables: npc.local_variables().map(|v| SmallVariable::new(npc, v)).collect(),
            ways: Vec::new(),
            loops: vec![0; npc.n_slots()],
            setter: vec![0; npc.n_slots()],
            requesters: vec![0; npc.n_slots()],
        };
        for action in npc.local_actions() {
            tables.add_move(npc, action)?;
        }
        for (step, &leaves) in tables.moves.iter_mut().zip(&tables.leaves) {
            step.needs_left = tables.requesters[leaves as usize];
            step.brings_back = tables.setter[leaves as usize];
        }
        for need in &mut tables.needs {
            let slot = tables.variables[need.variable as usize].slot_start + u32::from(need.value);
            need.setter = tables.setter[slot as usize];
        }
        for variable in 0..n_variables {
            tables.add_ways(variable);
        }
        Some(tables)
    }

    fn add_move(&mut self, npc: &NpcTables, action: LocalAction) -> Option<()> {
        if npc.sets(action).is_empty() {
            // Part of no plan; only its place is kept.
            self.moves.push(SmallMove { keep: u64::MAX, ..SmallMove::default() });
            self.leaves.push(0);
            return Some(());
        }
        let (set, source) = as_move(npc, action)?;
        let bit = 1u64 << action.0;
        let slot = npc.slot(set);
        if self.setter[slot] != 0 {
            return None;
        }
        self.setter[slot] = bit;
        self.variables[set.variable.index()].own |= bit;
        let layout = npc.layout();
        let first = self.needs.len() as u32;
        let (mut look, mut see) = (0, 0);
        for need in npc.needs(action) {
            let mask = layout.field_mask(need.variable.index());
            let bits = layout.field_bits(need.variable.index(), need.value);
            (look, see) = (look | mask, see | bits);
            if need.variable == set.variable {
                continue;
            }
            self.requesters[npc.slot(*need)] |= bit;
            self.needs.push(SmallNeed {
                look: mask,
                see: bits,
                setter: 0,
                variable: need.variable.0,
                value: need.value,
            });
        }
        let leaves = npc.slot(LocalFact { variable: set.variable, value: source });
        self.leaves.push(leaves as u32);
        self.moves.push(SmallMove {
            look,
            see,
            keep: !layout.field_mask(set.variable.index()),
            write: layout.field_bits(set.variable.index(), set.value),
            cost: npc.cost(action),
            needs: (first, self.needs.len() as u32),
            ..SmallMove::default()
        });
        Some(())
    }

    /// All ways between values of a variable, and the loops through them.
    fn add_ways(&mut self, variable: usize) {
        self.variables[variable].way_start = self.ways.len() as u32;
        let SmallVariable { size, slot_start, .. } = self.variables[variable];
        let (base, n) = (slot_start as usize, size as usize);
        for from in 0..n {
            for to in 0..n {
                let way = self.back(base, n, from, to);
                self.ways.push(if from == to { 0 } else { way.unwrap_or(NO_WAY) });
                if from == to {
                    self.loops[base + from] = way.unwrap_or(0);
                }
            }
        }
    }

    /// Backward from `to` until `from`, at least one step.
    fn back(&self, base: usize, n: usize, from: usize, to: usize) -> Option<u64> {
        let mut way = 0;
        let mut at = to;
        for _ in 0..n {
            let setter = self.setter[base + at];
            if setter == 0 {
                return None;
            }
            way |= setter;
            at = self.leaves[setter.trailing_zeros() as usize] as usize - base;
            if at == from {
                return Some(way);
            }
        }
        None
    }

    /// One action.
    pub fn action(&self, action: u32) -> &SmallMove {
        &self.moves[action as usize]
    }

    /// What must hold during an action.
    pub fn needs(&self, action: u32) -> &[SmallNeed] {
        let (first, last) = self.moves[action as usize].needs;
        &self.needs[first as usize..last as usize]
    }

    /// The value of a variable in a packed state; `None` if unknown.
    pub fn value(&self, variable: u32, state: u64) -> Option<PackedValue> {
        let variable = &self.variables[variable as usize];
        let code = state >> variable.shift & variable.mask;
        (code < u64::from(variable.size)).then_some(code as PackedValue)
    }

    /// The actions on the way between two values of a variable, or [`NO_WAY`].
    pub fn way(&self, variable: u32, from: PackedValue, to: PackedValue) -> u64 {
        let variable = &self.variables[variable as usize];
        let at = variable.way_start + u32::from(from) * variable.size + u32::from(to);
        self.ways[at as usize]
    }

    /// The actions of the loop through a value; none if there is no loop.
    pub fn loop_through(&self, variable: u32, value: PackedValue) -> u64 {
        let slot = self.variables[variable as usize].slot_start + u32::from(value);
        self.loops[slot as usize]
    }

    /// The actions that move a variable.
    pub fn own(&self, variable: u32) -> u64 {
        self.variables[variable as usize].own
    }
}

impl SmallVariable {
    fn new(npc: &NpcTables, variable: LocalVariable) -> Self {
        let mask = npc.layout().field_mask(variable.index());
        SmallVariable {
            shift: mask.trailing_zeros(),
            mask: mask >> mask.trailing_zeros(),
            size: npc.n_values(variable) as u32,
            way_start: 0,
            slot_start: npc.slot(LocalFact { variable, value: 0 }) as u32,
            own: 0,
        }
    }
}
