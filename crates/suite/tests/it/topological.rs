//! The topological planner agrees with the oracle wherever it may be used, on domains of every
//! shape that the language can write. Many more, in plain numbers: `campaign.rs`,
//! `exhaustive.rs`.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test may panic, and say what was tried"
)]

use throng::prelude::*;
use throng_base::SplitMix;
use throng_check::{Verdict, replay};
use throng_domain::compile::UNKNOWN;
use throng_planner::topological::{self, Moves};
use throng_planner::{Call, Context, Outcome, Problem, forward};
use throng_suite::oracle;
use throng_suite::random::{Instance, Shape, Told, instance_of};

fn checks_of(domain: &Domain, instance: &Instance) -> throng_planner::Checks {
    let mut npc = Npc::new(domain, &instance.npc).unwrap();
    match &instance.told {
        Told::Without(checks) => checks.iter().for_each(|c| npc.set_check(c, false).unwrap()),
        Told::Only(checks) => {
            npc.clear_checks();
            checks.iter().for_each(|c| npc.set_check(c, true).unwrap());
        }
    }
    npc.checks().clone()
}

#[derive(Default, Debug)]
struct Tally {
    not_moves: u64,
    plans: u64,
    impossible: std::collections::BTreeMap<&'static str, u64>,
    searched: u64,
    searched_plans: u64,
    nodes: u64,
}

fn check(seed: u64, tally: &mut Tally) {
    let mut dice = SplitMix::new(seed);
    let mut shape = Shape::any(&mut dice);
    shape.effects = 1;
    shape.post_unique = true;
    if seed.is_multiple_of(2) {
        shape.from_any_chance = 0;
    }
    let instance = instance_of(shape, &mut dice);
    let domain = Domain::from_loaded(instance.load()).unwrap();
    let compiled = domain.compiled();
    let id = domain.npc_type(&instance.npc).unwrap();
    let mut values = vec![UNKNOWN; compiled.map().n_variables()];
    let facts = compiled.npc(id).starts().to_vec().into_iter();
    let given = instance.from.iter().map(|(v, x)| domain.fact(v, x).unwrap());
    for fact in facts.chain(given) {
        values[fact.variable.index()] = fact.value.index() as u16;
    }
    let goal: Vec<Fact> = instance.to.iter().map(|(v, x)| domain.fact(v, x).unwrap()).collect();
    let mut problem = Problem::new(compiled, id);
    let none = throng_planner::ActionMask::none(compiled.npc(id).n_actions());
    problem.fill(
        compiled,
        id,
        |v| values[v],
        &goal,
        Context::new(&checks_of(&domain, &instance), &none),
    );
    let npc = problem.kind(compiled);
    let call = Call::new(compiled, &problem);
    let mut moves = Moves::default();
    if moves.certify(&call).is_err() || !moves.fits(&call) {
        tally.not_moves += 1;
        return;
    }
    let mut scratch = topological::TopologicalScratch::default();
    let mut plan = Vec::new();
    let decided = topological::decide(&call, &moves, &mut scratch, &mut plan);
    compare_layouts(seed, &domain, &problem, &moves, &decided, &plan);
    let cheapest = oracle::cheapest(domain.model(), &instance.question(), 20_000).unwrap();
    let outcome = match decided {
        Some(outcome) => outcome,
        None => {
            let mut search = forward::ForwardScratch::default();
            let answer = topological::search(&call, &moves, &mut scratch, &mut search, &mut plan);
            tally.searched += 1;
            tally.searched_plans += u64::from(matches!(answer.outcome, Outcome::Plan { .. }));
            tally.nodes += answer.nodes;
            answer.outcome
        }
    };
    match outcome {
        Outcome::Plan { cost } => {
            assert_eq!(Some(cost.0), cheapest, "seed {seed}\n{}", instance.text);
            let names: Vec<&str> =
                plan.iter().map(|a| compiled.map().action(npc.actions()[a.index()])).collect();
            let verdict = replay(domain.model(), &instance.question(), &names).unwrap();
            assert_eq!(verdict, Verdict::Valid { cost }, "seed {seed}\n{}", instance.text);
            tally.plans += 1;
        }
        Outcome::Satisfied => assert_eq!(cheapest, Some(0), "seed {seed}\n{}", instance.text),
        Outcome::Impossible(proof) => {
            let reason = proof.reason(compiled);
            assert_eq!(
                cheapest,
                None,
                "seed {seed} {}\n{}",
                reason.sentence(compiled),
                instance.text
            );
            *tally.impossible.entry(reason.code()).or_default() += 1;
        }
        Outcome::GaveUp(limit) => panic!("seed {seed}: {limit:?}"),
    }
}

/// What closure and order say without machine words: the same actions at the same price.
fn compare_layouts(
    seed: u64,
    domain: &Domain,
    problem: &Problem,
    moves: &Moves,
    decided: &Option<Outcome>,
    plan: &[throng_domain::compile::LocalAction],
) {
    let call = Call::new(domain.compiled(), problem);
    let (mut scratch, mut large_plan) = (topological::TopologicalScratch::default(), Vec::new());
    let by_order = topological::decide_by_order(&call, moves, &mut scratch, &mut large_plan);
    if let (Some(Outcome::Plan { cost }), Some(Outcome::Plan { cost: other })) =
        (decided, &by_order)
    {
        assert_eq!(cost, other, "seed {seed}");
        let (mut small, mut large) = (plan.to_vec(), large_plan);
        small.sort();
        large.sort();
        assert_eq!(small, large, "seed {seed}: the layouts use different actions");
    }
    let contradicts =
        matches!((decided, &by_order), (Some(Outcome::Plan { .. }), Some(Outcome::Impossible(_))));
    assert!(!contradicts, "seed {seed}: the small layout finds what the large calls impossible");
}

#[test]
fn the_topological_planner_agrees_with_the_oracle() {
    let mut tally = Tally::default();
    for seed in 0..60_000 {
        check(seed, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.plans > 20_000);
}
