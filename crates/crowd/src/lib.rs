//! Plans for crowds: columns of states in, columns of plans out.
//!
//! In:   NPCs of one type as columns, changed by the game or by the steps they finish.
//! Out:  a plan or a verdict per NPC, from the cheapest source that is exact: a table of all
//!       states, a memory of answers, the wide kernel, the planner itself.
//! Cost: a look-up of a table is one load; each source says its own. A steady crowd allocates
//!       nothing.
//!
//! Nothing here does I/O, prints or reads a clock; budgets are counts. The same input gives the
//! same plans for any number of threads.

mod answers;
mod apply;
mod changes;
mod choices;
mod course;
mod crowd;
mod digest;
mod direct;
mod effects;
mod following;
mod given;
mod goals;
mod groups;
mod idle;
mod ids;
pub mod memo;
mod people;
pub mod plans;
pub use throng_planner::pool;
mod population;
mod reload;
mod rows;
mod searches;
mod serve;
mod settings;
#[cfg(test)]
mod smithy;
mod source;
pub mod space;
mod states;
pub mod table;
pub mod table_file;
mod tables;
mod told;
mod turns;
mod wide;

pub use answers::Status;
pub use apply::Applied;
pub use crowd::Crowd;
pub use goals::GoalRef;
pub use groups::GroupRef;
pub use idle::Idle;
pub use pool::Pool;
pub use population::Population;
pub use reload::{CannotReload, Migration};
pub use rows::Handle;
pub use settings::{Budget, Report, Settings, Tables};
pub use source::{By, Source, Without};
pub use tables::{Prepared, Progress, TableStore};
