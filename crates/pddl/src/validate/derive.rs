//! Derived predicates of one state: the rules followed, stratum by stratum, until nothing new
//! comes.
//!
//! In:   the facts of a state.
//! Out:  the derived facts.
//! Cost: per round, for each rule the objects that could make it true; rounds end when one adds
//!       nothing. Candidates are found by matching a few atoms that the rule cannot do without
//!       against the facts, and each is then judged by the whole condition.

use super::world::{Binding, Fact, World, is_of};
use crate::lifted::{Atom, Axiom, Condition, ObjectId, Term};
use crate::read::strata::strata;

/// So many atoms are matched to find candidates; the rest of a condition only judges them.
const MATCHED: usize = 6;
/// So many ways to fulfil a condition are told apart.
const WAYS: usize = 16;

/// Atoms that must hold together, for some objects of the condition's `exists`.
type Way<'l> = Vec<&'l Atom>;

/// The rules of a task, ready to be followed in any state.
pub(super) struct Rules<'l> {
    /// Per stratum its rules, each with the ways in which it can be fulfilled.
    strata: Vec<Vec<(&'l Axiom, Vec<Way<'l>>)>>,
}

impl<'l> Rules<'l> {
    /// The rules of the world's task. The reader refuses those that cannot be ordered.
    pub(super) fn new(world: &World<'l>) -> Self {
        let task = world.task;
        let order = strata(task).unwrap_or_else(|_| vec![0; task.predicates.len()]);
        let n_strata = order.iter().max().map_or(1, |&last| last as usize + 1);
        let mut strata = vec![Vec::new(); n_strata];
        for axiom in &task.axioms {
            let ways = ways(&axiom.condition);
            strata[order[axiom.predicate.0 as usize] as usize].push((axiom, ways));
        }
        Rules { strata }
    }

    /// Works out what is derived in the world's present state.
    pub(super) fn follow(&self, world: &mut World<'_>) {
        world.derived.clear();
        for rules in &self.strata {
            loop {
                let by_predicate = sorted(world);
                let mut new = Vec::new();
                for (axiom, ways) in rules {
                    let matcher = Matcher { world, axiom, by_predicate: &by_predicate };
                    ways.iter().for_each(|way| matcher.heads(way, &mut new));
                }
                let before = world.derived.len();
                world.derived.extend(new);
                if world.derived.len() == before {
                    break;
                }
            }
        }
    }
}

/// Ways to fulfil a condition: whenever it holds, all atoms of one of them do. A way may say
/// less than the condition, down to nothing; no way at all means that it never holds.
fn ways(condition: &Condition) -> Vec<Way<'_>> {
    match condition {
        Condition::And(parts) => {
            let mut all = vec![Way::new()];
            for part in parts {
                let of_part = ways(part);
                // What would become too many is left to be judged.
                if all.len() * of_part.len() <= WAYS {
                    all = all.iter().flat_map(|way| joined(way, &of_part)).collect();
                }
            }
            all
        }
        Condition::Or(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(ways(part));
                if all.len() > WAYS {
                    return vec![Way::new()];
                }
            }
            all
        }
        Condition::Exists(_, part) => ways(part),
        Condition::Atom(atom) => vec![vec![atom]],
        _ => vec![Way::new()],
    }
}

/// One way, each time with one of others.
fn joined<'l>(way: &Way<'l>, others: &[Way<'l>]) -> Vec<Way<'l>> {
    let with = |other: &Way<'l>| way.iter().chain(other).copied().take(MATCHED).collect();
    others.iter().map(with).collect()
}

/// All facts of the world by predicate, in order.
fn sorted(world: &World<'_>) -> Vec<Vec<Fact>> {
    let mut by_predicate = vec![Vec::new(); world.task.predicates.len()];
    for fact in world.facts.iter().chain(&world.derived) {
        by_predicate[fact[0] as usize].push(fact.clone());
    }
    by_predicate
}

/// Finds for which objects a rule's head is new.
struct Matcher<'m, 'l> {
    world: &'m World<'l>,
    axiom: &'m Axiom,
    by_predicate: &'m [Vec<Fact>],
}

impl Matcher<'_, '_> {
    fn heads(&self, way: &Way<'_>, new: &mut Vec<Fact>) {
        let mut bound = vec![None; self.axiom.n_variables];
        let mut open: Vec<&Atom> = way.clone();
        self.match_next(&mut open, &mut bound, new);
    }

    /// Matches the open atom with the most known arguments, then the others.
    fn match_next(
        &self,
        open: &mut Vec<&Atom>,
        bound: &mut Vec<Option<ObjectId>>,
        new: &mut Vec<Fact>,
    ) {
        let unknown = |atom: &Atom| {
            let is_open =
                |term: &&Term| matches!(term, Term::Variable(v) if bound[*v as usize].is_none());
            let n_open = atom.arguments.iter().filter(is_open).count();
            (n_open, self.by_predicate[atom.predicate.0 as usize].len())
        };
        let Some(best) = (0..open.len()).min_by_key(|&at| unknown(open[at])) else {
            return self.judge(bound, new);
        };
        let atom = open.swap_remove(best);
        for fact in &self.by_predicate[atom.predicate.0 as usize] {
            let mut set = Vec::new();
            let fits = atom.arguments.iter().zip(&fact[1..]).all(|(term, &object)| {
                let object = ObjectId(object);
                match *term {
                    Term::Object(wanted) => wanted == object,
                    Term::Variable(variable) => match bound[variable as usize] {
                        Some(known) => known == object,
                        None => {
                            bound[variable as usize] = Some(object);
                            set.push(variable);
                            true
                        }
                    },
                }
            });
            if fits {
                self.match_next(open, bound, new);
            }
            set.into_iter().for_each(|variable| bound[variable as usize] = None);
        }
        open.push(atom);
    }

    /// Judges the head for what is bound and all objects for what is not.
    fn judge(&self, bound: &[Option<ObjectId>], new: &mut Vec<Fact>) {
        let (known, open): (Vec<_>, Vec<_>) = self
            .axiom
            .parameters
            .iter()
            .cloned()
            .partition(|parameter| bound[parameter.variable as usize].is_some());
        let mut binding: Binding =
            bound.iter().map(|object| object.unwrap_or(ObjectId(0))).collect();
        let is_typed = |object: ObjectId, types: &[_]| is_of(self.world.task, object, types);
        if known.iter().any(|p| !is_typed(binding[p.variable as usize], &p.types)) {
            return;
        }
        let world = self.world;
        world.some(&open, &mut binding, &mut |binding| {
            let arguments = self.axiom.parameters.iter().map(|p| binding[p.variable as usize].0);
            let head: Fact = std::iter::once(self.axiom.predicate.0).chain(arguments).collect();
            // Quantifiers write into the binding; the parameters have places of their own.
            if !world.derived.contains(&head) && world.holds(&self.axiom.condition, binding) {
                new.push(head);
            }
            false
        });
    }
}
