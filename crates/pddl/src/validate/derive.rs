//! Derived predicates of one state: the rules followed, stratum by stratum, until nothing new
//! comes.
//!
//! In:   the facts of a state.
//! Out:  the derived facts.
//! Cost: every rule is matched with all facts once, and then with each new fact at each place
//!       where the rule asks for it. Only rules that ask for all objects to have something of
//!       their own stratum are matched with all facts again, whenever the others have come to
//!       an end.

use super::facts::{Fact, NewFacts};
use super::matching::{Collector, Matching, Shape, Wanted};
use super::world::{Binding, World};
use crate::lifted::{Atom, Axiom, ObjectId, Parameter};
use crate::strata::strata;
use std::collections::HashMap;
use std::rc::Rc;

/// The rules of a task, ready to be followed in any state.
pub(super) struct Rules<'l> {
    strata: Vec<Stratum<'l>>,
}

/// Rules that may ask for what each other derive.
#[derive(Default)]
struct Stratum<'l> {
    rules: Vec<&'l Axiom>,
    /// By predicate of this stratum, the places where rules ask for it.
    places: HashMap<u32, Vec<Place<'l>>>,
    /// Rules that ask for predicates of this stratum at other places.
    hidden: Vec<&'l Axiom>,
}

/// A place where a new fact may fulfil a rule.
struct Place<'l> {
    axiom: &'l Axiom,
    atom: &'l Atom,
    /// From the atom out to the whole condition.
    path: Option<Rc<Link<'l>>>,
}

/// One step of a path.
struct Link<'l> {
    step: Step<'l>,
    out: Option<Rc<Link<'l>>>,
}

enum Step<'l> {
    /// All parts but one are wanted too.
    Beside { parts: Rc<[Wanted<'l>]>, except: usize },
    /// Variables of a quantifier.
    Below(&'l [Parameter]),
}

impl<'l> Rules<'l> {
    /// The rules of the world's task. The reader refuses those that cannot be ordered.
    pub(super) fn new(world: &World<'l>) -> Self {
        let task = world.task;
        let order = strata(&task.predicates, &task.axioms)
            .unwrap_or_else(|_| vec![0; task.predicates.len()]);
        let n_strata = order.iter().max().map_or(1, |&last| last as usize + 1);
        let mut all: Vec<Stratum<'l>> = (0..n_strata).map(|_| Stratum::default()).collect();
        for axiom in &task.axioms {
            let own = order[axiom.predicate.0 as usize];
            let stratum = &mut all[own as usize];
            stratum.rules.push(axiom);
            let is_own = |atom: &Atom| {
                let predicate = atom.predicate.0 as usize;
                task.predicates[predicate].is_derived && order[predicate] == own
            };
            let mut finder = Finder { axiom, is_own: &is_own, stratum, has_hidden: false };
            finder.look(Wanted { condition: &axiom.condition, is: true }, None);
            if finder.has_hidden {
                stratum.hidden.push(axiom);
            }
        }
        Rules { strata: all }
    }

    /// Works out what is derived in the world's present state.
    pub(super) fn follow(&self, world: &mut World<'_>) {
        world.derived.clear();
        for stratum in &self.strata {
            let mut new = NewFacts::default();
            stratum.rules.iter().for_each(|axiom| follow(world, axiom, None, &mut new));
            while !new.facts.is_empty() && !world.budget.is_over() {
                let NewFacts { facts, bytes, .. } = std::mem::take(&mut new);
                for fact in &facts {
                    world.derived.insert(fact.clone());
                    if world.hold(0) {
                        return;
                    }
                }
                for fact in &facts {
                    for place in stratum.places.get(&fact[0]).into_iter().flatten() {
                        follow(world, place.axiom, Some((place, fact)), &mut new);
                    }
                }
                if new.facts.is_empty() {
                    stratum.hidden.iter().for_each(|axiom| follow(world, axiom, None, &mut new));
                }
                world.budget.release(bytes);
            }
        }
    }
}

/// Finds the places where a rule asks for predicates of its own stratum.
struct Finder<'f, 'l> {
    axiom: &'l Axiom,
    is_own: &'f dyn Fn(&Atom) -> bool,
    stratum: &'f mut Stratum<'l>,
    has_hidden: bool,
}

impl<'l> Finder<'_, 'l> {
    fn look(&mut self, wanted: Wanted<'l>, path: Option<&Rc<Link<'l>>>) {
        let step = |step| Rc::new(Link { step, out: path.cloned() });
        match wanted.shape() {
            Shape::All(parts) => {
                let parts: Rc<[Wanted<'l>]> = parts.into();
                for (except, &part) in parts.iter().enumerate() {
                    self.look(part, Some(&step(Step::Beside { parts: parts.clone(), except })));
                }
            }
            // One of the parts is enough, so the others do not matter.
            Shape::Any(parts) => parts.into_iter().for_each(|part| self.look(part, path)),
            Shape::Some(parameters, part) => self.look(part, Some(&step(Step::Below(parameters)))),
            Shape::Every(part) => self.has_hidden |= part.condition.has_atom(self.is_own),
            Shape::Atom(atom, true) if (self.is_own)(atom) => {
                let place = Place { axiom: self.axiom, atom, path: path.cloned() };
                self.stratum.places.entry(atom.predicate.0).or_default().push(place);
            }
            Shape::Atom(..) | Shape::Other => {}
        }
    }
}

/// Finds what a rule says in the present state; with a place, what it says because of a fact
/// there.
fn follow<'l>(
    world: &World<'_>,
    axiom: &'l Axiom,
    at: Option<(&Place<'l>, &[u32])>,
    new: &mut NewFacts,
) {
    let head = |binding: &Binding| -> Fact {
        let objects = axiom.parameters.iter().map(|p| binding[p.variable as usize].0);
        std::iter::once(axiom.predicate.0).chain(objects).collect()
    };
    let (parameters, known) = (&axiom.parameters[..], Some(&world.derived));
    let mut heads = Some(Collector { parameters, fact: &head, known, new });
    let lent = world.budget.lent.get();
    let mut binding = vec![ObjectId(0); axiom.n_variables];
    let mut matching = Matching::new(world, &mut binding);
    matching.open(&axiom.parameters);
    if let Some((place, fact)) = at {
        let mut todo = Vec::new();
        let mut link = place.path.as_ref();
        while let Some(Link { step, out }) = link.map(Rc::as_ref) {
            match step {
                Step::Below(parameters) => matching.open(parameters),
                Step::Beside { parts, except } => {
                    todo.extend_from_slice(&parts[..*except]);
                    todo.extend_from_slice(&parts[except + 1..]);
                }
            }
            link = out.as_ref();
        }
        matching.with_match(place.atom, fact, |matching| matching.find(todo, &mut heads));
    } else {
        let condition = Wanted { condition: &axiom.condition, is: true };
        matching.find(vec![condition], &mut heads);
    }
    world.budget.lent.set(lent);
}

#[cfg(test)]
mod tests {
    use super::super::matching::tests::holds_plainly;
    use super::*;
    use crate::read::{self, Text, read_task};
    use crate::validate::Limits;
    use std::collections::HashSet;

    const DOMAIN: &str = "(define (domain graph) (:types node thing)
      (:predicates (edge ?x ?y - node) (mark ?x) (path ?x ?y) (odd ?x ?y) (end ?x) (all) (twin ?x ?y))
      (:derived (path ?x ?y - node)
         (or (edge ?x ?y) (exists (?z - node) (and (path ?x ?z) (or (edge ?z ?y) (odd ?z ?y))))))
      (:derived (odd ?x ?y - node)
         (or (and (= ?x ?y) (mark ?x)) (and (path ?x ?y) (mark ?y) (not (edge ?x ?y))) (or)))
      (:derived (odd ?x ?y - node)
         (and (edge ?x ?y) (forall (?z - node) (imply (edge ?y ?z) (path ?z ?y)))))
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
        let reading =
            read_task(domain, Text { name: "p", text: &problem }, &read::Limits::default());
        reading.task.unwrap()
    }

    /// Every rule tried for all objects, again and again, stratum by stratum.
    fn by_the_definition(world: &mut World<'_>) -> HashSet<Fact> {
        let order = strata(&world.task.predicates, &world.task.axioms).unwrap();
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
                        if holds_plainly(world, &axiom.condition, binding) {
                            let objects =
                                axiom.parameters.iter().map(|p| binding[p.variable as usize].0);
                            new.push(std::iter::once(axiom.predicate.0).chain(objects).collect());
                        }
                        false
                    });
                }
                let added =
                    new.into_iter().filter(|fact: &Fact| world.derived.insert(fact.clone()));
                if added.count() == 0 {
                    break;
                }
            }
        }
        world.derived.all()
    }

    #[test]
    fn matching_finds_what_the_definition_says() {
        let mut random = throng_base::SplitMix::new(7);
        let mut sizes = HashSet::new();
        for _ in 0..150 {
            let mut facts = String::new();
            for from in 0..4 {
                for to in 0..4 {
                    if random.one_in(4) {
                        facts.push_str(&format!("(edge n{from} n{to}) "));
                    }
                }
                if random.one_in(4) {
                    facts.push_str(&format!("(mark n{from}) "));
                }
            }
            let task = task_of(&facts);
            let mut world = World::new(&task, Limits::default());
            let rules = Rules::new(&world);
            rules.follow(&mut world);
            let found = world.derived.all();
            assert_eq!(found, by_the_definition(&mut world), "{facts}");
            sizes.insert(found.len());
        }
        assert!(sizes.len() > 10, "the graphs differ: {sizes:?}");
    }

    #[test]
    fn a_long_chain_costs_its_length() {
        let domain = "(define (domain d) (:requirements :adl :derived-predicates)
          (:predicates (edge ?x ?y) (on ?x) (reach ?x))
          (:derived (reach ?y) (or (on ?y) (exists (?x) (and (edge ?x ?y) (reach ?x))))))";
        let length = 2_000;
        let names: Vec<String> = (0..length).map(|at| format!("o{at}")).collect();
        let edges = names.windows(2).map(|pair| format!("(edge {} {})", pair[0], pair[1]));
        let problem = format!(
            "(define (problem p) (:domain d) (:objects {}) (:init (on o0) {}) (:goal (and)))",
            names.join(" "),
            edges.collect::<String>()
        );
        let texts = [domain, &problem].map(|text| Text { name: "t", text });
        let [domain, problem] = texts;
        let task = read_task(domain, problem, &read::Limits::default()).task.unwrap();
        let mut world = World::new(&task, Limits::default());
        Rules::new(&world).follow(&mut world);
        assert_eq!(world.derived.all().len(), length);
        assert!(world.budget.steps.get() < 20 * length as u64, "{}", world.budget.steps.get());
    }
}
