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
use std::collections::HashMap;

/// So many atoms are matched to find candidates; the rest of a condition only judges them.
const MATCHED: usize = 6;
/// So many ways to fulfil a condition are told apart.
const WAYS: usize = 16;

/// Atoms that must hold together, for some objects of the condition's `exists`.
type Way<'l> = Vec<&'l Atom>;

/// Heads of one rule that were judged in this round.
type Judged = HashMap<Fact, bool>;

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
                let index = Index::new(world);
                let mut new = Vec::new();
                for (axiom, ways) in rules {
                    let matcher = Matcher { world, axiom, index: &index };
                    let mut judged = HashMap::new();
                    ways.iter().for_each(|way| matcher.heads(way, &mut judged));
                    new.extend(
                        judged.into_iter().filter_map(|(head, holds)| holds.then_some(head)),
                    );
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

/// All facts of a state, found by predicate and by an object in one place.
struct Index<'w> {
    by_predicate: Vec<Vec<&'w Fact>>,
    by_object: HashMap<(u32, usize, u32), Vec<&'w Fact>>,
}

impl<'w> Index<'w> {
    fn new(world: &'w World<'_>) -> Self {
        let mut by_predicate = vec![Vec::new(); world.task.predicates.len()];
        let mut by_object: HashMap<(u32, usize, u32), Vec<&Fact>> = HashMap::new();
        for fact in world.facts.iter().chain(&world.derived) {
            by_predicate[fact[0] as usize].push(fact);
            for (place, &object) in fact[1..].iter().enumerate() {
                by_object.entry((fact[0], place, object)).or_default().push(fact);
            }
        }
        Index { by_predicate, by_object }
    }

    /// The fewest facts that an atom can match, given what is bound.
    fn candidates(&self, atom: &Atom, bound: &[Option<ObjectId>]) -> &[&'w Fact] {
        let mut fewest = &self.by_predicate[atom.predicate.0 as usize][..];
        for (place, term) in atom.arguments.iter().enumerate() {
            let object = match *term {
                Term::Object(object) => Some(object),
                Term::Variable(variable) => bound[variable as usize],
            };
            if let Some(object) = object {
                let key = (atom.predicate.0, place, object.0);
                let with = self.by_object.get(&key).map_or(&[][..], Vec::as_slice);
                if with.len() < fewest.len() {
                    fewest = with;
                }
            }
        }
        fewest
    }
}

/// Finds for which objects a rule's head is new.
struct Matcher<'m, 'l> {
    world: &'m World<'l>,
    axiom: &'m Axiom,
    index: &'m Index<'m>,
}

impl Matcher<'_, '_> {
    fn heads(&self, way: &Way<'_>, judged: &mut Judged) {
        let mut bound = vec![None; self.axiom.n_variables];
        let mut open: Vec<&Atom> = way.clone();
        self.match_next(&mut open, &mut bound, judged);
    }

    /// Matches the open atom that the fewest facts can match, then the others.
    fn match_next(
        &self,
        open: &mut Vec<&Atom>,
        bound: &mut Vec<Option<ObjectId>>,
        judged: &mut Judged,
    ) {
        let candidates = |at: &usize| self.index.candidates(open[*at], bound).len();
        let Some(best) = (0..open.len()).min_by_key(candidates) else {
            return self.judge(bound, judged);
        };
        let atom = open.swap_remove(best);
        for fact in self.index.candidates(atom, bound) {
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
                self.match_next(open, bound, judged);
            }
            set.into_iter().for_each(|variable| bound[variable as usize] = None);
        }
        open.push(atom);
    }

    /// Judges the head for what is bound and all objects for what is not.
    fn judge(&self, bound: &[Option<ObjectId>], judged: &mut Judged) {
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
            // Many matches come to one head. Quantifiers write into the binding; the parameters
            // have places of their own.
            if !world.derived.contains(&head) && !judged.contains_key(&head) {
                let holds = world.holds(&self.axiom.condition, binding);
                judged.insert(head, holds);
            }
            false
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{Limits, Text, read_task};
    use std::collections::HashSet;

    const DOMAIN: &str = "(define (domain graph) (:types node thing)
      (:predicates (edge ?x ?y - node) (mark ?x) (path ?x ?y) (odd ?x ?y) (end ?x) (all) (twin ?x ?y))
      (:derived (path ?x ?y - node)
         (or (edge ?x ?y) (exists (?z - node) (and (path ?x ?z) (or (edge ?z ?y) (odd ?z ?y))))))
      (:derived (odd ?x ?y - node)
         (or (and (= ?x ?y) (mark ?x)) (and (path ?x ?y) (mark ?y) (not (edge ?x ?y))) (or)))
      (:derived (end ?x) (not (exists (?y - node) (path ?x ?y))))
      (:derived (all) (forall (?x - node) (imply (mark ?x) (end ?x))))
      (:derived (twin ?x - node ?y) (and (path ?x ?x) (edge n0 ?x) (or (all) (not (end ?y))))))";

    fn task_of(edges: &str) -> crate::lifted::Lifted {
        let domain = DOMAIN.replace("(:types", "(:constants n0 - node) (:types");
        let problem = format!(
            "(define (problem p) (:domain graph) (:objects n1 n2 n3 - node t - thing)
             (:init {edges}) (:goal (and)))"
        );
        let domain = Text { name: "d", text: &domain };
        let reading = read_task(domain, Text { name: "p", text: &problem }, &Limits::default());
        reading.task.unwrap()
    }

    /// Every rule tried for all objects, again and again, stratum by stratum.
    fn by_the_definition(world: &mut World<'_>) -> HashSet<Fact> {
        let order = strata(world.task).unwrap();
        world.derived.clear();
        for stratum in 0..=*order.iter().max().unwrap() {
            loop {
                let mut new = Vec::new();
                for axiom in &world.task.axioms {
                    if order[axiom.predicate.0 as usize] != stratum {
                        continue;
                    }
                    let mut binding = vec![ObjectId(0); axiom.n_variables];
                    world.some(&axiom.parameters, &mut binding, &mut |binding| {
                        if world.holds(&axiom.condition, binding) {
                            let objects =
                                axiom.parameters.iter().map(|p| binding[p.variable as usize].0);
                            new.push(std::iter::once(axiom.predicate.0).chain(objects).collect());
                        }
                        false
                    });
                }
                let before = world.derived.len();
                world.derived.extend(new);
                if world.derived.len() == before {
                    break;
                }
            }
        }
        world.derived.clone()
    }

    #[test]
    fn matching_finds_what_the_definition_says() {
        let mut seed = 7u64;
        let mut sizes = HashSet::new();
        for _ in 0..150 {
            let mut facts = String::new();
            for from in 0..4 {
                for to in 0..4 {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    if seed >> 62 == 0 {
                        facts.push_str(&format!("(edge n{from} n{to}) "));
                    }
                }
                if seed >> 40 & 3 == 0 {
                    facts.push_str(&format!("(mark n{from}) "));
                }
            }
            let task = task_of(&facts);
            let mut world = World::new(&task);
            let rules = Rules::new(&world);
            rules.follow(&mut world);
            let found = world.derived.clone();
            assert_eq!(found, by_the_definition(&mut world), "{facts}");
            sizes.insert(found.len());
        }
        assert!(sizes.len() > 10, "the graphs differ: {sizes:?}");
    }
}
