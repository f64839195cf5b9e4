//! Class C2*: pairs of actions that leave a value and bring it back, needed on both sides by
//! independent work. Random domains of that class by construction: the planner is right about
//! all of them, and needs no search for total goals.
//!
//! Variables hang together as a tree of edges and triangles. Without a variable its neighbours
//! fall apart, and every part wants one value of it at most.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may panic, and say what was tried"
)]

use throng::prelude::Domain;
use throng_base::SplitMix;
use throng_planner::classes::Class;
use throng_suite::grid::{At, Grid, Judge, MAX_VARIABLES, Seen, State, Step};

fn any_grid(dice: &mut SplitMix) -> Grid {
    let n = dice.within(3, MAX_VARIABLES);
    let sizes: Vec<u8> = (0..n).map(|_| if dice.percent(70) { 2 } else { 3 }).collect();
    let parents: Vec<usize> = (0..n).map(|v| dice.below(v.max(1))).collect();
    // What the neighbour `u` wants of `v`.
    let mut wants: Vec<Vec<u8>> =
        (0..n).map(|_| (0..n).map(|_| dice.below(2) as u8).collect()).collect();
    // Triangles of a variable, its parent and the parent of that; two of a corner's neighbours
    // are then in one part, so they want the same of it.
    let mut third: Vec<Option<usize>> = vec![None; n];
    let mut is_used = vec![false; n];
    for w in 2..n {
        let (u, v) = (parents[w], parents[parents[w]]);
        if u > 0 && !is_used[u] && !is_used[w] && dice.percent(60) {
            (is_used[u], is_used[w], third[w]) = (true, true, Some(v));
            wants[v][w] = wants[v][u];
            wants[u][w] = wants[u][v];
            wants[w][u] = wants[w][v];
        }
    }
    let hangs_on = |u: usize, v: usize| u > 0 && (parents[u] == v || third[u] == Some(v));
    let is_neighbour = |u: usize, v: usize| u != v && (hangs_on(u, v) || hangs_on(v, u));
    let mut steps = Vec::new();
    let chance = dice.within(35, 80);
    for u in 0..n {
        let mut moves = vec![(0u8, 1u8), (1, 0)];
        if sizes[u] == 3 {
            moves.push((dice.below(2) as u8, 2));
        }
        for (from, to) in moves {
            let neighbours = (0..n).filter(|&v| is_neighbour(u, v));
            let neighbours: Vec<usize> = neighbours.collect();
            let chosen = neighbours.into_iter().filter(|_| dice.percent(chance));
            let during: Vec<At> = chosen.map(|v| (v, wants[v][u])).collect();
            let mut step = Step::new((u, to), Some(from), during);
            step.cost = dice.within(1, 3000) as u64;
            steps.push(step);
        }
    }
    dice.shuffle(&mut steps);
    Grid { sizes, steps, n_checks: 0 }
}

#[test]
fn pairs_of_independent_work_need_no_search() {
    let n_domains = if std::env::var_os("THRONG_LONG").is_some() { 100_000 } else { 10_000 };
    let mut judge = Judge::new(Grid { sizes: vec![2], ..Grid::default() }).unwrap();
    let mut nested = 0;
    for seed in 0..n_domains {
        let mut dice = SplitMix::new(seed);
        let grid = any_grid(&mut dice);
        let domain = Domain::from_text(&grid.text()).unwrap();
        let classes = domain.compiled().classes(domain.compiled().npcs()[0].id());
        assert!(classes.holds(Class::C2Star), "{seed}\n{}", grid.text());
        nested += u64::from(classes.holds(Class::Nested));
        judge.turn_to(grid.clone()).unwrap();
        let n = grid.sizes.len();
        for _ in 0..4 {
            let mut start: State = [0; MAX_VARIABLES];
            (0..n).for_each(|v| start[v] = dice.below(2) as u8);
            judge.enter(&start, &vec![false; grid.steps.len()], &[]).unwrap();
            let reached: Vec<State> = judge.reached().iter().map(|reached| reached.0).collect();
            for nth in 0..8 {
                let there = match nth % 4 {
                    0 => std::array::from_fn(|v| {
                        dice.below(grid.sizes.get(v).map_or(1, |s| *s as usize)) as u8
                    }),
                    _ => *dice.pick(&reached),
                };
                let is_total = nth % 2 == 0;
                let named = (0..n).filter(|_| is_total || dice.percent(50));
                let goal: Vec<At> =
                    named.collect::<Vec<_>>().into_iter().map(|v| (v, there[v])).collect();
                let before =
                    judge.tally.get(Seen::PlansSearched) + judge.tally.get(Seen::ProofsSearched);
                judge.ask(&goal).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
                let after =
                    judge.tally.get(Seen::PlansSearched) + judge.tally.get(Seen::ProofsSearched);
                assert!(!is_total || before == after, "seed {seed}: a total goal was left open");
            }
        }
    }
    println!("{n_domains} domains, {nested} nested: {}", judge.tally);
    let tally = &judge.tally;
    let instances = tally.get(Seen::Instances);
    assert!(tally.get(Seen::Soft) * 100 > instances, "pairs with a choice");
    assert!(tally.get(Seen::PlansSearched) > 100, "partial goals that close loops");
    assert_eq!(tally.get(Seen::DoTwice), 0, "no plan of this class takes an action twice");
    assert!(nested > n_domains / 10 && nested < n_domains, "both kinds");
}
