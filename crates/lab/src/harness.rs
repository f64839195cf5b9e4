//! The harness of all measurements: works take turns, and the fastest turn of each counts.
//!
//! In:   pieces of work over separate buffers, each with how often a turn does it and what must
//!       be done before without counting.
//! Out:  nanoseconds on the processor for one piece of work; with a
//!       [`Sweep`](crate::measuring::Sweep), apart for swept
//!       caches and for warm ones; for threads, wall time from a common start to the last end.
//! Cost: rounds times the sum of all turns, and a sweep's memory traffic for each cold one.
//!
//! What else the machine does falls on all of them alike, and the fastest turn is the one it
//! disturbed least. Before a *cold* turn 128 MB are read and written, so that nothing of its
//! buffers is left in a cache; the *hot* turn of the same work follows at once.

use crate::clock::thread_nanoseconds;
use crate::report::{BenchResult, Session};
pub use crate::timed::Timed;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Rounds that a figure of swept caches needs at least.
pub const ROUNDS: usize = 30;

/// The turns of a piece of work with warm caches and with swept ones.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Passes {
    /// Right after the same work.
    pub hot: Timed,
    /// After a sweep.
    pub cold: Timed,
}

/// Work that takes turns with other work.
pub struct Turn<'w> {
    work: Box<dyn FnMut() + 'w>,
    /// Done before each piece of work; does not count.
    prepare: Option<Box<dyn FnMut() + 'w>>,
    times: u64,
}

impl<'w> Turn<'w> {
    /// Work that a turn does so often.
    pub fn new(times: u64, work: impl FnMut() + 'w) -> Self {
        Turn { work: Box::new(work), prepare: None, times: times.max(1) }
    }

    /// Work that a turn does until about so many nanoseconds are gone, judged by doing it once.
    pub fn lasting(nanoseconds: u64, mut work: impl FnMut() + 'w) -> Self {
        let begin = thread_nanoseconds();
        work();
        let once = (thread_nanoseconds() - begin).max(1);
        Turn::new(nanoseconds / once, work)
    }

    /// The same with something done before each piece of work that does not count.
    pub fn after(self, prepare: impl FnMut() + 'w) -> Self {
        Turn { prepare: Some(Box::new(prepare)), ..self }
    }

    fn prepare(&mut self) {
        if let Some(prepare) = &mut self.prepare {
            prepare();
        }
    }

    /// Nanoseconds of one piece of work: of the fastest where each is prepared, else on average.
    fn take(&mut self, clock: &mut dyn FnMut() -> u64) -> f64 {
        let (runs, pieces) = if self.prepare.is_some() { (self.times, 1) } else { (1, self.times) };
        let mut fastest = f64::INFINITY;
        for _ in 0..runs {
            self.prepare();
            let begin = clock();
            (0..pieces).for_each(|_| (self.work)());
            fastest = fastest.min(clock().saturating_sub(begin) as f64 / pieces as f64);
        }
        fastest
    }
}

/// Lets all take their turns, so often; gives what one piece of work of each takes.
///
/// # Errors
///
/// If the session is stopped.
pub fn race(
    rounds: usize,
    turns: Vec<Turn<'_>>,
    session: &mut Session<'_>,
) -> BenchResult<Vec<Timed>> {
    let passes = race_by(&mut thread_nanoseconds, rounds, None, turns, session)?;
    Ok(passes.iter().map(|passes| passes.hot).collect())
}

/// The same with caches that the session sweeps, and with warm ones.
///
/// # Errors
///
/// If the session is stopped.
pub fn race_cold(
    rounds: usize,
    turns: Vec<Turn<'_>>,
    session: &mut Session<'_>,
) -> BenchResult<Vec<Passes>> {
    let mut sweep = std::mem::take(&mut session.sweep);
    let run = &mut || sweep.run();
    let passes = race_by(&mut thread_nanoseconds, rounds, Some(run), turns, session);
    session.sweep = sweep;
    passes
}

/// The same by any clock and any sweep.
fn race_by(
    clock: &mut dyn FnMut() -> u64,
    rounds: usize,
    mut sweep: Option<&mut dyn FnMut()>,
    mut turns: Vec<Turn<'_>>,
    session: &mut Session<'_>,
) -> BenchResult<Vec<Passes>> {
    let mut taken = vec![[Vec::new(), Vec::new()]; turns.len()];
    for _ in 0..rounds {
        for (turn, [hot, cold]) in turns.iter_mut().zip(&mut taken) {
            session.go_on()?;
            if let Some(sweep) = &mut sweep {
                turn.prepare();
                sweep();
                let begin = clock();
                (turn.work)();
                cold.push(clock().saturating_sub(begin) as f64);
            }
            hot.push(turn.take(clock));
        }
    }
    let passes = |turns: [Vec<f64>; 2]| turns.map(Timed::of);
    Ok(taken.into_iter().map(passes).map(|[hot, cold]| Passes { hot, cold }).collect())
}

/// The wall time, in nanoseconds, that threads need for their parts if they start
/// together: each has made its part before, waits in a spin, and the clock runs from the moment
/// the last one is there until the last one is done.
pub fn wall_together<P: Send>(
    rounds: usize,
    parts: &mut [P],
    before: &mut dyn FnMut(),
    work: impl Fn(&mut P) + Sync,
) -> Timed {
    let round = |parts: &mut [P]| {
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
        end.saturating_sub(begin) as f64
    };
    let rounds = (0..rounds).map(|_| {
        before();
        round(parts)
    });
    Timed::of(rounds.collect())
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
    use crate::report::BenchError;
    use std::cell::{Cell, RefCell};

    #[test]
    fn all_take_turns_and_each_does_its_share() {
        let seen = RefCell::new(String::new());
        let turns = || {
            let push = |what: char| seen.borrow_mut().push(what);
            vec![Turn::new(2, move || push('a')), Turn::new(1, move || push('b'))]
        };
        let mut session = Session::default();
        let times = race(3, turns(), &mut session);
        assert!(
            times.is_ok_and(|times| times.len() == 2 && times.iter().all(|t| t.median.is_finite()))
        );
        session.stop = Box::new(|| true);
        assert_eq!(race(3, turns(), &mut session), Err(BenchError::Stopped));
        assert_eq!(seen.into_inner(), "aabaabaab");
    }

    #[test]
    fn turns_alternate_and_each_cold_one_follows_a_sweep() {
        let seen = RefCell::new(String::new());
        let note = |what: char| seen.borrow_mut().push(what);
        let turns = vec![
            Turn::new(1, || note('o')),
            Turn::new(1, || note('t')),
            Turn::new(2, || note('w')).after(|| note('p')),
        ];
        let mut sweep = || note('-');
        let raced = race_by(&mut || 0, 2, Some(&mut sweep), turns, &mut Session::default());
        assert!(raced.is_ok());
        assert_eq!(seen.into_inner(), "-oo-ttp-wpwpw".repeat(2));
    }

    #[test]
    fn the_fastest_turn_counts_hot_and_cold_apart() {
        let now = Cell::new(0u64);
        // Cold turns take 9, 5; hot ones 4, 8: the upper of two stands in the middle. What is
        // prepared does not count.
        let durations = RefCell::new(vec![8, 5, 4, 9]);
        let pass = || now.set(now.get() + durations.borrow_mut().pop().unwrap_or(0));
        let turns = vec![Turn::new(1, pass).after(|| now.set(now.get() + 100))];
        let mut session = Session::default();
        let fastest = race_by(&mut || now.get(), 2, Some(&mut || {}), turns, &mut session);
        let timed = |fastest, median| Timed { fastest, median };
        assert_eq!(fastest, Ok(vec![Passes { hot: timed(4.0, 8.0), cold: timed(5.0, 9.0) }]));
    }

    #[test]
    fn threads_work_on_parts_of_their_own_in_every_round() {
        let mut parts = [vec![0u32; 3], vec![0; 5]];
        let work = |part: &mut Vec<u32>| part.iter_mut().for_each(|n| *n += 1);
        let mut n_rounds = 0;
        let wall = wall_together(4, &mut parts, &mut || n_rounds += 1, work);
        assert!(wall.median.is_finite());
        assert_eq!(n_rounds, 4);
        assert!(parts.iter().flatten().all(|&n| n == 4));
    }
}
