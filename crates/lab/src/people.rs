//! NPCs of a game of the papers in the columns of a crowd, served from tables.
//!
//! In:   a domain, and how many NPCs of each type and goal.
//! Out:  a population in which everybody waits, as often as wanted, and is served by one call.
//! Cost: some bytes per NPC, and its tables.

use crate::report::BenchResult;
use std::hint::black_box;
use std::sync::Arc;
use throng::Domain;
use throng::crowd::{
    Crowd, CrowdGoalId, CrowdSettings, FrameBudget, FrameReport, GroupId, NpcHandle, Pool,
    Population, Status, TablePolicy,
};
use throng_domain::compile::CompiledDomain;
use throng_domain::model::{Fact, GoalId, NpcTypeId};

/// Every type with every goal it wants.
pub fn trades(compiled: &CompiledDomain) -> Vec<(NpcTypeId, GoalId)> {
    let npcs = compiled.npcs().iter();
    npcs.flat_map(|npc| npc.goals().iter().map(|&goal| (npc.id(), goal))).collect()
}

/// The size of the part at a position, if so many are divided into so many parts as equal as
/// can be.
pub fn part(all: usize, at: usize, n_parts: usize) -> usize {
    all * (at + 1) / n_parts - all * at / n_parts
}

/// The failure of an NPC that finds no room.
pub const NO_ROOM: &str = "no room for an NPC";

/// A population in one group.
pub struct People {
    /// All of them.
    pub all: Population,
}

impl People {
    /// No NPCs yet.
    pub fn new(domain: &Domain, threads: usize) -> People {
        let settings = CrowdSettings { tables: TablePolicy::Prepared, ..CrowdSettings::default() };
        let pool = Arc::new(Pool::new(threads));
        People { all: Population::new(domain.compiled_arc(), settings, pool) }
    }

    /// Adds NPCs that want a goal, each with the values that differ from its type's start; gives
    /// their handles one by one.
    ///
    /// # Errors
    ///
    /// If there is no room for one of them.
    pub fn add<F: AsRef<[Fact]>>(
        &mut self,
        (npc, goal): (NpcTypeId, GoalId),
        npcs: impl ExactSizeIterator<Item = F>,
        mut each: impl FnMut(NpcHandle),
    ) -> BenchResult {
        let crowd = self.all.crowd_mut(npc).ok_or(NO_ROOM)?;
        let goal = crowd.goal(goal).map_err(|_| NO_ROOM)?;
        crowd.reserve(npcs.len());
        for facts in npcs {
            let handle = crowd.spawn_with(GroupId::FIRST, goal, facts.as_ref());
            each(handle.map_err(|_| NO_ROOM)?);
        }
        Ok(())
    }

    /// Makes the tables of all goals.
    pub fn prepare(&mut self) {
        self.all.prepare(&|_, _| true);
    }

    /// Makes everybody wait: what it wants goes and comes back. No handles are kept for it: they
    /// are the game's, and would weigh more than the columns.
    pub fn make_wait(&mut self) {
        for npc in self.all.crowds().iter().map(Crowd::npc).collect::<Vec<_>>() {
            let Some(crowd) = self.all.crowd_mut(npc) else { continue };
            for row in 0..crowd.len() {
                if let Some(handle) = crowd.handle(row)
                    && let Some(goal) = crowd.goal_of(handle)
                {
                    let _ = crowd.set_goal(handle, CrowdGoalId::NONE);
                    let _ = crowd.set_goal(handle, goal);
                }
            }
        }
    }

    /// Serves all who wait.
    pub fn plan(&mut self) -> FrameReport {
        black_box(self.all.plan(FrameBudget::UNLIMITED))
    }

    /// Whether everybody has a plan to follow.
    pub fn all_follow(&self) -> bool {
        let mut crowds = self.all.crowds().iter();
        crowds.all(|crowd| crowd.handles().all(|npc| crowd.status(npc) == Some(Status::Following)))
    }
}
