//! Demand lists: all that leads to a goal, for every start at once.
//!
//! In:   a task, of which the start does not matter.
//! Out:  demands with costs, cheapest first: the first one that holds in a state says what the
//!       cheapest plan from it costs, and its first step; if none holds there is no plan.
//! Cost: building expands every demand that no cheaper one covers, and gives up beyond a limit. A
//!       look-up walks the demands that fit the words of a state, sixteen at a time.
//!
//! All ends of ranges count, and every order is tried: both cures that depend on the start are
//! off. An unknown value is one more value, below all others.
//!
//! A state in which a demand holds does its action, and then the demand behind it holds. So the
//! steps of a demand are a plan from every state in which it is the first to hold.

mod build;
mod look_up;

use super::layout::Form;
use super::run_sets::RunSets;
use look_up::LookUp;

/// More entries than so many are not worth a list.
pub const MOST_ENTRIES: usize = 4_096;

/// How much a list may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ListLimits {
    /// So many entries.
    pub entries: usize,
    /// So many demands looked at while it is made.
    pub work: u64,
}

/// Why a list was not made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ListLimit {
    /// It would have more entries than allowed, or demands are too wide.
    TooLong,
    /// So much work was not enough.
    Work,
}

/// Demands with costs, for every start.
#[derive(Clone, Debug)]
pub struct DemandList {
    /// By variable of the task: how it is demanded, and the top of its values, if it is.
    places: Vec<Option<(Form, u16)>>,
    costs: Vec<u64>,
    /// By entry: the action to do first and the entry that holds then; none where the goal holds.
    steps: Vec<Option<(u32, u32)>>,
    /// By action of the task: whether a cheapest plan may begin with it.
    begins: Vec<bool>,
    sets: RunSets,
    look_up: LookUp,
}

impl DemandList {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.costs.len()
    }

    /// Whether there are none: the goal can never hold.
    pub fn is_empty(&self) -> bool {
        self.costs.is_empty()
    }

    /// Whether a cheapest plan may begin with an action, from some start. Where not, that is a proof:
    /// wherever it can be done, a cheaper plan begins with another one, or none is left behind it.
    pub fn may_begin(&self, action: u32) -> bool {
        self.begins.get(action as usize).is_some_and(|&may| may)
    }

    fn note(&mut self, action: Option<u32>) {
        let begins = action.and_then(|action| self.begins.get_mut(action as usize));
        begins.into_iter().for_each(|begins| *begins = true);
    }

    /// The memory in use.
    pub fn bytes(&self) -> usize {
        let entries = self.len() * (size_of::<u64>() + size_of::<Option<(u32, u32)>>());
        entries + self.sets.bytes() + self.look_up.bytes()
    }

    /// The first entry that holds in a state; `None` if there is no plan.
    pub fn entry(&self, state: &[u16]) -> Option<usize> {
        self.look_up.find(&self.places, &self.sets, state)
    }

    /// What the cheapest plan from a state costs, and the action it begins with: none if the goal
    /// holds. `None` if there is no plan.
    pub fn find(&self, state: &[u16]) -> Option<(u64, Option<u32>)> {
        let entry = self.entry(state)?;
        Some((self.costs[entry], self.steps[entry].map(|(action, _)| action)))
    }

    /// What the plan of an entry costs.
    pub fn cost(&self, entry: usize) -> u64 {
        self.costs.get(entry).copied().unwrap_or(0)
    }

    /// The plan of an entry: its actions in order.
    pub fn plan(&self, entry: usize) -> impl Iterator<Item = u32> + '_ {
        let step = move |at: usize| self.steps.get(at).copied().flatten();
        let next = move |&(_, next): &(u32, u32)| step(next as usize);
        std::iter::successors(step(entry), next).map(|(action, _)| action)
    }
}

/// A value one up, so that unknown is 0; what is none is taken as unknown.
fn shifted(value: u16, top: u16) -> u16 {
    if value < top { value + 1 } else { 0 }
}
