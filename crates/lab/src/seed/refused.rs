//! What the seed's planner does not take, and where it is.
//!
//! In:   a feature of a task, and where it was met.
//! Out:  words for people.

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
    /// Numbers that are compared or changed.
    Numbers,
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

throng_base::display! { Where {
    Self::Action(_, name) => "action `{name}`";
    Self::Goal => "the goal";
    Self::Domain => "the domain";
} }

throng_base::display! { Feature {
    Self::Disjunction => "an `or`, `imply` or negated group";
    Self::Quantifier => "a quantifier";
    Self::ConditionalEffect => "a conditional or universal effect";
    Self::Derived => "derived predicates";
    Self::Numbers => "numeric fluents";
    Self::ManyParameters => "more than 256 parameters";
} }

throng_base::error! { SeedError {
    Self { feature: feature @ Feature::ManyParameters, place } => "{place} has {feature}, more than the lifted planner can number; use the grounded one";
    Self { feature, place } => "{place} has {feature}, and the lifted planner takes conjunctions of literals only; use the grounded one";
} }

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
