//! The soldier of `domains/fear/soldier.npc`: every test of the file that has a plan, timed.
//!
//! In:   the file.
//! Out:  plans per millisecond on one core over all of them, and the slowest.

use crate::Failure;
use crate::race::{Time, Turn, race};
use std::hint::black_box;
use throng::expectations::{run, setting};
use throng::prelude::*;

struct Scenario {
    npc: Npc,
    request: Request,
    nodes: u64,
    length: usize,
}

/// The mean over all scenarios, in nanoseconds.
pub fn all(path: &str, rounds: usize) -> Result<f64, Failure> {
    let domain = Domain::from_file(path)?;
    let (planner, mut scratch) = (Planner::new(), Scratch::default());
    let mut scenarios = Vec::new();
    for test in domain.model().tests() {
        let result = run(&domain, test, &planner, &mut scratch).ok_or("a foreign test")?;
        if !result.passed() {
            return Err(format!("{}: {:?}", result.name, result.failures).into());
        }
        let Some((npc, request)) = setting(&domain, test) else { continue };
        let answer = planner.plan(&npc, &request, &mut scratch);
        if !answer.plan().is_empty() {
            let (nodes, length) = (answer.nodes(), answer.plan().len());
            scenarios.push((test.name(), Scenario { npc, request, nodes, length }));
        }
    }
    let turns = scenarios.iter().map(|(name, scenario)| {
        let mut plan = Plan::empty(&domain);
        let mut scratch = Scratch::default();
        Turn::new(*name, 500, move || {
            let npc = black_box(&scenario.npc);
            _ = black_box(planner.plan_into(npc, &scenario.request, &mut scratch, &mut plan));
        })
    });
    let times = race(rounds, turns.collect());
    let mean = |of: fn(&Time) -> f64| times.iter().map(of).sum::<f64>() / times.len() as f64;
    let least = mean(|time| time.least);
    let mut rows: Vec<_> = times.iter().zip(&scenarios).collect();
    rows.sort_by(|a, b| b.0.least.total_cmp(&a.0.least));
    println!("| soldier | ns per plan | median | actions in the plan | nodes |");
    println!("|---|--:|--:|--:|--:|");
    let (n, median) = (times.len(), mean(|time| time.median));
    println!("| mean of {n} scenarios | {least:.0} | {median:.0} | | |");
    for (Time { name, least, median }, (_, Scenario { length, nodes, .. })) in rows.iter().take(3) {
        println!("| `{name}` | {least:.0} | {median:.0} | {length} | {nodes} |");
    }
    let (slowest, _) = rows.first().ok_or("no scenarios")?;
    println!(
        "\nPlans per millisecond on one core: {:.0}; of the slowest scenario, `{}`: {:.0}.",
        1e6 / least,
        slowest.name,
        1e6 / slowest.least
    );
    Ok(least)
}
