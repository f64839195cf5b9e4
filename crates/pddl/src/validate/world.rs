//! A state: its facts, the objects that variables may stand for, and how much may be done.
//!
//! In:   the lifted task.
//! Out:  facts of atoms; objects tried one by one.
//! Cost: a hash lookup per atom.

use super::facts::{Fact, Facts};
use super::limits::{Budget, Limits};
use crate::lifted::{
    Atom, Condition, FunctionId, Lifted, NumberTerm, ObjectId, Parameter, Term, TypeId,
};
use std::borrow::Borrow;
use std::cell::Cell;
use std::collections::HashMap;
use throng_domain::Relation;

/// Matching goes so deep, over all quantifiers around; deeper, all objects are tried.
const DEEPEST_MATCH: u32 = 200;

/// Values of the variables of an action, rule or goal; those that are not visible have any.
pub(super) type Binding = Vec<ObjectId>;

/// What holds now.
pub(super) struct World<'l> {
    pub(super) task: &'l Lifted,
    /// Facts of predicates that actions set.
    pub(super) facts: Facts,
    /// Facts of derived predicates, if they are worked out for this state.
    pub(super) derived: Facts,
    /// Values of functions that have one, by function and objects.
    pub(super) numbers: HashMap<Fact, i64>,
    /// Per list of types in use, the objects of any of them, in order.
    objects: HashMap<Vec<TypeId>, Vec<ObjectId>>,
    /// How much may be done.
    pub(super) budget: Budget<'l>,
    /// How deep matching is now.
    pub(super) depth: Cell<u32>,
}

impl<'l> World<'l> {
    /// The initial state.
    pub(super) fn new(task: &'l Lifted, limits: Limits<'l>) -> Self {
        let is_listed = matched(task);
        let mut world = World {
            task,
            facts: Facts::new(is_listed.clone()),
            derived: Facts::new(is_listed),
            numbers: HashMap::new(),
            objects: HashMap::new(),
            budget: Budget { limits, ..Budget::default() },
            depth: Cell::new(0),
        };
        for atom in &task.init {
            let arguments = atom.arguments.iter().map(|object| object.0);
            world.facts.insert(std::iter::once(atom.predicate.0).chain(arguments).collect());
            if world.is_over() || world.lend(0) {
                return world;
            }
        }
        for (function, objects, number) in &task.numbers {
            let key: Fact =
                std::iter::once(function.0).chain(objects.iter().map(|of| of.0)).collect();
            if world.is_over() || world.lend(64 + size_of_val(&key[..])) {
                return world;
            }
            world.numbers.insert(key, *number);
        }
        world.objects = world.find_objects();
        world
    }

    /// Counts a step of work; whether the judge gives up. Answers from then on mean nothing.
    pub(super) fn is_over(&self) -> bool {
        self.budget.step()
    }

    /// Counts bytes that the search takes; whether the judge gives up.
    pub(super) fn lend(&self, bytes: usize) -> bool {
        self.budget.lent.update(|lent| lent + bytes as u64);
        self.hold(0)
    }

    /// Counts bytes of what was found; whether the judge gives up.
    pub(super) fn hold(&self, bytes: u64) -> bool {
        self.budget.held.update(|held| held + bytes);
        self.budget.weigh(self.facts.bytes + self.derived.bytes)
    }

    /// Whether matching must not go deeper.
    pub(super) fn is_deep(&self) -> bool {
        self.depth.get() >= DEEPEST_MATCH
    }

    /// Lists the objects of every parameter's types once.
    fn find_objects(&self) -> HashMap<Vec<TypeId>, Vec<ObjectId>> {
        let by_type = self.task.objects_by_type();
        let mut found = HashMap::new();
        let mut add = |parameters: &[Parameter]| {
            for parameter in parameters.iter().filter(|_| !self.is_over()) {
                if !found.contains_key(&parameter.types) {
                    let of_types = size_of_val(&parameter.types[..]);
                    let listed = parameter.types.iter().map(|of| by_type[of.0 as usize].len());
                    let bytes = 128 + of_types + listed.sum::<usize>() * size_of::<ObjectId>();
                    if self.lend(bytes) {
                        return;
                    }
                    let objects = objects_of(&by_type, &parameter.types, &self.budget);
                    found.insert(parameter.types.clone(), objects);
                }
            }
        };
        for (parameters, condition) in self.task.conditions() {
            add(parameters);
            condition.each_quantifier(&mut add);
        }
        found
    }

    /// The objects that a quantified variable may stand for, in order.
    pub(super) fn objects_for(&self, parameter: &Parameter) -> &[ObjectId] {
        self.objects.get(&parameter.types).map_or(&[], Vec::as_slice)
    }

    /// Whether a quantified variable may stand for an object.
    pub(super) fn is_for(&self, object: ObjectId, parameter: &Parameter) -> bool {
        self.objects_for(parameter).binary_search(&object).is_ok()
    }

    /// Where the facts of an atom's predicate are.
    pub(super) fn facts_of(&self, atom: &Atom) -> &Facts {
        match self.task.predicates[atom.predicate.0 as usize].is_derived {
            true => &self.derived,
            false => &self.facts,
        }
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

    /// A function with its variables replaced.
    pub(super) fn number_key(
        &self,
        function: FunctionId,
        arguments: &[Term],
        binding: &Binding,
    ) -> Fact {
        let objects = arguments.iter().map(|&term| self.object(term, binding).0);
        std::iter::once(function.0).chain(objects).collect()
    }

    /// A number now; `None` of a function that has no value.
    pub(super) fn number(&self, term: &NumberTerm, binding: &Binding) -> Option<i64> {
        match term {
            NumberTerm::Number(number) => Some(*number),
            NumberTerm::Function(function, arguments) => {
                self.numbers.get(&self.number_key(*function, arguments, binding)).copied()
            }
        }
    }

    /// Whether two numbers stand to each other; one without a value never does.
    pub(super) fn compares(
        &self,
        relation: Relation,
        terms: [&NumberTerm; 2],
        binding: &Binding,
    ) -> bool {
        let [Some(one), Some(other)] = terms.map(|term| self.number(term, binding)) else {
            return false;
        };
        match relation {
            Relation::Is => one == other,
            Relation::IsNot => one != other,
            Relation::Less => one < other,
            Relation::AtMost => one <= other,
            Relation::More => one > other,
            Relation::AtLeast => one >= other,
        }
    }

    /// Whether some objects for these parameters make it true; the binding is left with the
    /// first such objects. All are tried, in order, the last parameter fastest.
    pub(super) fn some<P: Borrow<Parameter>>(
        &self,
        parameters: &[P],
        binding: &mut Binding,
        is_true: &mut dyn FnMut(&mut Binding) -> bool,
    ) -> bool {
        let parameters = || parameters.iter().map(P::borrow);
        let choices: Vec<&[ObjectId]> = parameters().map(|p| self.objects_for(p)).collect();
        if choices.iter().any(|objects| objects.is_empty()) {
            return false;
        }
        let mut chosen = vec![0; choices.len()];
        loop {
            for ((parameter, objects), &at) in parameters().zip(&choices).zip(&chosen) {
                binding[parameter.variable as usize] = objects[at];
            }
            if is_true(binding) {
                return true;
            }
            if self.is_over() {
                return false;
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

/// The objects of any of the types, in order.
fn objects_of(by_type: &[Vec<ObjectId>], types: &[TypeId], budget: &Budget<'_>) -> Vec<ObjectId> {
    let all = types.iter().flat_map(|of| &by_type[of.0 as usize]);
    let mut objects: Vec<ObjectId> = all.take_while(|_| !budget.step()).copied().collect();
    if types.len() > 1 {
        objects.sort_unstable();
        objects.dedup();
    }
    objects
}

/// Per predicate whether atoms of it are matched: those below quantifiers and in rules, and the
/// conditions of effects that happen for all objects.
fn matched(task: &Lifted) -> Vec<bool> {
    let mut is_matched = vec![false; task.predicates.len()];
    for (parameters, condition) in task.conditions() {
        add_matched(condition, !parameters.is_empty(), &mut is_matched);
    }
    is_matched
}

fn add_matched(condition: &Condition, is_below: bool, is_matched: &mut [bool]) {
    match condition {
        Condition::Exists(_, part) | Condition::Forall(_, part) => {
            add_matched(part, true, is_matched);
        }
        Condition::Atom(atom) => is_matched[atom.predicate.index()] |= is_below,
        _ => condition.parts().for_each(|part| add_matched(part, is_below, is_matched)),
    }
}
