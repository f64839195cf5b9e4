//! Guesses of what is one at a time: predicates that may share a count.
//!
//! In:   predicates, and an action that would add to the count.
//! Out:  candidates: `at(?x, *)` alone, then, as `load` deletes `at(?x, *)` and adds
//!       `in(?x, *)`, both together.
//! Cost: a candidate per predicate and position; refinements follow the actions' deletions.
//!
//! A candidate is only a guess; [`super::invariants`] holds it against every operator. The
//! search for them follows M. Helmert, "Concise finite-domain representations for PDDL planning
//! tasks", 2009.

use super::normalise::{Normal, Schema};
use crate::lifted::{Atom, Lifted, Term};

/// A predicate with some arguments fixed and at most one free.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Part {
    pub(super) predicate: usize,
    /// The position of every fixed argument: of the first, the second … of the candidate.
    pub(super) fixed: Vec<usize>,
    /// The position that may be anything.
    pub(super) counted: Option<usize>,
}

/// Parts with the same fixed arguments. An instance has objects for these; of its facts at most
/// one holds, if the guess is right.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Candidate {
    /// Sorted; no predicate twice.
    pub(super) parts: Vec<Part>,
}

/// A predicate with more arguments is not looked at: its assignments would be too many.
const MOST_ARGUMENTS: usize = 6;

/// Every predicate that actions change, alone, with nothing or one argument free; at most so
/// many.
pub(super) fn first_candidates(lifted: &Lifted, normal: &Normal, most: usize) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (predicate, of) in lifted.predicates.iter().enumerate() {
        let arity = of.arguments.len();
        if normal.is_static[predicate] || of.is_derived || arity > MOST_ARGUMENTS {
            continue;
        }
        if candidates.len() >= most {
            break;
        }
        for counted in std::iter::once(None).chain((0..arity).map(Some)) {
            let fixed = (0..arity).filter(|&position| Some(position) != counted).collect();
            candidates.push(Candidate { parts: vec![Part { predicate, fixed, counted }] });
        }
    }
    candidates
}

impl Candidate {
    pub(super) fn n_fixed(&self) -> usize {
        self.parts[0].fixed.len()
    }

    pub(super) fn has(&self, predicate: usize) -> bool {
        self.parts.iter().any(|part| part.predicate == predicate)
    }

    /// The candidates that an addition of a schema would be balanced in: those with a part more
    /// that the schema needs and deletes. `source` is the number of the lifted effect that adds.
    pub(super) fn refined(&self, schema: &Schema, source: usize) -> Vec<Candidate> {
        let Some(adding) = schema.effects.iter().find(|effect| effect.source == source) else {
            return Vec::new();
        };
        let predicate = adding.atom.predicate.0 as usize;
        let Some(part) = self.parts.iter().find(|part| part.predicate == predicate) else {
            return Vec::new();
        };
        let fixed: Vec<Term> =
            part.fixed.iter().map(|&position| adding.atom.arguments[position]).collect();
        let mut candidates = Vec::new();
        for deleting in schema.effects.iter().filter(|effect| !effect.adds) {
            let predicate = deleting.atom.predicate.0 as usize;
            let conditions = [
                &schema.condition.literals,
                &adding.condition.literals,
                &deleting.condition.literals,
            ];
            let is_needed = conditions.iter().any(|literals| {
                literals.iter().any(|(atom, holds)| *holds && *atom == deleting.atom)
            });
            if self.has(predicate) || !is_needed {
                continue;
            }
            for part in assignments(predicate, &deleting.atom, &fixed) {
                let mut parts = self.parts.clone();
                parts.push(part);
                candidates.push(Candidate { parts }.in_order());
            }
        }
        candidates
    }

    /// The same candidate in the one spelling that all its equals have.
    fn in_order(mut self) -> Candidate {
        self.parts.sort_unstable();
        let mut order: Vec<usize> = (0..self.n_fixed()).collect();
        order.sort_unstable_by_key(|&at| self.parts[0].fixed[at]);
        for part in &mut self.parts {
            part.fixed = order.iter().map(|&at| part.fixed[at]).collect();
        }
        self
    }
}

/// All ways to find the fixed terms among an atom's arguments, with at most one left over.
fn assignments(predicate: usize, atom: &Atom, fixed: &[Term]) -> Vec<Part> {
    let arity = atom.arguments.len();
    if arity > MOST_ARGUMENTS || arity < fixed.len() || arity > fixed.len() + 1 {
        return Vec::new();
    }
    let mut partial: Vec<Vec<usize>> = vec![Vec::new()];
    for term in fixed {
        let mut longer = Vec::new();
        for chosen in &partial {
            for position in (0..arity).filter(|position| !chosen.contains(position)) {
                if atom.arguments[position] == *term {
                    longer.push([&chosen[..], &[position]].concat());
                }
            }
        }
        partial = longer;
    }
    let part = |fixed: Vec<usize>| {
        let counted = (0..arity).find(|position| !fixed.contains(position));
        Part { predicate, fixed, counted }
    };
    partial.into_iter().map(part).collect()
}
