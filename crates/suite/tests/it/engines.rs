//! Every engine in every mode agrees with the oracle on random domains without structure.
//!
//! In:   domains of up to 8 variables and 14 actions, several effects, costs, checks, overrides,
//!       unknown values, partial goals; each is named by its seed.
//! Out:  `cheapest` costs what the oracle says, `shortest` has as many steps, `fast` is a valid
//!       plan if and only if there is one; searches in slices come to the same answers, after the
//!       same number of nodes, and no call expands more than it may.
//!
//! Each domain is asked nine times: the regressive and the forward engine and whoever is chosen,
//! in three modes. `THRONG_LONG=1` tries ten times as many.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test may panic, and say what was tried"
)]

use throng::Engine;
use throng::prelude::*;
use throng_base::SplitMix;
use throng_check::{Verdict, replay};
use throng_domain::compile::LocalAction;
use throng_lab::families::boxes::competition;
use throng_planner::SearchBudget;
use throng_planner::forward::{Found, GroundTask, Search};
use throng_suite::oracle;
use throng_suite::random::{Instance, Shape, Told, instance_of};

const ENGINES: [Option<Engine>; 3] = [Some(Engine::Regressive), Some(Engine::Forward), None];
const MODES: [Mode; 3] = [Mode::Cheapest, Mode::Shortest, Mode::Fast];

/// Domains per half; each is asked nine times.
fn domains() -> u64 {
    if std::env::var_os("THRONG_LONG").is_some() { 120_000 } else { 12_000 }
}

/// The few domains with more states are left aside: the oracle is slow.
const MAX_STATES: usize = 3_000;

#[derive(Default)]
struct Tally {
    asked: u64,
    too_large: u64,
    plans: u64,
    steps: u64,
    impossible: u64,
    sliced: u64,
    slices: u64,
    greedy: u64,
}

/// What is reused from domain to domain.
#[derive(Default)]
struct Tools {
    scratch: Scratch,
    task: GroundTask,
    search: Search,
    actions: Vec<LocalAction>,
    steps: Vec<u32>,
}

fn npc_of(domain: &Domain, instance: &Instance) -> Npc {
    let mut npc = Npc::new(domain, &instance.npc).unwrap();
    instance.from.iter().for_each(|(variable, value)| npc.set(variable, value).unwrap());
    let (Told::Without(checks) | Told::Only(checks)) = &instance.told;
    let only = matches!(instance.told, Told::Only(_));
    if only {
        npc.clear_checks();
    }
    checks.iter().for_each(|check| npc.set_check(check, only).unwrap());
    npc
}

/// What the oracle knows.
struct Known {
    cost: Option<u64>,
    length: Option<usize>,
}

fn check(seed: u64, tools: &mut Tools, tally: &mut Tally) {
    let mut dice = SplitMix::new(seed);
    let shape = Shape::general(&mut dice);
    let instance = instance_of(shape, &mut dice);
    let domain = Domain::from_loaded(instance.load()).unwrap();
    let npc = npc_of(&domain, &instance);
    let facts = instance.to.iter().map(|(variable, value)| domain.fact(variable, value).unwrap());
    let request = Request::to(facts);
    let Ok(cost) = oracle::cheapest(domain.model(), &instance.question(), MAX_STATES) else {
        tally.too_large += 1;
        return;
    };
    let length = oracle::shortest(domain.model(), &instance.question(), MAX_STATES).unwrap();
    let known = Known { cost, length };
    check_greedy(seed, &instance, &npc, &known, tools, tally);
    let scratch = &mut tools.scratch;
    for (at, engine) in ENGINES.into_iter().enumerate() {
        for (also, mode) in MODES.into_iter().enumerate() {
            let mut request = request.clone().mode(mode);
            if let Some(engine) = engine {
                request = request.engine(engine);
            }
            let answer = Planner::new().plan(&npc, &request, scratch);
            judge(seed, &instance, &domain, mode, &answer, &known, tally);
            if engine == Some(Engine::Forward) {
                assert_eq!(answer.engine(), Engine::Forward, "seed {seed}");
            }
            if (seed + at as u64 + 3 * also as u64).is_multiple_of(9) {
                check_sliced(seed, &npc, &request, &answer, scratch, tally);
            }
        }
    }
}

/// Greedy search at once: small domains are answered in haste, before it has its turn.
fn check_greedy(
    seed: u64,
    instance: &Instance,
    npc: &Npc,
    known: &Known,
    tools: &mut Tools,
    tally: &mut Tally,
) {
    let domain = npc.domain();
    let facts = instance.to.iter().map(|(variable, value)| domain.fact(variable, value).unwrap());
    let problem = npc.problem(&facts.collect::<Vec<_>>());
    let kind = problem.kind(domain.compiled());
    let Tools { task, search, actions, steps, .. } = tools;
    if !problem.outside_holds() || known.cost == Some(0) {
        return;
    }
    task.fill(kind, &problem, Mode::Fast, |_| true, actions);
    search.begin_greedily(task);
    // In slices, so that going on is tried as well.
    let budget = SearchBudget { nodes: 1 + seed % 9, ..SearchBudget::DEFAULT };
    let mut found = search.run(task, &budget);
    while let Found::Limit(_) = found {
        found = search.run(task, &budget);
    }
    match found {
        Found::Goal(state) => {
            search.extract_plan(state, steps);
            let map = domain.compiled().map();
            let action = |&step: &u32| map.action(kind.actions()[actions[step as usize].index()]);
            let names: Vec<&str> = steps.iter().map(action).collect();
            let verdict = replay(domain.model(), &instance.question(), &names).unwrap();
            assert!(matches!(verdict, Verdict::Valid { .. }), "seed {seed}: {verdict:?}");
            assert!(known.cost.is_some(), "seed {seed}\n{}", instance.text);
        }
        other => {
            assert_eq!((other, known.cost), (Found::Nothing, None), "seed {seed}");
        }
    }
    tally.greedy += 1;
}

fn judge(
    seed: u64,
    instance: &Instance,
    domain: &Domain,
    mode: Mode,
    answer: &Answer,
    known: &Known,
    tally: &mut Tally,
) {
    let about = || {
        let engine = answer.engine();
        format!("seed {seed}, {mode:?}, {engine:?}: {}\n{}", answer.reason(), instance.text)
    };
    tally.asked += 1;
    assert!(!matches!(answer.outcome(), Outcome::GaveUp(_)), "{}", about());
    assert_eq!(answer.is_solved(), known.cost.is_some(), "{}", about());
    if !answer.is_solved() {
        assert!(!answer.reason().is_empty(), "{}", about());
        tally.impossible += 1;
        return;
    }
    let names: Vec<&str> = answer.plan().names().collect();
    let cost = answer.plan().cost();
    let verdict = replay(domain.model(), &instance.question(), &names).unwrap();
    assert_eq!(verdict, Verdict::Valid { cost }, "{}", about());
    match mode {
        Mode::Cheapest => assert_eq!(Some(cost.0), known.cost, "{}", about()),
        Mode::Shortest => assert_eq!(Some(names.len()), known.length, "{}", about()),
        Mode::Fast => assert_eq!(names.is_empty(), known.cost == Some(0), "{}", about()),
    }
    tally.plans += 1;
    tally.steps += names.len() as u64;
}

/// The same question in slices of a few nodes.
fn check_sliced(
    seed: u64,
    npc: &Npc,
    request: &Request,
    expected: &Answer,
    scratch: &mut Scratch,
    tally: &mut Tally,
) {
    let nodes = 1 + seed % 7;
    let limited = request.clone().max_nodes(nodes);
    let planner = Planner::new();
    let mut answer = planner.plan(npc, &limited, scratch);
    let mut before = 0;
    while matches!(answer.outcome(), Outcome::GaveUp(_)) {
        let now = answer.nodes();
        assert_eq!(now - before, nodes, "seed {seed}: a slice is exactly what was allowed");
        before = now;
        tally.slices += 1;
        answer = planner.resume(npc, &limited, scratch);
    }
    assert_eq!(answer.outcome(), expected.outcome(), "seed {seed}");
    assert_eq!(answer.plan().actions(), expected.plan().actions(), "seed {seed}");
    assert_eq!(answer.nodes(), expected.nodes(), "seed {seed}");
    tally.sliced += 1;
}

fn check_all(seeds: std::ops::Range<u64>) {
    let count = seeds.end - seeds.start;
    let (mut tools, mut tally) = (Tools::default(), Tally::default());
    seeds.for_each(|seed| check(seed, &mut tools, &mut tally));
    println!(
        "{count} domains ({} too large), asked {} times: {} plans of {:.1} steps on average, {} \
         times impossible; {} times in slices, {} of them; {} times greedily",
        tally.too_large,
        tally.asked,
        tally.plans,
        tally.steps as f64 / tally.plans as f64,
        tally.impossible,
        tally.sliced,
        tally.slices,
        tally.greedy
    );
    assert!(tally.too_large < count / 20, "the oracle sees nearly all");
    assert!(tally.asked >= 8 * count && tally.plans > count && tally.impossible > count);
    assert!(tally.slices > count && tally.sliced > count / 2 && tally.greedy > count / 2);
}

#[test]
fn all_engines_and_modes_agree_on_the_first_half_of_the_random_domains() {
    check_all(0..domains());
}

#[test]
fn all_engines_and_modes_agree_on_the_second_half_of_the_random_domains() {
    check_all(domains()..2 * domains());
}

/// States of one word and of several, few actions and hundreds: boxes by forward search.
#[test]
fn boxes_of_any_width_are_carried() {
    let mut scratch = Scratch::default();
    let mut ask = |n_boxes: usize, n_places: usize, mode: Mode| {
        let domain = Domain::from_text(&competition(n_boxes, n_places)).unwrap();
        let npc = Npc::new(&domain, "creature").unwrap();
        let request = Request::goal(domain.goal("moved").unwrap());
        let request = request.engine(Engine::Forward).mode(mode).max_nodes(100_000);
        let answer = Planner::new().plan(&npc, &request, &mut scratch);
        assert!(answer.is_solved(), "{n_boxes} boxes, {n_places} places: {:?}", answer.outcome());
        answer.plan().len()
    };
    for n_boxes in 1..=5 {
        for mode in [Mode::Shortest, Mode::Cheapest] {
            assert_eq!(ask(n_boxes, 3, mode), 4 * n_boxes - 1, "{n_boxes} boxes, {mode:?}");
        }
        assert!(ask(n_boxes, 3, Mode::Fast) >= 4 * n_boxes - 1);
    }
    // Two, three, four and ten words.
    for n_boxes in [30, 60, 80, 200] {
        assert!(ask(n_boxes, 4, Mode::Fast) >= 4 * n_boxes - 1);
    }
}

#[test]
fn limits_are_kept_in_every_mode() {
    // Another price for going, so that the cheapest is not the shortest by definition.
    let text = competition(6, 4).replace("at from -> to", "at from -> to  cost 3");
    let domain = Domain::from_text(&text).unwrap();
    let npc = Npc::new(&domain, "creature").unwrap();
    let goal = Request::goal(domain.goal("moved").unwrap()).engine(Engine::Forward);
    let mut scratch = Scratch::default();
    for mode in MODES {
        for nodes in [1, 7, 20] {
            let request = goal.clone().mode(mode).max_nodes(nodes);
            let answer = Planner::new().plan(&npc, &request, &mut scratch);
            assert_eq!(answer.outcome(), &Outcome::GaveUp(throng::Limit::Nodes), "{mode:?}");
            assert_eq!(answer.nodes(), nodes, "{mode:?}");
        }
        let request = goal.clone().mode(mode).max_bytes(2_500);
        let answer = Planner::new().plan(&npc, &request, &mut scratch);
        assert_eq!(answer.outcome(), &Outcome::GaveUp(throng::Limit::Memory), "{mode:?}");
        let request = goal.clone().mode(mode).stop_when(|| true);
        let answer = Planner::new().plan(&npc, &request, &mut scratch);
        assert_eq!(answer.outcome(), &Outcome::GaveUp(throng::Limit::Stopped), "{mode:?}");
    }
}
