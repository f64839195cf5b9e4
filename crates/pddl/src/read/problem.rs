//! The problem: initial state, goal, metric.
//!
//! In:   its sections.
//! Out:  facts, values, the goal and whether costs count.
//! Cost: linear; a hash lookup per fact.

use super::condition::Context;
use super::functions::{number, whole_number};
use super::names::Names;
use super::notes::Notes;
use super::outline::Outline;
use super::tree::Form;
use super::variables::Scope;
use crate::features;
use crate::lifted::{Condition, Function, FunctionId, GroundAtom, ObjectId, Term};
use std::collections::HashMap;
use throng_domain::{Code, Cost, Span};

/// Warns if the problem is for another domain.
pub(super) fn check_domain_name<'t>(domain: &str, problem: &Outline<'t>, notes: &mut Notes<'t>) {
    let cure = format!("write `(:domain {domain})`");
    let Some(section) = problem.one(":domain") else {
        if !problem.name.is_empty() {
            notes.expected(problem.place, "the problem does not name its domain", cure);
        }
        return;
    };
    let Some(name) = section.rest().next().and_then(Form::word) else {
        return notes.expected(section.span(), "the name of the domain is missing", cure);
    };
    if name != domain && !domain.is_empty() {
        let text = format!("the problem is for domain `{name}`, the domain is `{domain}`");
        let cure = format!("{cure} if it is the right one");
        notes.report.say(Code::PddlOtherDomain, section.span(), text, cure);
    }
}

/// The initial state so far.
pub(super) struct Start<'r, 't> {
    body: Context<'r, 't>,
    init: Vec<GroundAtom>,
    values: Vec<(FunctionId, Vec<ObjectId>, Cost)>,
    numbers: Vec<(FunctionId, Vec<ObjectId>, Form<'t>)>,
    /// What was said of each fact, and where.
    facts_said: HashMap<GroundAtom, (bool, Span)>,
    values_said: HashMap<(FunctionId, Vec<ObjectId>), (&'t str, Span)>,
}

/// What the initial state says.
#[derive(Default)]
pub(super) struct Init<'t> {
    /// Facts that hold.
    pub(super) facts: Vec<GroundAtom>,
    /// Values of functions that can be costs.
    pub(super) values: Vec<(FunctionId, Vec<ObjectId>, Cost)>,
    /// Values of all functions, as they are written.
    written: Vec<(FunctionId, Vec<ObjectId>, Form<'t>)>,
}

impl<'t> Init<'t> {
    /// The values of functions that are numbers, once all that may compare them is read.
    pub(super) fn numbers(
        &mut self,
        functions: &[Function],
        notes: &mut Notes<'t>,
    ) -> Vec<(FunctionId, Vec<ObjectId>, i64)> {
        let written = std::mem::take(&mut self.written).into_iter();
        let numbers = written.filter(|(function, ..)| functions[function.index()].is_number);
        let mut number =
            |(function, objects, form)| Some((function, objects, whole_number(form, notes)?));
        numbers.filter_map(&mut number).collect()
    }
}

/// `(:init …)`.
pub(super) fn read_init<'t>(
    section: Form<'t>,
    names: &mut Names<'t>,
    notes: &mut Notes<'t>,
) -> Init<'t> {
    let mut start = Start {
        body: Context { notes, names, scope: Scope::default(), in_domain: false },
        init: Vec::new(),
        values: Vec::new(),
        numbers: Vec::new(),
        facts_said: HashMap::new(),
        values_said: HashMap::new(),
    };
    let most = start.body.notes.limits.facts;
    for form in section.rest() {
        let notes = &mut *start.body.notes;
        if notes.is_over() {
            break;
        }
        if start.facts_said.len() + start.values_said.len() >= most {
            let cure = "split the task, or take fewer objects";
            let text = format!("more than {most} facts");
            notes.report.say(Code::TooManyDeclarations, form.span(), text, cure);
            break;
        }
        start.entry(form);
    }
    Init { facts: start.init, values: start.values, written: start.numbers }
}

impl<'t> Start<'_, 't> {
    fn entry(&mut self, form: Form<'t>) {
        let notes = &mut *self.body.notes;
        match form.head() {
            Some("=") => drop(self.value(form)),
            Some("not") => self.negative(form),
            Some("at") if is_timed(form) => notes.refuse(Code::PddlTimed, form, "`at` with a time"),
            Some("and") => {
                let text = "facts stand one after the other, without `and`";
                notes.expected(form.head_span(), text, "remove `and` and its parentheses");
            }
            Some("oneof" | "unknown") => {
                notes.refuse(Code::PddlUncertain, form, "the initial state must be known");
            }
            Some(head) => self.fact(form, head, true),
            None => is_no_fact(form, "(on a b)", notes),
        }
    }

    fn negative(&mut self, form: Form<'t>) {
        let notes = &mut *self.body.notes;
        let Some([inner]) = notes.exactly(form, "(not (p a))") else { return };
        let Some(head) = inner.head() else {
            return is_no_fact(inner, "(not (on a b))", notes);
        };
        let text = "what the initial state does not say does not hold";
        notes.report.say(Code::PddlNegativeFact, form.span(), text, "remove it");
        self.fact(inner, head, false);
    }

    fn fact(&mut self, form: Form<'t>, head: &'t str, holds: bool) {
        let Some(atom) = self.body.atom(form, head) else { return };
        // No variable is known here.
        let arguments = atom.arguments.into_iter().filter_map(Term::object).collect();
        let fact = GroundAtom { predicate: atom.predicate, arguments };
        let notes = &mut *self.body.notes;
        if self.body.names.predicates.is_derived(fact.predicate) {
            let text = format!("`{head}` is derived, so the initial state cannot set it");
            let cure = "say what its rule depends on, or add a rule";
            return notes.report.say(Code::PddlDerivedSet, form.span(), text, cure);
        }
        let cure = "remove one of the two";
        match self.facts_said.get(&fact) {
            Some(&(before, first)) if before == holds => {
                let text = format!("the fact `{}` is said twice", form.written());
                let also = (first, "first said here");
                notes.report.say_also(Code::ListedTwice, form.span(), also, text, cure);
            }
            Some(&(_, first)) => {
                let text = format!("`{}` is said to hold and not to hold", form.written());
                let also = (first, "the opposite is said here");
                notes.report.say_also(Code::PddlTwoValues, form.span(), also, text, cure);
            }
            None => {
                self.facts_said.insert(fact.clone(), (holds, form.span()));
                if holds {
                    self.init.push(fact);
                }
            }
        }
    }

    /// `(= (distance a b) 3)`.
    fn value(&mut self, form: Form<'t>) -> Option<()> {
        let notes = &mut *self.body.notes;
        let functions = &self.body.names.functions;
        let [what, value] = notes.exactly(form, "(= (f a) 3)")?;
        let Some(name) = what.head().or(what.word().filter(|&word| word == "total-cost")) else {
            let text = format!("a function is expected here, not `{}`", what.written());
            notes.expected(what.span(), text, "write values as in `(= (distance a b) 3)`");
            return None;
        };
        if name == "total-cost" && !functions.has(name) {
            // Known without a declaration: costs begin at zero whatever is said.
            return None;
        }
        let function = functions.find(what, name, notes)?;
        let terms: Vec<_> = what.rest().map(|part| self.body.term(part)).collect();
        let objects = terms.into_iter().map(|term| term?.object());
        let key = (function, objects.collect::<Option<Vec<_>>>()?);
        let Some(word) = value.word() else {
            self.body.notes.refuse(Code::PddlNumeric, value, "values are plain numbers");
            return None;
        };
        if let Some(&(before, first)) = self.values_said.get(&key) {
            let (code, text) = match is_same(before, word) {
                true => (Code::ListedTwice, "is given its value twice"),
                false => (Code::PddlTwoValues, "has another value already"),
            };
            let text = format!("`{}` {text}", what.written());
            let (also, cure) = ((first, "first said here"), "remove one of the two");
            self.body.notes.report.say_also(code, form.span(), also, text, cure);
            return None;
        }
        self.values_said.insert(key.clone(), (word, form.span()));
        self.numbers.push((key.0, key.1.clone(), value));
        let cost = self.cost(value, word, function)?;
        self.values.push((key.0, key.1, cost));
        Some(())
    }

    /// A value that is a cost; of functions that are no costs any number will do, and is not kept
    /// if it could be no cost.
    fn cost(&mut self, form: Form<'t>, word: &str, function: FunctionId) -> Option<Cost> {
        let functions = &self.body.names.functions;
        let is_number = functions.list[function.index()].is_number;
        let is_none = !is_number && word.parse::<f64>().is_err();
        match functions.costs.contains(&function) || is_none {
            true => number(form, self.body.notes),
            false => Cost::parse(word).ok(),
        }
    }
}

/// Whether two words are the same number.
fn is_same(one: &str, other: &str) -> bool {
    let numbers = one.parse::<f64>().ok().zip(other.parse::<f64>().ok());
    one == other || numbers.is_some_and(|(one, other)| one == other)
}

fn is_no_fact<'t>(form: Form<'t>, pattern: &str, notes: &mut Notes<'t>) {
    let text = format!("a fact is expected here, not `{}`", form.written());
    notes.expected(form.head_span(), text, format!("write it as in `{pattern}`"));
}

/// Whether `(at 5 (p a))` is meant: a time, then a fact.
fn is_timed(form: Form<'_>) -> bool {
    let parts: Vec<Form<'_>> = form.rest().take(3).collect();
    let is_time = |form: Form<'_>| form.word().is_some_and(|word| word.parse::<f64>().is_ok());
    matches!(parts[..], [time, fact] if is_time(time) && fact.is_list())
}

/// `(:goal …)`: the goal, and how many variables it numbers.
pub(super) fn read_goal<'t>(
    problem: &Outline<'t>,
    names: &mut Names<'t>,
    notes: &mut Notes<'t>,
) -> (Condition, usize) {
    let Some(section) = problem.one(":goal") else {
        notes.expected(problem.place, "the problem has no goal", "write `(:goal (and …))`");
        return Default::default();
    };
    if let Some(first) = section.rest().next().filter(|first| !first.is_list()) {
        notes.words_without_parentheses("a goal", first, section.rest().skip(1));
        return Default::default();
    }
    let Some([form]) = notes.exactly(section, "(:goal (and (p a) (q b)))") else {
        return Default::default();
    };
    let mut body = Context { notes, names, scope: Scope::default(), in_domain: false };
    let goal = body.condition(form, 0);
    let n_variables = body.scope.n_variables();
    if goal == Condition::default() && !notes.report.has_errors() {
        let text = "the goal wants nothing, so it is satisfied from the start";
        let cure = "write what shall hold, or leave it";
        notes.report.say(Code::EmptyGoal, form.span(), text, cure);
    }
    (goal, n_variables)
}

/// `(:metric minimize (total-cost))`: whether costs count.
pub(super) fn read_metric<'t>(section: Form<'t>, notes: &mut Notes<'t>) -> bool {
    let parts: Vec<Form<'t>> = section.rest().take(3).collect();
    let [direction, what] = parts[..] else {
        let cure = "write `(:metric minimize (total-cost))`";
        notes.expected(section.span(), "the metric is not complete", cure);
        return false;
    };
    let is_cost = what.head().or(what.word()) == Some("total-cost") && what.rest().next().is_none();
    if direction.word() != Some("minimize") || !is_cost {
        notes.refuse(Code::PddlMetric, section, &format!("this is `{}`", section.written()));
        return false;
    }
    notes.requirements.uses(features::COSTS, section.head_span());
    true
}
