//! Partial goals: closes loops that the goal leaves open, the cheapest set of loops first.
//!
//! In:   a problem of a type in class C2* whose closure is known to have no order.
//! Out:  a cheapest plan; or that there is none, if every set of loops was tried; or nothing, if
//!       there are more sets than [`MOST_SETS`].
//! Cost: a closure and an order for every set of loops tried.
//!
//! A variable that the goal does not mention ends where the needs leave it. If somebody needs the
//! value it started with after it has left, it must go back: its loop is closed, as if the goal
//! named its start. In class C2* no plan takes an action twice, so every plan is an order of the
//! closure for *some* set of closed loops. Tried in order of growing price, the first that can be
//! ordered is a cheapest plan.

use super::Scratch;
use super::choices::MOST_LOOKS;
use super::moves::Moves;
use super::order::Ordered;
use crate::problem::Problem;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use throng_domain::compile::{LocalAction, LocalFact, LocalVariable, NpcType};

/// How many sets of loops may be tried.
const MOST_SETS: usize = 256;

/// What closing loops came to.
pub(super) enum Closed {
    /// An order is in the scratch.
    Yes,
    /// No set of loops helps: there is no plan.
    No,
    /// Not decided.
    Unknown,
}

/// Tries sets of loops by growing price.
pub(super) fn close_loops(
    npc: &NpcType,
    problem: &Problem,
    moves: &Moves,
    step_cost: impl Fn(LocalAction) -> u64 + Copy,
    scratch: &mut Scratch,
) -> Closed {
    let start = problem.start();
    let mut allowed = MOST_LOOKS;
    let mut queue: BinaryHeap<Reverse<(u64, Vec<LocalVariable>)>> = BinaryHeap::new();
    let mut seen: BTreeSet<Vec<LocalVariable>> = BTreeSet::new();
    let mut is_complete = true;
    queue.push(Reverse((0, Vec::new())));
    let mut goal = Vec::new();
    let mut is_first = true;
    while let Some(Reverse((_, loops))) = queue.pop() {
        let facts = |loops: &[LocalVariable], goal: &mut Vec<LocalFact>| {
            goal.clear();
            goal.extend_from_slice(problem.goal());
            goal.extend(
                loops
                    .iter()
                    .map(|&variable| LocalFact { variable, value: start[variable.index()] }),
            );
        };
        facts(&loops, &mut goal);
        if scratch.closure.close(npc, moves, npc.dense_moves(), start, &goal, step_cost).is_err() {
            continue;
        }
        // No loops at all: that is what was decided before.
        if !std::mem::take(&mut is_first) {
            let Scratch { order, closure, .. } = &mut *scratch;
            match order.order(npc, moves, closure, start, false, &mut allowed) {
                Ordered::Yes => return Closed::Yes,
                Ordered::Unknown => return Closed::Unknown,
                Ordered::Cycle | Ordered::Exhausted => {}
            }
        }
        let more: Vec<LocalVariable> = candidates(npc, moves, scratch, problem);
        for variable in more {
            let mut larger = loops.clone();
            larger.push(variable);
            larger.sort_unstable();
            if !seen.insert(larger.clone()) {
                continue;
            }
            if seen.len() > MOST_SETS {
                is_complete = false;
                break;
            }
            facts(&larger, &mut goal);
            // A set whose closure fails cannot be mended by more of the same.
            if let Ok(cost) =
                scratch.closure.close(npc, moves, npc.dense_moves(), start, &goal, step_cost)
            {
                queue.push(Reverse((cost, larger)));
            }
        }
        if !is_complete {
            return Closed::Unknown;
        }
    }
    Closed::No
}

/// The variables of the last closure that could be sent back to where they started.
fn candidates(
    npc: &NpcType,
    moves: &Moves,
    scratch: &Scratch,
    problem: &Problem,
) -> Vec<LocalVariable> {
    let closure = &scratch.closure;
    let goes_back = |&&variable: &&LocalVariable| {
        let start = LocalFact { variable, value: problem.start()[variable.index()] };
        !closure.is_closed(variable)
            && closure.end(variable) != start.value
            && closure.is_requested(npc, start)
            && closure.loop_length(npc, moves, variable).is_some()
    };
    let mut found: Vec<_> = closure.moved().iter().filter(goes_back).copied().collect();
    found.sort_unstable();
    found
}
