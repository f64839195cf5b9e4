//! `cargo xtask test`: every check there is, in order, until one fails.
//!
//! In:   whether to take long.
//! Out:  the output of each step as it comes, and a table of the steps with their seconds.
//! Cost: a few minutes from nothing on two cores.
//!
//! Lints, tests and documents are built in one profile, so that most of the work is shared;
//! the README's commands need the release profile beside it.

use crate::command::{Outcome, cargo, run as run_command, words};
use crate::{fuzz, tidy};
use std::time::Instant;

/// Seconds of fuzzing for each target.
const FUZZ_SECONDS: u32 = 30;
/// The same for `--long`.
const FUZZ_SECONDS_LONG: u32 = 600;

pub(crate) fn run(long: bool) -> Outcome {
    let mut steps = Steps { done: Vec::new(), begin: Instant::now() };
    let outcome = all(long, &mut steps);
    steps.print(outcome.is_ok());
    outcome
}

fn all(long: bool, steps: &mut Steps) -> Outcome {
    steps.cargo("format", &["fmt", "--all", "--", "--check"], &[])?;
    let lints = ["clippy", "--workspace", "--all-targets", "--all-features", "--profile", "ci"];
    steps.cargo("lints", &[&lints[..], &["--", "-D", "warnings"]].concat(), &[])?;
    let tests = ["test", "--workspace", "--profile", "ci", "--all-features"];
    let more: &[(&str, &str)] = if long { &[("THRONG_LONG", "1")] } else { &[] };
    steps.cargo("tests", &tests, more)?;
    let documents = ["doc", "--workspace", "--no-deps", "--all-features", "--profile", "ci"];
    steps.cargo("documents", &documents, &[("RUSTDOCFLAGS", "-D warnings")])?;
    steps.step("tidy", "cargo xtask tidy", || tidy::run(true))?;
    // What lies outside the workspace is run too, or it rots; one round of the peers is enough
    // to see their answers judged.
    for (name, manifest, words) in
        [("embedding", "embed/Cargo.toml", &[][..]), ("peers", "peers/Cargo.toml", &["--", "1"])]
    {
        let run = ["run", "--quiet", "--locked", "--target-dir", "target/outside"];
        let run = [&run[..], &["--manifest-path", manifest], words].concat();
        steps.cargo(name, &run, &[("CARGO_PROFILE_DEV_DEBUG", "0")])?;
    }
    let seconds = if long { FUZZ_SECONDS_LONG } else { FUZZ_SECONDS };
    let typed = format!("cargo xtask fuzz --seconds {seconds}");
    steps.step("fuzzing", &typed, || fuzz::run(&fuzz::Options::all_targets(seconds)))
}

struct Steps {
    done: Vec<(&'static str, f64)>,
    begin: Instant,
}

impl Steps {
    fn cargo(&mut self, name: &'static str, arguments: &[&str], set: &[(&str, &str)]) -> Outcome {
        let mut command = cargo(arguments);
        command.envs(set.iter().copied());
        let typed = words(&command);
        self.step(name, &typed, || run_command(&mut command))
    }

    fn step(&mut self, name: &'static str, typed: &str, work: impl FnOnce() -> Outcome) -> Outcome {
        println!("\n=== {name}: {typed}");
        let begin = Instant::now();
        let outcome = work();
        self.done.push((name, begin.elapsed().as_secs_f64()));
        outcome.map_err(|why| format!("{name} failed: {why}"))
    }

    fn print(&self, passed: bool) {
        println!();
        let last = self.done.len().saturating_sub(1);
        for (index, (name, seconds)) in self.done.iter().enumerate() {
            let word = if passed || index < last { "passed" } else { "FAILED" };
            println!("{name:<10} {word} {seconds:>6.0} s");
        }
        println!("{:<10} {:>13.0} s", "together", self.begin.elapsed().as_secs_f64());
    }
}
