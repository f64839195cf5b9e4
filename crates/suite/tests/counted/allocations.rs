//! Planning allocates nothing once warm: counted, not believed.
//!
//! A reason is data of its own and allocates its few links; a plan does not.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test may panic, and say what was tried"
)]

use crate::counting::{allocations_of, so_far};
use std::thread::{self, ThreadId};
use throng::Engine;
use throng::Limit;
use throng::expectations::setting;
use throng::prelude::*;
use throng_base::SplitMix;
use throng_crowd::memo::Memo;
use throng_crowd::plans::PlanStore;
use throng_crowd::pool::Pool;
use throng_crowd::space::Space;
use throng_crowd::table::{PolicyTable, TableLimits, TableQuestion};
use throng_domain::compile::LocalAction;
use throng_lab::corpus;
use throng_lab::families::boxes::competition;
use throng_lab::limits::lists::PlanLists;
use throng_lab::members::{one_prv, tunnel};
use throng_lab::warm::{Rows, Warm};
use throng_planner::topological::wide::{
    Kernel, LaneActions, LaneGoals, LanePlans as WidePlans, LaneStates, Lanes, Wide, WideScratch,
};
use throng_planner::{ActionMask, Checks};

#[test]
fn the_counter_counts() {
    assert!(allocations_of(|| drop(std::hint::black_box(vec![1u8; 100]))) > 0);
}

/// Asks everything that a file's tests ask, from their starts and from random ones; gives how
/// many plans came out of calls that were counted.
fn count_for(path: &str, random_starts: usize, engine: Option<Engine>) -> usize {
    let domain = Domain::from_file(corpus::folder().join(path)).unwrap();
    let planner = Planner::new();
    let mut scratch = Scratch::default();
    let mut plan = Plan::empty(&domain);
    let asked = |(npc, request)| (npc, engine.into_iter().fold(request, Request::engine));
    let mut questions: Vec<(Npc, Request)> =
        domain.model().tests().iter().filter_map(|t| setting(&domain, t)).map(asked).collect();
    assert!(!questions.is_empty(), "{path} asks nothing");
    let mut dice = SplitMix::new(11);
    for at in 0..random_starts {
        let (mut npc, request) = questions[at % questions.len()].clone();
        for variable in domain.model().variables() {
            let value = dice.pick(variable.values());
            npc.set(variable.name(), value).unwrap();
        }
        questions.push((npc, request));
    }
    let mut solved = 0;
    for round in 0..2 {
        for (npc, request) in &questions {
            let mut has_plan = false;
            let allocations = allocations_of(|| {
                let (outcome, _) = planner.plan_into(npc, request, &mut scratch, &mut plan);
                has_plan = matches!(outcome, Outcome::Plan { .. } | Outcome::Satisfied);
            });
            if round == 1 && has_plan {
                assert_eq!(allocations, 0, "{path}: {} {request:?}", npc.type_name());
                solved += usize::from(!plan.actions().is_empty());
            }
        }
    }
    solved
}

#[test]
fn a_warm_planner_allocates_nothing() {
    assert!(count_for("papers/western.npc", 300, None) >= 109, "the western has nine goals");
    assert!(count_for("papers/horse_breeder_000.npc", 300, None) >= 50);
    assert!(count_for("papers/horse_breeder_001.npc", 300, None) >= 50);
    for (path, least) in [("papers/citizens.npc", 20), ("papers/machines.npc", 20)] {
        assert!(count_for(path, 300, None) >= least, "{path}");
    }
}

/// Plans of thousands of actions, and the tunnel where everything needs everything.
#[test]
fn large_types_allocate_nothing_once_warm() {
    for (member, rows) in [
        (one_prv(5, 2_000).unwrap(), Rows::Graph),
        (one_prv(5, 2_000).unwrap(), Rows::Best),
        (tunnel(200).unwrap(), Rows::Graph),
        (tunnel(200).unwrap(), Rows::Best),
    ] {
        let length = member.length;
        let mut warm = Warm::new(member, rows).unwrap();
        let mut outcome = None;
        let allocations = allocations_of(|| outcome = warm.plan());
        warm.check(&outcome).unwrap();
        assert_eq!(allocations, 0, "a plan of {length} actions");
    }
}

#[test]
fn a_warm_search_from_the_goal_back_allocates_nothing() {
    for engine in [None, Some(Engine::Regressive)] {
        assert!(count_for("fear/soldier.npc", 0, engine) >= 25);
        assert!(count_for("fear/assassin.npc", 0, engine) >= 10);
    }
    assert!(count_for("papers/western.npc", 0, Some(Engine::Regressive)) >= 9);
}

#[test]
fn a_warm_forward_search_allocates_nothing_in_any_mode_also_in_slices() {
    // Another price for going, so that cheapest is a search of its own.
    let text = competition(4, 4).replace("at from -> to", "at from -> to  cost 3");
    let domain = Domain::from_text(&text).unwrap();
    let npc = Npc::new(&domain, "creature").unwrap();
    let goal = Request::goal(domain.goal("moved").unwrap()).engine(Engine::Forward);
    let planner = Planner::new();
    let mut scratch = Scratch::default();
    let mut plan = Plan::empty(&domain);
    for round in 0..2 {
        for mode in [Mode::Cheapest, Mode::Shortest, Mode::Fast] {
            for nodes in [u64::MAX, 40] {
                let request = goal.clone().mode(mode).max_nodes(nodes);
                let mut outcome = None;
                let allocations = allocations_of(|| {
                    outcome = Some(planner.plan_into(&npc, &request, &mut scratch, &mut plan).0);
                });
                let is_expected = match outcome {
                    Some(Outcome::Plan { .. }) => nodes == u64::MAX || mode == Mode::Fast,
                    Some(Outcome::GaveUp(limit)) => nodes == 40 && limit == Limit::Nodes,
                    _ => false,
                };
                assert!(is_expected, "{mode:?}, {nodes} nodes: {outcome:?}");
                assert!(round == 0 || allocations == 0, "{mode:?}, {nodes} nodes: {allocations}");
            }
        }
    }
}

/// Also not on the pool's own threads: each tells its counter while it works.
#[test]
fn a_pool_allocates_nothing_per_call_on_any_thread() {
    let pool = Pool::new(3);
    let mut seen: Vec<(ThreadId, u64)> = Vec::with_capacity(pool.threads());
    let mut warm = Vec::with_capacity(pool.threads());
    let mut items = [None; 24];
    let mut rounds = |n: usize, seen: &mut Vec<(ThreadId, u64)>| {
        for _ in 0..n {
            pool.each(&mut items, &|_, item| {
                *item = Some((thread::current().id(), so_far()));
                // Time for the others to come.
                thread::yield_now();
            });
            for (id, count) in items.iter().flatten() {
                match seen.iter_mut().find(|(known, _)| known == id) {
                    Some(known) => known.1 = *count,
                    None => seen.push((*id, *count)),
                }
            }
        }
    };
    while seen.len() < 3 {
        rounds(1, &mut seen);
    }
    warm.extend_from_slice(&seen);
    let own = allocations_of(|| rounds(2_000, &mut seen));
    assert_eq!((own, seen), (0, warm));
}

#[test]
fn warm_plans_and_answers_are_kept_without_allocating() {
    let mut plans = PlanStore::new();
    let mut memo = Memo::new(500, 2);
    let mut actions = Vec::with_capacity(40);
    let mut rounds = |n: usize| {
        let mut dice = SplitMix::new(12);
        for _ in 0..n {
            actions.clear();
            let length = 1 + dice.below(20);
            actions.extend((0..length).map(|_| LocalAction(dice.below(9) as u32)));
            let id = plans.intern(&actions, 1000);
            let state = [dice.below(2_000) as u64, 7];
            if let Some(old) = memo.insert(dice.below(4) as u32, &state, id) {
                plans.release(old);
            }
            if dice.below(5_000) == 0 {
                memo.forget_all(&[dice.below(4) as u32], |plan| plans.release(plan));
            }
        }
        memo.clear(|plan| plans.release(plan));
        assert!(plans.is_empty());
    };
    rounds(50_000);
    assert_eq!(allocations_of(|| rounds(50_000)), 0);
}

#[test]
fn a_look_up_in_a_table_allocates_nothing() {
    let domain = Domain::from_file(corpus::folder().join("papers/western.npc")).unwrap();
    let compiled = domain.compiled();
    let kind = &compiled.npcs()[0];
    let goal = compiled.goal(kind.goals()[0]).conditions();
    let checks = &Checks::all(compiled.map().n_checks());
    let forbidden = &ActionMask::none(kind.n_actions());
    let (npc, shared, outside) = (kind.id(), &[][..], &[][..]);
    let question =
        TableQuestion { domain: compiled, npc, goal, checks, forbidden, shared, outside };
    let (space, mut plans) = (Space::new(compiled.map(), kind), PlanStore::new());
    let (pool, limits) = (Pool::new(1), &TableLimits::DEFAULT);
    let table =
        PolicyTable::build(&question, &space, &mut plans, &pool, limits, &|_, _| {}).unwrap();
    let lists = PlanLists::new(&table, &plans, kind).unwrap();
    let states: Vec<u16> = (0..1000).map(|at| at % table.n_states() as u16).collect();
    let (mut ids, mut words) = (vec![0; 1000], vec![0; 1000]);
    let allocations = allocations_of(|| {
        assert!(table.serve_u16(&states, &mut ids));
        lists.serve_u16(&states, &mut words);
    });
    assert_eq!(allocations, 0);
    assert!(ids.iter().zip(&states).all(|(&id, &at)| u32::from(id) == table.plan(at.into()).0));
}

/// Western, every form of plan, a crowd that is no whole number of blocks.
#[test]
fn a_warm_wide_kernel_allocates_nothing() {
    let domain = Domain::from_file(corpus::folder().join("papers/western.npc")).unwrap();
    let mut scratch = WideScratch::default();
    for npc in domain.compiled().npcs() {
        let wide = Wide::new(npc).unwrap();
        let wants = npc.goals().iter().filter_map(|&goal| npc.wants(goal));
        let goals: Vec<_> = wants.map(|(facts, _, _)| wide.goal(facts).unwrap()).collect();
        let goals = wide.goals(&goals).unwrap();
        let (words, masks, of) = (vec![0; 2_500], vec![u64::MAX; 2_500], vec![0; 2_500]);
        let lanes = Lanes {
            states: LaneStates::Words(&words),
            goals: LaneGoals::Each(&goals, &of),
            enabled: LaneActions::Each(&masks),
        };
        let (mut short, mut long) = (vec![0; 2_500], vec![0; 2_500]);
        let (mut lists, mut next) = (vec![0; 2_500], vec![0; 2_500]);
        for kernel in [Kernel::Best, Kernel::Portable] {
            let allocations = allocations_of(|| {
                for plans in [
                    WidePlans::Masks16(&mut short),
                    WidePlans::Masks32(&mut long),
                    WidePlans::Lists(&mut lists),
                    WidePlans::Next(&mut next),
                ] {
                    wide.plan_many_with(kernel, &lanes, plans, &mut scratch).unwrap();
                }
            });
            assert_eq!(allocations, 0);
        }
    }
}

#[test]
fn asking_memory_allocates_nothing() {
    use throng_mind::condition::Situation;
    use throng_mind::fact::{Attribute, FactDraft, Value};
    use throng_mind::memory::Memory;
    use throng_mind::spec::Spec;
    use throng_mind::time::{NEVER, Pace};
    use throng_mind::words::Word;

    let text = include_str!("../../../mind/tests/it/spec/everything.npc");
    let mut no_files = throng_domain::formats::no_includes;
    let limits = throng_domain::Limits::default();
    let format = throng_domain::Format::Npc;
    let model = throng_domain::load(
        "all.npc",
        text,
        format,
        &limits,
        &throng_mind::notes::WORDS,
        &mut no_files,
    )
    .model
    .unwrap();
    let domain = std::sync::Arc::new(throng_planner::PreparedDomain::new(&model));
    let pace = Pace { ticks_per_second: 10 };
    let spec = Spec::read(&model, domain, pace).ok().unwrap();
    let mut memory = Memory::new(32);
    for (kind, at) in ["character", "weapon", "self", "deed"].iter().cycle().zip(0u16..32) {
        let fact = FactDraft::new(spec.words.find(kind).unwrap())
            .with(Attribute::Position, Value::Position([f32::from(at), 0.0, 0.0]), 1.0)
            .with(Attribute::Stimulus, Value::Word(Word(3)), 0.8)
            .with(Attribute::Amount, Value::Number(f32::from(at)), 0.5);
        memory.add(&fact, Word(0), u32::from(at), NEVER);
    }
    let values = vec![0; spec.domain.map().n_variables()];
    let situation = Situation::new(&memory, &memory, &values, 40, pace);
    let (mut asked, mut wake) = (0, NEVER);
    let allocations = allocations_of(|| {
        for check in &spec.checks {
            asked += 1 + usize::from(check.condition.holds(&situation, &mut wake));
        }
        for term in spec.goals.iter().flat_map(|goal| &goal.relevance) {
            asked += 1 + usize::from(term.value(&situation, &mut wake) > 0.0);
        }
        for (term, _) in spec.prices.iter().flat_map(|price| &price.rules) {
            asked += 1 + usize::from(term.number(&situation, &mut wake).is_some());
        }
    });
    assert!(asked > 12 && wake < NEVER, "{asked} {wake}");
    assert_eq!(allocations, 0);
}
