//! Demand lists: every state's plan for one goal and one set of actions, where states are too many
//! for a table.
//!
//! In:   a type, what is wanted, the actions that are there.
//! Out:  demands, cheapest first, each with a plan that leads from whatever satisfies it to the
//!       goal. The first that a state satisfies has its cheapest plan; if none does, there is no plan.
//! Cost: exhaustive regression from the goal back; a look-up scans the list, sixteen demands at a
//!       time.
//!
//! Dijkstra's algorithm over demands. What must hold before an action so that a demand holds after
//! it is again a demand, exactly; one that lies within a demand met before, which is no dearer, is
//! left out, for whatever satisfies it has a plan as cheap. So the list is complete, and it is short
//! where amounts matter by thresholds. A state satisfies a demand, does its action, and satisfies the
//! demand behind it: the plan is the chain.

mod cover;
mod demand;
mod rules;

pub(crate) use rules::Wanted;

use crate::plans::{PlanId, PlanStore};
use cover::Cover;
use demand::{LaneRule, Layout};
use rules::Rules;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;
use throng_domain::compile::{LocalAction, NpcTables, PackedValue};
use throng_planner::ActionMask;

/// For each demand of the longest list so many may be looked at while it is made.
const MOST_SEEN_EACH: u64 = 64;

/// Why there is no list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum NoListReason {
    /// The settings want none.
    Unwanted,
    /// It would have more demands than allowed.
    TooLong,
    /// Amounts are compared with each other, which is no demand on each by itself.
    Compares,
    /// Plans have wishes about their order, which depends on the state.
    Wishes,
}

impl fmt::Display for NoListReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoListReason::Unwanted => "a list is not wanted",
            NoListReason::TooLong => "a list of demands would be too long",
            NoListReason::Compares => "amounts are compared with each other",
            NoListReason::Wishes => "plans have wishes about their order",
        })
    }
}

/// What came of making a list.
#[derive(Debug)]
pub(crate) enum Made {
    List(DemandList),
    /// There is none, and none can be had.
    No(NoListReason),
    /// So much work was not enough.
    NotYet,
}

/// A goal's demands.
#[derive(Debug)]
pub(crate) struct DemandList {
    layout: Layout,
    demands: Cover,
    /// By demand.
    plans: Vec<PlanId>,
}

/// A demand that waits to be looked at.
struct Open {
    action: u32,
    next: u32,
    /// It lies within none of the first so many that were kept.
    seen: u32,
}

/// The last demand of a plan: the goal itself.
const NO_NEXT: u32 = u32::MAX;

impl DemandList {
    /// Makes the list of what is wanted, with the actions that are there, if it has at most `most`
    /// demands, looking at no more than `work`; tells at how many it looked. Plans are pinned.
    pub(crate) fn build(
        npc: &NpcTables,
        enabled: &ActionMask,
        wants: &Wanted<'_>,
        (most, work): (usize, u64),
        plans: &mut PlanStore,
    ) -> (Made, u64) {
        if !npc.preferences().is_empty() {
            return (Made::No(NoListReason::Wishes), 0);
        }
        let rules = match Rules::new(npc, enabled, wants) {
            Ok(rules) => rules,
            Err(why) => return (Made::No(why), 0),
        };
        let most_seen = (most as u64).saturating_mul(MOST_SEEN_EACH);
        let mut search = Search::new(rules);
        let mut seen = 0;
        loop {
            match search.step(&mut seen, work) {
                Step::Over => return (Made::List(search.list(plans)), seen),
                _ if search.demands.len() > most || seen > most_seen => {
                    return (Made::No(NoListReason::TooLong), seen);
                }
                Step::Short => return (Made::NotYet, seen),
                Step::On => {}
            }
        }
    }

    /// The plan of a state, by position among all; `None` if there is no plan. An unknown value that
    /// is asked for makes it an error: then others have to answer. `lanes` is working memory.
    pub(crate) fn find(
        &self,
        state: &[PackedValue],
        lanes: &mut Vec<u16>,
    ) -> Result<Option<PlanId>, Unknown> {
        lanes.clear();
        lanes.resize(self.layout.n_lanes(), 0);
        if !self.layout.write_state(state, lanes) {
            return Err(Unknown);
        }
        let found = self.demands.find(&self.layout, lanes, 0);
        Ok(found.and_then(|at| self.plans.get(at).copied()))
    }

    /// How many demands there are.
    pub(crate) fn len(&self) -> usize {
        self.demands.len()
    }

    /// The plans, one per demand.
    pub(crate) fn plans(&self) -> &[PlanId] {
        &self.plans
    }

    pub(crate) fn bytes(&self) -> usize {
        self.demands.bytes() + self.plans.capacity() * size_of::<PlanId>()
    }
}

/// A value that the list asks for is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unknown;

enum Step {
    On,
    Over,
    /// As many were looked at as may be, and there are more.
    Short,
}

/// The exhaustive regression.
struct Search {
    layout: Layout,
    rules: Vec<(LocalAction, u64, LaneRule)>,
    demands: Cover,
    /// By demand that was kept: its action and the demand behind it, and what it costs.
    ways: Vec<(u32, u32)>,
    costs: Vec<u64>,
    open: Vec<Open>,
    /// The lanes of those that wait, and places that are free again.
    lanes: Vec<u16>,
    free: Vec<u32>,
    queue: BinaryHeap<Reverse<(u64, u64, u32)>>,
    n_pushed: u64,
    after: Vec<u16>,
    before: Vec<u16>,
}

impl Search {
    fn new(rules: Rules) -> Search {
        let Rules { layout, rules, goals } = rules;
        let n_lanes = layout.n_lanes();
        let mut search = Search {
            layout,
            rules,
            demands: Cover::default(),
            ways: Vec::new(),
            costs: Vec::new(),
            open: Vec::new(),
            lanes: Vec::new(),
            free: Vec::new(),
            queue: BinaryHeap::new(),
            n_pushed: 0,
            after: vec![0; n_lanes],
            before: vec![0; n_lanes],
        };
        for goal in goals {
            search.before.copy_from_slice(&goal);
            search.push(0, 0, NO_NEXT);
        }
        search
    }

    /// Lets the demand in `before` wait, unless it lies within one that was kept.
    fn push(&mut self, cost: u64, action: u32, next: u32) {
        if self.demands.find(&self.layout, &self.before, 0).is_some() {
            return;
        }
        let open = Open { action, next, seen: self.demands.len() as u32 };
        let at = match self.free.pop() {
            Some(at) => {
                self.open[at as usize] = open;
                at
            }
            None => {
                self.open.push(open);
                self.lanes.resize(self.lanes.len() + self.before.len(), 0);
                self.open.len() as u32 - 1
            }
        };
        let n = self.before.len();
        self.lanes[at as usize * n..][..n].copy_from_slice(&self.before);
        self.n_pushed += 1;
        self.queue.push(Reverse((cost, self.n_pushed, at)));
    }

    /// Looks at the cheapest that waits, and at what must hold before it: at no more than `work` in
    /// all. One that falls short cannot go on.
    fn step(&mut self, seen: &mut u64, work: u64) -> Step {
        let Some(Reverse((cost, _, at))) = self.queue.pop() else { return Step::Over };
        if *seen >= work {
            return Step::Short;
        }
        let Open { action, next, seen: checked } = self.open[at as usize];
        let n = self.after.len();
        self.after.copy_from_slice(&self.lanes[at as usize * n..][..n]);
        self.free.push(at);
        *seen += 1;
        if self.demands.find(&self.layout, &self.after, checked as usize).is_some() {
            return Step::On;
        }
        let number = self.demands.len() as u32;
        self.demands.push(&self.after);
        self.ways.push((action, next));
        self.costs.push(cost);
        for at in 0..self.rules.len() {
            let (_, price, rule) = &self.rules[at];
            let cost = cost.saturating_add(*price);
            if rule.serves(&self.after) {
                if *seen >= work {
                    return Step::Short;
                }
                *seen += 1;
                if rule.before(&self.after, &mut self.before) {
                    self.push(cost, at as u32, number);
                }
            }
        }
        Step::On
    }

    /// The list, each demand with its plan.
    fn list(self, plans: &mut PlanStore) -> DemandList {
        let mut steps = Vec::new();
        let mut ids = Vec::with_capacity(self.ways.len());
        for first in 0..self.ways.len() {
            steps.clear();
            let (mut at, mut way) = (first, self.ways[first]);
            while way.1 != NO_NEXT {
                steps.push(self.rules[way.0 as usize].0);
                at = way.1 as usize;
                way = self.ways[at];
            }
            debug_assert_eq!(self.costs[at], 0, "the goal costs nothing");
            let id = plans.intern(&steps, self.costs[first]);
            plans.pin(id);
            ids.push(id);
        }
        DemandList { layout: self.layout, demands: self.demands, plans: ids }
    }
}
