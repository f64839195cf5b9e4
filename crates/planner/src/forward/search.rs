//! The search on a task: begun, gone on with, stopped at limits.
//!
//! In:   a task, a mode, a budget.
//! Out:  the state where the goal holds and the operators that lead there; or that there is
//!       none; or the limit hit, after which it can go on.
//! Cost: `shortest` is breadth-first: the successors of every state nearer than the goal; large
//!       searches are shared with A* (`turns`). `cheapest` and `fast` say their own.
//!
//! Breadth-first, states are expanded in the order of their discovery. The goal is looked for when a state is
//! made, a whole level earlier than when it is taken out.
//!
//! To show progress, run in slices of nodes: between two calls [`Search::progress`] tells how
//! far it is, and slices come to the same answer as one go.

use super::cheapest::{Blind, Heuristic, OpenList};
use super::derived::Derived;
use super::greedy::Greedy;
use super::packed::Packed;
use super::states::LaneStates;
use super::stop::Stop;
use super::successors::Successors;
use super::task::GroundTask;
use super::turns::{FIRST_TURN, Second};
use crate::budget::{Limit, Mode, SearchBudget};
use throng_base::reset;

/// A fast search begins breadth-first, which ends soon for most questions of a game; with so
/// many states it begins again greedily.
const HASTE_STATES: usize = 64;
/// How many states are expanded together: the more, the more reads of memory are under way at
/// the same time. The order of everything is the same as one by one. Memory is looked at, and
/// another search has its turn, only where a multiple of so many were expanded: that must not
/// depend on where calls ended.
const BATCH: u64 = 16;
/// So many successors are enough for that, and no more states are added to a batch: the table
/// has room for all of them before it is known which are new.
const ENOUGH_MADE: usize = 128;
/// So many words of states are made before they are looked up and limits are asked: of a large
/// state's successors only some at a time.
const MOST_WORDS_MADE: usize = 1 << 16;

/// What a search came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// The goal holds in this state.
    Goal(u32),
    /// Every state that could lead to the goal was tried.
    Nothing,
    /// A limit was hit.
    Limit(Limit),
}

/// How states are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Order {
    #[default]
    Breadth,
    /// Breadth-first until there are many states.
    Haste,
    Greedy,
    Cheapest,
}

/// A search, and its memory, reused from task to task.
#[derive(Debug, Default)]
pub struct Search {
    pub(super) order: Order,
    pub(super) packed: Packed,
    pub(super) derived: Derived,
    pub(super) successors: Successors,
    pub(super) states: LaneStates,
    pub(super) open: OpenList,
    pub(super) greedy: Greedy,
    pub(super) second: Option<Box<Second>>,
    /// Whether another search may take turns with this one.
    pub(super) takes_turns: bool,
    /// The work of the first turn.
    pub(super) first_turn: u64,
    /// Whether every operator counts as one, whatever it costs.
    pub(super) counts_steps: bool,
    start_is_goal: bool,
    start: Vec<u64>,
    /// The state being looked at, derived variables and all; and one that is only tried.
    pub(super) words: Vec<u64>,
    pub(super) tried: Vec<u64>,
    pub(super) path: Vec<u32>,
    /// The next state to be expanded breadth-first; greedily the one looked at last.
    pub(super) next: u32,
    /// So many successors are made at a time, and so many were met of the state being expanded.
    pub(super) most_made: usize,
    pub(super) n_done: usize,
    pub(super) nodes: u64,
    pub(super) generated: u64,
    pub(super) dead_ends: u64,
}

/// What came of running on; `None` if the turn is over.
pub(super) type Paused = Result<Option<Found>, Limit>;

/// What a search is run with.
pub(super) struct Run<'r, 'b, E> {
    pub(super) task: &'r GroundTask,
    pub(super) budget: SearchBudget<'b>,
    pub(super) heuristic: &'r mut E,
    /// The turn is over at as much work as it takes to generate so many states.
    pub(super) until: u64,
    pub(super) stop: Stop<'b>,
}

impl Search {
    /// Begins a search.
    pub fn begin(&mut self, task: &GroundTask, mode: Mode) {
        let order = match mode {
            Mode::Shortest => Order::Breadth,
            Mode::Cheapest if task.all_cost_the_same() => Order::Breadth,
            Mode::Cheapest => Order::Cheapest,
            Mode::Fast => Order::Haste,
        };
        self.begin_in(task, order);
        self.counts_steps = order == Order::Breadth;
        self.takes_turns = mode != Mode::Fast;
        self.first_turn = FIRST_TURN;
    }

    /// Begins an exact search, cheapest or shortest, with a lower bound at once; [`Search::begin`]
    /// does so after a while.
    pub fn begin_bounded(&mut self, task: &GroundTask, mode: Mode) {
        self.begin(task, mode);
        self.takes_turns = true;
        self.second.get_or_insert_default().be_alone();
    }

    /// Begins a breadth-first search that no other shares, for those who count its states.
    pub fn begin_breadth_first(&mut self, task: &GroundTask) {
        self.begin_in(task, Order::Breadth);
        self.counts_steps = true;
    }

    /// Lets nothing be done several at a time, from the next search on, whatever the processor can
    /// do. The order of everything is the same: only the time differs, which is what this is for.
    pub fn be_plain(&mut self, is_plain: bool) {
        self.successors.is_plain = is_plain;
        self.states.is_plain = is_plain;
    }

    /// Begins a greedy search at once, which [`Mode::Fast`] does after some haste.
    pub fn begin_greedily(&mut self, task: &GroundTask) {
        self.begin_in(task, Order::Greedy);
        self.greedy.begin(task, &self.packed);
    }

    /// Begins an A* search with an estimate, which is given to [`Search::run_with`].
    pub(crate) fn begin_estimated(&mut self, task: &GroundTask) {
        self.begin_in(task, Order::Cheapest);
    }

    fn begin_in(&mut self, task: &GroundTask, order: Order) {
        self.packed.fill(task);
        self.derived.fill(task, &self.packed);
        self.successors.fill(task, &self.packed);
        self.packed.pack_start(&mut self.start);
        reset(&mut self.words, self.packed.n_words(), 0);
        self.most_made = (MOST_WORDS_MADE / self.packed.n_stored().max(1)).max(1);
        self.nodes = 0;
        self.generated = 0;
        self.takes_turns = false;
        self.counts_steps = false;
        if let Some(second) = &mut self.second {
            second.forget();
        }
        self.start_over(order);
        self.look::<0>(0);
        self.start_is_goal = self.packed.is_whole_goal(&self.words);
    }

    fn start_over(&mut self, order: Order) {
        self.order = order;
        let in_order = matches!(order, Order::Breadth | Order::Haste);
        self.states.begin(&self.packed, &self.start, in_order);
        self.open.begin();
        self.next = 0;
        self.n_done = 0;
        self.dead_ends = 0;
    }

    /// Searches on, within a budget. `task` is the one it was begun with.
    pub fn run(&mut self, task: &GroundTask, budget: &SearchBudget<'_>) -> Found {
        if self.takes_turns && !self.start_is_goal {
            return self.run_in_turns(task, budget);
        }
        self.run_with(task, budget, &mut Blind)
    }

    pub(crate) fn run_with(
        &mut self,
        task: &GroundTask,
        budget: &SearchBudget<'_>,
        heuristic: &mut impl Heuristic,
    ) -> Found {
        // More states than that cannot be numbered.
        self.run_until(task, budget, heuristic, u64::MAX).unwrap_or(Found::Nothing)
    }

    /// Searches on; `None` if it took as much work as it takes to generate `until` states.
    pub(super) fn run_until(
        &mut self,
        task: &GroundTask,
        budget: &SearchBudget<'_>,
        heuristic: &mut impl Heuristic,
        until: u64,
    ) -> Option<Found> {
        if self.start_is_goal {
            return Some(Found::Goal(0));
        }
        let stop = Stop::new(budget);
        let run = &mut Run { task, budget: *budget, heuristic, until, stop };
        let found = match self.packed.n_halves() {
            1 => self.run_wide::<1, _>(run),
            2 => self.run_wide::<2, _>(run),
            3 => self.run_wide::<3, _>(run),
            4 => self.run_wide::<4, _>(run),
            5 => self.run_wide::<5, _>(run),
            6 => self.run_wide::<6, _>(run),
            _ => self.run_wide::<0, _>(run),
        };
        found.unwrap_or_else(|limit| Some(Found::Limit(limit)))
    }

    fn run_wide<const H: usize, E: Heuristic>(&mut self, run: &mut Run<'_, '_, E>) -> Paused {
        if self.order == Order::Haste {
            let before = self.nodes;
            let found = self.breadth_first::<H, E>(run, HASTE_STATES)?;
            if found.is_some() {
                return Ok(found);
            }
            run.budget.nodes -= self.nodes - before;
            run.stop = Stop::new(&run.budget);
            self.greedy.begin(run.task, &self.packed);
            self.start_over(Order::Greedy);
        }
        match self.order {
            Order::Breadth | Order::Haste => self.breadth_first::<H, E>(run, usize::MAX),
            Order::Greedy => self.greedily::<H, E>(run),
            Order::Cheapest => self.cheapest::<H, E>(run),
        }
    }

    /// Reads a state, and derives what follows from it.
    #[inline]
    pub(super) fn look<const H: usize>(&mut self, state: u32) {
        self.states.read::<H>(state, &mut self.words);
        self.derived.derive(&self.packed, &mut self.words);
    }

    /// Expands states in the order of their discovery; `None` if there are `most`, or `until`
    /// were generated.
    fn breadth_first<const H: usize, E>(
        &mut self,
        run: &mut Run<'_, '_, E>,
        most: usize,
    ) -> Paused {
        let before = self.nodes;
        let Run { budget, until, stop, .. } = run;
        let mut work = 0;
        // Wide states take longer.
        let weight = 1 + self.packed.n_halves() as u64 / 16;
        // When to begin again must not depend on where calls began and ended.
        let batch = if most == usize::MAX { BATCH } else { 1 };
        while (self.next as usize) < self.states.len() {
            let is_turn_over = self.generated >= *until && self.nodes.is_multiple_of(BATCH);
            if self.states.len() >= most || is_turn_over {
                return Ok(None);
            }
            if self.nodes - before >= budget.nodes {
                return Err(Limit::Nodes);
            }
            // Nor must when the memory ends; among many successors it may end anywhere.
            let is_between = self.n_done == 0 && !self.nodes.is_multiple_of(BATCH);
            if !is_between && self.is_too_large(budget) {
                return Err(Limit::Memory);
            }
            stop.after(work)?;
            let left = budget.nodes - (self.nodes - before);
            let waiting = self.states.len() as u64 - u64::from(self.next);
            let to_change = BATCH - self.nodes % BATCH;
            let batch = batch.min(left).min(waiting).min(to_change) as u32;
            let generated = self.generated;
            if let Some(goal) = self.expand::<H>(batch) {
                return Ok(Some(Found::Goal(goal)));
            }
            work = (u64::from(batch) + self.generated - generated) * weight;
        }
        self.end()
    }

    /// What it means that no state is left: it is no proof if some had no number.
    pub(super) fn end(&self) -> Paused {
        if self.states.is_full() { Err(Limit::Memory) } else { Ok(Some(Found::Nothing)) }
    }

    /// Expands the next so many states, or the first of them; gives a goal among their
    /// successors.
    fn expand<const H: usize>(&mut self, batch: u32) -> Option<u32> {
        let first = self.next;
        self.states.clear_made();
        let mut end = first;
        while end < first + batch && self.states.n_made() < ENOUGH_MADE {
            self.look::<H>(end);
            self.successors.find(&self.words);
            let n_done = std::mem::take(&mut self.n_done);
            let operators = &self.successors.found()[n_done..];
            if operators.len() > self.most_made {
                let some = &operators[..self.most_made];
                self.states.make::<H>(&self.packed, end, &self.words, some);
                self.n_done = n_done + self.most_made;
                break;
            }
            self.states.make::<H>(&self.packed, end, &self.words, operators);
            end += 1;
        }
        self.states.look_up::<H>();
        for at in 0..self.states.n_made() {
            let Some((state, way, true)) = self.states.take::<H>(at) else { continue };
            if self.is_goal::<H>(at) {
                self.next = way.parent + 1;
                self.nodes += u64::from(self.next - first);
                self.generated += at as u64 + 1;
                return Some(state);
            }
        }
        self.next = end;
        self.nodes += u64::from(end - first);
        self.generated += self.states.n_made() as u64;
        None
    }

    /// Makes the next successors of a state, behind those that were met; `false` if there are no
    /// more.
    pub(super) fn make_some<const H: usize>(&mut self, state: u32) -> bool {
        self.look::<H>(state);
        self.successors.find(&self.words);
        self.states.clear_made();
        let end = self.successors.found().len().min(self.n_done + self.most_made);
        let some = &self.successors.found()[self.n_done..end];
        self.states.make::<H>(&self.packed, state, &self.words, some);
        !some.is_empty()
    }

    /// Whether the goal holds in a state that was made.
    #[inline]
    fn is_goal<const H: usize>(&mut self, made: usize) -> bool {
        let words = self.states.made::<H>(made);
        if !self.packed.is_goal(words) || !self.packed.goal_is_derived() {
            return self.packed.is_goal(words);
        }
        words.clone_into(&mut self.tried);
        self.tried.resize(self.packed.n_words(), 0);
        self.derived.derive(&self.packed, &mut self.tried);
        self.packed.is_whole_goal(&self.tried)
    }

    /// The limit that forbids another state, if any; `before` is how many there were when the
    /// call began.
    #[inline]
    pub(super) fn limit(&self, budget: &SearchBudget<'_>, before: u64) -> Result<(), Limit> {
        match self.is_too_large(budget) {
            _ if self.nodes - before >= budget.nodes => Err(Limit::Nodes),
            true => Err(Limit::Memory),
            false => Ok(()),
        }
    }

    #[inline]
    fn is_too_large(&self, budget: &SearchBudget<'_>) -> bool {
        self.own_bytes() > budget.bytes || self.states.is_full()
    }

    /// Bytes in use, those of the search it takes turns with aside.
    pub(super) fn own_bytes(&self) -> usize {
        let waiting = match self.order {
            Order::Breadth | Order::Haste => 0,
            Order::Greedy => self.greedy.bytes(),
            Order::Cheapest => self.open.bytes(),
        };
        self.states.bytes() + waiting
    }
}
