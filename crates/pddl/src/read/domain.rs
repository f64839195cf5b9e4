//! Actions and rules of the domain.
//!
//! In:   the sections `(:action …)` and `(:derived …)`.
//! Out:  actions and axioms in the task.
//! Cost: linear in what is written out.
//!
//! Parts of an action may stand in any order and may be missing; `:preconditions` and
//! `:effects` are spellings of `:precondition` and `:effect`.

use super::reader::Reader;
use super::refused::feature_of_section;
use super::requirements::Feature;
use super::strata;
use super::tree::Form;
use super::variables::Scope;
use crate::lifted::{Action, Axiom, Condition, Parameter, PredicateId};
use throng_domain::Code;

const PARTS: [&str; 5] = [":parameters", ":precondition", ":effect", ":preconditions", ":effects"];

/// The parts of an action, as they stand in the text.
#[derive(Default)]
struct Parts<'t> {
    parameters: Option<Form<'t>>,
    condition: Option<Form<'t>>,
    effect: Option<Form<'t>>,
}

/// A rule whose head is read.
pub(super) struct Head<'t> {
    form: Form<'t>,
    predicate: PredicateId,
    parameters: Vec<Parameter>,
    scope: Scope<'t>,
    body: Form<'t>,
}

impl<'t> Reader<'t> {
    /// `(:action name …)`.
    pub(super) fn read_action(&mut self, section: Form<'t>) {
        if !self.has_room_for_another(self.task.actions.len(), "actions", section.head_span()) {
            return;
        }
        let Some(name_form) = section.rest().next() else {
            let cure = "write `(:action name …)`";
            return self.expected(section.span(), "the action has no name", cure);
        };
        let Some(name) = self.plain_name(name_form, "an action") else { return };
        if let Some(&first) = self.actions.get(name) {
            let text = format!("action `{}` is declared twice", name_form.written());
            let cure = "rename one of the two".to_string();
            self.report.say_twice(Code::ActionTwice, name_form.span(), first, text, cure);
        }
        self.actions.insert(name, name_form.span());
        let parts = self.parts_of_action(section);
        let mut scope = Scope::new(true);
        let parameters = match parts.parameters {
            Some(list) => self.parameters(list.parts(), &mut scope),
            None => Vec::new(),
        };
        let condition = match parts.condition {
            Some(form) => self.condition(form, &mut scope, 0),
            None => Condition::default(),
        };
        let outcome = match parts.effect {
            Some(form) => self.effect(form, &mut scope),
            None => super::effect::Outcome::default(),
        };
        if outcome.effects.is_empty() && !self.report.has_errors() {
            let text = format!("action `{name}` changes nothing");
            let cure = "give it an effect, as in `:effect (p ?x)`, or remove it";
            self.report.say(Code::ChangesNothing, name_form.span(), text, cure);
        }
        self.task.actions.push(Action {
            name: name.to_string(),
            parameters,
            n_variables: scope.n_variables() as usize,
            condition,
            effects: outcome.effects,
            cost: outcome.cost,
            span: name_form.span(),
        });
    }

    fn parts_of_action(&mut self, section: Form<'t>) -> Parts<'t> {
        let mut parts = Parts::default();
        let mut forms = section.rest().skip(1).peekable();
        while let Some(form) = forms.next() {
            let Some(keyword) = form.word().filter(|word| word.starts_with(':')) else {
                let text = format!("a keyword is expected here, not `{}`", form.written());
                let cure = "write `:parameters`, `:precondition` or `:effect` before it; several conditions or effects stand in one `(and …)`";
                self.expected(form.head_span(), text, cure);
                continue;
            };
            let is_keyword =
                |form: &Form<'t>| form.word().is_some_and(|word| word.starts_with(':'));
            let value = forms.next_if(|next| !is_keyword(next));
            if let Some(first) = value.filter(|first| !first.is_list()) {
                let more = std::iter::from_fn(|| {
                    forms.next_if(|next| !next.is_list() && !is_keyword(next))
                });
                let what = format!("what follows `{keyword}`");
                self.words_without_parentheses(&what, first, more);
                continue;
            }
            let slot = match keyword {
                ":parameters" => &mut parts.parameters,
                ":precondition" | ":preconditions" => &mut parts.condition,
                ":effect" | ":effects" => &mut parts.effect,
                _ => {
                    match feature_of_section(keyword) {
                        Some(feature) => self.refuse(feature, form, &format!("`{keyword}`")),
                        None => self.unknown_keyword(form.span(), keyword, &PARTS),
                    }
                    continue;
                }
            };
            if slot.is_some() {
                let text = format!("`{keyword}` stands twice in one action");
                let cure = "put both into one list, with `and`";
                self.report.say(Code::ClauseTwice, form.span(), text, cure);
            } else if value.is_none() {
                let text = format!("nothing follows `{keyword}`");
                self.expected(
                    form.span(),
                    text,
                    "write `()` after it if it is empty, or remove it",
                );
            } else {
                *slot = value;
            }
        }
        parts
    }

    /// Words stand where a list should: `:precondition at ?x`.
    pub(super) fn words_without_parentheses(
        &mut self,
        what: &str,
        first: Form<'t>,
        more: impl Iterator<Item = Form<'t>>,
    ) {
        let mut span = first.span();
        let mut words = first.written();
        for form in more {
            span = span.to(form.span());
            if words.len() < 200 {
                words.push(' ');
                words.push_str(&form.written());
            }
        }
        let text = format!("{what} stands in parentheses, here `{words}`");
        self.expected(span, text, format!("write `({words})`"));
    }

    /// The head of `(:derived (p ?x - t) condition)`. Heads are read before any action is, so
    /// that no action sets what is derived.
    pub(super) fn read_head(&mut self, section: Form<'t>) -> Option<Head<'t>> {
        self.requirements.uses(Feature::Derived, section.head_span());
        let [form, body] = self.exactly(section, "(:derived (p ?x - t) (q ?x))")?;
        let Some(name) = form.head() else {
            let text = format!("a predicate is expected here, not `{}`", form.written());
            self.expected(form.head_span(), text, "write the head as in `(p ?x - t)`");
            return None;
        };
        let mut scope = Scope::new(true);
        let parameters = self.parameters(form.rest(), &mut scope);
        let predicate = self.predicate(form, name, parameters.len())?;
        self.task.predicates[predicate.0 as usize].is_derived = true;
        Some(Head { form, predicate, parameters, scope, body })
    }

    /// The rule of a head.
    pub(super) fn read_rule(&mut self, head: Head<'t>) {
        let Head { form, predicate, parameters, mut scope, body } = head;
        if !self.has_room_for_another(self.task.axioms.len(), "rules", form.head_span()) {
            return;
        }
        let condition = self.condition(body, &mut scope, 0);
        let n_variables = scope.n_variables() as usize;
        let span = form.span();
        self.task.axioms.push(Axiom { predicate, parameters, n_variables, condition, span });
    }

    /// Reports rules that lead through `not` back to their own head.
    pub(super) fn check_strata(&mut self) {
        let Err(circles) = strata::strata(&self.task) else { return };
        for (axiom, through) in circles {
            let head = &self.task.predicates[self.task.axioms[axiom].predicate.0 as usize].name;
            let denied = &self.task.predicates[through.0 as usize].name;
            let text = if head == denied {
                format!("`{head}` is derived from its own opposite")
            } else {
                format!(
                    "`{head}` is derived from the opposite of `{denied}`, which is derived from `{head}`"
                )
            };
            let span = self.task.axioms[axiom].span;
            let cure = "break the circle: a rule may deny only what does not depend on its head";
            self.report.say(Code::PddlNotStratified, span, text, cure);
        }
    }
}
