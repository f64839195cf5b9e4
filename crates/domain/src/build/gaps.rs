//! What could not be read: names that are missing because of it are not reported again.

use crate::names;
use std::collections::HashSet;

/// What cannot be judged because a part of the text could not be read.
#[derive(Clone, Copy, Default)]
pub(crate) struct Unknown {
    /// A file is missing: any name may be declared in it.
    pub(crate) names: bool,
    /// An action is missing: any check may be asked for by it.
    pub(crate) checks: bool,
}

/// What is missing.
#[derive(Default)]
pub(super) struct Gaps {
    pub(super) unknown: Unknown,
    /// Names that a statement with a mistake would have declared.
    broken: HashSet<String>,
}

impl Gaps {
    /// Remembers a name whose declaration had a mistake; of a template's member, the template.
    pub(super) fn add_broken(&mut self, name: &str) {
        let name = names::template_of(name).unwrap_or(name);
        if !self.broken.contains(name) {
            self.broken.insert(name.to_string());
        }
    }

    /// Whether a name that is not declared follows from another mistake.
    pub(super) fn explain(&self, name: &str) -> bool {
        let base = names::template_of(name).unwrap_or(name);
        self.unknown.names || self.broken.contains(name) || self.broken.contains(base)
    }
}
