//! Planner, oracle and independent replay agree on random domains; the stream and the library
//! give the same answers.
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

use std::io::Cursor;
use throng::prelude::*;
use throng_check::{Verdict, replay};
use throng_cli::{Console, solve_stream};
use throng_domain::formats::json;
use throng_planner::{Reason, Root};
use throng_suite::oracle;
use throng_suite::random::{Instance, Told, instance};

/// How many instances each of the two halves tries.
fn instances() -> u64 {
    if std::env::var_os("THRONG_LONG").is_some() { 1_100_000 } else { 110_000 }
}

/// Random domains have at most 6 variables of 4 values and unknown.
const MAX_STATES: usize = 20_000;

fn domain_of(instance: &Instance) -> Domain {
    Domain::from_loaded(instance.load()).unwrap()
}

fn npc_of(domain: &Domain, instance: &Instance) -> Npc {
    let mut npc = Npc::new(domain, &instance.npc).unwrap();
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
    npc
}

fn request_of(domain: &Domain, instance: &Instance, seed: u64) -> Request {
    if seed.is_multiple_of(2) {
        return Request::goal(domain.goal("g").unwrap());
    }
    Request::to(instance.to.iter().map(|(variable, value)| domain.fact(variable, value).unwrap()))
}

/// What a run of instances came to; a test that never sees a case proves nothing about it.
#[derive(Default)]
struct Tally {
    plans: u64,
    steps: u64,
    satisfied: u64,
    impossible: std::collections::BTreeMap<&'static str, u64>,
}

/// Compares everybody on one instance.
fn check(seed: u64, scratch: &mut Scratch, tally: &mut Tally) {
    let instance = instance(seed);
    let domain = domain_of(&instance);
    let npc = npc_of(&domain, &instance);
    let request = request_of(&domain, &instance, seed);
    let question = instance.question();
    let answer = Planner::new().plan(&npc, &request, scratch);
    let cheapest = oracle::cheapest(domain.model(), &question, MAX_STATES).unwrap();
    let names: Vec<&str> = answer.plan().names().collect();
    match answer.outcome() {
        Outcome::Plan { cost } => {
            assert_eq!(Some(cost.0), cheapest, "seed {seed}: cost\n{}", instance.text);
            let verdict = replay(domain.model(), &question, &names).unwrap();
            assert_eq!(verdict, Verdict::Valid { cost: *cost }, "seed {seed}\n{}", instance.text);
            assert!(!names.is_empty(), "seed {seed}: an empty plan is called satisfied");
            (tally.plans, tally.steps) = (tally.plans + 1, tally.steps + names.len() as u64);
        }
        Outcome::Satisfied => {
            assert_eq!(cheapest, Some(0), "seed {seed}\n{}", instance.text);
            tally.satisfied += 1;
        }
        Outcome::Impossible(proof) => {
            assert_eq!(cheapest, None, "seed {seed}: {}\n{}", answer.reason(), instance.text);
            assert!(!answer.reason().is_empty());
            check_reason(seed, &instance, &domain, proof.reason(domain.compiled()));
            *tally.impossible.entry(answer.reason_code()).or_default() += 1;
        }
        Outcome::GaveUp(limit) => panic!("seed {seed}: gave up at {limit:?} without a limit"),
    }
    if seed.is_multiple_of(3) {
        check_shortest(seed, &instance, &npc, &request, scratch);
    }
    if seed.is_multiple_of(5) {
        check_resumed(seed, &npc, &request, &answer, scratch);
    }
}

/// What is said to be out of reach is out of reach by itself.
fn check_reason(seed: u64, instance: &Instance, domain: &Domain, reason: &Reason) {
    let says_so = !matches!(reason.root, Root::Unreachable { .. } | Root::NoWayBack { .. });
    let Some(wanted) = reason.wanted.filter(|_| says_so) else { return };
    let ranges = [wanted];
    let wants = throng_check::Wanted::of(
        domain.model(),
        throng_domain::model::Conditions { ranges: &ranges, ..Default::default() },
    );
    let question = throng_check::Question { to: &[], wants: &wants, ..instance.question() };
    let cheapest = oracle::cheapest(domain.model(), &question, MAX_STATES).unwrap();
    let sentence = reason.sentence(domain.compiled());
    assert_eq!(cheapest, None, "seed {seed}: {sentence}\n{}", instance.text);
}

fn check_shortest(
    seed: u64,
    instance: &Instance,
    npc: &Npc,
    request: &Request,
    scratch: &mut Scratch,
) {
    let model = npc.domain().model();
    let answer = Planner::new().plan(npc, &request.clone().mode(Mode::Shortest), scratch);
    let shortest = oracle::shortest(model, &instance.question(), MAX_STATES).unwrap();
    let length = answer.is_solved().then(|| answer.plan().len());
    assert_eq!(length, shortest, "seed {seed}: shortest\n{}", instance.text);
    if let Outcome::Plan { cost } = answer.outcome() {
        let names: Vec<&str> = answer.plan().names().collect();
        let verdict = replay(model, &instance.question(), &names).unwrap();
        assert_eq!(verdict, Verdict::Valid { cost: *cost }, "seed {seed}\n{}", instance.text);
    }
}

/// A search that is interrupted after every state comes to the same answer.
fn check_resumed(
    seed: u64,
    npc: &Npc,
    request: &Request,
    expected: &Answer,
    scratch: &mut Scratch,
) {
    let limited = request.clone().max_nodes(1 + seed % 3);
    let planner = Planner::new();
    let mut answer = planner.plan(npc, &limited, scratch);
    while matches!(answer.outcome(), Outcome::GaveUp(_)) {
        assert!(answer.nodes() <= expected.nodes(), "seed {seed}: more work than in one go");
        answer = planner.resume(npc, &limited, scratch);
    }
    assert_eq!(answer.outcome(), expected.outcome(), "seed {seed}");
    assert_eq!(answer.plan().actions(), expected.plan().actions(), "seed {seed}");
    assert_eq!(answer.nodes(), expected.nodes(), "seed {seed}");
}

fn check_all(seeds: std::ops::Range<u64>) {
    let count = seeds.end - seeds.start;
    let mut scratch = Scratch::default();
    let mut tally = Tally::default();
    for seed in seeds {
        check(seed, &mut scratch, &mut tally);
    }
    println!(
        "{count} instances: {} plans of {:.1} steps on average, {} satisfied, impossible {:?}",
        tally.plans,
        tally.steps as f64 / tally.plans as f64,
        tally.satisfied,
        tally.impossible
    );
    assert!(tally.plans > count / 4 && tally.satisfied > 0);
    for code in [
        "nobody_sets",
        "only_world_sets",
        "unknown_start",
        "check_false",
        "overridden",
        "stuck",
        "circle",
        "unreachable",
    ] {
        assert!(tally.impossible.contains_key(code), "no instance was impossible by {code}");
    }
}

#[test]
fn everybody_agrees_on_the_first_half_of_the_random_domains() {
    check_all(0..instances());
}

#[test]
fn everybody_agrees_on_the_second_half_of_the_random_domains() {
    check_all(instances()..2 * instances());
}

/// The line that asks `solve` what the instance asks.
fn line_of(instance: &Instance, domain: &Domain, seed: u64) -> String {
    let object = |pairs: &[(String, String)]| {
        let members: Vec<String> = pairs
            .iter()
            .map(|(variable, value)| format!("{}: {}", json::quote(variable), json::quote(value)))
            .collect();
        format!("{{{}}}", members.join(", "))
    };
    let list = |names: &[String]| {
        let names: Vec<String> = names.iter().map(|name| json::quote(name)).collect();
        format!("[{}]", names.join(", "))
    };
    let goal = match seed.is_multiple_of(2) {
        true => "\"goal\": \"g\"".to_string(),
        false => format!("\"to\": {}", object(&instance.to)),
    };
    let told = match &instance.told {
        Told::Without(checks) => format!("\"without\": {}", list(checks)),
        Told::Only(checks) => format!("\"only\": {}", list(checks)),
    };
    let written = json::write(domain.model()).replace('\n', " ");
    format!(
        "{{\"id\": {seed}, \"domain\": {written}, \"npc\": {}, \"from\": {}, {goal}, {told}}}\n",
        json::quote(&instance.npc),
        object(&instance.from)
    )
}

#[test]
fn the_stream_and_the_library_give_the_same_answers() {
    let count = instances() / 10;
    let mut lines = String::new();
    let mut expected = Vec::new();
    let mut scratch = Scratch::default();
    for seed in 0..count {
        let instance = instance(seed);
        let domain = domain_of(&instance);
        lines.push_str(&line_of(&instance, &domain, seed));
        let npc = npc_of(&domain, &instance);
        let request = request_of(&domain, &instance, seed);
        let answer = Planner::new().plan(&npc, &request, &mut scratch);
        let plan: Vec<String> = answer.plan().names().map(json::quote).collect();
        let plan = if answer.is_solved() { format!("[{}]", plan.join(",")) } else { "null".into() };
        let cost =
            if answer.is_solved() { answer.plan().cost().to_string() } else { "null".into() };
        let code = json::quote(answer.reason_code());
        expected.push((
            format!("{{\"id\":{seed},"),
            format!("\"plan\":{plan},\"cost\":{cost},"),
            code,
        ));
    }
    let mut out = Vec::new();
    let mut console = Console::silent(&mut out);
    assert_eq!(solve_stream(Cursor::new(lines), &mut console), 0);
    drop(console);
    let out = String::from_utf8(out).unwrap();
    let answers: Vec<&str> = out.lines().collect();
    assert_eq!(answers.len(), expected.len());
    for (answer, (id, plan, code)) in answers.iter().zip(&expected) {
        assert!(answer.starts_with(id), "{answer}\n{id}");
        assert!(answer.contains(plan), "{answer}\n{plan}");
        assert!(code == "\"\"" || answer.contains(code), "{answer}\n{code}");
    }
}

#[test]
fn threads_give_the_same_plans() {
    let plans = |from: u64, to: u64| -> Vec<String> {
        let mut scratch = Scratch::default();
        (from..to)
            .map(|seed| {
                let instance = instance(seed);
                let domain = domain_of(&instance);
                let npc = npc_of(&domain, &instance);
                let request = request_of(&domain, &instance, seed);
                let answer = Planner::new().plan(&npc, &request, &mut scratch);
                let names: Vec<&str> = answer.plan().names().collect();
                format!("{seed} {} {} {}", answer.nodes(), names.join(" "), answer.reason())
            })
            .collect()
    };
    let alone = plans(0, 3500);
    for threads in [2, 7] {
        let share = 3500 / threads;
        let together: Vec<String> = std::thread::scope(|scope| {
            let plans = &plans;
            let parts: Vec<_> = (0..threads)
                .map(|at| scope.spawn(move || plans(at * share, (at + 1) * share)))
                .collect();
            parts.into_iter().flat_map(|part| part.join().unwrap()).collect()
        });
        assert_eq!(alone, together, "{threads} threads");
    }
}
