//! Both searches for one answer, in turns: from the goal back, and from what holds now.
//!
//! In:   a task, a budget.
//! Out:  whatever one of the two finds first: both are exact.
//! Cost: little more than twice the better one, as a rule less, at most five times; and the memory
//!       of both. When memory ends the larger one is given up and the other has all of it.
//!
//! Going back is better where much can be had in any order, going forward where ranges are tight
//! or wares go in circles; which it will be is not known before. Both know at any time what a plan
//! costs at least: the one that knows less is further from the end, so its turns are short. Small
//! questions must not pay for both: a cheapest plan is looked for forward first, which takes least
//! to begin; any plan from the goal back, until its haste is over. Work is counted, not timed: the
//! same question has the same answer and the same count, whatever the calls were.

use super::backward::Backward;
use super::forward::CountingForward;
use super::found::CountingFound;
use super::task::CountingTask;
use crate::budget::{Limit, SearchBudget};

/// The least turn of the search from the goal back, in nodes.
const LEAST_BACKWARD: u64 = 48;
/// The same forward: a node is a few words, one back is a set per variable.
const LEAST_FORWARD: u64 = 128;
/// The same where any plan will do: more than the haste from the goal back, and a guess takes as
/// long as a node back.
const LEAST_FAST: u64 = 72;
/// A turn is so much longer than the one before: a part of what that one has spent so far. Longer
/// turns find more of their memory near.
const GROWTH: u64 = 8;
/// By how much the turns are shorter of the one that knows less about the cost.
const BEHIND: u64 = 4;

/// Where a search begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// At the goal.
    Backward,
    /// At what holds now.
    Forward,
}

impl Direction {
    fn other(self) -> Direction {
        match self {
            Direction::Backward => Direction::Forward,
            Direction::Forward => Direction::Backward,
        }
    }
}

/// Working memory of both searches, which can be resumed; keep one per thread and reuse it.
#[derive(Debug, Default)]
pub struct Counting {
    backward: Backward,
    forward: CountingForward,
    turns: Turns,
}

/// Who is next, and how far.
#[derive(Clone, Copy, Debug)]
struct Turns {
    whose: Direction,
    /// The turn is over at so many nodes of the one whose it is.
    until: u64,
    /// Whether the other one has begun.
    is_both: bool,
    /// Whether there is no other one, or no longer.
    is_alone: bool,
    /// Whether any plan will do.
    is_fast: bool,
    /// What the one that was given up has spent.
    n_given_up: u64,
    answered: Option<Direction>,
}

impl Default for Turns {
    fn default() -> Self {
        Turns {
            whose: Direction::Forward,
            until: LEAST_FORWARD,
            is_both: false,
            is_alone: false,
            is_fast: false,
            n_given_up: 0,
            answered: None,
        }
    }
}

impl Turns {
    /// The least turn of the one whose it is, in nodes.
    fn least(&self) -> u64 {
        match self.whose {
            _ if self.is_fast => LEAST_FAST,
            Direction::Backward => LEAST_BACKWARD,
            Direction::Forward => LEAST_FORWARD,
        }
    }
}

impl Counting {
    /// Begins to look for a cheapest plan, with one of the searches or with both in turns.
    pub fn begin(&mut self, task: &CountingTask, which: Option<Direction>) {
        self.begin_in(task, which, false);
    }

    /// Begins to look for any plan, soon: forward by guesses instead of cheapest first.
    pub fn begin_fast(&mut self, task: &CountingTask, which: Option<Direction>) {
        self.begin_in(task, which, true);
    }

    fn begin_in(&mut self, task: &CountingTask, which: Option<Direction>, is_fast: bool) {
        self.turns = Turns { is_alone: which.is_some(), is_fast, ..Turns::default() };
        let first = if is_fast { Direction::Backward } else { Direction::Forward };
        self.turns.whose = which.unwrap_or(first);
        self.turns.until = self.turns.least();
        match self.turns.whose {
            Direction::Backward => self.backward.begin(task),
            Direction::Forward if is_fast => self.forward.begin_fast(task),
            Direction::Forward => self.forward.begin(task),
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
        let mut left = budget.nodes;
        loop {
            let Turns { whose, until, is_alone, .. } = self.turns;
            let before = self.nodes_of(whose);
            let most = if is_alone { left } else { left.min(until.saturating_sub(before)) };
            let others = if self.turns.is_both { self.bytes_of(whose.other()) } else { 0 };
            let bytes = budget.bytes.saturating_sub(others);
            let own = SearchBudget { nodes: most, bytes, ..*budget };
            let found = match whose {
                Direction::Backward => self.backward.run(task, &own, plan),
                Direction::Forward => self.forward.run(task, &own, plan),
            };
            left -= (self.nodes_of(whose) - before).min(left);
            match found {
                CountingFound::Limit(Limit::Nodes)
                    if !is_alone && self.nodes_of(whose) >= until =>
                {
                    self.pass_on(task);
                }
                CountingFound::Limit(Limit::Memory) if !is_alone => self.give_up(task, budget),
                CountingFound::Limit(_) => return found,
                CountingFound::Plan | CountingFound::Impossible => {
                    self.turns.answered = Some(whose);
                    return found;
                }
            }
        }
    }

    /// The other one is next.
    fn pass_on(&mut self, task: &CountingTask) {
        self.turns.whose = self.turns.whose.other();
        if !self.turns.is_both {
            self.turns.is_both = true;
            self.begin_second(task);
        }
        let spent = self.nodes_of(self.turns.whose);
        let turn = self.turns.least().max(spent / GROWTH);
        self.turns.until = spent + if self.is_behind() { turn / BEHIND } else { turn };
    }

    /// Whether the one whose turn it is has begun, and knows less than the other about what a plan
    /// costs at least.
    fn is_behind(&mut self) -> bool {
        let (back, forth) = (self.backward.bound(), self.forward.bound());
        let is_less = match self.turns.whose {
            Direction::Backward => back < forth,
            Direction::Forward => forth < back,
        };
        is_less && !self.turns.is_fast && self.nodes_of(self.turns.whose) > 0
    }

    /// Begins the one whose turn it is: as a rule the question is no small one. Forward is second
    /// only where any plan will do.
    fn begin_second(&mut self, task: &CountingTask) {
        match self.turns.whose {
            Direction::Backward => self.backward.begin_guided(task),
            Direction::Forward if self.backward.nodes() > 0 => self.forward.begin_greedy(task),
            Direction::Forward => self.forward.begin_fast(task),
        }
    }

    /// Memory is used up: one of the two is given up, and its memory back. The larger one, or the
    /// one whose turn it is if there are bytes left.
    fn give_up(&mut self, task: &CountingTask, budget: &SearchBudget<'_>) {
        let (own, other) = (self.turns.whose, self.turns.whose.other());
        if !self.turns.is_both {
            self.turns.whose = other;
            self.begin_second(task);
        } else if self.bytes() <= budget.bytes || self.bytes_of(own) >= self.bytes_of(other) {
            self.turns.whose = other;
        }
        let loser = self.turns.whose.other();
        self.turns.n_given_up = self.nodes_of(loser);
        match loser {
            Direction::Backward => self.backward = Backward::default(),
            Direction::Forward => self.forward = CountingForward::default(),
        }
        self.turns.is_both = false;
        self.turns.is_alone = true;
    }

    fn nodes_of(&self, which: Direction) -> u64 {
        match which {
            Direction::Backward => self.backward.nodes(),
            Direction::Forward => self.forward.nodes(),
        }
    }

    fn bytes_of(&self, which: Direction) -> usize {
        match which {
            Direction::Backward => self.backward.bytes(),
            Direction::Forward => self.forward.bytes(),
        }
    }

    /// How many nodes were expanded since it began, by both.
    pub fn nodes(&self) -> u64 {
        let others = if self.turns.is_both { self.nodes_of(self.turns.whose.other()) } else { 0 };
        self.nodes_of(self.turns.whose) + others + self.turns.n_given_up
    }

    /// Bytes in use, by both.
    pub fn bytes(&self) -> usize {
        let others = if self.turns.is_both { self.bytes_of(self.turns.whose.other()) } else { 0 };
        self.bytes_of(self.turns.whose) + others
    }

    /// Who answered, if there is an answer.
    pub fn answered(&self) -> Option<Direction> {
        self.turns.answered
    }

    /// How many nodes were spent by a search that was given up for want of memory.
    pub fn given_up(&self) -> u64 {
        self.turns.n_given_up
    }

    throng_base::getters! {
        /// The search from the goal back.
        backward: &Backward;
        /// The search from what holds now.
        forward: &CountingForward;
    }
}
