//! Conditions with `not` only before atoms, and what of them can be joined.
//!
//! In:   a condition as written.
//! Out:  its negation normal form; and its alternatives, each a list of literals with the
//!       variables that `exists` brought, and the rest: what only makes sense once the
//!       variables have objects (`forall`, and `or` whose parts bind nothing).
//! Cost: linear, times the alternatives, of which there are at most [`MOST_ALTERNATIVES`].

use crate::lifted::{Condition, Parameter};

/// More alternatives than these stay one: they are taken apart when the objects are known and
/// most of them have turned out true or false.
const MOST_ALTERNATIVES: usize = 8;

/// One alternative of a condition.
#[derive(Clone, Default, Debug)]
pub(super) struct Parts {
    pub(super) variables: Vec<Parameter>,
    /// Atoms and equalities, each perhaps within a `not`.
    pub(super) literals: Vec<Condition>,
    pub(super) rest: Vec<Condition>,
}

/// The condition, or its negation, with `not` only before atoms and equalities; without
/// `imply`; quantifiers of one kind gathered.
pub(super) fn normal_form(condition: &Condition, negate: bool) -> Condition {
    match condition {
        Condition::And(parts) | Condition::Or(parts) => {
            let all = matches!(condition, Condition::And(_)) != negate;
            several(all, parts.iter().map(|part| normal_form(part, negate)))
        }
        Condition::Not(part) => normal_form(part, !negate),
        Condition::Imply(from, to) => {
            several(negate, [normal_form(from, !negate), normal_form(to, negate)].into_iter())
        }
        Condition::Exists(variables, part) | Condition::Forall(variables, part) => {
            let exists = matches!(condition, Condition::Exists(..)) != negate;
            quantified(exists, variables, normal_form(part, negate))
        }
        Condition::Atom(_) | Condition::Equal(..) | Condition::Compare(..) if negate => {
            Condition::Not(Box::new(condition.clone()))
        }
        Condition::Atom(_) | Condition::Equal(..) | Condition::Compare(..) => condition.clone(),
    }
}

/// All of the parts, or one of them; flat, and without an `and` or `or` around a single one.
fn several(all: bool, parts: impl Iterator<Item = Condition>) -> Condition {
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Condition::And(inner) if all => flat.extend(inner),
            Condition::Or(inner) if !all => flat.extend(inner),
            other => flat.push(other),
        }
    }
    match all {
        _ if flat.len() == 1 => flat.swap_remove(0),
        true => Condition::And(flat),
        false => Condition::Or(flat),
    }
}

/// A quantifier over a part, with the quantifiers of the same kind that stand in its `and`
/// (for `exists`) or its `or` (for `forall`) gathered: every variable has a number of its own.
fn quantified(exists: bool, variables: &[Parameter], part: Condition) -> Condition {
    let mut variables = variables.to_vec();
    let parts = match (exists, part) {
        (true, Condition::And(parts)) | (false, Condition::Or(parts)) => parts,
        (_, other) => vec![other],
    };
    let inner = parts.into_iter().map(|part| match (exists, part) {
        (true, Condition::Exists(more, inner)) | (false, Condition::Forall(more, inner)) => {
            variables.extend(more);
            *inner
        }
        (_, other) => other,
    });
    let inner = Box::new(several(exists, inner));
    match exists {
        true => Condition::Exists(variables, inner),
        false => Condition::Forall(variables, inner),
    }
}

/// What stands within a `not`, and that it must not hold; or what stands there, and that it must.
pub(super) fn without_not(condition: &Condition) -> (&Condition, bool) {
    match condition {
        Condition::Not(inner) => (inner, false),
        other => (other, true),
    }
}

/// The alternatives of a condition in normal form; none if it is false.
pub(super) fn split(condition: &Condition) -> Vec<Parts> {
    match condition {
        Condition::And(parts) => {
            let mut alternatives = vec![Parts::default()];
            for part in parts {
                let further = split(part);
                if let [only] = &further[..] {
                    for parts in &mut alternatives {
                        *parts = joined(std::mem::take(parts), only);
                    }
                } else if alternatives.len() * further.len() > MOST_ALTERNATIVES {
                    alternatives.iter_mut().for_each(|parts| parts.rest.push(part.clone()));
                } else {
                    let joined = |one: &Parts| {
                        further.iter().map(|other| joined(one.clone(), other)).collect::<Vec<_>>()
                    };
                    alternatives = alternatives.iter().flat_map(joined).collect();
                }
            }
            alternatives
        }
        Condition::Or(parts) if parts.is_empty() => Vec::new(),
        Condition::Or(parts) => {
            if parts.len() <= MOST_ALTERNATIVES && parts.iter().all(binds) {
                let alternatives: Vec<Parts> = parts.iter().flat_map(split).collect();
                if alternatives.len() <= MOST_ALTERNATIVES {
                    return alternatives;
                }
            }
            vec![Parts { rest: vec![condition.clone()], ..Parts::default() }]
        }
        Condition::Exists(variables, part) => {
            let mut alternatives = split(part);
            let add = |parts: &mut Parts| parts.variables.extend_from_slice(variables);
            alternatives.iter_mut().for_each(add);
            alternatives
        }
        Condition::Forall(..) | Condition::Imply(..) => {
            vec![Parts { rest: vec![condition.clone()], ..Parts::default() }]
        }
        Condition::Not(_) | Condition::Atom(_) | Condition::Equal(..) | Condition::Compare(..) => {
            vec![Parts { literals: vec![condition.clone()], ..Parts::default() }]
        }
    }
}

fn joined(mut parts: Parts, other: &Parts) -> Parts {
    parts.variables.extend_from_slice(&other.variables);
    parts.literals.extend_from_slice(&other.literals);
    parts.rest.extend_from_slice(&other.rest);
    parts
}

/// Whether joining a condition binds something: whether it needs an atom to hold.
fn binds(condition: &Condition) -> bool {
    match condition {
        Condition::Atom(_) => true,
        Condition::And(parts) => parts.iter().any(binds),
        Condition::Or(parts) => parts.iter().all(binds),
        Condition::Exists(_, part) => binds(part),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lifted::{Atom, PredicateId, Term};

    fn atom(predicate: u32) -> Condition {
        let arguments = vec![Term::Variable(0)];
        Condition::Atom(Atom { predicate: PredicateId(predicate), arguments })
    }

    #[test]
    fn a_negated_implication_is_its_condition_without_its_consequence() {
        let imply = Condition::Imply(Box::new(atom(0)), Box::new(atom(1)));
        let not = Condition::Not(Box::new(imply));
        let expected = Condition::And(vec![atom(0), Condition::Not(Box::new(atom(1)))]);
        assert_eq!(normal_form(&not, false), expected);
    }

    #[test]
    fn alternatives_that_bind_are_split_and_the_others_left() {
        let either = Condition::Or(vec![atom(0), atom(1)]);
        let negative = Condition::Or(vec![atom(2), Condition::Not(Box::new(atom(3)))]);
        let parts = split(&Condition::And(vec![either, negative.clone()]));
        assert_eq!(parts.len(), 2);
        assert!(parts.iter().all(|parts| parts.rest == [negative.clone()]));
    }

    #[test]
    fn many_alternatives_are_left_together() {
        let either = Condition::Or((0..3).map(atom).collect());
        let parts = split(&Condition::And(vec![either.clone(), either.clone(), either]));
        assert_eq!(parts.len(), 3);
        assert!(parts.iter().all(|parts| parts.literals.len() == 1 && parts.rest.len() == 2));
    }

    #[test]
    fn nothing_is_an_alternative_of_what_is_false() {
        assert!(split(&Condition::And(vec![atom(0), Condition::Or(Vec::new())])).is_empty());
    }
}
