//! A problem with amounts, as numbers: conditions are sets of values, effects assign or shift.
//!
//! In:   variables, actions and a goal one by one, from an NPC's problem.
//! Out:  flat rows that both searches read; what an action does to a plain state, which is the
//!       meaning that every engine is held to.
//! Cost: linear in what is put in; refilled without allocation once warm.

use crate::budget::Mode;
use crate::problem::{Problem, compared};
use throng_base::Rows;
use throng_domain::amounts::{ShiftBy, ValueSet};
use throng_domain::compile::{LocalAction, LocalFact, LocalRange, NpcTables};

/// A variable's value must be one of some.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Need {
    /// Which variable.
    pub variable: u32,
    /// Its values, none of which is beyond the variable's; of a need that can never hold, none.
    pub values: ValueSet,
}

impl From<&LocalFact> for Need {
    fn from(fact: &LocalFact) -> Need {
        Need { variable: fact.variable.0, values: ValueSet::one(fact.value) }
    }
}

impl From<&LocalRange> for Need {
    fn from(range: &LocalRange) -> Need {
        Need { variable: range.variable.0, values: range.values }
    }
}

/// Adds a need to those of other variables, or to the one of its own. Where two sets of many runs
/// have more in common than a set can hold, the one that was there stays: less is asked, and the
/// replay of the plan asks for all of it.
fn narrow(needs: &mut Vec<Need>, need: Need) {
    match needs.iter_mut().find(|known| known.variable == need.variable) {
        Some(known) => known.values = known.values.both(&need.values).unwrap_or(known.values),
        None => needs.push(need),
    }
}

/// What becomes of a variable's value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Effect {
    /// It is this one, whatever it was, known or not.
    Set(u16),
    /// It moves.
    Shift(ShiftBy),
}

/// An effect on a variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CountingChange {
    /// Which variable.
    pub variable: u32,
    /// What becomes of it.
    pub effect: Effect,
}

/// A problem with amounts. Values are positions; unknown is
/// [`UNKNOWN`](throng_domain::compile::UNKNOWN), which is in no set.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CountingTask {
    sizes: Vec<u16>,
    start: Vec<u16>,
    goal: Vec<Need>,
    needs: Rows<Need>,
    changes: Rows<CountingChange>,
    costs: Vec<u64>,
    /// Working memory of [`CountingTask::fill`].
    spare: Vec<Need>,
}

impl CountingTask {
    /// Forgets everything but the memory.
    pub fn clear(&mut self) {
        self.sizes.clear();
        self.start.clear();
        self.goal.clear();
        self.needs.clear();
        self.changes.clear();
        self.costs.clear();
    }

    /// Adds a variable with so many values, and the one it starts with, or unknown; gives its
    /// number.
    pub fn add_variable(&mut self, size: u16, start: u16) -> u32 {
        self.sizes.push(size);
        self.start.push(start);
        self.sizes.len() as u32 - 1
    }

    /// Adds an action: what it needs and what it changes, each variable at most once in either,
    /// and what it costs, more than nothing; gives its number. Where an action shifts, its need is
    /// within [`ShiftBy::domain`]: such a need is added or narrowed here. An action that can never
    /// run is still one.
    pub fn add_action(
        &mut self,
        needs: impl Iterator<Item = Need>,
        changes: impl Iterator<Item = CountingChange>,
        cost: u64,
    ) -> u32 {
        let action = self.changes.len();
        self.changes.push_with(|list| {
            let from = list.len();
            list.extend(changes);
            list[from..].sort_unstable();
        });
        let (changes, sizes) = (self.changes.row(action), &self.sizes);
        self.needs.push_with(|list| {
            let from = list.len();
            list.extend(needs);
            for change in changes {
                let Effect::Shift(shift) = change.effect else { continue };
                let domain = shift.domain(sizes[change.variable as usize]);
                let own = list[from..].iter_mut().find(|need| need.variable == change.variable);
                match own {
                    // The domain is one run, so nothing is split.
                    Some(need) => {
                        need.values = need.values.both(&domain).unwrap_or(ValueSet::EMPTY);
                    }
                    None => list.push(Need { variable: change.variable, values: domain }),
                }
            }
            list[from..].sort_unstable();
        });
        self.costs.push(cost);
        action as u32
    }

    /// Says what must hold at the end, each variable at most once.
    pub fn set_goal(&mut self, goal: impl Iterator<Item = Need>) {
        self.goal.clear();
        self.goal.extend(goal);
        self.goal.sort_unstable();
    }

    /// Becomes the task of a problem: the same variables, and of its actions those that are there,
    /// which are written into `actions`.
    pub fn fill(
        &mut self,
        npc: &NpcTables,
        problem: &Problem,
        mode: Mode,
        actions: &mut Vec<LocalAction>,
    ) {
        self.clear();
        actions.clear();
        for (variable, &value) in npc.local_variables().zip(problem.start()) {
            self.add_variable(npc.n_values(variable) as u16, value);
        }
        let mut needs = std::mem::take(&mut self.spare);
        for action in npc.local_actions().filter(|&action| problem.enabled().has(action)) {
            needs.clear();
            needs.extend(npc.needs(action).iter().map(Need::from));
            needs.extend(npc.ranges(action).iter().map(Need::from));
            for it in npc.comparisons(action) {
                let n_values = self.sizes[it.variable.index()];
                let other = problem.start()[it.other.index()];
                let values = compared(&it.comparison, other, n_values);
                narrow(&mut needs, Need { variable: it.variable.0, values });
            }
            let sets = npc.sets(action).iter().map(|set| CountingChange {
                variable: set.variable.0,
                effect: Effect::Set(set.value),
            });
            let shifts = npc.shifts(action).iter().map(|shift| CountingChange {
                variable: shift.variable.0,
                effect: Effect::Shift(shift.by),
            });
            let cost = problem.step_cost(npc, mode, action);
            self.add_action(needs.iter().copied(), sets.chain(shifts), cost);
            actions.push(action);
        }
        needs.clear();
        needs.extend(problem.goal().iter().map(Need::from));
        problem.goal_ranges().iter().for_each(|range| narrow(&mut needs, range.into()));
        self.set_goal(needs.iter().copied());
        self.spare = needs;
    }

    throng_base::getters! {
        /// How many values each variable has.
        sizes: &[u16];
        /// The value that each variable starts with, unknown included.
        start: &[u16];
        /// What must hold at the end, by variable.
        goal: &[Need];
    }

    /// How many variables there are.
    pub fn n_variables(&self) -> usize {
        self.sizes.len()
    }

    /// How many actions there are.
    pub fn n_actions(&self) -> usize {
        self.costs.len()
    }

    /// What an action needs, by variable.
    #[inline]
    pub fn needs(&self, action: u32) -> &[Need] {
        self.needs.row(action as usize)
    }

    /// What an action changes, by variable.
    #[inline]
    pub fn changes(&self, action: u32) -> &[CountingChange] {
        self.changes.row(action as usize)
    }

    /// What an action costs.
    #[inline]
    pub fn cost(&self, action: u32) -> u64 {
        self.costs[action as usize]
    }

    /// Whether all that an action needs holds in a state.
    pub fn can_run(&self, action: u32, state: &[u16]) -> bool {
        holds(self.needs(action), state)
    }

    /// Makes a state in which an action can run the one after it.
    pub fn run(&self, action: u32, state: &mut [u16]) {
        for change in self.changes(action) {
            let at = change.variable as usize;
            state[at] = match change.effect {
                Effect::Set(value) => value,
                Effect::Shift(shift) => shift.apply(state[at], self.sizes[at]).unwrap_or(state[at]),
            };
        }
    }

    /// Whether the goal holds in a state.
    pub fn is_goal(&self, state: &[u16]) -> bool {
        holds(&self.goal, state)
    }
}

/// Whether all needs hold in a state.
pub(crate) fn holds(needs: &[Need], state: &[u16]) -> bool {
    needs.iter().all(|need| need.values.has(state[need.variable as usize]))
}
