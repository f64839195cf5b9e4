//! The independent judge of plans: replays one on the lifted task, by names.
//!
//! In:   a [`Lifted`] task and the steps of a plan file.
//! Out:  a [`Verdict`]: valid with its cost, or the first step that fails and why.
//! Cost: a few hash lookups per condition and effect of a step; derived predicates are worked
//!       out for a state only if something asks for them. A quantifier costs the facts that
//!       match what it asks for; what only denies has all objects tried.
//!
//! Shares no code with the grounder or any search: conditions are judged by their definition,
//! on the task as written. A planner and this judge must be wrong in the same way before a wrong
//! plan passes.
//!
//! A step deletes first and adds then, all at once: conditions of effects are about the state
//! before. A step whose cost has no value cannot be done, nor one that counts with a number that
//! has none.

mod derive;
mod explain;
mod facts;
mod limits;
mod matching;
mod numbers;
mod verdict;
mod world;

pub use limits::{Limits, ValidateError};
pub use verdict::{Failure, Verdict, Why};

use crate::lifted::{
    Action, Condition, CostTerm, Effect, FunctionId, Lifted, ObjectId, Parameter, Term, type_text,
};
use crate::plan::PlanStep;
use derive::Rules;
use explain::explain;
use facts::NewFacts;
use matching::{Collector, Matching, Wanted, holds};
use numbers::changed;
use std::collections::HashMap;
use throng_base::nearest;
use throng_domain::Cost;
use world::{Binding, World, is_of};

/// Replays a plan from the initial state to the goal, whatever it takes.
pub fn validate(task: &Lifted, steps: &[PlanStep]) -> Verdict {
    judge(&mut Replay::new(task, Limits::default()), steps)
}

/// The same within limits.
///
/// # Errors
///
/// If a limit was reached before there was a verdict.
pub fn validate_within(
    task: &Lifted,
    steps: &[PlanStep],
    limits: &Limits<'_>,
) -> Result<Verdict, ValidateError> {
    let mut replay = Replay::new(task, *limits);
    let verdict = judge(&mut replay, steps);
    replay.world.budget.gave_up.get().map_or(Ok(verdict), Err)
}

/// The verdict; it means nothing if the judge gave up.
fn judge(replay: &mut Replay<'_>, steps: &[PlanStep]) -> Verdict {
    let mut cost = 0u64;
    for (at, step) in steps.iter().enumerate() {
        if replay.world.budget.ask() {
            break;
        }
        match replay.step(step) {
            Ok(of_step) => cost = cost.saturating_add(of_step.0),
            Err(why) => {
                let (line, written) = (step.line, step.to_string());
                return Verdict::Invalid(Failure { step: Some(at + 1), line, written, why });
            }
        }
    }
    match replay.goal() {
        Ok(()) => Verdict::Valid { length: steps.len(), cost: Cost(cost) },
        Err(why) => Verdict::Invalid(Failure { step: None, line: 0, written: String::new(), why }),
    }
}

struct Replay<'l> {
    world: World<'l>,
    rules: Rules<'l>,
    /// Whether the derived facts are those of the present state.
    is_derived: bool,
    actions: HashMap<&'l str, usize>,
    /// Per action whether it asks for a derived predicate.
    asks_derived: Vec<bool>,
    /// Per action and effect, those of its `forall` that its atom is about: for the others it is
    /// enough that there are some.
    told: Vec<Vec<Vec<Parameter>>>,
    objects: HashMap<&'l str, ObjectId>,
    values: HashMap<(FunctionId, &'l [ObjectId]), Cost>,
}

impl<'l> Replay<'l> {
    fn new(task: &'l Lifted, limits: Limits<'l>) -> Self {
        let world = World::new(task, limits);
        let asks = |condition: &Condition| asks_derived(task, condition);
        let action_asks = |action: &Action| {
            asks(&action.condition)
                || action.effects.iter().any(|effect| asks(&effect.condition))
                || action.changes.iter().any(|change| asks(&change.condition))
        };
        let objects = task.objects.iter().enumerate();
        Replay {
            rules: Rules::new(&world),
            world,
            is_derived: false,
            actions: task.actions.iter().enumerate().map(|(at, a)| (a.name.as_str(), at)).collect(),
            asks_derived: task.actions.iter().map(action_asks).collect(),
            told: task.actions.iter().map(|a| a.effects.iter().map(told).collect()).collect(),
            objects: objects.map(|(at, o)| (o.name.as_str(), ObjectId(at as u32))).collect(),
            values: task.values.iter().map(|(f, on, value)| ((*f, &on[..]), *value)).collect(),
        }
    }

    /// Does a step; gives its cost.
    fn step(&mut self, step: &PlanStep) -> Result<Cost, Why> {
        let task = self.world.task;
        let Some(&at) = self.actions.get(step.name.as_str()) else {
            let names = task.actions.iter().map(|action| action.name.as_str());
            return Err(Why::UnknownAction(nearest(&step.name, names).map(str::to_string)));
        };
        let action = &task.actions[at];
        let mut binding = self.arguments(action, &step.arguments)?;
        if self.asks_derived[at] {
            self.derive();
        }
        if !holds(&self.world, &action.condition, &mut binding) {
            return Err(Why::Unmet(explain(&self.world, &action.condition, &mut binding)));
        }
        let cost = self.cost(action, &binding)?;
        let numbers = changed(&self.world, action, &mut binding)?;
        self.apply(at, &mut binding);
        for (key, number) in numbers {
            let bytes = 64 + size_of_val(&key[..]) as u64;
            if self.world.numbers.insert(key, number).is_none() {
                self.world.hold(bytes);
            }
        }
        Ok(cost)
    }

    /// The objects that a step names, as many as the action has parameters and of their types.
    fn arguments(&self, action: &Action, names: &[String]) -> Result<Binding, Why> {
        let task = self.world.task;
        let mut binding = vec![ObjectId(0); action.n_variables];
        if names.len() != action.parameters.len() {
            return Err(Why::WrongCount(action.parameters.len(), names.len()));
        }
        for (parameter, name) in action.parameters.iter().zip(names) {
            let Some(&object) = self.objects.get(name.as_str()) else {
                let known = task.objects.iter().map(|object| object.name.as_str());
                let nearest = nearest(name, known).map(str::to_string);
                return Err(Why::UnknownObject(name.clone(), nearest));
            };
            if !is_of(task, object, &parameter.types) {
                let types = type_text(&task.types, &parameter.types);
                return Err(Why::WrongType(name.clone(), parameter.name.clone(), types));
            }
            binding[parameter.variable as usize] = object;
        }
        Ok(binding)
    }

    fn cost(&self, action: &Action, binding: &Binding) -> Result<Cost, Why> {
        if !self.world.task.has_metric {
            return Ok(Cost::ONE);
        }
        let mut sum = 0u64;
        for cost in &action.cost {
            let value = match cost {
                CostTerm::Number(number) => *number,
                CostTerm::Function(function, terms) => {
                    let objects: Vec<ObjectId> =
                        terms.iter().map(|&term| self.world.object(term, binding)).collect();
                    match self.values.get(&(*function, &objects[..])) {
                        Some(&value) => value,
                        None => {
                            let task = self.world.task;
                            let name = &task.functions[function.index()].name;
                            return Err(Why::NoCost(task.call_text(name, objects.into_iter())));
                        }
                    }
                }
            };
            sum = sum.saturating_add(value.0);
        }
        Ok(Cost(sum))
    }

    /// Deletes, then adds, what the state before asks for.
    fn apply(&mut self, action: usize, binding: &mut Binding) {
        let (mut deleted, mut added) = (NewFacts::default(), NewFacts::default());
        let world = &self.world;
        let lent = world.budget.lent.get();
        for (effect, told) in world.task.actions[action].effects.iter().zip(&self.told[action]) {
            let new = if effect.adds { &mut added } else { &mut deleted };
            let fact = |binding: &Binding| world.fact(&effect.atom, binding);
            let collector = Collector { parameters: told, fact: &fact, known: None, new };
            let mut matching = Matching::new(world, binding);
            matching.open(&effect.forall);
            let condition = Wanted { condition: &effect.condition, is: true };
            matching.find(vec![condition], &mut Some(collector));
            world.budget.lent.set(lent);
        }
        for fact in &deleted.facts {
            self.world.facts.remove(fact);
        }
        for fact in added.facts {
            self.world.facts.insert(fact);
            if self.world.hold(0) {
                break;
            }
        }
        self.world.budget.release(deleted.bytes + added.bytes);
        self.is_derived = false;
    }

    fn goal(&mut self) -> Result<(), Why> {
        let task = self.world.task;
        if asks_derived(task, &task.goal) {
            self.derive();
        }
        let mut binding = vec![ObjectId(0); task.n_goal_variables];
        match holds(&self.world, &task.goal, &mut binding) {
            true => Ok(()),
            false => Err(Why::Unmet(explain(&self.world, &task.goal, &mut binding))),
        }
    }

    /// Works out the derived facts of the present state, once.
    fn derive(&mut self) {
        if !std::mem::replace(&mut self.is_derived, true) {
            self.rules.follow(&mut self.world);
        }
    }
}

/// Those of an effect's `forall` that its atom is about.
fn told(effect: &Effect) -> Vec<Parameter> {
    let is_told = |p: &&Parameter| effect.atom.arguments.contains(&Term::Variable(p.variable));
    effect.forall.iter().filter(is_told).cloned().collect()
}

fn asks_derived(task: &Lifted, condition: &Condition) -> bool {
    condition.has_atom(&|atom| task.predicates[atom.predicate.index()].is_derived)
}
