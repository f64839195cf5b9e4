//! Lists of names with types: `a b - truck c - (either car bike) d`.
//!
//! In:   the forms of the list.
//! Out:  groups: names, and the forms of their types.
//! Cost: linear.
//!
//! The names may be words (objects, types, variables) or lists (functions).

use super::reader::Reader;
use super::requirements::Feature;
use super::tree::{Form, Parts};
use super::variables::Scope;
use crate::lifted::{Parameter, TypeId};
use throng_domain::Code;

/// Names that share their types.
pub(super) struct Group<'t> {
    /// The names.
    pub(super) names: Vec<Form<'t>>,
    /// The forms of their types; none if the list does not say.
    pub(super) types: Vec<Typed<'t>>,
}

/// The name of a type as a list says it.
#[derive(Clone, Copy)]
pub(super) struct Typed<'t> {
    /// Where it stands.
    pub(super) form: Form<'t>,
    /// Its name, without a `-` that was glued to it; `None` for a list in its place.
    pub(super) name: Option<&'t str>,
}

impl<'t> Reader<'t> {
    /// The groups of a list.
    pub(super) fn groups(&mut self, forms: Parts<'t>) -> Vec<Group<'t>> {
        let mut groups = Vec::new();
        let mut names = Vec::new();
        let mut forms = forms.peekable();
        while let Some(form) = forms.next() {
            let types = match form.word() {
                Some("-") => match forms.next() {
                    Some(of) => self.alternatives(of),
                    None => {
                        let text = "no type follows this `-`";
                        self.expected(
                            form.span(),
                            text,
                            "write the type after it, as in `?x - truck`",
                        );
                        Vec::new()
                    }
                },
                Some(word) if word.starts_with('-') => {
                    self.is_glued(form, word);
                    vec![Typed { form, name: word.strip_prefix('-') }]
                }
                _ => {
                    names.push(form);
                    continue;
                }
            };
            self.requirements.uses(Feature::Typing, form.span());
            if names.is_empty() {
                let text = "no name stands before this `-`";
                self.expected(form.span(), text, "write the names first: `a b - truck`");
            }
            groups.push(Group { names: std::mem::take(&mut names), types });
        }
        if !names.is_empty() {
            groups.push(Group { names, types: Vec::new() });
        }
        groups
    }

    /// A type, or all of `(either a b)`.
    fn alternatives(&mut self, of: Form<'t>) -> Vec<Typed<'t>> {
        if of.head() != Some("either") {
            return vec![Typed { form: of, name: of.word() }];
        }
        if of.rest().next().is_none() {
            let text = "`either` without a type";
            self.expected(of.span(), text, "name the types: `(either car bike)`");
        }
        of.rest().map(|form| Typed { form, name: form.word() }).collect()
    }

    fn is_glued(&mut self, form: Form<'t>, word: &str) {
        let name = word.trim_start_matches('-');
        let text = format!("no blank between `-` and the type in `{}`", form.written());
        self.report.say(Code::PddlGluedType, form.span(), text, format!("write `- {name}`"));
    }

    /// The types of a group; `object` if the list does not say.
    pub(super) fn types_of(&mut self, group: &Group<'t>) -> Vec<TypeId> {
        let mut types = Vec::new();
        for typed in &group.types {
            let known = typed.name.and_then(|name| self.types.get(name).copied());
            // What was glued has been told already.
            let is_glued =
                typed.form.word().is_some_and(|word| word.len() > 1 && word.starts_with('-'));
            let id = match known {
                Some(id) => id,
                None if is_glued => TypeId(0),
                None => self.type_of(typed.form),
            };
            types.push(id);
        }
        if types.is_empty() {
            types.push(TypeId(0));
        }
        types.sort_unstable();
        types.dedup();
        types
    }

    /// Parameters in a scope: those of an action, a rule's head or a quantifier. They are
    /// visible until [`Scope::leave`] is called for as many.
    pub(super) fn parameters(&mut self, forms: Parts<'t>, scope: &mut Scope<'t>) -> Vec<Parameter> {
        let mut parameters: Vec<Parameter> = Vec::new();
        let first = scope.n_variables();
        for group in self.groups(forms) {
            let types = self.types_of(&group);
            for form in group.names {
                let Some(name) = form.word().and_then(|word| word.strip_prefix('?')) else {
                    let written = form.written();
                    let text = format!("a variable is expected here, not `{written}`");
                    let cure = format!(
                        "begin it with a question mark: `?{}`",
                        written.trim_matches(['(', ')'])
                    );
                    self.expected(form.span(), text, cure);
                    continue;
                };
                if !self.has_room(1 + types.len(), form.span()) {
                    return parameters;
                }
                if scope.variable(name).is_some_and(|known| known >= first) {
                    let text = format!("parameter `?{name}` stands twice in one list");
                    let cure = "rename one of them, or remove it";
                    self.report.say(Code::ParameterTwice, form.span(), text, cure);
                }
                let variable = scope.enter(name, types.clone());
                parameters.push(Parameter {
                    name: name.to_string(),
                    variable,
                    types: types.clone(),
                });
            }
        }
        parameters
    }
}
