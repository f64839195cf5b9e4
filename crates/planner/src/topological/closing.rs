//! Partial goals: closes loops that the goal leaves open, the cheapest set of loops first.
//!
//! In:   a problem of a type in class C2* whose closure is known to have no order.
//! Out:  a cheapest plan; or that there is none, if every set of loops was tried; or nothing, if
//!       there are more sets than [`MOST_SETS`].
//! Cost: a closure and an order for every set of loops tried.
//!
//! A variable that the goal does not mention ends where the needs leave it. If an action needs the
//! value it started with after it has left, it must go back: its loop is closed, as if the goal
//! named its start. In class C2* no plan takes an action twice, so every plan is an order of the
//! closure for *some* set of closed loops. Tried in order of growing price, the first that can be
//! ordered is a cheapest plan.

use super::choices::MOST_LOOKS;
use super::closure::Closure;
use super::moves::MoveTable;
use super::order::{Order, Ordered};
use crate::problem::Problem;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use throng_domain::compile::{LocalFact, LocalVariable};

/// How many sets of loops may be tried.
const MOST_SETS: usize = 256;

/// How many loops may be told apart: a set of them is a word.
const MOST_LOOPS: usize = 64;

/// Sets of loops, kept between calls.
#[derive(Debug, Default)]
pub(super) struct Closing {
    /// The variables that were ever candidates; a set has a bit for each.
    loops: Vec<LocalVariable>,
    queue: BinaryHeap<Reverse<(u64, u64)>>,
    seen: Vec<u64>,
    goal: Vec<LocalFact>,
    candidates: Vec<LocalVariable>,
}

impl Closing {
    /// Tries sets of loops by growing price, beginning with the single ones: that there is no
    /// order without any is known. True if the order that was found is a plan, false if no set
    /// helps and there is no plan, `None` if that is not decided.
    pub(super) fn close_loops(
        &mut self,
        table: &MoveTable<'_>,
        closure: &mut Closure,
        order: &mut Order,
    ) -> Option<bool> {
        let problem = table.problem;
        let mut allowed = MOST_LOOKS;
        self.loops.clear();
        self.queue.clear();
        self.seen.clear();
        self.queue.push(Reverse((0, 0)));
        while let Some(Reverse((_, set))) = self.queue.pop() {
            self.fill_goal(problem, set);
            if closure.close(table, problem.start(), &self.goal).is_err() {
                continue;
            }
            if set != 0 {
                match order.order(table, closure, &mut allowed) {
                    Ordered::Yes => return Some(true),
                    Ordered::Unknown => return None,
                    Ordered::Cycle | Ordered::Exhausted => {}
                }
            }
            self.find_candidates(table, closure);
            for at in 0..self.candidates.len() {
                let larger = set | 1 << self.number(self.candidates[at])?;
                if self.seen.contains(&larger) {
                    continue;
                }
                if self.seen.len() == MOST_SETS {
                    return None;
                }
                self.seen.push(larger);
                self.fill_goal(problem, larger);
                // A set whose closure fails is not helped by more of the same.
                if let Ok(cost) = closure.close(table, problem.start(), &self.goal) {
                    self.queue.push(Reverse((cost, larger)));
                }
            }
        }
        Some(false)
    }

    /// The goal with the variables of a set sent home.
    fn fill_goal(&mut self, problem: &Problem, set: u64) {
        problem.goal().clone_into(&mut self.goal);
        let chosen = self.loops.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
        self.goal.extend(chosen.map(|(_, &variable)| LocalFact {
            variable,
            value: problem.start()[variable.index()],
        }));
    }

    /// The bit of a variable; `None` if there are too many.
    fn number(&mut self, variable: LocalVariable) -> Option<usize> {
        let known = self.loops.iter().position(|&other| other == variable);
        if known.is_none() && self.loops.len() < MOST_LOOPS {
            self.loops.push(variable);
            return Some(self.loops.len() - 1);
        }
        known
    }

    /// The variables of the last closure that could be sent back to where they started.
    fn find_candidates(&mut self, table: &MoveTable<'_>, closure: &Closure) {
        let problem = table.problem;
        let goes_back = |&&variable: &&LocalVariable| {
            let start = LocalFact { variable, value: problem.start()[variable.index()] };
            !closure.walks[variable.index()].closed
                && closure.walks[variable.index()].end != start.value
                && closure.is_requested(table.npc, start)
                && closure.loop_length(table, variable).is_some()
        };
        self.candidates.clear();
        self.candidates.extend(closure.moved.iter().filter(goes_back));
        self.candidates.sort_unstable();
    }
}
