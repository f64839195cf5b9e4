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
use super::search::{Found, Paused, Run, Search};
use super::task::{Atom, GroundTask};
use throng_base::reset;
use throng_domain::compile::PackedValue;

/// How many turns the preferred get for progress.
const TURNS_FOR_PROGRESS: i64 = 1_000;
/// What a relaxed plan takes beside its operators, and for how many operators as much again, in
/// generated states.
const WEIGHT: u64 = 16;
const N_QUEUES: usize = 4;
/// So many states are judged by relaxed plans alone.
const PATIENCE_STATES: u64 = 256;
/// What was seen takes this part of the memory at most: states need the rest.
const SHARE_OF_SEEN: usize = 8;
const NO_ROW: u32 = u32::MAX;

#[derive(Debug, Default)]
pub(super) struct Greedy {
    relaxed_plan: RelaxedPlan,
    goal: Vec<Atom>,
    /// The number of each variable's first atom.
    first: Vec<u32>,
    n_atoms: usize,
    /// The row of each number of missing parts of the goal; made when the first such state comes.
    rows: Vec<u32>,
    /// Rows of a bit per atom; those behind the first `n_seen` are kept to be used again.
    seen: Vec<Vec<u64>>,
    n_seen: usize,
    state: Vec<PackedValue>,
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
    pub(super) fn begin(&mut self, task: &GroundTask, packed: &Packed) {
        self.relaxed_plan.fill(task, packed);
        task.goal().clone_into(&mut self.goal);
        task.first_atoms().clone_into(&mut self.first);
        self.n_atoms = task.n_atoms();
        self.rows.clear();
        self.n_seen = 0;
        self.queues.iter_mut().for_each(Buckets::clear);
        self.turns = [0; N_QUEUES];
        self.best = u32::MAX;
        self.best_missing = u32::MAX;
        self.n_judged = 0;
        self.has_begun = false;
    }

    pub(super) fn bytes(&self) -> usize {
        self.queues.iter().map(Buckets::bytes).sum::<usize>() + self.seen_bytes()
    }

    fn seen_bytes(&self) -> usize {
        self.rows.len() * size_of::<u32>() + self.n_seen * self.row_words() * size_of::<u64>()
    }

    fn row_words(&self) -> usize {
        self.n_atoms.div_ceil(64)
    }

    pub(super) fn best_guess(&self) -> Option<u64> {
        (self.best != u32::MAX).then_some(u64::from(self.best))
    }

    /// Whose turn it is; `None` if nothing is left.
    fn next_queue(&self) -> Option<usize> {
        let waiting = (0..N_QUEUES).filter(|&at| !self.queues[at].is_empty());
        waiting.min_by_key(|&at| self.turns[at])
    }

    /// The bits of what states had that miss so many parts of the goal; `None` if there are none
    /// and another row would take more than its share of so many bytes.
    fn row(&mut self, missing: usize, bytes: usize) -> Option<&mut [u64]> {
        if self.rows[missing] == NO_ROW {
            let n_words = self.row_words();
            if self.seen_bytes() + n_words * size_of::<u64>() > bytes / SHARE_OF_SEEN {
                return None;
            }
            if self.n_seen == self.seen.len() {
                self.seen.push(Vec::with_capacity(n_words));
            }
            reset(&mut self.seen[self.n_seen], n_words, 0);
            self.rows[missing] = self.n_seen as u32;
            self.n_seen += 1;
        }
        Some(&mut self.seen[self.rows[missing] as usize])
    }

    /// How many parts of the goal miss in the state at hand, and whether it has a value that no
    /// state with as many had; that is not known, and so not said, without memory for it.
    fn look_around(&mut self, bytes: usize) -> (u32, bool) {
        let misses = |atom: &&Atom| self.state[atom.variable as usize] != atom.value;
        let missing = self.goal.iter().filter(misses).count();
        if self.rows.is_empty() {
            self.rows.resize(self.goal.len() + 1, NO_ROW);
            // The others had their turns before: so many more are not to be made up for.
            self.turns[2] = self.turns[0];
            self.turns[3] = self.turns[1];
        }
        let (first, state) = (std::mem::take(&mut self.first), std::mem::take(&mut self.state));
        let mut is_novel = false;
        if let Some(seen) = self.row(missing, bytes) {
            for (&first, &value) in first.iter().zip(&state) {
                let atom = first as usize + usize::from(value);
                is_novel |= seen[atom / 64] >> (atom % 64) & 1 == 0;
                seen[atom / 64] |= 1 << (atom % 64);
            }
        }
        (self.first, self.state) = (first, state);
        (missing as u32, is_novel)
    }

    /// Lets the states after the one at hand wait by parts of the goal.
    fn wait_by_goal(&mut self, state: u32, operators: &[u32], bytes: usize) {
        let (missing, is_novel) = self.look_around(bytes);
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
    pub(super) fn greedily<const H: usize, E>(&mut self, run: &mut Run<'_, '_, E>) -> Paused {
        let Run { budget, stop, .. } = run;
        let weight = WEIGHT + self.greedy.relaxed_plan.n_parts() as u64 / WEIGHT;
        let mut work = 0;
        let before = self.nodes;
        loop {
            let queue = self.greedy.next_queue();
            if queue.is_none() && self.greedy.has_begun {
                return self.end();
            }
            self.limit(budget, before)?;
            stop.after(std::mem::replace(&mut work, 1))?;
            let Some(queue) = queue else {
                self.greedy.has_begun = true;
                self.look::<H>(0);
                self.judge(0, budget.bytes);
                work = weight;
                continue;
            };
            self.greedy.turns[queue] += 1;
            let Some((parent, operator)) = self.greedy.queues[queue].pop() else { continue };
            // Conditional effects may be about derived variables of the parent.
            self.look::<H>(parent);
            self.states.clear_made();
            self.generated += 1;
            self.states.make::<H>(&self.packed, parent, &self.words, &[operator]);
            self.states.look_up::<H>();
            let Some((state, _, true)) = self.states.take::<H>(0) else { continue };
            self.look::<H>(state);
            if self.packed.is_whole_goal(&self.words) {
                return Ok(Some(Found::Goal(state)));
            }
            self.judge(state, budget.bytes);
            work = weight;
        }
    }

    /// Guesses what is left from the state at hand, and lets the states after it wait; `bytes` is
    /// all the memory there is.
    fn judge(&mut self, state: u32, bytes: usize) {
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
        self.successors.find(&self.words);
        for &operator in self.successors.found() {
            greedy.queues[0].push(guess, (state, operator));
            if greedy.relaxed_plan.prefers(operator) {
                greedy.queues[1].push(guess, (state, operator));
            }
        }
        if greedy.n_judged > PATIENCE_STATES {
            greedy.wait_by_goal(state, self.successors.found(), bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_seen_takes_its_share_of_the_memory_and_no_more() {
        let n_parts = 2_000;
        let mut task = GroundTask::default();
        for variable in 0..n_parts {
            let on = Atom { variable: task.add_variable(2, 0), value: 1 };
            task.add_operator([Atom { variable, value: 0 }].into_iter(), [on].into_iter(), 1);
        }
        task.set_goal((0..n_parts).map(|variable| Atom { variable, value: 1 }));
        let mut packed = Packed::default();
        packed.fill(&task);
        let mut greedy = Greedy::default();
        // Enough for all, for some, for none; and the same once more.
        for (bytes, most_novel) in [(1 << 24, 2_001), (1 << 20, 260), (0, 0), (1 << 24, 2_001)] {
            greedy.begin(&task, &packed);
            greedy.state = vec![0; n_parts as usize];
            let mut n_novel = 0;
            for n_on in 0..=n_parts {
                let (missing, is_novel) = greedy.look_around(bytes);
                assert_eq!(missing, n_parts - n_on);
                assert_eq!(greedy.look_around(bytes), (missing, false), "the same state again");
                n_novel += u32::from(is_novel);
                let rows = n_parts as usize * 4 + 4;
                assert!(greedy.bytes() <= (bytes / SHARE_OF_SEEN).max(rows), "{bytes} bytes");
                if let Some(value) = greedy.state.get_mut(n_on as usize) {
                    *value = 1;
                }
            }
            let least_novel = most_novel * 9 / 10;
            assert!((least_novel..=most_novel).contains(&n_novel), "{bytes} bytes: {n_novel}");
        }
    }
}
