//! Conditions: forms into [`Condition`]s.
//!
//! In:   the form of a precondition, a goal, or what stands in a `when` or a rule.
//! Out:  the condition with names resolved; every mistake in it reported.
//! Cost: linear; recursion ends at [`DEEPEST`].

use super::reader::{Reader, unknown};
use super::refused::feature_of_head;
use super::requirements::Feature;
use super::tree::Form;
use super::variables::Scope;
use crate::lifted::{Atom, Condition, DEEPEST, Term};
use throng_domain::Code;

impl<'t> Reader<'t> {
    /// A condition at a depth; 0 is outermost.
    pub(super) fn condition(
        &mut self,
        form: Form<'t>,
        scope: &mut Scope<'t>,
        depth: usize,
    ) -> Condition {
        if depth >= DEEPEST {
            self.is_too_deep(form);
            return Condition::default();
        }
        if !self.has_room(1, form.span()) {
            return Condition::default();
        }
        if form.parts().next().is_none() && form.is_list() {
            // `()` asks for nothing.
            return Condition::default();
        }
        let Some(head) = form.head() else {
            self.is_no_condition(form);
            return Condition::default();
        };
        match head {
            "and" => Condition::And(self.conditions(form, scope, depth)),
            "or" => {
                self.requirements.uses(Feature::Disjunctive, form.head_span());
                Condition::Or(self.conditions(form, scope, depth))
            }
            "not" => self.negation(form, scope, depth),
            "imply" => self.implication(form, scope, depth),
            "exists" | "forall" => self.quantified(form, head, scope, depth),
            "=" => self.equality(form, scope),
            "when" => {
                let text = "`when` belongs into effects";
                let cure = "write `(imply condition what-follows)` in a condition";
                self.expected(form.head_span(), text, cure);
                Condition::default()
            }
            _ => self.atom(form, head, scope).map_or(Condition::default(), Condition::Atom),
        }
    }

    /// Everything after the first word of a list.
    fn conditions(
        &mut self,
        form: Form<'t>,
        scope: &mut Scope<'t>,
        depth: usize,
    ) -> Vec<Condition> {
        form.rest().map(|part| self.condition(part, scope, depth + 1)).collect()
    }

    fn negation(&mut self, form: Form<'t>, scope: &mut Scope<'t>, depth: usize) -> Condition {
        let Some([inner]) = self.exactly(form, "(not (p ?x))") else { return Condition::default() };
        let feature = match inner.head() {
            // That two things differ is asked with equality alone.
            Some("=") => Feature::Equality,
            Some("and" | "or" | "imply") => Feature::Disjunctive,
            _ => Feature::Negative,
        };
        self.requirements.uses(feature, form.head_span());
        Condition::Not(Box::new(self.condition(inner, scope, depth + 1)))
    }

    fn implication(&mut self, form: Form<'t>, scope: &mut Scope<'t>, depth: usize) -> Condition {
        let Some([first, second]) = self.exactly(form, "(imply (p ?x) (q ?x))") else {
            return Condition::default();
        };
        self.requirements.uses(Feature::Disjunctive, form.head_span());
        let first = self.condition(first, scope, depth + 1);
        Condition::Imply(Box::new(first), Box::new(self.condition(second, scope, depth + 1)))
    }

    fn quantified(
        &mut self,
        form: Form<'t>,
        head: &str,
        scope: &mut Scope<'t>,
        depth: usize,
    ) -> Condition {
        let is_exists = head == "exists";
        let pattern =
            if is_exists { "(exists (?x - t) (p ?x))" } else { "(forall (?x - t) (p ?x))" };
        let Some([list, inner]) = self.exactly(form, pattern) else { return Condition::default() };
        let feature = if is_exists { Feature::Existential } else { Feature::Universal };
        self.requirements.uses(feature, form.head_span());
        if !list.is_list() {
            let text = format!("a list of variables is expected here, not `{}`", list.written());
            self.expected(list.span(), text, format!("write it as in `{pattern}`"));
        }
        let parameters = self.parameters(list.parts(), scope);
        let inner = Box::new(self.condition(inner, scope, depth + 1));
        scope.leave(&parameters);
        match is_exists {
            true => Condition::Exists(parameters, inner),
            false => Condition::Forall(parameters, inner),
        }
    }

    fn equality(&mut self, form: Form<'t>, scope: &mut Scope<'t>) -> Condition {
        let Some([first, second]) = self.exactly(form, "(= ?x ?y)") else {
            return Condition::default();
        };
        let is_number =
            |form: Form<'t>| form.word().is_some_and(|word| word.parse::<f64>().is_ok());
        let known =
            |form: Form<'t>| form.word().is_some_and(|word| self.objects.contains_key(word));
        let compares = |form: Form<'t>| form.is_list() || (is_number(form) && !known(form));
        if compares(first) || compares(second) {
            self.refuse(Code::PddlNumeric, form, "this compares numbers");
            return Condition::default();
        }
        self.requirements.uses(Feature::Equality, form.head_span());
        let (first, second) = (self.term(first, scope), self.term(second, scope));
        match (first, second) {
            (Some(first), Some(second)) => Condition::Equal(first, second),
            _ => Condition::default(),
        }
    }

    /// A predicate about terms. `None` after a mistake.
    pub(super) fn atom(
        &mut self,
        form: Form<'t>,
        head: &'t str,
        scope: &mut Scope<'t>,
    ) -> Option<Atom> {
        if !self.predicates.contains_key(head)
            && let Some(feature) = feature_of_head(head)
        {
            self.refuse(feature, form, &format!("`{head}`"));
            return None;
        }
        let n_arguments = form.rest().count();
        let predicate = self.predicate(form, head, n_arguments);
        // Arguments are looked at even if the predicate is unknown: their mistakes are their own.
        let mut arguments = Vec::new();
        if !self.has_room(n_arguments, form.span()) {
            return None;
        }
        for (place, part) in form.rest().enumerate() {
            let term = self.term(part, scope);
            arguments.extend(term);
            if let (Some(predicate), Some(term)) = (predicate, term) {
                let types = match term {
                    Term::Variable(variable) => scope.types(variable),
                    Term::Object(_) => &[],
                };
                self.check_type(part, term, types, predicate, place);
            }
        }
        let is_whole = arguments.len() == n_arguments;
        Some(Atom { predicate: predicate?, arguments }).filter(|_| is_whole)
    }

    /// A variable or an object; `None` after a mistake.
    pub(super) fn term(&mut self, form: Form<'t>, scope: &Scope<'t>) -> Option<Term> {
        let Some(word) = form.word() else {
            let text = format!("an argument is expected here, not the list `{}`", form.written());
            self.expected(form.span(), text, "write a variable such as `?x`, or an object");
            return None;
        };
        let Some(name) = word.strip_prefix('?') else {
            return self.object(form, word, scope.in_domain).map(Term::Object);
        };
        if let Some(variable) = scope.variable(name) {
            return Some(Term::Variable(variable));
        }
        // A suggestion looks at all names: not for a text of nothing but mistakes.
        let names = if self.report.errors() < 1000 { scope.names() } else { Vec::new() };
        let nearest = self.report.nearest(name, names.into_iter()).map(|name| format!("?{name}"));
        let declare = format!("declare it among the parameters: `{word}`");
        let (text, cure) = unknown("variable", &form.written(), nearest.as_deref(), declare);
        self.report.say(Code::PddlUnknownVariable, form.span(), text, cure);
        None
    }

    /// The parts of a list after its first word, if they are so many.
    pub(super) fn exactly<const N: usize>(
        &mut self,
        form: Form<'t>,
        pattern: &str,
    ) -> Option<[Form<'t>; N]> {
        // One more than wanted tells enough.
        let parts: Vec<Form<'t>> = form.rest().take(N + 1).collect();
        let found = parts.try_into().ok();
        if found.is_none() {
            let count = form.rest().count();
            let head = form.head().unwrap_or_default();
            let text =
                format!("`{head}` has {N} part{}, here {count}", if N == 1 { "" } else { "s" });
            self.expected(form.head_span(), text, format!("write it as in `{pattern}`"));
        }
        found
    }

    pub(super) fn is_too_deep(&mut self, form: Form<'t>) {
        let text = format!("conditions and effects nest deeper than {DEEPEST}");
        let cure = "give a part of it a name with `:derived`, or nest less deep";
        self.report.say(Code::ConditionsTooDeep, form.head_span(), text, cure);
    }

    fn is_no_condition(&mut self, form: Form<'t>) {
        let written = form.written();
        if form.is_list() {
            let text = format!("a condition is expected here, not the list `{written}`");
            let cure = "begin it with a predicate or with `and`, as in `(and (p ?x) (q ?x))`";
            self.expected(form.head_span(), text, cure);
        } else {
            let text = format!("a condition is expected here, not the word `{written}`");
            self.expected(form.span(), text, format!("put it in parentheses: `({written})`"));
        }
    }
}
