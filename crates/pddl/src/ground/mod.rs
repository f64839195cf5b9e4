//! From a lifted task to a ground one: every action with every useful choice of objects.
//!
//! ```text
//! lifted ─▶ normalise ─▶ reach ─────────────▶ invariants ─▶ build ─▶ named task
//!           bodies to    joins, then each      groups of     variables, operators,
//!           join         instance, then what   facts, one    rules, names
//!                        can become true       at a time
//! ```
//!
//! In:   a [`Lifted`] task.
//! Out:  a [`Grounded`] task, or a [`GroundError`] that says what to change.
//! Cost: the joins of the actions' conditions over the facts that can become true; bounded by
//!       [`Limits`], which are counts.
//!
//! Nothing that can never happen comes out: no operator that cannot become applicable even if
//! nothing were ever lost, no fact that never or always holds, no variable that no goal ever
//! asks for. Plan lengths and costs are those of the lifted task. The order is that of the
//! files: operators by action, then by their objects.

mod balance;
mod body;
mod build;
mod candidates;
mod costs;
mod counted;
mod cover;
mod dominated;
mod expand;
mod formula;
mod grounded;
mod instantiate;
mod invariants;
mod join;
mod knowledge;
mod layers;
mod limits;
mod normalise;
mod operators;
mod propositional;
mod prune;
mod reach;
mod rebuild;
mod relation;
mod relevance;
mod split;
mod subsets;
mod unreachable;
mod without_numbers;

use crate::lifted::Lifted;
use build::{build, without_plan};
use instantiate::instantiate;
use invariants::{invariants, prune_known};
use knowledge::Knowledge;
use limits::Guard;
use normalise::{Normal, normalise};
use prune::prune;
use reach::{Reached, false_part, reach, with_names};
use relation::Relation;
use unreachable::Halt;

pub use counted::{GroundedCounting, ground_counted};
pub use grounded::{Counts, Grounded};
pub use limits::{ATOM_BYTES, EFFECT_LITERALS, GroundError, LITERAL_BYTES, Limits, OPERATOR_BYTES};
pub use unreachable::Unreachable;

/// A part of grounding, for callers that measure them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// Conditions become bodies to join.
    Normalise,
    /// What can become true, and every instance of every action.
    Reach,
    /// Groups of facts of which at most one holds.
    Invariants,
    /// Variables, operators and names.
    Build,
}

/// Grounds a task. `stop` is asked every so often.
///
/// # Errors
///
/// If a limit is reached, `stop` says so, a cost is missing, the axioms have no order or the task
/// has numbers.
pub fn ground(
    lifted: &Lifted,
    limits: &Limits,
    stop: Option<&dyn Fn() -> bool>,
) -> Result<Grounded, GroundError> {
    ground_observed(lifted, limits, stop, &mut |_| {})
}

/// Grounds a task and says at the beginning of each phase that it begins.
///
/// # Errors
///
/// As [`ground`].
pub fn ground_observed(
    lifted: &Lifted,
    limits: &Limits,
    stop: Option<&dyn Fn() -> bool>,
    observer: &mut dyn FnMut(Phase),
) -> Result<Grounded, GroundError> {
    if lifted.has_numbers() {
        return Err(GroundError::Numbers);
    }
    let guard = &Guard::new(limits, stop);
    observer(Phase::Normalise);
    let normal = normalise(lifted, guard).map_err(|why| with_names(why, lifted, &[], &[]))?;
    let mut relations = Vec::new();
    let mut counts = Counts::default();
    let mut left = vec![Phase::Build, Phase::Invariants, Phase::Reach];
    let mut begin = || {
        guard.begin_phase();
        left.pop().into_iter().for_each(&mut *observer);
    };
    let made = phases(lifted, &normal, &mut relations, &mut counts, guard, &mut begin);
    made.or_else(|halt| {
        let reached = Reached::new(lifted, &normal, &relations);
        let unreachable = halt.told(|fact| reached.pddl(fact));
        let named = |why| with_names(why, lifted, &normal.schemas, &relations);
        let unreachable = unreachable.map_err(named)?;
        left.into_iter().rev().for_each(observer);
        Ok(without_plan(lifted, unreachable, counts))
    })
}

/// All that follows once the conditions are bodies to join.
fn phases(
    lifted: &Lifted,
    normal: &Normal,
    relations: &mut Vec<Relation>,
    counts: &mut Counts,
    guard: &Guard<'_>,
    begin: &mut dyn FnMut(),
) -> Result<Grounded, Halt> {
    begin();
    reach(lifted, normal, relations, guard)?;
    let made = instantiate(lifted, normal, relations, guard)?;
    counts.joins = guard.work_done();
    let reached = Reached::new(lifted, normal, relations);
    let ground = made.ok_or_else(|| Halt::Goal(false_part(&reached)))?;
    let ground = prune(&ground, &Knowledge::default(), guard)?;
    begin();
    let (groups, known) = invariants(&reached, &ground, guard)?;
    counts.joins += guard.work_done();
    counts.groups = groups.len();
    let ground = prune_known(ground, &known, guard)?;
    begin();
    build(&reached, &ground, &groups, *counts, guard)
}
