//! What the tests that cross crates stand on: the corpus, the oracle, random domains.
//!
//! Nothing depends on this crate; it may depend on all. The parts here are plain on purpose:
//! they judge the fast ones.
#![forbid(unsafe_code)]

pub mod blend;
pub mod edits;
pub mod golden;
pub mod grid;
pub mod minds;
pub mod mutate;
pub mod oracle;
pub mod page_blocks;
mod pages;
pub mod pddl;
pub mod random;
pub mod shrink;
pub mod tally;
pub mod what_if;
