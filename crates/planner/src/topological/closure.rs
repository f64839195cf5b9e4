//! Which actions every plan must contain.
//!
//! In:   the moves, a start, a goal.
//! Out:  for every variable its *walk*: once around the loop through its start value if that
//!       is needed, then the path to its end. The walks together are the multiset K.
//! Cost: each action of K and each of its needs once; no allocation once warm.
//!
//! Walking backward from a value is forced: it has one setter, which has one source. So a plan
//! moves a variable by loops and one path, and nothing else. Begin with the paths to the goal;
//! whatever an action needs during itself must lie on the walk of that variable, which grows
//! by its loop, or, if the goal leaves it open, by a longer path. What cannot be made to lie
//! there is impossible for every planner. So K is in every plan, and its cost is a lower bound.

use super::moves::MoveTable;
use crate::relaxed::known_facts;
use crate::tables::DenseMoves;
use throng_base::reset;
use throng_domain::compile::{
    LocalAction, LocalFact, LocalVariable, NpcTables, PackedValue, UNKNOWN,
};

/// A slot's part in the walk of its variable.
const ON_PATH: u8 = 1;
const ON_LOOP: u8 = 2;
const REQUESTED: u8 = 4;

/// The walk of one variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk {
    pub(super) end: PackedValue,
    /// The goal names its end; otherwise it may grow.
    pub(super) closed: bool,
    /// It goes once around the loop of the variable.
    pub(super) looped: bool,
}

/// The slot of a variable's first value; those of the others follow.
fn first_slot(npc: &NpcTables, variable: LocalVariable) -> usize {
    npc.slot(LocalFact { variable, value: 0 })
}

/// Why there is no plan, for any planner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct OffTheWay {
    /// What is needed.
    pub(super) needed: LocalFact,
    /// Who needs it; `None` for the goal.
    pub(super) by: Option<LocalAction>,
}

/// The walks of a problem, kept between calls.
#[derive(Clone, Debug, Default)]
pub(super) struct Closure {
    start: Vec<PackedValue>,
    pub(super) walks: Vec<Walk>,
    marks: Vec<u8>,
    /// Variables whose walk is not empty, in order of first need.
    pub(super) moved: Vec<LocalVariable>,
    /// Actions whose needs are still to be looked at, each with the variable it moves.
    open: Vec<(LocalAction, LocalVariable)>,
    /// The way back from a fact: the action that sets a value, and the value.
    steps: Vec<(LocalAction, PackedValue)>,
    cost: u64,
    /// For types with rows of bits: the slots that the walks pass, and those requested.
    passed: Vec<u64>,
    requested: Vec<u64>,
}

impl Closure {
    /// Computes the walks from a state to a goal; gives the cost of K.
    pub(super) fn close(
        &mut self,
        table: &MoveTable<'_>,
        start: &[PackedValue],
        goal: &[LocalFact],
    ) -> Result<u64, OffTheWay> {
        let npc = table.npc;
        start.clone_into(&mut self.start);
        self.walks.clear();
        self.walks.extend(start.iter().map(|&end| Walk { end, closed: false, looped: false }));
        reset(&mut self.marks, npc.n_slots(), 0);
        self.moved.clear();
        self.open.clear();
        self.cost = 0;
        self.begin_rows(table);
        for &wanted in goal {
            self.extend(table, wanted, None)?;
            self.walks[wanted.variable.index()].closed = true;
        }
        while let Some((action, own)) = self.open.pop() {
            if let Some(bits) = table.bits {
                self.request_missing(table, bits, action)?;
                continue;
            }
            for &need in npc.needs(action).iter().filter(|need| need.variable != own) {
                self.request(table, need, action)?;
            }
        }
        Ok(self.cost)
    }

    /// Readies the rows of bits, if the type has them.
    fn begin_rows(&mut self, table: &MoveTable<'_>) {
        let words = table.bits.map_or(0, DenseMoves::slot_words);
        for row in [&mut self.passed, &mut self.requested] {
            reset(row, words, 0);
        }
        if words == 0 {
            return;
        }
        for slot in known_facts(&self.start).map(|fact| table.npc.slot(fact)) {
            self.passed[slot / 64] |= 1 << (slot % 64);
        }
    }

    /// Requests what an action needs and no walk passes; 64 slots at a time.
    fn request_missing(
        &mut self,
        table: &MoveTable<'_>,
        bits: &DenseMoves,
        action: LocalAction,
    ) -> Result<(), OffTheWay> {
        for (word, &needs) in bits.needs(action).iter().enumerate() {
            self.requested[word] |= needs;
            loop {
                let missing = needs & !self.passed[word];
                if missing == 0 {
                    break;
                }
                let slot = word * 64 + missing.trailing_zeros() as usize;
                self.request(table, bits.fact(slot), action)?;
                self.passed[word] |= missing & missing.wrapping_neg();
            }
        }
        Ok(())
    }

    fn mark(&mut self, npc: &NpcTables, fact: LocalFact, mark: u8) {
        let slot = npc.slot(fact);
        self.marks[slot] |= mark;
        if let Some(word) = self.passed.get_mut(slot / 64) {
            *word |= u64::from(mark & (ON_PATH | ON_LOOP) != 0) << (slot % 64);
        }
    }

    /// Whether an action of K needs it during itself.
    pub(super) fn is_requested(&self, npc: &NpcTables, fact: LocalFact) -> bool {
        let slot = npc.slot(fact);
        match self.requested.get(slot / 64) {
            Some(word) => word >> (slot % 64) & 1 == 1,
            None => self.marks[slot] & REQUESTED != 0,
        }
    }

    fn has(&self, npc: &NpcTables, fact: LocalFact, mark: u8) -> bool {
        self.marks[npc.slot(fact)] & mark != 0
    }

    fn request(
        &mut self,
        table: &MoveTable<'_>,
        need: LocalFact,
        by: LocalAction,
    ) -> Result<(), OffTheWay> {
        let npc = table.npc;
        let marks = &mut self.marks[npc.slot(need)];
        let before = *marks;
        *marks |= REQUESTED;
        if need.value == self.start[need.variable.index()] || before & (ON_PATH | ON_LOOP) != 0 {
            return Ok(());
        }
        let fail = OffTheWay { needed: need, by: Some(by) };
        if !self.walks[need.variable.index()].closed {
            return self.extend(table, need, Some(by));
        }
        match self.add_loop(table, need.variable) && self.has(npc, need, ON_LOOP) {
            true => Ok(()),
            false => Err(fail),
        }
    }

    /// Makes an open walk pass `fact`, or end there if it is the goal.
    fn extend(
        &mut self,
        table: &MoveTable<'_>,
        fact: LocalFact,
        by: Option<LocalAction>,
    ) -> Result<(), OffTheWay> {
        let npc = table.npc;
        let variable = fact.variable;
        let start = self.start[variable.index()];
        let end = self.walks[variable.index()].end;
        let fail = OffTheWay { needed: fact, by };
        if fact.value == start {
            return Ok(());
        }
        if start == UNKNOWN {
            return Err(fail);
        }
        // Back from the fact to the walk so far.
        let (base, n_values) = (first_slot(npc, variable), npc.n_values(variable));
        self.steps.clear();
        let mut value = fact.value;
        let joint = loop {
            let slot = base + usize::from(value);
            if value == start || self.marks[slot] & ON_PATH != 0 {
                break value;
            }
            let Some((action, source)) = table.setter_of(slot) else { return Err(fail) };
            if self.steps.len() >= n_values {
                return Err(fail);
            }
            self.steps.push((action, value));
            value = source;
        };
        let branches_off = joint != end;
        if branches_off {
            // The walk so far goes on elsewhere from the joint. Only a loop can serve both.
            if !self.add_loop(table, variable) {
                return Err(fail);
            }
            if self.has(npc, fact, ON_LOOP) {
                return Ok(());
            }
            let end_on_loop =
                end == start || self.has(npc, LocalFact { variable, value: end }, ON_LOOP);
            if !end_on_loop {
                return Err(fail);
            }
            return self.end_anew(table, fact).ok_or(fail);
        }
        self.take_steps(table, fact);
        Ok(())
    }

    /// Adds the collected steps (last first) to the path and ends it at `fact`.
    fn take_steps(&mut self, table: &MoveTable<'_>, fact: LocalFact) {
        let variable = fact.variable;
        let walk = self.walks[variable.index()];
        if walk.end == self.start[variable.index()] && !walk.looped && !self.steps.is_empty() {
            self.moved.push(variable);
        }
        let base = first_slot(table.npc, variable);
        for &(action, value) in &self.steps {
            let slot = base + usize::from(value);
            self.marks[slot] |= ON_PATH;
            if let Some(word) = self.passed.get_mut(slot / 64) {
                *word |= 1 << (slot % 64);
            }
            self.cost = self.cost.saturating_add(table.step_cost(action));
        }
        self.open.extend(self.steps.iter().map(|&(action, _)| (action, variable)));
        self.walks[variable.index()].end = fact.value;
    }

    /// Replaces the path by the one from the start to `fact`; the loop covers the old one.
    fn end_anew(&mut self, table: &MoveTable<'_>, fact: LocalFact) -> Option<()> {
        let variable = fact.variable;
        let start = self.start[variable.index()];
        let mut at = LocalFact { variable, value: self.walks[variable.index()].end };
        while at.value != start {
            let (action, source) = table.into(at)?;
            self.marks[table.npc.slot(at)] &= !ON_PATH;
            self.cost = self.cost.saturating_sub(table.step_cost(action));
            at.value = source;
        }
        self.steps.clear();
        let mut at = fact;
        while at.value != start {
            let (action, source) = table.into(at)?;
            if self.steps.len() > table.npc.n_values(variable) {
                return None;
            }
            self.steps.push((action, at.value));
            at.value = source;
        }
        self.walks[variable.index()].end = start;
        self.take_steps(table, fact);
        Some(())
    }

    /// Takes the loop through the start value once; `false` if there is none.
    fn add_loop(&mut self, table: &MoveTable<'_>, variable: LocalVariable) -> bool {
        let walk = self.walks[variable.index()];
        if walk.looped {
            return true;
        }
        let Some(length) = self.loop_length(table, variable) else { return false };
        let start = self.start[variable.index()];
        if walk.end == start {
            self.moved.push(variable);
        }
        let mut at = LocalFact { variable, value: start };
        for _ in 0..length {
            let Some((action, source)) = table.into(at) else { return false };
            self.mark(table.npc, at, ON_LOOP);
            self.cost = self.cost.saturating_add(table.step_cost(action));
            self.open.push((action, variable));
            at.value = source;
        }
        self.walks[variable.index()].looped = true;
        true
    }

    /// How many actions the loop through the start value has.
    pub(super) fn loop_length(
        &self,
        table: &MoveTable<'_>,
        variable: LocalVariable,
    ) -> Option<usize> {
        let start = self.start[variable.index()];
        if start == UNKNOWN {
            return None;
        }
        let mut at = LocalFact { variable, value: start };
        for length in 1..=table.npc.n_values(variable) {
            let (_, source) = table.into(at)?;
            if source == start {
                return Some(length);
            }
            at.value = source;
        }
        None
    }

    /// Writes the actions of a variable's walk in order.
    pub(super) fn walk(
        &self,
        table: &MoveTable<'_>,
        variable: LocalVariable,
        actions: &mut Vec<LocalAction>,
    ) {
        let start = self.start[variable.index()];
        let walk = self.walks[variable.index()];
        let base = first_slot(table.npc, variable);
        let mut back = |from: PackedValue, whole_loop: bool| {
            let first = actions.len();
            let mut value = from;
            let mut entered = !whole_loop;
            while !entered || value != start {
                entered = true;
                let slot = base + usize::from(value);
                let Some((action, source)) = table.setter_of(slot) else { break };
                actions.push(action);
                value = source;
            }
            actions[first..].reverse();
        };
        if walk.looped {
            back(start, true);
        }
        back(walk.end, false);
    }

    /// Whether at most one value is requested of every loop through a start value: then more
    /// loops cannot help, and an order that fails is a proof.
    pub(super) fn one_request_per_loop(&self, table: &MoveTable<'_>) -> bool {
        (0..self.start.len()).all(|at| {
            let variable = LocalVariable(at as u32);
            let Some(length) = self.loop_length(table, variable) else { return true };
            let mut requested = 0;
            let mut fact = LocalFact { variable, value: self.start[at] };
            for _ in 0..length {
                requested += u32::from(self.is_requested(table.npc, fact));
                match table.into(fact) {
                    Some((_, source)) => fact.value = source,
                    None => return true,
                }
            }
            requested <= 1
        })
    }
}
