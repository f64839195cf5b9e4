//! A task that counts, grounded.
//!
//! In:   a lifted task with numbers.
//! Out:  a [`CountedTask`], and its operators as steps of a plan of the lifted task.
//! Cost: that of grounding the task without its numbers; then linear in what came out.

use super::limits::{GroundError, Limits};
use super::without_numbers::{Meaning, Reduced, Side, without_numbers};
use super::{Grounded, Phase, ground_observed};
use crate::counted::{
    CountedChange, CountedTask, FAILS, HOLDS, Known, Number, NumberChange, NumberRun, NumberTest,
    both, others, runs_of, united,
};
use crate::lifted::{FunctionId, Lifted, NumberEffectKind, NumberTerm, ObjectId, Term};
use crate::named::NamedTask;
use crate::plan::PlanStep;
use std::collections::{BTreeMap, HashMap, HashSet};
use throng_domain::Relation;
use throng_planner::forward::{Atom, Rule};

/// A ground task that counts, and how it came from the lifted one.
#[non_exhaustive]
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GroundedCounting {
    /// The task.
    pub counted: CountedTask,
    /// The task that was grounded: its numbers are facts of ours.
    pub grounded: Grounded,
    /// By operator of the task, the one that was grounded.
    operators: Vec<u32>,
}

impl GroundedCounting {
    /// Operators of the task as steps of a plan of the lifted one.
    pub fn plan(&self, task: &Lifted, operators: &[u32]) -> Vec<PlanStep> {
        let operators: Vec<u32> = operators.iter().map(|&at| self.operators[at as usize]).collect();
        self.grounded.plan(task, &operators)
    }
}

/// Grounds a task with numbers, or without.
///
/// # Errors
///
/// As [`super::ground`]; or if a number has no value, or changes by one that changes.
pub fn ground_counted(
    lifted: &Lifted,
    limits: &Limits,
    stop: Option<&dyn Fn() -> bool>,
    observer: &mut dyn FnMut(Phase),
) -> Result<GroundedCounting, GroundError> {
    let reduced = without_numbers(lifted)?;
    let grounded = ground_observed(&reduced.task, limits, stop, observer)?;
    if grounded.unreachable.is_some() {
        let counted = CountedTask { named: grounded.named.clone(), ..CountedTask::default() };
        return Ok(GroundedCounting { counted, grounded, operators: Vec::new() });
    }
    let values = lifted.numbers.iter().map(|(of, on, value)| ((*of, on.clone()), *value));
    let changing = lifted.actions.iter().flat_map(|action| &action.changes);
    let predicates = reduced
        .meanings
        .iter()
        .map(|(at, meaning)| (reduced.task.predicates[at.index()].name.as_str(), meaning.clone()));
    let decoder = Decoder {
        lifted,
        values: values.collect(),
        changing: changing.map(|change| change.function).collect(),
        predicates: predicates.collect(),
        objects: (0..).zip(&lifted.objects).map(|(at, of)| (&of.name[..], ObjectId(at))).collect(),
        named: &grounded.named,
        made: CountedTask::default(),
        known: Known::new(),
        numbers: HashMap::new(),
    };
    let (counted, operators) = decoder.decode(&grounded, &reduced)?;
    Ok(GroundedCounting { counted, grounded, operators })
}

/// A function about objects.
type Key = (FunctionId, Vec<ObjectId>);

/// What a variable of the grounded task is.
#[derive(Clone)]
enum Place {
    /// This one of the new task.
    Word(u32),
    /// A test, and its value where it holds.
    Test(Atom),
    /// The change of this number of the action of this number, for these objects.
    Mark(usize, usize, Vec<ObjectId>),
    /// One of ours that says nothing.
    Ours,
}

struct Decoder<'a> {
    lifted: &'a Lifted,
    values: HashMap<Key, i64>,
    changing: HashSet<FunctionId>,
    predicates: HashMap<&'a str, Meaning>,
    objects: HashMap<&'a str, ObjectId>,
    named: &'a NamedTask,
    made: CountedTask,
    known: Known,
    numbers: HashMap<Key, u32>,
}

impl Decoder<'_> {
    fn decode(
        mut self,
        grounded: &Grounded,
        reduced: &Reduced,
    ) -> Result<(CountedTask, Vec<u32>), GroundError> {
        let mut places = self.places()?;
        self.join_sets(&mut places);
        let old = &self.named.task;
        for Rule { when, sets } in old.axioms() {
            let when: Vec<Atom> = when.iter().filter_map(|atom| moved(*atom, &places)).collect();
            if let Some(sets) = moved(sets, &places).filter(|_| is_word(sets, &places)) {
                self.made.named.task.add_axiom(when.into_iter(), sets);
            }
        }
        let goal: Vec<Atom> = old.goal().iter().filter_map(|atom| moved(*atom, &places)).collect();
        self.made.named.task.set_goal(goal.into_iter());
        let mut operators = Vec::new();
        for operator in 0..old.n_operators() as u32 {
            if grounded.step(operator).0 as usize >= reduced.n_actions {
                continue;
            }
            operators.push(operator);
            self.has_values(grounded.step(operator))?;
            self.operator(operator, &places)?;
        }
        let words = |atom: &Atom| moved(*atom, &places).filter(|_| is_word(*atom, &places));
        let groups = self.named.mutexes.iter();
        let groups = groups.map(|group| group.iter().filter_map(words).collect::<Vec<_>>());
        self.made.named.mutexes = groups.filter(|group| group.len() > 1).collect();
        self.made.named.has_metric = self.named.has_metric;
        Ok((self.made, operators))
    }

    /// What each variable is; words and tests are added to the new task.
    fn places(&mut self) -> Result<Vec<Place>, GroundError> {
        let old = &self.named.task;
        let mut places = Vec::with_capacity(self.named.variables.len());
        for (at, names) in (0..).zip(&self.named.variables) {
            let atom = names.values.iter().find_map(|value| value.strip_prefix("Atom "));
            let ours = atom.and_then(|atom| self.ours(atom));
            places.push(match ours {
                Some((Meaning::Compare(relation, function, side), objects)) => {
                    let holds = names.values.iter().position(|value| value.starts_with("Atom "));
                    let test = self.test(relation, function, side, objects)?;
                    let name = atom.unwrap_or_default();
                    let test = self.made.test(&mut self.known, test, name);
                    Place::Test(Atom { variable: test.variable, value: holds.unwrap_or(0) as u16 })
                }
                Some((Meaning::Mark(action, change), objects)) => {
                    Place::Mark(action, change, objects)
                }
                Some((Meaning::Ours, _)) => Place::Ours,
                None => {
                    let (size, start) = (old.sizes()[at as usize], old.start()[at as usize]);
                    let task = &mut self.made.named.task;
                    let variable = match old.layer(at) {
                        None => task.add_variable(size, start),
                        // Above the tests.
                        Some(layer) => task.add_derived(size, start, layer + 1),
                    };
                    self.made.named.variables.push(names.clone());
                    Place::Word(variable)
                }
            });
        }
        Ok(places)
    }

    /// Makes a test of what is derived from tests of one number alone: that it is in one set or
    /// another. The variable itself stays in the new task, and nothing asks for it.
    fn join_sets(&mut self, places: &mut [Place]) {
        let mut rules: BTreeMap<u32, Vec<&[Atom]>> = BTreeMap::new();
        for Rule { when, sets } in self.named.task.axioms() {
            rules.entry(sets.variable).or_default().push(when);
        }
        for (variable, rules) in rules {
            let sets = rules.iter().map(|when| self.one_set(when, places));
            let Some(sets) = sets.collect::<Option<Vec<(u32, Vec<NumberRun>)>>>() else { continue };
            let Some(&(number, _)) = sets.first() else { continue };
            if sets.iter().any(|(of, _)| *of != number) {
                continue;
            }
            let runs = united(sets.into_iter().flat_map(|(_, runs)| runs).collect());
            let name = self.named.fact_text(Atom { variable, value: HOLDS });
            let test = self.made.test(&mut self.known, NumberTest::In(number, runs), &name);
            places[variable as usize] = Place::Test(test);
        }
    }

    /// The number that facts are about, and the values that they allow; `None` if they are about
    /// something else.
    fn one_set(&self, when: &[Atom], places: &[Place]) -> Option<(u32, Vec<NumberRun>)> {
        let mut found: Option<(u32, Vec<NumberRun>)> = None;
        for atom in when {
            let Place::Test(_) = places[atom.variable as usize] else { return None };
            let atom = moved(*atom, places)?;
            let Some(NumberTest::In(number, runs)) = self.made.tests.get(&atom.variable) else {
                return None;
            };
            let runs = if atom.value == HOLDS { runs.clone() } else { others(runs) };
            found = Some(match found {
                None => (*number, runs),
                Some((of, before)) if of == *number => (of, both(&before, &runs)),
                Some(_) => return None,
            });
        }
        found
    }

    /// What a predicate of ours means, and its objects: `>= (fuel) 5(t1)`.
    fn ours(&self, atom: &str) -> Option<(Meaning, Vec<ObjectId>)> {
        let (name, objects) = atom.strip_suffix(')')?.rsplit_once('(')?;
        let meaning = self.predicates.get(name)?.clone();
        let objects = objects.split(", ").filter(|name| !name.is_empty());
        let objects = objects.map(|name| self.objects.get(name).copied());
        Some((meaning, objects.collect::<Option<_>>()?))
    }

    fn test(
        &mut self,
        relation: Relation,
        function: FunctionId,
        side: Side,
        mut objects: Vec<ObjectId>,
    ) -> Result<NumberTest, GroundError> {
        let others = objects.split_off(self.lifted.functions[function.index()].arguments.len());
        let number = self.number((function, objects))?;
        let n = match side {
            Side::Function(other) => {
                return Ok(NumberTest::Compare(number, relation, self.number((other, others))?));
            }
            Side::Number(n) => n,
        };
        Ok(NumberTest::In(number, runs_of(relation, n)))
    }

    /// The number of a function about objects.
    fn number(&mut self, key: Key) -> Result<u32, GroundError> {
        if let Some(&known) = self.numbers.get(&key) {
            return Ok(known);
        }
        let function = &self.lifted.functions[key.0.index()].name;
        let Some(&start) = self.values.get(&key) else {
            return Err(GroundError::NoNumber { value: self.text(&key) });
        };
        let objects = key.1.iter().map(|object| &self.lifted.objects[object.index()].name[..]);
        let name: Vec<&str> = std::iter::once(&function[..]).chain(objects).collect();
        let number = self.made.numbers.len() as u32;
        self.made.numbers.push(Number { name: name.join(" "), start });
        self.numbers.insert(key, number);
        Ok(number)
    }

    fn text(&self, (function, objects): &Key) -> String {
        let name = &self.lifted.functions[function.index()].name;
        self.lifted.call_text(name, objects.iter().copied())
    }

    /// Whether all that a step counts with has a value, asked for or not: without one it cannot be done.
    fn has_values(&self, (action, objects): (u32, &[ObjectId])) -> Result<(), GroundError> {
        let Some(action) = self.lifted.actions.get(action as usize) else { return Ok(()) };
        for change in &action.changes {
            let own = (change.function, &change.arguments[..]);
            let own = Some(own).filter(|_| change.kind != NumberEffectKind::Assign);
            let by = match &change.by {
                NumberTerm::Function(function, arguments) => Some((*function, &arguments[..])),
                NumberTerm::Number(_) => None,
            };
            for (function, arguments) in own.into_iter().chain(by) {
                let object = |term: &Term| match *term {
                    Term::Object(object) => Some(object),
                    Term::Variable(at) => objects.get(at as usize).copied(),
                };
                let Some(on) = arguments.iter().map(object).collect() else { continue };
                let key = (function, on);
                if !self.values.contains_key(&key) {
                    return Err(GroundError::NoNumber { value: self.text(&key) });
                }
            }
        }
        Ok(())
    }

    fn operator(&mut self, operator: u32, places: &[Place]) -> Result<(), GroundError> {
        let old = &self.named.task;
        let all = |atoms: &[Atom]| -> Vec<Atom> {
            atoms.iter().filter_map(|atom| moved(*atom, places)).collect()
        };
        let mut changes: Vec<(usize, usize, CountedChange)> = Vec::new();
        let mut add = |made: &mut Self, mark: &Place, when: Vec<Atom>| {
            let Place::Mark(action, at, objects) = mark else { return Ok(()) };
            if let Some((.., known)) = changes.iter_mut().find(|(a, c, _)| (a, c) == (action, at)) {
                known.when.push(when);
                return Ok(());
            }
            let change = made.change(*action, *at, objects, when)?;
            changes.push((*action, *at, change));
            Ok(())
        };
        let mut sets = Vec::new();
        for &atom in old.sets(operator) {
            match &places[atom.variable as usize] {
                mark @ Place::Mark(..) => add(self, mark, Vec::new())?,
                Place::Word(_) => sets.extend(moved(atom, places)),
                Place::Test(_) | Place::Ours => {}
            }
        }
        let mut effects = Vec::new();
        for Rule { when, sets } in old.effects(operator) {
            match &places[sets.variable as usize] {
                mark @ Place::Mark(..) => add(self, mark, all(when))?,
                Place::Word(_) => {
                    effects.extend(moved(sets, places).map(|sets| (all(when), sets)));
                }
                Place::Test(_) | Place::Ours => {}
            }
        }
        let task = &mut self.made.named.task;
        set_always(task.sizes(), &mut effects, &mut sets);
        let needs = all(old.needs(operator));
        task.add_operator(needs.into_iter(), sets.into_iter(), old.cost(operator));
        for (when, sets) in effects {
            task.add_effect(when.into_iter(), sets);
        }
        self.made.named.operators.push(self.named.operators.get(operator as usize));
        changes.sort_by_key(|(_, at, _)| *at);
        self.made.changes.push(changes.into_iter().map(|(.., change)| change).collect());
        Ok(())
    }

    /// What a mark stands for.
    fn change(
        &mut self,
        action: usize,
        at: usize,
        objects: &[ObjectId],
        when: Vec<Atom>,
    ) -> Result<CountedChange, GroundError> {
        let of = &self.lifted.actions[action];
        let change = &of.changes[at];
        let (own, others) = objects.split_at(change.arguments.len().min(objects.len()));
        let key = (change.function, own.to_vec());
        let by = match &change.by {
            NumberTerm::Number(number) => *number,
            NumberTerm::Function(function, _) => {
                let other = (*function, others.to_vec());
                if self.changing.contains(function) {
                    let (action, value) = (of.name.clone(), self.text(&key));
                    return Err(GroundError::MovingBy { action, value, by: self.text(&other) });
                }
                let value = self.values.get(&other).copied();
                value.ok_or_else(|| GroundError::NoNumber { value: self.text(&other) })?
            }
        };
        let number = self.number(key)?;
        let what = match change.kind {
            NumberEffectKind::Assign => NumberChange::Set(by),
            NumberEffectKind::Increase => NumberChange::Add(by),
            NumberEffectKind::Decrease => NumberChange::Add(-by),
        };
        Ok(CountedChange { when: vec![when], number, what })
    }
}

/// Effects that set a variable to one value from each other one set it always: in a task without
/// values that nobody asks for, what deletes them is a condition on what is left.
fn set_always(sizes: &[u32], effects: &mut Vec<(Vec<Atom>, Atom)>, sets: &mut Vec<Atom>) {
    let mut targets: Vec<Atom> = effects.iter().map(|(_, target)| *target).collect();
    targets.sort_unstable();
    targets.dedup();
    for target in targets {
        let variable = target.variable;
        if sets.iter().any(|sets| sets.variable == variable) {
            continue;
        }
        let own = || effects.iter().filter(|(_, sets)| sets.variable == variable);
        let from = |(when, sets): &(Vec<Atom>, Atom)| match when[..] {
            [only] if only.variable == variable && *sets == target => Some(only.value),
            _ => None,
        };
        let Some(mut from) = own().map(from).collect::<Option<Vec<_>>>() else { continue };
        from.push(target.value);
        from.sort_unstable();
        from.dedup();
        if from.len() == sizes[variable as usize] as usize {
            effects.retain(|(_, sets)| sets.variable != variable);
            sets.push(target);
        }
    }
}

fn is_word(atom: Atom, places: &[Place]) -> bool {
    matches!(places[atom.variable as usize], Place::Word(_))
}

/// A fact of the grounded task in the new one; `None` of those that are ours.
fn moved(atom: Atom, places: &[Place]) -> Option<Atom> {
    match places[atom.variable as usize] {
        Place::Word(variable) => Some(Atom { variable, value: atom.value }),
        Place::Test(Atom { variable, value }) if value == atom.value => {
            Some(Atom { variable, value: HOLDS })
        }
        Place::Test(Atom { variable, .. }) => Some(Atom { variable, value: FAILS }),
        Place::Mark(..) | Place::Ours => None,
    }
}
