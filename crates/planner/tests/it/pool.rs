//! The pool under many sizes, under panic, under haste.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use throng_planner::pool::Pool;

#[test]
fn every_item_is_visited_exactly_once() {
    for threads in [0, 1, 2, 3, 7] {
        let pool = Pool::new(threads);
        assert_eq!(pool.threads(), threads.max(1));
        for n_items in (0..40).chain([63, 64, 65, 1000, 10_007]) {
            let mut items = vec![0u64; n_items];
            pool.each(&mut items, &|at, item| *item += at as u64 + 1);
            let expected: Vec<u64> = (1..=n_items as u64).collect();
            assert_eq!(items, expected, "{threads} threads");
        }
    }
}

#[test]
fn items_without_size_are_counted_too() {
    let visits = AtomicUsize::new(0);
    let count = |_: usize, _: &mut ()| _ = visits.fetch_add(1, Ordering::Relaxed);
    Pool::new(3).each(&mut [(); 1000], &count);
    assert_eq!(visits.into_inner(), 1000);
}

#[test]
fn calls_in_haste_lose_nothing() {
    let pool = Pool::new(3);
    let mut items = [0u32; 5];
    for round in 1..=100_000 {
        pool.each(&mut items, &|_, item| *item += 1);
        assert_eq!(items, [round; 5]);
        // Now and then the workers fall asleep.
        if round % 10_000 == 0 {
            std::thread::yield_now();
            (0..100_000).for_each(|_| std::hint::spin_loop());
        }
    }
}

#[test]
fn others_work_while_one_item_takes_long() {
    let pool = Pool::new(2);
    let others = AtomicUsize::new(0);
    // The first item waits for all others, so somebody else must be there to do them.
    let work = |at: usize, _: &mut u8| {
        if at > 0 {
            others.fetch_add(1, Ordering::Release);
        }
        while at == 0 && others.load(Ordering::Acquire) < 7 {
            std::thread::yield_now();
        }
    };
    pool.each(&mut [0u8; 8], &work);
    assert_eq!(others.into_inner(), 7);
}

#[test]
fn a_panic_comes_back_to_the_caller_and_the_pool_goes_on() {
    for threads in [1, 2, 4] {
        let pool = Pool::new(threads);
        for bad in 0..20 {
            let mut items = vec![0u8; 20];
            let work = |at: usize, item: &mut u8| {
                // Payloads of a type of their own: nothing is printed.
                if at == bad {
                    std::panic::resume_unwind(Box::new(at));
                }
                *item += 1;
            };
            let result = catch_unwind(AssertUnwindSafe(|| pool.each(&mut items, &work)));
            assert_eq!(result.unwrap_err().downcast_ref::<usize>(), Some(&bad));
            assert!(items.iter().all(|&item| item <= 1));
            pool.each(&mut items, &|_, item| *item = 9);
            assert_eq!(items, [9; 20], "after a panic");
        }
    }
}

#[test]
fn a_panic_everywhere_is_one_panic() {
    let pool = Pool::new(4);
    for _ in 0..200 {
        let work = |at: usize, _: &mut u8| std::panic::resume_unwind(Box::new(at));
        let result = catch_unwind(AssertUnwindSafe(|| pool.each(&mut [0u8; 64], &work)));
        assert!(result.unwrap_err().is::<usize>());
    }
}

#[test]
fn calls_within_calls_are_served() {
    let pool = Pool::new(3);
    let mut rows = vec![vec![1u64; 50]; 40];
    pool.each(&mut rows, &|_, row| pool.each(row, &|at, item| *item += at as u64));
    let expected: Vec<u64> = (1..=50).collect();
    assert!(rows.iter().all(|row| *row == expected));
}

#[test]
fn callers_on_several_threads_share_one_pool() {
    let pool = Pool::new(2);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for round in 0..2_000 {
                    let mut items = [round; 9];
                    pool.each(&mut items, &|at, item| *item += at);
                    assert!(items.iter().enumerate().all(|(at, &item)| item == round + at));
                }
            });
        }
    });
}

#[test]
fn pools_come_and_go() {
    for round in 0..500 {
        let pool = Pool::new(1 + round % 5);
        if round % 3 > 0 {
            let mut items = [0; 33];
            pool.each(&mut items, &|_, item| *item += 1);
            assert_eq!(items, [1; 33]);
        }
    }
}
