//! What actions cost in a problem: as the domain says, or as the game does.
//!
//! In:   costs of one's own.
//! Out:  the price of an action, and what a step counts.
//! Cost: an index.

use super::Problem;
use crate::budget::Mode;
use throng_domain::Cost;
use throng_domain::compile::{LocalAction, NpcTables};

impl Problem {
    /// Overrides an action's cost for this problem: for what the domain cannot know, as distance
    /// or danger.
    pub fn set_cost(&mut self, npc: &NpcTables, action: LocalAction, cost: Cost) {
        if self.costs.is_empty() {
            self.costs.extend(npc.local_actions().map(|action| npc.cost(action)));
        }
        self.costs[action.index()] = cost.0;
    }

    /// Overrides the costs of all actions: one per action of the type in thousandths, or none for
    /// those of the domain. Reuses what it holds.
    pub fn set_costs(&mut self, costs: &[u64]) {
        costs.clone_into(&mut self.costs);
    }

    /// The price of an action in thousandths.
    #[inline]
    pub fn cost(&self, npc: &NpcTables, action: LocalAction) -> u64 {
        self.costs.get(action.index()).copied().unwrap_or_else(|| npc.cost(action))
    }

    /// What actions cost here, in thousandths; empty if they cost what the domain says.
    pub fn own_costs(&self) -> &[u64] {
        &self.costs
    }

    /// What a step counts: its price, or one if only their number matters.
    #[inline]
    pub fn step_cost(&self, npc: &NpcTables, mode: Mode, action: LocalAction) -> u64 {
        match mode {
            Mode::Cheapest => self.cost(npc, action),
            Mode::Shortest | Mode::Fast => 1,
        }
    }
}
