//! Names of a question, found in the model; and what is wrong with a question.
//!
//! In:   a model, a name.
//! Out:  the thing of that name; or that there is none, with the nearest name that there is.
//! Cost: one hash look-up per name.

use crate::state::{Value, read};
use throng_base::DidYouMean;
use throng_domain::Model;
use throng_domain::model::Variable;

/// Why a question cannot be asked of this model.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum QuestionError {
    /// Nothing has or had this name.
    UnknownName {
        /// What it was asked for as: `NPC type`, `variable` or `check`.
        what: &'static str,
        /// The name asked for.
        name: String,
        /// The nearest known name.
        nearest: Option<String>,
    },
    /// The variable has no such value.
    UnknownValue {
        /// The variable, by its present name.
        variable: String,
        /// The value asked for.
        value: String,
        /// The nearest of its values.
        nearest: Option<String>,
    },
    /// `from` gives a variable two values, or `to` wants two of it.
    TwoValues {
        /// Whether it is `to` that does.
        at_end: bool,
        /// The variable, by its present name.
        variable: String,
        /// The value named first.
        first: String,
        /// The other value.
        second: String,
    },
    /// The variable is compared by size, but is no amount.
    NoAmount {
        /// The variable, by its present name.
        variable: String,
    },
}

throng_base::error! { QuestionError {
    Self::UnknownName { what: "check", name, nearest } =>
        "no action asks for a check `{name}`{}", DidYouMean(nearest.as_deref());
    Self::UnknownName { what, name, nearest } =>
        "unknown {what} `{name}`{}", DidYouMean(nearest.as_deref());
    Self::UnknownValue { variable, value, nearest } =>
        "`{variable}` has no value `{value}`{}", DidYouMean(nearest.as_deref());
    Self::TwoValues { at_end: true, variable, first, second } =>
        "`{variable}` cannot end both `{first}` and `{second}`";
    Self::TwoValues { variable, first, second, .. } =>
        "`{variable}` cannot start both `{first}` and `{second}`";
    Self::NoAmount { variable } => "`{variable}` is no amount: its values have no size";
} }

/// Nothing has this name.
pub(crate) fn unknown<'n>(
    what: &'static str,
    name: &str,
    known: impl Iterator<Item = &'n str>,
) -> QuestionError {
    QuestionError::UnknownName { what, name: name.to_string(), nearest: nearest(name, known) }
}

/// A variable by its present or a former name.
pub(crate) fn find_variable<'m>(
    model: &'m Model,
    name: &str,
) -> Result<&'m Variable, QuestionError> {
    let found = model.find_variable(name).map(|id| &model[id]);
    found.ok_or_else(|| unknown("variable", name, model.variables().iter().map(Variable::name)))
}

/// A value of a variable by name.
pub(crate) fn find_value<'m>(
    variable: &'m Variable,
    value: &str,
) -> Result<Value<'m>, QuestionError> {
    read(variable, value).ok_or_else(|| QuestionError::UnknownValue {
        variable: variable.name().to_string(),
        value: value.to_string(),
        // A number that is not in the range has no near one worth guessing.
        nearest: variable
            .values()
            .words()
            .and_then(|words| nearest(value, words.iter().map(String::as_str))),
    })
}

/// The nearest known name, owned.
pub(crate) fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<String> {
    throng_base::nearest(name, known).map(str::to_string)
}
