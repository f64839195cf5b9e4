//! A state, and what holds in it, by the definition.
//!
//! In:   the lifted task and facts.
//! Out:  whether a condition holds for given objects.
//! Cost: a hash lookup per atom; a quantifier tries the objects of its types one by one.

use crate::lifted::{Atom, Condition, Lifted, ObjectId, Parameter, Term, TypeId};
use std::collections::{HashMap, HashSet};

/// A fact: the predicate, then its objects.
pub(super) type Fact = Vec<u32>;

/// Values of the variables of an action, rule or goal; those that are not visible have any.
pub(super) type Binding = Vec<ObjectId>;

/// What holds now.
pub(super) struct World<'l> {
    pub(super) task: &'l Lifted,
    /// Facts of predicates that actions set.
    pub(super) facts: HashSet<Fact>,
    /// Facts of derived predicates, if they are worked out for this state.
    pub(super) derived: HashSet<Fact>,
    /// Per list of types in use, the objects of any of them.
    objects: HashMap<Vec<TypeId>, Vec<ObjectId>>,
}

impl<'l> World<'l> {
    /// The initial state.
    pub(super) fn new(task: &'l Lifted) -> Self {
        let fact = |atom: &crate::lifted::GroundAtom| {
            let arguments = atom.arguments.iter().map(|object| object.0);
            std::iter::once(atom.predicate.0).chain(arguments).collect()
        };
        let facts = task.init.iter().map(fact).collect();
        let mut world = World { task, facts, derived: HashSet::new(), objects: HashMap::new() };
        world.find_objects();
        world
    }

    /// Lists the objects of every parameter's types once.
    fn find_objects(&mut self) {
        let task = self.task;
        let mut add = |parameters: &[Parameter]| {
            for parameter in parameters {
                if !self.objects.contains_key(&parameter.types) {
                    let objects = objects_of(task, &parameter.types);
                    self.objects.insert(parameter.types.clone(), objects);
                }
            }
        };
        quantifiers(&task.goal, &mut add);
        for action in &task.actions {
            quantifiers(&action.condition, &mut add);
            for effect in &action.effects {
                add(&effect.forall);
                quantifiers(&effect.condition, &mut add);
            }
        }
        for axiom in &task.axioms {
            add(&axiom.parameters);
            quantifiers(&axiom.condition, &mut add);
        }
    }

    /// The objects that a quantified variable may stand for, in order.
    pub(super) fn objects_for(&self, parameter: &Parameter) -> &[ObjectId] {
        self.objects.get(&parameter.types).map_or(&[], Vec::as_slice)
    }

    /// The object that a term stands for.
    pub(super) fn object(&self, term: Term, binding: &Binding) -> ObjectId {
        match term {
            Term::Object(object) => object,
            Term::Variable(variable) => binding[variable as usize],
        }
    }

    /// An atom with its variables replaced.
    pub(super) fn fact(&self, atom: &Atom, binding: &Binding) -> Fact {
        let arguments = atom.arguments.iter().map(|&term| self.object(term, binding).0);
        std::iter::once(atom.predicate.0).chain(arguments).collect()
    }

    /// Whether a fact holds.
    pub(super) fn is_fact(&self, fact: &[u32]) -> bool {
        match self.task.predicates[fact[0] as usize].is_derived {
            true => self.derived.contains(fact),
            false => self.facts.contains(fact),
        }
    }

    /// Whether a condition holds. The binding comes back with other values for the variables
    /// of quantifiers.
    pub(super) fn holds(&self, condition: &Condition, binding: &mut Binding) -> bool {
        match condition {
            Condition::And(parts) => parts.iter().all(|part| self.holds(part, binding)),
            Condition::Or(parts) => parts.iter().any(|part| self.holds(part, binding)),
            Condition::Not(part) => !self.holds(part, binding),
            Condition::Imply(first, second) => {
                !self.holds(first, binding) || self.holds(second, binding)
            }
            Condition::Exists(parameters, part) => {
                self.some(parameters, binding, &mut |binding| self.holds(part, binding))
            }
            Condition::Forall(parameters, part) => {
                !self.some(parameters, binding, &mut |binding| !self.holds(part, binding))
            }
            Condition::Atom(atom) => self.is_fact(&self.fact(atom, binding)),
            Condition::Equal(first, second) => {
                self.object(*first, binding) == self.object(*second, binding)
            }
        }
    }

    /// Whether some objects for these parameters make it true; the binding is left with the
    /// first such objects. All are tried, in order, the last parameter fastest.
    pub(super) fn some(
        &self,
        parameters: &[Parameter],
        binding: &mut Binding,
        is_true: &mut dyn FnMut(&mut Binding) -> bool,
    ) -> bool {
        let choices: Vec<&[ObjectId]> = parameters.iter().map(|p| self.objects_for(p)).collect();
        if choices.iter().any(|objects| objects.is_empty()) {
            return false;
        }
        let mut chosen = vec![0; parameters.len()];
        loop {
            for ((parameter, objects), &at) in parameters.iter().zip(&choices).zip(&chosen) {
                binding[parameter.variable as usize] = objects[at];
            }
            if is_true(binding) {
                return true;
            }
            let Some(turn) = (0..chosen.len()).rev().find(|&p| chosen[p] + 1 < choices[p].len())
            else {
                return false;
            };
            chosen[turn] += 1;
            chosen[turn + 1..].fill(0);
        }
    }
}

/// Whether an object is of any of the types.
pub(super) fn is_of(task: &Lifted, object: ObjectId, types: &[TypeId]) -> bool {
    let own = &task.objects[object.0 as usize].types;
    own.iter().any(|&own| types.iter().any(|&wanted| task.is_below(own, wanted)))
}

fn objects_of(task: &Lifted, types: &[TypeId]) -> Vec<ObjectId> {
    let all = (0..task.objects.len() as u32).map(ObjectId);
    all.filter(|&object| is_of(task, object, types)).collect()
}

fn quantifiers(condition: &Condition, add: &mut impl FnMut(&[Parameter])) {
    match condition {
        Condition::And(parts) | Condition::Or(parts) => {
            parts.iter().for_each(|part| quantifiers(part, add));
        }
        Condition::Not(part) => quantifiers(part, add),
        Condition::Imply(first, second) => {
            quantifiers(first, add);
            quantifiers(second, add);
        }
        Condition::Exists(parameters, part) | Condition::Forall(parameters, part) => {
            add(parameters);
            quantifiers(part, add);
        }
        Condition::Atom(_) | Condition::Equal(..) => {}
    }
}
