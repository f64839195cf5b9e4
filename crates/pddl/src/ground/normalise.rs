//! Phase 1: every action, axiom and effect as a body to join and literals to keep.
//!
//! In:   a lifted task.
//! Out:  schemas: one per alternative of an action's or axiom's condition.
//! Cost: linear in the task, times at most 8 alternatives per condition.
//!
//! Predicates that nothing changes are static: they only choose objects. Types are sets of
//! objects. `exists` in a condition gives further variables; those that matter to nothing but
//! static conditions are forgotten once joined.

use super::body::{Body, BodyAtom, Domain, Filter};
use super::limits::{GroundError, Guard, Limits};
use super::reach::with_action;
use super::split::{Parts, normal_form, split};
use crate::lifted::{Atom, Condition, Lifted, ObjectId, Parameter, Term, TypeId};
use std::collections::{HashMap, HashSet};

/// A task ready to be joined.
pub struct Normal {
    /// By predicate, whether it never changes.
    pub(super) is_static: Vec<bool>,
    /// By predicate, whether nothing makes it false.
    pub(super) is_kept: Vec<bool>,
    pub(super) domains: Vec<Domain>,
    domain_numbers: HashMap<Vec<TypeId>, usize>,
    /// Actions in order, then axioms.
    pub(super) schemas: Vec<Schema>,
    /// In normal form.
    pub(super) goal: Condition,
    /// Bytes that it takes.
    pub(super) held: u64,
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
///
/// # Errors
///
/// If a limit is reached or `stop` says so.
pub fn normalise(
    lifted: &Lifted,
    limits: &Limits,
    stop: Option<&dyn Fn() -> bool>,
) -> Result<Normal, GroundError> {
    let mut guard = Guard::new(limits, stop);
    let mut normal = Normal::new(lifted, &mut guard)
        .map_err(|refusal| with_action(refusal, lifted, &[], &[]))?;
    normal.held = guard.held();
    Ok(normal)
}

impl Normal {
    fn new(lifted: &Lifted, guard: &mut Guard<'_>) -> Result<Normal, GroundError> {
        guard.work(entries(&lifted.goal) as u64)?;
        guard.hold(entries(&lifted.goal) * ENTRY_BYTES)?;
        let mut normal = Normal {
            is_static: lifted.predicates.iter().map(|predicate| !predicate.is_derived).collect(),
            is_kept: lifted.predicates.iter().map(|predicate| !predicate.is_derived).collect(),
            domains: Vec::new(),
            domain_numbers: HashMap::new(),
            schemas: Vec::new(),
            goal: normal_form(&lifted.goal, false),
            held: 0,
        };
        for effect in lifted.actions.iter().flat_map(|action| &action.effects) {
            let predicate = effect.atom.predicate.0 as usize;
            normal.is_static[predicate] = false;
            normal.is_kept[predicate] &= effect.adds;
        }
        for axiom in &lifted.axioms {
            normal.is_static[axiom.predicate.0 as usize] = false;
            normal.is_kept[axiom.predicate.0 as usize] = false;
        }
        let types = lifted.objects_by_type();
        for at in 0..lifted.actions.len() {
            normal.add_action(lifted, at, &types, guard)?;
        }
        for at in 0..lifted.axioms.len() {
            normal.add_axiom(lifted, at, &types, guard)?;
        }
        let mut variables = Vec::new();
        quantified(&normal.goal, &mut variables);
        normal.make_domains(&variables, &types, guard)?;
        Ok(normal)
    }

    /// The number of the domain of a variable. All domains are made while normalising.
    pub(super) fn domain(&self, variable: &Parameter) -> usize {
        self.domain_numbers.get(&sorted(&variable.types)).copied().unwrap_or(0)
    }

    fn make_domains(
        &mut self,
        variables: &[Parameter],
        types: &[Vec<ObjectId>],
        guard: &mut Guard<'_>,
    ) -> Result<(), GroundError> {
        let n_objects = types.first().map_or(0, Vec::len);
        for variable in variables {
            guard.work(1 + variable.types.len() as u64)?;
            let key = sorted(&variable.types);
            let next = self.domains.len();
            if *self.domain_numbers.entry(key).or_insert(next) == next {
                let listed: usize =
                    variable.types.iter().map(|of| types[of.0 as usize].len()).sum();
                guard.work((n_objects + listed) as u64)?;
                let of_types = 2 * size_of_val(&variable.types[..]);
                guard.hold(128 + of_types + n_objects + 8 * listed.min(n_objects))?;
                self.domains.push(domain_of(&variable.types, types));
            }
        }
        Ok(())
    }

    fn add_action(
        &mut self,
        lifted: &Lifted,
        at: usize,
        types: &[Vec<ObjectId>],
        guard: &mut Guard<'_>,
    ) -> Result<(), GroundError> {
        let action = &lifted.actions[at];
        let parameters = action.parameters.len();
        let of_effects = action.effects.iter().map(|effect| {
            entries(&effect.condition) + effect.forall.len() + 1 + effect.atom.arguments.len()
        });
        let size = 1 + parameters + entries(&action.condition) + of_effects.sum::<usize>();
        // Normal forms and their alternatives are gone once the schemas are made.
        let lent = guard.lent();
        guard.work(size as u64)?;
        guard.lend(2 * size * ENTRY_BYTES)?;
        let condition = normal_form(&action.condition, false);
        let mut variables = action.parameters.clone();
        quantified(&condition, &mut variables);
        let mut effects = Vec::new();
        // What the effects' alternatives have beside what was counted already.
        let mut more = 0;
        for (source, effect) in action.effects.iter().enumerate() {
            let when = normal_form(&effect.condition, false);
            variables.extend_from_slice(&effect.forall);
            quantified(&when, &mut variables);
            let alternatives = split(&when);
            let copied = (entries(&when) + effect.forall.len()) * alternatives.len();
            guard.work(copied as u64)?;
            guard.lend(copied * ENTRY_BYTES)?;
            more += copied;
            for mut parts in alternatives {
                parts.variables.extend_from_slice(&effect.forall);
                effects.push((source, parts));
            }
        }
        self.make_domains(&variables, types, guard)?;
        for parts in split(&condition) {
            guard.hold((size + more) * ENTRY_BYTES)?;
            let (condition, kept) = self.schema_condition(&action.parameters, parts);
            let effects = effects.iter().map(|(source, parts)| {
                let effect = &action.effects[*source];
                let n_conditions = parts.literals.len() + parts.rest.len();
                guard.work((1 + n_conditions + parts.variables.len()) as u64)?;
                Ok(NormalEffect {
                    source: *source,
                    adds: effect.adds,
                    atom: effect.atom.clone(),
                    condition: self.conjunction(parts, &effect.atom.arguments),
                })
            });
            let effects = effects.collect::<Result<Vec<_>, GroundError>>()?;
            let schema = Schema {
                origin: Origin::Action(at),
                n_variables: action.n_variables,
                n_parameters: action.parameters.len(),
                kept,
                condition,
                effects,
            };
            self.schemas.push(schema);
        }
        guard.back_to(lent);
        Ok(())
    }

    fn add_axiom(
        &mut self,
        lifted: &Lifted,
        at: usize,
        types: &[Vec<ObjectId>],
        guard: &mut Guard<'_>,
    ) -> Result<(), GroundError> {
        let axiom = &lifted.axioms[at];
        let size = 1 + 2 * axiom.parameters.len() + entries(&axiom.condition);
        let lent = guard.lent();
        guard.work(size as u64)?;
        guard.lend(2 * size * ENTRY_BYTES)?;
        let condition = normal_form(&axiom.condition, false);
        let mut variables = axiom.parameters.clone();
        quantified(&condition, &mut variables);
        self.make_domains(&variables, types, guard)?;
        for parts in split(&condition) {
            guard.work(size as u64)?;
            guard.hold(size * ENTRY_BYTES)?;
            let (condition, kept) = self.schema_condition(&axiom.parameters, parts);
            let arguments = axiom.parameters.iter().map(|p| Term::Variable(p.variable)).collect();
            let head = NormalEffect {
                source: 0,
                adds: true,
                atom: Atom { predicate: axiom.predicate, arguments },
                condition: Conjunction::default(),
            };
            let schema = Schema {
                origin: Origin::Axiom(at),
                n_variables: axiom.n_variables,
                n_parameters: axiom.parameters.len(),
                kept,
                condition,
                effects: vec![head],
            };
            self.schemas.push(schema);
        }
        guard.back_to(lent);
        Ok(())
    }

    /// The condition of an alternative of an action or axiom, and the variables to keep.
    fn schema_condition(&self, parameters: &[Parameter], parts: Parts) -> (Conjunction, Vec<u32>) {
        let own: Vec<u32> = parameters.iter().map(|parameter| parameter.variable).collect();
        let own_terms: Vec<Term> = own.iter().map(|&variable| Term::Variable(variable)).collect();
        let mut parts = parts;
        parts.variables.splice(0..0, parameters.iter().cloned());
        let conjunction = self.conjunction(&parts, &own_terms);
        let mut used = HashSet::new();
        for (atom, _) in &conjunction.literals {
            used.extend(atom.arguments.iter().copied());
        }
        conjunction.rest.iter().for_each(|rest| terms(rest, &mut used));
        let matters = |variable: &u32| used.contains(&Term::Variable(*variable));
        let is_own: HashSet<u32> = own.iter().copied().collect();
        let others = conjunction.body.variables.iter().map(|&(variable, _)| variable);
        let others = others.filter(|variable| !is_own.contains(variable)).filter(matters);
        let kept = own.iter().copied().chain(others).collect();
        (conjunction, kept)
    }

    /// Sorts literals by how they are dealt with. Variables that occur nowhere, not in `head`
    /// either, need no object if there is one at all.
    fn conjunction(&self, parts: &Parts, head: &[Term]) -> Conjunction {
        let mut conjunction = Conjunction { rest: parts.rest.clone(), ..Conjunction::default() };
        let mut used: HashSet<Term> = head.iter().copied().collect();
        for literal in &parts.literals {
            terms(literal, &mut used);
            match literal {
                Condition::Atom(atom) => {
                    conjunction.body.atoms.push(body_atom(atom));
                    if !self.is_static[atom.predicate.0 as usize] {
                        conjunction.literals.push((atom.clone(), true));
                    }
                }
                Condition::Equal(a, b) => conjunction.body.filters.push(Filter::Same(*a, *b)),
                Condition::Not(inner) => match &**inner {
                    Condition::Equal(a, b) => {
                        conjunction.body.filters.push(Filter::Different(*a, *b));
                    }
                    Condition::Atom(atom) if self.is_static[atom.predicate.0 as usize] => {
                        conjunction.body.filters.push(Filter::Absent(body_atom(atom)));
                    }
                    Condition::Atom(atom) => conjunction.literals.push((atom.clone(), false)),
                    _ => {}
                },
                _ => {}
            }
        }
        conjunction.rest.iter().for_each(|rest| terms(rest, &mut used));
        for variable in &parts.variables {
            let domain = self.domain(variable);
            let is_used = used.contains(&Term::Variable(variable.variable));
            if is_used || self.domains[domain].objects.is_empty() {
                conjunction.body.variables.push((variable.variable, domain));
            }
        }
        conjunction
    }
}

pub(super) fn body_atom(atom: &Atom) -> BodyAtom {
    BodyAtom { relation: atom.predicate.0 as usize, arguments: atom.arguments.clone() }
}

/// The terms of a condition.
fn terms(condition: &Condition, into: &mut HashSet<Term>) {
    match condition {
        Condition::And(parts) | Condition::Or(parts) => {
            parts.iter().for_each(|part| terms(part, into));
        }
        Condition::Not(part) | Condition::Exists(_, part) | Condition::Forall(_, part) => {
            terms(part, into);
        }
        Condition::Imply(from, to) => {
            terms(from, into);
            terms(to, into);
        }
        Condition::Atom(atom) => into.extend(atom.arguments.iter().copied()),
        Condition::Equal(a, b) => into.extend([*a, *b]),
    }
}

/// How many conditions and arguments a condition has.
fn entries(condition: &Condition) -> usize {
    match condition {
        Condition::And(parts) | Condition::Or(parts) => {
            1 + parts.iter().map(entries).sum::<usize>()
        }
        Condition::Not(part) => 1 + entries(part),
        Condition::Exists(variables, part) | Condition::Forall(variables, part) => {
            1 + variables.len() + entries(part)
        }
        Condition::Imply(from, to) => 1 + entries(from) + entries(to),
        Condition::Atom(atom) => 1 + atom.arguments.len(),
        Condition::Equal(..) => 2,
    }
}

/// The variables of a condition's quantifiers.
fn quantified(condition: &Condition, into: &mut Vec<Parameter>) {
    match condition {
        Condition::And(parts) | Condition::Or(parts) => {
            parts.iter().for_each(|part| quantified(part, into));
        }
        Condition::Exists(variables, part) | Condition::Forall(variables, part) => {
            into.extend_from_slice(variables);
            quantified(part, into);
        }
        Condition::Not(part) => quantified(part, into),
        Condition::Imply(from, to) => {
            quantified(from, into);
            quantified(to, into);
        }
        Condition::Atom(_) | Condition::Equal(..) => {}
    }
}

fn sorted(types: &[TypeId]) -> Vec<TypeId> {
    let mut types = types.to_vec();
    types.sort_unstable();
    types.dedup();
    types
}

/// The objects of some types.
fn domain_of(types: &[TypeId], objects_by_type: &[Vec<ObjectId>]) -> Domain {
    let n_objects = objects_by_type.first().map_or(0, Vec::len);
    let mut has = vec![false; n_objects];
    for object in types.iter().flat_map(|of| &objects_by_type[of.0 as usize]) {
        has[object.0 as usize] = true;
    }
    let objects = (0..n_objects as u32).filter(|&object| has[object as usize]).collect();
    Domain { objects, has }
}
