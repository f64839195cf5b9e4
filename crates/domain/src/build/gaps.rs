//! What could not be read: names that are missing because of it are not reported again.

use super::ModelBuilder;
use crate::names;

/// What cannot be judged because a part of the text could not be read.
#[derive(Clone, Copy, Default)]
pub(crate) struct Missing {
    /// The line that names the domain is missing.
    pub(crate) domain: bool,
    /// A file is missing: any name may be declared in it.
    pub(crate) names: bool,
    /// An action is missing: any check may be asked for by it.
    pub(crate) checks: bool,
}

impl ModelBuilder {
    /// Remembers a name whose declaration had a mistake; of a template's member, the template.
    pub(crate) fn add_broken(&mut self, name: &str) {
        let name = names::template_of(name).unwrap_or(name);
        if !self.broken.contains(name) {
            self.broken.insert(name.to_string());
        }
    }

    /// Whether it follows from another mistake that a name is not declared.
    pub(crate) fn is_explained(&self, name: &str) -> bool {
        let base = names::template_of(name).unwrap_or(name);
        self.missing.names || self.broken.contains(name) || self.broken.contains(base)
    }
}
