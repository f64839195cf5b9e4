//! PDDL from somebody who means no good: every command stays within its memory and asks often
//! enough whether to stop.
//!
//! In:   random tasks of hostile shapes and growing sizes, and `--memory`.
//! Out:  the peak of every command is at most the memory it states, what reading takes for files
//!       of their size, and a fixed slack; between two questions to its caller no stage does more
//!       than its share; the work of all stages together is bounded.
//! Cost: some seconds; `THRONG_LONG=1` tries ten times as many, four times as large.
//!
//! Work is counted in what is allocated: the same on every machine.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test may panic")]

use crate::counting::{peak_of, so_far};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use throng_cli::{BAD, Console, FINE, LIMIT, NO};
use throng_pddl::ground::{self, ground};
use throng_pddl::plan::read_plan;
use throng_pddl::read::{self, Text, read_task_until};
use throng_pddl::validate::{self, validate_within};
use throng_suite::pddl::{Hostile, N_SHAPES, hostile};

const MEGABYTE: u64 = 1 << 20;
/// Bytes that reading takes for each byte of the files: the text three times, its parts, and what
/// they say.
const READING: u64 = 48;
/// Beside all that is counted.
const SLACK: u64 = 2 * MEGABYTE;

fn is_long() -> bool {
    std::env::var_os("THRONG_LONG").is_some()
}

/// The tasks to try, each with its seed.
fn tasks() -> impl Iterator<Item = (u64, Hostile)> {
    let (n, grows) = if is_long() { (40 * N_SHAPES, 2) } else { (4 * N_SHAPES, 0) };
    (0..n).map(move |seed| (seed, hostile(seed, grows)))
}

struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let folder = std::env::temp_dir().join(format!("throng-hostile-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        self.path(name)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(Path::new(&self.0));
    }
}

/// Runs a command line; its exit code and its peak.
fn run(words: &[&str]) -> (u8, u64) {
    let mut code = 0;
    let peak = peak_of(|| {
        let console = Console::silent(std::io::sink());
        code = throng_lab::commands::run(std::iter::once(&"throng").chain(words), console);
    });
    (code, peak)
}

#[test]
fn every_command_stays_within_its_memory() {
    let folder = Folder::new();
    let megabytes: u64 = 4;
    let mut counts: BTreeMap<u8, usize> = BTreeMap::new();
    let mut nearest = (0.0, String::new());
    let mut beyond = Vec::new();
    for (seed, task) in tasks() {
        let domain = folder.write("domain.pddl", &task.domain);
        let problem = folder.write("problem.pddl", &task.problem);
        let plan = folder.write("go.plan", &task.plan);
        let [sas, json, made] = ["o.sas", "o.json", "o.pddl"].map(|name| folder.path(name));
        let text = (task.domain.len() + task.problem.len() + task.plan.len()) as u64;
        // The ground task; states beside it; the judge beside both. What is written is a copy of
        // the task in words.
        let commands: [(&[&str], u64); 8] = [
            (&["pddl", "solve", &domain, &problem, "--mode", "fast", "--max-nodes", "2000"], 3),
            (&["pddl", "solve", &domain, &problem, "--planner", "seed", "--max-nodes", "200"], 2),
            (&["pddl", "validate", &domain, &problem, &plan], 1),
            (&["pddl", "info", &domain, &problem], 1),
            (&["pddl", "classes", &domain, &problem], 3),
            (&["convert", &domain, &problem, &sas], 2),
            (&["convert", &domain, &problem, &json], 3),
            (&["convert", &domain, &problem, &made], 3),
        ];
        for (words, shares) in commands {
            // The time only ends what would take long; nothing is asserted of it.
            let limits = ["--memory", &megabytes.to_string(), "--time", "3"].map(str::to_string);
            let limits: Vec<&str> = limits.iter().map(String::as_str).collect();
            let (code, peak) = run(&[words, &limits].concat());
            let bound = shares * megabytes * MEGABYTE + READING * text + SLACK;
            let told = format!(
                "{} {} (seed {seed}, {} of size {}): {peak} bytes of {bound}, exit {code}",
                words[0], words[1], task.shape, task.size
            );
            assert!([FINE, NO, BAD, LIMIT].contains(&code), "{told}");
            if peak > bound {
                beyond.push(told.clone());
            }
            *counts.entry(code).or_default() += 1;
            let share = peak as f64 / bound as f64;
            if share > nearest.0 {
                nearest = (share, told);
            }
        }
    }
    assert!(beyond.is_empty(), "{}", beyond.join("\n"));
    println!("exit codes {counts:?}; nearest to its bound: {}", nearest.1);
    assert!(counts[&FINE] > 0 && counts[&LIMIT] > 0, "both are tried: {counts:?}");
}

#[test]
fn every_stage_asks_often_and_its_work_is_bounded() {
    // Allocations between two questions, beside those that a pass over the task makes.
    const MOST_BETWEEN: u64 = 200_000;
    const MOST_QUESTIONS: u64 = 20_000;
    let mut largest = (0, String::new());
    for (seed, task) in tasks() {
        let (last, gap, questions) = (Cell::new(so_far()), Cell::new(0), Cell::new(0u64));
        let ask = || {
            gap.set(gap.get().max(so_far() - last.get()));
            last.set(so_far());
            questions.set(questions.get() + 1);
            false
        };
        let mut check = |stage: &str, text: u64| {
            ask();
            let told = format!(
                "{stage} (seed {seed}, {} of size {}): {} allocations, {} questions",
                task.shape,
                task.size,
                gap.get(),
                questions.get()
            );
            assert!(gap.get() <= MOST_BETWEEN + text, "{told}");
            assert!(questions.get() <= MOST_QUESTIONS, "{told}");
            if gap.get() > largest.0 {
                largest = (gap.get(), told);
            }
            gap.set(0);
            questions.set(0);
            last.set(so_far());
        };
        let [domain, problem] =
            [&task.domain, &task.problem].map(|text| Text { name: "task", text });
        let text = (task.domain.len() + task.problem.len()) as u64;
        let limits = read::Limits::for_bytes(16 << 20);
        let reading = read_task_until(domain, problem, &limits, &ask).unwrap();
        check("reading", text);
        let Some(lifted) = reading.task else { continue };
        let limits = ground::Limits { joins: 2_000_000, ..ground::Limits::for_bytes(16 << 20) };
        let _ = ground(&lifted, &limits, Some(&ask));
        check("grounding", text);
        let steps = read_plan(&task.plan).unwrap();
        let limits = validate::Limits { bytes: 16 << 20, steps: 2_000_000, stop: Some(&ask) };
        last.set(so_far());
        let _ = validate_within(&lifted, &steps, &limits);
        check("judging", text);
    }
    println!("most between two questions: {}", largest.1);
}
