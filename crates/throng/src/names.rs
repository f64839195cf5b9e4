//! Names that nobody knows.

use std::error::Error;
use std::fmt;

/// A name that the domain does not have, with the nearest one that it does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownName {
    /// What was looked for: `variable`, `value`, `action`, `goal`, `NPC type`, `check`.
    pub what: &'static str,
    /// The name as given.
    pub name: String,
    /// The variable, if a value of it was looked for.
    pub of: Option<String>,
    /// The nearest known name.
    pub nearest: Option<String>,
    /// Some or all known names, for a message.
    pub known: Vec<String>,
}

impl UnknownName {
    pub(crate) fn new(
        what: &'static str,
        name: &str,
        nearest: Option<&str>,
        known: &[String],
    ) -> Self {
        UnknownName {
            what,
            name: name.to_string(),
            of: None,
            nearest: nearest.map(str::to_string),
            known: known.iter().take(12).cloned().collect(),
        }
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown {} `{}`", self.what, self.name)?;
        if let Some(of) = &self.of {
            write!(f, " of `{of}`")?;
        }
        match &self.nearest {
            Some(nearest) => write!(f, "; did you mean `{nearest}`?"),
            None if self.known.is_empty() => write!(f, "; the domain has none"),
            None => write!(f, "; known are: {}", self.known.join(", ")),
        }
    }
}

impl Error for UnknownName {}
