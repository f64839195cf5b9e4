//! `cargo xtask test`: every check there is, in order, until one fails.
//!
//! In:   whether to take long.
//! Out:  the output of each step as it comes, and a table of the steps with their seconds.
//! Cost: a few minutes from nothing on two cores.
//!
//! Lints, tests, documents and the README's commands are built in one profile, so that most of
//! the work is shared. What lies outside the workspace comes after it, its time apart.

use crate::command::{Outcome, cargo, run as run_command, words};
use crate::{fuzz, package, slow, tidy};
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
    let deny = ["--", "-D", "warnings"];
    let lints = ["clippy", "--workspace", "--all-targets", "--all-features", "--profile", "ci"];
    steps.cargo("lints", &[&lints[..], &deny].concat(), &[])?;
    // The library without features, and with each alone: by the lints too, so that what lies below
    // it is not checked a second time.
    for features in ["", "crowd", "mind", "kit", "trace", "render", "serde"] {
        let check = ["clippy", "-p", "throng", "--no-default-features", "--features", features];
        steps.cargo("features", &[&check[..], &["--profile", "ci"], &deny].concat(), &[])?;
    }
    let tests = ["test", "--workspace", "--profile", "ci", "--all-features"];
    let more: &[(&str, &str)] = if long { &[("THRONG_LONG", "1")] } else { &[] };
    // All programs first, so that the time of building is told from the time of testing.
    steps.cargo("building", &[&tests[..], &["--all-targets", "--no-run"]].concat(), more)?;
    let mut command = cargo(&[&tests[..], &["--all-targets"]].concat());
    command.envs(more.iter().copied());
    let typed = words(&command);
    steps.step("tests", &typed, || slow::run(&mut command))?;
    steps.cargo("examples", &[&tests[..], &["--doc"]].concat(), more)?;
    let documents = ["doc", "--workspace", "--no-deps", "--all-features", "--profile", "ci"];
    steps.cargo("documents", &documents, &[("RUSTDOCFLAGS", "-D warnings")])?;
    steps.step("tidy", "cargo xtask tidy", || tidy::run(true))?;
    // What lies outside the workspace is run too, or it rots; one round of the peers is enough
    // to see their answers judged.
    for (name, manifest, words) in [
        ("embedding", "embed/Cargo.toml", &[][..]),
        ("peers", "peers/Cargo.toml", &["--", "1"]),
        ("numbers", "peers/Cargo.toml", &["--bin", "numbers", "--", "1"]),
    ] {
        let run = ["run", "--quiet", "--locked", "--target-dir", "target/outside"];
        let run = [&run[..], &["--manifest-path", manifest], words].concat();
        steps.cargo(name, &run, &[("CARGO_PROFILE_DEV_DEBUG", "0")])?;
    }
    if long {
        steps.step("packages", "cargo xtask package", package::run)?;
    }
    let models = ["test", "--locked", "--target-dir", "target/outside"];
    let models = [&models[..], &["--manifest-path", "models/Cargo.toml"]].concat();
    steps.cargo("models", &models, &[])?;
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
        // The packages outside the workspace are built for themselves.
        let is_outside =
            |name: &str| matches!(name, "embedding" | "peers" | "numbers" | "models" | "packages");
        let outside = self.done.iter().filter(|(name, _)| is_outside(name));
        let outside: f64 = outside.map(|(_, seconds)| seconds).sum();
        let last = self.done.len().saturating_sub(1);
        for (index, (name, seconds)) in self.done.iter().enumerate() {
            let word = if passed || index < last { "passed" } else { "FAILED" };
            println!("{name:<10} {word} {seconds:>6.0} s");
        }
        let together = self.begin.elapsed().as_secs_f64();
        println!("{:<10} {:>13.0} s", "workspace", together - outside);
        println!("{:<10} {:>13.0} s", "outside", outside);
        println!("{:<10} {:>13.0} s", "together", together);
    }
}
