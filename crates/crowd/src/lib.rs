//! Plans for crowds: columns of states in, columns of plans out.
//!
//! In:   NPCs of one type as columns, changed by the game or by the steps they finish.
//! Out:  a plan or a verdict per NPC, from the cheapest source that is exact: a table of all
//!       states, the wide kernel, a list of demands, a memory of answers, the planner itself,
//!       searches.
//! Cost: a look-up of a table is one load; each source says its own. A steady crowd allocates
//!       nothing.
//!
//! Nothing here does I/O, prints or reads a clock; budgets are counts. The same input gives the
//! same plans for any number of threads.

mod changes;
mod choice_search;
mod claims;
mod columns;
mod core;
mod crowd;
mod direct;
mod effects;
mod error;
mod footprint;
mod former;
mod goals;
mod groups;
mod ids;
mod kind;
mod ledger;
mod list;
mod lists;
pub mod memo;
mod memory;
mod no_table;
pub mod plans;
pub use throng_planner::pool;
mod population;
mod questions;
mod reload;
mod rows;
mod saved;
mod searches;
mod setter;
mod settings;
mod situations;
mod source;
pub mod space;
mod states;
pub mod table;
pub mod table_file;
mod tables;
mod turns;
mod wide;

pub use crowd::{Applied, Crowd, Idle, NpcEdit, Status, WaitingFor};
pub use error::CrowdError;
pub use goals::CrowdGoalId;
pub use groups::GroupId;
pub use list::NoListReason;
pub use no_table::NoTableReason;
pub use pool::Pool;
pub use population::Population;
pub use reload::{CrowdReloadError, Migration};
pub use rows::NpcHandle;
pub use saved::RestoreCrowdError;
pub use setter::Setter;
pub use settings::{CrowdSettings, FrameBudget, FrameReport, TablePolicy};
pub use source::{GoalSource, PlanSource, SourceReport};
pub use tables::{Prepared, TableProgress, TableStore};
