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

use super::instantiate::instantiate;
use super::join::{BodyAtom, Fresh, Join};
use super::limits::{Guard, Limits, Refusal};
use super::normalise::{Normal, Origin};
use super::propositional::{FactNumbers, Ground};
use super::prune::{Knowledge, prune};
use super::relation::Relation;
use crate::lifted::{Lifted, Term};

/// What can become true and what can be done.
pub struct Reached {
    /// By predicate its tuples, then by schema its instances.
    pub(super) relations: Vec<Relation>,
    pub(super) facts: FactNumbers,
    pub(super) ground: Ground,
    /// What of the goal can never hold.
    pub(super) unreachable: Option<String>,
    pub(super) work: u64,
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
) -> Result<Reached, Refusal> {
    let mut guard = Guard::new(limits, stop);
    let mut relations = start(lifted, normal);
    close(lifted, normal, &mut relations, &mut guard)
        .and_then(|()| {
            let facts = FactNumbers::new(&relations, &normal.is_static);
            let made = instantiate(lifted, normal, &mut relations, &facts, &mut guard)?;
            Ok((facts, made))
        })
        .map_err(|refusal| with_action(refusal, lifted, normal, &relations))
        .map(|(facts, made)| {
            let name = |fact| facts.pddl(fact, lifted, &relations);
            let (ground, unreachable) = match made {
                None => (Ground::default(), Some("the goal".to_owned())),
                Some(ground) => match prune(&ground, &Knowledge::default()) {
                    Ok(ground) => (ground, None),
                    Err(literal) => (Ground::default(), Some(unreachable_text(literal, name))),
                },
            };
            Reached { relations, facts, ground, unreachable, work: guard.work }
        })
}

/// A literal of the goal that can never hold, in words.
pub(super) fn unreachable_text(literal: u32, name: impl Fn(u32) -> String) -> String {
    let fact = name(super::propositional::fact_of(literal));
    if super::propositional::holds(literal) { fact } else { format!("(not {fact})") }
}

/// The facts of the start; static ones are shown.
fn start(lifted: &Lifted, normal: &Normal) -> Vec<Relation> {
    let predicates = lifted.predicates.iter().map(|p| Relation::new(p.arguments.len()));
    let instances = normal.schemas.iter().map(|schema| Relation::new(schema.kept.len()));
    let mut relations: Vec<Relation> = predicates.chain(instances).collect();
    let mut tuple = Vec::new();
    for atom in &lifted.init {
        tuple.clear();
        tuple.extend(atom.arguments.iter().map(|object| object.0));
        relations[atom.predicate.0 as usize].insert(&tuple);
    }
    for (relation, _) in relations.iter_mut().zip(&normal.is_static).filter(|(_, s)| **s) {
        relation.show_all();
    }
    relations
}

/// Adds everything that follows.
fn close(
    lifted: &Lifted,
    normal: &Normal,
    relations: &mut [Relation],
    guard: &mut Guard<'_>,
) -> Result<(), Refusal> {
    let n_predicates = lifted.predicates.len();
    let n_variables = normal.schemas.iter().map(|schema| schema.n_variables).max().unwrap_or(0);
    let mut binding = vec![0; n_variables];
    let mut productions = productions(n_predicates, normal);
    // By relation, the productions and atoms that a new tuple is for.
    let mut waiting: Vec<Vec<(usize, usize)>> = vec![Vec::new(); relations.len()];
    let mut ready = Vec::new();
    let is_static = |relation: usize| normal.is_static.get(relation).is_some_and(|s| *s);
    for (at, (_, atoms)) in productions.iter().enumerate() {
        let moving = atoms.iter().enumerate().filter(|(_, relation)| !is_static(**relation));
        let before = waiting.iter().map(Vec::len).sum::<usize>();
        moving.for_each(|(atom, &relation)| waiting[relation].push((at, atom)));
        if before == waiting.iter().map(Vec::len).sum::<usize>() {
            ready.push(at);
        }
    }
    let mut queue: Vec<(usize, u32)> = Vec::new();
    for predicate in (0..n_predicates).filter(|&predicate| !is_static(predicate)) {
        queue.extend((0..relations[predicate].len() as u32).map(|tuple| (predicate, tuple)));
    }
    let mut out = Vec::new();
    let mut made = Made { n_predicates, n_atoms: queue.len(), n_instances: 0 };
    for at in ready {
        let production = &mut productions[at].0;
        let n = production.join.run(
            relations,
            &normal.domains,
            None,
            &mut binding,
            &production.terms,
            &mut out,
            guard,
        )?;
        made.add(production.head, n, &mut out, relations, &mut queue, guard.limits)?;
    }
    let mut next = 0;
    while let Some(&(relation, tuple)) = queue.get(next) {
        next += 1;
        relations[relation].show_next();
        for &(at, atom) in &waiting[relation] {
            let production = &mut productions[at].0;
            let n = production.join.run(
                relations,
                &normal.domains,
                Some(Fresh { atom, relation, tuple }),
                &mut binding,
                &production.terms,
                &mut out,
                guard,
            )?;
            made.add(production.head, n, &mut out, relations, &mut queue, guard.limits)?;
        }
    }
    Ok(())
}

/// How much there is so far.
struct Made {
    n_predicates: usize,
    n_atoms: usize,
    n_instances: usize,
}

impl Made {
    /// Adds the tuples in `out` to a relation and the new ones to the queue.
    fn add(
        &mut self,
        head: usize,
        n: usize,
        out: &mut Vec<u32>,
        relations: &mut [Relation],
        queue: &mut Vec<(usize, u32)>,
        limits: &Limits,
    ) -> Result<(), Refusal> {
        let arity = relations[head].arity;
        for at in 0..n {
            let Some(tuple) = relations[head].insert(&out[at * arity..(at + 1) * arity]) else {
                continue;
            };
            queue.push((head, tuple));
            if head < self.n_predicates {
                self.n_atoms += 1;
                if self.n_atoms > limits.atoms {
                    // The names are added by the caller, who has the task.
                    return Err(too_many_atoms(limits.atoms));
                }
            } else {
                self.n_instances += 1;
                if self.n_instances > limits.operators {
                    return Err(too_many_operators(limits.operators));
                }
            }
        }
        out.clear();
        Ok(())
    }
}

fn too_many_atoms(limit: usize) -> Refusal {
    Refusal::TooManyAtoms { limit, predicate: String::new(), facts: 0 }
}

pub(super) fn too_many_operators(limit: usize) -> Refusal {
    Refusal::TooManyOperators { limit, action: String::new(), instances: 0 }
}

/// What makes instances of the schemas, and what these make true; each with the relations of
/// its atoms.
fn productions(n_predicates: usize, normal: &Normal) -> Vec<(Production, Vec<usize>)> {
    let mut productions = Vec::new();
    let mut add = |body: super::join::Body, n_variables, head, terms| {
        let atoms = body.atoms.iter().map(|atom| atom.relation).collect();
        let join = Join::new(body, n_variables, &[]);
        productions.push((Production { join, head, terms }, atoms));
    };
    for (at, schema) in normal.schemas.iter().enumerate() {
        let kept: Vec<Term> = schema.kept.iter().map(|&at| Term::Variable(at)).collect();
        let instance = BodyAtom { relation: n_predicates + at, arguments: kept.clone() };
        add(schema.condition.body.clone(), schema.n_variables, n_predicates + at, kept);
        for effect in schema.effects.iter().filter(|effect| effect.adds) {
            let mut body = effect.condition.body.clone();
            body.atoms.insert(0, instance.clone());
            let head = effect.atom.predicate.0 as usize;
            add(body, schema.n_variables, head, effect.atom.arguments.clone());
        }
    }
    productions
}

/// The refusal with the name of what there is most of.
fn with_action(
    refusal: Refusal,
    lifted: &Lifted,
    normal: &Normal,
    relations: &[Relation],
) -> Refusal {
    let n_predicates = lifted.predicates.len();
    let mut instances = vec![0; lifted.actions.len()];
    for (schema, relation) in normal.schemas.iter().zip(&relations[n_predicates..]) {
        if let Origin::Action(action) = schema.origin {
            instances[action] += relation.len();
        }
    }
    let most = (0..instances.len()).rev().max_by_key(|&action| instances[action]);
    let most = most.filter(|&action| instances[action] > 0);
    let most = most.map(|at| (lifted.actions[at].name.clone(), instances[at]));
    match refusal {
        Refusal::TooManyAtoms { limit, .. } => {
            let sizes = relations[..n_predicates].iter().map(Relation::len).enumerate();
            let (at, facts) = sizes.rev().max_by_key(|&(_, size)| size).unwrap_or((0, 0));
            let predicate = lifted.predicates.get(at).map_or_else(String::new, |p| p.name.clone());
            Refusal::TooManyAtoms { limit, predicate, facts }
        }
        Refusal::TooManyOperators { limit, .. } => {
            let (action, instances) = most.unwrap_or_default();
            Refusal::TooManyOperators { limit, action, instances }
        }
        Refusal::TooMuchWork { limit, .. } => Refusal::TooMuchWork { limit, action: most },
        other => other,
    }
}
