//! What the judge says: the verdict, and a failure as a sentence a designer understands.

use throng_domain::Cost;

/// Whether a plan does what it claims.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Every step can be taken and the goal holds at the end.
    Valid {
        /// The exact sum of the costs of its steps.
        cost: Cost,
    },
    /// It fails.
    Invalid(Failure),
}

/// Where a plan fails, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The step that cannot be taken, from 1; `None` if all can and the goal is not reached.
    pub step: Option<usize>,
    /// The action of that step, as the plan names it.
    pub action: Option<String>,
    /// What is wrong.
    pub why: FailureReason,
}

/// What is wrong with a step, or with the end.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FailureReason {
    /// No action has or had this name.
    UnknownAction {
        /// The nearest known name.
        nearest: Option<String>,
    },
    /// The action exists, but not for this type of NPC.
    NotForThisNpc,
    /// A context check has the wrong answer.
    CheckFails {
        /// The check.
        check: String,
        /// The answer that the action needs.
        expected: bool,
    },
    /// No kind of the action is possible.
    NoKind {
        /// For each kind its name, a check that has the wrong answer, and the one it needs.
        needs: Vec<(String, String, bool)>,
    },
    /// An enabled action takes this one's place.
    Overridden {
        /// The action that overrides it.
        by: String,
    },
    /// A required value does not hold.
    NeedsOtherValue {
        /// The variable.
        variable: String,
        /// The value that the action needs.
        needed: String,
        /// The value it has.
        is: String,
    },
    /// A value is required of a variable that is unknown.
    NeedsKnownValue {
        /// The variable.
        variable: String,
        /// The value that the action needs.
        needed: String,
    },
    /// One of some values is required, or that two amounts compare, and it is not so.
    NeedsOtherAmount {
        /// What the action needs, as the language writes it: `wood >= 3`.
        needed: String,
        /// The variable that is at fault.
        variable: String,
        /// The value it has; `None` if it is unknown.
        is: Option<String>,
    },
    /// The step would move an amount out of its range.
    LeavesRange {
        /// The amount.
        variable: String,
        /// What it would become.
        would_be: i64,
        /// The end of its range that it would pass.
        end: i64,
    },
    /// The step moves an amount that is unknown.
    NeedsKnownAmount {
        /// The amount.
        variable: String,
    },
    /// The plan ran to its end, but what is wished of a set of values, or of two amounts, does not
    /// hold.
    EndsElsewhere {
        /// What is wished, as the language writes it: `hp >= 50`.
        wanted: String,
        /// The variable that is at fault.
        variable: String,
        /// The value it has; `None` if it is unknown.
        is: Option<String>,
    },
    /// The plan ran to its end, but a wished value does not hold.
    GoalNotReached {
        /// The variable.
        variable: String,
        /// The wished value.
        wanted: String,
        /// The value it has; `None` if it is unknown.
        is: Option<String>,
    },
}

throng_base::display! { Failure {
    Self { step: Some(step), action: Some(action), why } => "step {step}, {action}: {why}";
    Self { step: Some(step), action: None, why } => "step {step}, ?: {why}";
    Self { why, .. } => "{why}";
} }

throng_base::display! { FailureReason {
    Self::UnknownAction { nearest: None } => "there is no such action";
    Self::UnknownAction { nearest: Some(nearest) } =>
        "there is no such action; did you mean {nearest}?";
    Self::NotForThisNpc => "this type of NPC cannot do it";
    Self::CheckFails { check, expected: true } => "is there only if {check}, which does not hold";
    Self::CheckFails { check, expected: false } =>
        "is there only if not {check}, but {check} holds";
    Self::NoKind { needs } => "none of its kinds is possible: {}", missing(needs);
    Self::Overridden { by } => "is not there because {by} overrides it";
    Self::NeedsOtherValue { variable, needed, is } =>
        "needs {variable} = {needed}, but {variable} is {is}";
    Self::NeedsKnownValue { variable, needed } =>
        "needs {variable} = {needed}, but {variable} is unknown";
    Self::NeedsOtherAmount { needed, variable, is } =>
        "needs {needed}; {}", stands(needed, variable, is.as_deref());
    Self::LeavesRange { variable, would_be, end } =>
        "would make {variable} {would_be}; it {} at {end}",
        if would_be > end { "ends" } else { "begins" };
    Self::NeedsKnownAmount { variable } => "needs {variable} to be known; it is unknown";
    Self::EndsElsewhere { wanted, variable, is } =>
        "at the end there should be {wanted}; {}", stands(wanted, variable, is.as_deref());
    Self::GoalNotReached { variable, wanted, is } =>
        "at the end {variable} should be {wanted}, but {variable} is {}",
        is.as_deref().unwrap_or("unknown");
} }

/// What each kind lacks.
fn missing(needs: &[(String, String, bool)]) -> String {
    let words = |(kind, check, expected): &(String, String, bool)| match expected {
        true => format!("{kind} needs {check}"),
        false => format!("{kind} needs not {check}"),
    };
    needs.iter().map(words).collect::<Vec<_>>().join(", ")
}

/// `it is 2`, or `price is 2` if the condition begins with another variable.
fn stands(condition: &str, variable: &str, is: Option<&str>) -> String {
    let first = condition.split(' ').next().unwrap_or_default();
    let who = if first.trim_start_matches('(') == variable { "it" } else { variable };
    format!("{who} is {}", is.unwrap_or("unknown"))
}
