//! What the validator says of a plan.

use std::fmt;
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
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.step {
            Some(step) => write!(f, "step {step} {} ", self.written)?,
            None => write!(f, "after the last step the goal ")?,
        }
        match &self.why {
            Why::UnknownAction(nearest) => {
                write!(f, "names an action that the domain does not have")?;
                DidYouMean(nearest.as_deref()).fmt(f)
            }
            Why::UnknownObject(name, nearest) => {
                write!(f, "names `{name}`, an object that the task does not have")?;
                DidYouMean(nearest.as_deref()).fmt(f)
            }
            Why::WrongCount(expected, given) => {
                write!(f, "has {given} arguments, and the action has {expected} parameters")
            }
            Why::WrongType(object, parameter, types) => {
                write!(f, "has {object} for ?{parameter}, which must be of type {types}")
            }
            Why::Unmet(part) => write!(f, "needs {part}"),
            Why::NoCost(value) => write!(f, "costs {value}, which has no value"),
        }
    }
}
