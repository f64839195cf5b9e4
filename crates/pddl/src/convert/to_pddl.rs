//! A ground task as PDDL: a domain whose actions have no parameters, and a problem.
//!
//! In:   a named task, or one that counts.
//! Out:  the two texts, and what was changed; or that they would be too long.
//! Cost: linear in the task; an action that sets a variable from any value names all others,
//!       or, if they are many, says "for all". An action's effects on one variable are compared
//!       in pairs, up to a limit.
//!
//! A variable is a predicate, its values are constants: `(haystack stored)`. A derived variable
//! is a predicate without arguments that holds where the variable is not at its default; but one
//! that only stands for a goal's alternatives is not written: the goal is `(or …)`.
//!
//! A number is a function without arguments, and a test on it is what it asks for: `(>= (hp) 50)`.
//!
//! In a task a later effect wins; in PDDL all happen at once, and what is added holds. So an
//! effect that a later one may overrule says `not` to that one's condition.

mod numbers;

use super::either::{alternatives, either};
use super::error::{MOST_BYTES, WritePddlError};
use super::exclusive::{Effect, all_effects};
use super::for_sas::whole_factor;
use super::names::{Free, plain, value_words};
use crate::counted::{CountedChange, CountedTask, Number, NumberTest};
use crate::features;
use crate::named::NamedTask;
use crate::text::Growing;
use numbers::{Tested, two_ends};
use std::collections::{BTreeMap, HashSet};
use std::fmt::{self, Write};
use throng_domain::Cost;
use throng_domain::compile::PackedValue;
use throng_planner::forward::{Atom, GroundTask, Rule};

/// More values than these are deleted by "for all".
const MOST_DELETED: usize = 16;
/// Words with a meaning of their own.
const RESERVED: &str = "and or not imply exists forall when either object increase total-cost \
                        define number assign decrease scale-up scale-down";

/// The two files.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PddlText {
    /// The domain's.
    pub domain: String,
    /// The problem's.
    pub problem: String,
    /// What was changed, in words.
    pub notes: Vec<String>,
}

/// Writes a task.
///
/// # Errors
///
/// The text would be very much longer than the task.
pub fn to_pddl(named: &NamedTask, name: &str) -> Result<PddlText, WritePddlError> {
    Ok(to_pddl_until(named, name, &|| false)?.unwrap_or_default())
}

/// The same; `None` if `stop`, asked now and then, said so before all was written.
///
/// # Errors
///
/// As [`to_pddl`].
pub fn to_pddl_until(
    named: &NamedTask,
    name: &str,
    stop: &dyn Fn() -> bool,
) -> Result<Option<PddlText>, WritePddlError> {
    write(Numbers { named, numbers: &[], tests: &BTreeMap::new(), changes: &[] }, name, stop)
}

/// The same of a task that counts: its numbers are numeric fluents.
///
/// # Errors
///
/// As [`to_pddl`].
pub fn to_numeric_pddl_until(
    task: &CountedTask,
    name: &str,
    stop: &dyn Fn() -> bool,
) -> Result<Option<PddlText>, WritePddlError> {
    let CountedTask { named, numbers, tests, changes } = task;
    write(Numbers { named, numbers, tests, changes }, name, stop)
}

/// A task, and what of it counts.
#[derive(Clone, Copy)]
struct Numbers<'t> {
    named: &'t NamedTask,
    numbers: &'t [Number],
    tests: &'t BTreeMap<u32, NumberTest>,
    changes: &'t [Vec<CountedChange>],
}

fn write(
    counted: Numbers<'_>,
    name: &str,
    stop: &dyn Fn() -> bool,
) -> Result<Option<PddlText>, WritePddlError> {
    let named = counted.named;
    let factor = if named.has_metric { whole_factor(&named.task) } else { 1 };
    let mut notes = Vec::new();
    if factor > 1 {
        notes.push(format!("costs are multiplied by {factor}, so that they are whole numbers"));
    }
    let effects = all_effects(named)?;
    let task = &named.task;
    let either = either(task);
    let words = Words::new(counted);
    let writer = Writer { named, counted, task, factor, effects, either, words };
    let name = plain(name, '-');
    let [mut domain, mut problem] = [(); 2].map(|()| Growing::new(MOST_BYTES, stop));
    // Writing fails where the text is longer than allowed, or if the caller says stop.
    let written = writer.domain(&mut domain, &name).and(writer.problem(&mut problem, &name));
    let (Some(domain), Some(problem)) = (domain.finished(), problem.finished()) else {
        return Ok(None);
    };
    written.map_err(|_| WritePddlError::Text)?;
    Ok(Some(PddlText { domain, problem, notes }))
}

/// What variables, values and actions are called.
struct Words {
    /// Those of tests are not said.
    variables: Vec<String>,
    numbers: Vec<String>,
    /// By variable and value.
    values: Vec<Vec<String>>,
    /// All of these, each once.
    constants: Vec<String>,
    actions: Vec<String>,
}

impl Words {
    fn new(counted: Numbers<'_>) -> Self {
        let named = counted.named;
        let take = |name: &str, free: &mut Free| {
            let name = plain(name, '-');
            free.take(name.clone(), |number| format!("{name}-{number}"))
        };
        let mut free = Free::without(RESERVED);
        let variables = (0..).zip(&named.variables).map(|(at, of)| {
            let is_test = counted.tests.contains_key(&at);
            if is_test { String::new() } else { take(&of.name, &mut free) }
        });
        let variables = variables.collect();
        let numbers = counted.numbers.iter().map(|of| take(&of.name, &mut free)).collect();
        let mut free = Free::without(RESERVED);
        let actions = 0..named.operators.len();
        let actions = actions.map(|at| take(named.operators.get(at), &mut free)).collect();
        // Values of the same name share a constant, unless a variable has two of them.
        let mut constants = Vec::new();
        let mut known = HashSet::new();
        let mut values = Vec::new();
        for (at, names) in named.variables.iter().enumerate() {
            let mut own = Free::without(RESERVED);
            let written = names.values.iter().filter(|_| named.task.layer(at as u32).is_none());
            let word = |value: &String| take(&value_words(&names.name, value), &mut own);
            let of_variable: Vec<String> = written.map(word).collect();
            constants
                .extend(of_variable.iter().filter(|&word| known.insert(word.clone())).cloned());
            values.push(of_variable);
        }
        Words { variables, numbers, values, constants, actions }
    }
}

struct Writer<'t> {
    named: &'t NamedTask,
    counted: Numbers<'t>,
    task: &'t GroundTask,
    factor: u64,
    /// Per operator what it does, in order, made exclusive.
    effects: Vec<Vec<Effect<'t>>>,
    /// The variable that stands for the goal's alternatives; it is not written, they are.
    either: Option<u32>,
    words: Words,
}

impl Writer<'_> {
    fn domain(&self, text: &mut Growing<'_>, name: &str) -> fmt::Result {
        writeln!(text, "(define (domain {name})\n  (:requirements {})", self.requirements())?;
        if !self.words.constants.is_empty() {
            write!(text, "  (:constants")?;
            self.words.constants.iter().try_for_each(|constant| write!(text, " {constant}"))?;
            writeln!(text, ")")?;
        }
        write!(text, "  (:predicates")?;
        for (at, variable) in (0..).zip(&self.words.variables) {
            if self.either != Some(at) && !self.counted.tests.contains_key(&at) {
                let argument = if self.is_derived(at) { "" } else { " ?value" };
                write!(text, "\n    ({variable}{argument})")?;
            }
        }
        writeln!(text, ")")?;
        self.functions(text)?;
        for rule in self.rules() {
            let head = &self.words.variables[rule.sets.variable as usize];
            writeln!(text, "  (:derived ({head}) {})", All(self, rule.when))?;
        }
        (0..self.task.n_operators() as u32).try_for_each(|at| self.action(text, at))?;
        writeln!(text, ")")
    }

    fn requirements(&self) -> String {
        let effects = || {
            let operators = (0..).zip(&self.effects);
            operators.flat_map(|(at, effects)| effects.iter().map(move |effect| (at, effect)))
        };
        let mentions_all = effects()
            .any(|(at, effect)| self.before(at, effect).is_none() && self.deletes_all(effect));
        let denies = effects().any(|(_, effect)| !effect.unless.is_empty());
        let words = [
            (true, ":strips"),
            (self.negates(), features::NEGATIVE),
            (self.task.has_effects() || mentions_all || self.moves_if(), features::CONDITIONAL),
            (self.either.is_some() || denies || self.chooses(), features::DISJUNCTIVE),
            (self.rules().next().is_some(), features::DERIVED),
            (self.named.has_metric, features::COSTS),
            (!self.counted.numbers.is_empty(), features::NUMBERS),
        ];
        let used = words.into_iter().filter(|(is_used, _)| *is_used);
        used.map(|(_, word)| word).collect::<Vec<_>>().join(" ")
    }

    /// The rules that are written as such.
    fn rules(&self) -> impl Iterator<Item = Rule<'_>> {
        self.task.axioms().filter(|rule| Some(rule.sets.variable) != self.either)
    }

    /// Whether some condition asks for a derived variable's default.
    fn negates(&self) -> bool {
        let task = self.task;
        let has = |atoms: &[Atom]| {
            let mut derived = atoms.iter().filter(|atom| self.is_derived(atom.variable));
            derived.any(|&atom| self.is_default(atom))
        };
        let operator = |at: u32| has(task.needs(at)) || task.effects(at).any(|e| has(e.when));
        has(task.goal())
            || task.axioms().any(|rule| has(rule.when))
            || (0..task.n_operators() as u32).any(operator)
    }

    fn action(&self, text: &mut Growing<'_>, operator: u32) -> fmt::Result {
        let name = &self.words.actions[operator as usize];
        let needs = All(self, self.task.needs(operator));
        write!(text, "  (:action {name}\n    :parameters ()\n    :precondition {needs}")?;
        write!(text, "\n    :effect (and")?;
        for effect in &self.effects[operator as usize] {
            write!(text, "\n      ")?;
            self.effect(text, operator, effect)?;
        }
        for change in self.changes(operator) {
            write!(text, "\n      ")?;
            self.change(text, change)?;
        }
        if self.named.has_metric {
            // Wide enough for any cost times any factor.
            let cost = u128::from(self.task.cost(operator)) * u128::from(self.factor)
                / u128::from(Cost::ONE.0);
            write!(text, "\n      (increase (total-cost) {cost})")?;
        }
        writeln!(text, "))")
    }

    /// The value that a variable surely has when an effect happens.
    fn before(&self, operator: u32, effect: &Effect<'_>) -> Option<PackedValue> {
        let variable = effect.sets.variable;
        let mut known = self.task.needs(operator).iter().chain(effect.when);
        known.find(|atom| atom.variable == variable).map(|atom| atom.value)
    }

    fn deletes_all(&self, effect: &Effect<'_>) -> bool {
        self.words.values[effect.sets.variable as usize].len() > MOST_DELETED + 1
    }

    fn effect(&self, text: &mut Growing<'_>, operator: u32, effect: &Effect<'_>) -> fmt::Result {
        let Atom { variable, value } = effect.sets;
        let name = &self.words.variables[variable as usize];
        let mut change = String::new();
        match self.before(operator, effect) {
            // As it was; said all the same, because an effect wants something in it.
            Some(before) if before == value => {}
            Some(value) => write!(change, "(not {}) ", Written(self, Atom { variable, value }))?,
            None if self.deletes_all(effect) => {
                // `when` may stand in `forall`, not the other way round.
                write!(text, "(forall (?value) ")?;
                self.when(text, effect, &format!("(not ({name} ?value))"))?;
                write!(text, ") ")?;
            }
            None => {
                let values = self.words.values[variable as usize].iter().enumerate();
                for (_, other) in values.filter(|&(at, _)| at != usize::from(value)) {
                    write!(change, "(not ({name} {other})) ")?;
                }
            }
        }
        write!(change, "{}", Written(self, effect.sets))?;
        self.when(text, effect, &change)
    }

    /// A change under the conditions of an effect, if there are any.
    fn when(&self, text: &mut Growing<'_>, effect: &Effect<'_>, change: &str) -> fmt::Result {
        if effect.when.is_empty() && effect.unless.is_empty() {
            return text.write_str(change);
        }
        write!(text, "(when (and")?;
        for &atom in effect.when {
            write!(text, " {}", Written(self, atom))?;
        }
        for unless in &effect.unless {
            write!(text, " (not {})", All(self, unless))?;
        }
        write!(text, ") (and {change}))")
    }

    fn problem(&self, text: &mut Growing<'_>, name: &str) -> fmt::Result {
        writeln!(text, "(define (problem {name}-problem)\n  (:domain {name})\n  (:init")?;
        for (variable, &value) in (0..).zip(self.task.start()) {
            if !self.is_derived(variable) {
                writeln!(text, "    {}", Written(self, Atom { variable, value }))?;
            }
        }
        for (name, number) in self.words.numbers.iter().zip(self.counted.numbers) {
            writeln!(text, "    (= ({name}) {})", number.start)?;
        }
        if self.named.has_metric {
            writeln!(text, "    (= (total-cost) 0)")?;
        }
        write!(text, "  )\n  (:goal ")?;
        match self.either {
            None => write!(text, "{}", All(self, self.task.goal()))?,
            Some(variable) => {
                write!(text, "(or")?;
                for wanted in alternatives(self.task, variable) {
                    write!(text, "\n    {}", All(self, wanted))?;
                }
                write!(text, ")")?;
            }
        }
        writeln!(text, ")")?;
        if self.named.has_metric {
            writeln!(text, "  (:metric minimize (total-cost))")?;
        }
        writeln!(text, ")")
    }

    fn is_derived(&self, variable: u32) -> bool {
        self.task.layer(variable).is_some()
    }

    fn is_default(&self, atom: Atom) -> bool {
        self.task.start()[atom.variable as usize] == atom.value
    }
}

/// `(and …)` of some facts.
struct All<'w>(&'w Writer<'w>, &'w [Atom]);

impl fmt::Display for All<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(and")?;
        self.1.iter().try_for_each(|&atom| match two_ends(self.0, atom) {
            Some(ends) => write!(f, " {ends}"),
            None => write!(f, " {}", Written(self.0, atom)),
        })?;
        write!(f, ")")
    }
}

/// A fact.
struct Written<'w>(&'w Writer<'w>, Atom);

impl fmt::Display for Written<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Written(Writer { words, counted, .. }, atom) = *self;
        if let Some(test) = counted.tests.get(&atom.variable) {
            let denies = self.0.is_default(atom);
            let (open, close) = if denies { ("(not ", ")") } else { ("", "") };
            return write!(f, "{open}{}{close}", Tested(self.0, test));
        }
        let variable = &words.variables[atom.variable as usize];
        if let Some(value) = words.values[atom.variable as usize].get(usize::from(atom.value)) {
            return write!(f, "({variable} {value})");
        }
        // Only derived variables have no words for their values.
        match self.0.is_default(atom) {
            true => write!(f, "(not ({variable}))"),
            false => write!(f, "({variable})"),
        }
    }
}
