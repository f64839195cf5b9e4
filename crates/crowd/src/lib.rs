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

pub mod memo;
pub mod plans;
pub mod pool;
pub mod space;
pub mod table;
pub mod table_file;

#[cfg(test)]
mod smithy;
