//! The pool in every order in which its threads can take their steps.
//!
//! In:   `crates/planner/src/pool.rs` itself, compiled with the primitives of `loom`, which runs
//!       a test once for each order of steps, and for each value that the memory orderings
//!       allow a thread to see, up to a number of forced switches.
//! Out:  a lost wake-up is a deadlock, an item seen by two threads at once is a race, an item left
//!       out is a wrong count; each fails with the steps that lead to it.
//! Cost: seconds.
//!
//! Run by `cargo xtask test`; alone, `cargo test --manifest-path models/Cargo.toml`. The library
//! is not needed: only that file, with `crate::sync` being the model's.
#![cfg(test)]

mod sync;

#[path = "../../crates/planner/src/pool.rs"]
#[allow(dead_code, reason = "a part of another crate")]
mod pool;

use loom::cell::UnsafeCell;
use loom::model::Builder;
use pool::Pool;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Switches away from a thread that could have gone on; faults of this kind need two or three.
const SWITCHES: usize = 3;

fn explore(switches: usize, test: impl Fn() + Send + Sync + 'static) {
    let mut model = Builder::new();
    model.preemption_bound = Some(switches);
    model.check(test);
}

/// An item that the model watches: two threads at it without an order between them are a race.
#[derive(Default)]
struct Item(UnsafeCell<u32>);

impl Item {
    fn add(&self) {
        self.0.with_mut(|number| {
            // SAFETY: nobody else has the item; that is what is tried, and the model sees it.
            unsafe { *number += 1 }
        });
    }

    fn get(&self) -> u32 {
        // SAFETY: as above.
        self.0.with(|number| unsafe { *number })
    }
}

fn items<const N: usize>() -> [Item; N] {
    std::array::from_fn(|_| Item::default())
}

#[test]
fn two_threads_visit_every_item_once_call_after_call() {
    explore(SWITCHES, || {
        let pool = Pool::new(2);
        let mut items = items::<3>();
        for round in 1..=2 {
            pool.each(&mut items, &|_, item| item.add());
            assert!(items.iter().all(|item| item.get() == round));
        }
    });
}

#[test]
fn three_threads_visit_every_item_once() {
    explore(2, || {
        let pool = Pool::new(3);
        let mut items = items::<2>();
        pool.each(&mut items, &|_, item| item.add());
        assert!(items.iter().all(|item| item.get() == 1));
    });
}

#[test]
fn a_pool_that_is_never_used_closes() {
    explore(SWITCHES, || drop(Pool::new(2)));
}

#[test]
fn whoever_comes_in_between_works_alone() {
    explore(2, || {
        let pool = sync::Arc::new(Pool::new(2));
        let other = sync::Arc::clone(&pool);
        let beside = loom::thread::spawn(move || {
            let mut items = items::<2>();
            other.each(&mut items, &|_, item| item.add());
            assert!(items.iter().all(|item| item.get() == 1));
        });
        let mut items = items::<2>();
        pool.each(&mut items, &|_, item| item.add());
        assert!(items.iter().all(|item| item.get() == 1));
        beside.join().unwrap();
    });
}

#[test]
fn a_panic_comes_out_after_all_threads_have_stopped() {
    explore(2, || {
        let pool = Pool::new(2);
        let mut items = items::<2>();
        let told = catch_unwind(AssertUnwindSafe(|| {
            pool.each(&mut items, &|at, item| {
                item.add();
                assert!(at != 0, "the first");
            });
        }));
        assert!(told.is_err());
        // All are ours again, and the pool works on.
        assert!(items[0].get() == 1 && items[1].get() <= 1);
        pool.each(&mut items, &|_, item| item.add());
        assert!(items[0].get() == 2);
    });
}
