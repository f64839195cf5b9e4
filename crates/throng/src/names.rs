//! Names that a domain does not have, and costs that no action can have.

use std::error::Error;
use std::fmt;
use throng_base::DidYouMean;
use throng_domain::Cost;
use throng_domain::names::template_of;

/// A name that the domain does not have, with the nearest one that it does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownNameError {
    /// What was looked for: `variable`, `value`, `action`, `goal`, `NPC type`, `check`.
    pub what: &'static str,
    /// The name as given.
    pub name: String,
    /// The variable, if a value of it was looked for.
    pub of: Option<String>,
    /// The nearest known name.
    pub nearest: Option<String>,
    /// Whether the name is that of a template, and `known` are the names made of it.
    pub is_template: bool,
    /// Some or all known names, for a message; a range such as `0..6` stands for its numbers.
    pub known: Vec<String>,
    /// How many more are known.
    pub more: u32,
}

/// Most known names in a message.
const LISTED: usize = 12;

impl UnknownNameError {
    pub(crate) fn new<'n>(
        what: &'static str,
        name: &str,
        nearest: Option<&str>,
        known: impl Iterator<Item = &'n str> + Clone,
    ) -> Self {
        // Of a template one knows the name before one knows its parameters.
        let nearest =
            nearest.or_else(|| throng_base::nearest(name, known.clone().filter_map(template_of)));
        let is_template = known.clone().any(|known| template_of(known) == Some(name));
        let mut all = known.filter(|known| !is_template || template_of(known) == Some(name));
        UnknownNameError {
            what,
            name: name.to_string(),
            of: None,
            nearest: nearest.map(str::to_string),
            is_template,
            known: all.by_ref().take(LISTED).map(str::to_string).collect(),
            more: u32::try_from(all.count()).unwrap_or(u32::MAX),
        }
    }
}

impl fmt::Display for UnknownNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = match self.more {
            0 => self.known.join(", "),
            more => format!("{}, … and {more} more", self.known.join(", ")),
        };
        if self.is_template {
            let (name, what) = (&self.name, self.what);
            return write!(f, "`{name}` is a template of {what}s; name one of them: {known}");
        }
        write!(f, "unknown {} `{}`", self.what, self.name)?;
        if let Some(of) = &self.of {
            write!(f, " of `{of}`")?;
        }
        match &self.nearest {
            Some(nearest) => DidYouMean(Some(nearest)).fmt(f),
            None if self.known.is_empty() => write!(f, "; the domain has none"),
            None => write!(f, "; known are: {known}"),
        }
    }
}

impl Error for UnknownNameError {}

/// Why an action cannot cost that.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CostError {
    /// There is no such action.
    Unknown(UnknownNameError),
    /// The cost is zero or above [`Cost::MAX`].
    OutOfRange(Cost),
}

impl fmt::Display for CostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CostError::Unknown(unknown) => unknown.fmt(f),
            CostError::OutOfRange(cost) => {
                write!(f, "a cost must be above 0 and at most {}, not {cost}", Cost::MAX)
            }
        }
    }
}

impl Error for CostError {}
