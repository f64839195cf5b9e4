//! Conditions that are decided once the variables have objects: `forall`, inner `exists`, `or`.
//!
//! In:   a condition in normal form and objects for its free variables.
//! Out:  a formula over facts; everything static is true or false in it.
//! Cost: a quantifier goes only through objects that matter: an `exists` through those whose
//!       atoms can hold, a `forall` through those whose negated atoms can.

use super::body::{Body, Filter, value};
use super::formula::{FORMULA_BYTES, Formula};
use super::join::Join;
use super::limits::{Checked, Guard};
use super::normalise::Normal;
use super::propositional::{FactNumbers, literal};
use super::relation::Relation;
use super::split::without_not;
use crate::lifted::{Atom, Condition, Parameter, Term};

/// A condition with its quantifiers as joins.
pub(super) enum Prepared {
    /// All of them, or one of them.
    Several {
        all: bool,
        parts: Vec<Prepared>,
    },
    Atom(Atom, bool),
    Same(Term, Term, bool),
    Quantified {
        exists: bool,
        join: usize,
        variables: Vec<Term>,
        part: Box<Prepared>,
    },
}

/// What turns conditions into formulas.
pub(super) struct Expander<'a> {
    pub(super) normal: &'a Normal,
    pub(super) relations: &'a mut [Relation],
    pub(super) facts: &'a FactNumbers,
    /// By fact, whether it holds at the start.
    pub(super) starts: &'a [bool],
    pub(super) guard: &'a Guard<'a>,
    pub(super) joins: Vec<Join<'a>>,
    pub(super) key: Vec<u32>,
}

impl Expander<'_> {
    /// Prepares a condition in normal form.
    pub(super) fn prepare(
        &mut self,
        condition: &Condition,
        n_variables: usize,
    ) -> Checked<Prepared> {
        self.guard.pass(1)?;
        self.guard.hold(2 * size_of::<Prepared>())?;
        let (inner, holds) = without_not(condition);
        Ok(match inner {
            Condition::Atom(atom) => Prepared::Atom(atom.clone(), holds),
            Condition::Equal(a, b) => Prepared::Same(*a, *b, holds),
            Condition::Exists(variables, part) | Condition::Forall(variables, part) => {
                let exists = matches!(inner, Condition::Exists(..));
                self.prepare_quantifier(exists, variables, part, n_variables)?
            }
            // Normal form has no `imply`.
            Condition::And(parts) | Condition::Or(parts) => {
                let parts = parts.iter().map(|part| self.prepare(part, n_variables));
                let parts = parts.collect::<Checked<_>>()?;
                Prepared::Several { all: matches!(inner, Condition::And(_)), parts }
            }
            // Nor are there comparisons: tasks with numbers are grounded without them.
            Condition::Not(_) | Condition::Imply(..) | Condition::Compare(..) => {
                Prepared::Several { all: true, parts: Vec::new() }
            }
        })
    }

    /// A `forall` is true except for objects that make all its parts false; so its join is over
    /// its parts' negations, as that of an `exists` is over its parts.
    fn prepare_quantifier(
        &mut self,
        exists: bool,
        variables: &[Parameter],
        part: &Condition,
        n_variables: usize,
    ) -> Checked<Prepared> {
        let parts = match part {
            Condition::And(parts) if exists => &parts[..],
            Condition::Or(parts) if !exists => &parts[..],
            other => std::slice::from_ref(other),
        };
        let mut body = Body::default();
        let mut left = Vec::new();
        for part in parts {
            let (inner, holds) = without_not(part);
            let is_left = match inner {
                Condition::Atom(atom) => {
                    let is_static = self.normal.is_static[atom.predicate.index()];
                    match (holds == exists, is_static) {
                        (true, _) => body.atoms.push(atom.clone()),
                        (false, true) => body.filters.push(Filter::Absent(atom.clone())),
                        (false, false) => {}
                    }
                    !is_static
                }
                Condition::Equal(a, b) => {
                    body.filters.push(Filter::Equal(*a, *b, holds == exists));
                    false
                }
                _ => true,
            };
            if is_left {
                left.push(self.prepare(part, n_variables)?);
            }
        }
        self.guard.pass(n_variables)?;
        let mut is_given = vec![true; n_variables];
        for variable in variables {
            body.variables.push((variable.variable, self.normal.domain(variable)));
            is_given[variable.variable as usize] = false;
        }
        let given: Vec<u32> = (0..n_variables as u32).filter(|&at| is_given[at as usize]).collect();
        let join = Join::new(body, n_variables, &given, &self.normal.domains, self.guard)?;
        self.joins.push(join);
        Ok(Prepared::Quantified {
            exists,
            join: self.joins.len() - 1,
            variables: variables.iter().map(|of| Term::Variable(of.variable)).collect(),
            part: Box::new(Prepared::Several { all: exists, parts: left }),
        })
    }

    /// The formula of a condition for the objects in `binding`. What it takes is lent.
    pub(super) fn formula(
        &mut self,
        condition: &Prepared,
        binding: &mut [u32],
    ) -> Checked<Formula> {
        let lent = self.guard.lent.get();
        self.guard.work(1)?;
        self.guard.lend(FORMULA_BYTES)?;
        let formula = self.formula_of(condition, binding)?;
        if formula.is_constant() {
            self.guard.lent.set(lent);
        }
        Ok(formula)
    }

    fn formula_of(&mut self, condition: &Prepared, binding: &mut [u32]) -> Checked<Formula> {
        let mut found = Vec::new();
        let (all, n_parts) = match condition {
            Prepared::Atom(atom, holds) => return Ok(self.atom(atom, *holds, binding)),
            Prepared::Same(a, b, wanted) => {
                let is_same = value(*a, binding) == value(*b, binding);
                return Ok(Formula::constant(is_same == *wanted));
            }
            Prepared::Several { all, parts } => (*all, parts.len()),
            Prepared::Quantified { exists, join, variables, .. } => {
                let join = &mut self.joins[*join];
                (!exists, join.all(self.relations, binding, variables, &mut found)?)
            }
        };
        // One that is false decides "all", one that is true decides "any".
        let decides = Formula::constant(!all);
        let mut formulas = Vec::new();
        for at in 0..n_parts {
            let part = match condition {
                Prepared::Several { parts, .. } => &parts[at],
                Prepared::Quantified { variables, part, .. } => {
                    bind_row(variables, &found, at, binding);
                    part
                }
                Prepared::Atom(..) | Prepared::Same(..) => break,
            };
            let formula = self.formula(part, binding)?;
            if formula == decides {
                return Ok(formula);
            }
            formulas.push(formula);
        }
        Ok(Formula::several(all, formulas))
    }

    /// An atom, or its negation, for the objects in `binding`.
    pub(super) fn atom(&mut self, atom: &Atom, positive: bool, binding: &[u32]) -> Formula {
        let predicate = atom.predicate.index();
        let Some(tuple) = self.tuple(atom, binding) else { return Formula::constant(!positive) };
        if self.normal.is_static[predicate] {
            return Formula::constant(positive);
        }
        let fact = self.facts.number(predicate, tuple);
        if self.normal.is_kept[predicate] && self.starts[fact as usize] {
            return Formula::constant(positive);
        }
        Formula::Literal(literal(fact, positive))
    }

    /// The fact that an atom is for the objects in `binding`, if it can ever hold.
    pub(super) fn fact(&mut self, atom: &Atom, binding: &[u32]) -> Option<u32> {
        let tuple = self.tuple(atom, binding)?;
        Some(self.facts.number(atom.predicate.index(), tuple))
    }

    fn tuple(&mut self, atom: &Atom, binding: &[u32]) -> Option<u32> {
        self.key.clear();
        self.key.extend(atom.arguments.iter().map(|&term| value(term, binding)));
        self.relations[atom.predicate.index()].find(&self.key)
    }
}

/// Gives variables the objects of one row of what a join found.
pub(super) fn bind_row(variables: &[Term], found: &[u32], at: usize, binding: &mut [u32]) {
    let objects = &found[at * variables.len()..(at + 1) * variables.len()];
    for (&term, &object) in variables.iter().zip(objects) {
        if let Term::Variable(variable) = term {
            binding[variable as usize] = object;
        }
    }
}
