//! Effects: forms into flat [`Effect`]s and costs.
//!
//! In:   the form after `:effect`.
//! Out:  one effect per literal, with the `forall`s and `when`s around it gathered; one per
//!       number that changes; what the action costs.
//! Cost: linear in what is written out, which is counted before: a condition is copied for each
//!       effect below its `when`. Recursion ends at [`DEEPEST`](crate::lifted::DEEPEST).

use super::condition::Context;
use super::functions::number;
use super::tree::Form;
use crate::features;
use crate::lifted::{Condition, CostTerm, Effect, NumberEffect, NumberEffectKind, Parameter, Term};
use throng_domain::Code;

/// What an action does, as far as it is read.
pub(super) struct Outcome<'b, 'r, 't> {
    body: &'b mut Context<'r, 't>,
    /// The `forall`s around the place that is read.
    forall: Vec<Parameter>,
    /// The `when`s around it.
    conditions: Vec<Condition>,
    /// How much copying these takes.
    entries: usize,
    effects: Vec<Effect>,
    changes: Vec<NumberEffect>,
    cost: Vec<CostTerm>,
}

/// Everything that an effect says: its literals, what it does to numbers, and what it costs.
pub(super) fn effects<'t>(
    form: Form<'t>,
    body: &mut Context<'_, 't>,
) -> (Vec<Effect>, Vec<NumberEffect>, Vec<CostTerm>) {
    let mut outcome = Outcome {
        body,
        forall: Vec::new(),
        conditions: Vec::new(),
        entries: 0,
        effects: Vec::new(),
        changes: Vec::new(),
        cost: Vec::new(),
    };
    outcome.effect(form, 0);
    (outcome.effects, outcome.changes, outcome.cost)
}

impl<'t> Outcome<'_, '_, 't> {
    fn effect(&mut self, form: Form<'t>, depth: usize) {
        if self.body.is_too_deep(form, depth) || self.body.notes.is_over() {
            return;
        }
        match form.head() {
            // `()` does nothing.
            None if form.is_list() && form.parts().next().is_none() => {}
            None => self.is_no_effect(form),
            Some("and") => form.rest().for_each(|part| self.effect(part, depth + 1)),
            Some("forall") => drop(self.universal(form, depth)),
            Some("when") => drop(self.conditional(form, depth)),
            Some("not") => {
                let Some([inner]) = self.body.notes.exactly(form, "(not (p ?x))") else { return };
                match inner.head() {
                    Some(head) => self.literal(inner, head, false),
                    None => self.is_no_effect(inner),
                }
            }
            Some(head) if self.is_change(head) => drop(self.change(form, head)),
            Some(head) => self.literal(form, head, true),
        }
    }

    fn universal(&mut self, form: Form<'t>, depth: usize) -> Option<()> {
        let pattern = "(forall (?x - t) (p ?x))";
        let [list, inner] = self.body.notes.exactly(form, pattern)?;
        self.body.notes.requirements.uses(features::CONDITIONAL, form.head_span());
        let parameters = self.body.enter_quantifier(list, pattern);
        let before = (self.forall.len(), self.entries);
        self.entries += parameters.iter().map(|p| 1 + p.types.len()).sum::<usize>();
        self.forall.extend_from_slice(&parameters);
        self.effect(inner, depth + 1);
        self.forall.truncate(before.0);
        self.entries = before.1;
        self.body.scope.leave(&parameters);
        Some(())
    }

    fn conditional(&mut self, form: Form<'t>, depth: usize) -> Option<()> {
        let [condition, inner] = self.body.notes.exactly(form, "(when (p ?x) (q ?x))")?;
        self.body.notes.requirements.uses(features::CONDITIONAL, form.head_span());
        let condition = self.body.condition(condition, depth + 1);
        let before = self.entries;
        self.entries += condition.size() + types_of_parameters(&condition);
        self.conditions.push(condition);
        self.effect(inner, depth + 1);
        self.conditions.pop();
        self.entries = before;
        Some(())
    }

    fn literal(&mut self, form: Form<'t>, head: &'t str, adds: bool) {
        if matches!(head, "and" | "or" | "not" | "imply" | "exists" | "=" | "forall" | "when") {
            return self.is_no_literal(form, head, adds);
        }
        let Some(atom) = self.body.atom(form, head) else { return };
        let notes = &mut *self.body.notes;
        if self.body.names.predicates.is_derived(atom.predicate) {
            let text = format!("`{head}` is derived, so no action can set it");
            let cure = "set what its rule depends on, or give the rule's head another name";
            notes.report.say(Code::PddlDerivedSet, form.span(), text, cure);
        }
        if notes.has_room(1 + atom.arguments.len() + self.entries, form.span()) {
            let condition = self.condition();
            self.effects.push(Effect { forall: self.forall.clone(), condition, adds, atom });
        }
    }

    /// Whether a word changes a number, unless it is a predicate.
    fn is_change(&self, head: &str) -> bool {
        let names = ["increase", "decrease", "assign"];
        names.contains(&head) && !self.body.names.predicates.has(head)
    }

    /// `(increase (total-cost) …)`, or what changes another number.
    fn change(&mut self, form: Form<'t>, head: &str) -> Option<()> {
        let notes = &mut *self.body.notes;
        let [what, by] = notes.exactly(form, &format!("({head} (fuel ?t) 3)"))?;
        let is_nested = !self.forall.is_empty();
        if what.head().or(what.word()) == Some("total-cost") {
            if head != "increase" {
                let text = "`total-cost` only grows";
                notes.refuse(Code::PddlNumeric, form, text);
            } else if is_nested || !self.conditions.is_empty() {
                notes.refuse(Code::PddlNumeric, form, "this cost depends on a condition");
            } else {
                notes.requirements.uses(features::COSTS, form.head_span());
                self.add_cost(by);
            }
            return None;
        }
        notes.requirements.uses(features::NUMBERS, form.head_span());
        if is_nested {
            notes.refuse(Code::PddlNumeric, form, "this changes numbers for all objects at once");
            return None;
        }
        let Some(name) = what.head() else {
            let text = format!("a function is expected here, not `{}`", what.written());
            notes.expected(what.span(), text, format!("write it as in `({head} (fuel ?t) 3)`"));
            return None;
        };
        let number = self.body.number(what, name);
        let by = self.body.number_term(by);
        let (function, arguments) = number?;
        let (condition, by) = (self.condition(), by?);
        let kind = match head {
            "assign" => NumberEffectKind::Assign,
            "increase" => NumberEffectKind::Increase,
            _ => NumberEffectKind::Decrease,
        };
        let size = 1 + arguments.len() + by.arguments().len() + self.entries;
        if self.body.notes.has_room(size, form.span()) {
            self.changes.push(NumberEffect { condition, kind, function, arguments, by });
        }
        Some(())
    }

    /// All `when`s around.
    fn condition(&self) -> Condition {
        match &self.conditions[..] {
            [one] => one.clone(),
            several => Condition::And(several.to_vec()),
        }
    }

    /// A number, a function, or a sum of them.
    fn add_cost(&mut self, by: Form<'t>) {
        // Sums nest: a list of what is still to be read, not recursion.
        let mut open = vec![by];
        while let Some(form) = open.pop() {
            let notes = &mut *self.body.notes;
            if !notes.has_room(1, form.span()) {
                return;
            }
            match form.head() {
                Some("+") if form.rest().next().is_some() => {
                    let from = open.len();
                    open.extend(form.rest());
                    open[from..].reverse();
                }
                Some("+" | "-" | "*" | "/") => {
                    let what = "costs are sums of numbers and functions";
                    notes.refuse(Code::PddlNumeric, form, what);
                }
                Some("total-cost") => {
                    let what = "a cost cannot depend on the cost so far";
                    notes.refuse(Code::PddlNumeric, form, what);
                }
                Some(head) => {
                    let cost = self.function(form, head);
                    self.cost.extend(cost);
                }
                None if form.is_list() => {
                    let text = "a number or a function is expected here";
                    notes.expected(form.span(), text, "write `3` or `(distance ?x ?y)`");
                }
                None => self.cost.extend(number(form, notes).map(CostTerm::Number)),
            }
        }
    }

    fn function(&mut self, form: Form<'t>, head: &'t str) -> Option<CostTerm> {
        let functions = &mut self.body.names.functions;
        let function = functions.find(form, head, self.body.notes)?;
        functions.costs.insert(function);
        // All of them first: each may be a mistake of its own.
        let arguments: Vec<Option<Term>> = form.rest().map(|part| self.body.term(part)).collect();
        let arguments: Option<Vec<Term>> = arguments.into_iter().collect();
        Some(CostTerm::Function(function, arguments?))
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
        self.body.notes.expected(form.head_span(), format!("{text}: `{head}`"), cure);
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
        self.body.notes.expected(form.head_span(), text, cure);
    }
}

/// How many types the variables of a condition's quantifiers have.
fn types_of_parameters(condition: &Condition) -> usize {
    let mut sum = 0;
    condition.each_quantifier(&mut |parameters| {
        sum += parameters.iter().map(|parameter| parameter.types.len()).sum::<usize>();
    });
    sum
}
