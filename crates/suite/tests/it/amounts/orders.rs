//! Which steps of a plan may change places: every order that is allowed is a plan.

use super::case::{Case, limited};
use super::{Tally, domains, note};
use throng::prelude::*;
use throng_suite::what_if::{Deed, WhatIf};

/// So many orders of one plan are tried.
const MOST_ORDERS: usize = 300;

/// Calls `each` with the orders of steps that keep the constraints, one after the other.
fn orders(
    after: &[Vec<usize>],
    order: &mut Vec<usize>,
    left: &mut usize,
    each: &mut dyn FnMut(&[usize]),
) {
    if order.len() == after.len() {
        *left -= 1;
        return each(order);
    }
    for step in 0..after.len() {
        let is_ready = !order.contains(&step) && after[step].iter().all(|it| order.contains(it));
        if is_ready && *left > 0 {
            order.push(step);
            orders(after, order, left, each);
            order.pop();
        }
    }
}

/// The variables that a deed changes, and those that it asks something of.
fn uses(deed: &Deed) -> (Vec<usize>, Vec<usize>) {
    let sets = deed.sets.iter().map(|it| it.0);
    let changed = sets.chain(deed.moves.iter().map(|it| it.variable)).collect();
    let facts = deed.needs.iter().map(|it| it.0).chain(deed.within.iter().map(|it| it.0));
    let compared = deed.compared.iter().flat_map(|it| [it.0, it.2]);
    (changed, facts.chain(compared).collect())
}

/// Whether one of two changes what the other asks for or changes.
fn touch(world: &WhatIf, a: usize, b: usize) -> bool {
    let [a, b] = [a, b].map(|at| uses(&world.deeds[at]));
    let meets = |changed: &[usize], other: &(Vec<usize>, Vec<usize>)| {
        changed.iter().any(|it| other.0.contains(it) || other.1.contains(it))
    };
    meets(&a.0, &b) || meets(&b.0, &a)
}

fn check(case: &Case, goal: usize, scratch: &mut Scratch, tally: &mut Tally) {
    let npc = case.npc();
    let target = case.goal(goal);
    let answer = Planner::new().plan(&npc, &limited(target.clone()), scratch);
    if answer.plan().len() < 2 {
        return;
    }
    let place = |what: &str| format!("{what}: {:?} {}", answer.plan().told(), case.place());
    let order = Planner::new().partial_order(&npc, answer.plan());
    let plan: Vec<usize> = answer.plan().actions().iter().map(|id| id.index()).collect();
    let worlds: Vec<WhatIf> = case
        .alternatives(&target)
        .iter()
        .map(|wants| {
            let mut world = case.world();
            wants.iter().for_each(|wanted| world.want(case.model(), wanted).unwrap());
            world
        })
        .collect();
    let reached = |plan: &[usize]| worlds.iter().any(|world| world.price(plan).is_some());
    let mut n_orders = 0;
    let mut left = MOST_ORDERS;
    orders(&order.after, &mut Vec::new(), &mut left, &mut |steps| {
        n_orders += 1;
        let other: Vec<usize> = steps.iter().map(|&step| plan[step]).collect();
        assert!(reached(&other), "{}", place(&format!("{steps:?}")));
    });
    for (before, step) in order.pairs() {
        assert!(touch(&worlds[0], plan[before], plan[step]), "{}", place("free steps"));
    }
    // Stages are an order of their own: whatever is in one of them may come in any order.
    for turned in [false, true] {
        let stages = order.stages.iter().map(|stage| {
            let mut stage = stage.clone();
            if turned {
                stage.reverse();
            }
            stage
        });
        let steps: Vec<usize> = stages.flatten().map(|step| plan[step]).collect();
        assert!(steps.len() == plan.len() && reached(&steps), "{}", place("stages"));
    }
    let counts =
        answer.plan().actions().iter().any(|id| case.model().actions()[id.index()].counts());
    note(tally, "plans", true);
    note(tally, "plans that count", counts);
    note(tally, "with a choice", counts && n_orders > 1);
    *tally.entry("orders").or_default() += n_orders;
    note(tally, "bound from end to end", counts && order.stages.len() == plan.len());
}

#[test]
fn every_order_that_is_allowed_is_a_plan() {
    let (mut tally, mut scratch) = (Tally::new(), Scratch::default());
    for seed in 0..domains(3_000) {
        let Some(case) = Case::of(seed, &mut tally) else { continue };
        for goal in 0..case.stated.goals.len() {
            check(&case, goal, &mut scratch, &mut tally);
        }
    }
    println!("{tally:?}");
    for what in ["plans that count", "with a choice", "bound from end to end"] {
        assert!(tally[what] > 300, "{what}: {tally:?}");
    }
    assert!(tally["orders"] > 5_000, "{tally:?}");
}
