//! Planning with amounts allocates nothing once warm: counted, not believed.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic, and say what was tried")]

use crate::counting::allocations_of;
use throng_base::SplitMix;
use throng_domain::amounts::{ShiftBy, ShiftEnd, ValueSet};
use throng_domain::compile::UNKNOWN;
use throng_planner::SearchBudget;
use throng_planner::counting::{
    Counting, CountingChange, CountingForward, CountingFound, CountingTask, Direction, Effect, Need,
};

fn shift(variable: u32, by: i32, stop: Option<u16>) -> CountingChange {
    let end = stop.map_or(ShiftEnd::Refuse, ShiftEnd::Stop);
    CountingChange { variable, effect: Effect::Shift(ShiftBy { by, end }) }
}

fn at_least(task: &CountingTask, variable: u32, least: u16) -> Need {
    let values = ValueSet::run(least, task.sizes()[variable as usize] - 1);
    Need { variable, values }
}

/// Wares that are made of each other, a tool that some need, and energy that comes back up to an
/// end; the seed says how much of each.
fn workshop(seed: u64) -> CountingTask {
    let random = &mut SplitMix::new(seed);
    let mut task = CountingTask::default();
    let n_wares = 4;
    for _ in 0..n_wares {
        task.add_variable(30, 0);
    }
    let tool = task.add_variable(3, 0);
    let energy = task.add_variable(41, random.within(10, 40) as u16);
    let mood = task.add_variable(5, if random.one_in(2) { UNKNOWN } else { 2 });
    for ware in 0..n_wares {
        let mut changes = vec![shift(ware, random.within(1, 3) as i32, None)];
        if ware > 0 {
            changes.push(shift(ware - 1, -(random.within(1, 3) as i32), None));
        }
        changes.push(shift(energy, -(random.within(1, 4) as i32), None));
        let needs = (ware > 1).then(|| at_least(&task, tool, ware as u16 - 1));
        task.add_action(needs.into_iter(), changes.into_iter(), random.within(1, 4) as u64);
    }
    for to in 1..3 {
        let need = Need { variable: tool, values: ValueSet::one(to - 1) };
        let set = CountingChange { variable: tool, effect: Effect::Set(to) };
        let changes = [set, shift(u32::from(to) - 1, -2, None)];
        task.add_action([need].into_iter(), changes.into_iter(), 3);
    }
    let changes =
        [shift(energy, 12, Some(40)), CountingChange { variable: mood, effect: Effect::Set(3) }];
    task.add_action(std::iter::empty(), changes.into_iter(), 4);
    let holes = ValueSet::of([1, 3]).unwrap();
    let goal = [
        at_least(&task, n_wares - 1, random.within(1, 4) as u16),
        at_least(&task, energy, 15),
        Need { variable: mood, values: holes },
    ];
    task.set_goal(goal.into_iter());
    task
}

/// Everything that is kept between calls, asked in every way.
#[derive(Default)]
struct Kept {
    turns: Counting,
    forward: CountingForward,
    plan: Vec<u32>,
}

impl Kept {
    fn ask(&mut self, task: &CountingTask) -> u32 {
        let Kept { turns, forward, plan } = self;
        let mut n_plans = 0;
        let budget = SearchBudget { nodes: 3_000, ..SearchBudget::DEFAULT };
        for which in [None, Some(Direction::Backward), Some(Direction::Forward)] {
            turns.begin(task, which);
            n_plans += u32::from(turns.run(task, &budget, plan) == CountingFound::Plan);
        }
        turns.begin_fast(task, None);
        n_plans += u32::from(turns.run(task, &budget, plan) == CountingFound::Plan);
        for begin in [CountingForward::begin_guided, CountingForward::begin_greedy] {
            begin(forward, task);
            let piece = SearchBudget { nodes: 100, ..budget };
            // In two pieces: going on does not allocate either.
            forward.run(task, &piece, plan);
            n_plans += u32::from(forward.run(task, &budget, plan) == CountingFound::Plan);
        }
        n_plans
    }
}

#[test]
fn planning_with_amounts_allocates_nothing_once_warm() {
    let tasks: Vec<CountingTask> = (0..24).map(workshop).collect();
    let mut kept = Kept::default();
    for task in &tasks {
        kept.ask(task);
    }
    let mut n_plans = 0;
    let count = allocations_of(|| {
        for task in &tasks {
            n_plans += kept.ask(task);
        }
    });
    assert!(n_plans > 60, "{n_plans}");
    assert_eq!(count, 0);
}
