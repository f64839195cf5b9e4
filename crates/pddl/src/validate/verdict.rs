//! What the validator says of a plan.

use throng_base::DidYouMean;
use throng_domain::Cost;

/// The judgement.
#[must_use]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Every step can be done and the goal holds at the end.
    Valid {
        /// How many steps.
        length: usize,
        /// What they cost together; without a metric every step costs 1.
        cost: Cost,
    },
    /// A step fails, or the goal does not hold.
    Invalid(Failure),
}

impl Verdict {
    /// Whether the plan is valid.
    pub fn is_valid(&self) -> bool {
        matches!(self, Verdict::Valid { .. })
    }
}

/// The first thing that fails.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The step, from 1; `None` if all steps can be done and the goal does not hold.
    pub step: Option<usize>,
    /// The line of the step in its file, from 1; 0 if there is none.
    pub line: u32,
    /// The step as it is written: `(move a b)`; empty for the goal.
    pub written: String,
    /// Why.
    pub why: Why,
}

/// Why a step or the goal fails.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// The domain has no such action; the nearest name.
    UnknownAction(Option<String>),
    /// The task has no such object; the nearest name.
    UnknownObject(String, Option<String>),
    /// The action has so many parameters, and the step gives so many arguments.
    WrongCount(usize, usize),
    /// The object is not of the parameter's type: object, parameter, types.
    WrongType(String, String, String),
    /// The smallest part of the condition that does not hold, in words.
    Unmet(String),
    /// The function that says what the step costs has no value.
    NoCost(String),
    /// A function that is changed has no value.
    NoValue(String),
    /// A function would become two values at once.
    TwoValues(String),
    /// A function would become larger than can be counted.
    TooLarge(String),
}

throng_base::display! { Failure {
    Self { step: Some(step), written, why, .. } => "step {step} {written} {why}";
    Self { why, .. } => "after the last step the goal {why}";
} }

throng_base::display! { Why {
    Self::UnknownAction(nearest) =>
        "names an action that the domain does not have{}", DidYouMean(nearest.as_deref());
    Self::UnknownObject(name, nearest) =>
        "names `{name}`, an object that the task does not have{}", DidYouMean(nearest.as_deref());
    Self::WrongCount(expected, given) =>
        "has {given} arguments, and the action has {expected} parameters";
    Self::WrongType(object, parameter, types) =>
        "has {object} for ?{parameter}, which must be of type {types}";
    Self::Unmet(part) => "needs {part}";
    Self::NoCost(value) => "costs {value}, which has no value";
    Self::NoValue(value) => "counts with {value}, which has no value";
    Self::TwoValues(value) => "would give {value} two values at once";
    Self::TooLarge(value) => "would make {value} larger than can be counted";
} }
