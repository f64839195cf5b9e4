//! The planning field's files: PDDL in its spellings, and `.sas`.
//!
//! ```text
//! domain.pddl ─┐                 ┌─▶ validate: a plan replayed on the task as written
//!              ├─▶ lifted task ──┤
//! problem.pddl ┘  (names, places)└─▶ ground ─▶ named task ─▶ planner::forward
//! .sas ────────────────────────────────────────────▲ │
//!                                                    └─▶ .sas
//! ```
//!
//! In:   texts.
//! Out:  a [`lifted::Lifted`] task or every mistake at once; a [`named::NamedTask`] to search.
//! Cost: linear in the text; grounding is bounded by limits that are counts.
//!
//! PDDL does not become a domain: it has conditional effects, axioms, tens of thousands of
//! actions. Nothing here does I/O, prints, reads a clock or panics.
#![forbid(unsafe_code)]

mod asking;
pub mod convert;
pub mod counted;
pub mod distance;
mod features;
mod graph;
pub mod ground;
pub mod lifted;
pub mod named;
pub mod plan;
pub mod read;
pub mod sas;
pub mod strata;
mod text;
pub mod validate;
