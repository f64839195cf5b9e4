//! Any plan, soon: greedy best-first search by relaxed plans.
//!
//! In:   a search that was begun.
//! Out:  a plan, or that there is none, or the limit hit.
//! Cost: a relaxed plan per state.
//!
//! A state is made and judged when it is taken out, not when it is found: an entry of the queue
//! is a state and an operator, ranked by the guess of that state. Operators of the relaxed plan
//! that can run wait in a queue of their own as well. The two take turns, and whenever a
//! better guess than all before is met, the preferred get many turns at once.
//!
//! Follows "The Fast Downward Planning System".

use super::relaxed_plan::RelaxedPlan;
use super::search::{Found, Search};
use super::task::Task;
use crate::outcome::{Budget, Limit};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use throng_domain::compile::Value;

/// How many turns the preferred get for progress.
const TURNS_FOR_PROGRESS: i64 = 1_000;
/// How often the caller's `stop` is asked, in entries.
const STOP_EVERY: u64 = 16;

/// A state to be made: by guess, then by age.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Entry {
    guess: u32,
    age: u32,
    parent: u32,
    operator: u32,
}

#[derive(Debug, Default)]
pub(super) struct Greedy {
    relaxed_plan: RelaxedPlan,
    state: Vec<Value>,
    /// All entries, and the preferred.
    queues: [BinaryHeap<Reverse<Entry>>; 2],
    /// The queue with fewer turns is next.
    turns: [i64; 2],
    age: u32,
    best: u32,
    has_begun: bool,
}

impl Greedy {
    pub(super) fn begin(&mut self, task: &Task) {
        self.relaxed_plan.fill(task);
        self.queues.iter_mut().for_each(BinaryHeap::clear);
        self.turns = [0; 2];
        self.age = 0;
        self.best = u32::MAX;
        self.has_begun = false;
    }

    pub(super) fn bytes(&self) -> usize {
        self.queues.iter().map(|queue| queue.len() * size_of::<Entry>()).sum()
    }

    /// Whose turn it is; `None` if nothing is left.
    fn next_queue(&self) -> Option<usize> {
        let first = usize::from(self.turns[1] < self.turns[0]);
        [first, 1 - first].into_iter().find(|&at| !self.queues[at].is_empty())
    }
}

impl Search {
    pub(super) fn greedily<const W: usize>(&mut self, task: &Task, budget: &Budget<'_>) -> Found {
        let mut looked = 0;
        let before = self.nodes;
        loop {
            let queue = self.greedy.next_queue();
            if queue.is_none() && self.greedy.has_begun {
                return Found::Nothing;
            }
            if let Some(limit) = self.limit(budget, before) {
                return Found::Limit(limit);
            }
            if looked % STOP_EVERY == 0 && budget.stop.is_some_and(|stop| stop()) {
                return Found::Limit(Limit::Stopped);
            }
            looked += 1;
            let Some(queue) = queue else {
                self.greedy.has_begun = true;
                self.judge::<W>(task, 0);
                continue;
            };
            self.greedy.turns[queue] += 1;
            let Some(Reverse(entry)) = self.greedy.queues[queue].pop() else { continue };
            self.states.clear_made();
            self.states.make::<W>(&self.packed, entry.parent, &[entry.operator]);
            self.states.look_up::<W>();
            let Some((state, _, true)) = self.states.take::<W>(0) else { continue };
            if self.packed.is_goal(self.states.words::<W>(state)) {
                return Found::Goal(state);
            }
            self.judge::<W>(task, state);
        }
    }

    /// Guesses what is left from a state, and lets the states after it wait.
    fn judge<const W: usize>(&mut self, task: &Task, state: u32) {
        self.nodes += 1;
        let words = self.states.words::<W>(state);
        let greedy = &mut self.greedy;
        self.packed.unpack(words, &mut greedy.state);
        let Some(guess) = greedy.relaxed_plan.guess(task, &greedy.state) else {
            self.dead_ends += 1;
            return;
        };
        if guess < greedy.best {
            greedy.best = guess;
            greedy.turns[1] -= TURNS_FOR_PROGRESS;
        }
        self.successors.of(words, &mut self.operators);
        for &operator in &self.operators {
            let entry = Reverse(Entry { guess, age: greedy.age, parent: state, operator });
            greedy.age = greedy.age.saturating_add(1);
            greedy.queues[0].push(entry);
            if greedy.relaxed_plan.contains(operator) {
                greedy.queues[1].push(entry);
            }
        }
    }
}
