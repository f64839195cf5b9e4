//! The variables that are visible at a place of an action, a rule or the goal.
//!
//! In:   lists of parameters, entered and left as the text nests.
//! Out:  numbers: each parameter its own, so that no two scopes share one.
//! Cost: a hash lookup per name, however deep the nesting.

use super::notes::Notes;
use super::tree::Form;
use super::typed::groups;
use super::types::Types;
use crate::lifted::{Parameter, TypeId};
use std::collections::HashMap;
use throng_domain::Code;

/// The variables of one action, rule or goal.
#[derive(Default)]
pub(super) struct Scope<'t> {
    /// Per name the variables that have it, the innermost last.
    visible: HashMap<&'t str, Vec<u32>>,
    /// Per variable its types.
    types: Vec<Vec<TypeId>>,
}

impl<'t> Scope<'t> {
    /// How many variables were ever entered.
    pub(super) fn n_variables(&self) -> usize {
        self.types.len()
    }

    /// Enters parameters: those of an action, a rule's head or a quantifier. They are visible,
    /// and hide outer ones of their names, until [`Scope::leave`] is called for as many.
    pub(super) fn enter(
        &mut self,
        forms: impl Iterator<Item = Form<'t>>,
        types: &Types<'t>,
        notes: &mut Notes<'t>,
    ) -> Vec<Parameter> {
        let mut parameters: Vec<Parameter> = Vec::new();
        let first = self.n_variables() as u32;
        for group in groups(forms, notes) {
            let types = types.of_group(&group, notes);
            for form in group.names {
                let Some(name) = form.word().and_then(|word| word.strip_prefix('?')) else {
                    let written = form.written();
                    let text = format!("a variable is expected here, not `{written}`");
                    let word = written.trim_matches(['(', ')']);
                    let cure = format!("begin it with a question mark: `?{word}`");
                    notes.expected(form.span(), text, cure);
                    continue;
                };
                if !notes.has_room(1 + types.len(), form.span()) {
                    return parameters;
                }
                if self.find(name).is_some_and(|known| known >= first) {
                    let text = format!("parameter `?{name}` stands twice in one list");
                    let cure = "rename one of them, or remove it";
                    notes.report.say(Code::ParameterTwice, form.span(), text, cure);
                }
                let variable = self.n_variables() as u32;
                self.types.push(types.clone());
                self.visible.entry(name).or_default().push(variable);
                let (name, types) = (name.to_string(), types.clone());
                parameters.push(Parameter { name, variable, types });
            }
        }
        parameters
    }

    /// Hides the innermost variables of these names again.
    pub(super) fn leave(&mut self, parameters: &[Parameter]) {
        for parameter in parameters {
            if let Some(variables) = self.visible.get_mut(parameter.name.as_str()) {
                variables.pop();
            }
        }
    }

    fn find(&self, name: &str) -> Option<u32> {
        self.visible.get(name)?.last().copied()
    }

    /// The innermost variable of a name, which begins with `?`; `None` after a mistake.
    pub(super) fn variable(
        &self,
        form: Form<'t>,
        name: &str,
        notes: &mut Notes<'t>,
    ) -> Option<u32> {
        let known = self.find(name);
        if known.is_none() {
            // A suggestion looks at all names: not for a text of nothing but mistakes.
            let is_cheap = self.n_variables() * notes.report.errors() < 1_000_000;
            let names = if is_cheap { self.names() } else { Vec::new() };
            let nearest =
                notes.report.nearest(name, names.into_iter()).map(|name| format!("?{name}"));
            let declare = format!("declare it among the parameters: `?{name}`");
            let what = (Code::PddlUnknownVariable, "variable");
            notes.unknown(what, (form.span(), &form.written()), nearest.as_deref(), declare);
        }
        known
    }

    /// The types of a variable.
    pub(super) fn types(&self, variable: u32) -> &[TypeId] {
        self.types.get(variable as usize).map_or(&[], Vec::as_slice)
    }

    /// The names that are visible, in the order they were entered.
    fn names(&self) -> Vec<&'t str> {
        let visible = self.visible.iter().filter_map(|(&name, all)| Some((*all.last()?, name)));
        let mut names: Vec<(u32, &str)> = visible.collect();
        names.sort_unstable();
        names.into_iter().map(|(_, name)| name).collect()
    }
}
