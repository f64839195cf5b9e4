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
use throng::expectations::setting;
use throng::prelude::*;
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

/// Asks every test of a file twice; gives how many of the second round had a plan. Those must
/// not have allocated.
fn plans_without_allocation(file: &str, engine: Option<Engine>) -> usize {
    let domain = Domain::from_file(corpus::folder().join(file)).unwrap();
    let planner = Planner::new();
    let mut scratch = Scratch::default();
    let mut plan = Plan::empty(&domain);
    let asked = |(npc, request)| (npc, engine.into_iter().fold(request, Request::engine));
    let questions: Vec<(Npc, Request)> =
        domain.model().tests().iter().filter_map(|t| setting(&domain, t)).map(asked).collect();
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
    solved
}

#[test]
fn a_warm_planner_allocates_nothing() {
    let solved = plans_without_allocation("papers/western.npc", None);
    assert!(solved >= 9, "the western has nine goals");
}

#[test]
fn a_warm_search_from_the_goal_back_allocates_nothing() {
    for engine in [None, Some(Engine::Regressive)] {
        assert!(plans_without_allocation("fear/soldier.npc", engine) >= 25);
        assert!(plans_without_allocation("fear/assassin.npc", engine) >= 10);
    }
    assert!(plans_without_allocation("papers/western.npc", Some(Engine::Regressive)) >= 9);
}
