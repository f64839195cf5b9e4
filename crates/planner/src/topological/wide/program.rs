//! The rules of a type as lists of rows, for one goal or for a list of goals.
//!
//! In:   the machine and the goals.
//! Out:  the same machine, with only what these goals can ever use: which actions can be needed,
//!       which conditions can differ, which positions of the word can fire.
//! Cost: at load; for few states all are tried, otherwise one step per rule.
//!
//! A block of NPCs is a table of [`ROWS`] rows with one bit per NPC: the bits of the machine word,
//! the goal's values, the actions that are there, and where the machine began. A condition is a
//! list of rows that must be set and a list of rows that must not.

use super::covers::{Cube, cover};
use super::fields::low_bits;
use super::goal::GoalWord;
use super::machine::Machine;
use super::word::numbered_state;
use throng_base::ones;

/// How many rows a block has: every byte names one.
pub(super) const ROWS: usize = 256;
/// The rows of the goal's values begin here, in the order of the machine word.
pub(super) const GOAL: u32 = 64;
/// The rows of the actions that are there begin here, by action.
pub(super) const ENABLED: u32 = 128;
/// The machine word before anything ran. While states are read, the rows of packed states.
pub(super) const BEGIN: u32 = 192;

/// All pairs of state and goal are tried up to so many.
const MOST_TRIED: u64 = 1 << 14;

/// A part of a list of rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Span {
    start: u32,
    end: u32,
}

/// Rows that must be set, and rows that must not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Condition {
    pub(super) set: Span,
    pub(super) unset: Span,
}

/// Lists of rows, one behind the other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Lists(Vec<u8>);

impl Lists {
    pub(super) fn rows(&self, span: Span) -> &[u8] {
        self.0.get(span.start as usize..span.end as usize).unwrap_or(&[])
    }

    pub(super) fn add(&mut self, rows: impl Iterator<Item = u32>) -> Span {
        let start = self.0.len() as u32;
        self.0.extend(rows.map(|row| row as u8));
        Span { start, end: self.0.len() as u32 }
    }

    /// The rows of bits, the first of them at `base`.
    pub(super) fn add_bits(&mut self, base: u32, bits: u64) -> Span {
        self.add(ones(bits).map(|bit| base + bit as u32))
    }

    /// Literals: `care` and `want` from row `base` on, and more of the same.
    pub(super) fn condition(&mut self, parts: &[(u32, u64, u64)]) -> Condition {
        let bits = |care: fn(u64, u64) -> u64| {
            let rows = move |&(base, cares, wants): &(u32, u64, u64)| {
                ones(care(cares, wants)).map(move |bit| base + bit as u32)
            };
            parts.iter().flat_map(rows)
        };
        let set = self.add(bits(|care, want| care & want));
        let unset = self.add(bits(|care, want| care & !want));
        Condition { set, unset }
    }
}

/// A cube of a variable's value as bits of the machine word.
pub(super) fn placed(cube: Cube, shift: u32) -> (u64, u64) {
    (u64::from(cube.care) << shift, u64::from(cube.want) << shift)
}

/// An action that is to be done at first: where one of the conditions holds.
#[derive(Clone, Debug)]
pub(super) struct Init {
    pub(super) row: u8,
    pub(super) conditions: Vec<Condition>,
}

/// A closure rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closing {
    pub(super) condition: Condition,
    pub(super) any: Span,
    pub(super) set: Span,
    pub(super) segment: u32,
    pub(super) repeats: bool,
}

/// A position of the word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    pub(super) position: u8,
    pub(super) condition: Condition,
    pub(super) flip: Span,
}

/// A bit of the end that must be as the goal has it, unless the variable is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct EndBit {
    pub(super) row: u8,
    pub(super) goal_row: u8,
    /// The row of the open bit, if it can be set.
    pub(super) open_row: Option<u8>,
}

/// What a block does for some goals.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    pub(super) lists: Lists,
    pub(super) inits: Vec<Init>,
    pub(super) closing: Vec<Closing>,
    pub(super) order: Vec<Position>,
    /// The actions that can be needed, as bits of the machine word.
    pub(super) can_need: u64,
    /// Rows that must be set or unset at the end for every goal.
    pub(super) end: Condition,
    pub(super) end_bits: Vec<EndBit>,
}

/// What some goals want of one variable.
#[derive(Clone, Copy, Default)]
struct Wanted {
    values: u64,
    can_be_open: bool,
}

impl Program {
    pub(super) fn new(machine: &Machine, goals: &[&GoalWord]) -> Program {
        let mut wanted = vec![Wanted::default(); machine.fields.variables.len()];
        for goal in goals {
            for (all, want) in wanted.iter_mut().zip(&goal.wants) {
                match want {
                    Some(value) => all.values |= 1 << value,
                    None => all.can_be_open = true,
                }
            }
        }
        let can_need = goals.iter().fold(0, |all, goal| all | can_need(machine, goal));
        let mut program = Program { can_need, ..Program::default() };
        program.add_inits(machine, &wanted);
        program.add_closing(machine, &wanted);
        program.add_order(machine, goals);
        program.add_end(machine, &wanted);
        program
    }

    fn add_inits(&mut self, machine: &Machine, wanted: &[Wanted]) {
        let fields = &machine.fields;
        for row in ones(self.can_need).map(|row| row as u32) {
            let action = row - fields.n_state_bits();
            let Some(step) = &fields.moves[action as usize] else { continue };
            let (variable, wants) = (step.variable, wanted[step.variable]);
            let field = &fields.variables[variable];
            let open = if wants.can_be_open { fields.open(variable) } else { 0 };
            let needs = |from, to| {
                fields.chain(variable, from, to).is_some_and(|chain| chain >> row & 1 == 1)
            };
            let pairs = relation(field.size, wants.values, needs);
            let mut conditions = Vec::new();
            for (state, goal) in cubes(&pairs, field.size, wants.values, field.width) {
                let (state, goal) = (placed(state, field.shift), placed(goal, field.shift));
                let parts = [(0, state.0 | open, state.1), (GOAL, goal.0, goal.1)];
                conditions.push(self.lists.condition(&parts));
            }
            self.inits.push(Init { row: row as u8, conditions });
        }
    }

    fn add_closing(&mut self, machine: &Machine, wanted: &[Wanted]) {
        let (fixed, open) = fixed_open_bits(machine, wanted);
        for rule in &machine.closure {
            let can_fire =
                rule.any & self.can_need != 0 && (rule.want ^ open) & rule.care & fixed == 0;
            if !can_fire {
                continue;
            }
            let care = self.literals(machine, rule.care, rule.want) & !fixed;
            let condition = self.lists.condition(&[(0, care, rule.want)]);
            let any = self.lists.add_bits(0, rule.any & self.can_need);
            let set = self.lists.add_bits(0, rule.set);
            let (segment, repeats) = (rule.segment, rule.repeats);
            self.closing.push(Closing { condition, any, set, segment, repeats });
        }
        // A rule that is left alone in its segment wakes no other there.
        for at in 0..self.closing.len() {
            let segment = self.closing[at].segment;
            let n = self.closing.iter().filter(|rule| rule.segment == segment).count();
            self.closing[at].repeats &= n > 1;
        }
    }

    /// The bits of a condition that are worth looking at: fields as few bits as tell the value from
    /// the others, and no action that is never needed.
    fn literals(&self, machine: &Machine, care: u64, want: u64) -> u64 {
        let fields = &machine.fields;
        let mut bits = care & !fields.state_bits();
        bits &= self.can_need | !fields.action_bits();
        for (variable, field) in fields.variables.iter().enumerate() {
            if care & fields.field_mask(variable) != 0 {
                let value = fields.value(variable, want);
                let cubes = cover(1 << value, low_bits(field.size.into()), field.width);
                bits |= cubes.iter().fold(0, |all, cube| all | placed(*cube, field.shift).0);
            }
        }
        bits
    }

    fn add_order(&mut self, machine: &Machine, goals: &[&GoalWord]) {
        let can_fire = positions_that_fire(machine, goals);
        for (position, &rule) in machine.word.iter().enumerate() {
            let rule = &machine.order[rule];
            let is_needed = machine.fields.action(rule.action) & self.can_need != 0;
            // What must be still to do and never is.
            let waits = rule.want & machine.fields.action_bits() & !self.can_need != 0;
            if !is_needed || waits || can_fire >> position & 1 == 0 {
                continue;
            }
            let care = self.literals(machine, rule.care, rule.want);
            self.order.push(Position {
                position: position as u8,
                condition: self.lists.condition(&[(0, care, rule.want)]),
                flip: self.lists.add_bits(0, rule.flip),
            });
        }
    }

    fn add_end(&mut self, machine: &Machine, wanted: &[Wanted]) {
        let fields = &machine.fields;
        let (mut care, mut want) = (self.can_need, 0);
        for (variable, wants) in wanted.iter().enumerate() {
            let field = &fields.variables[variable];
            if wants.values.count_ones() == 1 && !wants.can_be_open {
                care |= fields.field_mask(variable);
                want |= fields.code(variable, wants.values.trailing_zeros() as u16);
            } else if wants.values != 0 {
                let open_row = wants.can_be_open.then(|| fields.open_row(variable) as u8);
                let rows = field.shift..field.shift + field.width;
                self.end_bits.extend(rows.map(|row| EndBit {
                    row: row as u8,
                    goal_row: (GOAL + row) as u8,
                    open_row,
                }));
            }
        }
        self.end = self.lists.condition(&[(0, care, want)]);
    }
}

/// The open bits that are the same for all goals, and which of them are set.
fn fixed_open_bits(machine: &Machine, wanted: &[Wanted]) -> (u64, u64) {
    let (mut fixed, mut open) = (0, 0);
    for (variable, wants) in wanted.iter().enumerate() {
        let bit = machine.fields.open(variable);
        if !wants.can_be_open || wants.values == 0 {
            fixed |= bit;
            open |= if wants.can_be_open { bit } else { 0 };
        }
    }
    (fixed, open)
}

/// The actions that a goal can ever need, as bits of the machine word.
fn can_need(machine: &Machine, goal: &GoalWord) -> u64 {
    let fields = &machine.fields;
    let mut needed = 0;
    for (variable, wanted) in goal.wants.iter().enumerate() {
        let Some(to) = *wanted else { continue };
        for from in 0..fields.variables[variable].size {
            needed |= fields.chain(variable, from, to).unwrap_or(0);
        }
    }
    let open = (0..fields.variables.len()).fold(0, |all, variable| all | fields.open(variable));
    loop {
        let before = needed;
        for rule in &machine.closure {
            let fits = (rule.want ^ goal.open) & rule.care & open == 0;
            if fits && rule.any & needed != 0 {
                needed |= rule.set;
            }
        }
        if needed == before {
            return needed;
        }
    }
}

/// The positions of the word that fire from some state; all if there are too many to try.
fn positions_that_fire(machine: &Machine, goals: &[&GoalWord]) -> u32 {
    let fields = &machine.fields;
    let sizes: Vec<u64> = fields.variables.iter().map(|field| field.size.into()).collect();
    let n_states = sizes.iter().try_fold(1u64, |all, &size| all.checked_mul(size));
    let n_states = n_states.filter(|n| n.saturating_mul(goals.len() as u64) <= MOST_TRIED);
    let Some(n_states) = n_states else { return u32::MAX };
    let mut fired = 0;
    for state in (0..n_states).map(|number| numbered_state(fields, &sizes, number)) {
        for goal in goals {
            fired |= machine.run(machine.close(state, goal)).1;
        }
    }
    fired
}

/// For each value of a variable, the set of goal values for which something is true of the two.
pub(super) fn relation(size: u16, goals: u64, holds: impl Fn(u16, u16) -> bool) -> Vec<u64> {
    let row = |from: u16| {
        let to = (0..size).filter(|&to| goals >> to & 1 == 1 && holds(from, to));
        to.fold(0u64, |all, to| all | 1 << to)
    };
    (0..size).map(row).collect()
}

/// A relation as pairs of cubes, one on the value and one on the goal's value.
pub(super) fn cubes(pairs: &[u64], size: u16, goals: u64, width: u32) -> Vec<(Cube, Cube)> {
    let mut found = Vec::new();
    for (first, &to) in pairs.iter().enumerate() {
        if to == 0 || pairs[..first].contains(&to) {
            continue;
        }
        let same = pairs.iter().enumerate().filter(|(_, other)| **other == to);
        let from = same.fold(0u64, |all, (value, _)| all | 1 << value);
        for state in cover(from, low_bits(size.into()), width) {
            for goal in cover(to, goals, width) {
                found.push((state, goal));
            }
        }
    }
    found
}
