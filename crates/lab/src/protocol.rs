//! The protocol of `throng bench limits`: how close to the machine's limit something is.
//!
//! In:   passes over separate buffers, ours and others (a memcpy), and a clock.
//! Out:  for each the fastest pass with warm caches and with swept ones; for two threads the
//!       wall time from a common start to the last one's end.
//! Cost: two sweeps' worth of memory traffic per pass and round.
//!
//! Passes alternate in every round. Before each *cold* pass 128 MB are read and written, so that
//! nothing of its buffers is left in a cache; the *hot* pass of the same work follows at once.
//! Time is time of the thread on the processor, the least of at least thirty rounds. Bounds are
//! for cold.

use crate::measuring::thread_nanoseconds;
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Rounds that a figure needs at least.
pub const ROUNDS: usize = 30;
/// Bytes that a sweep goes through: several times the largest cache of usual machines.
pub const SWEEP_BYTES: usize = 128 << 20;

/// Memory that drives everything else out of the caches.
pub struct Sweep {
    words: Vec<u64>,
}

impl Sweep {
    /// A sweep of so many bytes, [`SWEEP_BYTES`] for figures that count.
    pub fn new(bytes: usize) -> Sweep {
        Sweep { words: (0..(bytes / 8) as u64).collect() }
    }

    /// Reads and writes all of it.
    pub fn run(&mut self) {
        for word in &mut self.words {
            *word = word.wrapping_add(1);
        }
        black_box(self.words.last());
    }
}

/// The fastest passes, in nanoseconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Passes {
    /// Right after the same pass.
    pub hot: f64,
    /// After a sweep.
    pub cold: f64,
}

/// Alternates the passes and gives the fastest of each, in their order.
pub fn alternate(rounds: usize, sweep: &mut Sweep, passes: &mut [&mut dyn FnMut()]) -> Vec<Passes> {
    alternate_by(&mut thread_nanoseconds, rounds, &mut || sweep.run(), passes)
}

/// The same by any clock and any sweep.
fn alternate_by(
    clock: &mut dyn FnMut() -> u64,
    rounds: usize,
    sweep: &mut dyn FnMut(),
    passes: &mut [&mut dyn FnMut()],
) -> Vec<Passes> {
    let mut fastest = vec![Passes { hot: f64::INFINITY, cold: f64::INFINITY }; passes.len()];
    for _ in 0..rounds {
        for (pass, fastest) in passes.iter_mut().zip(&mut fastest) {
            sweep();
            fastest.cold = fastest.cold.min(timed(clock, pass));
            fastest.hot = fastest.hot.min(timed(clock, pass));
        }
    }
    fastest
}

fn timed(clock: &mut dyn FnMut() -> u64, pass: &mut dyn FnMut()) -> f64 {
    let begin = clock();
    pass();
    clock().saturating_sub(begin) as f64
}

/// The least wall time, in nanoseconds, that threads need for their parts if they start
/// together: each has made its part before, waits in a spin, and the clock runs from the moment
/// the last one is there until the last one is done.
pub fn wall_together<P: Send>(
    rounds: usize,
    parts: &mut [P],
    before: &mut dyn FnMut(),
    work: impl Fn(&mut P) + Sync,
) -> f64 {
    let mut fastest = f64::INFINITY;
    for _ in 0..rounds {
        before();
        let (here, n_parts, zero) = (AtomicUsize::new(0), parts.len(), Instant::now());
        let ends: Vec<(u128, u128)> = std::thread::scope(|scope| {
            let threads: Vec<_> = parts
                .iter_mut()
                .map(|part| {
                    let (here, work) = (&here, &work);
                    scope.spawn(move || {
                        wait_for_all(here, n_parts);
                        let begin = zero.elapsed().as_nanos();
                        work(part);
                        (begin, zero.elapsed().as_nanos())
                    })
                })
                .collect();
            threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
        });
        let begin = ends.iter().map(|ends| ends.0).min().unwrap_or(0);
        let end = ends.iter().map(|ends| ends.1).max().unwrap_or(0);
        fastest = fastest.min(end.saturating_sub(begin) as f64);
    }
    fastest
}

fn wait_for_all(here: &AtomicUsize, n_parts: usize) {
    here.fetch_add(1, Ordering::AcqRel);
    while here.load(Ordering::Acquire) < n_parts {
        std::hint::spin_loop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::{Cell, RefCell};

    #[test]
    fn passes_alternate_and_each_cold_one_follows_a_sweep() {
        let seen = RefCell::new(String::new());
        let note = |what: char| seen.borrow_mut().push(what);
        let (mut ours, mut theirs) = (|| note('o'), || note('t'));
        let mut sweep = || note('-');
        let mut clock = || 0;
        alternate_by(&mut clock, 2, &mut sweep, &mut [&mut ours, &mut theirs]);
        assert_eq!(seen.into_inner(), "-oo-tt-oo-tt");
    }

    #[test]
    fn the_fastest_pass_counts_hot_and_cold_apart() {
        let now = Cell::new(0u64);
        // Cold passes take 9, 5; hot ones 4, 8.
        let durations = RefCell::new(vec![8, 5, 4, 9]);
        let mut pass = || now.set(now.get() + durations.borrow_mut().pop().unwrap_or(0));
        let mut clock = || now.get();
        let fastest = alternate_by(&mut clock, 2, &mut || {}, &mut [&mut pass]);
        assert_eq!(fastest, [Passes { hot: 4.0, cold: 5.0 }]);
    }

    #[test]
    fn a_sweep_touches_all_of_its_memory() {
        let mut sweep = Sweep::new(1 << 12);
        let before = sweep.words.clone();
        sweep.run();
        assert_eq!(before.len(), 512);
        assert!(before.iter().zip(&sweep.words).all(|(before, after)| before + 1 == *after));
    }

    #[test]
    fn threads_work_on_parts_of_their_own_in_every_round() {
        let mut parts = [vec![0u32; 3], vec![0; 5]];
        let work = |part: &mut Vec<u32>| part.iter_mut().for_each(|n| *n += 1);
        let mut n_rounds = 0;
        let wall = wall_together(4, &mut parts, &mut || n_rounds += 1, work);
        assert!(wall.is_finite());
        assert_eq!(n_rounds, 4);
        assert!(parts.iter().flatten().all(|&n| n == 4));
    }
}
