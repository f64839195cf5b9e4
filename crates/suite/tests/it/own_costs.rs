//! Every engine that can be asked for finds a plan of least cost, with the costs of the domain and
//! with costs of an NPC's own; interrupted and resumed it finds the same one.
//!
//! Each instance is named by its seed. `THRONG_LONG=1` tries ten times as many.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may panic, and say what was tried"
)]

use throng::Engine;
use throng::prelude::*;
use throng_suite::oracle;
use throng_suite::random::{Instance, Told, instance};

const MAX_STATES: usize = 20_000;
const ENGINES: [Engine; 3] = [Engine::Topological, Engine::Regressive, Engine::Forward];

fn instances() -> u64 {
    if std::env::var_os("THRONG_LONG").is_some() { 200_000 } else { 20_000 }
}

fn npc_of(domain: &Domain, instance: &Instance) -> Npc {
    let mut npc = Npc::new(domain, &instance.npc).unwrap();
    for (variable, value) in &instance.from {
        npc.set(variable, value).unwrap();
    }
    let (Told::Without(checks) | Told::Only(checks)) = &instance.told;
    let only = matches!(instance.told, Told::Only(_));
    if only {
        npc.clear_checks();
    }
    checks.iter().for_each(|check| npc.set_check(check, only).unwrap());
    npc
}

/// A price for an action: most are small, so that ways of equal cost are common.
fn price(seed: u64, name: &str) -> Cost {
    let mixed = name.bytes().fold(seed | 1, |all, byte| {
        (all ^ u64::from(byte)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
    });
    Cost([500, 1000, 1000, 2000, 7250, 1, 1_000_000_000][(mixed >> 40) as usize % 7])
}

/// What one instance came to by all engines: the cost, if there is a plan.
fn check(seed: u64, own: bool, scratch: &mut Scratch) -> Option<u64> {
    let instance = instance(seed);
    let domain = Domain::from_loaded(instance.load()).unwrap();
    let mut npc = npc_of(&domain, &instance);
    let model = domain.model();
    if own {
        // Some keep the domain's cost.
        for action in model.actions().iter().filter(|action| price(!seed, action.name()).0 != 500) {
            npc.set_cost(action.name(), price(seed, action.name())).unwrap();
        }
    }
    let priced = |name: &str| npc.cost(domain.action(name).unwrap()).unwrap();
    let question = instance.question();
    let oracle_price = |action: &throng_domain::model::Action| {
        npc.cost(domain.action(action.name()).unwrap()).map_or(u64::MAX, |cost| cost.0)
    };
    let cheapest = oracle::cheapest_by(model, &question, MAX_STATES, &oracle_price).unwrap();
    let wanted = instance.to.iter().map(|(v, value)| domain.fact(v, value).unwrap());
    let request = match seed % 2 {
        0 => Request::goal(domain.goal("g").unwrap()),
        _ => Request::to(wanted),
    };
    for engine in ENGINES {
        let request = request.clone().engine(engine);
        let answer = Planner::new().plan(&npc, &request, scratch);
        let cost = answer.is_solved().then(|| answer.plan().cost().0);
        assert_eq!(cost, cheapest, "seed {seed}, {engine:?}\n{}", instance.text);
        let mut sum = 0;
        for step in answer.plan().steps() {
            assert_eq!(step.cost, priced(step.name), "seed {seed}, {engine:?}: {}", step.name);
            sum += step.cost.0;
        }
        assert_eq!(sum, answer.plan().cost().0, "seed {seed}, {engine:?}");
        let mut walker = npc.clone();
        let runs = answer.plan().actions().iter().all(|&action| walker.apply(action));
        assert!(runs, "seed {seed}, {engine:?}: the plan does not run");
        if seed.is_multiple_of(7) {
            let limited = request.clone().max_nodes(1 + seed % 3);
            let mut again = Planner::new().plan(&npc, &limited, scratch);
            while matches!(again.outcome(), Outcome::GaveUp(_)) {
                again = Planner::new().resume(&npc, &limited, scratch);
            }
            assert_eq!(again.plan().actions(), answer.plan().actions(), "seed {seed}, {engine:?}");
        }
    }
    cheapest
}

#[test]
fn all_engines_find_the_cheapest_plan() {
    let mut scratch = Scratch::default();
    let (mut plans, mut changed) = (0, 0);
    for seed in 0..instances() {
        let usual = check(seed, false, &mut scratch);
        let own = check(seed, true, &mut scratch);
        assert_eq!(usual.is_some(), own.is_some(), "seed {seed}: costs decide no plan's existence");
        plans += u64::from(usual.is_some_and(|cost| cost > 0));
        changed += u64::from(usual != own);
    }
    println!("{plans} plans, {changed} of another cost");
    assert!(plans > instances() / 4 && changed > instances() / 5);
}
