//! Conditions: forms into [`Condition`]s.
//!
//! In:   the form of a precondition, a goal, or what stands in a `when` or a rule.
//! Out:  the condition with names resolved; every mistake in it reported.
//! Cost: linear; recursion ends at [`DEEPEST`].

use super::functions::whole_number;
use super::names::Names;
use super::notes::Notes;
use super::refused::feature_of_head;
use super::tree::Form;
use super::variables::Scope;
use crate::features;
use crate::lifted::{Atom, Condition, DEEPEST, FunctionId, NumberTerm, Parameter, Term};
use throng_domain::{Code, Relation};

/// One action, rule, goal or initial state on its way: what it is read against.
pub(super) struct Context<'r, 't> {
    pub(super) notes: &'r mut Notes<'t>,
    pub(super) names: &'r mut Names<'t>,
    pub(super) scope: Scope<'t>,
    /// Whether the text is the domain's, where only constants are known.
    pub(super) in_domain: bool,
}

impl<'t> Context<'_, 't> {
    /// Parameters, visible until they are left.
    pub(super) fn enter(&mut self, list: Form<'t>) -> Vec<Parameter> {
        self.scope.enter(list.parts(), &self.names.types, self.notes)
    }

    /// Parameters of a quantifier, which stand in a list.
    pub(super) fn enter_quantifier(&mut self, list: Form<'t>, pattern: &str) -> Vec<Parameter> {
        if !list.is_list() {
            let text = format!("a list of variables is expected here, not `{}`", list.written());
            self.notes.expected(list.span(), text, format!("write it as in `{pattern}`"));
        }
        self.enter(list)
    }

    /// A condition at a depth; 0 is outermost. After a mistake it asks for nothing.
    pub(super) fn condition(&mut self, form: Form<'t>, depth: usize) -> Condition {
        if self.is_too_deep(form, depth) || !self.notes.has_room(1, form.span()) {
            return Condition::default();
        }
        self.condition_at(form, depth).unwrap_or_default()
    }

    fn condition_at(&mut self, form: Form<'t>, depth: usize) -> Option<Condition> {
        let notes = &mut *self.notes;
        let Some(head) = form.head() else {
            self.is_no_condition(form);
            return None;
        };
        Some(match head {
            "and" => Condition::And(self.conditions(form, depth)),
            "or" => {
                notes.requirements.uses(features::DISJUNCTIVE, form.head_span());
                Condition::Or(self.conditions(form, depth))
            }
            "not" => {
                let [inner] = notes.exactly(form, "(not (p ?x))")?;
                let feature = match inner.head() {
                    // That two things differ is asked with equality alone; numbers are no things.
                    Some("=") if inner.rest().all(|part| !part.is_list()) => features::EQUALITY,
                    Some("and" | "or" | "imply") => features::DISJUNCTIVE,
                    _ => features::NEGATIVE,
                };
                notes.requirements.uses(feature, form.head_span());
                Condition::Not(Box::new(self.condition(inner, depth + 1)))
            }
            "imply" => {
                let [first, second] = notes.exactly(form, "(imply (p ?x) (q ?x))")?;
                notes.requirements.uses(features::DISJUNCTIVE, form.head_span());
                let first = Box::new(self.condition(first, depth + 1));
                Condition::Imply(first, Box::new(self.condition(second, depth + 1)))
            }
            "exists" | "forall" => self.quantified(form, head, depth)?,
            "=" => self.equality(form)?,
            "when" => {
                let text = "`when` belongs into effects";
                let cure = "write `(imply condition what-follows)` in a condition";
                notes.expected(form.head_span(), text, cure);
                return None;
            }
            "<" | "<=" | ">" | ">=" if !self.names.predicates.has(head) => {
                let relation = match head {
                    "<" => Relation::Less,
                    "<=" => Relation::AtMost,
                    ">" => Relation::More,
                    _ => Relation::AtLeast,
                };
                self.compare(form, relation)?
            }
            _ if !notes.has_room(form.rest().count(), form.span()) => return None,
            _ => Condition::Atom(self.atom(form, head)?),
        })
    }

    /// Everything after the first word of a list.
    fn conditions(&mut self, form: Form<'t>, depth: usize) -> Vec<Condition> {
        form.rest().map(|part| self.condition(part, depth + 1)).collect()
    }

    fn quantified(&mut self, form: Form<'t>, head: &str, depth: usize) -> Option<Condition> {
        let exists = head == "exists";
        let pattern = format!("({head} (?x - t) (p ?x))");
        let [list, inner] = self.notes.exactly(form, &pattern)?;
        let feature = if exists { features::EXISTENTIAL } else { features::UNIVERSAL };
        self.notes.requirements.uses(feature, form.head_span());
        let parameters = self.enter_quantifier(list, &pattern);
        let inner = Box::new(self.condition(inner, depth + 1));
        self.scope.leave(&parameters);
        let made = if exists { Condition::Exists } else { Condition::Forall };
        Some(made(parameters, inner))
    }

    fn equality(&mut self, form: Form<'t>) -> Option<Condition> {
        let [first, second] = self.notes.exactly(form, "(= ?x ?y)")?;
        let is_number = |word: &str| word.parse::<f64>().is_ok() && !self.names.objects.has(word);
        let compares = |form: Form<'t>| form.word().is_none_or(is_number);
        if compares(first) || compares(second) {
            return self.compare(form, Relation::Is);
        }
        self.notes.requirements.uses(features::EQUALITY, form.head_span());
        let (first, second) = (self.term(first), self.term(second));
        Some(Condition::Equal(first?, second?))
    }

    /// `(>= (fuel ?t) 5)`.
    fn compare(&mut self, form: Form<'t>, relation: Relation) -> Option<Condition> {
        let [first, second] = self.notes.exactly(form, "(>= (fuel ?t) 5)")?;
        self.notes.requirements.uses(features::NUMBERS, form.head_span());
        let (first, second) = (self.number_term(first), self.number_term(second));
        let condition = Condition::Compare(relation, first?, second?);
        self.notes.has_room(condition.size(), form.span()).then_some(condition)
    }

    /// A whole number, or a function that is one. `None` after a mistake.
    pub(super) fn number_term(&mut self, form: Form<'t>) -> Option<NumberTerm> {
        match form.head() {
            None if !form.is_list() => whole_number(form, self.notes).map(NumberTerm::Number),
            Some("+" | "-" | "*" | "/") => {
                self.notes.refuse(Code::PddlNumeric, form, "this calculates");
                None
            }
            Some(name) => {
                let (function, arguments) = self.number(form, name)?;
                Some(NumberTerm::Function(function, arguments))
            }
            None => {
                let text = "a number or a function is expected here";
                self.notes.expected(form.span(), text, "write `5` or `(fuel ?t)`");
                None
            }
        }
    }

    /// A function that is compared or changed, and its arguments. `None` after a mistake.
    pub(super) fn number(
        &mut self,
        form: Form<'t>,
        name: &'t str,
    ) -> Option<(FunctionId, Vec<Term>)> {
        if name == "total-cost" {
            self.notes.refuse(Code::PddlNumeric, form, "`total-cost` only grows, and only counts");
            return None;
        }
        let functions = &mut self.names.functions;
        let function = functions.find(form, name, self.notes)?;
        functions.list[function.index()].is_number = true;
        // All of them first: each may be a mistake of its own.
        let arguments: Vec<Option<Term>> = form.rest().map(|part| self.term(part)).collect();
        Some((function, arguments.into_iter().collect::<Option<Vec<Term>>>()?))
    }

    /// A predicate about terms. `None` after a mistake.
    pub(super) fn atom(&mut self, form: Form<'t>, head: &'t str) -> Option<Atom> {
        if let Some(feature) = feature_of_head(head)
            && !self.names.predicates.has(head)
        {
            self.notes.refuse(feature, form, &format!("`{head}`"));
            return None;
        }
        let n_arguments = form.rest().count();
        let Names { types, predicates, .. } = &mut *self.names;
        let predicate = predicates.find(form, head, n_arguments, types, self.notes);
        // Arguments are looked at even if the predicate is unknown: their mistakes are their own.
        let mut arguments = Vec::new();
        for (place, part) in form.rest().enumerate() {
            let Some(term) = self.term(part) else { continue };
            arguments.push(term);
            if let Some(predicate) = predicate {
                let Names { types, objects, predicates, .. } = &mut *self.names;
                let given = match term {
                    Term::Variable(variable) => (self.scope.types(variable), true),
                    Term::Object(object) => (objects.types(object), false),
                };
                predicates.check_type(part, given, (predicate, place), types, self.notes);
            }
        }
        let is_whole = arguments.len() == n_arguments;
        Some(Atom { predicate: predicate?, arguments }).filter(|_| is_whole)
    }

    /// A variable or an object; `None` after a mistake.
    pub(super) fn term(&mut self, form: Form<'t>) -> Option<Term> {
        let Some(word) = form.word() else {
            let text = format!("an argument is expected here, not the list `{}`", form.written());
            let cure = "write a variable such as `?x`, or an object";
            self.notes.expected(form.span(), text, cure);
            return None;
        };
        if let Some(name) = word.strip_prefix('?') {
            return self.scope.variable(form, name, self.notes).map(Term::Variable);
        }
        let Names { types, objects, .. } = &mut *self.names;
        objects.find(form, word, self.in_domain, types, self.notes).map(Term::Object)
    }

    /// Whether a condition or effect stands too deep, with an error.
    pub(super) fn is_too_deep(&mut self, form: Form<'t>, depth: usize) -> bool {
        if depth >= DEEPEST {
            let text = format!("conditions and effects nest deeper than {DEEPEST}");
            let cure = "give a part of it a name with `:derived`, or nest less deep";
            self.notes.report.say(Code::ConditionsTooDeep, form.head_span(), text, cure);
        }
        depth >= DEEPEST
    }

    fn is_no_condition(&mut self, form: Form<'t>) {
        let written = form.written();
        if !form.is_list() {
            let text = format!("a condition is expected here, not the word `{written}`");
            self.notes.expected(form.span(), text, format!("put it in parentheses: `({written})`"));
        } else if form.parts().next().is_some() {
            let text = format!("a condition is expected here, not the list `{written}`");
            let cure = "begin it with a predicate or with `and`, as in `(and (p ?x) (q ?x))`";
            self.notes.expected(form.head_span(), text, cure);
        }
        // `()` asks for nothing.
    }
}
