//! The order in which derived predicates can be worked out.
//!
//! In:   the axioms of a task.
//! Out:  per predicate a stratum such that rules deny only what lies in lower ones; or the rules
//!       that cannot be ordered so.
//! Cost: linear in the axioms; nothing recurses but conditions, which nest to a bound.
//!
//! Strongly connected components of "is derived from", by Kosaraju; a denial inside a component
//! has no order. What counts as denied is told by the number of `not`s around, the left of an
//! `imply` being one; `forall` denies nothing.

use crate::graph::finished;
use crate::lifted::{Axiom, Condition, Predicate, PredicateId};

/// A rule uses a derived predicate.
#[derive(Clone, Copy)]
struct Use {
    predicate: usize,
    is_denied: bool,
    axiom: usize,
}

/// Per predicate its stratum, 0 for what is not derived or depends on nothing derived.
///
/// # Errors
///
/// The axioms that deny, directly or through others, what depends on their head, each with
/// the predicate it denies.
pub fn strata(
    predicates: &[Predicate],
    axioms: &[Axiom],
) -> Result<Vec<u32>, Vec<(usize, PredicateId)>> {
    let mut uses: Vec<Vec<Use>> = vec![Vec::new(); predicates.len()];
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); predicates.len()];
    for (at, axiom) in axioms.iter().enumerate() {
        let mut found = |predicate: PredicateId, is_denied| {
            let predicate = predicate.index();
            if predicates[predicate].is_derived {
                uses[axiom.predicate.index()].push(Use { predicate, is_denied, axiom: at });
                users[predicate].push(axiom.predicate.index());
            }
        };
        walk(&axiom.condition, false, &mut found);
    }
    let user = |at: usize, number: usize| users[at].get(number).copied();
    let order = finished(predicates.len(), user, |_| {});
    let mut circles = Vec::new();
    let mut strata = vec![0u32; predicates.len()];
    // Per predicate the first of its component. What others use is done last, so it comes first.
    let mut component = vec![None; predicates.len()];
    for &first in order.iter().rev() {
        if component[first].is_some() {
            continue;
        }
        component[first] = Some(first);
        let (mut group, mut next, mut stratum) = (vec![first], 0, 0);
        while let Some(&head) = group.get(next) {
            next += 1;
            for used in &uses[head] {
                let of = *component[used.predicate].get_or_insert_with(|| {
                    group.push(used.predicate);
                    first
                });
                if of != first {
                    stratum = stratum.max(strata[used.predicate] + u32::from(used.is_denied));
                } else if used.is_denied {
                    circles.push((used.axiom, PredicateId(used.predicate as u32)));
                }
            }
        }
        group.iter().for_each(|&head| strata[head] = stratum);
    }
    circles.sort_unstable_by_key(|&(axiom, through)| (axiom, through.0));
    circles.dedup_by_key(|&mut (axiom, _)| axiom);
    if circles.is_empty() { Ok(strata) } else { Err(circles) }
}

fn walk(condition: &Condition, is_denied: bool, found: &mut dyn FnMut(PredicateId, bool)) {
    match condition {
        Condition::Not(part) => walk(part, !is_denied, found),
        Condition::Imply(first, second) => {
            walk(first, !is_denied, found);
            walk(second, is_denied, found);
        }
        Condition::Atom(atom) => found(atom.predicate, is_denied),
        _ => condition.parts().for_each(|part| walk(part, is_denied, found)),
    }
}
