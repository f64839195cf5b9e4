//! Effects: forms into flat [`Effect`]s and costs.
//!
//! In:   the form after `:effect`.
//! Out:  one effect per literal, with the `forall`s and `when`s around it gathered; what the
//!       action costs.
//! Cost: linear in what is written out, which is counted before: a condition is copied for each
//!       effect below its `when`. Recursion ends at [`DEEPEST`].

use super::reader::{Reader, unknown};
use super::refused::feature_of_head;
use super::requirements::Feature;
use super::tree::Form;
use super::variables::Scope;
use crate::lifted::{Condition, CostTerm, DEEPEST, Effect, FunctionId, Parameter, Term};
use throng_domain::number::ParseCostError;
use throng_domain::{Code, Cost};

/// What an action does.
#[derive(Default)]
pub(super) struct Outcome {
    /// Literals.
    pub(super) effects: Vec<Effect>,
    /// What it costs.
    pub(super) cost: Vec<CostTerm>,
}

/// The `forall`s and `when`s around a place.
#[derive(Default)]
struct Around {
    forall: Vec<Parameter>,
    conditions: Vec<Condition>,
    /// What copying them comes to.
    entries: usize,
}

impl Around {
    fn condition(&self) -> Condition {
        match &self.conditions[..] {
            [one] => one.clone(),
            several => Condition::And(several.to_vec()),
        }
    }
}

impl<'t> Reader<'t> {
    /// Everything that an effect says.
    pub(super) fn effect(&mut self, form: Form<'t>, scope: &mut Scope<'t>) -> Outcome {
        let mut outcome = Outcome::default();
        self.effect_inside(form, scope, &mut Around::default(), 0, &mut outcome);
        outcome
    }

    fn effect_inside(
        &mut self,
        form: Form<'t>,
        scope: &mut Scope<'t>,
        around: &mut Around,
        depth: usize,
        outcome: &mut Outcome,
    ) {
        if depth >= DEEPEST {
            return self.is_too_deep(form);
        }
        if self.asking.step() {
            return;
        }
        if form.is_list() && form.parts().next().is_none() {
            // `()` does nothing.
            return;
        }
        let Some(head) = form.head() else { return self.is_no_effect(form) };
        match head {
            "and" => {
                for part in form.rest() {
                    self.effect_inside(part, scope, around, depth + 1, outcome);
                }
            }
            "forall" => self.universal(form, scope, around, depth, outcome),
            "when" => self.conditional(form, scope, around, depth, outcome),
            "not" => {
                let Some([inner]) = self.exactly(form, "(not (p ?x))") else { return };
                match inner.head() {
                    Some(head) => self.literal(inner, head, false, scope, around, outcome),
                    None => self.is_no_effect(inner),
                }
            }
            "increase" if !self.predicates.contains_key(head) => {
                self.increase(form, scope, around, outcome);
            }
            _ => self.literal(form, head, true, scope, around, outcome),
        }
    }

    fn universal(
        &mut self,
        form: Form<'t>,
        scope: &mut Scope<'t>,
        around: &mut Around,
        depth: usize,
        outcome: &mut Outcome,
    ) {
        let pattern = "(forall (?x - t) (p ?x))";
        let Some([list, inner]) = self.exactly(form, pattern) else { return };
        self.requirements.uses(Feature::Conditional, form.head_span());
        if !list.is_list() {
            let text = format!("a list of variables is expected here, not `{}`", list.written());
            self.expected(list.span(), text, format!("write it as in `{pattern}`"));
        }
        let parameters = self.parameters(list.parts(), scope);
        let entries: usize = parameters.iter().map(|p| 1 + p.types.len()).sum();
        around.entries += entries;
        around.forall.extend_from_slice(&parameters);
        self.effect_inside(inner, scope, around, depth + 1, outcome);
        around.forall.truncate(around.forall.len() - parameters.len());
        around.entries -= entries;
        scope.leave(&parameters);
    }

    fn conditional(
        &mut self,
        form: Form<'t>,
        scope: &mut Scope<'t>,
        around: &mut Around,
        depth: usize,
        outcome: &mut Outcome,
    ) {
        let Some([condition, inner]) = self.exactly(form, "(when (p ?x) (q ?x))") else { return };
        self.requirements.uses(Feature::Conditional, form.head_span());
        let condition = self.condition(condition, scope, depth + 1);
        let entries = size(&condition);
        around.entries += entries;
        around.conditions.push(condition);
        self.effect_inside(inner, scope, around, depth + 1, outcome);
        around.conditions.pop();
        around.entries -= entries;
    }

    fn literal(
        &mut self,
        form: Form<'t>,
        head: &'t str,
        adds: bool,
        scope: &mut Scope<'t>,
        around: &Around,
        outcome: &mut Outcome,
    ) {
        if matches!(head, "and" | "or" | "not" | "imply" | "exists" | "=" | "forall" | "when") {
            return self.is_no_literal(form, head, adds);
        }
        let Some(atom) = self.atom(form, head, scope) else { return };
        let predicate = &self.task.predicates[atom.predicate.0 as usize];
        if predicate.is_derived {
            let text = format!("`{head}` is derived, so no action can set it");
            let cure = "set what its rule depends on, or give the rule's head another name";
            self.report.say(Code::PddlDerivedSet, form.span(), text, cure);
        }
        if self.has_room(1 + atom.arguments.len() + around.entries, form.span()) {
            let (forall, condition) = (around.forall.clone(), around.condition());
            outcome.effects.push(Effect { forall, condition, adds, atom });
        }
    }

    /// `(increase (total-cost) …)`.
    fn increase(
        &mut self,
        form: Form<'t>,
        scope: &mut Scope<'t>,
        around: &Around,
        outcome: &mut Outcome,
    ) {
        let pattern = "(increase (total-cost) 3)";
        let Some([what, by]) = self.exactly(form, pattern) else { return };
        if what.head().or(what.word()) != Some("total-cost") {
            return self.refuse(Code::PddlNumeric, form, "this changes a number");
        }
        if !around.forall.is_empty() || !around.conditions.is_empty() {
            let what = "this cost depends on a condition";
            return self.refuse(Code::PddlNumeric, form, what);
        }
        self.requirements.uses(Feature::Costs, form.head_span());
        self.cost(by, scope, outcome);
    }

    /// A number, a function, or a sum of them.
    fn cost(&mut self, by: Form<'t>, scope: &mut Scope<'t>, outcome: &mut Outcome) {
        // Sums nest: a list of what is still to be read, not recursion.
        let mut open = vec![by];
        while let Some(form) = open.pop() {
            if !self.has_room(1, form.span()) {
                return;
            }
            match form.head() {
                Some("+") if form.rest().next().is_some() => {
                    let from = open.len();
                    open.extend(form.rest());
                    open[from..].reverse();
                }
                Some("+" | "-" | "*" | "/") => {
                    self.refuse(Code::PddlNumeric, form, "costs are sums of numbers and functions");
                }
                Some(head) => {
                    let cost = self.function_cost(form, head, scope);
                    outcome.cost.extend(cost);
                }
                None if form.is_list() => {
                    let text = "a number or a function is expected here";
                    self.expected(form.span(), text, "write `3` or `(distance ?x ?y)`");
                }
                None => outcome.cost.extend(self.number(form).map(CostTerm::Number)),
            }
        }
    }

    fn function_cost(
        &mut self,
        form: Form<'t>,
        head: &'t str,
        scope: &mut Scope<'t>,
    ) -> Option<CostTerm> {
        if head == "total-cost" {
            self.refuse(Code::PddlNumeric, form, "a cost cannot depend on the cost so far");
            return None;
        }
        let function = self.function(form, head, form.rest().count())?;
        self.costs_use.insert(function);
        let arguments: Vec<Term> = form.rest().filter_map(|part| self.term(part, scope)).collect();
        let is_whole = arguments.len() == form.rest().count();
        is_whole.then_some(CostTerm::Function(function, arguments))
    }

    /// The function of a name with so many arguments.
    pub(super) fn function(
        &mut self,
        form: Form<'t>,
        name: &'t str,
        n_arguments: usize,
    ) -> Option<FunctionId> {
        let Some(&known) = self.functions.get(name) else {
            if self.is_first(Code::PddlUnknownFunction, name) {
                let declared = self.task.functions.iter().map(|known| known.name.as_str());
                let nearest = self.report.nearest(name, declared);
                let arguments: String = (1..=n_arguments).map(|at| format!(" ?x{at}")).collect();
                let declare = format!("declare it: `(:functions ({name}{arguments}) - number)`");
                let (text, cure) = unknown("function", name, nearest, declare);
                self.report.say(Code::PddlUnknownFunction, form.head_span(), text, cure);
            }
            return None;
        };
        let declared = self.task.functions[known.0 as usize].arguments.len();
        if declared != n_arguments {
            let text = format!("`{name}` has {declared} arguments, here {n_arguments}");
            let also = (self.function_spans[known.0 as usize], "declared here");
            let cure = "write as many as declared, or correct the declaration";
            self.report.say_also(Code::PddlWrongCount, form.span(), also, text, cure);
            return None;
        }
        Some(known)
    }

    /// A cost: zero or more, at most [`Cost::MAX`].
    pub(super) fn number(&mut self, form: Form<'t>) -> Option<Cost> {
        let word = form.word().unwrap_or_default();
        let (code, text, cure) = match Cost::parse(word) {
            Ok(number) => return Some(number),
            Err(ParseCostError::TooLarge) => {
                let text = format!("{word} is more than {}, the largest cost", Cost::MAX);
                (Code::NumberTooLarge, text, "divide all costs by the same number")
            }
            Err(ParseCostError::TooFine) => {
                let text = format!("{word} has more than three places after the point");
                (Code::TooManyPlaces, text, "round it, or multiply all costs by the same number")
            }
            Err(ParseCostError::Malformed) => {
                let text = match word.parse::<f64>() {
                    Ok(number) if number < 0.0 => format!("the cost {word} is below zero"),
                    _ => format!("`{}` is no cost", form.written()),
                };
                (Code::PddlCost, text, "write a number of zero or more, such as `3` or `0.5`")
            }
        };
        self.report.say(code, form.span(), text, cure);
        None
    }

    fn is_no_literal(&mut self, form: Form<'t>, head: &str, adds: bool) {
        let (text, cure) = match (head, adds) {
            ("and", false) => {
                ("an effect denies one predicate at a time", "write `(not …)` around each")
            }
            ("=", _) => ("no effect makes two things the same", "remove it, or use a predicate"),
            ("not", _) => ("an effect is denied twice", "write it without `not`"),
            ("forall" | "when", _) => ("`not` stands around one predicate", "move it inside"),
            _ => (
                "an effect must say exactly what happens",
                "write one action for each case, or `(when condition effect)`",
            ),
        };
        self.expected(form.head_span(), format!("{text}: `{head}`"), cure);
    }

    fn is_no_effect(&mut self, form: Form<'t>) {
        let written = form.written();
        let text = format!("an effect is expected here, not `{written}`");
        let cure = match form.is_list() {
            true => {
                "begin it with a predicate or with `and`, as in `(and (p ?x) (not (q ?x)))`".into()
            }
            false => format!("put it in parentheses: `({written})`"),
        };
        self.expected(form.head_span(), text, cure);
    }

    /// Whether a head is a word of the language that effects and conditions do not have.
    pub(super) fn is_reserved(name: &str) -> bool {
        let words = ["and", "or", "not", "imply", "exists", "forall", "when", "either"];
        words.contains(&name)
            || (feature_of_head(name).is_some()
                && !name.starts_with(|c: char| c.is_ascii_alphabetic()))
    }
}

/// What copying a condition comes to.
fn size(condition: &Condition) -> usize {
    match condition {
        Condition::And(parts) | Condition::Or(parts) => 1 + parts.iter().map(size).sum::<usize>(),
        Condition::Not(part) => 1 + size(part),
        Condition::Imply(first, second) => 1 + size(first) + size(second),
        Condition::Exists(parameters, part) | Condition::Forall(parameters, part) => {
            1 + parameters.iter().map(|p| 1 + p.types.len()).sum::<usize>() + size(part)
        }
        Condition::Atom(atom) => 1 + atom.arguments.len(),
        Condition::Equal(..) => 2,
    }
}
