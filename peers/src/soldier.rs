//! The soldier of `domains/fear/soldier.npc`: every test of the file that has a plan, timed.
//!
//! In:   the file.
//! Out:  plans per millisecond on one core over all of them, and the slowest.

use crate::{rounds, time};
use std::hint::black_box;
use throng::expectations::{run, setting};
use throng::prelude::*;

struct Scenario {
    name: String,
    npc: Npc,
    request: Request,
    nodes: u64,
    length: usize,
    ns: f64,
}

pub fn all(path: &str) -> crate::Done {
    let domain = Domain::from_file(path)?;
    let (planner, mut scratch) = (Planner::new(), Scratch::default());
    let mut plan = Plan::empty(&domain);
    let mut scenarios = Vec::new();
    for test in domain.model().tests() {
        let result = run(&domain, test, &planner, &mut scratch).ok_or("a foreign test")?;
        assert!(result.passed(), "{}: {:?}", result.name, result.failures);
        let Some((npc, request)) = setting(&domain, test) else { continue };
        let answer = planner.plan(&npc, &request, &mut scratch);
        if !answer.plan().is_empty() {
            let (nodes, length) = (answer.nodes(), answer.plan().len());
            let name = test.name().to_string();
            scenarios.push(Scenario { name, npc, request, nodes, length, ns: f64::MAX });
        }
    }
    for _ in 0..rounds() {
        for scenario in &mut scenarios {
            let ns = time(500, || {
                let npc = black_box(&scenario.npc);
                _ = black_box(planner.plan_into(npc, &scenario.request, &mut scratch, &mut plan));
            });
            scenario.ns = scenario.ns.min(ns);
        }
    }
    scenarios.sort_by(|a, b| b.ns.total_cmp(&a.ns));
    let mean = scenarios.iter().map(|s| s.ns).sum::<f64>() / scenarios.len() as f64;
    println!("| soldier | ns per plan | actions in the plan | nodes |");
    println!("|---|--:|--:|--:|");
    println!("| mean of {} scenarios | {mean:.0} | | |", scenarios.len());
    for s in scenarios.iter().take(3) {
        println!("| `{}` | {:.0} | {} | {} |", s.name, s.ns, s.length, s.nodes);
    }
    println!();
    println!(
        "Plans per millisecond on one core: {:.0}; of the slowest scenario, `{}`: {:.0}.",
        1e6 / mean,
        scenarios[0].name,
        1e6 / scenarios[0].ns
    );
    Ok(())
}
