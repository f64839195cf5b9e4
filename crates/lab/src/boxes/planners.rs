//! The planners that carry boxes: the plain one, the seed's in its variants, the grounded one.
//!
//! In:   a member of the family, as a lifted task.
//! Out:  what each came to and what it took, judged by the known length and by the validator.
//! Cost: a search each.
//!
//! All are breadth-first. The seed's and the plain one look for the goal when a state is taken
//! out, the grounded one when it is made: it meets fewer states for the same plan. Its time
//! includes grounding, whose work the others do in every state.

use crate::families::boxes::Boxes;
use crate::report::{BenchError, BenchResult};
use crate::seed::plain::{self, Answer};
use crate::seed::{self, Keep, Meter, Silent, Tuples};
use crate::tasks::lifted_of;
use throng_pddl::ground::{self, ground};
use throng_pddl::lifted::Lifted;
use throng_pddl::plan::PlanStep;
use throng_pddl::validate::validate;
use throng_planner::forward::{Found, Search};
use throng_planner::{Limit, SearchBudget};

/// Who.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Planner {
    /// Sets of trees, every choice of objects, a plan per state.
    Plain,
    /// As printed: all tuples of the columns.
    Seed(Keep),
    /// Grounded by reachability, packed variables.
    Grounded,
}

/// All of them, in the order of the tables; the third is the one that the others are compared
/// with.
pub(super) const PLANNERS: [Planner; 5] = [
    Planner::Plain,
    Planner::Seed(Keep::Combined),
    Planner::Seed(Keep::Arrays),
    Planner::Seed(Keep::Bits),
    Planner::Grounded,
];

/// The seed's planner as its readers know it.
pub(super) const SEED: Planner = Planner::Seed(Keep::Arrays);

impl Planner {
    /// A name for tables.
    pub(super) fn name(self) -> String {
        match self {
            Planner::Plain => "plain".to_string(),
            Planner::Seed(keep) => format!("seed, {}", keep.word()),
            Planner::Grounded => "grounded".to_string(),
        }
    }

    /// One word for the names of records and cases.
    pub(super) fn word(self) -> &'static str {
        match self {
            Planner::Plain => "plain",
            Planner::Seed(Keep::Arrays) => "array",
            Planner::Seed(Keep::Bits) => "bits",
            Planner::Seed(Keep::Combined) => "combined",
            Planner::Grounded => "grounded",
        }
    }
}

/// The member as its texts say it.
pub(super) fn task(member: &Boxes) -> BenchResult<Lifted> {
    let task = lifted_of([Boxes::pddl_domain(), &member.pddl_problem()]);
    Ok(task.ok_or_else(|| format!("{} is not read", member.name()))?)
}

/// Solves a member.
pub(super) fn carry(
    planner: Planner,
    task: &Lifted,
    stop: &dyn Fn() -> bool,
) -> BenchResult<Answer> {
    let budget = SearchBudget { bytes: 4 << 30, stop: Some(stop), ..SearchBudget::DEFAULT };
    match planner {
        Planner::Plain => {
            let answer = plain::solve(task, usize::MAX);
            Ok(answer.ok_or("the plain search does not take boxes")?)
        }
        Planner::Seed(keep) => seeded(task, keep, &budget, &mut Silent),
        Planner::Grounded => grounded(task, &budget),
    }
}

/// By the seed's planner, measured by anybody.
pub(super) fn seeded<M: Meter>(
    task: &Lifted,
    keep: Keep,
    budget: &SearchBudget<'_>,
    meter: &mut M,
) -> BenchResult<Answer> {
    let answer = seed::solve(task, keep, Tuples::Counted, budget, meter)?;
    Ok(Answer {
        plan: is_found(answer.found)?.then_some(answer.plan),
        expanded: answer.expanded,
        generated: answer.generated,
        states: answer.states as u64,
        bytes: answer.bytes.total() as u64,
        row_bytes: answer.bytes.rows as u64,
    })
}

fn grounded(task: &Lifted, budget: &SearchBudget<'_>) -> BenchResult<Answer> {
    let grounded = ground(task, &ground::Limits::default(), budget.stop);
    let grounded = grounded.map_err(|refusal| format!("{refusal:?}"))?;
    let mut search = Search::default();
    search.begin_breadth_first(&grounded.named.task);
    let found = search.run(&grounded.named.task, budget);
    let mut operators = Vec::new();
    if let Found::Goal(state) = found {
        search.extract_plan(state, &mut operators);
    }
    let step = |operator: u32| {
        let (action, arguments) = grounded.step(operator);
        (action as usize, arguments.to_vec())
    };
    let states = search.n_states() as u64;
    Ok(Answer {
        plan: is_found(found)?.then(|| operators.into_iter().map(step).collect()),
        expanded: search.nodes(),
        generated: search.generated(),
        states,
        bytes: search.bytes() as u64,
        row_bytes: search.state_bytes() as u64 * states,
    })
}

fn is_found(found: Found) -> BenchResult<bool> {
    match found {
        Found::Goal(_) => Ok(true),
        Found::Nothing => Ok(false),
        Found::Limit(Limit::Stopped) => Err(BenchError::Stopped),
        Found::Limit(limit) => Err(limit.sentence().into()),
    }
}

/// What is wrong with an answer, if anything.
pub(super) fn wrong(member: &Boxes, planner: Planner, task: &Lifted, got: &Answer) -> Vec<String> {
    let mut wrong = Vec::new();
    let length = got.plan.as_ref().map(|plan| plan.len() as u64);
    if length != member.plan_length() {
        wrong.push(format!("a plan of {length:?} actions, not {:?}", member.plan_length()));
    }
    if let Some(plan) = &got.plan {
        let steps: Vec<PlanStep> =
            plan.iter().map(|(action, objects)| PlanStep::of(task, *action, objects)).collect();
        if !validate(task, &steps).is_valid() {
            wrong.push("the plan is not valid".to_string());
        }
    }
    // What is known of states holds where the goal is looked for as the family says.
    if planner != Planner::Grounded {
        let counts = (got.expanded, got.states, got.generated);
        let known = member.figures().map(|known| (known.expanded, known.distinct, known.generated));
        if known.is_some_and(|known| known != counts && planner != Planner::Plain) {
            wrong.push(format!("expanded, distinct, generated {counts:?}, not {known:?}"));
        }
        if member.unsolvable && Some(u128::from(got.states)) != member.reachable() {
            wrong.push(format!("{} states, not {:?}", got.states, member.reachable()));
        }
    }
    let who = format!("{}, {}", member.name(), planner.name());
    wrong.into_iter().map(|what| format!("{who}: {what}")).collect()
}
