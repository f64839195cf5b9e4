//! What planning can come to, and how much work it may do.

use crate::proof::Proof;
use throng_domain::Cost;

/// What came out. An NPC without a plan is everyday life, not an error.
#[derive(Clone, PartialEq, Eq, Debug)]
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

/// The limit that ended a search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Limit {
    /// The number of states to expand.
    Nodes,
    /// The bytes of working memory.
    Memory,
    /// The caller's `stop` function said so.
    Stopped,
}

impl Limit {
    /// A stable word for programs.
    pub fn code(self) -> &'static str {
        match self {
            Limit::Nodes => "node_limit",
            Limit::Memory => "memory_limit",
            Limit::Stopped => "stopped",
        }
    }

    /// A sentence for people.
    pub fn sentence(self) -> &'static str {
        match self {
            Limit::Nodes => "the node limit was reached before an answer was found",
            Limit::Memory => "the memory limit was reached before an answer was found",
            Limit::Stopped => "the search was stopped before an answer was found",
        }
    }
}

/// What kind of plan is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Mode {
    /// Least total cost.
    #[default]
    Cheapest,
    /// Fewest actions, whatever they cost.
    Shortest,
    /// Any plan, soon.
    Fast,
}

/// How much work one call may do, in counts. Time is the caller's `stop` function.
#[derive(Clone, Copy)]
pub struct SearchBudget<'b> {
    /// States to expand.
    pub nodes: u64,
    /// Bytes of working memory for stored states.
    pub bytes: usize,
    /// Asked every thousand states or so; `true` ends the search.
    pub stop: Option<&'b dyn Fn() -> bool>,
}

impl SearchBudget<'_> {
    /// No limit but memory: one gigabyte.
    pub const DEFAULT: SearchBudget<'static> =
        SearchBudget { nodes: u64::MAX, bytes: 1 << 30, stop: None };
}

/// An outcome and what it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolverAnswer {
    /// What came out.
    pub outcome: Outcome,
    /// States expanded, over all calls that worked on this problem.
    pub nodes: u64,
}
