//! Planning allocates nothing once warm: counted, not believed.
//!
//! A reason is data of its own and allocates its few links; a plan does not.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]
// A counting allocator cannot be written without `unsafe`; it only forwards and counts.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use throng::Engine;
use throng::Limit;
use throng::expectations::setting;
use throng::prelude::*;
use throng_planner::topological::wide::{
    Enabled, Goals, Kernel, Lanes, Plans, States, Wide, WideScratch,
};
use throng_suite::boxes::boxes;
use throng_suite::corpus;
use throng_suite::members::{one_prv, tunnel};
use throng_suite::random::Dice;
use throng_suite::warm::{Rows, Warm};

struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    // During thread shutdown the counter is gone; nothing is measured there.
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: every call is forwarded unchanged to the system allocator, which upholds the contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's promises about `layout` are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises about `pointer` and `layout` are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the caller's promises about all three are passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn allocations_of(work: impl FnOnce()) -> u64 {
    let before = COUNT.with(Cell::get);
    work();
    COUNT.with(Cell::get) - before
}

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
    let mut dice = Dice::new(11);
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
        (one_prv(5, 2_000).unwrap(), Rows::Flat),
        (tunnel(200).unwrap(), Rows::Flat),
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
    let text = boxes(4, 4).replace("at from -> to", "at from -> to  cost 3");
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
            states: States::Words(&words),
            goals: Goals::Each(&goals, &of),
            enabled: Enabled::Each(&masks),
        };
        let (mut short, mut long) = (vec![0; 2_500], vec![0; 2_500]);
        let (mut lists, mut next) = (vec![0; 2_500], vec![0; 2_500]);
        for kernel in [Kernel::Best, Kernel::Portable] {
            let allocations = allocations_of(|| {
                for plans in [
                    Plans::Masks16(&mut short),
                    Plans::Masks32(&mut long),
                    Plans::Lists(&mut lists),
                    Plans::Next(&mut next),
                ] {
                    wide.plan_many_with(kernel, &lanes, plans, &mut scratch).unwrap();
                }
            });
            assert_eq!(allocations, 0);
        }
    }
}
