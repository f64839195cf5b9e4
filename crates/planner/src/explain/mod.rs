//! Why this plan, why not another, why none, and the nearest change that would give one.
//!
//! In:   a problem, and the plan or the reason that an engine gave.
//! Out:  data; sentences get their names and places from the domain's source map.
//! Cost: each file says its own. Nothing here is meant for the frame: it allocates.
//!
//! 1. `causes`: what each step of a plan needs and what it enables.
//! 2. `partial_order`: which steps must come before which.
//! 3. `alternatives`: the cheapest plans that differ.
//! 4. `chain`: the reason of "no plan", link by link, with places.
//! 5. `asked`: a question that can be changed; `change`: the single changes; `fixes`: those that
//!    give a plan, found by planning; of amounts how much more or less it takes (`nearest_value`),
//!    and how much less an action would have to ask (`loosen`).
//! 6. `not_used`: why one action is not in the plan.
//! 7. `usable`: which actions can be in any plan at all.

mod alternatives;
mod asked;
mod causes;
mod chain;
mod change;
mod fixes;
mod loosen;
mod nearest_value;
mod not_used;
mod partial_order;
mod usable;

pub use alternatives::{AlternativePlan, Distinctness, EnumerationEnd, Ways, alternatives};
pub use asked::Asked;
pub use causes::{CauseSource, Causes, StepCondition, Use, causes};
pub use chain::{CausalLink, chain};
pub use change::Change;
pub use fixes::{Fix, FixLimits, Fixes, Group, fixes};
pub use not_used::{NotUsed, not_used};
pub use partial_order::{PartialOrder, partial_order};
pub use usable::{Circumstances, Undecided, Usable, UsableLimits, Usage, usable};
