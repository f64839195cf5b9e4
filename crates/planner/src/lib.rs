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
//! says which serves a problem, and why; everybody asks through the [`Solver`].
#![deny(unsafe_code)]

mod absence;
mod any_of;
mod call;
pub mod choose;
pub mod context;
pub mod explain;
pub mod forward;
pub mod outcome;
pub mod pool;
pub mod problem;
mod proof;
pub mod reason;
pub mod regressive;
pub mod relaxed;
pub mod replay;
pub mod solve;
mod sync;
pub mod topological;
pub mod wishes;

pub use absence::WrongCheck;
pub use any_of::AnyOf;
pub use call::Call;
pub use choose::{Engine, EngineReason};
pub use context::{ActionMask, Checks, Context};
pub use outcome::{Limit, Mode, Outcome, SearchBudget, SolverAnswer};
pub use problem::{OutsideFact, Problem};
pub use proof::Proof;
pub use reason::{Link, Reason, Root};
pub use solve::Solver;
