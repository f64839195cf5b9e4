//! The topological planner is right about random domains of up to 6 variables of 4 values:
//! short cycles whose values several actions ask for, costs, masks, unknown values, whole and
//! partial goals; and the library gives it what it serves, also if only the mask makes it so.
//!
//! Usually more than half a million questions; `THRONG_LONG=1` asks more than ten million.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test may panic, and say what was tried"
)]

use throng_base::SplitMix;
use throng_suite::grid::{AnyGrid, Grid, Judge, Seen, Tally};

const SITUATIONS: usize = 4;
const GOALS: usize = 12;

/// Everything about the domain of one seed.
fn ask_all(seed: u64, judge: &mut Judge) -> Result<(), String> {
    let mut dice = SplitMix::new(seed);
    let any = AnyGrid::new(&mut dice);
    judge.turn_to(any.grid.clone())?;
    for _ in 0..SITUATIONS {
        let now = any.any_situation(&mut dice);
        let is_served = judge.enter(&now.start, &now.forbidden, &now.answers)?;
        for nth in 0..GOALS {
            let goal = any.any_goal(judge.reached(), &mut dice);
            if is_served {
                judge.ask(&goal)?;
            }
            if nth % 4 == 0 {
                judge.ask_library(&goal)?;
            }
        }
    }
    Ok(())
}

fn share(seeds: impl Iterator<Item = u64>) -> Tally {
    let mut judge = Judge::new(Grid { sizes: vec![2], ..Grid::default() }).unwrap();
    for seed in seeds {
        ask_all(seed, &mut judge).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
    }
    judge.tally
}

#[test]
fn the_topological_planner_is_right_about_random_domains() {
    let is_long = std::env::var_os("THRONG_LONG").is_some();
    let n_domains: u64 = if is_long { 250_000 } else { 20_000 };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut tally = Tally::default();
    std::thread::scope(|scope| {
        let part = |at: usize| share((at as u64..n_domains).step_by(threads));
        let parts: Vec<_> = (0..threads).map(|at| scope.spawn(move || part(at))).collect();
        parts.into_iter().for_each(|part| tally += part.join().unwrap());
    });
    println!("{n_domains} domains: {tally}");
    let instances = tally.get(Seen::Instances);
    assert!(instances >= if is_long { 10_000_000 } else { 500_000 });
    // At least so many in ten thousand.
    for (what, share) in [
        (Seen::TotalGoals, 4000),
        (Seen::PartialGoals, 4000),
        (Seen::PlansDecided, 5000),
        (Seen::ProofsDecided, 1500),
        (Seen::PlansSearched, 10),
        (Seen::ProofsSearched, 1),
        (Seen::DoTwice, 200),
        (Seen::Soft, 300),
        (Seen::UsedBothTimes, 70),
        (Seen::Masked, 3000),
        (Seen::OnlyUnderMask, 2000),
        (Seen::UnknownStart, 500),
        (Seen::Costs, 3000),
        (Seen::Library, 1500),
        (Seen::NotServed, 100),
    ] {
        let count = tally.get(what);
        assert!(count * 10_000 >= instances * share, "{what:?}: only {count} of {instances}");
    }
    let searched = tally.get(Seen::PlansSearched) + tally.get(Seen::ProofsSearched);
    assert!(searched * 1000 <= instances * 25, "{searched} of {instances} needed search");
}
