//! What a campaign has seen, counted: it must have been enough.
//!
//! In:   what was seen, one by one or several at once.
//! Out:  how often; sums of several tallies; all counts in a line.
//! Cost: a look-up for each.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;

/// Counts by what was seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally<K>(BTreeMap<K, u64>);

impl<K> Default for Tally<K> {
    fn default() -> Self {
        Tally(BTreeMap::new())
    }
}

impl<K: Ord> Tally<K> {
    /// Counts one, or several, or none.
    pub fn add(&mut self, what: impl Into<K>, count: u64) {
        *self.0.entry(what.into()).or_default() += count;
    }

    /// How often something was seen.
    pub fn get(&self, what: impl Into<K>) -> u64 {
        self.0.get(&what.into()).copied().unwrap_or(0)
    }
}

impl<K: Ord> AddAssign for Tally<K> {
    fn add_assign(&mut self, other: Self) {
        other.0.into_iter().for_each(|(what, count)| self.add(what, count));
    }
}

impl<K: fmt::Debug> fmt::Display for Tally<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (what, count) in self.0.iter().filter(|(_, count)| **count > 0) {
            write!(f, "{what:?} {count}, ")?;
        }
        write!(f, "nothing else")
    }
}
