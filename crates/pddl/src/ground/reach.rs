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

use super::body::{Body, BodyAtom};
use super::instantiate::instantiate;
use super::join::{Fresh, Join};
use super::knowledge::Knowledge;
use super::limits::{
    ARGUMENT_BYTES, ATOM_ARGUMENT_BYTES, ATOM_BYTES, GroundError, Guard, Limits, OPERATOR_BYTES,
};
use super::normalise::{Normal, Origin, Schema};
use super::propositional::{FactNumbers, Ground};
use super::prune::prune;
use super::relation::Relation;
use super::sink::Sink;
use super::unreachable::Unreachable;
use crate::lifted::{Atom, Condition, GroundAtom, Lifted, ObjectId, Term};

/// What can become true and what can be done.
pub struct Reached {
    /// By predicate its tuples, then by schema its instances.
    pub(super) relations: Vec<Relation>,
    pub(super) facts: FactNumbers,
    pub(super) ground: Ground,
    /// What of the goal can never hold.
    pub(super) unreachable: Option<Unreachable>,
    pub(super) work: u64,
    /// Bytes that are taken to the end.
    pub(super) held: u64,
}

/// A body whose choices make tuples of a relation.
struct Production {
    join: Join,
    head: usize,
    terms: Vec<Term>,
}

/// Finds what can become true and every instance of every action.
///
/// # Errors
///
/// If a limit is reached or `stop` says so.
pub fn reach(
    lifted: &Lifted,
    normal: &Normal,
    limits: &Limits,
    stop: Option<&dyn Fn() -> bool>,
) -> Result<Reached, GroundError> {
    let mut guard = Guard::new(limits, stop).holding(normal.held);
    let mut relations = start(lifted, normal, &mut guard)
        .map_err(|refusal| with_action(refusal, lifted, &normal.schemas, &[]))?;
    let made = close(lifted, normal, &mut relations, &mut guard).and_then(|()| {
        let facts = FactNumbers::new(&relations, &normal.is_static);
        let made = instantiate(lifted, normal, &mut relations, &facts, &mut guard)?;
        let work = guard.work;
        let pruned = made.map(|ground| prune(&ground, &Knowledge::default(), &mut guard));
        Ok((facts, pruned.transpose()?, work))
    });
    let (facts, made, work) =
        made.map_err(|refusal| with_action(refusal, lifted, &normal.schemas, &relations))?;
    let (ground, unreachable) = match made {
        Some(Ok(ground)) => (ground, None),
        Some(Err(never)) => {
            let name = |fact| facts.pddl(fact, lifted, &relations);
            (Ground::default(), Some(never.told(name)))
        }
        None => {
            let part = false_part(lifted, normal, &relations);
            (Ground::default(), Some(Unreachable::Part(part)))
        }
    };
    Ok(Reached { relations, facts, ground, unreachable, work, held: guard.held() })
}

/// The first part of the goal that can never hold, or the goal if it is none of its own.
fn false_part(lifted: &Lifted, normal: &Normal, relations: &[Relation]) -> String {
    let parts = match &normal.goal {
        Condition::And(parts) => &parts[..],
        other => std::slice::from_ref(other),
    };
    let objects = |atom: &Atom| -> Option<Vec<ObjectId>> {
        let of = |term: &Term| match term {
            Term::Object(object) => Some(*object),
            Term::Variable(_) => None,
        };
        atom.arguments.iter().map(of).collect()
    };
    let text = |part: &Condition| -> Option<String> {
        let Condition::Atom(atom) = part else { return None };
        let ground = GroundAtom { predicate: atom.predicate, arguments: objects(atom)? };
        let tuple: Vec<u32> = ground.arguments.iter().map(|object| object.0).collect();
        let is_known = relations[atom.predicate.0 as usize].find(&tuple).is_some();
        (!is_known).then(|| lifted.atom_text(&ground))
    };
    parts.iter().find_map(text).unwrap_or_else(|| "the goal".to_owned())
}

/// The facts of the start; static ones are shown.
fn start(
    lifted: &Lifted,
    normal: &Normal,
    guard: &mut Guard<'_>,
) -> Result<Vec<Relation>, GroundError> {
    let predicates = lifted.predicates.iter().map(|p| Relation::new(p.arguments.len()));
    let instances = normal.schemas.iter().map(|schema| Relation::new(schema.kept.len()));
    let mut relations: Vec<Relation> = predicates.chain(instances).collect();
    let mut tuple = Vec::new();
    for atom in &lifted.init {
        guard.pass(1 + atom.arguments.len())?;
        guard.hold(ATOM_BYTES + atom.arguments.len() * ATOM_ARGUMENT_BYTES)?;
        tuple.clear();
        tuple.extend(atom.arguments.iter().map(|object| object.0));
        relations[atom.predicate.0 as usize].insert(&tuple);
    }
    for (relation, _) in relations.iter_mut().zip(&normal.is_static).filter(|(_, s)| **s) {
        relation.show_all();
    }
    Ok(relations)
}

/// Adds everything that follows.
fn close(
    lifted: &Lifted,
    normal: &Normal,
    relations: &mut [Relation],
    guard: &mut Guard<'_>,
) -> Result<(), GroundError> {
    let n_predicates = lifted.predicates.len();
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
        let sink = &mut Sink::Tuples { head: *head, queue, left, bytes };
        let made = join.run(relations, &normal.domains, fresh, &mut binding, terms, sink, guard);
        made.map(drop).map_err(|refusal| match refusal {
            // The names are added by the caller.
            GroundError::TooManyOperators { .. } if is_atom => GroundError::TooManyAtoms {
                limit: guard.limits.atoms,
                predicate: String::new(),
                facts: 0,
            },
            other => other,
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
fn productions(
    n_predicates: usize,
    normal: &Normal,
    guard: &mut Guard<'_>,
) -> Result<Vec<(Production, Vec<usize>)>, GroundError> {
    let mut productions = Vec::new();
    let mut add = |body: Body, n_variables, head, terms: Vec<Term>| -> Result<(), GroundError> {
        guard.hold(size_of_val(&terms[..]) + size_of::<(Production, Vec<usize>)>())?;
        let atoms: Vec<usize> = body.atoms.iter().map(|atom| atom.relation).collect();
        guard.hold(size_of_val(&atoms[..]))?;
        let join = Join::new(body, n_variables, &[], guard)?;
        productions.push((Production { join, head, terms }, atoms));
        Ok(())
    };
    for (at, schema) in normal.schemas.iter().enumerate() {
        let kept: Vec<Term> = schema.kept.iter().map(|&at| Term::Variable(at)).collect();
        let instance = BodyAtom { relation: n_predicates + at, arguments: kept.clone() };
        add(schema.condition.body.clone(), schema.n_variables, n_predicates + at, kept)?;
        for effect in schema.effects.iter().filter(|effect| effect.adds) {
            let mut body = effect.condition.body.clone();
            body.atoms.insert(0, instance.clone());
            let head = effect.atom.predicate.0 as usize;
            add(body, schema.n_variables, head, effect.atom.arguments.clone())?;
        }
    }
    Ok(productions)
}

/// The refusal with the name of what there is most of.
pub(super) fn with_action(
    refusal: GroundError,
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
    match refusal {
        GroundError::TooManyAtoms { limit, .. } => {
            let sizes = relations[..n_predicates].iter().map(Relation::len).enumerate();
            let (at, facts) = sizes.rev().max_by_key(|&(_, size)| size).unwrap_or((0, 0));
            let predicate = lifted.predicates.get(at).map_or_else(String::new, |p| p.name.clone());
            GroundError::TooManyAtoms { limit, predicate, facts }
        }
        GroundError::TooManyOperators { limit, .. } => {
            let (action, instances) = most.unwrap_or_default();
            GroundError::TooManyOperators { limit, action, instances }
        }
        GroundError::TooMuchWork { limit, .. } => GroundError::TooMuchWork { limit, action: most },
        GroundError::TooManyBytes { limit, .. } => {
            let parameters = |at: usize| lifted.actions[at].n_variables;
            let most = (0..instances.len())
                .rev()
                .max_by_key(|&at| (instances[at] * (10 + parameters(at)), parameters(at)));
            let (action, parameters, instances) = most.map_or_else(Default::default, |at| {
                (lifted.actions[at].name.clone(), parameters(at), instances[at])
            });
            GroundError::TooManyBytes { limit, action, parameters, instances }
        }
        other => other,
    }
}
