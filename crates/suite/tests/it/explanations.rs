//! Alternatives, fixes, unused actions and partial orders, each against trying everything.
//!
//! Each instance is named by its seed. `THRONG_LONG=1` tries ten times as many.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test may panic, and say what was tried"
)]

use std::collections::{BTreeMap, BTreeSet};
use throng::prelude::*;
use throng_base::SplitMix;
use throng_check::{Verdict, replay};
use throng_planner::explain::{Change, Distinctness, EnumerationEnd, Group, NotUsed};
use throng_suite::random::{Instance, Told, instance};
use throng_suite::what_if::WhatIf;

fn instances(normal: u64) -> u64 {
    if std::env::var_os("THRONG_LONG").is_some() { 10 * normal } else { normal }
}

/// A random question, as the library and as the oracle of explanations see it.
struct Case {
    instance: Instance,
    npc: Npc,
    world: WhatIf,
    request: Request,
}

fn case(seed: u64) -> Case {
    let instance = instance(seed);
    let domain = Domain::from_loaded(instance.load()).unwrap();
    let mut npc = Npc::new(&domain, &instance.npc).unwrap();
    for (variable, value) in &instance.from {
        npc.set(variable, value).unwrap();
    }
    match &instance.told {
        Told::Without(checks) => {
            checks.iter().for_each(|check| npc.set_check(check, false).unwrap());
        }
        Told::Only(checks) => {
            npc.clear_checks();
            checks.iter().for_each(|check| npc.set_check(check, true).unwrap());
        }
    }
    let mut world = WhatIf::of(domain.model(), &instance.question()).unwrap();
    let mut dice = SplitMix::new(seed ^ 0xf0_7b1d);
    // Sometimes the caller forbids an action.
    if dice.percent(30) && !world.can.is_empty() {
        let deed = *dice.pick(&world.can);
        world.forbidden.push(deed);
        npc.forbid(domain.model().actions()[deed].name(), true).unwrap();
    }
    let facts = instance.to.iter();
    let facts = facts.map(|(variable, value)| domain.fact(variable, value).unwrap());
    let request = Request::to(facts);
    Case { instance, npc, world, request }
}

/// Actions with how often each occurs.
fn bag(plan: &[usize]) -> BTreeMap<usize, usize> {
    let mut bag = BTreeMap::new();
    plan.iter().for_each(|&deed| *bag.entry(deed).or_default() += 1);
    bag
}

fn is_part(part: &BTreeMap<usize, usize>, whole: &BTreeMap<usize, usize>) -> bool {
    part.iter().all(|(deed, n)| whole.get(deed).is_some_and(|m| n <= m))
}

/// The plans of which nothing can be left out.
fn lean(plans: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let bags: BTreeSet<BTreeMap<usize, usize>> = plans.iter().map(|plan| bag(plan)).collect();
    let least = |bag: &BTreeMap<usize, usize>| {
        !bags.iter().any(|other| other != bag && is_part(other, bag))
    };
    plans.iter().filter(|plan| least(&bag(plan))).cloned().collect()
}

fn deeds(plan: &Plan) -> Vec<usize> {
    plan.actions().iter().map(|id| id.index()).collect()
}

/// Compares the list of plans with all plans; whether there was anything to compare.
fn check_plans(seed: u64, tally: &mut [u64; 3]) {
    let case = case(seed);
    let Some(all) = case.world.plans(20_000) else { return };
    let all = lean(&all);
    let price = |plan: &Vec<usize>| case.world.price(plan).unwrap();
    for different in [Distinctness::Actions, Distinctness::Order] {
        let mut expected: Vec<u64> = match different {
            Distinctness::Order => all.iter().map(price).collect(),
            Distinctness::Actions => {
                let one_each: BTreeMap<_, _> = all.iter().map(|p| (bag(p), price(p))).collect();
                one_each.into_values().collect()
            }
        };
        expected.sort_unstable();
        for most in [1, 3, 1_000_000] {
            let answer = Planner::new().plans(
                &case.npc,
                &case.request,
                most,
                different,
                &mut Scratch::default(),
            );
            let context = format!("seed {seed}, {different:?}, {most}\n{}", case.instance.text);
            if all == [Vec::<usize>::new()] {
                assert!(matches!(answer.answer.outcome(), Outcome::Satisfied), "{context}");
                assert!(answer.plans.is_empty(), "{context}");
                continue;
            }
            let plans: Vec<Vec<usize>> = answer.plans.iter().map(deeds).collect();
            let costs: Vec<u64> = answer.plans.iter().map(|plan| plan.cost().0).collect();
            let most = most.min(expected.len());
            assert_eq!(costs, expected[..most], "{context}");
            assert_eq!(plans.iter().map(price).collect::<Vec<_>>(), costs, "{context}");
            assert!(plans.iter().all(|plan| all.contains(plan)), "{context}\n{plans:?}");
            let distinct: BTreeSet<_> = match different {
                Distinctness::Actions => {
                    plans.iter().map(|plan| format!("{:?}", bag(plan))).collect()
                }
                Distinctness::Order => plans.iter().map(|plan| format!("{plan:?}")).collect(),
            };
            assert_eq!(distinct.len(), plans.len(), "{context}");
            if most < expected.len() {
                assert_eq!(answer.ended, EnumerationEnd::Enough, "{context}");
            }
        }
        tally[0] += 1;
        tally[1] += u64::from(expected.len() > 1);
        tally[2] += expected.len() as u64;
    }
}

#[test]
fn the_cheapest_plans_are_those_of_trying_everything() {
    let mut tally = [0; 3];
    let n = instances(6_000);
    (0..n).for_each(|seed| check_plans(seed, &mut tally));
    println!("{tally:?}: lists, lists of several, plans");
    assert!(tally[0] > n && tally[1] > n / 5 && tally[2] > 2 * n, "{tally:?}");
}

/// All single changes that help, by brute force: a word for each, the price, the changed world.
fn brute_fixes(case: &Case) -> BTreeMap<String, (u64, WhatIf)> {
    let base = &case.world;
    let model = case.npc.domain().model();
    let mut worlds: Vec<(String, WhatIf)> = Vec::new();
    let mut add = |name: String, change: &dyn Fn(&mut WhatIf)| {
        let mut world = base.clone();
        change(&mut world);
        worlds.push((name, world));
    };
    for (at, variable) in model.variables().iter().enumerate() {
        for value in 0..variable.values().len() {
            add(format!("value {at} {value}"), &|world| world.start[at] = Some(value));
        }
    }
    for check in 0..base.checks.len() {
        add(format!("check {check}"), &|world| world.checks[check] = !world.checks[check]);
    }
    for &deed in &base.forbidden {
        add(format!("allow {deed}"), &|world| world.forbidden.retain(|&other| other != deed));
    }
    for (at, deed) in base.deeds.iter().enumerate() {
        if !base.can.contains(&at) {
            add(format!("grant {at}"), &|world| world.can.push(at));
        }
        for &other in &deed.overrides {
            let drop = |world: &mut WhatIf| world.deeds[at].overrides.retain(|&o| o != other);
            add(format!("override {at} {other}"), &drop);
        }
        for &need in &deed.needs {
            let drop = |world: &mut WhatIf| world.deeds[at].needs.retain(|&other| other != need);
            add(format!("need {at} {} {}", need.0, need.1), &drop);
        }
    }
    let priced = worlds.into_iter().filter_map(|(name, world)| {
        let cost = world.cheapest()?;
        Some((name, (cost, world)))
    });
    priced.collect()
}

fn word(change: Change) -> String {
    let pair = |fact: Fact| format!("{} {}", fact.variable.index(), fact.value.index());
    match change {
        Change::Value(fact) => format!("value {}", pair(fact)),
        Change::Check { check, .. } => format!("check {}", check.index()),
        Change::Allow(action) => format!("allow {}", action.index()),
        Change::DropOverride { by, action } => {
            format!("override {} {}", by.index(), action.index())
        }
        Change::Grant(action) => format!("grant {}", action.index()),
        Change::DropNeed { action, need } => format!("need {} {}", action.index(), pair(need)),
        // Nothing is counted here; `counted_changes` does.
        other => panic!("{other:?}"),
    }
}

/// Compares the fixes of an impossible instance with all single changes.
fn check_fixes(seed: u64, tally: &mut BTreeMap<&'static str, u64>) {
    let case = case(seed);
    if case.world.cheapest().is_some() {
        return;
    }
    *tally.entry("impossible").or_default() += 1;
    let why = Planner::new().why_not(&case.npc, &case.request, &mut Scratch::default());
    let fixes = why.fixes.unwrap();
    let context = format!("seed {seed}\n{}", case.instance.text);
    assert_eq!(fixes.undecided, 0, "{context}");
    assert!(!why.causes.is_empty(), "{context}");
    let expected = brute_fixes(&case);
    let found: BTreeSet<String> = fixes.list.iter().map(|fix| word(fix.change)).collect();
    assert_eq!(found, expected.keys().cloned().collect(), "{context}");
    assert_eq!(found.len(), fixes.list.len(), "{context}");
    for fix in &fixes.list {
        let (cost, world) = &expected[&word(fix.change)];
        let plan = deeds(&fix.plan);
        assert_eq!((fix.plan.cost().0, world.price(&plan)), (*cost, Some(*cost)), "{context}");
        assert!(!fix.told.text.is_empty(), "{context}");
        *tally.entry(fix.change.code()).or_default() += 1;
    }
    let keys: Vec<(Group, u64)> =
        fixes.list.iter().map(|fix| (fix.group, fix.plan.cost().0)).collect();
    assert!(keys.is_sorted(), "{context}\n{keys:?}");
    if fixes.list.is_empty() {
        *tally.entry("no single change").or_default() += 1;
    }
}

#[test]
fn the_fixes_are_those_of_trying_every_single_change() {
    let mut tally = BTreeMap::new();
    (0..instances(8_000)).for_each(|seed| check_fixes(seed, &mut tally));
    println!("{tally:?}");
    let kinds = ["value", "check", "allow", "drop_override", "grant", "drop_need"];
    for kind in kinds.iter().chain(&["impossible", "no single change"]) {
        assert!(tally.get(kind).is_some_and(|&n| n >= 20), "{kind}: {tally:?}");
    }
}

/// Asks for every action of the domain why it is not in the plan.
fn check_unused(seed: u64, tally: &mut BTreeMap<&'static str, u64>) {
    let case = case(seed);
    let (world, domain) = (&case.world, case.npc.domain());
    for (deed, action) in domain.model().actions().iter().enumerate() {
        let id = domain.action(action.name()).unwrap();
        let scratch = &mut Scratch::default();
        let why = Planner::new().why_not_action(&case.npc, &case.request, id, scratch);
        let context = format!("seed {seed}, {}: {why:?}\n{}", action.name(), case.instance.text);
        *tally.entry(why.why.code()).or_default() += 1;
        let with = world.cheapest_with(Some(deed));
        match &why.why {
            NotUsed::InThePlan(step) => {
                assert_eq!(why.answer.plan().actions()[*step], id, "{context}");
            }
            NotUsed::NotItsOwn(_) => assert!(!world.can.contains(&deed), "{context}"),
            NotUsed::NotThere(_) => {
                assert!(world.can.contains(&deed) && !world.there().contains(&deed), "{context}");
            }
            NotUsed::NeverReady(_) => {
                let ready = WhatIf { goal: world.deeds[deed].needs.clone(), ..world.clone() };
                assert_eq!((with, ready.cheapest()), (None, None), "{context}");
            }
            NotUsed::InNoPlan => {
                let ready = WhatIf { goal: world.deeds[deed].needs.clone(), ..world.clone() };
                assert!(with.is_none() && ready.cheapest().is_some(), "{context}");
            }
            NotUsed::InAnotherPlan { cost, .. } => {
                let plan = deeds(why.with.as_ref().unwrap());
                assert_eq!((Some(cost.0), world.price(&plan)), (with, with), "{context}");
                assert!(plan.contains(&deed), "{context}");
            }
            NotUsed::GaveUp(limit) => panic!("{limit:?}: {context}"),
        }
    }
}

#[test]
fn an_unused_action_is_not_there_or_useless_or_dearer() {
    let mut tally = BTreeMap::new();
    (0..instances(2_000)).for_each(|seed| check_unused(seed, &mut tally));
    println!("{tally:?}");
    let codes = ["in_the_plan", "cannot_do", "check_false", "forbidden", "overridden"];
    for code in codes.iter().chain(&["never_ready", "in_no_plan", "dearer"]) {
        assert!(tally.get(code).is_some_and(|&n| n >= 50), "{code}: {tally:?}");
    }
}

/// Calls `each` with every order of the steps that keeps the constraints, up to so many.
fn linearisations(
    after: &[Vec<usize>],
    order: &mut Vec<usize>,
    left: &mut usize,
    each: &mut dyn FnMut(&[usize]),
) {
    if order.len() == after.len() && *left > 0 {
        *left -= 1;
        each(order);
    }
    for step in 0..after.len() {
        let ready = !order.contains(&step) && after[step].iter().all(|b| order.contains(b));
        if ready && *left > 0 {
            order.push(step);
            linearisations(after, order, left, each);
            order.pop();
        }
    }
}

/// Whether one of two actions sets a variable that the other needs or sets.
fn touch(world: &WhatIf, a: usize, b: usize) -> bool {
    let (a, b) = (&world.deeds[a], &world.deeds[b]);
    let uses = |x: &throng_suite::what_if::Deed, variable: usize| {
        x.needs.iter().chain(&x.sets).any(|pair| pair.0 == variable)
    };
    a.sets.iter().any(|pair| uses(b, pair.0)) || b.sets.iter().any(|pair| uses(a, pair.0))
}

fn check_order(seed: u64, tally: &mut [u64; 3]) {
    let case = case(seed);
    // The replay knows nothing of what a caller forbids.
    if !case.world.forbidden.is_empty() {
        return;
    }
    let answer = Planner::new().plan(&case.npc, &case.request, &mut Scratch::default());
    let order = Planner::new().partial_order(&case.npc, answer.plan());
    let plan = deeds(answer.plan());
    let names: Vec<&str> = answer.plan().names().collect();
    let model = case.npc.domain().model();
    let expected = Verdict::Valid { cost: answer.plan().cost() };
    let mut count = 0;
    linearisations(&order.after, &mut Vec::new(), &mut 500, &mut |steps| {
        count += 1;
        let words: Vec<&str> = steps.iter().map(|&step| names[step]).collect();
        let verdict = replay(model, &case.instance.question(), &words).unwrap();
        assert!(!answer.is_solved() || verdict == expected, "seed {seed}: {words:?} {verdict:?}");
    });
    // Who comes before whom, with all that follows.
    let n = plan.len();
    let mut before = vec![vec![false; n]; n];
    for step in 0..n {
        for &direct in &order.after[step] {
            let earlier: Vec<usize> = (0..n).filter(|&at| before[direct][at]).collect();
            assert!(
                !order.after[step].iter().any(|other| earlier.contains(other)),
                "seed {seed}: a constraint that follows from others"
            );
            earlier.into_iter().chain([direct]).for_each(|at| before[step][at] = true);
        }
        for other in 0..step {
            let ordered = before[step][other];
            let direct = order.after[step].contains(&other);
            assert!(ordered || !touch(&case.world, plan[other], plan[step]), "seed {seed}");
            assert!(!direct || touch(&case.world, plan[other], plan[step]), "seed {seed}");
        }
    }
    let mut in_stages: Vec<usize> = Vec::new();
    for stage in &order.stages {
        for &step in stage {
            assert!(order.after[step].iter().all(|at| in_stages.contains(at)), "seed {seed}");
        }
        in_stages.extend(stage);
    }
    in_stages.sort_unstable();
    assert!(in_stages.iter().copied().eq(0..n), "seed {seed}");
    tally[0] += u64::from(n > 1);
    tally[1] += u64::from(count > 1);
    tally[2] += count;
}

#[test]
fn every_order_that_keeps_the_constraints_replays() {
    let mut tally = [0; 3];
    let n = instances(8_000);
    (0..n).for_each(|seed| check_order(seed, &mut tally));
    println!("{tally:?}: plans of several steps, with a choice, orders");
    assert!(tally[0] > n / 5 && tally[1] > n / 20 && tally[2] > n, "{tally:?}");
}
