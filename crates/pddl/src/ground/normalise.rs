//! Phase 1: every action, axiom and effect as a body to join and literals to keep.
//!
//! In:   a lifted task.
//! Out:  schemas: one per alternative of an action's or axiom's condition.
//! Cost: linear in the task, times at most 8 alternatives per condition.
//!
//! Predicates that nothing changes are static: they only choose objects. Types are sets of
//! objects. `exists` in a condition gives further variables; those that matter to nothing but
//! static conditions are forgotten once joined.

use super::body::{Body, Filter, VariableDomain};
use super::limits::{Checked, Guard};
use super::split::{Parts, normal_form, split, without_not};
use crate::lifted::{
    Action, Atom, Axiom, Condition, Effect, Lifted, ObjectId, Parameter, Term, TypeId,
};
use std::collections::{HashMap, HashSet};

/// A task ready to be joined.
#[derive(Default)]
pub(super) struct Normal {
    /// By predicate, whether it never changes.
    pub(super) is_static: Vec<bool>,
    /// By predicate, whether nothing makes it false.
    pub(super) is_kept: Vec<bool>,
    pub(super) domains: Vec<VariableDomain>,
    domain_numbers: HashMap<Vec<TypeId>, usize>,
    /// Actions in order, then axioms.
    pub(super) schemas: Vec<Schema>,
    /// In normal form.
    pub(super) goal: Condition,
}

/// One alternative of an action or an axiom.
pub(super) struct Schema {
    pub(super) origin: Origin,
    pub(super) n_variables: usize,
    pub(super) n_parameters: usize,
    /// The variables an instance keeps: the parameters first.
    pub(super) kept: Vec<u32>,
    pub(super) condition: Conjunction,
    pub(super) effects: Vec<NormalEffect>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    Action(usize),
    Axiom(usize),
}

/// What must hold, by how it is dealt with.
#[derive(Default)]
pub(super) struct Conjunction {
    /// To join: all atoms that must hold, static or not.
    pub(super) body: Body,
    /// The literals that are not static, and whether each must hold.
    pub(super) literals: Vec<(Atom, bool)>,
    /// What is decided once the variables have objects.
    pub(super) rest: Vec<Condition>,
}

/// One alternative of an effect's condition, with what comes of it.
pub(super) struct NormalEffect {
    /// Its number in the action.
    pub(super) source: usize,
    pub(super) adds: bool,
    pub(super) atom: Atom,
    pub(super) condition: Conjunction,
}

/// A condition, or an argument of one, in its bodies, literals and rest.
const ENTRY_BYTES: usize = 96;

/// Brings a task's conditions into the form that the later phases work on.
pub(super) fn normalise(lifted: &Lifted, guard: &Guard<'_>) -> Checked<Normal> {
    let mut maker =
        Maker { types: &lifted.objects_by_type(), guard, normal: Normal::new(lifted, guard)? };
    for (at, action) in lifted.actions.iter().enumerate() {
        maker.add(Origin::Action(at), action)?;
    }
    for (at, axiom) in lifted.axioms.iter().enumerate() {
        maker.add(Origin::Axiom(at), &as_action(axiom))?;
    }
    let mut variables = Vec::new();
    add_quantified(&maker.normal.goal, &mut variables);
    maker.make_domains(&variables)?;
    Ok(maker.normal)
}

/// A rule as an action that makes its head true.
fn as_action(axiom: &Axiom) -> Action {
    let arguments = axiom.parameters.iter().map(|of| Term::Variable(of.variable)).collect();
    let atom = Atom { predicate: axiom.predicate, arguments };
    let (forall, condition) = (Vec::new(), Condition::default());
    Action {
        name: String::new(),
        parameters: axiom.parameters.clone(),
        n_variables: axiom.n_variables,
        condition: axiom.condition.clone(),
        effects: vec![Effect { forall, condition, adds: true, atom }],
        changes: Vec::new(),
        cost: Vec::new(),
        span: axiom.span,
    }
}

impl Normal {
    /// Without schemas and domains.
    fn new(lifted: &Lifted, guard: &Guard<'_>) -> Checked<Normal> {
        guard.work(lifted.goal.size() as u64)?;
        guard.hold(lifted.goal.size() * ENTRY_BYTES)?;
        let is_static: Vec<bool> = lifted.predicates.iter().map(|of| !of.is_derived).collect();
        let is_kept = is_static.clone();
        let goal = normal_form(&lifted.goal, false);
        let mut normal = Normal { is_static, is_kept, goal, ..Normal::default() };
        for effect in lifted.actions.iter().flat_map(|action| &action.effects) {
            let predicate = effect.atom.predicate.index();
            normal.is_static[predicate] = false;
            normal.is_kept[predicate] &= effect.adds;
        }
        for predicate in lifted.axioms.iter().map(|axiom| axiom.predicate.index()) {
            normal.is_static[predicate] = false;
            normal.is_kept[predicate] = false;
        }
        Ok(normal)
    }

    /// The number of the domain of a variable. All domains are made while normalising.
    pub(super) fn domain(&self, variable: &Parameter) -> usize {
        self.domain_numbers.get(&sorted(&variable.types)).copied().unwrap_or(0)
    }

    /// The condition of an alternative of an action or axiom, and the variables to keep.
    fn schema_condition(
        &self,
        parameters: &[Parameter],
        mut parts: Parts,
    ) -> (Conjunction, Vec<u32>) {
        let own: Vec<u32> = parameters.iter().map(|parameter| parameter.variable).collect();
        let own_terms: Vec<Term> = own.iter().map(|&variable| Term::Variable(variable)).collect();
        parts.variables.splice(0..0, parameters.iter().cloned());
        let conjunction = self.conjunction(&parts, &own_terms);
        let literals = conjunction.literals.iter();
        let mut used: HashSet<Term> =
            literals.flat_map(|(atom, _)| &atom.arguments).copied().collect();
        conjunction.rest.iter().for_each(|rest| add_terms(rest, &mut used));
        let is_own: HashSet<u32> = own.iter().copied().collect();
        let others = conjunction.body.variables.iter().map(|&(variable, _)| variable);
        let others =
            others.filter(|at| !is_own.contains(at) && used.contains(&Term::Variable(*at)));
        let kept = own.iter().copied().chain(others).collect();
        (conjunction, kept)
    }

    /// Sorts literals by how they are dealt with. Variables that occur nowhere, not in `head`
    /// either, need no object if there is one at all.
    fn conjunction(&self, parts: &Parts, head: &[Term]) -> Conjunction {
        let mut conjunction = Conjunction { rest: parts.rest.clone(), ..Conjunction::default() };
        let Conjunction { body, literals, rest } = &mut conjunction;
        let mut used: HashSet<Term> = head.iter().copied().collect();
        for literal in &parts.literals {
            add_terms(literal, &mut used);
            match without_not(literal) {
                (Condition::Equal(a, b), holds) => body.filters.push(Filter::Equal(*a, *b, holds)),
                (Condition::Atom(atom), holds) => {
                    let is_static = self.is_static[atom.predicate.index()];
                    if holds {
                        body.atoms.push(atom.clone());
                    } else if is_static {
                        body.filters.push(Filter::Absent(atom.clone()));
                    }
                    if !is_static {
                        literals.push((atom.clone(), holds));
                    }
                }
                _ => {}
            }
        }
        rest.iter().for_each(|rest| add_terms(rest, &mut used));
        for variable in &parts.variables {
            let domain = self.domain(variable);
            let is_used = used.contains(&Term::Variable(variable.variable));
            if is_used || self.domains[domain].objects.is_empty() {
                body.variables.push((variable.variable, domain));
            }
        }
        conjunction
    }
}

struct Maker<'a> {
    /// By type, its objects.
    types: &'a [Vec<ObjectId>],
    guard: &'a Guard<'a>,
    normal: Normal,
}

impl Maker<'_> {
    fn make_domains(&mut self, variables: &[Parameter]) -> Checked<()> {
        let n_objects = self.types.first().map_or(0, Vec::len);
        for Parameter { types, .. } in variables {
            self.guard.work(1 + types.len() as u64)?;
            let next = self.normal.domains.len();
            if *self.normal.domain_numbers.entry(sorted(types)).or_insert(next) == next {
                let listed: usize = types.iter().map(|of| self.types[of.index()].len()).sum();
                self.guard.work((n_objects + listed) as u64)?;
                let of_types = 2 * size_of_val(&types[..]);
                self.guard.hold(128 + of_types + n_objects + 8 * listed.min(n_objects))?;
                self.normal.domains.push(domain_of(types, self.types));
            }
        }
        Ok(())
    }

    fn add(&mut self, origin: Origin, action: &Action) -> Checked<()> {
        let of_effects = action.effects.iter().map(|effect| {
            effect.condition.size() + effect.forall.len() + 1 + effect.atom.arguments.len()
        });
        let (n_parameters, n_variables) = (action.parameters.len(), action.n_variables);
        let size = 1 + n_parameters + action.condition.size() + of_effects.sum::<usize>();
        // Normal forms and their alternatives are gone once the schemas are made.
        let lent = self.guard.lent.get();
        self.guard.work(size as u64)?;
        self.guard.lend(2 * size * ENTRY_BYTES)?;
        let condition = normal_form(&action.condition, false);
        let mut variables = action.parameters.clone();
        add_quantified(&condition, &mut variables);
        let mut effects = Vec::new();
        // What the effects' alternatives have beside what was counted already.
        let mut more = 0;
        for (source, effect) in action.effects.iter().enumerate() {
            let when = normal_form(&effect.condition, false);
            variables.extend_from_slice(&effect.forall);
            add_quantified(&when, &mut variables);
            let alternatives = split(&when);
            let copied = (when.size() + effect.forall.len()) * alternatives.len();
            self.guard.work(copied as u64)?;
            self.guard.lend(copied * ENTRY_BYTES)?;
            more += copied;
            for mut parts in alternatives {
                parts.variables.extend_from_slice(&effect.forall);
                effects.push((source, parts));
            }
        }
        self.make_domains(&variables)?;
        for parts in split(&condition) {
            self.guard.hold((size + more) * ENTRY_BYTES)?;
            let (condition, kept) = self.normal.schema_condition(&action.parameters, parts);
            let effects = effects.iter().map(|(source, parts)| {
                let Effect { adds, atom, .. } = &action.effects[*source];
                let n_conditions = parts.literals.len() + parts.rest.len();
                self.guard.work((1 + n_conditions + parts.variables.len()) as u64)?;
                let condition = self.normal.conjunction(parts, &atom.arguments);
                Ok(NormalEffect { source: *source, adds: *adds, atom: atom.clone(), condition })
            });
            let effects = effects.collect::<Checked<Vec<_>>>()?;
            let schema = Schema { origin, n_variables, n_parameters, kept, condition, effects };
            self.normal.schemas.push(schema);
        }
        self.guard.lent.set(lent);
        Ok(())
    }
}

/// Adds the terms of a condition.
fn add_terms(condition: &Condition, into: &mut HashSet<Term>) {
    condition.visit(&mut |part| match part {
        Condition::Atom(atom) => into.extend(&atom.arguments),
        Condition::Equal(a, b) => into.extend([*a, *b]),
        _ => {}
    });
}

/// Adds the variables of a condition's quantifiers.
fn add_quantified(condition: &Condition, into: &mut Vec<Parameter>) {
    condition.each_quantifier(&mut |variables| into.extend_from_slice(variables));
}

fn sorted(types: &[TypeId]) -> Vec<TypeId> {
    let mut types = types.to_vec();
    types.sort_unstable();
    types.dedup();
    types
}

/// The objects of some types.
fn domain_of(types: &[TypeId], objects_by_type: &[Vec<ObjectId>]) -> VariableDomain {
    let n_objects = objects_by_type.first().map_or(0, Vec::len);
    let mut has = vec![false; n_objects];
    for object in types.iter().flat_map(|of| &objects_by_type[of.0 as usize]) {
        has[object.0 as usize] = true;
    }
    let objects = (0..n_objects as u32).filter(|&object| has[object as usize]).collect();
    VariableDomain { objects, has }
}
