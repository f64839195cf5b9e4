//! A certificate that is kept between calls says what a fresh one says: for changing masks, for
//! changing types, for changing domains.

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
use throng_domain::compile::{LocalAction, UNKNOWN};
use throng_planner::choose::choose;
use throng_planner::topological::{self, Moves};
use throng_planner::{ActionMask, Call, Checks, Context, Engine, EngineReason, Problem};
use throng_suite::random::{Shape, instance_of};

fn random_domain(seed: u64) -> Domain {
    let mut dice = SplitMix::new(seed);
    let mut shape = Shape::any(&mut dice);
    // Mostly moves; a third of the domains sets values twice, so that the mask decides.
    shape.effects = if seed.is_multiple_of(7) { 2 } else { 1 };
    shape.post_unique = !seed.is_multiple_of(3);
    Domain::from_loaded(instance_of(shape, &mut dice).load()).unwrap()
}

/// Why there is no plan, in words: a proof finds its reason when it is read.
fn reason(outcome: &Option<Outcome>, domain: &Domain) -> Option<String> {
    match outcome {
        Some(Outcome::Impossible(proof)) => Some(proof.sentence(domain.compiled())),
        _ => None,
    }
}

#[test]
fn a_kept_certificate_is_as_good_as_a_fresh_one() {
    let (mut kept, mut kept_scratch) =
        (Moves::default(), topological::TopologicalScratch::default());
    let (mut by_order, mut by_mask, mut unserved, mut long_plans) = (0, 0, 0, 0);
    for seed in 0..400 {
        // The last domain is dropped, so that another may lie where it lay.
        let domains = [random_domain(seed), random_domain(seed / 2)];
        let mut dice = SplitMix::new(seed);
        for _ in 0..12 {
            let domain = &domains[dice.below(2)];
            let compiled = domain.compiled();
            let npc = &compiled.npcs()[dice.below(compiled.npcs().len())];
            let mut forbidden = ActionMask::none(npc.n_actions());
            for action in 0..npc.n_actions() as u32 {
                forbidden.set(LocalAction(action), dice.below(4) == 0);
            }
            let mut checks = Checks::all(compiled.map().n_checks());
            for name in compiled.map().check_names() {
                checks.set(domain.check(name).unwrap(), dice.below(3) > 0);
            }
            let values: Vec<u16> = (0..compiled.map().n_variables())
                .map(|at| {
                    let n = domain.model().variables()[at].values().len();
                    if dice.below(9) == 0 { UNKNOWN } else { dice.below(n) as u16 }
                })
                .collect();
            let variables = domain.model().variables();
            let wanted = dice.some_of(variables.len(), 2);
            let goal = wanted.into_iter().map(|at| {
                let value = dice.pick(variables[at].values()).clone();
                domain.fact(variables[at].name(), &value).unwrap()
            });
            let goal: Vec<Fact> = goal.collect();
            let mut problem = Problem::new(compiled, npc.id());
            problem.fill(
                compiled,
                npc.id(),
                |at| values[at],
                &goal,
                Context::new(&checks, &forbidden),
            );

            let mut fresh = Moves::default();
            let call = Call::new(compiled, &problem);
            let wanted = choose(&call, &mut fresh);
            assert_eq!(choose(&call, &mut kept), wanted, "seed {seed}");
            if wanted.0 != Engine::Topological {
                unserved += 1;
                continue;
            }
            assert_eq!(wanted.1, EngineReason::AllMoves);
            by_order += 1;
            by_mask += u32::from(!compiled.classes(npc.id()).are_moves());
            let mut scratch = topological::TopologicalScratch::default();
            let (mut plan, mut kept_plan) = (Vec::new(), Vec::new());
            let outcome = topological::decide_by_order(&call, &fresh, &mut scratch, &mut plan);
            let kept_outcome =
                topological::decide_by_order(&call, &kept, &mut kept_scratch, &mut kept_plan);
            assert_eq!(kept_outcome, outcome, "seed {seed}");
            assert_eq!(reason(&kept_outcome, domain), reason(&outcome, domain), "seed {seed}");
            assert_eq!(kept_plan, plan, "seed {seed}");
            long_plans += u32::from(plan.len() > 1);
        }
    }
    println!(
        "{by_order} by order, {by_mask} thanks to the mask, {unserved} not, {long_plans} long"
    );
    assert!(by_order > 1_000 && by_mask > 100 && unserved > 100 && long_plans > 50);
}

/// The same type under masks that differ in one action which breaks the rule.
#[test]
fn the_mask_decides_where_the_type_does_not() {
    let text = "domain lamp\nvar lamp: off, on, broken\n\
        action light: lamp off -> on\naction strike: lamp broken -> on\n\
        goal lit: lamp = on\n";
    let domain = Domain::from_text(text).unwrap();
    let compiled = domain.compiled();
    let npc = &compiled.npcs()[0];
    let goal = domain.model().goals()[0].wants();
    let mut moves = Moves::default();
    for (forbid, start, engine) in [
        (None, 0, Engine::Regressive),
        (Some(0), 2, Engine::Topological),
        (None, 0, Engine::Regressive),
        (Some(1), 0, Engine::Topological),
        (Some(1), 0, Engine::Topological),
        (Some(0), 2, Engine::Topological),
    ] {
        let mut forbidden = ActionMask::none(2);
        forbid.iter().for_each(|&action| forbidden.set(LocalAction(action), true));
        let mut problem = Problem::new(compiled, npc.id());
        problem.fill(
            compiled,
            npc.id(),
            |_| start,
            goal,
            Context::new(&Checks::all(0), &forbidden),
        );
        let call = Call::new(compiled, &problem);
        assert_eq!(choose(&call, &mut moves).0, engine, "{forbid:?}");
        if engine == Engine::Topological {
            let mut plan = Vec::new();
            let scratch = &mut topological::TopologicalScratch::default();
            topological::decide_by_order(&call, &moves, scratch, &mut plan);
            assert_eq!(plan, [LocalAction(1 - forbid.unwrap())]);
        }
    }
}
