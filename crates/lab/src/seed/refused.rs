//! What the seed's planner does not take, and where it is.
//!
//! In:   a feature of a task, and where it was met.
//! Out:  words for people.

use std::fmt;

/// A feature that is not served.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Feature {
    /// `or`, `imply`, or a negation of more than an atom.
    Disjunction,
    /// `exists` or `forall` in a condition.
    Quantifier,
    /// An effect with a condition or a `forall`.
    ConditionalEffect,
    /// Predicates that follow from rules.
    Derived,
    /// More parameters than a byte can number.
    ManyParameters,
}

/// Where it was met.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Where {
    /// In an action, by number and name.
    Action(usize, String),
    /// In the goal.
    Goal,
    /// In the domain as a whole.
    Domain,
}

/// Why the seed's planner does not take a task. The grounded planner takes all of these.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SeedError {
    /// What.
    pub feature: Feature,
    /// Where.
    pub place: Where,
}

impl fmt::Display for SeedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Where::Action(_, name) => write!(f, "action `{name}` has ")?,
            Where::Goal => f.write_str("the goal has ")?,
            Where::Domain => f.write_str("the domain has ")?,
        }
        f.write_str(match self.feature {
            Feature::Disjunction => "an `or`, `imply` or negated group",
            Feature::Quantifier => "a quantifier",
            Feature::ConditionalEffect => "a conditional or universal effect",
            Feature::Derived => "derived predicates",
            Feature::ManyParameters => "more than 256 parameters",
        })?;
        f.write_str(match self.feature {
            Feature::ManyParameters => ", more than the lifted planner can number",
            _ => ", and the lifted planner takes conjunctions of literals only",
        })?;
        f.write_str("; use the grounded one")
    }
}

impl std::error::Error for SeedError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_that_of_the_feature() {
        let text = |feature| SeedError { feature, place: Where::Action(0, "a".into()) }.to_string();
        assert_eq!(
            text(Feature::ManyParameters),
            "action `a` has more than 256 parameters, more than the lifted planner can number; \
             use the grounded one"
        );
        assert_eq!(
            text(Feature::Quantifier),
            "action `a` has a quantifier, and the lifted planner takes conjunctions of literals \
             only; use the grounded one"
        );
    }
}
