//! Demand lists: every state's plan for one goal and one set of actions, where states are too many
//! for a table.
//!
//! In:   a type, what is wanted, the actions that are there.
//! Out:  demands, cheapest first, each with a plan that leads from whatever satisfies it to the
//!       goal. The first that a state satisfies has its cheapest plan; if none does, there is no plan.
//! Cost: exhaustive regression from the goal back; a look-up is the planner's.
//!
//! Lists are made by the planner (`throng_planner::counting`); here each demand has a plan in the
//! crowd's own store.

mod kept;
mod task;

pub(crate) use kept::{Came, Known, Lists};
pub(crate) use task::Wanted;

use crate::plans::{PlanId, PlanStore};
use std::fmt;
use task::{LAST_STEP, ListTask};
use throng_domain::compile::{LocalAction, NpcTables, PackedValue};
use throng_planner::ActionMask;
use throng_planner::counting::{self, ListLimit, ListLimits};

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
    List(Box<PlanList>),
    /// There is none, and none can be had.
    No(NoListReason),
    /// So much work was not enough.
    NotYet,
}

/// A goal's demands, each with its plan.
#[derive(Debug)]
pub(crate) struct PlanList {
    list: counting::DemandList,
    /// By demand.
    plans: Vec<PlanId>,
}

impl PlanList {
    /// Makes the list of what is wanted, with the actions that are there, if it keeps within limits;
    /// tells at how many demands it looked. Plans are pinned.
    pub(crate) fn build(
        npc: &NpcTables,
        enabled: &ActionMask,
        wants: &Wanted<'_>,
        limits: ListLimits,
        plans: &mut PlanStore,
    ) -> (Made, u64) {
        if !npc.preferences().is_empty() {
            return (Made::No(NoListReason::Wishes), 0);
        }
        let made = match ListTask::new(npc, enabled, wants) {
            Ok(made) => made,
            Err(why) => return (Made::No(why), 0),
        };
        match counting::DemandList::build_within(&made.task, limits) {
            (Ok(list), seen) => (Made::List(Box::new(PlanList::new(list, &made, plans))), seen),
            (Err(ListLimit::Work), seen) => (Made::NotYet, seen),
            (Err(_), seen) => (Made::No(NoListReason::TooLong), seen),
        }
    }

    fn new(list: counting::DemandList, made: &ListTask, plans: &mut PlanStore) -> PlanList {
        let mut steps: Vec<LocalAction> = Vec::new();
        let mut ids = Vec::with_capacity(list.len());
        for entry in 0..list.len() {
            let all = list.plan(entry).map(|action| made.actions[action as usize]);
            steps.clear();
            let mut cost = list.cost(entry);
            for action in all {
                match action {
                    Some(action) => steps.push(action),
                    None => cost -= LAST_STEP,
                }
            }
            let id = plans.intern(&steps, cost);
            plans.pin(id);
            ids.push(id);
        }
        PlanList { list, plans: ids }
    }

    /// The plan of a state, by position among all; `None` if there is no plan.
    pub(crate) fn find(&self, state: &[PackedValue]) -> Option<PlanId> {
        // The last step's own variable is not of the state, so it is not true.
        self.plans.get(self.list.entry(state)?).copied()
    }

    /// How many demands there are.
    pub(crate) fn len(&self) -> usize {
        self.plans.len()
    }

    /// The plans, one per demand.
    pub(crate) fn plans(&self) -> &[PlanId] {
        &self.plans
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<PlanList>() + self.list.bytes() + self.plans.capacity() * size_of::<PlanId>()
    }
}
