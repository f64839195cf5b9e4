//! Grounds tasks and prints what came out: `cargo run --profile ci -p throng-pddl --example
//! ground -- DOMAIN PROBLEM [DOMAIN PROBLEM …]`.
//!
//! In:   pairs of files.
//! Out:  a line per task: microseconds of reading and of each phase, counts of what was made.

#![allow(clippy::print_stdout, reason = "a program")]

use std::error::Error;
use std::time::Instant;
use throng_pddl::ground::{Limits, ground_observed};
use throng_pddl::read::{self, Text, read_task};

fn main() -> Result<(), Box<dyn Error>> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    for pair in files.chunks_exact(2) {
        let (domain, problem) =
            (std::fs::read_to_string(&pair[0])?, std::fs::read_to_string(&pair[1])?);
        let begin = Instant::now();
        let reading = read_task(
            Text { name: &pair[0], text: &domain },
            Text { name: &pair[1], text: &problem },
            &read::Limits::default(),
        );
        let read = begin.elapsed().as_micros();
        let Some(task) = reading.task else {
            println!("{}: not read", pair[1]);
            continue;
        };
        let mut times = Vec::new();
        let made =
            ground_observed(&task, &Limits::USUAL, None, &mut |_| times.push(Instant::now()));
        times.push(Instant::now());
        let phases: Vec<String> =
            times.windows(2).map(|t| (t[1] - t[0]).as_micros().to_string()).collect();
        let total = begin.elapsed().as_micros();
        match made {
            Err(refusal) => println!("{}: {refusal}", pair[1]),
            Ok(made) => {
                let task = &made.named.task;
                let facts: u32 = task.sizes().iter().sum();
                let derived = (0..task.sizes().len() as u32).filter(|&v| task.layer(v).is_some());
                println!(
                    "{} total {total} read {read} phases {} | variables {} derived {} facts {facts} \
                     operators {} axioms {} mutexes {} joins {}{}",
                    pair[1],
                    phases.join(" "),
                    made.counts.variables,
                    derived.count(),
                    made.counts.operators,
                    task.axioms().count(),
                    made.named.mutexes.len(),
                    made.counts.joins,
                    made.unreachable.map_or(String::new(), |what| format!(" unreachable {what}")),
                );
            }
        }
    }
    Ok(())
}
