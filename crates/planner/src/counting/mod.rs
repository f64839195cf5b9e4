//! Planning with amounts: hunger, ammunition, gold. One action stays one action, whatever the range.
//!
//! In:   a problem in which some action counts, or something is asked of a range of values.
//! Out:  a cheapest (or shortest, or any) plan, a proof that there is none, or the limit hit.
//!
//! 1. `task`: the problem as numbers, and what actions mean; `found`: what a search came to.
//! 2. `reach`: the least that each value costs (h_max); `hull`: what can be had at all.
//! 3. `potential`: worths that no action raises by more than it costs; `solver` finds them by
//!    `simplex`.
//! 4. `backward`: the search from the goal back. `question`: what matters, with ends ignored;
//!    `layout`, `lane` and `demand`: sets of values in lanes, and regression, exact (`run_sets`: sets with
//!    holes); `swap` and `stubborn`: one order of what may be done in any; `cover`: demands within
//!    others; `estimate`: both estimates by lanes; `search` and `nodes`: the loop; `order`: the
//!    same steps, so that no end is in the way; `switches`: each of these off, for tests.
//!    `list`: the same for every start at once; `ray`: a proof in the task's own variables.
//! 5. `forward`: from what holds now; on `packed` states, with the `states` met, a `queue` of those
//!    that wait, and potentials as a `guide`; `greedy`: any plan, by a `guess`.
//! 6. `turns`: both for one answer; `others`: plans that differ.

mod backward;
mod cover;
mod demand;
mod estimate;
mod forward;
mod found;
mod greedy;
mod guess;
mod guide;
mod hull;
mod lane;
mod layout;
mod list;
mod nodes;
#[cfg(test)]
pub(crate) mod oracle;
mod order;
mod others;
mod packed;
mod potential;
mod question;
mod queue;
#[cfg(test)]
pub(crate) mod random;
mod ray;
mod reach;
mod run_sets;
#[cfg(test)]
pub(crate) mod samples;
mod search;
mod simplex;
mod solver;
mod states;
mod stubborn;
mod swap;
mod switches;
mod task;
#[cfg(test)]
mod tests;
mod turns;

pub use backward::Backward;
pub use forward::CountingForward;
pub use found::CountingFound;
pub use list::{DemandList, ListLimit, ListLimits, MOST_ENTRIES};
pub use others::{OtherPlans, OthersEnd, other_plans};
pub use potential::{Potential, Weight};
pub use ray::{Ray, RayWeight};
pub use reach::{NEVER, Reach};
pub use search::CountingProof;
pub use solver::{PotentialSolver, Weighed, Weighing};
pub use switches::Switches;
pub use task::{CountingChange, CountingTask, Effect, Need};
pub use turns::{Counting, Direction};
