//! What a join is about: atoms that must be in their relations, and tests.
//!
//! In:   the literals of a condition.
//! Out:  a [`Body`], and what its terms stand for once variables have objects.

use crate::lifted::{Atom, Term};

/// Objects that a variable may stand for.
pub(super) struct VariableDomain {
    pub(super) objects: Vec<u32>,
    pub(super) has: Vec<bool>,
}

/// A test that binds nothing.
#[derive(Clone, Debug)]
pub(super) enum Filter {
    /// Two terms are the same, or differ.
    Equal(Term, Term, bool),
    Absent(Atom),
}

/// What must be true of the variables: tuples that must be in relations, which are numbered as
/// predicates are, and after these the instances of schemas.
#[derive(Clone, Default, Debug)]
pub(super) struct Body {
    pub(super) atoms: Vec<Atom>,
    pub(super) filters: Vec<Filter>,
    /// Variables to bind, with the number of the domain of each.
    pub(super) variables: Vec<(u32, usize)>,
}

impl Body {
    /// About what it takes.
    pub(super) fn bytes(&self) -> usize {
        let of_atom = |atom: &Atom| size_of_val(&atom.arguments[..]);
        let of_filter = |filter: &Filter| match filter {
            Filter::Absent(atom) => of_atom(atom),
            Filter::Equal(..) => 0,
        };
        self.atoms.iter().map(|atom| size_of::<Atom>() + of_atom(atom)).sum::<usize>()
            + self.filters.iter().map(|f| size_of::<Filter>() + of_filter(f)).sum::<usize>()
            + size_of_val(&self.variables[..])
    }
}

/// The object that a term stands for.
#[inline]
pub(super) fn value(term: Term, binding: &[u32]) -> u32 {
    match term {
        Term::Object(object) => object.0,
        Term::Variable(variable) => binding[variable as usize],
    }
}

/// Whether a term has an object.
pub(super) fn is_bound(term: Term, bound: &[bool]) -> bool {
    match term {
        Term::Object(_) => true,
        Term::Variable(variable) => bound[variable as usize],
    }
}

/// Whether all terms of a filter have objects.
pub(super) fn is_complete(filter: &Filter, bound: &[bool]) -> bool {
    match filter {
        Filter::Equal(a, b, _) => is_bound(*a, bound) && is_bound(*b, bound),
        Filter::Absent(atom) => atom.arguments.iter().all(|&term| is_bound(term, bound)),
    }
}

/// Marks the variables among the arguments as bound.
pub(super) fn bind(arguments: &[Term], bound: &mut [bool]) {
    for &term in arguments {
        if let Term::Variable(variable) = term {
            bound[variable as usize] = true;
        }
    }
}
