//! Throng beside other planning libraries, on the same problems, in one run.
//!
//! In:   the Horse Breeder of "SAS Planning as Topological Sorting", from ⟨0,0,0⟩ to ⟨2,0,2⟩, and
//!       the assault of `domains/fear/assault.npc`, written for each library in its own way; the
//!       scenarios of `domains/fear/soldier.npc`, for Throng alone. Where `THRONG_GPGOAP` named a
//!       folder when this was built, GPGOAP too.
//!       A first word, if any, is how many rounds there are; in few of them no bar is judged.
//! Out:  nanoseconds per plan, ratios, bars; exit 1 if an answer is wrong or a bar is missed. The
//!       rounds of all libraries alternate and the fastest turn of each counts, so that a busy
//!       machine hurts all alike.
//!
//! Every answer is checked: a plan of known length and cost, valid on the domain. Wrong and fast
//! is wrong.

mod assault;
mod breeder;
/// The benchmarks' own, as files: the package would bring its dependencies along.
#[path = "../../crates/lab/src/clock.rs"]
#[allow(dead_code, unreachable_pub, reason = "a file of another package")]
mod clock;
#[path = "../../crates/lab/src/figures.rs"]
#[allow(unreachable_pub, reason = "a file of another package")]
mod figures;
mod goap;
mod gpgoap;
#[path = "../../crates/lab/src/machine.rs"]
mod machine;
mod race;
mod soldier;

use breeder::{Breeder, Fed, State};
use gpgoap::Gpgoap;
use race::{Bar, Limit, Time, Turn, judge, race};
use std::hint::black_box;
use std::process::ExitCode;
use throng::prelude::*;
use throng_planner::topological::small::{self, SmallProblem};

/// Many short rounds rather than few long ones: some of them are not interrupted.
const ROUNDS: usize = 300;
/// In fewer rounds bars say nothing.
const ROUNDS_TO_JUDGE: usize = 50;

/// A call beside its kernel, which writes the same plan from a state that is packed already.
const MOST_OF_KERNEL: f64 = 1.15;
/// The Horse Breeder beside `planning` and beside GPGOAP.
const BREEDER_TIMES: [f64; 2] = [25.8, 10.0];
/// The assault beside `planning`.
const ASSAULT_TIMES: f64 = 120.0;
/// The mean of the soldier took 222 ns where `planning` took 1,542 for the Horse Breeder; now it is
/// to take at most 0.8 of that, and machines are told apart by the same plan of `planning`.
const SOLDIER_TIMES: f64 = 8.68;

type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let rounds = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(ROUNDS);
    match run(rounds) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            eprintln!("a bar is missed");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all bars are held.
fn run(rounds: usize) -> Result<bool, Failure> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../domains");
    println!("{}; {rounds} rounds.\n", machine::measured_under_load());
    if !cfg!(gpgoap) {
        println!(
            "GPGOAP is not there (`THRONG_GPGOAP` names no folder), so nothing is compared with it.\n"
        );
    }
    let breeder = horse_breeder(&format!("{folder}/papers"), rounds)?;
    println!();
    let assault = assault(&format!("{folder}/fear/assault.npc"), rounds)?;
    println!();
    let soldier = soldier::all(&format!("{folder}/fear/soldier.npc"), rounds)?;
    println!();
    if rounds < ROUNDS_TO_JUDGE {
        println!("In so few rounds no bar is judged.");
        return Ok(true);
    }
    let bar = |what, ours, theirs, limit| Bar { what, ours, theirs, limit };
    let at_least = |what, ours, theirs, times| bar(what, ours, theirs, Limit::AtLeast(times));
    let [whole, kernel] = [&breeder.ours, &breeder.kernel];
    let mut bars = vec![
        bar("Horse Breeder, the whole call", whole, kernel, Limit::AtMost(MOST_OF_KERNEL)),
        at_least("Horse Breeder", whole, &breeder.planning, BREEDER_TIMES[0]),
        at_least("assault", &assault.ours, &assault.planning, ASSAULT_TIMES),
        at_least("soldier, mean", &soldier, &breeder.planning, SOLDIER_TIMES),
    ];
    if let Some(gpgoap) = &breeder.gpgoap {
        let what = "Horse Breeder beside GPGOAP";
        bars.insert(2, at_least(what, whole, gpgoap, BREEDER_TIMES[1]));
    }
    Ok(judge(&bars, rounds)?)
}

/// What the bars compare.
struct Compared {
    ours: Time,
    /// The kernel alone, where that is told apart.
    kernel: Time,
    planning: Time,
    gpgoap: Option<Time>,
}

/// Prints a table; the first row is what the others are compared with.
fn table(rows: &[Time]) {
    println!("| who | ns per plan | median | against Throng |");
    println!("|---|--:|--:|--:|");
    for Time { name, least, median } in rows {
        println!("| {name} | {least:.1} | {median:.1} | {:.1} × |", least / rows[0].least);
    }
}

/// Eighteen actions, sixteen symbols, a plan of four: what GOAP is made for.
fn assault(path: &str, rounds: usize) -> Result<Compared, Failure> {
    let domain = Domain::from_file(path)?;
    let npc = Npc::new(&domain, "Soldier")?;
    let request = Request::goal(domain.goal("KillEnemy")?).engine(throng::Engine::Regressive);
    let (planner, mut scratch) = (Planner::new(), Scratch::default());
    let mut plan = Plan::empty(&domain);
    let (start, actions, goal) = assault::goap();
    let steps = assault::Step::all();
    let mut gpgoap = Gpgoap::new(&assault::gpgoap());

    // The answers first: everybody's plan has four actions and costs four.
    let _ = planner.plan_into(&npc, &request, &mut scratch, &mut plan);
    let ours: Vec<String> = plan.names().map(str::to_string).collect();
    let theirs = goap::plan(&start, &actions, &goal).ok_or("dogoap finds no plan")?;
    let start_state = assault::State::START;
    let peers = planning::plan(&start_state, &steps, &assault::KillEnemy);
    let (peers, _) = peers.ok_or("planning finds none")?;
    let peers: Vec<String> = peers.iter().map(|step| step.name().to_string()).collect();
    let mut answers = vec![("throng", ours), ("dogoap", theirs), ("planning", peers)];
    if let Some(gpgoap) = &mut gpgoap {
        answers.push(("gpgoap", gpgoap.names().ok_or("gpgoap finds no plan")?));
    }
    for (who, names) in answers {
        let (length, cost) = (names.len(), assault::replay(&names)?);
        if (length, cost) != (4, 4) {
            return Err(format!("{who}: {length} actions that cost {cost}: {names:?}").into());
        }
    }

    let mut turns = vec![
        Turn::new("Throng, goap, assault", 500, || {
            _ = black_box(planner.plan_into(black_box(&npc), &request, &mut scratch, &mut plan));
        }),
        Turn::new("`planning` 1.0, assault", 10, || {
            black_box(planning::plan(black_box(&start_state), &steps, &assault::KillEnemy));
        }),
        Turn::new("`dogoap` 0.5, assault", 1, || {
            black_box(dogoap::prelude::make_plan(black_box(&start), &actions[..], &goal));
        }),
    ];
    if let Some(gpgoap) = &mut gpgoap {
        turns.push(Turn::new("GPGOAP, assault", 10, || _ = black_box(gpgoap.plan())));
    }
    let times = race(rounds, turns);
    table(&times);
    let [ours, planning] = [0, 1].map(|at| times[at].clone());
    Ok(Compared { kernel: ours.clone(), ours, planning, gpgoap: times.get(3).cloned() })
}

/// Seven actions, three variables, a plan of six.
fn horse_breeder(folder: &str, rounds: usize) -> Result<Compared, Failure> {
    let domain = Domain::from_file(format!("{folder}/horse_breeder_000.npc"))?;
    let npc = Npc::new(&domain, "horse_breeder")?;
    let request = Request::goal(domain.goal("feed_horses")?);
    let forward = request.clone().engine(throng::Engine::Forward);
    let planner = Planner::new();
    // Whoever takes turns has buffers of its own.
    let [mut scratch, mut of_many, mut of_forward] = [(); 3].map(|()| Scratch::default());
    let [mut plan, mut plan_of_many, mut plan_of_forward] = [(); 3].map(|()| Plan::empty(&domain));
    let western = western(&format!("{folder}/western.npc"))?;

    let (start, actions, goal) = goap::horse_breeder();
    let peer_actions = Breeder::ALL.to_vec();
    let mut gpgoap = Gpgoap::new(&gpgoap::horse_breeder());

    // The kernel: the same question as it stands in the tables of the type, by local numbers.
    let compiled = domain.compiled();
    let (kind, problem) = (compiled.npc(npc.type_id()), npc.problem(&[]));
    let tables = compiled.tables(kind.id()).small_moves.as_ref().ok_or("the type is not small")?;
    let (facts, ..) = kind.wants(kind.goals()[0]).ok_or("the type wants nothing")?;
    let kernel = SmallProblem::new(kind, tables, problem.start(), facts);
    let mut steps = Vec::new();

    // The answers first.
    let _ = planner.plan_into(&npc, &request, &mut scratch, &mut plan);
    let ours: Vec<String> = plan.names().map(str::to_string).collect();
    let names = goap::plan(&start, &actions, &goal).ok_or("dogoap finds no plan")?;
    let (found, _) =
        planning::plan(&State::START, &peer_actions, &Fed).ok_or("planning finds none")?;
    let found: Vec<String> = found.iter().map(|step| step.name().to_string()).collect();
    small::plan(&kernel, |action, _| action, &mut steps).ok_or("the kernel finds none")?;
    let same =
        steps.iter().map(|step| kind.actions()[step.index()]).eq(plan.actions().iter().copied());
    if !same {
        return Err("the kernel finds another plan".into());
    }
    let mut answers = vec![("throng", ours), ("dogoap", names), ("planning", found)];
    if let Some(gpgoap) = &mut gpgoap {
        answers.push(("gpgoap", gpgoap.names().ok_or("gpgoap finds no plan")?));
    }
    for (who, names) in answers {
        breeder::replay(&names)?;
        if names.len() != 6 {
            return Err(format!("{who}: not six actions: {names:?}").into());
        }
    }

    let mut at = 0;
    let mut turns = vec![
        Turn::new("Throng, topological, Horse Breeder", 4_000, || {
            _ = black_box(planner.plan_into(black_box(&npc), &request, &mut scratch, &mut plan));
        }),
        Turn::new("its kernel alone", 4_000, || {
            _ = black_box(small::plan(black_box(&kernel), |action, _| action, &mut steps));
        }),
        Turn::new("Throng, topological, Western, random starts", 4_000, || {
            let (npc, request) = &western[at % western.len()];
            at += 7919;
            let (scratch, plan) = (&mut of_many, &mut plan_of_many);
            _ = black_box(planner.plan_into(black_box(npc), request, scratch, plan));
        }),
        Turn::new("Throng, forward search, Horse Breeder", 200, || {
            let (scratch, plan) = (&mut of_forward, &mut plan_of_forward);
            _ = black_box(planner.plan_into(black_box(&npc), &forward, scratch, plan));
        }),
        Turn::new("`planning` 1.0, Horse Breeder", 100, || {
            black_box(planning::plan(black_box(&State::START), &peer_actions, &Fed));
        }),
        Turn::new("`dogoap` 0.5, Horse Breeder", 20, || {
            black_box(dogoap::prelude::make_plan(black_box(&start), &actions[..], &goal));
        }),
    ];
    if let Some(gpgoap) = &mut gpgoap {
        turns.push(Turn::new("GPGOAP, Horse Breeder", 200, || _ = black_box(gpgoap.plan())));
    }
    let times = race(rounds, turns);
    table(&times);
    let [ours, kernel, planning] = [0, 1, 4].map(|at| times[at].clone());
    Ok(Compared { ours, kernel, planning, gpgoap: times.get(6).cloned() })
}

/// Every solvable pair of a random start and a goal of the Western, in random order.
fn western(path: &str) -> Result<Vec<(Npc, Request)>, Failure> {
    let domain = Domain::from_file(path)?;
    let (planner, mut scratch) = (Planner::new(), Scratch::default());
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    let mut cases = Vec::new();
    while cases.len() < 4096 {
        for kind in domain.compiled().npcs() {
            let mut npc = Npc::of_type(&domain, kind.id()).ok_or("no such type")?;
            for &id in kind.variables() {
                random =
                    random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
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
