//! Policy tables: the plan of every private state of an NPC type, for one goal, one set of
//! actions that are there and one assignment of the shared variables.
//!
//! In:   a [`TableQuestion`], answered for all states by the planner (`build`), or read from a file
//!       (`table_file`).
//! Out:  a [`PlanId`] per state, one or many at a time (`bulk`).
//! Cost: two or four bytes per state; a look-up is one load.

mod build;
mod bulk;
mod question;
#[cfg(test)]
pub(crate) mod smithy;
mod sweep;

pub(crate) use build::build;
pub use question::{TableError, TableLimits, TableQuestion};

use crate::plans::{PlanId, PlanStore};
use crate::pool::Pool;
use crate::space::Space;

/// Sizes of tables of 16-bit ids up to 65,536 states: one of these, so that a state cut to fit
/// needs no test. A table keeps the room behind its states, of which nothing is read.
const PADDED: [usize; 4] = [1 << 8, 1 << 12, 1 << 14, 1 << 16];

#[derive(Clone, PartialEq, Eq, Debug)]
enum Ids {
    /// Padded to one of [`PADDED`] if there are not more states.
    Narrow(Box<[u16]>),
    Wide(Box<[u32]>),
}

/// The plan of every private state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PolicyTable {
    ids: Ids,
    n_states: usize,
    /// Every plan with actions once, in the order in which states meet them.
    plans: Box<[PlanId]>,
}

impl PolicyTable {
    /// Answers the question for every state of the space. Plans are those of the single planner
    /// (where something counts, others of the same price may be), replayed, and pinned in `plans`;
    /// their ids do not depend on the number of threads.
    /// `progress` hears how many states of how many are done, again and again.
    ///
    /// # Errors
    ///
    /// There are too many states, they take too much search, the goal is not of this domain, or
    /// the caller said stop. `plans` is then as it was.
    pub fn build(
        question: &TableQuestion<'_>,
        space: &Space,
        plans: &mut PlanStore,
        pool: &Pool,
        limits: &TableLimits<'_>,
        progress: &dyn Fn(u64, u64),
    ) -> Result<PolicyTable, TableError> {
        build(question, space, plans, pool, limits, progress).0
    }

    /// A table of these ids; `plans` are those with actions, each once.
    pub(crate) fn of_ids(ids: Vec<u32>, plans: Vec<PlanId>) -> Self {
        let n_states = ids.len();
        let most = ids.iter().copied().max().unwrap_or(0);
        let ids = match u16::try_from(most) {
            Ok(_) => {
                let mut narrow: Vec<u16> = ids.into_iter().map(|id| id as u16).collect();
                let room = PADDED.into_iter().find(|&room| room >= n_states);
                narrow.resize(room.unwrap_or(n_states), PlanId::UNPLANNED.0 as u16);
                Ids::Narrow(narrow.into_boxed_slice())
            }
            Err(_) => Ids::Wide(ids.into_boxed_slice()),
        };
        PolicyTable { ids, n_states, plans: plans.into_boxed_slice() }
    }

    /// The plan of a state; unplanned if there is no such state.
    #[inline]
    pub fn plan(&self, index: u64) -> PlanId {
        let at = usize::try_from(index).unwrap_or(usize::MAX);
        let id = match &self.ids {
            Ids::Narrow(ids) => ids.get(at).map(|&id| u32::from(id)),
            Ids::Wide(ids) => ids.get(at).copied(),
        };
        id.map_or(PlanId::UNPLANNED, PlanId)
    }

    /// The ids of all states, if they take two bytes; behind them may be some of no state.
    #[inline]
    pub(crate) fn narrow(&self) -> Option<&[u16]> {
        match &self.ids {
            Ids::Narrow(ids) => Some(ids),
            Ids::Wide(_) => None,
        }
    }

    /// How many states it has.
    pub fn n_states(&self) -> u64 {
        self.n_states as u64
    }

    /// Every plan with actions once, in the order in which states meet them.
    pub fn plans(&self) -> &[PlanId] {
        &self.plans
    }

    /// Whether its ids take two bytes.
    pub fn is_narrow(&self) -> bool {
        matches!(self.ids, Ids::Narrow(_))
    }

    /// The memory it holds; its plans are in the arena.
    pub fn bytes(&self) -> usize {
        let ids = match &self.ids {
            Ids::Narrow(ids) => size_of_val(&ids[..]),
            Ids::Wide(ids) => size_of_val(&ids[..]),
        };
        ids + size_of_val(&self.plans[..])
    }
}
