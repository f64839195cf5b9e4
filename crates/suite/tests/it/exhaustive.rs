//! The topological planner is right about *all* small domains: two variables of three values,
//! every value set by nobody or by one action, which needs one value of the other variable or
//! none.
//!
//! That is 9 choices for each of 6 values: 531,441 domains, each with 81 pairs of start and
//! whole goal (43,046,721 questions) and 54 of start and a goal on one variable. Among them are
//! the 34,857,216 whole-goal questions of domains in which actions join all values of each
//! variable: 656 of the 729 sets of actions of a variable do.
//!
//! Usually every 43rd domain is asked; `THRONG_LONG=1` asks all. A share of the domains is asked
//! again with different costs.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test may panic, and say what was tried"
)]

use throng_suite::grid::{At, Grid, Judge, Seen, Step, Tally};

const N_DOMAINS: usize = 9usize.pow(6);
/// Shares no factor with 9, so that every choice for every value comes up evenly.
const SLICE: usize = 43;
/// Every so manieth domain asked is asked again with costs.
const COSTS: usize = 8;

/// One of the 9 choices for a value: the action that sets it, if any.
fn choice((variable, value): At, choice: usize) -> Option<Step> {
    let choice = choice.checked_sub(1)?;
    let from = (value + 1 + (choice / 4) as u8) % 3;
    let need = (choice % 4).checked_sub(1).map(|need| (1 - variable, need as u8));
    Some(Step::new((variable, value), Some(from), need.into_iter().collect()))
}

/// The domain of a number: its digits to the base 9 are the choices.
fn domain(number: usize) -> Grid {
    let slots =
        (0..6).map(|slot| ((slot / 3, (slot % 3) as u8), number / 9usize.pow(slot as u32) % 9));
    let steps = slots.filter_map(|(at, digit)| choice(at, digit)).collect();
    Grid { sizes: vec![3, 3], steps, n_checks: 0 }
}

/// Whether the actions of each variable touch all of its values.
fn joins_all_values(grid: &Grid) -> bool {
    (0..2).all(|variable| {
        let own = grid.steps.iter().filter(|step| step.to.0 == variable);
        let touched = own.flat_map(|step| [Some(step.to.1), step.from]).flatten();
        touched.fold(0u8, |all, value| all | 1 << value) == 0b111
    })
}

fn goals() -> Vec<Vec<At>> {
    let values = || 0..3u8;
    let whole = values().flat_map(|a| values().map(move |b| vec![(0, a), (1, b)]));
    let part = (0..2).flat_map(|variable| values().map(move |value| vec![(variable, value)]));
    whole.chain(part).collect()
}

/// Asks everything about one domain.
fn ask_all(judge: &mut Judge, goals: &[Vec<At>]) -> Result<(), String> {
    let n_actions = judge.grid().steps.len();
    for start in (0..9).map(|at| [at / 3, at % 3, 0, 0, 0, 0]) {
        assert!(judge.enter(&start, &vec![false; n_actions], &[])?, "all of them are moves");
        goals.iter().try_for_each(|goal| judge.ask(goal))?;
    }
    Ok(())
}

/// What one thread saw.
#[derive(Default)]
struct Share {
    unit: Tally,
    with_costs: Tally,
    joined: u64,
}

fn share(numbers: impl Iterator<Item = usize>) -> Share {
    let goals = goals();
    let mut share = Share::default();
    let mut judge = Judge::new(domain(0)).unwrap();
    for number in numbers {
        let grid = domain(number);
        share.joined += u64::from(joins_all_values(&grid));
        judge.turn_to(grid.clone()).unwrap();
        ask_all(&mut judge, &goals).unwrap_or_else(|wrong| panic!("domain {number}: {wrong}"));
        share.unit += std::mem::take(&mut judge.tally);
        if number % COSTS == 0 {
            let mut dear = grid;
            // Powers of two: no two sets of actions cost the same.
            (0..)
                .zip(&mut dear.steps)
                .for_each(|(at, step)| step.cost = 1 << ((at * 5 + number) % 7));
            judge.turn_to(dear).unwrap();
            ask_all(&mut judge, &goals).unwrap_or_else(|wrong| panic!("domain {number}: {wrong}"));
            share.with_costs += std::mem::take(&mut judge.tally);
        }
    }
    share
}

#[test]
fn the_topological_planner_is_right_about_all_small_domains() {
    let is_long = std::env::var_os("THRONG_LONG").is_some();
    let every = if is_long { 1 } else { SLICE };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let shares: Vec<Share> = std::thread::scope(|scope| {
        let part = |at: usize| share((at * every..N_DOMAINS).step_by(threads * every));
        let parts: Vec<_> = (0..threads).map(|at| scope.spawn(move || part(at))).collect();
        parts.into_iter().map(|part| part.join().unwrap()).collect()
    });
    let mut all = Share::default();
    for share in shares {
        all.unit += share.unit;
        all.with_costs += share.with_costs;
        all.joined += share.joined;
    }
    println!("unit costs: {}\ncosts: {}\njoined: {}", all.unit, all.with_costs, all.joined * 81);
    let n_domains = N_DOMAINS.div_ceil(every) as u64;
    assert_eq!(all.unit.get(Seen::TotalGoals), 81 * n_domains);
    assert_eq!(all.unit.get(Seen::PartialGoals), 54 * n_domains);
    assert!(all.unit.get(Seen::TotalGoals) >= 1_000_000);
    if is_long {
        assert_eq!(all.joined * 81, 34_857_216);
    }
    for tally in [all.unit, all.with_costs] {
        let kinds = [Seen::Satisfied, Seen::PlansDecided, Seen::ProofsDecided];
        let kinds = kinds.into_iter().chain([Seen::Soft, Seen::PlansSearched, Seen::DoTwice]);
        kinds.for_each(|kind| assert!(tally.get(kind) > 0, "none of {kind:?}"));
        let searched = tally.get(Seen::PlansSearched) + tally.get(Seen::ProofsSearched);
        assert!(searched * 1000 <= tally.get(Seen::Instances) * 40, "{searched} needed search");
    }
}
