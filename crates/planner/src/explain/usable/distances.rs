//! The distances of all states to a goal, and which actions lie on a cheapest way.
//!
//! In:   all states, a set of actions, their prices, a goal.
//! Out:  marks in a [`Tally`]: this action is a first step of a cheapest plan, or how much dearer
//!       the best plan is that begins with it.
//! Cost: one search from the goal back over all steps for each set, goal and prices.

use super::contexts::{Contexts, Prices};
use super::meter::Meter;
use super::space::Space;
use super::{GoalGroup, Undecided};
use crate::context::ActionMask;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use throng_base::reset;
use throng_domain::compile::{LocalAction, NpcTables};
use throng_domain::model::GoalId;

/// How an action fared.
#[derive(Clone, Debug, Default)]
pub(super) struct Fared {
    /// It can be done somewhere.
    pub(super) ready: bool,
    /// It changes something somewhere.
    pub(super) changes: bool,
    /// It can be done somewhere where a goal does not hold.
    pub(super) wanted: bool,
    /// A goal whose plans have it.
    pub(super) used_for: Option<GoalId>,
    /// How much dearer than the cheapest plan is the cheapest that begins with it, where that is
    /// least, and for which goal; `None`: no goal can be reached after it.
    pub(super) dearer_by: Option<(u64, GoalId)>,
}

/// How all actions of a type fared.
pub(super) struct Tally {
    pub(super) actions: Vec<Fared>,
}

impl Tally {
    pub(super) fn new(kind: &NpcTables) -> Tally {
        Tally { actions: vec![Fared::default(); kind.n_actions()] }
    }

    /// Takes over what can be done at all.
    pub(super) fn note_ready(&mut self, space: &Space) {
        for (at, fared) in self.actions.iter_mut().enumerate() {
            fared.ready |= space.ready[at];
            fared.changes |= space.changes[at];
        }
    }

    /// Whether a set of actions can still tell something new.
    fn is_open(&self, space: &Space, mask: &ActionMask) -> bool {
        let open = |at: usize| space.changes[at] && self.actions[at].used_for.is_none();
        let has = |at: usize| mask.has(LocalAction(at as u32));
        (0..self.actions.len()).any(|at| open(at) && has(at))
    }

    /// Measures all wishes for all sets of actions and all prices.
    pub(super) fn measure(
        &mut self,
        goal_groups: &[GoalGroup],
        space: &Space,
        contexts: &Contexts,
        prices: &Prices,
        meter: &mut Meter<'_>,
    ) -> Result<(), Undecided> {
        let mut search = Dijkstra::new(space);
        // Each step is looked at by the search and by the marks.
        let work = (2 * (space.into.n_entries() + space.len())) as u64;
        for wish in goal_groups {
            meter.spend((space.len() * wish.alternatives.len()) as u64)?;
            search.begin(wish);
            // Usual prices first: what they show needs no others.
            for prices in &prices.all {
                for mask in &contexts.masks {
                    meter.spend(self.actions.len() as u64)?;
                    if !self.is_open(space, mask) {
                        continue;
                    }
                    meter.spend(work)?;
                    search.run(mask, prices);
                    search.mark(mask, prices, wish.goal, self);
                }
            }
        }
        Ok(())
    }
}

struct Dijkstra<'s> {
    space: &'s Space,
    goals: Vec<u32>,
    distance: Vec<u64>,
    queue: BinaryHeap<Reverse<(u64, u32)>>,
}

impl<'s> Dijkstra<'s> {
    fn new(space: &'s Space) -> Self {
        let (goals, distance, queue) = (Vec::new(), Vec::new(), BinaryHeap::new());
        Dijkstra { space, goals, distance, queue }
    }

    /// Finds the states in which one of the alternatives holds.
    fn begin(&mut self, wish: &GoalGroup) {
        let holds = |&at: &u32| {
            let state = self.space.state(at as usize);
            wish.alternatives.iter().any(|wants| wants.hold(state))
        };
        self.goals = (0..self.space.len() as u32).filter(holds).collect();
    }

    /// The distances of all states to the goal.
    fn run(&mut self, mask: &ActionMask, prices: &[u64]) {
        reset(&mut self.distance, self.space.len(), u64::MAX);
        self.queue.clear();
        for &at in &self.goals {
            self.distance[at as usize] = 0;
            self.queue.push(Reverse((0, at)));
        }
        while let Some(Reverse((distance, at))) = self.queue.pop() {
            if distance > self.distance[at as usize] {
                continue;
            }
            for step in self.space.into.row(at as usize).iter().filter(|step| mask.has(step.action))
            {
                let before = distance.saturating_add(prices[step.action.index()]);
                if before < self.distance[step.state as usize] {
                    self.distance[step.state as usize] = before;
                    self.queue.push(Reverse((before, step.state)));
                }
            }
        }
    }

    /// Marks what lies on a cheapest way, and how far away the others are from one.
    fn mark(&self, mask: &ActionMask, prices: &[u64], goal: GoalId, tally: &mut Tally) {
        for at in 0..self.space.len() {
            let behind = self.distance[at];
            for step in self.space.into.row(at).iter().filter(|step| mask.has(step.action)) {
                let before = self.distance[step.state as usize];
                if before == 0 {
                    continue;
                }
                let fared = &mut tally.actions[step.action.index()];
                fared.wanted = true;
                if behind == u64::MAX {
                    continue;
                }
                let by = behind.saturating_add(prices[step.action.index()]) - before;
                if by == 0 {
                    fared.used_for.get_or_insert(goal);
                }
                if fared.dearer_by.is_none_or(|(least, _)| by < least) {
                    fared.dearer_by = Some((by, goal));
                }
            }
        }
    }
}
