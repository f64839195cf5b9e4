//! From a compiled domain and a problem to a plan, or a reason.
//!
//! ```text
//! NPC type ─┐                        ┌─▶ plan (replayed)
//! state ────┤                        ├─▶ satisfied
//! goal ─────┼─▶ Problem ─▶ planner ──┼─▶ impossible (a proof), with its Reason
//! context ──┘                        └─▶ gave up, at a Limit
//! ```
//!
//! In:   a [`Call`]: a [`Problem`] (who, from where, to where, which context checks hold) and
//!       what kind of plan is wanted.
//! Out:  an [`Outcome`], and the plan in the caller's buffer.
//! Cost: each engine says its own; all allocate nothing once their scratch is warm.
//!
//! Engines: [`topological`], linear where the domain's structure allows it; [`regressive`], from
//! the goal back, for what else games ask; [`forward`], from the start on, for everything. [`choose`]
//! says which serves a problem, and why; all callers ask through the [`Solver`].
#![deny(unsafe_code)]

mod absence;
mod any_of;
mod asks;
mod budget;
mod by_counting;
mod call;
pub mod choose;
pub mod classes;
mod commute;
pub mod context;
pub mod counting;
mod engine;
pub mod explain;
pub mod forward;
mod heuristic;
pub mod outcome;
pub mod pool;
pub mod preferences;
mod prepared;
pub mod problem;
mod proof;
pub mod reason;
pub mod regressive;
pub mod relaxed;
pub mod replay;
pub mod solve;
mod sync;
pub mod tables;
pub mod topological;

pub use absence::{Absence, WrongCheck};
pub use any_of::AnyOf;
pub use asks::Unmet;
pub use budget::{Limit, Mode, SearchBudget};
pub use call::Call;
pub use choose::EngineReason;
pub use context::{ActionMask, Checks, Context};
pub use engine::Engine;
pub use outcome::{Outcome, SolverAnswer};
pub use prepared::PreparedDomain;
pub use problem::{OutsideFact, OutsideRange, Problem};
pub use proof::Proof;
pub use reason::{Link, Reason, Root};
pub use solve::Solver;
