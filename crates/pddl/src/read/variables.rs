//! The variables that are visible at a place of an action, a rule or the goal.
//!
//! In:   lists of parameters, entered and left as the text nests.
//! Out:  numbers: each parameter its own, so that no two scopes share one.
//! Cost: a hash lookup per name, however deep the nesting.

use crate::lifted::{Parameter, TypeId};
use std::collections::HashMap;

/// The variables of one action, rule or goal.
#[derive(Default)]
pub(super) struct Scope<'t> {
    /// Per name the variables that have it, the innermost last.
    visible: HashMap<&'t str, Vec<u32>>,
    /// Per variable its types.
    types: Vec<Vec<TypeId>>,
    /// Whether the text is the domain's, where only constants are known.
    pub(super) in_domain: bool,
}

impl<'t> Scope<'t> {
    pub(super) fn new(in_domain: bool) -> Self {
        Scope { in_domain, ..Scope::default() }
    }

    /// How many variables were ever entered.
    pub(super) fn n_variables(&self) -> u32 {
        self.types.len() as u32
    }

    /// A new variable, which hides an outer one of its name.
    pub(super) fn enter(&mut self, name: &'t str, types: Vec<TypeId>) -> u32 {
        let variable = self.n_variables();
        self.types.push(types);
        self.visible.entry(name).or_default().push(variable);
        variable
    }

    /// Hides the innermost variables of these names again.
    pub(super) fn leave(&mut self, parameters: &[Parameter]) {
        for parameter in parameters {
            if let Some(variables) = self.visible.get_mut(parameter.name.as_str()) {
                variables.pop();
            }
        }
    }

    /// The innermost variable of a name.
    pub(super) fn variable(&self, name: &str) -> Option<u32> {
        self.visible.get(name)?.last().copied()
    }

    /// The types of a variable.
    pub(super) fn types(&self, variable: u32) -> &[TypeId] {
        self.types.get(variable as usize).map_or(&[], Vec::as_slice)
    }

    /// The names that are visible, in the order they were entered.
    pub(super) fn names(&self) -> Vec<&'t str> {
        let visible = self.visible.iter().filter_map(|(&name, all)| Some((*all.last()?, name)));
        let mut names: Vec<(u32, &str)> = visible.collect();
        names.sort_unstable();
        names.into_iter().map(|(_, name)| name).collect()
    }
}
