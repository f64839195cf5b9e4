//! Phase 2: what can become true if nothing is ever lost, and every instance that needs.
//!
//! In:   schemas, and the facts of the start.
//! Out:  the tuples of every predicate and the instances of every schema; then the ground task
//!       made of them, without what can never happen.
//! Cost: every combination of facts that a body asks for, once: a new fact is joined with the
//!       facts before it only.
//!
//! Here negative conditions, `forall` and what [`super::split`] left together count as true.
//! What that lets in too much goes in [`super::prune`].

use super::body::Body;
use super::join::{Fresh, Join};
use super::limits::{
    ARGUMENT_BYTES, ATOM_ARGUMENT_BYTES, ATOM_BYTES, Checked, GroundError, Guard, INDEX_BYTES,
    OPERATOR_BYTES, too_many_operators,
};
use super::normalise::{Normal, Origin, Schema};
use super::propositional::{FactNumbers, Operator};
use super::relation::Relation;
use crate::lifted::{Action, Atom, Condition, Lifted, ObjectId, PredicateId, Term};

/// What can become true and what can be done, with names.
pub(super) struct Reached<'a> {
    pub(super) lifted: &'a Lifted,
    pub(super) normal: &'a Normal,
    /// By predicate its tuples, then by schema its instances.
    pub(super) relations: &'a [Relation],
    pub(super) facts: FactNumbers,
}

impl<'a> Reached<'a> {
    pub(super) fn new(lifted: &'a Lifted, normal: &'a Normal, relations: &'a [Relation]) -> Self {
        let facts = FactNumbers::new(relations, &normal.is_static);
        Reached { lifted, normal, relations, facts }
    }

    /// The predicate of a fact, and its objects; `None` for a helper.
    fn atom(&self, fact: u32) -> Option<(&'a str, impl Iterator<Item = ObjectId>)> {
        let (predicate, tuple) = self.facts.origin(fact)?;
        let objects = self.relations[predicate].tuple(tuple).iter().map(|&object| ObjectId(object));
        Some((&self.lifted.predicates[predicate].name, objects))
    }

    /// A fact as the field writes it within a ground task: `on(a, b)`.
    pub(super) fn text(&self, fact: u32) -> String {
        let Some((name, objects)) = self.atom(fact) else {
            return format!("new-axiom@{}()", fact as usize - self.facts.len());
        };
        let mut text = format!("{name}(");
        for (at, object) in objects.enumerate() {
            text.push_str(if at == 0 { "" } else { ", " });
            text.push_str(&self.lifted.objects[object.index()].name);
        }
        text + ")"
    }

    /// A fact as PDDL writes it: `(on a b)`.
    pub(super) fn pddl(&self, fact: u32) -> String {
        match self.atom(fact) {
            Some((name, objects)) => self.lifted.call_text(name, objects),
            None => "the goal's alternatives".to_owned(),
        }
    }

    /// The action of an operator and its arguments.
    pub(super) fn step(&self, operator: &Operator) -> (usize, &'a [u32]) {
        let schema = &self.normal.schemas[operator.schema as usize];
        let Origin::Action(action) = schema.origin else { return (usize::MAX, &[]) };
        let instances = &self.relations[self.lifted.predicates.len() + operator.schema as usize];
        (action, &instances.tuple(operator.tuple)[..schema.n_parameters])
    }
}

/// A body whose choices make tuples of a relation.
struct Production<'a> {
    join: Join<'a>,
    head: usize,
    terms: Vec<Term>,
}

/// Finds what can become true and every instance of every action.
pub(super) fn reach(
    lifted: &Lifted,
    normal: &Normal,
    relations: &mut Vec<Relation>,
    guard: &Guard<'_>,
) -> Checked<()> {
    *relations = start(lifted, normal, guard)?;
    close(lifted.predicates.len(), normal, relations, guard)
}

/// The first part of the goal that can never hold, or the goal if it is none of its own.
pub(super) fn false_part(reached: &Reached<'_>) -> String {
    let parts = match &reached.normal.goal {
        Condition::And(parts) => &parts[..],
        other => std::slice::from_ref(other),
    };
    let text = |part: &Condition| -> Option<String> {
        let Condition::Atom(Atom { predicate, arguments }) = part else { return None };
        let objects = arguments.iter().map(|term| term.object()).collect::<Option<Vec<_>>>()?;
        let tuple: Vec<u32> = objects.iter().map(|object| object.0).collect();
        let is_known = reached.relations[predicate.index()].find(&tuple).is_some();
        let name = &reached.lifted.predicates[predicate.index()].name;
        (!is_known).then(|| reached.lifted.call_text(name, objects.into_iter()))
    };
    parts.iter().find_map(text).unwrap_or_else(|| "the goal".to_owned())
}

/// The facts of the start; static ones are shown.
fn start(lifted: &Lifted, normal: &Normal, guard: &Guard<'_>) -> Checked<Vec<Relation>> {
    let predicates = lifted.predicates.iter().map(|p| Relation::new(p.arguments.len()));
    let instances = normal.schemas.iter().map(|schema| Relation::new(schema.kept.len()));
    let mut relations: Vec<Relation> = predicates.chain(instances).collect();
    let mut tuple = Vec::new();
    for atom in &lifted.init {
        guard.pass(1 + atom.arguments.len())?;
        guard.hold(ATOM_BYTES + atom.arguments.len() * ATOM_ARGUMENT_BYTES)?;
        tuple.clear();
        tuple.extend(atom.arguments.iter().map(|object| object.0));
        relations[atom.predicate.index()].insert(&tuple);
    }
    for (relation, _) in relations.iter_mut().zip(&normal.is_static).filter(|(_, s)| **s) {
        relation.show_all();
    }
    Ok(relations)
}

/// Adds everything that follows.
fn close(
    n_predicates: usize,
    normal: &Normal,
    relations: &mut [Relation],
    guard: &Guard<'_>,
) -> Checked<()> {
    let n_variables = normal.schemas.iter().map(|schema| schema.n_variables).max().unwrap_or(0);
    let mut binding = vec![0; n_variables];
    let mut productions = productions(n_predicates, normal, guard)?;
    // By relation, the productions and atoms that a new tuple is for.
    let mut waiting: Vec<Vec<(usize, usize)>> = vec![Vec::new(); relations.len()];
    let mut ready = Vec::new();
    let is_static = |relation: usize| normal.is_static.get(relation).is_some_and(|s| *s);
    for (at, (_, atoms)) in productions.iter().enumerate() {
        let mut is_ready = true;
        guard.pass(1 + atoms.len())?;
        for (atom, &relation) in atoms.iter().enumerate().filter(|(_, of)| !is_static(**of)) {
            guard.hold(2 * size_of::<(usize, usize)>())?;
            waiting[relation].push((at, atom));
            is_ready = false;
        }
        if is_ready {
            ready.push(at);
        }
    }
    let mut queue: Vec<(usize, u32)> = Vec::new();
    for predicate in (0..n_predicates).filter(|&predicate| !is_static(predicate)) {
        queue.extend((0..relations[predicate].len() as u32).map(|tuple| (predicate, tuple)));
    }
    let mut left_atoms = guard.limits.atoms.saturating_sub(queue.len());
    let mut left_instances = guard.limits.operators;
    let mut produce = |at: usize, fresh, relations: &mut [Relation], queue: &mut Vec<_>| {
        let Production { join, head, terms } = &mut productions[at].0;
        let is_atom = *head < n_predicates;
        let left = if is_atom { &mut left_atoms } else { &mut left_instances };
        let bytes = match is_atom {
            true => ATOM_BYTES + terms.len() * ATOM_ARGUMENT_BYTES,
            false => OPERATOR_BYTES + terms.len() * ARGUMENT_BYTES,
        };
        join.run(relations, fresh, &mut binding, terms, |tuple, relations| {
            let Some(new) = relations[*head].insert(tuple) else { return Ok(()) };
            guard.hold(bytes + relations[*head].n_indexes() * INDEX_BYTES)?;
            let limit = if is_atom { guard.limits.atoms } else { guard.limits.operators };
            // The names are added by the caller.
            *left = left.checked_sub(1).ok_or_else(|| match is_atom {
                true => GroundError::TooManyAtoms { limit, predicate: String::new(), facts: 0 },
                false => too_many_operators(limit),
            })?;
            queue.push((*head, new));
            Ok(())
        })
    };
    for at in ready {
        produce(at, None, relations, &mut queue)?;
    }
    let mut next = 0;
    while let Some(&(relation, tuple)) = queue.get(next) {
        next += 1;
        relations[relation].show_next();
        for &(at, atom) in &waiting[relation] {
            produce(at, Some(Fresh { atom, relation, tuple }), relations, &mut queue)?;
        }
    }
    Ok(())
}

/// What makes instances of the schemas, and what these make true; each with the relations of
/// its atoms.
fn productions<'a>(
    n_predicates: usize,
    normal: &'a Normal,
    guard: &'a Guard<'a>,
) -> Checked<Vec<(Production<'a>, Vec<usize>)>> {
    let mut productions = Vec::new();
    let mut add = |body: Body, n_variables, head, terms: Vec<Term>| -> Checked<()> {
        guard.hold(size_of_val(&terms[..]) + size_of::<(Production<'_>, Vec<usize>)>())?;
        let atoms: Vec<usize> = body.atoms.iter().map(|atom| atom.predicate.index()).collect();
        guard.hold(size_of_val(&atoms[..]))?;
        let join = Join::new(body, n_variables, &[], &normal.domains, guard)?;
        productions.push((Production { join, head, terms }, atoms));
        Ok(())
    };
    for (at, schema) in normal.schemas.iter().enumerate() {
        let kept: Vec<Term> = schema.kept.iter().map(|&at| Term::Variable(at)).collect();
        let predicate = PredicateId::at(n_predicates + at);
        let instance = Atom { predicate, arguments: kept.clone() };
        add(schema.condition.body.clone(), schema.n_variables, n_predicates + at, kept)?;
        for effect in schema.effects.iter().filter(|effect| effect.adds) {
            let mut body = effect.condition.body.clone();
            body.atoms.insert(0, instance.clone());
            let head = effect.atom.predicate.index();
            add(body, schema.n_variables, head, effect.atom.arguments.clone())?;
        }
    }
    Ok(productions)
}

/// The refusal with the name of what there is most of.
pub(super) fn with_names(
    mut refusal: GroundError,
    lifted: &Lifted,
    schemas: &[Schema],
    relations: &[Relation],
) -> GroundError {
    let n_predicates = lifted.predicates.len().min(relations.len());
    let mut instances = vec![0; lifted.actions.len()];
    for (schema, relation) in schemas.iter().zip(&relations[n_predicates..]) {
        if let Origin::Action(action) = schema.origin {
            instances[action] += relation.len();
        }
    }
    let most = (0..instances.len()).rev().max_by_key(|&action| instances[action]);
    let most = most.filter(|&action| instances[action] > 0);
    let most = most.map(|at| (lifted.actions[at].name.clone(), instances[at]));
    match &mut refusal {
        GroundError::TooManyAtoms { predicate, facts, .. } => {
            let sizes = relations[..n_predicates].iter().map(Relation::len);
            let sizes = lifted.predicates.iter().zip(sizes).rev();
            if let Some((of, size)) = sizes.max_by_key(|&(_, size)| size) {
                (*predicate, *facts) = (of.name.clone(), size);
            }
        }
        GroundError::TooManyOperators { action, instances, .. } => {
            (*action, *instances) = most.unwrap_or_default();
        }
        GroundError::TooMuchWork { action, .. } => *action = most,
        GroundError::TooManyBytes { action, parameters, instances: so_far, .. } => {
            let size = |(of, n): &(&Action, usize)| (n * (10 + of.n_variables), of.n_variables);
            let actions = lifted.actions.iter().zip(instances).rev();
            if let Some((of, n)) = actions.max_by_key(size) {
                (*action, *parameters, *so_far) = (of.name.clone(), of.n_variables, n);
            }
        }
        _ => {}
    }
    refusal
}
