//! Sets of literals, and whether one of them is within another.
//!
//! In:   sorted sets, of which the smaller are added before the larger are asked about.
//! Out:  whether one that was added is within the one asked about.
//! Cost: a question looks at the sets whose rarest literal is in it: for sets that differ in a
//!       literal each, one. What is compared is counted.

use super::limits::{Checked, Guard};
use super::propositional::Literal;
use std::collections::HashMap;

/// So many are compared one by one; more are found by a literal.
const FEW: usize = 8;

/// Sets of literals.
#[derive(Default)]
pub(super) struct Subsets<'a> {
    /// Of how many sets a literal is part; empty if there are few sets.
    frequency: HashMap<Literal, u32>,
    by_rarest: HashMap<Literal, Vec<&'a [Literal]>>,
    /// The others: all if there are few, else those without literals.
    apart: Vec<&'a [Literal]>,
}

impl<'a> Subsets<'a> {
    /// No set yet; `all` are those that may be added.
    fn among(all: impl ExactSizeIterator<Item = &'a [Literal]>) -> Self {
        let mut subsets = Subsets::default();
        if all.len() > FEW {
            for &literal in all.flatten() {
                *subsets.frequency.entry(literal).or_default() += 1;
            }
        }
        subsets
    }

    /// These sets.
    pub(super) fn of(all: impl ExactSizeIterator<Item = &'a [Literal]> + Clone) -> Self {
        let mut subsets = Subsets::among(all.clone());
        all.for_each(|set| subsets.add(set));
        subsets
    }

    /// By set, whether none before it is within it. The smaller must come first; after `most`
    /// such sets, the following ones are compared with those alone.
    pub(super) fn least(
        all: impl ExactSizeIterator<Item = &'a [Literal]> + Clone,
        most: usize,
        guard: &Guard<'_>,
    ) -> Checked<Vec<bool>> {
        let mut subsets = Subsets::among(all.clone());
        let mut n_added = 0;
        all.map(|set| {
            let is_least = !subsets.has_within(set, guard)?;
            if is_least && n_added < most {
                subsets.add(set);
                n_added += 1;
            }
            Ok(is_least)
        })
        .collect()
    }

    fn add(&mut self, set: &'a [Literal]) {
        let frequency = |literal: &&Literal| self.frequency.get(literal).copied().unwrap_or(0);
        match set.iter().min_by_key(frequency).filter(|_| !self.frequency.is_empty()) {
            Some(&rarest) => self.by_rarest.entry(rarest).or_default().push(set),
            None => self.apart.push(set),
        }
    }

    /// Whether a set that was added is within this one.
    pub(super) fn has_within(&self, set: &[Literal], guard: &Guard<'_>) -> Checked<bool> {
        guard.pass(1 + set.len())?;
        let rarest = if self.by_rarest.is_empty() { &[][..] } else { set };
        let by_rarest = rarest.iter().filter_map(|literal| self.by_rarest.get(literal)).flatten();
        for smaller in self.apart.iter().chain(by_rarest) {
            guard.work(1)?;
            if is_within(smaller, set) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Whether all of some literals are among others; both are sorted.
fn is_within(some: &[Literal], all: &[Literal]) -> bool {
    some.len() <= all.len() && some.iter().all(|literal| all.binary_search(literal).is_ok())
}

#[cfg(test)]
mod tests {
    use super::super::limits::Limits;
    use super::*;

    /// Every set is asked about after those before it were added; the plain way must agree.
    fn check(sets: &[Vec<Literal>]) -> u64 {
        let guard = Guard::new(&Limits::default(), None);
        let mut subsets = Subsets::among(sets.iter().map(Vec::as_slice));
        for (at, set) in sets.iter().enumerate() {
            let plain = sets[..at].iter().any(|other| other.iter().all(|l| set.contains(l)));
            assert_eq!(subsets.has_within(set, &guard), Ok(plain), "{sets:?}, {set:?}");
            subsets.add(set);
        }
        guard.work_done()
    }

    #[test]
    fn few_and_many_sets_are_answered_as_the_plain_way_does() {
        let mut random = throng_base::SplitMix::new(1);
        let mut random = |below: usize| random.below(below);
        for round in 0..300 {
            let n_sets = 1 + random(if round % 2 == 0 { 8 } else { 60 });
            let mut sets: Vec<Vec<Literal>> = Vec::new();
            for _ in 0..n_sets {
                let mut set: Vec<Literal> = (0..random(6)).map(|_| random(14) as Literal).collect();
                set.sort_unstable();
                set.dedup();
                sets.push(set);
            }
            check(&sets);
        }
    }

    #[test]
    fn sets_that_differ_in_a_literal_each_are_not_compared() {
        let sets: Vec<Vec<Literal>> = (0..2000).map(|at| vec![0, 2, 4 + at]).collect();
        assert_eq!(check(&sets), 0);
    }
}
