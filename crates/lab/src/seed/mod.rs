//! The text-file planner of "Optimizing Practical Planning for Game AI" (seed 002), as described
//! there: forward, breadth-first, unifying actions with the state; everything shared by position.
//!
//! In:   a [`Lifted`] task of literals: negative preconditions and goals, equality, types and
//!       constants are served; `or`, quantifiers, conditional effects and derived predicates are
//!       refused by name. Costs are not looked at: plans are shortest.
//! Out:  a shortest plan, a proof that there is none, or the limit hit; what it took.
//! Cost: per state the product of the columns of each action's preconditions, see `unify`.
//!
//! 1. `narrow`: numbers in the smallest integer that fits.
//! 2. `shared`: atoms, signatures and states stored once and shared by position.
//! 3. `ranges`: an action's predicates in one array of six ranges.
//! 4. `schema`, `compile`: actions and the task made ready; `refused` says what is not served.
//! 5. `kept`: states as arrays, bit sets, or both.
//! 6. `unify`: columns, tuples, recorded positions.
//! 7. `search`: the loop; `meter` listens to it, or is not there.
//! 8. `plain`: the same without any of this, to compare with.

mod compile;
mod kept;
mod meter;
mod narrow;
pub mod plain;
mod ranges;
mod refused;
mod schema;
mod search;
mod shared;
mod unify;

pub use compile::Program;
pub use kept::{Arrays, Bits, Combined, Kept, States};
pub use meter::{Counting, Meter, PHASES, Phase, Silent};
pub use ranges::{Literals, Ranges, ordered};
pub use refused::{Feature, SeedError, Where};
pub use search::{Bytes, Search, Step};
pub use shared::Shared;
pub use unify::Tuples;

use throng_pddl::lifted::Lifted;
use throng_planner::SearchBudget;
use throng_planner::forward::Found;

/// How states are kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Keep {
    /// As sorted arrays of positions.
    #[default]
    Arrays,
    /// As bit sets.
    Bits,
    /// As arrays, computed as bit sets.
    Combined,
}

/// All ways to keep states.
pub const KEEPS: [Keep; 3] = [Keep::Arrays, Keep::Bits, Keep::Combined];

impl Keep {
    /// A word for tables.
    pub fn word(self) -> &'static str {
        match self {
            Keep::Arrays => "array",
            Keep::Bits => "bit set",
            Keep::Combined => "array, computed as bit set",
        }
    }
}

/// What a search came to, and what it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Goal, nothing or a limit.
    pub found: Found,
    /// The plan, if the goal was found.
    pub plan: Vec<Step>,
    /// States taken out whose successors were made.
    pub expanded: u64,
    /// Successors made, known states among them.
    pub generated: u64,
    /// Different states met.
    pub states: usize,
    /// Bytes in use at the end.
    pub bytes: Bytes,
}

/// Solves a task from the beginning.
///
/// # Errors
///
/// If the task has more than conjunctions of literals.
pub fn solve<M: Meter>(
    task: &Lifted,
    keep: Keep,
    tuples: Tuples,
    budget: &SearchBudget<'_>,
    meter: &mut M,
) -> Result<Answer, SeedError> {
    fn run<K: Kept, M: Meter>(
        program: Program,
        tuples: Tuples,
        budget: &SearchBudget<'_>,
        meter: &mut M,
    ) -> Answer {
        let mut search = Search::<K>::begin(program, tuples);
        let found = search.run(budget, meter);
        let plan = match found {
            Found::Goal(state) => search.plan(state),
            _ => Vec::new(),
        };
        Answer {
            found,
            plan: plan.into_iter().map(|signature| search.step(signature)).collect(),
            expanded: search.expanded(),
            generated: search.generated(),
            states: search.n_states(),
            bytes: search.bytes(),
        }
    }
    let program = Program::new(task)?;
    Ok(match keep {
        Keep::Arrays => run::<Arrays, M>(program, tuples, budget, meter),
        Keep::Bits => run::<Bits, M>(program, tuples, budget, meter),
        Keep::Combined => run::<Combined, M>(program, tuples, budget, meter),
    })
}

#[cfg(test)]
mod tests;
