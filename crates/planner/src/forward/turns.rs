//! Two searches for one answer, in turns: one that knows nothing and one with a lower bound.
//!
//! In:   a plain search, breadth-first or by cost, that was begun.
//! Out:  whatever one of the two finds first; both are exact.
//! Cost: at most twice the work of the better one, and the states of both.
//!
//! The plain search generates tens of millions of states per second and is the better one for
//! small tasks, dense ones, and those without a plan; the bound is worth its price where plans
//! are long. Which it will be is not known before, so each gets as much work as the other, and
//! the turns become longer and longer. Work is counted, not timed: runs repeat. When the memory
//! is used up, be it in the first turn, the plain search is given up and the other has all of it.

use super::cheapest::Blind;
use super::lm_cut::LmCut;
use super::search::{Found, Search};
use super::task::GroundTask;
use crate::budget::{Limit, SearchBudget};

/// The plain search is alone until it has generated so many states: a fraction of a second.
pub(super) const FIRST_TURN: u64 = 1 << 22;

/// The search with a bound.
#[derive(Debug, Default)]
pub(super) struct Second {
    search: Search,
    bound: LmCut,
    has_begun: bool,
    /// Whether the answer is its.
    has_answered: bool,
    /// Whether the plain search was given up.
    is_alone: bool,
    /// Each turn ends at twice the work of the one before.
    turn: u32,
}

impl Second {
    /// Lets the next search begin anew.
    pub(super) fn forget(&mut self) {
        self.has_begun = false;
        self.has_answered = false;
        self.is_alone = false;
        self.turn = 0;
    }

    /// Lets the plain search have no turn.
    pub(super) fn be_alone(&mut self) {
        self.forget();
        self.is_alone = true;
    }
}

impl Search {
    pub(super) fn run_in_turns(&mut self, task: &GroundTask, budget: &SearchBudget<'_>) -> Found {
        let mut left = *budget;
        loop {
            let turn = self.second.as_ref().map_or(0, |second| second.turn);
            let until = self.first_turn << turn.min(40);
            if !self.second.as_ref().is_some_and(|second| second.is_alone) {
                left.bytes = budget.bytes.saturating_sub(self.other().map_or(0, Search::own_bytes));
                let before = self.nodes;
                let found = self.run_until(task, &left, &mut Blind, until);
                left.nodes -= self.nodes - before;
                match found {
                    Some(Found::Limit(Limit::Memory)) => self.give_up(),
                    Some(found) => return found,
                    None => {}
                }
            }
            if let Some(found) = self.run_second(task, budget, &mut left, until) {
                return found;
            }
        }
    }

    /// The second search's turn.
    fn run_second(
        &mut self,
        task: &GroundTask,
        budget: &SearchBudget<'_>,
        left: &mut SearchBudget<'_>,
        until: u64,
    ) -> Option<Found> {
        let plain_bytes = self.own_bytes();
        let (counts_steps, most_made) = (self.counts_steps, self.most_made);
        let second = self.second.get_or_insert_default();
        if !second.has_begun {
            second.has_begun = true;
            second.search.begin_estimated(task);
            second.search.counts_steps = counts_steps;
            second.search.most_made = most_made;
            second.bound.fill(task, &second.search.packed, counts_steps);
        }
        left.bytes = budget.bytes.saturating_sub(if second.is_alone { 0 } else { plain_bytes });
        let before = second.search.nodes;
        let found = second.search.run_until(task, left, &mut second.bound, until);
        left.nodes -= second.search.nodes - before;
        match found {
            Some(Found::Limit(Limit::Memory)) if !second.is_alone => self.give_up(),
            Some(found) => {
                second.has_answered = !matches!(found, Found::Limit(_));
                return Some(found);
            }
            None => second.turn += 1,
        }
        None
    }

    /// Gives the plain search up, and its memory back.
    fn give_up(&mut self) {
        self.states.free();
        self.open.free();
        self.second.get_or_insert_default().is_alone = true;
    }

    /// The other search, if it has begun.
    pub(super) fn other(&self) -> Option<&Search> {
        self.second.as_deref().filter(|second| second.has_begun).map(|second| &second.search)
    }

    /// The search whose states are looked at in order: the plain one, as long as there is one.
    pub(super) fn looking(&self) -> &Search {
        let is_alone = self.second.as_deref().is_some_and(|second| second.is_alone);
        self.other().filter(|_| is_alone).unwrap_or(self)
    }

    /// The one of the two that gave the answer; this one if none did yet.
    pub(super) fn answering(&self) -> &Search {
        let second = self.second.as_deref().filter(|second| second.has_answered);
        second.map_or(self, |second| &second.search)
    }

    pub(super) fn answering_mut(&mut self) -> Option<&mut Search> {
        let second = self.second.as_deref_mut().filter(|second| second.has_answered);
        second.map(|second| &mut second.search)
    }
}
