//! The words that begin statements and clauses: the planner's and those of notes.
//!
//! Each list of notes is written once, in [`crate::notes`], and joined to the planner's here.

use crate::notes;

/// The statement keywords, for messages and suggestions.
#[rustfmt::skip]
pub(crate) const STATEMENTS: [&str; 11 + notes::STATEMENTS.len()] = joined(
    ["domain", "use", "var", "shared", "action", "compound", "goal", "capability", "prefer", "npc",
     "test"],
    notes::STATEMENTS,
);

#[rustfmt::skip]
pub(crate) const ACTION_CLAUSES: &[&str] = &joined::<_, _, { 6 + notes::ACTION_CLAUSES.len() }>(
    ["while", "if", "cost", "kinds", "overrides", "was"],
    notes::ACTION_CLAUSES,
);
pub(crate) const COMPOUND_CLAUSES: &[&str] = &["if", "cost", "overrides", "was"];
pub(crate) const GOAL_CLAUSES: &[&str] = &joined::<_, _, { 3 + notes::GOAL_CLAUSES.len() }>(
    ["priority", "serves", "was"],
    notes::GOAL_CLAUSES,
);
pub(crate) const VARIABLE_CLAUSES: &[&str] = &["was"];
pub(crate) const NPC_CLAUSES: &[&str] = &joined::<_, _, { 4 + notes::NPC_CLAUSES.len() }>(
    ["can", "wants", "starts", "was"],
    notes::NPC_CLAUSES,
);
pub(crate) const TEST_CLAUSES: &[&str] = &["from", "goal", "to", "without", "only", "expect"];

/// All clauses, by statement.
pub(crate) const CLAUSES: [&[&str]; 6] =
    [ACTION_CLAUSES, COMPOUND_CLAUSES, GOAL_CLAUSES, VARIABLE_CLAUSES, NPC_CLAUSES, TEST_CLAUSES];

/// One list behind another; `BOTH` must be the sum of their lengths.
const fn joined<const FIRST: usize, const SECOND: usize, const BOTH: usize>(
    first: [&'static str; FIRST],
    second: [&'static str; SECOND],
) -> [&'static str; BOTH] {
    assert!(BOTH == FIRST + SECOND);
    let mut both = [""; BOTH];
    let mut at = 0;
    while at < BOTH {
        both[at] = if at < FIRST { first[at] } else { second[at - FIRST] };
        at += 1;
    }
    both
}
