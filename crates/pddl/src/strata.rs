//! The order in which derived predicates can be worked out.
//!
//! In:   the axioms of a task.
//! Out:  per predicate a stratum such that rules deny only what lies in lower ones; or the rules
//!       that cannot be ordered so.
//! Cost: linear in the axioms; nothing recurses but conditions, which nest to a bound.
//!
//! Strongly connected components of "is derived from", by Tarjan; a denial inside a component
//! has no order. What counts as denied is told by the number of `not`s around, the left of an
//! `imply` being one; `forall` denies nothing.

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
    for (at, axiom) in axioms.iter().enumerate() {
        let mut found = |predicate: PredicateId, is_denied| {
            let predicate = predicate.index();
            if predicates[predicate].is_derived {
                uses[axiom.predicate.index()].push(Use { predicate, is_denied, axiom: at });
            }
        };
        walk(&axiom.condition, false, &mut found);
    }
    let (components, order) = components(&uses);
    let mut circles = Vec::new();
    // Tarjan finishes what others depend on first.
    let mut strata = vec![0u32; predicates.len()];
    for group in order.chunk_by(|&a, &b| components[a] == components[b]) {
        let mut stratum = 0;
        for used in group.iter().flat_map(|&head| &uses[head]) {
            let is_inside = components[used.predicate] == components[group[0]];
            match (is_inside, used.is_denied) {
                (true, true) => circles.push((used.axiom, PredicateId(used.predicate as u32))),
                (true, false) => {}
                (false, denied) => {
                    stratum = stratum.max(strata[used.predicate] + u32::from(denied));
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

/// Per predicate its component, and the predicates in the order in which they are finished.
fn components(uses: &[Vec<Use>]) -> (Vec<usize>, Vec<usize>) {
    const NEW: usize = usize::MAX;
    let n = uses.len();
    let (mut number, mut low, mut component) = (vec![NEW; n], vec![NEW; n], vec![NEW; n]);
    let (mut stack, mut order, mut open) = (Vec::new(), Vec::new(), Vec::<(usize, usize)>::new());
    let (mut next_number, mut next_component) = (0, 0);
    for from in 0..n {
        if number[from] != NEW {
            continue;
        }
        open.push((from, 0));
        while let Some(&mut (at, ref mut next)) = open.last_mut() {
            if *next == 0 && number[at] == NEW {
                (number[at], low[at]) = (next_number, next_number);
                next_number += 1;
                stack.push(at);
            }
            if let Some(used) = uses[at].get(*next) {
                *next += 1;
                let to = used.predicate;
                if number[to] == NEW {
                    open.push((to, 0));
                } else if component[to] == NEW {
                    low[at] = low[at].min(number[to]);
                }
                continue;
            }
            open.pop();
            if let Some(&(above, _)) = open.last() {
                low[above] = low[above].min(low[at]);
            }
            if low[at] == number[at] {
                while let Some(member) = stack.pop() {
                    component[member] = next_component;
                    order.push(member);
                    if member == at {
                        break;
                    }
                }
                next_component += 1;
            }
        }
    }
    (component, order)
}
