//! Throng beside other planning libraries, on the same problems, in one run.
//!
//! In:   the Horse Breeder of "SAS Planning as Topological Sorting", from ⟨0,0,0⟩ to ⟨2,0,2⟩, and
//!       the assault of `domains/fear/assault.npc`, written for each library in its own way; the
//!       scenarios of `domains/fear/soldier.npc`, for Throng alone.
//!       A first word, if any, is how many rounds there are.
//! Out:  nanoseconds per plan, and ratios. The rounds of all libraries alternate and the
//!       fastest round of each counts, so that a busy machine hurts all alike.
//!
//! Every answer is checked: a plan of known length and cost, valid on the domain. Wrong and fast
//! is wrong.

mod assault;
mod breeder;
mod goap;
/// The benchmarks' own, as a file: the package would bring its dependencies along.
#[path = "../../crates/lab/src/machine.rs"]
#[allow(dead_code, reason = "the load is not asked for")]
mod machine;
mod soldier;

use breeder::{Breeder, Fed, State};
use std::hint::black_box;
use std::time::Instant;
use throng::prelude::*;

/// Many short rounds rather than few long ones: some of them are not interrupted.
const ROUNDS: usize = 300;

/// How many rounds are wanted: the first word, as 1 to see that everything works.
fn rounds() -> usize {
    std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(ROUNDS)
}

type Done = Result<(), Box<dyn std::error::Error>>;

fn main() -> Done {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../domains");
    println!("{}.\n", machine::measured());
    horse_breeder(&format!("{folder}/papers"))?;
    println!();
    assault(&format!("{folder}/fear/assault.npc"))?;
    println!();
    soldier::all(&format!("{folder}/fear/soldier.npc"))
}

/// Prints a table; the first row is what the others are compared with.
fn table(rows: &[(&str, f64)]) {
    println!("| who | ns per plan | against Throng |");
    println!("|---|--:|--:|");
    for (who, ns) in rows {
        println!("| {who} | {ns:.0} | {:.1} × |", ns / rows[0].1);
    }
}

fn keep_least<const N: usize>(best: &mut [f64; N], now: [f64; N]) {
    for (least, now) in best.iter_mut().zip(now) {
        *least = least.min(now);
    }
}

/// Eighteen actions, sixteen symbols, a plan of four: what GOAP is made for.
fn assault(path: &str) -> Done {
    let domain = Domain::from_file(path)?;
    let npc = Npc::new(&domain, "Soldier")?;
    let request = Request::goal(domain.goal("KillEnemy")?).engine(throng::Engine::Regressive);
    let (planner, mut scratch) = (Planner::new(), Scratch::default());
    let mut plan = Plan::empty(&domain);
    let (start, actions, goal) = assault::goap();
    let steps = assault::Step::all();

    // The answers first: everybody's plan has four actions and costs four.
    let _ = planner.plan_into(&npc, &request, &mut scratch, &mut plan);
    let ours: Vec<String> = plan.names().map(str::to_string).collect();
    let theirs = goap::plan(&start, &actions, &goal).ok_or("dogoap finds no plan")?;
    let start_state = assault::State::START;
    let peers = planning::plan(&start_state, &steps, &assault::KillEnemy);
    let (peers, _) = peers.ok_or("planning finds none")?;
    let peers: Vec<String> = peers.iter().map(|step| step.name().to_string()).collect();
    for (who, names) in [("throng", ours), ("dogoap", theirs), ("planning", peers)] {
        assert_eq!((names.len(), assault::replay(&names)?), (4, 4), "{who}: {names:?}");
    }

    let mut best = [f64::MAX; 3];
    for _ in 0..rounds() {
        let ours = time(500, || {
            _ = black_box(planner.plan_into(black_box(&npc), &request, &mut scratch, &mut plan));
        });
        let dogoap = time(1, || {
            black_box(dogoap::prelude::make_plan(black_box(&start), &actions[..], &goal));
        });
        let planning = time(10, || {
            black_box(planning::plan(black_box(&start_state), &steps, &assault::KillEnemy));
        });
        keep_least(&mut best, [ours, planning, dogoap]);
    }
    let [ours, planning, dogoap] = best;
    table(&[
        ("Throng, goap, assault", ours),
        ("`planning` 1.0, assault", planning),
        ("`dogoap` 0.5, assault", dogoap),
    ]);
    Ok(())
}

/// Seven actions, three variables, a plan of six.
fn horse_breeder(folder: &str) -> Done {
    let domain = Domain::from_file(format!("{folder}/horse_breeder_000.npc"))?;
    let npc = Npc::new(&domain, "horse_breeder")?;
    let request = Request::goal(domain.goal("feed_horses")?);
    let forward = request.clone().engine(throng::Engine::Forward);
    let (planner, mut scratch) = (Planner::new(), Scratch::default());
    let mut plan = Plan::empty(&domain);
    let western = western(&format!("{folder}/western.npc"))?;

    let (start, actions, goal) = goap::horse_breeder();
    let peer_actions = Breeder::ALL.to_vec();

    // The answers first.
    let _ = planner.plan_into(&npc, &request, &mut scratch, &mut plan);
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
    for _ in 0..rounds() {
        let ours = time(4_000, || {
            _ = black_box(planner.plan_into(black_box(&npc), &request, &mut scratch, &mut plan));
        });
        let mut at = 0;
        let many = time(4_000, || {
            let (npc, request) = &western[at % western.len()];
            at += 7919;
            _ = black_box(planner.plan_into(black_box(npc), request, &mut scratch, &mut plan));
        });
        let plain = time(200, || {
            _ = black_box(planner.plan_into(black_box(&npc), &forward, &mut scratch, &mut plan));
        });
        let dogoap = time(20, || {
            black_box(dogoap::prelude::make_plan(black_box(&start), &actions[..], &goal));
        });
        let planning = time(100, || {
            black_box(planning::plan(black_box(&State::START), &peer_actions, &Fed));
        });
        keep_least(&mut best, [ours, many, plain, dogoap, planning]);
    }
    let [ours, many, plain, dogoap, planning] = best;
    table(&[
        ("Throng, topological, Horse Breeder", ours),
        ("Throng, topological, Western, random starts", many),
        ("Throng, forward search, Horse Breeder", plain),
        ("`planning` 1.0, Horse Breeder", planning),
        ("`dogoap` 0.5, Horse Breeder", dogoap),
    ]);
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
