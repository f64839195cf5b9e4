//! Any plan, soon: greedy best-first search by relaxed plans.
//!
//! In:   a search that was begun.
//! Out:  a plan, or that there is none, or the limit hit.
//! Cost: a relaxed plan per state; 8 bytes more per state than `States` takes, and 8 per entry
//!       of a queue.
//!
//! A state is made and judged when it is taken out, not when it is found: an entry of a queue
//! is a state and an operator, ranked by the guess of that state. Operators of the relaxed plan
//! that can run wait in a queue of their own as well. The two take turns, and whenever a
//! better guess than all before is met, the preferred get many turns at once.
//!
//! A second pair of queues has the same entries, ranked by how many parts of the goal miss and
//! whether the state has a value that no state with as many had before: that leads out of
//! places where relaxed plans know no better. It opens when some hundred states were judged,
//! which most questions of a game do not need.
//!
//! Follows "The Fast Downward Planning System" and "Best-First Width Search".

use super::buckets::Buckets;
use super::packed::Packed;
use super::relaxed_plan::RelaxedPlan;
use super::search::{Found, Search};
use super::task::{Atom, Task};
use crate::outcome::{Budget, Limit};
use throng_domain::compile::Value;

/// How many turns the preferred get for progress.
const TURNS_FOR_PROGRESS: i64 = 1_000;
/// How often the caller's `stop` is asked, in entries.
const STOP_EVERY: u64 = 16;
const N_QUEUES: usize = 4;
/// So many states are judged by relaxed plans alone.
const PATIENCE: u64 = 256;

#[derive(Debug, Default)]
pub(super) struct Greedy {
    relaxed_plan: RelaxedPlan,
    goal: Vec<Atom>,
    /// The number of each variable's first atom.
    first: Vec<u32>,
    n_atoms: usize,
    /// A bit per atom for each number of missing parts of the goal.
    seen: Vec<u64>,
    state: Vec<Value>,
    /// By guess: all entries, and the preferred; by missing parts: the same.
    queues: [Buckets; N_QUEUES],
    /// The queue with fewest turns is next.
    turns: [i64; N_QUEUES],
    best: u32,
    best_missing: u32,
    n_judged: u64,
    has_begun: bool,
}

impl Greedy {
    pub(super) fn begin(&mut self, task: &Task, packed: &Packed) {
        self.relaxed_plan.fill(task, packed);
        self.goal.clear();
        self.goal.extend_from_slice(task.goal());
        self.first.clear();
        let mut n_atoms = 0;
        for &size in task.sizes() {
            self.first.push(n_atoms);
            n_atoms += size;
        }
        self.n_atoms = n_atoms as usize;
        self.seen.clear();
        self.queues.iter_mut().for_each(Buckets::clear);
        self.turns = [0; N_QUEUES];
        self.best = u32::MAX;
        self.best_missing = u32::MAX;
        self.n_judged = 0;
        self.has_begun = false;
    }

    pub(super) fn bytes(&self) -> usize {
        self.queues.iter().map(Buckets::bytes).sum::<usize>() + self.seen.len() * 8
    }

    pub(super) fn best_guess(&self) -> Option<u64> {
        (self.best != u32::MAX).then_some(u64::from(self.best))
    }

    /// Whose turn it is; `None` if nothing is left.
    fn next_queue(&self) -> Option<usize> {
        let waiting = (0..N_QUEUES).filter(|&at| !self.queues[at].is_empty());
        waiting.min_by_key(|&at| self.turns[at])
    }

    /// How many parts of the goal miss in the state at hand, and whether it has a value that no
    /// state with as many had.
    fn look_around(&mut self) -> (u32, bool) {
        let holds = |atom: &&Atom| self.state[atom.variable as usize] != atom.value;
        let missing = self.goal.iter().filter(holds).count();
        if self.seen.is_empty() {
            self.seen.resize((self.goal.len() + 1) * self.n_atoms.div_ceil(64), 0);
            // The others had their turns before: so many more are not to be made up for.
            self.turns[2] = self.turns[0];
            self.turns[3] = self.turns[1];
        }
        let seen = &mut self.seen[missing * self.n_atoms.div_ceil(64)..];
        let mut is_novel = false;
        for (&first, &value) in self.first.iter().zip(&self.state) {
            let atom = first as usize + usize::from(value);
            is_novel |= seen[atom / 64] >> (atom % 64) & 1 == 0;
            seen[atom / 64] |= 1 << (atom % 64);
        }
        (missing as u32, is_novel)
    }

    /// Lets the states after the one at hand wait by parts of the goal.
    fn wait_by_goal(&mut self, state: u32, operators: &[u32]) {
        let (missing, is_novel) = self.look_around();
        if missing < self.best_missing {
            self.best_missing = missing;
            self.turns[3] -= TURNS_FOR_PROGRESS;
        }
        let rank = 2 * missing + u32::from(!is_novel);
        for &operator in operators {
            self.queues[2].push(rank, (state, operator));
            if self.relaxed_plan.prefers(operator) {
                self.queues[3].push(rank, (state, operator));
            }
        }
    }
}

impl Search {
    pub(super) fn greedily<const H: usize>(&mut self, budget: &Budget<'_>) -> Found {
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
                self.look::<H>(0);
                self.judge(0);
                continue;
            };
            self.greedy.turns[queue] += 1;
            let Some((parent, operator)) = self.greedy.queues[queue].pop() else { continue };
            // Conditional effects may be about derived variables of the parent.
            self.look::<H>(parent);
            self.states.clear_made();
            self.states.make::<H>(&self.packed, parent, &self.words, &[operator]);
            self.states.look_up::<H>();
            let Some((state, _, true)) = self.states.take::<H>(0) else { continue };
            self.look::<H>(state);
            if self.packed.is_whole_goal(&self.words) {
                return Found::Goal(state);
            }
            self.judge(state);
        }
    }

    /// Guesses what is left from the state at hand, and lets the states after it wait.
    fn judge(&mut self, state: u32) {
        self.nodes += 1;
        self.next = state;
        let greedy = &mut self.greedy;
        self.packed.unpack(&self.words, &mut greedy.state);
        let Some(guess) = greedy.relaxed_plan.guess(&greedy.state) else {
            self.dead_ends += 1;
            return;
        };
        greedy.n_judged += 1;
        if guess < greedy.best {
            greedy.best = guess;
            greedy.turns[1] -= TURNS_FOR_PROGRESS;
        }
        self.successors.of(&self.words, &mut self.operators);
        for &operator in &self.operators {
            greedy.queues[0].push(guess, (state, operator));
            if greedy.relaxed_plan.prefers(operator) {
                greedy.queues[1].push(guess, (state, operator));
            }
        }
        if greedy.n_judged > PATIENCE {
            greedy.wait_by_goal(state, &self.operators);
        }
    }
}
