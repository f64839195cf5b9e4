//! The search from what holds now, and both in turns, beside the oracle.

use super::seeds;
use crate::budget::{Limit, SearchBudget};
use crate::counting::oracle::{Truth, price, truth};
use crate::counting::random::{anything, recipes};
use crate::counting::samples::{sample, samples};
use crate::counting::{Counting, CountingForward, CountingFound, CountingTask, Direction};
use std::cell::Cell;

const STATES: usize = 30_000;

/// An engine in one of its ways.
struct Engine {
    name: &'static str,
    begin: fn(&mut Scratch, &CountingTask),
    is_turns: bool,
}

#[derive(Default)]
struct Scratch {
    forward: CountingForward,
    turns: Counting,
}

const ENGINES: [Engine; 8] = [
    Engine { name: "blind", begin: |s, task| s.forward.begin_blind(task), is_turns: false },
    Engine { name: "haste", begin: |s, task| s.forward.begin(task), is_turns: false },
    Engine { name: "guided", begin: |s, task| s.forward.begin_guided(task), is_turns: false },
    Engine { name: "turns", begin: |s, task| s.turns.begin(task, None), is_turns: true },
    Engine {
        name: "alone",
        begin: |s, task| s.turns.begin(task, Some(Direction::Backward)),
        is_turns: true,
    },
    Engine { name: "fast", begin: |s, task| s.forward.begin_fast(task), is_turns: false },
    Engine { name: "greedy", begin: |s, task| s.forward.begin_greedy(task), is_turns: false },
    Engine { name: "both", begin: |s, task| s.turns.begin_fast(task, None), is_turns: true },
];

impl Engine {
    fn run(
        &self,
        scratch: &mut Scratch,
        task: &CountingTask,
        budget: &SearchBudget<'_>,
        plan: &mut Vec<u32>,
    ) -> CountingFound {
        match self.is_turns {
            true => scratch.turns.run(task, budget, plan),
            false => scratch.forward.run(task, budget, plan),
        }
    }

    fn nodes(&self, scratch: &Scratch) -> u64 {
        if self.is_turns { scratch.turns.nodes() } else { scratch.forward.nodes() }
    }

    fn bytes(&self, scratch: &Scratch) -> usize {
        if self.is_turns { scratch.turns.bytes() } else { scratch.forward.bytes() }
    }
}

fn budget(nodes: u64) -> SearchBudget<'static> {
    SearchBudget { nodes, ..SearchBudget::DEFAULT }
}

fn tasks(seed: u64) -> [(String, CountingTask); 2] {
    [(format!("anything {seed}"), anything(seed)), (format!("recipes {seed}"), recipes(seed))]
}

/// Whether an answer is the truth.
fn judge(task: &CountingTask, found: CountingFound, plan: &[u32], truth: Truth, about: &str) {
    match truth {
        Truth::Cost(cost) => {
            assert_eq!(found, CountingFound::Plan, "{about}");
            assert_eq!(price(task, plan), Some(cost), "{about}: {plan:?}\n{task:?}");
        }
        Truth::Impossible => assert_eq!(found, CountingFound::Impossible, "{about}\n{task:?}"),
        Truth::TooLarge => {}
    }
}

#[test]
fn every_way_to_search_agrees_with_the_oracle() {
    let (mut scratch, mut plan) = (Scratch::default(), Vec::new());
    let mut n_answers = 0;
    for seed in 0..seeds(3_000) {
        for (about, task) in tasks(seed) {
            let truth = truth(&task, STATES);
            if truth == Truth::TooLarge {
                continue;
            }
            for engine in &ENGINES[..4] {
                (engine.begin)(&mut scratch, &task);
                let found = engine.run(&mut scratch, &task, &budget(1_000_000), &mut plan);
                judge(&task, found, &plan, truth, &format!("{about} {}", engine.name));
                n_answers += 1;
            }
        }
    }
    assert!(n_answers > 20_000, "{n_answers}");
}

#[test]
fn greedy_finds_a_plan_where_there_is_one() {
    let (mut scratch, mut plan) = (Scratch::default(), Vec::new());
    for seed in 0..seeds(3_000) {
        for (about, task) in tasks(seed) {
            let truth = truth(&task, STATES);
            for engine in &ENGINES[5..] {
                (engine.begin)(&mut scratch, &task);
                let found = engine.run(&mut scratch, &task, &budget(1_000_000), &mut plan);
                let about = format!("{about} {}", engine.name);
                match truth {
                    Truth::Cost(cost) => {
                        assert_eq!(found, CountingFound::Plan, "{about}");
                        assert!(price(&task, &plan).is_some_and(|own| own >= cost), "{about}");
                    }
                    Truth::Impossible => assert_eq!(found, CountingFound::Impossible, "{about}"),
                    Truth::TooLarge => {}
                }
            }
        }
    }
}

/// Runs on in small pieces, of which some are stopped by the caller.
fn in_pieces(
    engine: &Engine,
    scratch: &mut Scratch,
    task: &CountingTask,
    piece: u64,
    plan: &mut Vec<u32>,
) -> CountingFound {
    (engine.begin)(scratch, task);
    let mut n_calls = 0;
    loop {
        let asked = Cell::new(0);
        let stop = || asked.replace(asked.get() + 1) >= 1;
        n_calls += 1;
        let is_stopped = n_calls % 3 == 0;
        let nodes = if is_stopped { u64::MAX } else { piece };
        let stop = is_stopped.then_some(&stop as &dyn Fn() -> bool);
        let found = engine.run(scratch, task, &SearchBudget { nodes, stop, ..budget(0) }, plan);
        match found {
            CountingFound::Limit(Limit::Nodes | Limit::Stopped) => {}
            _ => return found,
        }
        assert!(n_calls < 1_000_000, "no end");
    }
}

#[test]
fn pieces_come_to_the_same_answer_and_count_as_one_go() {
    let (mut scratch, mut plan, mut again) = (Scratch::default(), Vec::new(), Vec::new());
    let mut n_long = 0;
    for seed in 0..600 {
        for (about, task) in tasks(seed) {
            for engine in &ENGINES {
                (engine.begin)(&mut scratch, &task);
                let found = engine.run(&mut scratch, &task, &budget(20_000), &mut plan);
                if matches!(found, CountingFound::Limit(_)) {
                    continue;
                }
                let nodes = engine.nodes(&scratch);
                n_long += u32::from(nodes > 200);
                let pieces: &[u64] = if nodes > 2_000 { &[97] } else { &[1, 7, 64] };
                for &piece in pieces {
                    let other = in_pieces(engine, &mut scratch, &task, piece, &mut again);
                    let about = format!("{about} {} by {piece}", engine.name);
                    assert_eq!((other, &again), (found, &plan), "{about}");
                    assert_eq!(engine.nodes(&scratch), nodes, "{about}");
                }
            }
        }
    }
    assert!(n_long > 100, "{n_long}");
}

#[test]
fn memory_is_a_limit_after_which_it_goes_on() {
    let (mut scratch, mut plan) = (Scratch::default(), Vec::new());
    for engine in &ENGINES[..3] {
        for name in ["colony", "economy"] {
            let task = sample(name);
            (engine.begin)(&mut scratch, &task);
            let small = SearchBudget { bytes: 20_000, ..budget(u64::MAX) };
            let found = engine.run(&mut scratch, &task, &small, &mut plan);
            assert_eq!(found, CountingFound::Limit(Limit::Memory), "{name}");
            assert!(engine.bytes(&scratch) < 60_000 && plan.is_empty());
            let found = engine.run(&mut scratch, &task, &budget(u64::MAX), &mut plan);
            assert_eq!(found, CountingFound::Plan, "{name}");
        }
    }
}

/// In turns one is given up where memory ends, and the other one may answer.
#[test]
fn turns_use_the_memory_that_there_is() {
    let (mut turns, mut plan) = (Counting::default(), Vec::new());
    let task = sample("economy");
    turns.begin(&task, None);
    turns.run(&task, &SearchBudget::DEFAULT, &mut plan);
    let (cost, all) = (price(&task, &plan), turns.bytes());
    let mut n_given_up = 0;
    for part in 1..20 {
        let bytes = all * part / 20;
        turns.begin(&task, None);
        let found = turns.run(&task, &SearchBudget { bytes, ..budget(u64::MAX) }, &mut plan);
        let given_up = turns.given_up();
        n_given_up += u32::from(given_up > 0);
        match found {
            CountingFound::Plan => assert_eq!(price(&task, &plan), cost),
            _ => assert_eq!(found, CountingFound::Limit(Limit::Memory)),
        }
        let found = turns.run(&task, &SearchBudget::DEFAULT, &mut plan);
        assert_eq!((found, price(&task, &plan)), (CountingFound::Plan, cost), "{part}");
    }
    assert!(n_given_up > 5, "{n_given_up}");
}

#[test]
fn the_samples_cost_what_is_said() {
    let (mut scratch, mut plan) = (Scratch::default(), Vec::new());
    for sample in samples() {
        let task = sample.task();
        for engine in &ENGINES[1..4] {
            // Without going back, the forest of wares has no end there.
            if sample.name == "craft_no" && !engine.is_turns {
                continue;
            }
            (engine.begin)(&mut scratch, &task);
            let found = engine.run(&mut scratch, &task, &budget(1_000_000), &mut plan);
            let about = format!("{} {}", sample.name, engine.name);
            let truth = sample.cost.map_or(Truth::Impossible, Truth::Cost);
            judge(&task, found, &plan, truth, &about);
        }
    }
}
