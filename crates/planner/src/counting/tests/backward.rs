//! The search from the goal back beside the oracle: every switch, every style.

use super::estimates::{most_rise, values};
use super::seeds;
use crate::budget::{Limit, SearchBudget};
use crate::counting::oracle::{Truth, price, truth};
use crate::counting::random::{anything, recipes};
use crate::counting::samples::{read, sample, samples};
use crate::counting::{
    Backward, CountingChange, CountingFound, CountingTask, Effect, Need, Ray, RayWeight, Switches,
};
use throng_domain::amounts::{ShiftBy, ShiftEnd, ValueSet};
use throng_domain::compile::UNKNOWN;

const STATES: usize = 20_000;
const NODES: u64 = 20_000;

fn budget(nodes: u64) -> SearchBudget<'static> {
    SearchBudget { nodes, ..SearchBudget::DEFAULT }
}

fn solve(engine: &mut Backward, task: &CountingTask, nodes: u64) -> (CountingFound, Vec<u32>) {
    let mut plan = Vec::new();
    engine.begin(task);
    let found = engine.run(task, &budget(nodes), &mut plan);
    (found, plan)
}

/// Compares one answer with the truth; whether there was one.
fn agrees(engine: &mut Backward, task: &CountingTask, truth: Truth, name: &str) -> bool {
    let (found, plan) = solve(engine, task, NODES);
    match (found, truth) {
        (CountingFound::Limit(limit), _) => {
            assert_eq!(limit, Limit::Nodes, "{name}");
            return false;
        }
        (CountingFound::Plan, Truth::Cost(cost)) => {
            assert_eq!(price(task, &plan), Some(cost), "{name}: {plan:?}\n{task:?}");
        }
        (CountingFound::Impossible, Truth::Impossible) => assert!(engine.proof().is_some()),
        _ => panic!("{name}: {found:?} instead of {truth:?}, {plan:?}\n{task:?}"),
    }
    true
}

fn compare(seeds: std::ops::Range<u64>, all_switches: bool) -> (u32, u32, u32) {
    let mut engine = Backward::default();
    let (mut answers, mut limits, mut closed) = (0, 0, 0);
    for seed in seeds {
        for (style, task) in [("anything", anything(seed)), ("recipes", recipes(seed))] {
            let truth = truth(&task, STATES);
            if truth == Truth::TooLarge {
                continue;
            }
            let all = 1 << Switches::COUNT;
            let combinations = if all_switches { 0..all } else { all - 1..all };
            for bits in combinations {
                engine.set_switches(Switches::from_bits(bits));
                let name = format!("{style} {seed} {bits:#09b}");
                match agrees(&mut engine, &task, truth, &name) {
                    true => answers += 1,
                    false => limits += 1,
                }
                closed += u32::from(engine.n_closed() > 0);
            }
        }
    }
    (answers, limits, closed)
}

#[test]
fn every_switch_leaves_every_answer_right() {
    let (answers, limits, closed) = compare(0..seeds(120), true);
    assert!(
        answers > 20_000 && limits < answers / 25 && closed > 300,
        "{answers} {limits} {closed}"
    );
}

#[test]
fn many_answers_are_those_of_the_oracle() {
    let (answers, limits, closed) = compare(1_000..1_000 + seeds(3_000), false);
    assert!(answers > 4_000 && limits < answers / 50 && closed > 50, "{answers} {limits} {closed}");
}

#[test]
fn the_samples_cost_what_is_said() {
    let mut engine = Backward::default();
    // Seven hundred steps round in circles: for the search from the start on.
    for sample in samples().into_iter().filter(|sample| sample.name != "truck_no") {
        let task = sample.task();
        let (found, plan) = solve(&mut engine, &task, 50_000);
        let nodes = engine.nodes();
        match sample.cost {
            Some(cost) if found == CountingFound::Plan => {
                assert_eq!(price(&task, &plan), Some(cost), "{} {nodes}", sample.name);
            }
            None if found == CountingFound::Impossible => {}
            _ => panic!("{}: {found:?} after {nodes}", sample.name),
        }
        let most = match sample.name {
            "repeat" => 200,
            "rts" | "truck" | "colony_stock" => 100,
            "hpmp" | "hpmp_no" => 6,
            "colony_no" | "craft_no" | "rts_no" | "shooter_no" | "sims_no" => 24,
            "colony" | "shooter" | "large" | "economy_no" => 1_000,
            "craft" => 2_500,
            _ => 9_000,
        };
        assert!(nodes <= most, "{}: {nodes}", sample.name);
    }
}

/// With ranges so tight that a plan must use up before it makes more, the same steps in another
/// order do.
#[test]
fn tight_ranges_are_served_by_another_order() {
    let mut engine = Backward::default();
    for (name, ranges, cost) in [
        ("rts", &["minerals 0..200", "gas 0..125", "supply 0..11"][..], 266_000),
        ("economy", &["money 0..600", "cloth 0..10", "shirt 0..5"][..], 99_000),
        ("craft", &["cobble 0..8", "ore 0..1", "coal 0..1", "wood 0..1"][..], 32_000),
    ] {
        let all = samples();
        let sample = all.iter().find(|sample| sample.name == name).unwrap();
        let mut text = sample.text.clone();
        for range in ranges {
            let (word, _) = range.split_once(' ').unwrap();
            let from = text.find(&format!("var {word} ")).unwrap() + 4;
            let to = from + text[from..].find(" =").unwrap();
            text.replace_range(from..to, range);
        }
        let task = read(&text);
        let (found, plan) = solve(&mut engine, &task, 50_000);
        assert_eq!(found, CountingFound::Plan, "{name}");
        assert_eq!((price(&task, &plan), engine.n_closed()), (Some(cost), 0), "{name}");
    }
}

/// However often it is interrupted, a search comes to the same end by the same nodes.
#[test]
fn an_interrupted_search_goes_on_where_it_was() {
    let (mut engine, mut other) = (Backward::default(), Backward::default());
    let mut interrupted = 0;
    for seed in 0..400 {
        for task in [anything(seed), recipes(seed)] {
            let (found, plan) = solve(&mut engine, &task, 2_000);
            if matches!(found, CountingFound::Limit(_)) {
                continue;
            }
            for step in [1, 7, 100] {
                other.begin(&task);
                let mut again = Vec::new();
                let found_again = loop {
                    let found = other.run(&task, &budget(step), &mut again);
                    if found != CountingFound::Limit(Limit::Nodes) {
                        break found;
                    }
                    interrupted += 1;
                    assert!(again.is_empty());
                };
                assert_eq!((found_again, &again), (found, &plan), "{seed}");
                assert_eq!(other.nodes(), engine.nodes(), "{seed}");
            }
        }
    }
    assert!(interrupted > 5_000, "{interrupted}");
}

#[test]
fn limits_are_told_and_kept() {
    let task = sample("economy");
    let mut engine = Backward::default();
    let mut plan = Vec::new();
    engine.begin(&task);
    assert_eq!(engine.run(&task, &budget(100), &mut plan), CountingFound::Limit(Limit::Nodes));
    assert_eq!(engine.nodes(), 100);
    let little = SearchBudget { bytes: 1_000, ..SearchBudget::DEFAULT };
    assert_eq!(engine.run(&task, &little, &mut plan), CountingFound::Limit(Limit::Memory));
    let stop = SearchBudget { stop: Some(&|| true), ..SearchBudget::DEFAULT };
    assert_eq!(engine.run(&task, &stop, &mut plan), CountingFound::Limit(Limit::Stopped));
    assert_eq!(engine.run(&task, &SearchBudget::DEFAULT, &mut plan), CountingFound::Plan);
    assert_eq!(price(&task, &plan), Some(99_000));
}

/// More variables than lanes, more actions than bits: no answer or a right one, never a wrong one.
#[test]
fn what_is_too_wide_is_told() {
    for n in [20u32, 70, 300] {
        let mut task = CountingTask::default();
        let mut goal = Vec::new();
        for variable in 0..n {
            task.add_variable(40, 0);
            let effect = Effect::Shift(ShiftBy { by: 1, end: ShiftEnd::Refuse });
            task.add_action([].into_iter(), [CountingChange { variable, effect }].into_iter(), 3);
            goal.push(Need { variable, values: ValueSet::run(2, 39) });
        }
        task.set_goal(goal.into_iter());
        let (found, plan) = solve(&mut Backward::default(), &task, 2_000);
        match n {
            20 => assert_eq!((found, plan.len()), (CountingFound::Plan, 40)),
            _ => assert!(matches!(found, CountingFound::Limit(_)), "{n} {found:?}"),
        }
    }
}

/// Many actions that do the same, beyond those that are looked at in pairs.
#[test]
fn hundreds_of_actions_are_tried_in_every_order() {
    let mut task = CountingTask::default();
    let variables = [task.add_variable(9, 0), task.add_variable(9, UNKNOWN)];
    for at in 0..400u16 {
        let effect = match at % 2 {
            0 => Effect::Shift(ShiftBy { by: 1 + i32::from(at % 3), end: ShiftEnd::Refuse }),
            _ => Effect::Set(at % 9),
        };
        let change = CountingChange { variable: variables[usize::from(at % 2)], effect };
        task.add_action([].into_iter(), [change].into_iter(), 900 - u64::from(at));
    }
    let wanted = [(0, ValueSet::run(7, 8)), (1, ValueSet::one(4))];
    task.set_goal(wanted.into_iter().map(|(at, values)| Need { variable: variables[at], values }));
    let truth = truth(&task, STATES);
    assert!(agrees(&mut Backward::default(), &task, truth, "many"));
}

/// An end of a range that is met by no cheapest plan, so that it is taken back.
#[test]
fn ends_that_are_in_the_way_are_taken_back() {
    let (_, _, closed) = compare(5_000..5_400, false);
    assert!(closed > 10, "{closed}");
}

/// A ray says of the task itself what it says of the part that matters.
#[test]
fn rays_are_proofs_in_the_variables_of_the_task() {
    let mut engine = Backward::default();
    engine.set_switches(Switches { haste: false, reach: false, ..Switches::default() });
    let mut rays = 0;
    for seed in 0..2_500 {
        for task in [anything(seed), recipes(seed)] {
            let (found, _) = solve(&mut engine, &task, 300);
            let Some(ray) = engine.ray(&task) else { continue };
            assert_eq!(found, CountingFound::Impossible, "{seed}");
            assert!(
                !ray.weights.is_empty() && ray.holds(&task, |_| true),
                "{seed} {ray:?}\n{task:?}"
            );
            check_ray(&task, &ray, &format!("{seed} {ray:?}\n{task:?}"));
            rays += 1;
        }
    }
    assert!(rays > 200, "{rays}");
    // Nothing raises supply: ten are needed, there are three.
    let task = sample("rts_no");
    solve(&mut engine, &task, 300);
    let ray = engine.ray(&task).unwrap();
    assert!(ray.holds(&task, |_| true) && ray.wanted > ray.there, "{ray:?}");
    check_ray(&task, &ray, "rts_no");
}

#[test]
fn large_costs_without_a_common_divisor_are_told_apart() {
    let mut task = CountingTask::default();
    let x = task.add_variable(40, 0);
    for (by, cost) in [(1, 999_999_999), (2, 1_000_000_000), (3, 999_999_937)] {
        let shift = ShiftBy { by, end: ShiftEnd::Refuse };
        let need = Need { variable: x, values: shift.domain(40) };
        let change = CountingChange { variable: x, effect: Effect::Shift(shift) };
        task.add_action([need].into_iter(), [change].into_iter(), cost);
    }
    let wanted = Need { variable: x, values: ValueSet::run(30, 39) };
    task.set_goal([wanted].into_iter());
    let truth = truth(&task, STATES);
    assert_eq!(truth, Truth::Cost(10 * 999_999_937));
    assert!(agrees(&mut Backward::default(), &task, truth, "large costs"));
}

#[test]
fn the_memory_of_a_search_is_its_own() {
    let mut engine = Backward::default();
    let (narrow, wide) = (sample("hpmp"), sample("craft"));
    solve(&mut engine, &narrow, NODES);
    let alone = engine.bytes();
    solve(&mut engine, &wide, NODES);
    assert!(engine.bytes() > alone);
    solve(&mut engine, &narrow, NODES);
    assert_eq!(engine.bytes(), alone);
}

/// What a ray says, value by value: there is so much, the goal asks for more, nothing raises it.
fn check_ray(task: &CountingTask, ray: &Ray, name: &str) {
    let worth = |variable: u32, value: u16| {
        let own = ray.weights.iter().find(|(at, _)| *at == variable);
        own.map_or(0, |(_, weight)| match weight {
            RayWeight::Each(_) if value == UNKNOWN => panic!("{name}"),
            RayWeight::Each(each) => i128::from(*each) * i128::from(value),
            RayWeight::Values(all) if value == UNKNOWN => i128::from(all[all.len() - 1]),
            RayWeight::Values(all) => i128::from(all[usize::from(value)]),
        })
    };
    let there = ray.weights.iter().map(|(at, _)| worth(*at, task.start()[*at as usize]));
    assert_eq!(there.sum::<i128>(), i128::from(ray.there), "{name}");
    let wanted = ray.weights.iter().map(|(at, _)| {
        let need = task.goal().iter().find(|need| need.variable == *at);
        let fits = values(task, *at).filter(|it| need.is_none_or(|need| need.values.has(*it)));
        fits.map(|value| worth(*at, value)).min().unwrap()
    });
    assert!(wanted.sum::<i128>() >= i128::from(ray.wanted) && ray.wanted > ray.there, "{name}");
    for action in 0..task.n_actions() as u32 {
        let rise = most_rise(task, action, &worth);
        assert!(rise.is_none_or(|rise| rise <= 0), "{action} {rise:?}: {name}");
    }
}
