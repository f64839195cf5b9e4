//! The answer to a call: a plan, or why there is none.

use crate::budget::Limit;
use crate::proof::Proof;
use throng_domain::Cost;

/// The answer to a call. An NPC without a plan is everyday life, not an error.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use]
pub enum Outcome {
    /// A plan of this price is in the caller's buffer. It has been replayed.
    Plan {
        /// The sum of its actions' costs.
        cost: Cost,
    },
    /// The goal holds already.
    Satisfied,
    /// There is no plan: a proof, which says why if asked.
    Impossible(Proof),
    /// A limit was hit before an answer was found.
    GaveUp(Limit),
}

/// An outcome and what it took.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use]
#[non_exhaustive]
pub struct SolverAnswer {
    /// The answer.
    pub outcome: Outcome,
    /// States expanded, over all calls that worked on this problem.
    pub nodes: u64,
}
