//! Actions and rules of the domain.
//!
//! In:   the sections `(:action …)` and `(:derived …)`.
//! Out:  actions and axioms.
//! Cost: linear in what is written out.
//!
//! Parts of an action may stand in any order and may be missing; `:preconditions` and
//! `:effects` are spellings of `:precondition` and `:effect`.

use super::condition::Context;
use super::effect::effects;
use super::names::Names;
use super::notes::Notes;
use super::refused::feature_of_section;
use super::tree::Form;
use super::variables::Scope;
use crate::features;
use crate::lifted::{Action, Axiom, Parameter, Predicate, PredicateId};
use crate::strata::strata;
use std::collections::HashMap;
use throng_domain::{Code, Span};

const PARTS: [&str; 5] = [":parameters", ":precondition", ":effect", ":preconditions", ":effects"];

/// The actions so far.
#[derive(Default)]
pub(super) struct Actions<'t> {
    pub(super) list: Vec<Action>,
    spans: HashMap<&'t str, Span>,
}

impl<'t> Actions<'t> {
    /// `(:action name …)`.
    pub(super) fn read(&mut self, section: Form<'t>, names: &mut Names<'t>, notes: &mut Notes<'t>) {
        if !notes.has_room_for_another(self.list.len(), "actions", section.head_span()) {
            return;
        }
        let Some(form) = section.rest().next() else {
            let cure = "write `(:action name …)`";
            return notes.expected(section.span(), "the action has no name", cure);
        };
        let Some(name) = notes.plain_name(form, "an action") else { return };
        let span = form.span();
        if let Some(first) = self.spans.insert(name, span) {
            let text = format!("action `{}` is declared twice", form.written());
            notes.report.say_twice(Code::ActionTwice, span, first, text, "rename one of the two");
        }
        let [parameters, condition, effect] = parts_of_action(section, notes);
        let mut body = Context { notes, names, scope: Scope::default(), in_domain: true };
        let parameters = parameters.map(|list| body.enter(list)).unwrap_or_default();
        let condition = condition.map(|form| body.condition(form, 0)).unwrap_or_default();
        let (effects, changes, cost) =
            effect.map(|form| effects(form, &mut body)).unwrap_or_default();
        let n_variables = body.scope.n_variables();
        if effects.is_empty() && changes.is_empty() && !notes.report.has_errors() {
            let text = format!("action `{name}` changes nothing");
            let cure = "give it an effect, as in `:effect (p ?x)`, or remove it";
            notes.report.say(Code::ChangesNothing, span, text, cure);
        }
        let name = name.to_string();
        let action =
            Action { name, parameters, n_variables, condition, effects, changes, cost, span };
        self.list.push(action);
    }
}

/// The parameters, the condition and the effect of an action, as they stand in the text.
fn parts_of_action<'t>(section: Form<'t>, notes: &mut Notes<'t>) -> [Option<Form<'t>>; 3] {
    let mut parts = [None; 3];
    let is_keyword = |form: &Form<'t>| form.word().is_some_and(|word| word.starts_with(':'));
    let mut forms = section.rest().skip(1).peekable();
    while let Some(form) = forms.next() {
        let Some(keyword) = form.word().filter(|_| is_keyword(&form)) else {
            let text = format!("a keyword is expected here, not `{}`", form.written());
            let cure = "write `:parameters`, `:precondition` or `:effect` before it; several conditions or effects stand in one `(and …)`";
            notes.expected(form.head_span(), text, cure);
            continue;
        };
        let value = forms.next_if(|next| !is_keyword(next));
        if let Some(first) = value.filter(|first| !first.is_list()) {
            let more =
                std::iter::from_fn(|| forms.next_if(|next| !next.is_list() && !is_keyword(next)));
            notes.words_without_parentheses(&format!("what follows `{keyword}`"), first, more);
            continue;
        }
        let part = match keyword {
            ":parameters" => &mut parts[0],
            ":precondition" | ":preconditions" => &mut parts[1],
            ":effect" | ":effects" => &mut parts[2],
            _ => {
                match feature_of_section(keyword) {
                    Some(feature) => notes.refuse(feature, form, &format!("`{keyword}`")),
                    None => notes.unknown_keyword(form.span(), keyword, &PARTS),
                }
                continue;
            }
        };
        if part.is_some() {
            let text = format!("`{keyword}` stands twice in one action");
            let cure = "put both into one list, with `and`";
            notes.report.say(Code::ClauseTwice, form.span(), text, cure);
        } else if value.is_none() {
            let text = format!("nothing follows `{keyword}`");
            let cure = "write `()` after it if it is empty, or remove it";
            notes.expected(form.span(), text, cure);
        } else {
            *part = value;
        }
    }
    parts
}

/// A rule whose head is read.
pub(super) struct Head<'t> {
    form: Form<'t>,
    predicate: PredicateId,
    parameters: Vec<Parameter>,
    scope: Scope<'t>,
    body: Form<'t>,
}

/// The head of `(:derived (p ?x - t) condition)`. Heads are read before any action is, so that
/// no action sets what is derived.
pub(super) fn read_head<'t>(
    section: Form<'t>,
    names: &mut Names<'t>,
    notes: &mut Notes<'t>,
) -> Option<Head<'t>> {
    notes.requirements.uses(features::DERIVED, section.head_span());
    let [form, body] = notes.exactly(section, "(:derived (p ?x - t) (q ?x))")?;
    let Some(name) = form.head() else {
        let text = format!("a predicate is expected here, not `{}`", form.written());
        notes.expected(form.head_span(), text, "write the head as in `(p ?x - t)`");
        return None;
    };
    let mut scope = Scope::default();
    let parameters = scope.enter(form.rest(), &names.types, notes);
    let Names { types, predicates, .. } = names;
    let predicate = predicates.find(form, name, parameters.len(), types, notes)?;
    predicates.list[predicate.index()].is_derived = true;
    Some(Head { form, predicate, parameters, scope, body })
}

/// The rule of a head, if there is room for one after so many.
pub(super) fn read_rule<'t>(
    head: Head<'t>,
    so_far: usize,
    names: &mut Names<'t>,
    notes: &mut Notes<'t>,
) -> Option<Axiom> {
    let Head { form, predicate, parameters, scope, body } = head;
    if !notes.has_room_for_another(so_far, "rules", form.head_span()) {
        return None;
    }
    let mut reader = Context { notes, names, scope, in_domain: true };
    let condition = reader.condition(body, 0);
    let n_variables = reader.scope.n_variables();
    Some(Axiom { predicate, parameters, n_variables, condition, span: form.span() })
}

/// Reports rules that lead through `not` back to their own head.
pub(super) fn check_strata(predicates: &[Predicate], axioms: &[Axiom], notes: &mut Notes<'_>) {
    let Err(circles) = strata(predicates, axioms) else { return };
    for (axiom, through) in circles {
        let head = &predicates[axioms[axiom].predicate.index()].name;
        let denied = &predicates[through.index()].name;
        let text = if head == denied {
            format!("`{head}` is derived from its own opposite")
        } else {
            format!(
                "`{head}` is derived from the opposite of `{denied}`, which is derived from `{head}`"
            )
        };
        let cure = "break the circle: a rule may deny only what does not depend on its head";
        notes.report.say(Code::PddlNotStratified, axioms[axiom].span, text, cure);
    }
}
