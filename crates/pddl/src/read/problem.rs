//! The problem: initial state, goal, metric.
//!
//! In:   its sections.
//! Out:  facts, values, the goal and whether costs count, in the task.
//! Cost: linear; a hash lookup per fact.

use super::outline::Outline;
use super::reader::Reader;
use super::requirements::Feature;
use super::tree::Form;
use super::variables::Scope;
use crate::lifted::{Condition, FunctionId, GroundAtom, ObjectId, Term};
use std::collections::HashMap;
use throng_domain::{Code, Cost, Span};

/// What was said at the start so far, and where.
#[derive(Default)]
struct Said {
    facts: HashMap<GroundAtom, (bool, Span)>,
    values: HashMap<(FunctionId, Vec<ObjectId>), (Cost, Span)>,
}

impl<'t> Reader<'t> {
    /// Warns if the problem is for another domain.
    pub(super) fn check_domain_name(&mut self, problem: &Outline<'t>) {
        let Some(section) = problem.one(":domain") else {
            if !problem.name.is_empty() {
                let text = "the problem does not name its domain";
                let cure = format!("write `(:domain {})`", self.task.domain);
                self.expected(problem.place, text, cure);
            }
            return;
        };
        let Some(name) = section.rest().next().and_then(Form::word) else {
            let text = "the name of the domain is missing";
            return self.expected(
                section.span(),
                text,
                format!("write `(:domain {})`", self.task.domain),
            );
        };
        if name != self.task.domain && !self.task.domain.is_empty() {
            let text =
                format!("the problem is for domain `{name}`, the domain is `{}`", self.task.domain);
            let cure = format!("write `(:domain {})` if it is the right one", self.task.domain);
            self.report.say(Code::PddlOtherDomain, section.span(), text, cure);
        }
    }

    /// `(:init …)`.
    pub(super) fn read_init(&mut self, section: Form<'t>) {
        let mut said = Said::default();
        for form in section.rest() {
            if self.asking.step() {
                return;
            }
            if said.facts.len() + said.values.len() >= self.limits.facts {
                let text = format!("more than {} facts", self.limits.facts);
                let cure = "split the task, or take fewer objects";
                return self.report.say(Code::TooManyDeclarations, form.span(), text, cure);
            }
            match form.head() {
                Some("=") => self.read_value(form, &mut said),
                Some("not") => self.read_negative(form, &mut said),
                Some("at") if is_timed(form) => {
                    self.refuse(Code::PddlTimed, form, "`at` with a time");
                }
                Some("and") => {
                    let text = "facts stand one after the other, without `and`";
                    self.expected(form.head_span(), text, "remove `and` and its parentheses");
                }
                Some("oneof" | "unknown") => {
                    self.refuse(Code::PddlUncertain, form, "the initial state must be known");
                }
                Some(head) => self.read_fact(form, head, true, &mut said),
                None => {
                    let written = form.written();
                    let text = format!("a fact is expected here, not `{written}`");
                    self.expected(form.head_span(), text, "write it as in `(on a b)`");
                }
            }
        }
    }

    fn read_negative(&mut self, form: Form<'t>, said: &mut Said) {
        let Some([inner]) = self.exactly(form, "(not (p a))") else { return };
        let Some(head) = inner.head() else {
            let text = format!("a fact is expected here, not `{}`", inner.written());
            return self.expected(inner.head_span(), text, "write it as in `(not (on a b))`");
        };
        let text = "what the initial state does not say does not hold";
        self.report.say(Code::PddlNegativeFact, form.span(), text, "remove it");
        self.read_fact(inner, head, false, said);
    }

    fn read_fact(&mut self, form: Form<'t>, head: &'t str, holds: bool, said: &mut Said) {
        let Some(atom) = self.atom(form, head, &mut Scope::new(false)) else { return };
        let object = |term: &Term| match term {
            Term::Object(object) => Some(*object),
            // No variable is known here: an atom with one was refused.
            Term::Variable(_) => None,
        };
        let arguments = atom.arguments.iter().filter_map(object).collect();
        let fact = GroundAtom { predicate: atom.predicate, arguments };
        if self.task.predicates[fact.predicate.0 as usize].is_derived {
            let text = format!("`{head}` is derived, so the initial state cannot set it");
            let cure = "say what its rule depends on, or add a rule";
            return self.report.say(Code::PddlDerivedSet, form.span(), text, cure);
        }
        match said.facts.get(&fact) {
            Some(&(before, first)) if before == holds => {
                let text = format!("the fact `{}` is said twice", form.written());
                let also = (first, "first said here");
                let cure = "remove one of the two";
                self.report.say_also(Code::ListedTwice, form.span(), also, text, cure);
            }
            Some(&(_, first)) => {
                let text = format!("`{}` is said to hold and not to hold", form.written());
                let also = (first, "the opposite is said here");
                let cure = "remove one of the two";
                self.report.say_also(Code::PddlTwoValues, form.span(), also, text, cure);
            }
            None => {
                said.facts.insert(fact.clone(), (holds, form.span()));
                if holds {
                    self.task.init.push(fact);
                }
            }
        }
    }

    /// `(= (distance a b) 3)`.
    fn read_value(&mut self, form: Form<'t>, said: &mut Said) {
        let Some([what, value]) = self.exactly(form, "(= (f a) 3)") else { return };
        let name = what.head().or(what.word().filter(|&word| word == "total-cost"));
        let Some(name) = name else {
            let text = format!("a function is expected here, not `{}`", what.written());
            return self.expected(what.span(), text, "write values as in `(= (distance a b) 3)`");
        };
        if name == "total-cost" && !self.functions.contains_key(name) {
            // Known without a declaration: costs begin at zero whatever is said.
            return;
        }
        let Some(function) = self.function(what, name, what.rest().count()) else { return };
        let scope = Scope::new(false);
        let arguments: Vec<ObjectId> = what
            .rest()
            .filter_map(|part| match self.term(part, &scope) {
                Some(Term::Object(object)) => Some(object),
                _ => None,
            })
            .collect();
        if arguments.len() < what.rest().count() {
            return;
        }
        let Some(value) = self.value_of(value, function) else { return };
        let key = (function, arguments);
        match said.values.get(&key) {
            Some(&(before, first)) => {
                let (code, text) = match before == value {
                    true => (Code::ListedTwice, "is given its value twice"),
                    false => (Code::PddlTwoValues, "has another value already"),
                };
                let text = format!("`{}` {text}", what.written());
                let cure = "remove one of the two";
                self.report.say_also(code, form.span(), (first, "first said here"), text, cure);
            }
            None => {
                self.task.values.push((key.0, key.1.clone(), value));
                said.values.insert(key, (value, form.span()));
            }
        }
    }

    /// A value; of functions that are no costs any number will do, and is not kept if it could
    /// be no cost.
    fn value_of(&mut self, form: Form<'t>, function: FunctionId) -> Option<Cost> {
        if form.is_list() {
            self.refuse(Code::PddlNumeric, form, "values are plain numbers");
            return None;
        }
        let word = form.word().unwrap_or_default();
        if self.costs_use.contains(&function) || word.parse::<f64>().is_err() {
            return self.number(form);
        }
        Cost::parse(word).ok()
    }

    /// `(:goal …)`.
    pub(super) fn read_goal(&mut self, problem: &Outline<'t>) {
        let Some(section) = problem.one(":goal") else {
            let cure = "write `(:goal (and …))`";
            return self.expected(problem.place, "the problem has no goal", cure);
        };
        if let Some(first) = section.rest().next().filter(|first| !first.is_list()) {
            return self.words_without_parentheses("a goal", first, section.rest().skip(1));
        }
        let Some([form]) = self.exactly(section, "(:goal (and (p a) (q b)))") else { return };
        let mut scope = Scope::new(false);
        self.task.goal = self.condition(form, &mut scope, 0);
        self.task.n_goal_variables = scope.n_variables() as usize;
        if self.task.goal == Condition::default() && !self.report.has_errors() {
            let text = "the goal wants nothing, so it is satisfied from the start";
            self.report.say(
                Code::EmptyGoal,
                form.span(),
                text,
                "write what shall hold, or leave it",
            );
        }
    }

    /// `(:metric minimize (total-cost))`.
    pub(super) fn read_metric(&mut self, section: Form<'t>) {
        let parts: Vec<Form<'t>> = section.rest().take(3).collect();
        let [direction, what] = parts[..] else {
            let cure = "write `(:metric minimize (total-cost))`";
            return self.expected(section.span(), "the metric is not complete", cure);
        };
        let is_cost =
            what.head().or(what.word()) == Some("total-cost") && what.rest().next().is_none();
        if direction.word() != Some("minimize") || !is_cost {
            let what = format!("this is `{}`", section.written());
            return self.refuse(Code::PddlMetric, section, &what);
        }
        self.requirements.uses(Feature::Costs, section.head_span());
        self.task.has_metric = true;
    }
}

/// Whether `(at 5 (p a))` is meant: a time, then a fact.
fn is_timed(form: Form<'_>) -> bool {
    let parts: Vec<Form<'_>> = form.rest().take(3).collect();
    let is_time = |form: Form<'_>| form.word().is_some_and(|word| word.parse::<f64>().is_ok());
    matches!(parts[..], [time, fact] if is_time(time) && fact.is_list())
}
