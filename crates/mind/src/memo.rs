//! Answers that were found before: state, goal, actions and prices in, plan out.
//!
//! In:   a question as numbers.
//! Out:  the plan, or that there is none, if it was asked before and has not been pushed out.
//! Cost: one hash and one comparison; entries reuse their memory.
//!
//! Plans depend on nothing else, so results are the same with and without it. It is no
//! `IndexTable`: each question has one place, and a new one pushes out the old.

use throng_base::mix::hash;
use throng_domain::compile::LocalAction;

/// The answer of the planner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// A plan of this price in thousandths.
    Plan(u64),
    /// There is none.
    None,
    /// The budget was not enough to know.
    GaveUp,
}

#[derive(Clone, Debug)]
struct Entry {
    key: Vec<u64>,
    found: Found,
    plan: Vec<LocalAction>,
}

/// How many answers are kept: a power of two.
const PLACES: usize = 256;

/// A table of answers; each question has one place.
#[derive(Debug)]
pub(crate) struct Memo {
    entries: Vec<Entry>,
}

impl Default for Memo {
    fn default() -> Self {
        let empty = Entry { key: Vec::new(), found: Found::None, plan: Vec::new() };
        Memo { entries: vec![empty; PLACES] }
    }
}

impl Memo {
    fn place(&self, key: &[u64]) -> usize {
        hash(key.iter().copied()) as usize & (self.entries.len() - 1)
    }

    /// The answer to a question, with its plan copied.
    pub(crate) fn find(&self, key: &[u64], plan: &mut Vec<LocalAction>) -> Option<Found> {
        let entry = &self.entries[self.place(key)];
        if key.is_empty() || entry.key != key {
            return None;
        }
        plan.clear();
        plan.extend_from_slice(&entry.plan);
        Some(entry.found)
    }

    /// Keeps an answer.
    pub(crate) fn keep(&mut self, key: &[u64], found: Found, plan: &[LocalAction]) {
        let place = self.place(key);
        let entry = &mut self.entries[place];
        entry.key.clear();
        entry.key.extend_from_slice(key);
        entry.found = found;
        entry.plan.clear();
        entry.plan.extend_from_slice(plan);
    }
}
