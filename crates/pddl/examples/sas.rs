//! Searches ground tasks in `.sas` files, one after the other, and tells what came of it.
//!
//! In:   a mode (`shortest`, `cheapest`, `fast`), seconds per task, files.
//! Out:  a line per file: steps, cost, states expanded and met, bytes, seconds; plans are replayed
//!       by the definition first.
//!
//! `cargo run --release -p throng-pddl --example sas -- fast 10 some/*.sas`
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

use std::process::ExitCode;
use std::time::Instant;
use throng_pddl::sas;
use throng_planner::forward::{Atom, Found, Search, Task};
use throng_planner::{Budget, Mode};

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let mode = match words.next().as_deref() {
        Some("shortest") => Mode::Shortest,
        Some("cheapest") => Mode::Cheapest,
        Some("fast") => Mode::Fast,
        _ => return usage(),
    };
    let Some(seconds) = words.next().and_then(|word| word.parse().ok()) else { return usage() };
    let (mut n_solved, mut n_impossible, mut n_files) = (0, 0, 0);
    for file in words {
        n_files += 1;
        match search(&file, mode, seconds) {
            Ok(Some(true)) => n_solved += 1,
            Ok(Some(false)) => n_impossible += 1,
            Ok(None) => {}
            Err(error) => {
                eprintln!("{file}: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    println!("{n_files} files: {n_solved} solved, {n_impossible} impossible");
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("usage: sas shortest|cheapest|fast SECONDS FILE…");
    ExitCode::from(2)
}

/// Whether there is a plan; `None` if that is not known in time.
fn search(file: &str, mode: Mode, seconds: f64) -> Result<Option<bool>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let named = sas::read(&text, &sas::Limits::default()).map_err(|error| format!("{error:?}"))?;
    let task = &named.task;
    let (begin, mut search) = (Clock::now(), Search::default());
    let stop = || begin.seconds() >= seconds;
    let budget = Budget { bytes: 4 << 30, stop: Some(&stop), ..Budget::DEFAULT };
    search.begin(task, mode);
    let found = search.run(task, &budget);
    let (seconds, progress) = (begin.seconds(), search.progress());
    let name = file.rsplit('/').next().unwrap_or(file).trim_end_matches(".sas");
    let tail = format!(
        "nodes {} states {} per_state {:.1} seconds {seconds:.3}",
        progress.nodes,
        progress.states,
        progress.bytes as f64 / progress.states as f64,
    );
    match found {
        Found::Goal(state) => {
            let mut plan = Vec::new();
            search.way_to(state, &mut plan);
            let cost = replay(task, &plan).ok_or("a plan that does not lead to the goal")?;
            println!("{name} solved length {} cost {cost} {tail}", plan.len());
            Ok(Some(true))
        }
        Found::Nothing => {
            println!("{name} impossible {tail}");
            Ok(Some(false))
        }
        Found::Limit(limit) => {
            println!("{name} gave up {} {tail} {progress:?}", limit.code());
            Ok(None)
        }
    }
}

/// Time on the processor where the system tells it, else on the clock: others may be busy too.
struct Clock(Instant, Option<f64>);

impl Clock {
    fn now() -> Clock {
        Clock(Instant::now(), busy())
    }

    fn seconds(&self) -> f64 {
        match (self.1, busy()) {
            (Some(before), Some(now)) => now - before,
            _ => self.0.elapsed().as_secs_f64(),
        }
    }
}

fn busy() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: u64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds as f64 / 1e9)
}

/// What a plan costs, by the definition; `None` if it does not lead to the goal.
fn replay(task: &Task, plan: &[u32]) -> Option<u64> {
    let mut state = task.start().to_vec();
    let mut cost = 0;
    derive(task, &mut state);
    for &operator in plan {
        let holds = |atom: &Atom| state[atom.variable as usize] == atom.value;
        if !task.needs(operator).iter().all(holds) {
            return None;
        }
        let effects = task.effects(operator).filter(|effect| effect.when.iter().all(holds));
        let sets: Vec<Atom> =
            task.sets(operator).iter().copied().chain(effects.map(|effect| effect.sets)).collect();
        sets.iter().for_each(|atom| state[atom.variable as usize] = atom.value);
        derive(task, &mut state);
        cost += task.cost(operator);
    }
    let holds = |atom: &Atom| state[atom.variable as usize] == atom.value;
    task.goal().iter().all(holds).then_some(cost)
}

fn derive(task: &Task, state: &mut [u16]) {
    let mut layers: Vec<u32> = Vec::new();
    for (variable, (value, &default)) in state.iter_mut().zip(task.start()).enumerate() {
        if let Some(layer) = task.layer(variable as u32) {
            *value = default;
            layers.push(layer);
        }
    }
    layers.sort_unstable();
    layers.dedup();
    for layer in layers {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for rule in task.axioms() {
                let holds = |atom: &Atom| state[atom.variable as usize] == atom.value;
                let head = rule.sets;
                if task.layer(head.variable) == Some(layer)
                    && state[head.variable as usize] != head.value
                    && rule.when.iter().all(holds)
                {
                    state[head.variable as usize] = head.value;
                    changed = true;
                }
            }
        }
    }
}
