//! Throng beside Fast Downward: the same files, the same limits, in one run.
//!
//! In:   `THRONG` and `DOWNWARD`, the two programs (the second with the words before its own,
//!       such as a Python); the folder of `THRONG_PDDL`; a section or none for all.
//! Out:  Markdown tables; exit code 1 if a bar is missed or an answer differs.
//! Cost: some minutes for boxes, up to an hour for all the files of a folder.
//!
//! 1. `boxes`: breadth-first against `astar(blind())`, generated states per second of search.
//! 2. `folder`: `fast` against lazy greedy search by relaxed plans with preferred operators and
//!    against `lama-first`: tasks solved within the limits, time from files to plan, lengths.
//! 3. `exchange`: our `.sas` read by the other and the other's by us, plans of the same length.
//!
//! Run it by `cargo xtask bench downward`, which sets the other planner up in a folder of its
//! own. Rounds alternate. Plans of ours are replayed by the validator before they count.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

mod planners;

use planners::{Allowed, Answer, Planners, Way};
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use throng_lab::BenchResult;
use throng_lab::harness::Timed;
use throng_lab::machine::measured_under_load;
use throng_lab::program::{Outcome, program};
use throng_lab::record::{self, Bar, Record};
use throng_lab::shared::shared_pddl;
use throng_lab::table::Table;
use throng_lab::tasks::{TaskFiles, tasks};

/// How many times as fast ours must be from files to plan, at the median of small tasks.
const LEAST_DRIVER: f64 = 20.0;
/// A task is small if the other planner's driver takes less than this, in seconds.
const SMALL: f64 = 1.0;
const LIMITS: Allowed = Allowed { seconds: 10.0, megabytes: 4096.0 };
/// Boxes, and how many times as many states per second ours must make. Small tasks end before a
/// rate can be told.
const BOXES: [(usize, Option<Bar>); 4] = [
    (11, None),
    (13, Some(Bar::AtLeast(10.0))),
    (15, Some(Bar::AtLeast(12.0))),
    (16, Some(Bar::AtLeast(10.0))),
];
const ROUNDS: usize = 3;
/// Uniform cost search, as ours is breadth-first.
const BLIND: Way = Way::Search(BLIND_NAME);
const BLIND_NAME: &str = "astar(blind())";

type Section = fn(&Planners, &mut Vec<Record>) -> Outcome;
const SECTIONS: [(&str, Section); 3] =
    [("boxes", boxes), ("folder", folder), ("exchange", exchange)];

fn main() -> ExitCode {
    program(|words| {
        let planners = Planners::from_environment()?;
        println!("{}, beside {}.\n", measured_under_load(), planners.version()?);
        let wanted = SECTIONS.iter().filter(|(name, _)| words.first().is_none_or(|w| w == name));
        let (mut is_well, mut records) = (true, Vec::new());
        for (_, measure) in wanted {
            is_well &= measure(&planners, &mut records)?;
        }
        record::collect("cargo xtask bench downward", &records)?;
        Ok(is_well && !records.iter().any(Record::is_missed))
    })
}

/// Generated states per second on boxes, competition.
fn boxes(planners: &Planners, records: &mut Vec<Record>) -> Outcome {
    let mut table = Table::new("boxes: | plan: | ours, M states/s: | theirs: | times:");
    let mut is_well = true;
    for (n, bar) in BOXES {
        let [domain, problem] = planners.boxes(n)?;
        let (mut ours, mut theirs, mut lengths) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let a = planners.breadth_first(&domain, &problem)?;
            let b = planners.theirs(&[&domain, &problem], BLIND, LIMITS)?;
            // A time, so that the least is the best.
            ours.push(1e9 / a.rate());
            theirs.push(1e9 / b.rate());
            lengths.extend([a.length, b.length]);
        }
        let [ours, theirs] = [ours, theirs].map(Timed::of);
        let record =
            Record::theirs_by_ours(format!("boxes_{n}"), ours, theirs, BLIND_NAME, "ns per state");
        let record = record.by(format!("the search's own time, best of {ROUNDS}"));
        let (ours, theirs, ratio) = (1e9 / ours.fastest, 1e9 / theirs.fastest, record.ratio);
        records.push(record.held(bar));
        let length = lengths[0].unwrap_or(0);
        let agree = lengths.iter().all(|&each| each == Some(length));
        table.row(format_args!(
            "{n} | {length} | {:.1} | {:.2} | {ratio:.1}{}",
            ours / 1e6,
            theirs / 1e6,
            if agree { "" } else { " (lengths differ)" }
        ));
        is_well &= agree;
    }
    println!("Boxes, competition: breadth-first beside `astar(blind())`, the best of {ROUNDS}.\n");
    println!("{table}");
    Ok(is_well)
}

/// Tasks solved, and how soon.
fn folder(planners: &Planners, records: &mut Vec<Record>) -> Outcome {
    let Some(folder) = shared_pddl() else { return Ok(true) };
    let tasks = tasks(&folder)?;
    let mut sides = WAYS.map(|_| Side::default());
    let (mut solved, mut alone) = (0, Vec::new());
    for TaskFiles { name, domain, problem } in &tasks {
        let files: &[&Path] = &[domain, problem];
        let ours = planners.ours(files, "fast", LIMITS)?;
        solved += usize::from(ours.length.is_some());
        let mut told = format!("{name}: {}", ours.told());
        let mut is_alone = ours.length.is_some();
        for ((_, way), side) in WAYS.into_iter().zip(&mut sides) {
            let theirs = planners.theirs(files, way, LIMITS)?;
            told += &format!(" | {}", theirs.told());
            is_alone &= theirs.length.is_none();
            let valid = || planners.their_plan_is_valid(files);
            side.add(name, &ours, &theirs, valid)?;
        }
        if is_alone {
            alone.push(name.as_str());
        }
        eprintln!("{told}");
    }
    println!(
        "{} tasks, {} s on the clock and {} MB each, from files to plan. All plans are judged by \
         `throng pddl validate`.\n",
        tasks.len(),
        LIMITS.seconds,
        LIMITS.megabytes
    );
    println!("Throng, `--mode fast`: {solved} solved, {} by nobody else.\n", alone.len());
    let mut table = Table::new(
        "Fast Downward | solved: | plans that are none: | solved, and not by Throng | solved by \
         Throng, and not by it | its time by Throng's, median (small tasks): | Throng's steps by \
         its, median: | mean:",
    );
    for ((name, _), (key, side)) in
        WAYS.into_iter().zip(["lazy_ff", "lama_first"].into_iter().zip(&mut sides))
    {
        let time = median(&mut side.times);
        let mean = side.lengths.iter().sum::<f64>() / side.lengths.len().max(1) as f64;
        let (length, n_small) = (median(&mut side.lengths), side.times.len());
        let lists = [&side.wrong, &side.alone, &side.missed].map(|names| list(names)).join(" | ");
        table.row(format_args!(
            "{name} | {} | {lists} | {time:.0} ({n_small}) | {length:.2} | {mean:.3}",
            side.solved
        ));
        let limits = format!("{} s on the clock, once", LIMITS.seconds);
        for (what, ours, theirs, unit, bar) in [
            ("solved", solved as f64, side.solved as f64, "tasks", Bar::AtLeast(1.0)),
            ("time", 1.0, time, "of ours, from files to plan, median", Bar::AtLeast(LEAST_DRIVER)),
        ] {
            let record = match what {
                "solved" => {
                    Record::ours_by_theirs(format!("{key}_{what}"), ours, theirs, name, unit)
                }
                _ => Record::theirs_by_ours(format!("{key}_{what}"), ours, theirs, name, unit),
            };
            records.push(record.by(limits.clone()).held(bar));
        }
        let length =
            Record::ours_by_theirs(format!("{key}_steps"), mean, 1.0, name, "of its steps, mean");
        records.push(length.by(limits));
    }
    println!("{table}");
    Ok(true)
}

/// The ways of the other planner that ours is compared with.
const WAYS: [(&str, Way); 2] = [
    (
        "lazy greedy search by relaxed plans, preferred operators",
        Way::Search("let(hff, ff(), lazy_greedy([hff], preferred=[hff]))"),
    ),
    ("`lama-first`", Way::Alias("lama-first")),
];

/// One way of the other planner, beside ours.
#[derive(Default)]
struct Side {
    solved: usize,
    /// Tasks to which its plan was none.
    wrong: Vec<String>,
    /// Tasks that only it solved, and only we.
    alone: Vec<String>,
    missed: Vec<String>,
    /// Where both did: its time by ours on small tasks, our length by its.
    times: Vec<f64>,
    lengths: Vec<f64>,
}

impl Side {
    fn add(
        &mut self,
        task: &str,
        ours: &Answer,
        theirs: &Answer,
        is_valid: impl Fn() -> BenchResult<bool>,
    ) -> BenchResult {
        let is_wrong = theirs.length.is_some() && !is_valid()?;
        if is_wrong {
            self.wrong.push(task.to_string());
        }
        match (ours.length, theirs.length.filter(|_| !is_wrong)) {
            (Some(own), Some(other)) => {
                if theirs.wall < SMALL {
                    self.times.push(theirs.wall / ours.wall);
                }
                self.lengths.push(own.max(1) as f64 / other.max(1) as f64);
            }
            (Some(_), None) => self.missed.push(task.to_string()),
            (None, Some(_)) => self.alone.push(task.to_string()),
            (None, None) => {}
        }
        self.solved += usize::from(theirs.length.is_some() && !is_wrong);
        Ok(())
    }
}

fn median(all: &mut [f64]) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(0.0)
}

/// The same task through the other's hands.
fn exchange(planners: &Planners, _: &mut Vec<Record>) -> Outcome {
    let Some(folder) = shared_pddl() else { return Ok(true) };
    let (mut tried, mut answered, mut wrong) = (0, 0, Vec::new());
    for TaskFiles { name, domain, problem } in tasks(&folder)? {
        let files: &[&Path] = &[&domain, &problem];
        let ours = planners.ours(files, "shortest", Allowed { seconds: 2.0, ..LIMITS })?;
        let Some(length) = ours.length else { continue };
        tried += 1;
        let (written, read) = (planners.write_sas(files)?, planners.their_sas(files)?);
        for file in [&written, &read] {
            // With costs theirs would look for another plan; without, for the fewest steps.
            let text = fs::read_to_string(file)?;
            fs::write(file, text.replacen("begin_metric\n1", "begin_metric\n0", 1))?;
        }
        let by_them = planners.theirs(&[&written], BLIND, LIMITS)?;
        let by_us = planners.ours(&[&read], "shortest", LIMITS)?;
        answered += [&by_them, &by_us].iter().filter(|answer| answer.length.is_some()).count();
        let same = |answer: &Answer| match answer.length {
            Some(other) => other == length,
            None => answer.is_out_of_limits,
        };
        if !same(&by_them) || !same(&by_us) {
            wrong.push(format!("{name}: {length}, {}, {}", by_them.told(), by_us.told()));
        }
    }
    println!(
        "`.sas` both ways: {tried} tasks, {answered} of {} answered within the limits, {} differ{}\n",
        2 * tried,
        wrong.len(),
        wrong.iter().map(|line| format!("\n- {line}")).collect::<String>()
    );
    Ok(wrong.is_empty() && tried > 0)
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "none".to_string() } else { names.join(", ") }
}
