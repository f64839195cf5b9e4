//! How topological planning grows with the problem: time per action and need, and memory.
//!
//! In:   nothing; the problems are made.
//! Out:  a Markdown table, and exit code 1 if a bar is missed.
//! Cost: a minute or two, and two gigabytes.
//!
//! A call is everything between the values of an NPC and its replayed plan: the problem, the
//! choice of the engine, closure, order, replay. The scratch is warm. All sizes take turns, so
//! that what else the machine does falls on all of them; the fastest turn counts. Every answer
//! is checked: its length is known, and it is replayed here once more. Memory is the peak of a
//! fresh process that makes the domain and plans. Run it by `cargo xtask bench topological`,
//! which also writes the table into `docs/benchmarks.md`.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

use std::hint::black_box;
use std::process::ExitCode;
use throng_base::text::grouped;
use throng_lab::harness::{Turn, race};
use throng_lab::machine::measured;
use throng_lab::measuring::{fresh, peak_bytes};
use throng_lab::members::{Member, one_prv, tunnel};
use throng_lab::program::{Outcome, program};
use throng_lab::table::Table;
use throng_lab::warm::{Rows, Warm};
use throng_lab::{BenchResult, Session};

/// Turns of each size; the fastest counts.
const TURNS: usize = 15;
/// A turn plans so often that it takes about this many actions and needs.
const WORK_PER_TURN: u64 = 4_000_000;
/// A hundred times the variables may cost so many times as much per action and need.
const STEEPEST: f64 = 1.3;
/// Rows of bits are so many times as fast as flat rows, on the largest tunnel.
const BITS_GAIN: f64 = 5.0;
/// The largest problem may take so much memory, in bytes.
const MOST_MEMORY: u64 = 2_000_000_000;

/// A row of the table.
struct Case {
    family: &'static str,
    make: fn(u32) -> Option<Member>,
    size: u32,
    /// Whether its ratio to the first row of the family is held to [`STEEPEST`].
    held: bool,
    rows: Rows,
}

const fn one_prv_5(size: u32, held: bool) -> Case {
    Case { family: "OnePrv_5", make: |size| one_prv(5, size).ok(), size, held, rows: Rows::Flat }
}

const fn tunnel_of(size: u32) -> Case {
    Case { family: "tunnel", make: |size| tunnel(size).ok(), size, held: false, rows: Rows::Flat }
}

const fn tunnel_in_bits(size: u32) -> Case {
    Case { family: "tunnel, rows of bits", rows: Rows::Best, ..tunnel_of(size) }
}

const CASES: [Case; 8] = [
    one_prv_5(1_000, false),
    one_prv_5(10_000, true),
    one_prv_5(100_000, true),
    one_prv_5(1_000_000, false),
    tunnel_of(100),
    tunnel_of(1_000),
    tunnel_in_bits(100),
    tunnel_in_bits(1_000),
];

fn main() -> ExitCode {
    program(|words| match words {
        [] => measure_all(),
        ["--peak", case] => print_peak(case.parse()?),
        _ => Err("usage: topological".into()),
    })
}

fn warm(case: &Case) -> BenchResult<Warm> {
    let member = (case.make)(case.size).ok_or("no such member")?;
    Warm::new(member, case.rows)
}

fn measure_all() -> Outcome {
    let mut all = CASES.iter().map(warm).collect::<Result<Vec<_>, _>>()?;
    let turns = all.iter_mut().map(|warm| {
        let times = WORK_PER_TURN / warm.work().max(1);
        Turn::new(times, move || _ = black_box(warm.plan()))
    });
    let times = race(TURNS, turns.collect(), &mut Session::default())?;
    let mut rows = Vec::new();
    for (at, (mut warm, time)) in all.into_iter().zip(times).enumerate() {
        let outcome = warm.plan();
        warm.check(&outcome)?;
        let first = CASES.iter().position(|first| first.family == CASES[at].family).unwrap_or(at);
        let each = time.fastest / warm.work() as f64;
        rows.push(Row {
            n_actions: warm.n_actions(),
            n_needs: warm.member.n_needs,
            each,
            ratio: each / rows.get(first).map_or(each, |row: &Row| row.each),
            peak: 0,
        });
    }
    // Only now, when nothing of the above is held any more.
    for (at, row) in rows.iter_mut().enumerate() {
        let peak = fresh(&["--peak", &at.to_string()]).and_then(|said| said.first().copied());
        row.peak = peak.ok_or("a fresh process fails")?;
    }
    print_table(&rows);
    let missed = missed(&rows);
    missed.iter().for_each(|bar| eprintln!("missed: {bar}"));
    Ok(missed.is_empty())
}

/// What was measured of a case.
struct Row {
    n_actions: u64,
    n_needs: u64,
    /// Nanoseconds per action and need.
    each: f64,
    /// The same against the first row of the family.
    ratio: f64,
    /// Peak of memory in bytes; 0 if the system does not tell.
    peak: u64,
}

fn print_table(rows: &[Row]) {
    let mut table = Table::new(
        "family | m: | actions: | needs: | ns per plan: | ns per action and need: | ratio: | peak memory:",
    );
    let mut gains = String::new();
    for (at, (case, row)) in CASES.iter().zip(rows).enumerate() {
        let (Row { n_actions, n_needs, each, ratio, peak }, family) = (row, case.family);
        let time = (each * (n_actions + n_needs) as f64) as u64;
        let [m, actions, needs, time] = [case.size.into(), *n_actions, *n_needs, time].map(grouped);
        let peak = if *peak == 0 { "n/a".into() } else { format!("{} MB", peak / 1_000_000) };
        table.row(format_args!(
            "{family} | {m} | {actions} | {needs} | {time} | {each:.2} | {ratio:.2} | {peak}"
        ));
        if let Some(gain) = gain(rows, at) {
            gains += &format!(
                "\nTunnel with m = {m}: rows of bits are {gain:.1} times as fast as flat rows.\n"
            );
        }
    }
    print!("{}.\n\n{table}{gains}", measured());
}

/// How many times as fast the largest case in rows of bits is as the same in flat rows.
fn gain(rows: &[Row], at: usize) -> Option<f64> {
    let case = &CASES[at];
    let is_twin = |twin: &Case| twin.rows == Rows::Flat && case.family.starts_with(twin.family);
    let twin = CASES.iter().position(|twin| is_twin(twin) && twin.size == case.size)?;
    let measured = case.rows == Rows::Best && case.size >= 1_000;
    measured.then(|| rows[twin].each / rows[at].each)
}

/// The bars that were missed, in words.
fn missed(rows: &[Row]) -> Vec<String> {
    let mut missed = Vec::new();
    for (at, (case, row)) in CASES.iter().zip(rows).enumerate() {
        let name = format!("{} with m = {}", case.family, grouped(case.size.into()));
        if case.held && row.ratio > STEEPEST {
            missed.push(format!("{name} costs {:.2} times as much, not {STEEPEST}", row.ratio));
        }
        if row.peak > MOST_MEMORY {
            missed.push(format!("{name} takes {} bytes", grouped(row.peak)));
        }
        if let Some(gain) = gain(rows, at).filter(|&gain| gain < BITS_GAIN) {
            missed.push(format!("{name} is {gain:.1} times as fast, not {BITS_GAIN}"));
        }
    }
    missed
}

/// In the fresh process: makes a case, plans twice, checks, prints the peak in bytes; 0 if the
/// system does not tell.
fn print_peak(case: usize) -> Outcome {
    let mut warm = warm(CASES.get(case).ok_or("no such case")?)?;
    let outcome = warm.plan();
    warm.check(&outcome)?;
    println!("{}", peak_bytes().unwrap_or(0));
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_that_is_missed_is_named() {
        let row = |case: &Case, ratio: f64, peak: u64| {
            let each = if case.rows == Rows::Best { 0.1 } else { 1.0 };
            Row { n_actions: 1, n_needs: 1, each, ratio, peak }
        };
        let all = |ratio: f64, peak: u64| -> Vec<Row> {
            CASES.iter().map(|case| row(case, ratio, peak)).collect()
        };
        let fine = all(1.2, 1_000);
        assert_eq!(missed(&fine), [""; 0]);
        // The first row of a family is measured against itself, and the largest is not held.
        let steep = all(1.4, 1_000);
        assert_eq!(missed(&steep).len(), CASES.iter().filter(|case| case.held).count());
        assert!(missed(&steep)[1].contains("m = 100,000 costs 1.40 times"));
        let large = all(1.0, MOST_MEMORY + 1);
        assert_eq!(missed(&large).len(), CASES.len());
        let mut slow = all(1.0, 1_000);
        slow.iter_mut().for_each(|row| row.each = 1.0);
        assert!(missed(&slow)[0].contains("1.0 times as fast"));
    }
}
