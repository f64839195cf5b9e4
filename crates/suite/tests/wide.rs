//! The wide kernel against breadth-first search and against the single planner.
//!
//! All pairs of state and goal of the corpus types that it serves, and of random types: total goals,
//! declared ones, partial ones, with masks. A plan must lead to the goal, have the length of a
//! shortest one, and be the same from every kernel and in every form; "impossible" must be true.
//! `THRONG_LONG=1` asks more than ten million pairs of random types.

#[path = "wide/any_type.rs"]
mod any_type;
#[path = "wide/explorer.rs"]
mod explorer;
#[path = "wide/kernels.rs"]
mod kernels;

use any_type::any_type;
use explorer::{Explorer, FAR};
use kernels::{Crowd, agree};
use std::fmt;
use throng_domain::compile::{CompiledDomain, LocalFact, LocalVariable, NpcType};
use throng_planner::topological::wide::{Lane, Wide, WideScratch};
use throng_suite::corpus;
use throng_suite::random::Dice;

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
fn any_goal(npc: &NpcType, dice: &mut Dice) -> Vec<LocalFact> {
    let n = npc.variables().len();
    let count = if dice.percent(40) { n } else { dice.within(1, n) };
    let variables = dice.some_of(n, count).into_iter().map(|at| LocalVariable(at as u32));
    let fact = |variable| LocalFact { variable, value: dice.below(npc.n_values(variable)) as u16 };
    variables.map(fact).collect()
}

fn ask_type(
    name: &str,
    npc: &NpcType,
    n_goals: usize,
    dice: &mut Dice,
    scratch: &mut WideScratch,
    seen: &mut Seen,
) {
    let wide = match Wide::new(npc) {
        Ok(wide) => wide,
        Err(_) => return seen.refused += 1,
    };
    let Some(mut explorer) = Explorer::new(npc, 5_000) else { return seen.refused += 1 };
    seen.types += 1;
    let all = (1u64 << npc.n_actions()) - 1;
    let mut goals: Vec<Vec<LocalFact>> =
        npc.goals().iter().filter_map(|&goal| npc.wants(goal)).map(|w| w.0.to_vec()).collect();
    goals.extend((0..n_goals).map(|_| any_goal(npc, dice)));
    ask(name, &wide, &mut explorer, &goals, all, seen);
    let mut enabled = all;
    (0..dice.within(1, 3)).for_each(|_| enabled &= !(1 << dice.below(npc.n_actions())));
    ask(name, &wide, &mut explorer, &goals, enabled, seen);
    let compiled: Vec<_> = goals.iter().map(|goal| wide.goal(goal).unwrap()).collect();
    for n_goals in [goals.len(), dice.within(1, goals.len())] {
        let n = *dice.pick(&[1, 63, 300, 1024, 1500, 2048]);
        let crowd = Crowd::new(npc, n, n_goals, dice);
        agree(name, npc, &wide, &compiled[..n_goals], &crowd, scratch);
    }
}

fn corpus_domains() -> Vec<(String, CompiledDomain)> {
    let mut domains = Vec::new();
    for folder in ["papers", "classes", "beyond", "stress", "fear", "strategy"] {
        for path in corpus::files(folder, "npc").unwrap() {
            let model = corpus::read(&path).unwrap().model.unwrap();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            domains.push((name, CompiledDomain::new(&model)));
        }
    }
    domains
}

#[test]
fn corpus_types_plan_as_search_does() {
    let (mut dice, mut seen) = (Dice::new(1), Seen::default());
    let mut scratch = WideScratch::default();
    for (name, domain) in corpus_domains() {
        for npc in domain.npcs() {
            let before = seen;
            let name = format!("{name}.{}", domain.map().npc(npc.id()));
            ask_type(&name, npc, 100, &mut dice, &mut scratch, &mut seen);
            let word = Wide::new(npc).map(|wide| (wide.word().len(), wide.n_unfinished()));
            println!(
                "{name}: {:?}; {} plans, {} impossible, {} unknown, {} solvable",
                word.map_err(|refused| refused.to_string()),
                seen.plans - before.plans,
                seen.impossible - before.impossible,
                seen.unknown - before.unknown,
                seen.unknown_solvable - before.unknown_solvable
            );
        }
    }
    println!("{seen}");
}

#[test]
fn random_types_plan_as_search_does() {
    let n_types = if std::env::var_os("THRONG_LONG").is_some() { 10_000 } else { 400 };
    let mut seen = Seen::default();
    let mut scratch = WideScratch::default();
    for seed in 0..n_types {
        let mut dice = Dice::new(seed);
        let domain = any_type(&mut dice, 300);
        ask_type(
            &format!("seed {seed}"),
            &domain.npcs()[0],
            20,
            &mut dice,
            &mut scratch,
            &mut seen,
        );
    }
    println!("{seen}");
}
