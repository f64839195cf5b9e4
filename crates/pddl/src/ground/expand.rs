//! Conditions that are decided once the variables have objects: `forall`, inner `exists`, `or`.
//!
//! In:   a condition in normal form and objects for its free variables.
//! Out:  a formula over facts; everything static is true or false in it.
//! Cost: a quantifier goes only through objects that matter: an `exists` through those whose
//!       atoms can hold, a `forall` through those whose negated atoms can.

use super::body::{Body, Filter, value};
use super::formula::{FORMULA_BYTES, Formula};
use super::join::Join;
use super::limits::{GroundError, Guard};
use super::normalise::{Normal, body_atom};
use super::propositional::{FactNumbers, literal};
use super::relation::Relation;
use super::sink::Sink;
use crate::lifted::{Atom, Condition, Parameter, Term};

/// A condition with its quantifiers as joins.
pub(super) enum Prepared {
    All(Vec<Prepared>),
    Any(Vec<Prepared>),
    Atom(Atom, bool),
    Same(Term, Term, bool),
    Quantified { exists: bool, join: usize, variables: Vec<u32>, part: Box<Prepared> },
}

/// What turns conditions into formulas.
pub(super) struct Expander<'a> {
    pub(super) normal: &'a Normal,
    pub(super) relations: &'a mut [Relation],
    pub(super) facts: &'a FactNumbers,
    /// By fact, whether it holds at the start.
    pub(super) starts: &'a [bool],
    joins: Vec<Join>,
    key: Vec<u32>,
}

impl<'a> Expander<'a> {
    pub(super) fn new(
        normal: &'a Normal,
        relations: &'a mut [Relation],
        facts: &'a FactNumbers,
        starts: &'a [bool],
    ) -> Self {
        Expander { normal, relations, facts, starts, joins: Vec::new(), key: Vec::new() }
    }

    /// Prepares a condition in normal form.
    ///
    /// # Errors
    ///
    /// If a limit is reached or the caller says stop.
    pub(super) fn prepare(
        &mut self,
        condition: &Condition,
        n_variables: usize,
        guard: &mut Guard<'_>,
    ) -> Result<Prepared, GroundError> {
        guard.pass(1)?;
        guard.hold(2 * size_of::<Prepared>())?;
        Ok(match condition {
            Condition::And(parts) => Prepared::All(self.prepare_each(parts, n_variables, guard)?),
            Condition::Or(parts) => Prepared::Any(self.prepare_each(parts, n_variables, guard)?),
            Condition::Atom(atom) => Prepared::Atom(atom.clone(), true),
            Condition::Equal(a, b) => Prepared::Same(*a, *b, true),
            Condition::Not(inner) => match &**inner {
                Condition::Atom(atom) => Prepared::Atom(atom.clone(), false),
                Condition::Equal(a, b) => Prepared::Same(*a, *b, false),
                // Normal form has no other.
                _ => Prepared::All(Vec::new()),
            },
            Condition::Exists(variables, part) => {
                self.prepare_quantifier(true, variables, part, n_variables, guard)?
            }
            Condition::Forall(variables, part) => {
                self.prepare_quantifier(false, variables, part, n_variables, guard)?
            }
            // Normal form has none.
            Condition::Imply(..) => Prepared::All(Vec::new()),
        })
    }

    fn prepare_each(
        &mut self,
        parts: &[Condition],
        n_variables: usize,
        guard: &mut Guard<'_>,
    ) -> Result<Vec<Prepared>, GroundError> {
        parts.iter().map(|part| self.prepare(part, n_variables, guard)).collect()
    }

    /// A `forall` is true except for objects that make all its parts false; so its join is over
    /// its parts' negations, as that of an `exists` is over its parts.
    fn prepare_quantifier(
        &mut self,
        exists: bool,
        variables: &[Parameter],
        part: &Condition,
        n_variables: usize,
        guard: &mut Guard<'_>,
    ) -> Result<Prepared, GroundError> {
        let parts = match part {
            Condition::And(parts) if exists => &parts[..],
            Condition::Or(parts) if !exists => &parts[..],
            other => std::slice::from_ref(other),
        };
        let mut body = Body::default();
        let mut left = Vec::new();
        for part in parts {
            let (inner, holds) = match part {
                Condition::Not(inner) => (&**inner, !exists),
                other => (other, exists),
            };
            match inner {
                Condition::Equal(a, b) if holds => body.filters.push(Filter::Same(*a, *b)),
                Condition::Equal(a, b) => body.filters.push(Filter::Different(*a, *b)),
                Condition::Atom(atom) => {
                    let is_static = self.normal.is_static[atom.predicate.0 as usize];
                    match (holds, is_static) {
                        (true, _) => body.atoms.push(body_atom(atom)),
                        (false, true) => body.filters.push(Filter::Absent(body_atom(atom))),
                        (false, false) => {}
                    }
                    if !is_static {
                        left.push(self.prepare(part, n_variables, guard)?);
                    }
                }
                _ => left.push(self.prepare(part, n_variables, guard)?),
            }
        }
        for variable in variables {
            body.variables.push((variable.variable, self.normal.domain(variable)));
        }
        let own: Vec<u32> = variables.iter().map(|variable| variable.variable).collect();
        guard.pass(n_variables)?;
        let mut is_given = vec![true; n_variables];
        own.iter().for_each(|&at| is_given[at as usize] = false);
        let given: Vec<u32> = (0..n_variables as u32).filter(|&at| is_given[at as usize]).collect();
        self.joins.push(Join::new(body, n_variables, &given, guard)?);
        let part = if exists { Prepared::All(left) } else { Prepared::Any(left) };
        Ok(Prepared::Quantified {
            exists,
            join: self.joins.len() - 1,
            variables: own,
            part: Box::new(part),
        })
    }

    /// The formula of a condition for the objects in `binding`. What it takes is lent.
    ///
    /// # Errors
    ///
    /// If a limit is reached or the caller says stop.
    pub(super) fn formula(
        &mut self,
        condition: &Prepared,
        binding: &mut [u32],
        guard: &mut Guard<'_>,
    ) -> Result<Formula, GroundError> {
        let lent = guard.lent();
        guard.work(1)?;
        guard.lend(FORMULA_BYTES)?;
        let formula = self.formula_of(condition, binding, guard)?;
        if formula.is_true() || formula.is_false() {
            guard.back_to(lent);
        }
        Ok(formula)
    }

    fn formula_of(
        &mut self,
        condition: &Prepared,
        binding: &mut [u32],
        guard: &mut Guard<'_>,
    ) -> Result<Formula, GroundError> {
        match condition {
            Prepared::All(parts) => {
                let mut formulas = Vec::with_capacity(parts.len());
                for part in parts {
                    let formula = self.formula(part, binding, guard)?;
                    if formula.is_false() {
                        return Ok(formula);
                    }
                    formulas.push(formula);
                }
                Ok(Formula::all(formulas))
            }
            Prepared::Any(parts) => {
                let mut formulas = Vec::with_capacity(parts.len());
                for part in parts {
                    let formula = self.formula(part, binding, guard)?;
                    if formula.is_true() {
                        return Ok(formula);
                    }
                    formulas.push(formula);
                }
                Ok(Formula::any(formulas))
            }
            Prepared::Atom(atom, holds) => Ok(self.atom(atom, *holds, binding)),
            Prepared::Same(a, b, wanted) => {
                Ok(Formula::constant((value(*a, binding) == value(*b, binding)) == *wanted))
            }
            Prepared::Quantified { exists, join, variables, part } => {
                let head: Vec<Term> = variables.iter().map(|&at| Term::Variable(at)).collect();
                let mut found = Vec::new();
                let (relations, domains) = (&mut *self.relations, &self.normal.domains);
                let sink = &mut Sink::Row(&mut found, guard.limits.operators);
                let n_found =
                    self.joins[*join].run(relations, domains, None, binding, &head, sink, guard)?;
                let mut formulas = Vec::new();
                for at in 0..n_found {
                    let objects = &found[at * variables.len()..(at + 1) * variables.len()];
                    for (&variable, &object) in variables.iter().zip(objects) {
                        binding[variable as usize] = object;
                    }
                    let formula = self.formula(part, binding, guard)?;
                    if if *exists { formula.is_true() } else { formula.is_false() } {
                        return Ok(formula);
                    }
                    formulas.push(formula);
                }
                Ok(if *exists { Formula::any(formulas) } else { Formula::all(formulas) })
            }
        }
    }

    /// An atom, or its negation, for the objects in `binding`.
    pub(super) fn atom(&mut self, atom: &Atom, positive: bool, binding: &[u32]) -> Formula {
        let predicate = atom.predicate.0 as usize;
        self.key.clear();
        self.key.extend(atom.arguments.iter().map(|&term| value(term, binding)));
        let Some(tuple) = self.relations[predicate].find(&self.key) else {
            return Formula::constant(!positive);
        };
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
        let predicate = atom.predicate.0 as usize;
        self.key.clear();
        self.key.extend(atom.arguments.iter().map(|&term| value(term, binding)));
        let tuple = self.relations[predicate].find(&self.key)?;
        Some(self.facts.number(predicate, tuple))
    }
}
