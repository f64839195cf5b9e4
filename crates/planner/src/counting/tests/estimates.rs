//! Prices and worths: never above the truth, whole, and proofs that are proofs.

use crate::counting::oracle::{Truth, after, changed, truth, truth_from};
use crate::counting::potential::PLACES;
use crate::counting::random::{anything, recipes};
use crate::counting::samples::samples;
use crate::counting::{
    CountingTask, NEVER, Need, Potential, PotentialSolver, Reach, Weighed, Weighing,
};
use throng_domain::amounts::ValueSet;
use throng_domain::compile::UNKNOWN;

const STATES: usize = 30_000;

/// States that can be had, some of them.
fn states(task: &CountingTask, most: usize) -> Vec<Vec<u16>> {
    let mut all = vec![task.start().to_vec()];
    let mut at = 0;
    while at < all.len() && all.len() < most {
        for action in 0..task.n_actions() as u32 {
            if let Some(next) = after(task, action, &all[at])
                && !all.contains(&next)
            {
                all.push(next);
            }
        }
        at += 1;
    }
    all
}

/// All values of a variable, and that it is not known where it starts so.
pub(super) fn values(task: &CountingTask, variable: u32) -> impl Iterator<Item = u16> {
    let size = task.sizes()[variable as usize];
    let is_known = task.start()[variable as usize] < size;
    (0..size).chain((!is_known).then_some(UNKNOWN))
}

/// The most that an action raises a sum of worths by, value by value; `None` if it can never run.
pub(super) fn most_rise(
    task: &CountingTask,
    action: u32,
    worth: &dyn Fn(u32, u16) -> i128,
) -> Option<i128> {
    let mut sum = 0;
    for variable in 0..task.n_variables() as u32 {
        let need = task.needs(action).iter().find(|need| need.variable == variable);
        let taken =
            values(task, variable).filter(|value| need.is_none_or(|need| need.values.has(*value)));
        let change = task.changes(action).iter().find(|change| change.variable == variable);
        let rise = |value: u16| {
            let to = change
                .map_or(Some(value), |it| changed(it, value, task.sizes()[variable as usize]));
            to.map(|to| worth(variable, to) - worth(variable, value))
        };
        sum += taken.filter_map(rise).max()?;
    }
    Some(sum)
}

fn weigh(
    solver: &mut PotentialSolver,
    task: &CountingTask,
    caps: bool,
    into: &mut Potential,
) -> Weighed {
    let (wanted, start) = (task.goal(), task.start());
    let asked = Weighing { task, open: |_| false, used: |_| true, wanted, start, caps };
    solver.solve(&asked, into)
}

#[test]
fn prices_are_never_above_the_truth() {
    let mut reach = Reach::default();
    let (mut said, mut never) = (0, 0);
    for seed in 0..1_500 {
        for task in [anything(seed), recipes(seed)] {
            reach.explore(&task, &|_| false);
            let prices = task.goal().iter().map(|need| reach.price(need.variable, &need.values));
            let price = prices.max().unwrap_or(0);
            match truth(&task, STATES) {
                Truth::Cost(cost) => assert!(price <= cost, "{seed}: {price} > {cost}"),
                Truth::Impossible => never += u32::from(price == NEVER),
                Truth::TooLarge => continue,
            }
            said += u32::from(price > 0);
            for state in states(&task, 40) {
                for (at, &value) in state.iter().enumerate() {
                    let one = ValueSet::one(value);
                    let is_known = value < task.sizes()[at];
                    assert!(!is_known || reach.price(at as u32, &one) != NEVER, "{seed}");
                }
                for action in 0..task.n_actions() as u32 {
                    let can_run = task.can_run(action, &state);
                    assert!(!can_run || reach.ready(action) != NEVER, "{seed}");
                }
            }
        }
    }
    assert!(said > 1_500 && never > 300, "{said} {never}");
}

/// The run of values that can be had is wide enough, whatever the prices say.
#[test]
fn hulls_hold_all_that_has_a_price() {
    let (mut reach, mut hulls) = (Reach::default(), crate::counting::hull::Hulls::default());
    let mut outside = 0;
    for seed in 0..1_500 {
        for task in [anything(seed), recipes(seed)] {
            for open in [false, true] {
                reach.explore(&task, &|_| open);
                hulls.explore(&task, &|_| open);
                for (variable, &size) in (0..).zip(task.sizes()) {
                    for value in 0..size {
                        let one = ValueSet::one(value);
                        let (is_in, price) =
                            (hulls.meets(variable, &one), reach.price(variable, &one));
                        assert!(is_in || price == NEVER, "{seed} {variable} {value}");
                        outside += u32::from(!is_in);
                    }
                }
                for action in 0..task.n_actions() as u32 {
                    assert!(hulls.can_run(action) || reach.ready(action) == NEVER, "{seed}");
                }
            }
        }
    }
    assert!(outside > 5_000, "{outside}");
}

#[test]
fn a_wide_range_is_known_without_prices() {
    let large = samples().into_iter().find(|sample| sample.name == "large").unwrap().task();
    let mut reach = Reach::default();
    reach.explore(&large, &|_| false);
    assert!(!reach.is_exact());
    assert_eq!(reach.price(0, &ValueSet::run(50_000, 60_000)), 0);
    let mut poor = CountingTask::default();
    let variable = poor.add_variable(60_001, 7);
    reach.explore(&poor, &|_| true);
    assert_eq!(reach.price(variable, &ValueSet::run(8, 65_000)), NEVER);
    assert_eq!(reach.price(variable, &ValueSet::run(7, 7)), 0);
}

/// What is demanded beyond the range is taken as its end.
#[test]
fn prices_beyond_the_range_are_those_of_its_end() {
    let task = crate::counting::samples::sample("craft");
    let mut reach = Reach::default();
    reach.explore(&task, &|variable| variable < 7);
    let end = reach.price(0, &ValueSet::run(64, 64));
    assert_eq!(reach.price(0, &ValueSet::run(70, 65_000)), end);
    assert_eq!(end, 64_000);
}

#[test]
fn worths_are_never_above_the_truth_in_any_state() {
    let (mut solver, mut worth) = (PotentialSolver::default(), Potential::default());
    let (mut said, mut rays, mut none, mut capped) = (0, 0, 0, 0);
    for seed in 0..300 {
        for task in [anything(seed), recipes(seed)] {
            for caps in [false, true] {
                let weighed = weigh(&mut solver, &task, caps, &mut worth);
                none += u32::from(weighed == Weighed::Nothing);
                if weighed == Weighed::Nothing {
                    continue;
                }
                said += u32::from(weighed == Weighed::Estimate);
                rays += u32::from(weighed == Weighed::Ray);
                capped += u32::from(caps);
                assert_eq!(worth.is_ray(), weighed == Weighed::Ray);
                assert_eq!(worth.of_state(task.start()), worth.of_demand(task.goal()));
                for state in states(&task, 25) {
                    check_state(&task, &worth, &state, seed);
                }
            }
        }
    }
    assert!(said > 350 && rays > 70 && none < 600 && capped > 250, "{said} {rays} {none}");
}

/// Weights are whole numbers that hold as they stand: by all values of all variables, no action
/// raises a worth by more than it costs, and that of a ray by nothing.
#[test]
fn weights_hold_in_whole_numbers() {
    let (mut solver, mut worth) = (PotentialSolver::default(), Potential::default());
    let (mut said, mut rays) = (0, 0);
    for seed in 0..2_000 {
        for task in [anything(seed), recipes(seed)] {
            for caps in [false, true] {
                match weigh(&mut solver, &task, caps, &mut worth) {
                    Weighed::Nothing => continue,
                    Weighed::Estimate => said += 1,
                    Weighed::Ray => rays += 1,
                }
                let of = |variable: u32, value: u16| i128::from(worth.worth(variable, value));
                for action in 0..task.n_actions() as u32 {
                    let Some(rise) = most_rise(&task, action, &of) else { continue };
                    assert_eq!(task.cost(action) % worth.unit, 0, "{seed}");
                    let cost = i128::from(task.cost(action) / worth.unit) << PLACES;
                    let most = if worth.is_ray() { 0 } else { cost };
                    assert!(rise <= most, "{seed} {action}: {rise} > {most} {worth:?}\n{task:?}");
                }
                // The goal is worth as much as is said, or more; and so much is there.
                let wanted: i128 = (0..task.n_variables() as u32)
                    .map(|variable| {
                        let need = task.goal().iter().find(|need| need.variable == variable);
                        let has = |value: &u16| need.is_none_or(|need| need.values.has(*value));
                        let all = values(&task, variable);
                        all.filter(has).map(|value| of(variable, value)).min().unwrap_or(0)
                    })
                    .sum();
                let start = (0..).zip(task.start()).map(|(variable, &value)| of(variable, value));
                let is_empty = task.goal().iter().any(|need| need.values.is_empty());
                assert!(is_empty || i128::from(worth.wanted()) <= wanted, "{seed} {worth:?}");
                assert_eq!(i128::from(worth.there()), start.sum::<i128>(), "{seed} {worth:?}");
            }
        }
    }
    assert!(said > 2_000 && rays > 400, "{said} {rays}");
}

/// The estimate of a state is below the truth, and an action lowers it by no more than its cost.
fn check_state(task: &CountingTask, worth: &Potential, state: &[u16], seed: u64) {
    let h = worth.of_state(state);
    match truth_from(task, state, STATES) {
        Truth::Cost(cost) => assert!(h <= cost, "{seed}: {h} > {cost} in {state:?}"),
        Truth::Impossible => {}
        Truth::TooLarge => return,
    }
    for action in 0..task.n_actions() as u32 {
        let Some(next) = after(task, action, state) else { continue };
        let later = worth.of_state(&next);
        assert!(h == NEVER || h <= later.saturating_add(task.cost(action)), "{seed}");
        assert!(h != NEVER || later == NEVER, "{seed}: a ray that ends");
        if let Some(rise) = worth.rise(task, action) {
            assert_eq!(worth.missing(state) - rise, worth.missing(&next), "{seed} {action}");
        }
    }
}

/// For what is demanded on the way as for the goal: any sets, from the same start.
#[test]
fn worths_are_never_above_the_truth_of_any_demand() {
    let (mut solver, mut worth) = (PotentialSolver::default(), Potential::default());
    let mut said = 0;
    for seed in 0..1_200 {
        for (task, other) in
            [(anything(seed), anything(seed + 7_000)), (recipes(seed), recipes(seed + 7_000))]
        {
            if weigh(&mut solver, &task, false, &mut worth) == Weighed::Nothing {
                continue;
            }
            let fits = |need: &&Need| {
                let ends = need.values.ends();
                let size = task.sizes().get(need.variable as usize);
                size.zip(ends).is_some_and(|(&size, (_, last))| last < size)
            };
            let wanted: Vec<Need> = other.goal().iter().filter(fits).copied().collect();
            let mut asked = task.clone();
            asked.set_goal(wanted.iter().copied());
            let h = worth.of_demand(&wanted);
            if let Truth::Cost(cost) = truth(&asked, STATES) {
                assert!(h <= cost, "{seed}: {h} > {cost}");
                said += u32::from(h > 0);
            }
        }
    }
    assert!(said > 50, "{said}");
}

/// At the goal of the samples: what the design saw, or more.
#[test]
fn worths_of_the_samples_say_most_of_the_cost() {
    let (mut solver, mut worth) = (PotentialSolver::default(), Potential::default());
    for sample in samples() {
        let task = sample.task();
        let weighed = weigh(&mut solver, &task, false, &mut worth);
        let h = if weighed == Weighed::Nothing { 0 } else { worth.of_demand(task.goal()) };
        let expected = match sample.name {
            "hpmp" => 5_000,
            "economy" => 80_000,
            "rts" => 150_000,
            "repeat" => 160_000,
            "craft" => 9_000,
            "hpmp_no" | "rts_no" | "sims_no" => NEVER,
            _ => 0,
        };
        assert!(h >= expected, "{}: {h}", sample.name);
        assert!(sample.cost.is_none_or(|cost| h <= cost), "{}: {h}", sample.name);
    }
}
