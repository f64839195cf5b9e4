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
use throng_lab::record::{self, Bar, Record};
use throng_lab::table::Table;
use throng_lab::timed::Timed;
use throng_lab::warm::{Rows, Warm};
use throng_lab::{BenchResult, Session};

/// Turns of each size; the fastest counts.
const TURNS: usize = 15;
/// A turn plans so often that it takes about this many actions and needs.
const WORK_PER_TURN: u64 = 4_000_000;
/// A hundred times the variables may cost so many times as much per action and need.
const STEEPEST: f64 = 1.3;
/// An action and need of OnePrv_5 may take so many nanoseconds.
const MOST_EACH: f64 = 15.0;
/// Flat rows are so many times as fast as the graph of closure and order, on OnePrv_5.
const FLAT_GAIN: f64 = 1.8;
/// Rows of bits are so many times as fast as it, on the largest tunnel.
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
    /// How many times as fast as its twin it must be; 0 without a twin.
    least_gain: f64,
}

const fn one_prv_5(size: u32, held: bool) -> Case {
    let make = |size| one_prv(5, size).ok();
    Case { family: "OnePrv_5", make, size, held, rows: Rows::Best, least_gain: 0.0 }
}

const fn tunnel_by_graph(size: u32) -> Case {
    let make = |size| tunnel(size).ok();
    Case { family: "tunnel, graph", make, size, held: false, rows: Rows::Graph, least_gain: 0.0 }
}

const fn tunnel_in_bits(size: u32, least_gain: f64) -> Case {
    Case { family: "tunnel", rows: Rows::Best, least_gain, ..tunnel_by_graph(size) }
}

const CASES: [Case; 9] = [
    one_prv_5(1_000, false),
    Case { least_gain: FLAT_GAIN, ..one_prv_5(10_000, true) },
    one_prv_5(100_000, true),
    one_prv_5(1_000_000, false),
    Case { family: "OnePrv_5, graph", rows: Rows::Graph, ..one_prv_5(10_000, false) },
    tunnel_in_bits(100, 0.0),
    tunnel_in_bits(1_000, BITS_GAIN),
    tunnel_by_graph(100),
    tunnel_by_graph(1_000),
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
        let timed = time / warm.work() as f64;
        let each = timed.fastest;
        rows.push(Row {
            n_actions: warm.n_actions(),
            n_needs: warm.member.n_needs,
            each,
            spread: timed.spread().unwrap_or(0.0),
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
    record::collect("cargo xtask bench topological", &records(&rows))?;
    Ok(missed.is_empty())
}

/// Every row, with its bar if it has one.
fn records(rows: &[Row]) -> Vec<Record> {
    let protocol = format!("thread time, best of {TURNS}");
    let record = |(case, row): (&Case, &Row)| {
        let time = Timed { fastest: row.each, median: row.each * (1.0 + row.spread) };
        let name = format!("{}, m = {}", case.family, case.size);
        let unit = "ns per action and need";
        let record = Record::ours_by_theirs(name, time, MOST_EACH, "the bar of OnePrv_5", unit);
        record.by(protocol.clone()).held(case.held.then_some(Bar::AtMost(1.0)))
    };
    CASES.iter().zip(rows).map(record).collect()
}

/// What was measured of a case.
struct Row {
    n_actions: u64,
    n_needs: u64,
    /// Nanoseconds per action and need.
    each: f64,
    /// How much longer the turn in the middle took, as a share.
    spread: f64,
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
        let (Row { n_actions, n_needs, each, ratio, peak, .. }, family) = (row, case.family);
        let time = (each * (n_actions + n_needs) as f64) as u64;
        let [m, actions, needs, time] = [case.size.into(), *n_actions, *n_needs, time].map(grouped);
        let peak = if *peak == 0 { "n/a".into() } else { format!("{} MB", peak / 1_000_000) };
        table.row(format_args!(
            "{family} | {m} | {actions} | {needs} | {time} | {each:.2} | {ratio:.2} | {peak}"
        ));
        if let Some(gain) = gain(rows, at) {
            let (least, verdict) = (case.least_gain, held(gain >= case.least_gain));
            gains += &format!(
                "\n{family} with m = {m} is {gain:.1} times as fast as by the graph; bar {least}: \
                 {verdict}.\n"
            );
        }
    }
    let each = most_each(rows);
    gains += &format!(
        "\nOnePrv_5 takes at most {each:.2} ns per action and need; bar {MOST_EACH}: {}.\n",
        held(each <= MOST_EACH)
    );
    print!("{}.\n\n{table}{gains}", measured());
}

fn held(is_held: bool) -> &'static str {
    if is_held { "held" } else { "missed" }
}

/// How many times as fast a case is as its twin, if that is held to something.
fn gain(rows: &[Row], at: usize) -> Option<f64> {
    let case = &CASES[at];
    let is_twin = |twin: &Case| twin.rows == Rows::Graph && twin.family.starts_with(case.family);
    let twin = CASES.iter().position(|twin| is_twin(twin) && twin.size == case.size)?;
    (case.least_gain > 0.0).then(|| rows[twin].each / rows[at].each)
}

/// What OnePrv_5 takes per action and need, at the most: of the sizes that are compared.
fn most_each(rows: &[Row]) -> f64 {
    let held = CASES.iter().zip(rows).filter(|(case, _)| case.held);
    held.map(|(_, row)| row.each).fold(0.0, f64::max)
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
        if let Some(gain) = gain(rows, at).filter(|&gain| gain < case.least_gain) {
            missed.push(format!("{name} is {gain:.1} times as fast, not {}", case.least_gain));
        }
    }
    let each = most_each(rows);
    if each > MOST_EACH {
        missed.push(format!("OnePrv_5 takes {each:.2} ns per action and need, not {MOST_EACH}"));
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
            let each = if case.rows == Rows::Best { 2.0 } else { 20.0 };
            Row { n_actions: 1, n_needs: 1, each, spread: 0.0, ratio, peak }
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
        slow.iter_mut().for_each(|row| row.each = 20.0);
        let missed = missed(&slow);
        assert_eq!(missed.len(), 3);
        assert!(missed[0].contains("OnePrv_5 with m = 10,000 is 1.0 times as fast, not 1.8"));
        assert!(missed[2].contains("takes 20.00 ns per action and need, not 15"));
    }
}
