//! What a selection may pick, for sensors: so no ray or path is spent on what cannot matter.
//!
//! In:   a selection and the situation.
//! Out:  the facts that it is `of` and that pass its `where`, at most sixteen, the nearest first.
//! Cost: one pass over the facts of its kinds; nothing is allocated.

use super::Key;
use crate::condition::{It, Situation};
use crate::fact::Attribute;
use crate::memory::FactId;
use crate::spec::SelectSpec;
use crate::time::NEVER;

/// How many candidates of a selection sensors are shown.
pub const MOST_CANDIDATES: usize = 16;

/// What a selection may pick, the nearest first.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Candidates {
    all: [(Key, FactId); MOST_CANDIDATES],
    next: usize,
    end: usize,
}

impl Iterator for Candidates {
    type Item = (Key, FactId);

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.all[..self.end].get(self.next).copied();
        self.next += usize::from(next.is_some());
        next
    }
}

impl Candidates {
    pub(crate) fn of(select: &SelectSpec, from: &Situation<'_>) -> Self {
        let mut found = Candidates::default();
        let mut far = [f32::INFINITY; MOST_CANDIDATES];
        let (mut wake, mut flips) = (NEVER, NEVER);
        for fact in select.of.iter().flat_map(|pattern| pattern.facts(from)) {
            let key = select.key(fact);
            let situation = Situation { it: It { key, fact: Some(fact.id()) }, ..*from };
            let is_new = found.all[..found.end].iter().all(|(known, _)| *known != key);
            let is_of = select.is_of(fact, from, &mut flips);
            if !is_new || !is_of || !select.passes(&situation, &mut wake) {
                continue;
            }
            let there = fact.position(Attribute::Position);
            let distance = there.map_or(f32::INFINITY, |there| from.distance(there));
            // Of equally near ones the first stays before the others.
            let at = far[..found.end].partition_point(|known| *known <= distance);
            if at < MOST_CANDIDATES {
                found.end = (found.end + 1).min(MOST_CANDIDATES);
                far[at..found.end].rotate_right(1);
                found.all[at..found.end].rotate_right(1);
                (far[at], found.all[at]) = (distance, (key, fact.id()));
            }
        }
        found
    }
}
