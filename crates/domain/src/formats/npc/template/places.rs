//! Where something is said of variables, by variable.
//!
//! In:   a row of variables.
//! Out:  the position of each in it.
//! Cost: one sorted list; a look-up is a binary search.

use crate::model::VariableId;

/// Where something is said of variables; by variable.
#[derive(Default)]
pub(super) struct Places(Vec<(VariableId, usize)>);

impl Places {
    /// Their positions in a row; of a variable that comes several times, the first.
    pub(super) fn of(row: impl Iterator<Item = VariableId>) -> Places {
        let mut places: Vec<_> = row.enumerate().map(|(at, variable)| (variable, at)).collect();
        places.sort_unstable();
        places.dedup_by_key(|(variable, _)| *variable);
        Places(places)
    }

    pub(super) fn get(&self, variable: VariableId) -> Option<usize> {
        let found = self.0.binary_search_by_key(&variable, |(variable, _)| *variable);
        found.ok().map(|at| self.0[at].1)
    }
}
