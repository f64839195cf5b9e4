//! The terms of a call: which kind of plan is wanted, how much work it may take, and the limit that
//! ended it.

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
        WORDS[self as usize].0
    }

    /// A sentence for people.
    pub fn sentence(self) -> &'static str {
        WORDS[self as usize].1
    }
}

/// The limits in words, in the order of the type.
const WORDS: [(&str, &str); 3] = [
    ("node_limit", "the node limit was reached before an answer was found"),
    ("memory_limit", "the memory limit was reached before an answer was found"),
    ("stopped", "the search was stopped before an answer was found"),
];

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
