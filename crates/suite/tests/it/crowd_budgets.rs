//! A frame does no more than its budget says, and what it leaves is done in the end.
//!
//! In:   crowds of types with short and with very long searches, with every source of plans, and
//!       random budgets.
//! Out:  in no call are more NPCs served or more nodes counted than allowed, by not a single one;
//!       nodes are counted where they are spent, so the sum is what the work took. Every search
//!       ends, in no fewer frames than its nodes need, and with the answer of the single planner.
//! Cost: some seconds.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may panic, and say what was tried"
)]

use std::sync::Arc;
use throng::crowd::{
    Crowd, CrowdSettings, FrameBudget, FrameReport, GroupId, NpcHandle, Pool, Status, TablePolicy,
};
use throng::prelude::*;
use throng_base::SplitMix;
use throng_domain::compile::{LocalFact, LocalVariable, NpcTables, PackedValue};
use throng_lab::corpus;

const FILES: [&str; 9] = [
    "fear/soldier.npc",
    "fear/assassin.npc",
    "strategy/base.npc",
    "stress/threesat_satisfiable.npc",
    "stress/multiprv_3_5.npc",
    "stress/gray_4.npc",
    "papers/town.npc",
    "numbers/bench/sims.npc",
    "numbers/bench/economy.npc",
];

fn settings() -> [CrowdSettings; 3] {
    // A table may fail, but not for long.
    let small = CrowdSettings { table_states: 3_000, first_try: 16, ..CrowdSettings::default() };
    let tables = CrowdSettings { remembered: 512, most_nodes: 4_000, ..small };
    let wide = CrowdSettings { tables: TablePolicy::Never, ..tables };
    // One search after the other, and nothing remembered.
    let searched = CrowdSettings { list_entries: 0, wide: false, ..wide };
    let alone = CrowdSettings { remembered: 0, searches: 1, first_try: 4, ..searched };
    [tables, wide, alone]
}

fn random_facts(kind: &NpcTables, dice: &mut SplitMix) -> Vec<Fact> {
    let fact = |at: usize| {
        let variable = LocalVariable(at as u32);
        let value = dice.below(kind.n_values(variable)) as PackedValue;
        kind.fact(LocalFact { variable, value })
    };
    (0..kind.variables().len()).map(fact).collect()
}

/// A crowd of one type at random places, each with a goal of the type's.
fn crowd_of(domain: &Domain, kind: &NpcTables, settings: CrowdSettings, threads: usize) -> Crowd {
    let pool = Arc::new(Pool::new(threads));
    let mut crowd = Crowd::new(domain.compiled_arc(), kind.id(), settings, pool).unwrap();
    if settings.tables == TablePolicy::Never {
        // The wide kernel, which no small budget makes.
        crowd.prepare(&|_, _| true);
    }
    let mut dice = SplitMix::new(31);
    for at in 0..24 {
        let goal = kind.goals()[at % kind.goals().len()];
        let goal = crowd.goal(goal).unwrap();
        // Every third as the file has it: random places are often dead ends.
        let facts = if at % 3 == 0 { Vec::new() } else { random_facts(kind, &mut dice) };
        crowd.spawn_with(GroupId::FIRST, goal, &facts).unwrap();
    }
    crowd
}

#[derive(Default, Debug)]
struct Seen {
    crowds: usize,
    frames: u64,
    /// Frames that did all that they were allowed, node by node.
    full: u64,
    longest: u64,
    all: FrameReport,
}

/// Serves a crowd with budgets that `next` gives until nobody waits.
fn serve(crowd: &mut Crowd, mut next: impl FnMut() -> FrameBudget, seen: &mut Seen) -> FrameReport {
    let mut all = FrameReport::default();
    let (mut frames, mut allowed) = (0u64, 0u64);
    loop {
        let budget = next();
        let report = crowd.plan(budget);
        assert!(report.served <= budget.npcs, "{budget:?} {report:?}");
        assert!(report.nodes <= budget.nodes, "{budget:?} {report:?}");
        let by_source = report.looked_up + report.remembered + report.computed + report.listed;
        assert_eq!(by_source + report.planned + report.searched, report.served);
        frames += 1;
        allowed += budget.nodes;
        seen.full += u64::from(report.nodes == budget.nodes);
        all += report;
        if report.deferred == 0 {
            break;
        }
        assert!(frames < 2_000_000, "it does not end: {all:?}");
    }
    assert!(allowed >= all.nodes && all.served == crowd.len(), "{all:?}");
    seen.crowds += 1;
    seen.frames += frames;
    seen.longest = seen.longest.max(frames);
    seen.all += all;
    all
}

/// How everybody stands and what it costs; the order of steps is the kernel's own.
fn answers(crowd: &Crowd) -> Vec<(Option<Status>, Cost)> {
    let answer = |npc: NpcHandle| (crowd.status(npc), crowd.cost_of(npc));
    crowd.handles().map(answer).collect()
}

#[test]
fn no_frame_does_more_than_its_budget_and_every_search_ends() {
    let mut seen = Seen::default();
    for file in FILES {
        let domain = Domain::from_file(corpus::folder().join(file)).unwrap();
        for kind in domain.compiled().npcs().iter().filter(|kind| !kind.goals().is_empty()) {
            for (at, settings) in settings().into_iter().enumerate() {
                let mut at_once = crowd_of(&domain, kind, settings, 1);
                at_once.plan(FrameBudget::UNLIMITED);
                let wanted = answers(&at_once);
                let mut dice = SplitMix::new(at as u64);
                let mut small = crowd_of(&domain, kind, settings, 2);
                let next =
                    || FrameBudget { npcs: 1 + dice.below(12), nodes: 1 + dice.below(300) as u64 };
                serve(&mut small, next, &mut seen);
                assert_eq!(answers(&small), wanted, "{file}, {settings:?}");
                // The same, however many threads there are: also what was counted.
                let mut few = Seen::default();
                let [one, seven] = [1, 7].map(|threads| {
                    let mut crowd = crowd_of(&domain, kind, settings, threads);
                    let next = || FrameBudget { npcs: usize::MAX, nodes: 97 };
                    let report = serve(&mut crowd, next, &mut few);
                    assert_eq!(answers(&crowd), wanted, "{file}, {settings:?}");
                    (report, crowd.digest())
                });
                assert_eq!(one, seven, "{file}, {settings:?}");
            }
        }
    }
    println!("{seen:?}");
    assert!(seen.longest > 20 && seen.full > 100, "searches over many frames: {seen:?}");
    assert!(seen.all.searched > 200 && seen.all.tables > 10 && seen.all.computed > 50);
}
