//! Who is in a crowd: arrivals, departures, values, goals, groups.
//!
//! In:   what the game says of one NPC or of many.
//! Out:  changed columns. An NPC that changes waits; saying what is so already changes nothing.
//! Cost: a step or two each.

use super::Crowd;
use crate::error::CrowdError;
use crate::goals::CrowdGoalId;
use crate::groups::GroupId;
use crate::rows::NpcHandle;
use throng_domain::compile::{IdOrName, LocalFact, UNKNOWN};
use throng_domain::model::{Conditions, Fact, GoalId, Target, VariableId};

impl Crowd {
    /// Spawns an NPC with the values of the type's `starts`.
    ///
    /// # Errors
    ///
    /// If the group or the goal does not exist, or four billion NPCs are there.
    pub fn spawn(&mut self, group: GroupId, goal: CrowdGoalId) -> Result<NpcHandle, CrowdError> {
        self.spawn_with(group, goal, &[])
    }

    /// Spawns an NPC with the values of the type's `starts` but for these. Facts about what the
    /// type does not touch, or shares, are passed over.
    ///
    /// # Errors
    ///
    /// As for [`Crowd::spawn`].
    pub fn spawn_with(
        &mut self,
        group: GroupId,
        goal: CrowdGoalId,
        facts: &[Fact],
    ) -> Result<NpcHandle, CrowdError> {
        self.check_group(group)?;
        self.check_goal(goal)?;
        let spawned = self.core.columns.spawn(&self.core.kind, group, goal, facts);
        spawned.ok_or(CrowdError::TooManyNpcs)
    }

    /// Removes an NPC; `false` if it was not there.
    pub fn despawn(&mut self, npc: NpcHandle) -> bool {
        let Some(row) = self.core.columns.find(npc) else { return false };
        self.core.let_go(row);
        self.core.columns.despawn(row, &mut self.core.book);
        true
    }

    /// Whether an NPC is there.
    pub fn contains(&self, npc: NpcHandle) -> bool {
        self.core.columns.find(npc).is_some()
    }

    /// All NPCs, by row.
    pub fn handles(&self) -> impl Iterator<Item = NpcHandle> + '_ {
        let rows = self.core.columns.rows();
        rows.alive().iter().map(|row| rows.handle(row))
    }

    /// The NPC of a row, for columns of your own beside the crowd's.
    pub fn handle(&self, row: usize) -> Option<NpcHandle> {
        let rows = self.core.columns.rows();
        rows.alive().get(row).then(|| rows.handle(row))
    }

    pub(super) fn row(&self, npc: NpcHandle) -> Result<usize, CrowdError> {
        self.core.columns.find(npc).ok_or(CrowdError::NoSuchNpc)
    }

    pub(super) fn check_goal(&self, goal: CrowdGoalId) -> Result<(), CrowdError> {
        self.core.goals.has(goal).then_some(()).ok_or(CrowdError::NoSuchGoal)
    }

    /// Gives a variable of an NPC a value.
    ///
    /// # Errors
    ///
    /// If the NPC is not there, or the variable is none of its own (shared ones are set by
    /// [`Crowd::set_shared`]).
    pub fn set(&mut self, npc: NpcHandle, fact: impl IdOrName<Fact>) -> Result<(), CrowdError> {
        let (row, setter) = (self.row(npc), self.setter(fact)?);
        self.core.columns.set(row?, &self.core.kind, &setter);
        Ok(())
    }

    /// Gives a variable of many a value; returns how many have it now. Where the same value is
    /// given again and again, [`Crowd::setter`] and [`Crowd::set_many`] look its name up only once.
    pub fn set_all(&mut self, npcs: &[NpcHandle], fact: impl IdOrName<Fact>) -> usize {
        let setter = self.setter(fact);
        setter.and_then(|setter| self.set_many(npcs.iter().copied(), &setter)).unwrap_or(0)
    }

    /// Makes the value of a variable unknown.
    ///
    /// # Errors
    ///
    /// As for [`Crowd::set`].
    pub fn forget(
        &mut self,
        npc: NpcHandle,
        variable: impl IdOrName<VariableId>,
    ) -> Result<(), CrowdError> {
        let (row, setter) = (self.row(npc), self.unknown_setter(variable)?);
        self.core.columns.set(row?, &self.core.kind, &setter);
        Ok(())
    }

    /// The value of a variable of an NPC, shared ones included; `None` if it is unknown.
    pub fn get(&self, npc: NpcHandle, variable: impl IdOrName<VariableId>) -> Option<Fact> {
        let row = self.core.columns.find(npc)?;
        let kind = self.core.kind.npc();
        let local = kind.local_variable(variable.id(self.domain().map()).ok()?)?;
        let value = self.core.value(row, local);
        (value != UNKNOWN).then(|| kind.fact(LocalFact { variable: local, value }))
    }

    /// A goal of your own: facts, or conditions ([`Wants`](throng_domain::model::Wants)), that must
    /// hold.
    ///
    /// # Errors
    ///
    /// If they speak of what this domain does not have, or there are too many goals.
    pub fn add_goal<'c>(
        &mut self,
        wants: impl Into<Conditions<'c>>,
    ) -> Result<CrowdGoalId, CrowdError> {
        self.core.goals.of_conditions(&self.core.kind, wants.into())
    }

    /// A goal of the domain; those of other types are added.
    ///
    /// # Errors
    ///
    /// If the domain has no such goal, or there are too many goals.
    pub fn goal(&mut self, goal: impl IdOrName<GoalId>) -> Result<CrowdGoalId, CrowdError> {
        let id = goal.id(self.domain().map())?;
        self.core.goals.of_domain(&self.core.kind, id)
    }

    /// Any of some goals of the domain: an NPC with this goal gets the cheapest of their plans, of
    /// equals that of the goal named first, and is satisfied where one holds.
    ///
    /// # Errors
    ///
    /// If there is none among them, one is not of this domain, or there are too many goals.
    pub fn any_goal(&mut self, ids: &[GoalId]) -> Result<CrowdGoalId, CrowdError> {
        match ids {
            [] => Err(CrowdError::NoGoals),
            &[only] => self.goal(only),
            _ => self.choice_among(ids),
        }
    }

    fn choice_among(&mut self, ids: &[GoalId]) -> Result<CrowdGoalId, CrowdError> {
        let choice = self.core.goals.among(&self.core.kind, ids)?;
        self.core.goals.of_choice(choice)
    }

    /// What a name of the domain means: a goal, or any of the alternatives that serve the name, as
    /// `hunger <= 1` gives them.
    ///
    /// # Errors
    ///
    /// If there is no such name, or there are too many goals.
    pub fn wish(&mut self, name: &str) -> Result<CrowdGoalId, CrowdError> {
        match self.domain().map().goal_target(name)? {
            // Also if there is one: a new version of the domain may have more.
            Target::Any(ids) => self.choice_among(&ids),
            Target::Goal(id) => self.goal(id),
            // No name asks for these.
            Target::Best | Target::Conditions(_) => Err(CrowdError::NoSuchGoal),
        }
    }

    /// To choose among all that the type wants, as the single planner does if no goal is named:
    /// the goal of highest priority that does not hold and has a plan, among equals the one
    /// declared first; alternatives of a name count as one. An NPC that arrives chooses again.
    ///
    /// # Errors
    ///
    /// If there are too many goals.
    pub fn best(&mut self) -> Result<CrowdGoalId, CrowdError> {
        let choice = self.core.goals.best(&self.core.kind)?;
        self.core.goals.of_choice(choice)
    }

    /// The goal of the domain that a goal of this crowd is; `None` for one of the game's own, and
    /// for a choice.
    pub fn goal_id(&self, goal: CrowdGoalId) -> Option<GoalId> {
        self.core.goals.has(goal).then(|| self.core.goals.id(goal.0)).flatten()
    }

    /// What an NPC wants.
    pub fn goal_of(&self, npc: NpcHandle) -> Option<CrowdGoalId> {
        Some(CrowdGoalId(self.core.columns.goal(self.core.columns.find(npc)?)))
    }

    /// Gives an NPC a goal.
    ///
    /// # Errors
    ///
    /// If one of them does not exist.
    pub fn set_goal(&mut self, npc: NpcHandle, goal: CrowdGoalId) -> Result<(), CrowdError> {
        let row = self.row(npc)?;
        self.check_goal(goal)?;
        self.core.set_goal(row, goal);
        Ok(())
    }

    /// The group of an NPC.
    pub fn group_of(&self, npc: NpcHandle) -> Option<GroupId> {
        Some(GroupId(self.core.columns.groups()[self.core.columns.find(npc)?]))
    }

    /// Moves an NPC to another group.
    ///
    /// # Errors
    ///
    /// If one of them does not exist.
    pub fn set_group(&mut self, npc: NpcHandle, group: GroupId) -> Result<(), CrowdError> {
        let row = self.row(npc)?;
        self.check_group(group)?;
        self.core.set_group(row, group);
        Ok(())
    }

    /// An NPC is to be planned for again: its step failed, or what gave up is to be tried once
    /// more. `false` if it is not there.
    pub fn ask_again(&mut self, npc: NpcHandle) -> bool {
        self.core.columns.find(npc).map(|row| self.core.columns.wait(row)).is_some()
    }

    /// How urgent an NPC is beside others that wait; 255 is served even out of its group's turn.
    /// `false` if it is not there.
    pub fn set_urgency(&mut self, npc: NpcHandle, urgency: u8) -> bool {
        let row = self.core.columns.find(npc);
        row.map(|row| self.core.columns.set_urgency(row, urgency)).is_some()
    }
}
