//! Every state that can be reached, and every step between two of them.
//!
//! In:   a type, what may have any value, what matters: actions, and variables that states are told
//!       apart by.
//! Out:  the states, numbered, and the steps into each of them; or that they are too many.
//! Cost: each need of each action for each state, and a hash of each state that a step leads to.

use super::matters::Matters;
use super::meter::Meter;
use super::{Circumstances, Undecided};
use std::collections::HashMap;
use throng_base::Rows;
use throng_domain::compile::{LocalAction, LocalVariable, NpcTables, PackedValue, UNKNOWN};

/// Work of a step: the state behind it is packed and looked up.
const STEP: u64 = 16;
/// A step more than this for each state that is allowed is too many.
const STEPS_PER_STATE: usize = 64;
/// So many are never too many.
const FEW_STEPS: usize = 1 << 16;
/// So many are always enough: three gigabytes.
const MOST_STEPS: usize = 150_000_000;

/// A step: what is done, and the other state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Step {
    pub(super) action: LocalAction,
    pub(super) state: u32,
}

/// What can be reached.
pub(super) struct Space {
    n_variables: usize,
    values: Vec<PackedValue>,
    /// The steps that lead into a state, by state; steps that change nothing are left out.
    pub(super) into: Rows<Step>,
    /// By action: whether it can be done somewhere, and whether it changes something somewhere.
    pub(super) ready: Vec<bool>,
    pub(super) changes: Vec<bool>,
}

impl Space {
    pub(super) fn explore(
        kind: &NpcTables,
        given: &Circumstances,
        matters: &Matters,
        limit: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Space, Undecided> {
        let mut finder = Finder::new(kind, limit);
        finder.add_starts(given, matters, meter)?;
        let actions: Vec<LocalAction> =
            kind.local_actions().filter(|action| matters.actions[action.index()]).collect();
        let n = kind.layout().n_variables();
        let aside: Vec<usize> = (0..n).filter(|&at| !matters.variables[at]).collect();
        let n_actions = matters.actions.len();
        let (mut ready, mut changes) = (vec![false; n_actions], vec![false; n_actions]);
        let mut steps: Vec<(u32, Step)> = Vec::new();
        let most_steps = limit.saturating_mul(STEPS_PER_STATE).clamp(FEW_STEPS, MOST_STEPS);
        let (mut at, mut next) = (0, vec![0; n]);
        while at < finder.known.len() {
            meter.spend(actions.len() as u64 + 1)?;
            for &action in &actions {
                let state = finder.state(at);
                if !kind.can_run(action, state) {
                    continue;
                }
                ready[action.index()] = true;
                next.copy_from_slice(state);
                kind.run(action, &mut next);
                aside.iter().for_each(|&at| next[at] = UNKNOWN);
                if next == state {
                    changes[action.index()] |= matters.changes_more(kind, action);
                    continue;
                }
                changes[action.index()] = true;
                meter.spend(STEP)?;
                let to = finder.add(&next)?;
                steps.push((to, Step { action, state: at as u32 }));
                if steps.len() > most_steps {
                    return Err(Undecided::TooMuchWork);
                }
            }
            at += 1;
        }
        // The order of a step among others takes some looks at each.
        meter.spend(8 * steps.len() as u64)?;
        steps.sort_unstable_by_key(|(to, step)| (*to, step.state, step.action));
        let pairs = steps.iter().map(|&(to, step)| (to as usize, step));
        let into = Rows::from_pairs(finder.known.len(), pairs);
        Ok(Space { n_variables: n, values: finder.values, into, ready, changes })
    }

    /// How many states.
    pub(super) fn len(&self) -> usize {
        self.into.len()
    }

    /// A state, a value per variable of the type.
    pub(super) fn state(&self, at: usize) -> &[PackedValue] {
        &self.values[at * self.n_variables..][..self.n_variables]
    }
}

/// By variable of the type: its value at the start; `None`: any.
pub(super) fn starts(kind: &NpcTables, given: &Circumstances) -> Vec<Option<PackedValue>> {
    let value = |id| {
        let said = kind.starts().iter().find(|fact| fact.variable == id);
        said.filter(|_| !given.open.contains(&id)).map(|fact| fact.value.index() as PackedValue)
    };
    kind.variables().iter().map(|&id| value(id)).collect()
}

struct Finder<'k> {
    kind: &'k NpcTables,
    limit: usize,
    known: HashMap<Box<[u64]>, u32>,
    values: Vec<PackedValue>,
    words: Vec<u64>,
}

impl<'k> Finder<'k> {
    fn new(kind: &'k NpcTables, limit: usize) -> Self {
        let words = vec![0; kind.layout().n_words()];
        Finder { kind, limit, known: HashMap::new(), values: Vec::new(), words }
    }

    fn state(&self, at: usize) -> &[PackedValue] {
        let n = self.kind.layout().n_variables();
        &self.values[at * n..][..n]
    }

    /// The number of a state, new or known.
    fn add(&mut self, state: &[PackedValue]) -> Result<u32, Undecided> {
        self.kind.layout().pack(state, &mut self.words);
        if let Some(&known) = self.known.get(self.words.as_slice()) {
            return Ok(known);
        }
        let at = self.known.len();
        if at >= self.limit {
            return Err(Undecided::TooManyStates);
        }
        self.known.insert(self.words.clone().into_boxed_slice(), at as u32);
        self.values.extend_from_slice(state);
        Ok(at as u32)
    }

    /// All states to begin with: what is open has any value, or none that is known.
    fn add_starts(
        &mut self,
        given: &Circumstances,
        matters: &Matters,
        meter: &mut Meter<'_>,
    ) -> Result<(), Undecided> {
        let mut starts = starts(self.kind, given);
        // What does not matter is one and the same.
        let all = starts.iter_mut().zip(&matters.variables).filter(|(_, matters)| !**matters);
        all.for_each(|(start, _)| *start = Some(UNKNOWN));
        let size = |at: usize| self.kind.n_values(LocalVariable(at as u32)) as PackedValue;
        let sizes: Vec<PackedValue> = (0..starts.len()).map(size).collect();
        let mut state: Vec<PackedValue> =
            starts.iter().map(|value| value.unwrap_or(UNKNOWN)).collect();
        loop {
            meter.spend(state.len() as u64 + 1)?;
            self.add(&state)?;
            // Counts up, like the numbers of a clock: unknown, 0, 1 … and unknown again.
            let mut open = (0..state.len()).filter(|&at| starts[at].is_none());
            let moved = open.find(|&at| {
                state[at] = if state[at] == UNKNOWN { 0 } else { state[at] + 1 };
                let is_over = state[at] >= sizes[at];
                state[at] = if is_over { UNKNOWN } else { state[at] };
                !is_over
            });
            if moved.is_none() {
                return Ok(());
            }
        }
    }
}
