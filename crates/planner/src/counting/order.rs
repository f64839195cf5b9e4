//! The same steps in another order, so that no upper end is in the way.
//!
//! In:   a task and the steps of a plan that ignored ends of ranges.
//! Out:  the same steps as a plan, if a short look finds one; it costs the same, so it is cheapest.
//! Cost: depth first, at most [`MOST_STATES`] states; no allocation once warm.
//!
//! Of the kinds of steps the one that comes last in the plan is tried first: what uses up comes
//! behind what brings in, and as early as it can it leaves most room.

use super::task::CountingTask;
use throng_base::IndexTable;
use throng_base::mix::fold;

/// Then it is given up.
const MOST_STATES: usize = 5_000;

/// Working memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    /// The different actions, last ones first, and how many of each are left.
    kinds: Vec<u32>,
    left: Vec<u16>,
    state: Vec<u16>,
    /// States and what was left in them, one after the other.
    seen: Vec<u16>,
    table: IndexTable,
    /// Per step done: its kind, and where what was before it is kept.
    done: Vec<(u32, u32)>,
}

impl Order {
    /// Puts the steps into an order that is a plan; whether there is one, as far as was looked.
    pub(super) fn arrange(&mut self, task: &CountingTask, plan: &mut [u32]) -> bool {
        self.kinds.clear();
        self.left.clear();
        for &step in plan.iter().rev() {
            match self.kinds.iter().position(|&kind| kind == step) {
                Some(at) => self.left[at] = self.left[at].saturating_add(1),
                None => {
                    self.kinds.push(step);
                    self.left.push(1);
                }
            }
        }
        self.state.clear();
        self.state.extend_from_slice(task.start());
        self.seen.clear();
        self.table.reset(64);
        self.done.clear();
        if !self.search(task, plan.len()) || self.done.len() != plan.len() {
            return false;
        }
        for (step, &(kind, _)) in plan.iter_mut().zip(&self.done) {
            *step = self.kinds[kind as usize];
        }
        true
    }

    fn search(&mut self, task: &CountingTask, n_steps: usize) -> bool {
        let mut next = 0;
        let mut here = match self.enter() {
            Some(here) => here,
            None => return false,
        };
        loop {
            if self.done.len() == n_steps && task.is_goal(&self.state) {
                return true;
            }
            if self.table.len() > MOST_STATES {
                return false;
            }
            let fits =
                |&kind: &usize| self.left[kind] > 0 && task.can_run(self.kinds[kind], &self.state);
            let Some(kind) = (next..self.kinds.len()).find(fits) else {
                // Nothing more to do here: one step back.
                let Some((kind, before)) = self.done.pop() else { return false };
                self.leave(before);
                (here, next) = (before, kind as usize + 1);
                continue;
            };
            self.left[kind] -= 1;
            task.run(self.kinds[kind], &mut self.state);
            match self.enter() {
                Some(place) => {
                    self.done.push((kind as u32, here));
                    (here, next) = (place, 0);
                }
                None => {
                    self.leave(here);
                    next = kind + 1;
                }
            }
        }
    }

    /// Keeps where we are; `None` if we have been here.
    fn enter(&mut self) -> Option<u32> {
        let width = self.state.len() + self.left.len();
        let from = self.seen.len();
        self.seen.extend_from_slice(&self.state);
        self.seen.extend_from_slice(&self.left);
        let place = (from / width.max(1)) as u32;
        let seen = &self.seen;
        let at = |place: u32| &seen[place as usize * width..][..width];
        let hash = |place: u32| at(place).iter().fold(0, |hash, &word| fold(hash, word.into()));
        let own = at(place);
        let found = self.table.find_or_insert(hash(place), place, |other| at(other) == own, hash);
        if found.is_some() {
            self.seen.truncate(from);
            return None;
        }
        Some(place)
    }

    /// Goes back to a place.
    fn leave(&mut self, place: u32) {
        let (n, width) = (self.state.len(), self.state.len() + self.left.len());
        let row = &self.seen[place as usize * width..][..width];
        self.state.copy_from_slice(&row[..n]);
        self.left.copy_from_slice(&row[n..]);
    }
}
