//! Throng beside other planning libraries, on the same problem, in one run.
//!
//! In:   the Horse Breeder of "SAS Planning as Topological Sorting", from ⟨0,0,0⟩ to ⟨2,0,2⟩,
//!       written for each library in its own way.
//! Out:  nanoseconds per plan, and ratios. The rounds of all libraries alternate and the
//!       fastest round of each counts, so that a busy machine hurts all alike.
//!
//! Every answer is checked: a plan of six actions, valid on the domain. Wrong and fast is wrong.

mod breeder;
mod goap;

use breeder::{Breeder, Fed, State};
use std::hint::black_box;
use std::time::Instant;
use throng::prelude::*;

const ROUNDS: usize = 60;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../domains/papers");
    let domain = Domain::from_file(format!("{folder}/horse_breeder_000.npc"))?;
    let npc = Npc::new(&domain, "horse_breeder")?;
    let request = Request::goal(domain.goal("feed_horses")?);
    let forward = request.clone().engine(throng::Engine::Forward);
    let (planner, mut scratch) = (Planner::new(), Scratch::default());
    let mut plan = Plan::empty(&domain);
    let western = western(&folder.replace("papers", "papers/western.npc"))?;

    let (start, actions, goal) = goap::horse_breeder();
    let peer_actions = Breeder::ALL.to_vec();

    // The answers first.
    planner.plan_into(&npc, &request, &mut scratch, &mut plan);
    let ours: Vec<String> = plan.names().map(str::to_string).collect();
    assert_eq!(ours.len(), 6, "throng: {ours:?}");
    let names = goap::plan(&start, &actions, &goal).ok_or("dogoap finds no plan")?;
    assert_eq!(names.len(), 6, "dogoap: {names:?}");
    breeder::replay(&names)?;
    breeder::replay(&ours)?;
    let (steps, _) = planning::plan(&State::START, &peer_actions, &Fed).ok_or("planning finds none")?;
    let names: Vec<String> = steps.iter().map(|step| step.name().to_string()).collect();
    assert_eq!(names.len(), 6, "planning: {names:?}");
    breeder::replay(&names)?;

    let mut best = [f64::MAX; 5];
    for _ in 0..ROUNDS {
        let ours = time(20_000, || {
            black_box(planner.plan_into(black_box(&npc), &request, &mut scratch, &mut plan));
        });
        let mut at = 0;
        let many = time(20_000, || {
            let (npc, request) = &western[at % western.len()];
            at += 7919;
            black_box(planner.plan_into(black_box(npc), request, &mut scratch, &mut plan));
        });
        let plain = time(1_000, || {
            black_box(planner.plan_into(black_box(&npc), &forward, &mut scratch, &mut plan));
        });
        let dogoap = time(100, || {
            black_box(dogoap::prelude::make_plan(black_box(&start), &actions[..], &goal));
        });
        let planning = time(500, || {
            black_box(planning::plan(black_box(&State::START), &peer_actions, &Fed));
        });
        for (least, now) in best.iter_mut().zip([ours, many, plain, dogoap, planning]) {
            *least = least.min(now);
        }
    }
    let [ours, many, plain, dogoap, planning] = best;
    println!("| who | ns per plan | against Throng |");
    println!("|---|--:|--:|");
    for (who, ns) in [
        ("Throng, topological, Horse Breeder", ours),
        ("Throng, topological, Western, random starts", many),
        ("Throng, forward search, Horse Breeder", plain),
        ("`planning` 1.0, Horse Breeder", planning),
        ("`dogoap` 0.5, Horse Breeder", dogoap),
    ] {
        println!("| {who} | {ns:.0} | {:.1} × |", ns / ours);
    }
    Ok(())
}

/// Nanoseconds per call.
fn time(times: u32, mut work: impl FnMut()) -> f64 {
    let begin = Instant::now();
    for _ in 0..times {
        work();
    }
    begin.elapsed().as_nanos() as f64 / f64::from(times)
}

/// Every solvable pair of a random start and a goal of the Western, in random order.
fn western(path: &str) -> Result<Vec<(Npc, Request)>, Box<dyn std::error::Error>> {
    let domain = Domain::from_file(path)?;
    let (planner, mut scratch) = (Planner::new(), Scratch::default());
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    let mut cases = Vec::new();
    while cases.len() < 4096 {
        for kind in domain.compiled().npcs() {
            let mut npc = Npc::of_type(&domain, kind.id()).ok_or("no such type")?;
            for &id in kind.variables() {
                random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                let name = domain.compiled().map().variable(id).to_string();
                let values = domain.compiled().map().values(id);
                let value = values[(random >> 33) as usize % values.len()].clone();
                npc.set(&name, &value)?;
            }
            for &goal in kind.goals() {
                let request = Request::goal(goal);
                let answer = planner.plan(&npc, &request, &mut scratch);
                if matches!(answer.outcome(), Outcome::Plan { .. }) {
                    cases.push((npc.clone(), request));
                }
            }
        }
    }
    Ok(cases)
}
