//! Breadth-first search that unifies actions with the state: complete, and shortest plans.
//!
//! In:   a [`Program`], a budget, a [`Meter`].
//! Out:  the state where the goal holds and the signatures that lead there; or that there is
//!       none; or the limit hit, after which it can go on.
//! Cost: per state, sorting its atoms into columns and the tuples of every action.
//!
//! States are taken out in the order of their discovery, and the goal is looked for when a state
//! is taken out. A plan is an array of positions of signatures, kept as one position and the
//! state before per state.

use super::compile::Program;
use super::kept::{Kept, States};
use super::meter::{Meter, Phase};
use super::narrow::Narrow;
use super::shared::Shared;
use super::unify::{Scratch, Tuples, View, Within, ground};
use throng_pddl::lifted::ObjectId;
use throng_planner::forward::Found;
use throng_planner::{Limit, SearchBudget};

/// How many successors are made between two looks at the bytes.
const LOOK_EVERY: u64 = 64;

/// An action's number in the lifted task, and an object for each of its parameters.
pub type Step = (usize, Vec<ObjectId>);

/// Bytes in use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bytes {
    /// The states' own: positions or bits.
    pub rows: usize,
    /// Where rows end, and the table to find them.
    pub finding: usize,
    /// How each state was reached.
    pub ways: usize,
    /// Atoms and signatures, each once, and the tables of the task.
    pub names: usize,
}

impl Bytes {
    /// All of them.
    pub fn total(&self) -> usize {
        self.rows + self.finding + self.ways + self.names
    }
}

/// A search.
#[derive(Clone, Debug)]
pub struct Search<K> {
    program: Program,
    tuples: Tuples,
    atoms: Shared,
    signatures: Shared,
    states: States<K>,
    /// By state: the state before, and the signature that led here.
    parents: Vec<u32>,
    reached_by: Narrow,
    /// Positions of atoms wanted or unwanted at the end.
    goal: Vec<(u32, bool)>,
    columns: Vec<Vec<u32>>,
    next: u32,
    expanded: u64,
    generated: u64,
    scratch: Scratch,
    /// What can be done in the state taken out: per action how often, and all values.
    counts: Vec<u32>,
    values: Vec<u32>,
    effects: Effects,
}

/// What one signature deletes and adds, and the row being made; kept, or every state would
/// allocate them anew.
#[derive(Clone, Debug, Default)]
struct Effects {
    deleted: Vec<u32>,
    added: Vec<u32>,
    row: Vec<u32>,
}

impl<K: Kept> Search<K> {
    /// Begins a search.
    pub fn begin(program: Program, tuples: Tuples) -> Self {
        let mut atoms = Shared::default();
        let mut start: Vec<u32> = program.start.iter().map(|row| atoms.share(row).0).collect();
        start.sort_unstable();
        start.dedup();
        let wanted = |(row, holds): &(Vec<u32>, bool)| (atoms.share(row).0, *holds);
        let goal = program.goal.iter().map(wanted).collect();
        let mut states = States::default();
        states.keep(&start);
        let mut reached_by = Narrow::default();
        reached_by.extend(&[0]);
        Search {
            columns: vec![Vec::new(); program.is_fixed.len()],
            program,
            tuples,
            atoms,
            signatures: Shared::default(),
            states,
            parents: vec![0],
            reached_by,
            goal,
            next: 0,
            expanded: 0,
            generated: 0,
            scratch: Scratch::default(),
            counts: Vec::new(),
            values: Vec::new(),
            effects: Effects::default(),
        }
    }

    /// Searches on, within a budget.
    pub fn run<M: Meter>(&mut self, budget: &SearchBudget<'_>, meter: &mut M) -> Found {
        let found = self.search(budget, meter);
        meter.leave();
        found
    }

    fn search<M: Meter>(&mut self, budget: &SearchBudget<'_>, meter: &mut M) -> Found {
        if self.program.is_hopeless {
            return Found::Nothing;
        }
        let before = self.expanded;
        while (self.next as usize) < self.n_states() {
            meter.enter(Phase::Goal);
            self.states.load(self.next);
            if self.goal.iter().all(|&(atom, wanted)| self.states.holds(atom) == wanted) {
                return Found::Goal(self.next);
            }
            if let Some(limit) = self.limit(budget, before) {
                return Found::Limit(limit);
            }
            meter.enter(Phase::Columns);
            self.sort_into_columns();
            meter.enter(Phase::Unify);
            // Rows double when they grow.
            let left = budget.bytes.saturating_sub(self.bytes().total());
            let within = Within { stop: budget.stop, values: left / (2 * size_of::<u32>()) };
            if let Err(limit) = self.unify(within, meter) {
                return Found::Limit(limit);
            }
            meter.enter(Phase::Apply);
            if !self.apply(budget.bytes) {
                return Found::Limit(Limit::Memory);
            }
            self.next += 1;
            self.expanded += 1;
        }
        Found::Nothing
    }

    fn limit(&self, budget: &SearchBudget<'_>, before: u64) -> Option<Limit> {
        if self.expanded - before >= budget.nodes {
            return Some(Limit::Nodes);
        }
        if budget.stop.is_some_and(|stop| stop()) {
            return Some(Limit::Stopped);
        }
        (self.bytes().total() > budget.bytes).then_some(Limit::Memory)
    }

    fn sort_into_columns(&mut self) {
        self.columns.iter_mut().for_each(Vec::clear);
        for &position in self.states.positions() {
            self.columns[self.atoms.get(position, 0) as usize].push(position);
        }
    }

    fn unify<M: Meter>(&mut self, within: Within<'_>, meter: &mut M) -> Result<(), Limit> {
        self.counts.clear();
        self.values.clear();
        let view = View {
            program: &self.program,
            atoms: &self.atoms,
            columns: &self.columns,
            states: &self.states,
            tuples: self.tuples,
        };
        for schema in &self.program.schemas {
            let found =
                view.signatures(schema, &mut self.scratch, &mut self.values, within, meter)?;
            self.counts.push(found);
        }
        Ok(())
    }

    /// Makes the states after this one; `false` if they cannot be numbered any more or take more
    /// than so many bytes.
    fn apply(&mut self, bytes: usize) -> bool {
        let taken = 2 * size_of_val(&self.values[..]) + self.program.bytes();
        let Effects { deleted, added, row } = &mut self.effects;
        let mut rest = &self.values[..];
        for (schema, &count) in self.program.schemas.iter().zip(&self.counts) {
            let written = &self.program.written;
            for _ in 0..count {
                let (values, others) = rest.split_at(schema.sources.len());
                rest = others;
                let atoms = &mut self.atoms;
                let mut ground_all = |range: std::ops::Range<usize>, into: &mut Vec<u32>| {
                    into.clear();
                    for at in range {
                        ground(written, schema.predicates.get(at), values, row);
                        into.push(atoms.share(row).0);
                    }
                };
                ground_all(schema.ranges.a..schema.ranges.c, deleted);
                ground_all(schema.ranges.c..schema.ranges.e, added);
                self.generated += 1;
                if self.states.is_full(self.atoms.len()) {
                    return false;
                }
                if self.generated.is_multiple_of(LOOK_EVERY) {
                    let states = self.states.rows().bytes() + self.parents.len() * 8;
                    let names = self.atoms.bytes() + self.signatures.bytes();
                    if states + names + taken > bytes {
                        return false;
                    }
                }
                let (_, is_new) = self.states.after(deleted, added);
                if is_new {
                    row.clear();
                    row.push(schema.action);
                    row.extend_from_slice(values);
                    let signature = self.signatures.share(row).0;
                    self.parents.push(self.next);
                    self.reached_by.extend(&[signature]);
                }
            }
        }
        true
    }

    /// The signatures that lead to a state, as positions.
    pub fn plan(&self, mut state: u32) -> Vec<u32> {
        let mut plan = Vec::new();
        while state != 0 {
            plan.push(self.reached_by.get(state as usize));
            state = self.parents[state as usize];
        }
        plan.reverse();
        plan
    }

    /// What a signature is.
    pub fn step(&self, signature: u32) -> Step {
        let mut row = Vec::new();
        self.signatures.append_to(signature, &mut row);
        step_of(row[0], &row[1..])
    }

    throng_base::getters! {
        /// States taken out whose successors were made.
        expanded: u64;
        /// Successors made, known states among them.
        generated: u64;
    }

    /// Different states met.
    pub fn n_states(&self) -> usize {
        self.parents.len()
    }

    /// Bytes in use.
    pub fn bytes(&self) -> Bytes {
        let rows = self.states.rows();
        Bytes {
            rows: rows.row_bytes(),
            finding: rows.bytes() - rows.row_bytes(),
            ways: self.parents.len() * 4 + self.reached_by.bytes(),
            names: self.atoms.bytes() + self.signatures.bytes() + self.program.bytes(),
        }
    }
}

fn step_of(action: u32, objects: &[u32]) -> Step {
    (action as usize, objects.iter().map(|&object| ObjectId(object)).collect())
}

#[cfg(test)]
impl<K: Kept> Search<K> {
    /// The signatures that can be done in the start, action by action.
    pub fn steps_at_start<M: Meter>(&mut self, meter: &mut M) -> Vec<Step> {
        self.states.load(0);
        self.sort_into_columns();
        let _ = self.unify(Within { stop: None, values: usize::MAX }, meter);
        let mut rest = &self.values[..];
        let mut steps = Vec::new();
        for (schema, &count) in self.program.schemas.iter().zip(&self.counts) {
            for _ in 0..count {
                let (values, others) = rest.split_at(schema.sources.len());
                rest = others;
                steps.push(step_of(schema.action, values));
            }
        }
        steps
    }
}
