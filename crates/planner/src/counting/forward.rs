//! Forward search with amounts: from what holds now, state by state. Serves every task.
//!
//! In:   a task, a budget.
//! Out:  a cheapest plan, a proof that there is none, or the limit hit, after which it can go on:
//!       answer and count of nodes are those of one go.
//! Cost: A* on packed states: per node two subtractions per action and word, per new state a hash;
//!       30 to 60 bytes per state. No allocation once warm.
//!
//! Small questions are answered before an estimate has paid for itself: so a search begins without
//! one, and after `HASTE_NODES` nodes again, with potentials (`guide`). More of these are made as
//! it grows, from states that it meets: what says most about the start says little about them.
//!
//! Order: least total first, of the same total the state reached last; actions in order. A state
//! that is reached more cheaply later is expanded again, so estimates need not be consistent.

use super::greedy::Greedy;
use super::guide::Guide;
use super::packed::Packed;
use super::potential::Potential;
use super::queue::Queue;
use super::solver::Weighed;
use super::states::{States, Way};
use super::{CountingFound, CountingTask};
use crate::budget::{Limit, SearchBudget};
use throng_base::reset;

/// How often the caller's `stop` is asked, in nodes. Tests stop wherever a search can be stopped.
const STOP_EVERY: u64 = if cfg!(test) { 1 } else { 1024 };

/// After how many nodes a search that has not ended begins again with an estimate.
const HASTE_NODES: u64 = 12;
/// After how many nodes one for any plan begins to guess.
const FAST_HASTE_NODES: u64 = 48;
/// After how many nodes with an estimate there is a second one.
const FIRST_WEIGHING: u64 = 8;

/// What is left to pay from a state, in units of [`Packed::unit`]: never more than the truth.
pub(super) trait Estimate {
    /// From any state; `None` if the goal cannot be reached.
    fn rest(&mut self, state: &[u64]) -> Option<u64>;

    /// Looks at a state that is expanded.
    fn look(&mut self, state: &[u64]);

    /// From a state that a row leads to from the one that was looked at.
    fn rest_after(&mut self, row: usize, state: &[u64]) -> Option<u64>;
}

/// Knows nothing: cheapest first.
pub(super) struct Blind;

impl Estimate for Blind {
    #[inline]
    fn rest(&mut self, _: &[u64]) -> Option<u64> {
        Some(0)
    }

    #[inline]
    fn look(&mut self, _: &[u64]) {}

    #[inline]
    fn rest_after(&mut self, _: usize, _: &[u64]) -> Option<u64> {
        Some(0)
    }
}

/// Forward search, and its memory, reused from task to task.
#[derive(Debug, Default)]
pub struct CountingForward {
    pub(super) packed: Packed,
    pub(super) states: States,
    pub(super) queue: Queue,
    /// The state being expanded, and one after it.
    pub(super) state: Vec<u64>,
    pub(super) next: Vec<u64>,
    pub(super) expanded: u64,
    /// The node where the goal holds, once it is found.
    pub(super) goal: Option<u32>,
    guide: Guide,
    pub(super) greedy: Greedy,
    /// By row: whether it seemed to help where the state at hand was guessed.
    pub(super) helping: Vec<bool>,
    pub(super) phase: Phase,
    /// At so many nodes since the estimate began there is another potential.
    next_weighing: u64,
    weighing_gap: u64,
    /// Nodes before were met before there were so many potentials.
    n_judged_before: u32,
}

/// What a search is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Phase {
    /// Cheapest first, not for long.
    #[default]
    Haste,
    /// Cheapest first.
    Blind,
    /// By total, with potentials.
    Guided,
    /// Any plan: cheapest first, not for long.
    FastHaste,
    /// Any plan: by what is left, as guessed.
    Greedy,
}

impl CountingForward {
    /// Begins a search.
    pub fn begin(&mut self, task: &CountingTask) {
        self.begin_in(task, Phase::Haste);
    }

    /// Begins a search without estimates, for those who count its states.
    pub fn begin_blind(&mut self, task: &CountingTask) {
        self.begin_in(task, Phase::Blind);
    }

    /// Begins a search with estimates at once, which [`CountingForward::begin`] does after a while.
    pub fn begin_guided(&mut self, task: &CountingTask) {
        self.begin_in(task, Phase::Haste);
        self.be_guided(task);
    }

    /// Begins to look for any plan, soon.
    pub fn begin_fast(&mut self, task: &CountingTask) {
        self.begin_in(task, Phase::FastHaste);
    }

    /// Begins to look for any plan by guesses at once, which [`CountingForward::begin_fast`] does
    /// after a while.
    pub fn begin_greedy(&mut self, task: &CountingTask) {
        self.begin_in(task, Phase::Greedy);
        self.be_greedy(task);
    }

    fn be_greedy(&mut self, task: &CountingTask) {
        self.phase = Phase::Greedy;
        self.greedy.guess.fill(task, &self.packed);
        self.begin_guessing(task.start());
    }

    fn begin_in(&mut self, task: &CountingTask, phase: Phase) {
        self.packed.fill(task);
        self.guide.clear();
        self.phase = phase;
        self.expanded = 0;
        self.start_over();
    }

    /// Forgets all states but the start.
    pub(super) fn start_over(&mut self) {
        reset(&mut self.state, self.packed.width(), 0);
        reset(&mut self.next, self.packed.width(), 0);
        self.states.begin(self.packed.start());
        self.goal = None;
        self.n_judged_before = 0;
        let rest = self.guide.rest(self.packed.start());
        self.queue.clear(rest.unwrap_or(0));
        if let (Some(rest), false) = (rest, self.packed.is_never()) {
            self.queue.push(rest, 0);
        }
    }

    /// Begins again with an estimate, if there is one.
    fn be_guided(&mut self, task: &CountingTask) {
        self.phase = Phase::Blind;
        if self.guide.weigh(task, &self.packed, self.packed.start()) != Weighed::Nothing {
            self.phase = Phase::Guided;
            self.weighing_gap = FIRST_WEIGHING;
            self.next_weighing = self.expanded + FIRST_WEIGHING;
            self.start_over();
        }
    }

    /// Searches on, within a budget; `task` is the one it was begun with. Writes the plan's actions
    /// if there is one.
    pub fn run(
        &mut self,
        task: &CountingTask,
        budget: &SearchBudget<'_>,
        plan: &mut Vec<u32>,
    ) -> CountingFound {
        plan.clear();
        let found = match self.packed.width() {
            1 => self.run_wide::<1>(task, budget),
            2 => self.run_wide::<2>(task, budget),
            3 => self.run_wide::<3>(task, budget),
            4 => self.run_wide::<4>(task, budget),
            _ => self.run_wide::<0>(task, budget),
        };
        self.hand_out(found, plan)
    }

    /// Goes from phase to phase.
    fn run_wide<const W: usize>(
        &mut self,
        task: &CountingTask,
        budget: &SearchBudget<'_>,
    ) -> Result<(), Limit> {
        let before = self.expanded;
        loop {
            let left = SearchBudget { nodes: budget.nodes - (self.expanded - before), ..*budget };
            match self.phase {
                Phase::Haste => {
                    if self.search::<W, _>(&mut Blind, &left, HASTE_NODES)? {
                        return Ok(());
                    }
                    self.be_guided(task);
                }
                Phase::FastHaste => {
                    if self.search::<W, _>(&mut Blind, &left, FAST_HASTE_NODES)? {
                        return Ok(());
                    }
                    self.be_greedy(task);
                }
                Phase::Greedy => return self.search_greedily::<W>(&left),
                Phase::Blind => {
                    return self.search::<W, _>(&mut Blind, &left, u64::MAX).map(|_| ());
                }
                Phase::Guided => {
                    // Taken out, because the search is changed beside it.
                    let mut guide = std::mem::take(&mut self.guide);
                    let found = self.search::<W, _>(&mut guide, &left, self.next_weighing);
                    if let (Ok(false), Some((_, node))) = (found, self.queue.peek()) {
                        guide.weigh(task, &self.packed, self.states.state::<W>(node));
                        self.n_judged_before = self.states.len() as u32;
                        self.weighing_gap *= 3;
                        self.next_weighing = self.expanded + self.weighing_gap;
                    }
                    self.guide = guide;
                    if found? {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// The ray that proves that there is no plan, if that is why there is none: a worth that no
    /// action raises, and that the goal has more of than the start.
    pub fn ray(&self) -> Option<&Potential> {
        let is_ray = self.phase == Phase::Guided && self.states.len() == 1 && self.guide.has_ray();
        is_ray.then(|| self.guide.last())
    }

    /// How many states were expanded since it began.
    pub fn nodes(&self) -> u64 {
        self.expanded
    }

    /// No plan costs less, as far as the search has come.
    pub(super) fn bound(&mut self) -> u64 {
        self.queue.peek().map_or(0, |(total, _)| total.saturating_mul(self.packed.unit()))
    }

    /// Bytes in use for states.
    pub fn bytes(&self) -> usize {
        self.states.bytes() + self.queue.bytes() + self.greedy.bytes()
    }

    /// Writes the plan to the goal, if it was found.
    pub(super) fn hand_out(&self, found: Result<(), Limit>, plan: &mut Vec<u32>) -> CountingFound {
        if let Err(limit) = found {
            return CountingFound::Limit(limit);
        }
        let Some(goal) = self.goal else { return CountingFound::Impossible };
        self.states.rows_to(goal, plan);
        plan.iter_mut().for_each(|row| *row = self.packed.actions()[*row as usize]);
        CountingFound::Plan
    }

    /// Expands until the goal is found or nothing is left to expand, which is the end, or so many
    /// were expanded.
    fn search<const W: usize, E: Estimate>(
        &mut self,
        estimate: &mut E,
        budget: &SearchBudget<'_>,
        until: u64,
    ) -> Result<bool, Limit> {
        let before = self.expanded;
        while let (None, Some((total, node))) = (self.goal, self.queue.peek()) {
            if self.states.is_done(node) {
                self.queue.pop();
                continue;
            }
            self.state.copy_from_slice(self.states.state::<W>(node));
            if self.packed.is_goal::<W>(&self.state) {
                self.goal = Some(node);
                return Ok(true);
            }
            if node < self.n_judged_before && self.put_back(estimate, node, total) {
                continue;
            }
            self.limit(budget, before)?;
            if self.expanded >= until {
                return Ok(false);
            }
            self.queue.pop();
            self.states.set_done(node);
            self.expanded += 1;
            self.expand::<W, E>(estimate, node, total);
        }
        // It is no proof if some state had no number.
        if self.goal.is_none() && self.states.is_full() { Err(Limit::Memory) } else { Ok(true) }
    }

    /// Lets the next node, the state at hand, wait longer if its estimate has risen.
    fn put_back<E: Estimate>(&mut self, estimate: &mut E, node: u32, total: u64) -> bool {
        let rest = estimate.rest(&self.state);
        let risen = rest.map(|rest| self.states.way(node).g.saturating_add(rest));
        if risen.is_some_and(|risen| risen <= total) {
            return false;
        }
        self.queue.pop();
        match risen {
            Some(risen) => self.queue.push(risen, node),
            None => self.states.set_done(node),
        }
        true
    }

    /// The limit that forbids another state, if any; `before` is how many there were when the call
    /// began.
    #[inline]
    pub(super) fn limit(&self, budget: &SearchBudget<'_>, before: u64) -> Result<(), Limit> {
        let spent = self.expanded - before;
        if spent >= budget.nodes {
            return Err(Limit::Nodes);
        }
        if self.bytes() > budget.bytes || self.states.is_full() {
            return Err(Limit::Memory);
        }
        if spent.is_multiple_of(STOP_EVERY) && budget.stop.is_some_and(|stop| stop()) {
            return Err(Limit::Stopped);
        }
        Ok(())
    }

    /// Meets the states after the one at hand.
    #[inline]
    fn expand<const W: usize, E: Estimate>(&mut self, estimate: &mut E, node: u32, total: u64) {
        let g = self.states.way(node).g;
        estimate.look(&self.state);
        for row in 0..self.packed.actions().len() {
            if !self.packed.fits::<W>(row, &self.state) {
                continue;
            }
            self.packed.apply::<W>(row, &self.state, &mut self.next);
            let g = g.saturating_add(self.packed.costs()[row]);
            let way = Way::new(g, node, row);
            let Some((next, is_new)) = self.states.find_or_add::<W>(&self.next, way) else {
                continue;
            };
            if !is_new {
                if g >= self.states.way(next).g {
                    continue;
                }
                self.states.set_way(next, way);
            }
            // Nothing cheaper is to come.
            if g <= total && self.packed.is_goal::<W>(&self.next) {
                self.goal = Some(next);
                return;
            }
            match estimate.rest_after(row, &self.next) {
                Some(rest) => self.queue.push(g.saturating_add(rest), next),
                // Kept, so that it is not looked at again.
                None => self.states.set_done(next),
            }
        }
    }
}
