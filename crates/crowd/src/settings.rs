//! How a crowd is served: sizes and limits, all of them counts.

use crate::plans::PlanId;

/// When tables of all states are made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum TablePolicy {
    /// When the first NPC asks, within the budget of the frame.
    #[default]
    OnFirstUse,
    /// Only by `prepare`, as while a level is loaded.
    Prepared,
    /// Not at all.
    Never,
}

/// Sizes and limits of a crowd.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CrowdSettings {
    /// When tables are made.
    pub tables: TablePolicy,
    /// The most states that a table may have.
    pub table_states: u64,
    /// The most bytes for all tables of a crowd, and the most for their plans.
    pub table_bytes: usize,
    /// The most demands that a list may have, which serves types that count where tables cannot; 0
    /// for no lists.
    pub list_entries: usize,
    /// Whether the wide kernel may serve.
    pub wide: bool,
    /// How many answers are remembered; memory for them is taken when the first one is.
    pub remembered: usize,
    /// How many searches may be under way from frame to frame.
    pub searches: usize,
    /// How many states a search may expand before it is one that takes several frames.
    pub first_try: u64,
    /// How many states a search may expand in all before it gives up.
    pub most_nodes: u64,
    /// How many bytes a search may hold.
    pub search_bytes: usize,
}

impl Default for CrowdSettings {
    fn default() -> CrowdSettings {
        CrowdSettings {
            tables: TablePolicy::OnFirstUse,
            table_states: 1 << 20,
            table_bytes: 64 << 20,
            list_entries: 4096,
            wide: true,
            remembered: 1 << 16,
            searches: 8,
            first_try: 256,
            most_nodes: 1_000_000,
            search_bytes: 64 << 20,
        }
    }
}

/// How much one call of `plan` may do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FrameBudget {
    /// NPCs to serve. The others wait for the next frame.
    pub npcs: usize,
    /// Plans to compute one by one, states to put into tables, states to expand in searches:
    /// each counts one.
    pub nodes: u64,
}

impl FrameBudget {
    /// All NPCs, whatever it takes.
    pub const UNLIMITED: FrameBudget = FrameBudget { npcs: usize::MAX, nodes: u64::MAX };
}

/// What a call of `plan` did. Every NPC served is counted once among looked up, remembered,
/// computed, listed, planned and searched, and once among plans, satisfied, impossible and gave up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct FrameReport {
    /// NPCs that have an answer now and waited for one before.
    pub served: usize,
    /// Of these: answered by a table of all states.
    pub looked_up: usize,
    /// Answered from memory.
    pub remembered: usize,
    /// Answered by the wide kernel, a plan computed for each.
    pub computed: usize,
    /// Answered by a list of demands.
    pub listed: usize,
    /// Planned for by the planner without search, or like one that was in the same call.
    pub planned: usize,
    /// Answered by a search.
    pub searched: usize,
    /// Of those served: have a plan to follow.
    pub plans: usize,
    /// Have what they want.
    pub satisfied: usize,
    /// Cannot have it; that is proven.
    pub impossible: usize,
    /// Were given up at a limit.
    pub gave_up: usize,
    /// NPCs that still wait.
    pub deferred: usize,
    /// What was used of [`FrameBudget::nodes`].
    pub nodes: u64,
    /// Tables made.
    pub tables: usize,
    /// NPCs that were given a claim to what their group shares.
    pub claimed: usize,
    /// NPCs that have a plan and wait for what others have claimed, or stand in line for.
    pub queued: usize,
}

/// Counts that are added up field by field: several crowds are one population.
macro_rules! add_counts {
    ($name:ident { $($field:ident),* $(,)? }) => {
        impl std::ops::AddAssign for $name {
            fn add_assign(&mut self, other: $name) {
                let $name { $($field),* } = other;
                $(self.$field += $field;)*
            }
        }
    };
}

pub(crate) use add_counts;

add_counts!(FrameReport {
    served,
    looked_up,
    remembered,
    computed,
    listed,
    planned,
    searched,
    plans,
    satisfied,
    impossible,
    gave_up,
    deferred,
    nodes,
    tables,
    claimed,
    queued,
});

impl FrameReport {
    /// Counts an answer among its kind.
    pub(crate) fn count(&mut self, id: PlanId) {
        let mut counts = [0; PlanId::FIRST.0 as usize + 1];
        counts[id.0.min(PlanId::FIRST.0) as usize] = 1;
        self.count_many(counts);
    }

    /// Counts answers by what they are: by number up to the first plan, which stands for all.
    pub(crate) fn count_many(&mut self, counts: [usize; PlanId::FIRST.0 as usize + 1]) {
        let [unplanned, satisfied, impossible, gave_up, plans] = counts;
        self.satisfied += satisfied;
        self.impossible += impossible;
        self.gave_up += gave_up;
        self.plans += plans + unplanned;
    }
}

/// What a call of `plan` may still do, and what it did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Frame {
    /// NPCs to serve.
    pub(crate) npcs: usize,
    /// Nodes that are left.
    pub(crate) nodes: u64,
    pub(crate) report: FrameReport,
}

impl Frame {
    pub(crate) fn new(budget: FrameBudget) -> Frame {
        Frame { npcs: budget.npcs, nodes: budget.nodes, report: FrameReport::default() }
    }

    /// Takes nodes out of the budget, as far as there are any, and tells of them.
    pub(crate) fn use_nodes(&mut self, nodes: u64) {
        self.report.nodes += nodes;
        self.nodes = self.nodes.saturating_sub(nodes);
    }
}
