//! Tables of a small type, state by state against the planner.

use crate::plans::{PlanId, PlanStore};
use crate::pool::Pool;
use crate::table::smithy::{Case, compiled};
use crate::table::{PolicyTable, TableError, TableLimits};
use std::cell::Cell;
use throng_domain::compile::UNKNOWN;
use throng_planner::{Call, Context, Outcome, Problem, Solver};

#[test]
fn every_state_has_the_planners_plan() {
    for (goal, food, hot) in (0..8).map(|bits| (bits & 1, bits & 2 > 0, bits & 4 > 0)) {
        let case = Case::new(goal, food, hot);
        let (table, plans) = case.build(2, &TableLimits::DEFAULT);
        let table = table.unwrap();
        let npc = &case.domain.npcs()[0];
        assert_eq!(table.n_states(), 3 * 3 * 4, "the forge is shared");
        let mut solver = Solver::default();
        let mut problem = Problem::new(&case.domain, npc.id());
        let mut state = case.shared.clone();
        let mut n_plans = 0;
        for index in 0..table.n_states() {
            case.space().state_at(index, &mut state);
            let value = |at: usize| state[at];
            problem.fill(
                &case.domain,
                npc.id(),
                value,
                &case.goal,
                Context::new(&case.checks, &case.forbidden),
            );
            let id = table.plan(index);
            match solver.solve(&Call::new(&case.domain, &problem)) {
                Outcome::Plan { cost } => {
                    assert_eq!((plans.actions(id), plans.cost(id)), (&solver.plan[..], cost.0));
                    n_plans += 1;
                }
                Outcome::Satisfied => assert_eq!(id, PlanId::SATISFIED),
                Outcome::Impossible(_) => assert_eq!(id, PlanId::IMPOSSIBLE),
                Outcome::GaveUp(limit) => panic!("{limit:?}"),
            }
        }
        assert!(n_plans > 0);
    }
}

#[test]
fn threads_change_nothing_and_progress_is_told() {
    let case = Case::new(0, true, false);
    let (one, one_plans) = case.build(1, &TableLimits::DEFAULT);
    for threads in [2, 7] {
        let (table, plans) = case.build(threads, &TableLimits::DEFAULT);
        assert_eq!(table, one);
        let same = |id: &PlanId| plans.actions(*id) == one_plans.actions(*id);
        assert!(one.as_ref().unwrap().plans().iter().all(same));
    }
    let told = Cell::new((0, 0));
    let hear = |done, total| told.set((done, total));
    let (mut plans, pool) = (PlanStore::new(), Pool::new(1));
    let (question, space) = (case.question(), case.space());
    PolicyTable::build(&question, &space, &mut plans, &pool, &TableLimits::DEFAULT, &hear).unwrap();
    assert_eq!(told.get(), (36, 36));
}

#[test]
fn limits_are_kept_and_leave_no_plan_behind() {
    let case = Case::new(0, true, false);
    let few = TableLimits { states: 35, ..TableLimits::DEFAULT };
    let (none, plans) = case.build(2, &few);
    let why = none.unwrap_err();
    assert_eq!(why, TableError::TooManyStates { states: Some(36), limit: 35 });
    assert_eq!(why.to_string(), "there are 36 private states; a table may have 35");
    assert!(plans.is_empty());
    let little = TableLimits { nodes: 20, ..TableLimits::DEFAULT };
    let (none, plans) = case.build(2, &little);
    assert_eq!(none, Err(TableError::TooMuchSearch { limit: 20 }));
    assert!(plans.is_empty());
    let stop = || true;
    let (none, plans) = case.build(2, &TableLimits { stop: Some(&stop), ..TableLimits::DEFAULT });
    assert_eq!(none, Err(TableError::Stopped));
    assert!(plans.is_empty());
}

#[test]
fn what_is_outside_or_foreign_is_said() {
    let mut case = Case::new(0, true, false);
    let text = "domain other\nvar a: 0..9\naction b: a 8 -> 9\ngoal c: a = 9\n";
    case.goal = compiled(text).goals()[0].wants().to_vec();
    assert_eq!(case.build(1, &TableLimits::DEFAULT).0, Err(TableError::ForeignGoal));
    // An unknown forge: smithing begins with lighting it only if that is known to be cold.
    let mut case = Case::new(0, true, false);
    case.shared.fill(UNKNOWN);
    let (table, plans) = case.build(1, &TableLimits::DEFAULT);
    let impossible = (0..36).filter(|&at| table.as_ref().unwrap().plan(at) == PlanId::IMPOSSIBLE);
    assert_eq!((impossible.count(), plans.n_plans()), (24, 0));
}
