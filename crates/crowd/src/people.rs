//! Who is in a crowd: arrivals, departures, values, goals, groups.
//!
//! In:   what the game says of one NPC or of many.
//! Out:  changed columns. Whoever changes waits; saying what is so already changes nothing.
//! Cost: a step or two each.

use crate::crowd::Crowd;
use crate::goals::{Choice, GoalRef};
use crate::groups::GroupRef;
use crate::plans::PlanId;
use crate::rows::Handle;
use std::sync::Arc;
use throng_domain::compile::{LocalFact, UNKNOWN, Value};
use throng_domain::model::{Fact, GoalId, VariableId};

impl Crowd {
    /// Somebody new, with the values of the type's `starts`; `None` if the group or the goal
    /// does not exist, or four billion are there.
    pub fn insert(&mut self, group: GroupRef, goal: GoalRef) -> Option<Handle> {
        self.insert_with(group, goal, &[])
    }

    /// Somebody new, with the values of the type's `starts` but for these. Facts about what the
    /// type does not touch, or shares, are passed over.
    pub fn insert_with(
        &mut self,
        group: GroupRef,
        goal: GoalRef,
        facts: &[Fact],
    ) -> Option<Handle> {
        if !self.has_group(group) || !self.goals.has(goal) {
            return None;
        }
        let (handle, is_new) = self.rows.add()?;
        let row = handle.row();
        if is_new {
            self.states.push();
            self.goal.push(goal.0);
            self.group.push(group.0);
            self.ids.push();
            self.step.push(0);
            self.urgency.push(0);
            self.dirty.push(true);
        }
        self.goal[row] = goal.0;
        self.group[row] = group.0;
        self.step[row] = 0;
        self.urgency[row] = 0;
        self.dirty.set(row, true);
        let kind = self.domain.npc(self.npc);
        self.state.fill(UNKNOWN);
        for fact in kind.starts().iter().chain(facts) {
            if let Some(local) = kind.local_variable(fact.variable)
                && (fact.value.index()) < kind.n_values(local)
            {
                self.state[local.index()] = fact.value.index() as Value;
            }
        }
        self.states.write(row, &self.space, kind, &self.state);
        Some(handle)
    }

    /// Somebody leaves; `false` if it was not there.
    pub fn remove(&mut self, npc: Handle) -> bool {
        let Some(row) = self.rows.find(npc) else { return false };
        self.assign(row, PlanId::UNPLANNED.0);
        self.dirty.set(row, false);
        self.states.forget(row);
        self.rows.remove(row);
        true
    }

    /// Whether somebody is there.
    pub fn contains(&self, npc: Handle) -> bool {
        self.rows.find(npc).is_some()
    }

    /// Everybody who is there, by row.
    pub fn handles(&self) -> impl Iterator<Item = Handle> + '_ {
        self.rows.alive().iter().map(|row| self.rows.handle(row))
    }

    /// Gives a variable of somebody a value; `false` if it is not there, or the variable is none
    /// of its own (shared ones are set by [`Crowd::set_shared`]).
    pub fn set(&mut self, npc: Handle, fact: Fact) -> bool {
        self.change(npc, fact.variable, fact.value.index() as Value)
    }

    /// Gives a variable of many a value; returns how many have it now.
    pub fn set_all(&mut self, npcs: &[Handle], fact: Fact) -> usize {
        npcs.iter().filter(|npc| self.set(**npc, fact)).count()
    }

    /// Makes the value of a variable unknown.
    pub fn forget(&mut self, npc: Handle, variable: VariableId) -> bool {
        self.change(npc, variable, UNKNOWN)
    }

    fn change(&mut self, npc: Handle, variable: VariableId, value: Value) -> bool {
        let Some(row) = self.rows.find(npc) else { return false };
        let kind = self.domain.npc(self.npc);
        let Some(local) = kind.local_variable(variable) else { return false };
        let is_value = value == UNKNOWN || usize::from(value) < kind.n_values(local);
        if self.space.is_shared(local) || !is_value {
            return false;
        }
        let before = self.states.value(row, &self.space, kind, local);
        if before != value {
            self.states.read(row, &self.space, kind, &mut self.state);
            self.state[local.index()] = value;
            self.states.write(row, &self.space, kind, &self.state);
            self.dirty.set(row, true);
        }
        true
    }

    /// The value of a variable of somebody, shared ones included; `None` if it is unknown.
    pub fn get(&self, npc: Handle, variable: VariableId) -> Option<Fact> {
        let row = self.rows.find(npc)?;
        let local = self.kind().local_variable(variable)?;
        let kind = self.kind();
        let value = match self.space.is_shared(local) {
            true => self.groups.list[usize::from(self.group[row])].shared[local.index()],
            false => self.states.value(row, &self.space, kind, local),
        };
        (value != UNKNOWN).then(|| self.kind().fact(LocalFact { variable: local, value }))
    }

    /// Writes the whole state of a row, with what its group shares.
    pub(crate) fn read_state(&self, row: usize, state: &mut [Value]) {
        let shared = &self.groups.list[usize::from(self.group[row])].shared;
        state.copy_from_slice(shared);
        self.states.read(row, &self.space, self.kind(), state);
    }

    /// A goal of your own: facts that must hold. `None` if one is not of this domain, or there
    /// are too many goals.
    pub fn add_goal(&mut self, facts: &[Fact]) -> Option<GoalRef> {
        let map = self.domain.map();
        let is_known = facts.iter().all(|&fact| map.has_fact(fact));
        is_known.then(|| self.goals.add(self.domain.npc(self.npc), None, facts)).flatten()
    }

    /// A goal of the domain; those of others are added.
    pub fn goal(&mut self, id: GoalId) -> Option<GoalRef> {
        match self.goals.find(id) {
            Some(known) => Some(known),
            None => {
                let wants = self.domain.goals().get(id.index())?.wants();
                self.goals.add(self.domain.npc(self.npc), Some(id), wants)
            }
        }
    }

    /// Any of some goals of the domain: whoever is given it gets the cheapest of their plans, of
    /// equals that of the goal named first, and is satisfied where one holds. `None` if there is
    /// none among them, one is not of this domain, or there are too many goals.
    pub fn any_goal(&mut self, ids: &[GoalId]) -> Option<GoalRef> {
        match ids {
            [] => None,
            &[only] => self.goal(only),
            _ => self.among(ids).and_then(|choice| self.goals.add_choice(choice)),
        }
    }

    /// The choice among some goals of the domain.
    pub(crate) fn among(&mut self, ids: &[GoalId]) -> Option<Choice> {
        let mut parts = Vec::new();
        for &id in ids {
            let part = self.goal(id)?.0;
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        Some(Choice { stages: vec![parts], is_best: false })
    }

    /// What a name of the domain means: a goal, or any of the alternatives that serve the name, as
    /// `hunger <= 1` gives them. `None` if there is no such name, or there are too many goals.
    pub fn wish(&mut self, name: &str) -> Option<GoalRef> {
        let domain = Arc::clone(&self.domain);
        match domain.map().find_goal(name) {
            Some(id) => self.goal(id),
            // Also if there is one: a new version of the domain may have more.
            None => {
                let choice = self.among(domain.map().find_alternatives(name)?)?;
                self.goals.add_choice(choice)
            }
        }
    }

    /// To choose among all that the type wants, as the single planner does if no goal is named:
    /// the goal of highest priority that does not hold and has a plan, among equals the one
    /// declared first; alternatives of a name count as one. Whoever arrives chooses again.
    /// `None` if there are too many goals.
    pub fn best(&mut self) -> Option<GoalRef> {
        let choice = self.goals.best(&self.domain, self.domain.npc(self.npc))?;
        self.goals.add_choice(choice)
    }

    /// What somebody wants.
    pub fn goal_of(&self, npc: Handle) -> Option<GoalRef> {
        Some(GoalRef(self.goal[self.rows.find(npc)?]))
    }

    /// Gives somebody a goal; `false` if one of them does not exist.
    pub fn set_goal(&mut self, npc: Handle, goal: GoalRef) -> bool {
        let Some(row) = self.rows.find(npc).filter(|_| self.goals.has(goal)) else { return false };
        if self.goal[row] != goal.0 {
            self.goal[row] = goal.0;
            self.dirty.set(row, true);
        }
        true
    }

    /// Somebody's group.
    pub fn group_of(&self, npc: Handle) -> Option<GroupRef> {
        Some(GroupRef(self.group[self.rows.find(npc)?]))
    }

    /// Moves somebody to another group; `false` if one of them does not exist.
    pub fn set_group(&mut self, npc: Handle, group: GroupRef) -> bool {
        let Some(row) = self.rows.find(npc).filter(|_| self.has_group(group)) else { return false };
        if self.group[row] != group.0 {
            self.group[row] = group.0;
            self.dirty.set(row, true);
        }
        true
    }

    /// Somebody is to be planned for again: its step failed, or what gave up is to be tried once
    /// more.
    pub fn ask_again(&mut self, npc: Handle) -> bool {
        let Some(row) = self.rows.find(npc) else { return false };
        self.dirty.set(row, true);
        true
    }

    /// How urgent somebody is beside others that wait; 255 is served even out of its group's
    /// turn.
    pub fn set_urgency(&mut self, npc: Handle, urgency: u8) -> bool {
        let Some(row) = self.rows.find(npc) else { return false };
        self.urgency[row] = urgency;
        true
    }
}
