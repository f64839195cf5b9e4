//! Why a task is not written as PDDL.

/// Longer texts are not written: names that are repeated may make them very much longer than the
/// task.
pub(super) const MOST_BYTES: usize = 1 << 30;

/// Why a task is not written as PDDL.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WritePddlError {
    /// An operator's effects on one variable overrule each other in too many ways to write down.
    Effects {
        /// The operator at which the limit was reached.
        operator: String,
        /// The variable that it sets.
        variable: String,
    },
    /// The text has too many bytes.
    Text,
}

throng_base::error! { WritePddlError {
    Self::Effects { operator, variable } =>
        "the conditional effects of `{operator}` on `{variable}` are too many for PDDL, where \
         each must deny those that overrule it; write the task as `.sas` instead, or split the \
         operator";
    Self::Text =>
        "as PDDL the task has more than {MOST_BYTES} bytes; write it as `.sas` instead, or use \
         shorter names";
} }
