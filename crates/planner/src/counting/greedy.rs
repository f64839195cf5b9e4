//! Any plan, soon: greedy best-first search with amounts.
//!
//! In:   a forward search that was begun so.
//! Out:  a plan, or that there is none, or the limit hit.
//! Cost: a guess per state; two entries of a queue.
//!
//! States wait by what is left from them, as guessed; those that were reached by a row which
//! seemed to help wait in a queue of their own as well, and that has most turns. No state is
//! thrown away, so it ends with a plan or a proof.

use super::forward::CountingForward;
use super::guess::Guess;
use super::queue::Queue;
use super::states::Way;
use crate::budget::{Limit, SearchBudget};

/// One turn in so many is that of all states.
const TURNS: u64 = 4;

/// What waits, and what guesses.
#[derive(Debug, Default)]
pub(super) struct Greedy {
    pub(super) guess: Guess,
    /// States reached by rows that seemed to help.
    helped: Queue,
    values: Vec<u16>,
}

impl Greedy {
    pub(super) fn bytes(&self) -> usize {
        self.helped.bytes()
    }
}

impl CountingForward {
    /// Forgets all states but the start, and guesses from there.
    pub(super) fn begin_guessing(&mut self, start: &[u16]) {
        start.clone_into(&mut self.greedy.values);
        self.greedy.helped.clear(0);
        self.start_over();
    }

    /// Expands until the goal is found or nothing is left to expand.
    pub(super) fn search_greedily<const W: usize>(
        &mut self,
        budget: &SearchBudget<'_>,
    ) -> Result<(), Limit> {
        let before = self.expanded;
        while self.goal.is_none() {
            let is_helped = !self.expanded.is_multiple_of(TURNS);
            let (first, second) = match is_helped {
                true => (&mut self.greedy.helped, &mut self.queue),
                false => (&mut self.queue, &mut self.greedy.helped),
            };
            let queue = if first.peek().is_some() { first } else { second };
            let Some((_, node)) = queue.peek() else { break };
            if self.states.is_done(node) {
                queue.pop();
                continue;
            }
            self.limit(budget, before)?;
            self.state.copy_from_slice(self.states.state::<W>(node));
            self.states.set_done(node);
            self.expanded += 1;
            self.expand_greedily::<W>(node);
        }
        // It is no proof if some state had no number.
        if self.goal.is_none() && self.states.is_full() { Err(Limit::Memory) } else { Ok(()) }
    }

    /// Meets the states after the one at hand.
    fn expand_greedily<const W: usize>(&mut self, node: u32) {
        if self.packed.is_goal::<W>(&self.state) {
            self.goal = Some(node);
            return;
        }
        let Greedy { guess, values, .. } = &mut self.greedy;
        self.packed.unpack(&self.state, values);
        // Which rows help is known from guessing this very state.
        guess.of(values);
        self.helping.clear();
        self.helping.extend((0..self.packed.actions().len()).map(|row| guess.helps(row)));
        let g = self.states.way(node).g;
        for row in 0..self.packed.actions().len() {
            if !self.packed.fits::<W>(row, &self.state) {
                continue;
            }
            self.packed.apply::<W>(row, &self.state, &mut self.next);
            let g = g.saturating_add(self.packed.costs()[row]);
            let way = Way::new(g, node, row);
            let Some((next, true)) = self.states.find_or_add::<W>(&self.next, way) else {
                continue;
            };
            if self.packed.is_goal::<W>(&self.next) {
                self.goal = Some(next);
                return;
            }
            self.packed.unpack(&self.next, &mut self.greedy.values);
            let rest = self.greedy.guess.of(&self.greedy.values);
            self.queue.push(rest, next);
            if self.helping[row] {
                self.greedy.helped.push(rest, next);
            }
        }
    }
}
