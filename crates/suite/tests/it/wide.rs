//! The wide kernel against breadth-first search and against the single planner.
//!
//! All pairs of state and goal of the corpus types that it serves, and of random types: total goals,
//! declared ones, partial ones, with masks. A plan must lead to the goal, have the length of a
//! shortest one, and be the same from every kernel and in every form; "impossible" must be true.
//! `THRONG_LONG=1` asks more than ten million pairs of random types.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may panic, and say what was tried"
)]

mod any_type;
mod explorer;
mod kernels;
mod single;

use any_type::any_type;
use explorer::{Explorer, FAR};
use kernels::{Crowd, agree};
use single::Single;
use std::fmt;
use throng_base::SplitMix;
use throng_domain::compile::{LocalFact, LocalVariable, NpcTables};
use throng_lab::corpus;
use throng_planner::PreparedDomain;
use throng_planner::topological::wide::{
    Lane, LaneActions, LaneGoals, LanePlans, LaneStates, Lanes, LanesError, Wide, WideError,
    WideScratch,
};

/// What came of many questions.
#[derive(Clone, Copy, Default, Debug)]
struct Seen {
    types: u64,
    refused: u64,
    plans: u64,
    impossible: u64,
    unknown: u64,
    unknown_solvable: u64,
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs = self.plans + self.impossible + self.unknown;
        write!(
            f,
            "{} types served, {} refused; {pairs} pairs: {} plans, {} impossible, {} unknown, of which {} solvable",
            self.types,
            self.refused,
            self.plans,
            self.impossible,
            self.unknown,
            self.unknown_solvable
        )
    }
}

/// Asks from every state for these goals.
fn ask(
    name: &str,
    wide: &Wide,
    explorer: &mut Explorer,
    goals: &[Vec<LocalFact>],
    enabled: u64,
    seen: &mut Seen,
) {
    let ends: Vec<Vec<u32>> = goals.iter().map(|goal| explorer.where_holds(goal)).collect();
    let compiled: Vec<_> = goals.iter().map(|goal| wide.goal(goal).unwrap()).collect();
    let mut distances = Vec::new();
    for start in 0..explorer.states.len() {
        explorer.distances(start, enabled, &mut distances);
        for (at, goal) in compiled.iter().enumerate() {
            let shortest = ends[at].iter().map(|&end| distances[end as usize]).min().unwrap_or(FAR);
            let lane = wide.plan_one(explorer.words[start], goal, enabled);
            let asked = || format!("{name} from {:?} to {:?}", explorer.states[start], goals[at]);
            match lane {
                Lane::Plan(mask) => {
                    let end = explorer.walk(start, enabled, wide.decode(mask));
                    let (end, length) = end.unwrap_or_else(|| panic!("no plan: {}", asked()));
                    assert!(ends[at].contains(&(end as u32)), "not the goal: {}", asked());
                    assert_eq!(length, shortest, "{}", asked());
                    seen.plans += 1;
                }
                Lane::Impossible => {
                    assert_eq!(shortest, FAR, "not impossible: {}", asked());
                    seen.impossible += 1;
                }
                Lane::Unknown => {
                    seen.unknown += 1;
                    seen.unknown_solvable += u64::from(shortest != FAR);
                }
            }
        }
    }
}

/// A goal on some variables or on all.
fn any_goal(npc: &NpcTables, dice: &mut SplitMix) -> Vec<LocalFact> {
    let n = npc.variables().len();
    let count = if dice.percent(40) { n } else { dice.within(1, n) };
    let variables = dice.some_of(n, count).into_iter().map(|at| LocalVariable(at as u32));
    let fact = |variable| LocalFact { variable, value: dice.below(npc.n_values(variable)) as u16 };
    variables.map(fact).collect()
}

fn declared_goals(npc: &NpcTables) -> Vec<Vec<LocalFact>> {
    npc.goals().iter().filter_map(|&goal| npc.wants(goal)).map(|w| w.0.to_vec()).collect()
}

/// Every state as a goal.
fn total_goals(explorer: &Explorer) -> impl Iterator<Item = Vec<LocalFact>> + '_ {
    explorer.states.iter().map(|state| {
        let fact = |(at, &value)| LocalFact { variable: LocalVariable(at as u32), value };
        state.iter().enumerate().map(fact).collect()
    })
}

/// Asks about a type: all of it if `all`, else some goals; with all actions and with some.
fn ask_type(
    name: &str,
    npc: &NpcTables,
    all: bool,
    dice: &mut SplitMix,
    scratch: &mut WideScratch,
    seen: &mut Seen,
) {
    let wide = match Wide::new(npc) {
        Ok(wide) => wide,
        Err(_) => return seen.refused += 1,
    };
    let mut explorer = Explorer::new(npc, 5_000).expect("few states");
    seen.types += 1;
    let mut goals = declared_goals(npc);
    goals.extend((0..if all { 100 } else { 20 }).map(|_| any_goal(npc, dice)));
    if all {
        goals.extend(total_goals(&explorer));
    }
    let there = (1u64 << npc.n_actions()) - 1;
    ask(name, &wide, &mut explorer, &goals, there, seen);
    let mut some = there;
    (0..dice.within(1, 3)).for_each(|_| some &= !(1 << dice.below(npc.n_actions())));
    ask(name, &wide, &mut explorer, &goals, some, seen);
    let compiled: Vec<_> = goals.iter().map(|goal| wide.goal(goal).unwrap()).collect();
    for n_goals in [goals.len(), dice.within(1, goals.len())] {
        let n = *dice.pick(&[1, 63, 300, 1024, 1500, 2048]);
        let crowd = Crowd::new(npc, n, n_goals, dice);
        agree(name, npc, &wide, &compiled[..n_goals], &crowd, scratch);
    }
}

/// The domains of the corpus, by name.
fn corpus_domains() -> Vec<(String, PreparedDomain)> {
    let mut domains = Vec::new();
    for folder in ["papers", "classes", "beyond", "stress", "fear", "strategy"] {
        for path in corpus::files(folder, "npc").unwrap() {
            let model = corpus::read(&path).unwrap().model.unwrap();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            domains.push((name, PreparedDomain::new(&model)));
        }
    }
    domains
}

#[test]
fn corpus_types_plan_as_search_does() {
    let (mut dice, mut seen) = (SplitMix::new(1), Seen::default());
    let mut scratch = WideScratch::default();
    for (name, domain) in corpus_domains() {
        for npc in domain.npcs() {
            let before = seen;
            let name = format!("{name}.{}", domain.map().npc(npc.id()));
            ask_type(&name, npc, true, &mut dice, &mut scratch, &mut seen);
            match Wide::new(npc) {
                Ok(wide) => println!(
                    "{name}: {} positions, {} unfinished; {} plans, {} unknown, {} of them solvable",
                    wide.word().len(),
                    wide.n_unfinished(),
                    seen.plans - before.plans,
                    seen.unknown - before.unknown,
                    seen.unknown_solvable - before.unknown_solvable
                ),
                Err(refused) => println!("{name}: {refused}"),
            }
        }
    }
    println!("{seen}");
    // The cook of the stove changes two variables at once: the kernel refuses it, as it must.
    assert!(seen.types >= 60 && seen.refused <= 33, "{seen}");
    assert!(seen.unknown * 10 < seen.plans, "the exact planner is left with too much: {seen}");
}

#[test]
fn random_types_plan_as_search_does() {
    let n_types = if std::env::var_os("THRONG_LONG").is_some() { 10_000 } else { 400 };
    let mut seen = Seen::default();
    let mut scratch = WideScratch::default();
    for seed in 0..n_types {
        let mut dice = SplitMix::new(seed);
        let domain = any_type(&mut dice, 300);
        let name = format!("seed {seed}");
        ask_type(&name, &domain.npcs()[0], false, &mut dice, &mut scratch, &mut seen);
    }
    println!("{seen}");
    assert!(seen.unknown_solvable * 50 < seen.plans, "too many plans are not found: {seen}");
}

#[test]
fn plans_cost_what_the_single_planner_says() {
    let mut single = Single::default();
    let (mut dice, mut asked) = (SplitMix::new(3), 0);
    for (name, domain) in corpus_domains() {
        for npc in domain.npcs() {
            let (Ok(wide), Some(explorer)) = (Wide::new(npc), Explorer::new(npc, 700)) else {
                continue;
            };
            let mut goals = declared_goals(npc);
            goals.extend((0..20).map(|_| any_goal(npc, &mut dice)));
            for goal in &goals {
                let compiled = wide.goal(goal).unwrap();
                for (at, state) in explorer.states.iter().enumerate() {
                    let forbidden = dice.percent(50).then(|| dice.below(npc.n_actions()));
                    let problem = single.problem(&domain, npc, state, goal, forbidden);
                    let there = problem.enabled().word();
                    let lane = wide.plan_one(explorer.words[at], &compiled, there);
                    let plan = match lane {
                        Lane::Plan(mask) => Some(wide.decode(mask).collect()),
                        Lane::Impossible => None,
                        Lane::Unknown => continue,
                    };
                    single.check(&name, &domain, &problem, plan);
                    asked += 1;
                }
            }
        }
    }
    println!("{asked} problems");
    assert!(asked > 30_000);
}

#[test]
fn the_same_type_gets_the_same_word() {
    for (name, domain) in corpus_domains() {
        for npc in domain.npcs() {
            let words = [Wide::new(npc), Wide::new(npc)].map(|w| w.map(|w| w.word().to_vec()));
            assert_eq!(words[0], words[1], "{name}");
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let path = corpus::folder().join("papers/western.npc");
    let domain = PreparedDomain::new(&corpus::read(&path).unwrap().model.unwrap());
    let [first, second, ..] = domain.npcs() else { panic!("seven types") };
    let (wide, other) = (Wide::new(first).unwrap(), Wide::new(second).unwrap());
    let fact = |value| LocalFact { variable: LocalVariable(0), value };
    assert_eq!(wide.goal(&[fact(9)]).err(), Some(WideError::Goal { fact: fact(9) }));
    assert_eq!(wide.goal(&[fact(0), fact(1)]).err(), Some(WideError::Goal { fact: fact(1) }));
    let goal = wide.goal(&[fact(0), fact(0)]).unwrap();
    assert_eq!(other.plan_one(0, &goal, u64::MAX), Lane::Unknown);
    let mut scratch = WideScratch::default();
    let mut ask = |wide: &Wide, columns: &[&[u8]], masks: &[u64]| {
        let (states, goals) = (LaneStates::Columns(columns), LaneGoals::Same(&goal));
        let lanes = Lanes { states, goals, enabled: LaneActions::Each(masks) };
        wide.plan_many(&lanes, LanePlans::Masks32(&mut [0; 2]), &mut scratch)
    };
    assert_eq!(ask(&other, &[], &[0; 2]), Err(LanesError::Columns));
    let columns: [&[u8]; 3] = [&[0, 1], &[1, 1], &[0, 2]];
    assert_eq!(ask(&wide, &columns, &[0; 1]), Err(LanesError::Lengths));
    assert_eq!(ask(&wide, &[&[0], &[1, 1], &[0, 2]], &[0; 2]), Err(LanesError::Lengths));
    assert!(ask(&wide, &columns, &[0; 2]).is_ok());
    assert_eq!(other.goals(std::slice::from_ref(&goal)).err(), Some(LanesError::Goals));
}
