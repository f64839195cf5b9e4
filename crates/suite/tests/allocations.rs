//! Planning allocates nothing once warm: counted, not believed.
//!
//! A reason is data of its own and allocates its few links; a plan does not.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]
// A counting allocator cannot be written without `unsafe`; it only forwards and counts.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use throng::expectations::setting;
use throng::prelude::*;
use throng::{Engine, Limit};
use throng_suite::boxes::boxes;
use throng_suite::corpus;

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

#[test]
fn a_warm_planner_allocates_nothing() {
    let path = corpus::folder().join("papers/western.npc");
    let domain = Domain::from_file(path).unwrap();
    let planner = Planner::new();
    let mut scratch = Scratch::default();
    let mut plan = Plan::empty(&domain);
    let questions: Vec<(Npc, Request)> =
        domain.model().tests().iter().filter_map(|t| setting(&domain, t)).collect();
    assert!(questions.len() >= 9);
    let mut solved = 0;
    for round in 0..2 {
        for (npc, request) in &questions {
            let mut has_plan = false;
            let allocations = allocations_of(|| {
                let (outcome, _) = planner.plan_into(npc, request, &mut scratch, &mut plan);
                has_plan = matches!(outcome, Outcome::Plan { .. } | Outcome::Satisfied);
            });
            if round == 1 && has_plan {
                assert_eq!(allocations, 0, "{} {request:?}", npc.type_name());
                solved += 1;
            }
        }
    }
    assert!(solved >= 9, "the western has nine goals");
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
