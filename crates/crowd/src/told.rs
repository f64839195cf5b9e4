//! What the game says of groups: checks, forbidden actions, shared values, rates.
//!
//! In:   a group and what is so from now on.
//! Out:  the group's new situation. Whom that concerns is found out once per frame, by `changes`.
//! Cost: a look-up of the situation.

use crate::crowd::Crowd;
use crate::groups::{Group, GroupRef, shared_starts};
use throng_domain::compile::{LocalFact, NpcType, UNKNOWN, Value};
use throng_domain::model::{ActionId, CheckId, Fact, VariableId};
use throng_planner::{ActionMask, Checks};

impl Crowd {
    /// A new group like the first one was at the beginning.
    pub fn add_group(&mut self) -> Option<GroupRef> {
        let kind = self.domain.npc(self.npc);
        let checks = Checks::all(self.domain.map().n_checks());
        let shared = shared_starts(kind, &self.space);
        let forbidden = ActionMask::none(kind.n_actions());
        // Each may be among them once; that is no time to allocate.
        self.shared_changes.reserve(self.groups.list.len() + 1);
        self.groups.add(kind, checks, forbidden, shared)
    }

    /// How many groups there are.
    pub fn n_groups(&self) -> usize {
        self.groups.list.len()
    }

    /// All groups.
    pub fn groups(&self) -> impl Iterator<Item = GroupRef> + use<> {
        (0..self.groups.list.len() as u16).map(GroupRef)
    }

    pub(crate) fn has_group(&self, group: GroupRef) -> bool {
        group.index() < self.groups.list.len()
    }

    /// Says whether a context check holds for a group.
    pub fn set_check(&mut self, group: GroupRef, check: CheckId, holds: bool) -> bool {
        self.change_group(group, |group, _| group.checks.set(check, holds))
    }

    /// Takes an action out of a group's consideration, or back in; `false` if there is no such
    /// group or the type cannot do it anyway.
    pub fn forbid(&mut self, group: GroupRef, action: ActionId, forbidden: bool) -> bool {
        let Some(local) = self.kind().local_action(action) else { return false };
        self.change_group(group, |group, _| group.forbidden.set(local, forbidden))
    }

    /// Gives a shared variable of a group a value; `false` if the variable is not shared.
    pub fn set_shared(&mut self, group: GroupRef, fact: Fact) -> bool {
        let kind = self.domain.npc(self.npc);
        let Some(local) = kind.local_variable(fact.variable) else { return false };
        if !self.space.is_shared(local) || fact.value.index() >= kind.n_values(local) {
            return false;
        }
        let value = fact.value.index() as Value;
        self.change_group(group, |group, _| group.shared[local.index()] = value)
    }

    /// Makes the value of a shared variable of a group unknown.
    pub fn forget_shared(&mut self, group: GroupRef, variable: VariableId) -> bool {
        let Some(local) = self.kind().local_variable(variable) else { return false };
        self.space.is_shared(local)
            && self.change_group(group, |group, _| group.shared[local.index()] = UNKNOWN)
    }

    /// The value of a shared variable of a group.
    pub fn shared(&self, group: GroupRef, variable: VariableId) -> Option<Fact> {
        let local = self.kind().local_variable(variable)?;
        let value = *self.groups.list.get(group.index())?.shared.get(local.index())?;
        let fact = LocalFact { variable: local, value };
        (value != UNKNOWN && self.space.is_shared(local)).then(|| self.kind().fact(fact))
    }

    /// Serves a group only every so many frames, its members in turn; and how much more urgent
    /// they are than others.
    pub fn set_rate(&mut self, group: GroupRef, every: u16, urgency: u8) -> bool {
        let Some(group) = self.groups.list.get_mut(group.index()) else { return false };
        (group.every, group.urgency) = (every.max(1), urgency);
        true
    }

    pub(crate) fn change_group(
        &mut self,
        group: GroupRef,
        change: impl FnOnce(&mut Group, &NpcType),
    ) -> bool {
        let kind = self.domain.npc(self.npc);
        let Some(said) = self.groups.list.get_mut(group.index()) else { return false };
        change(said, kind);
        said.is_stale = true;
        self.has_changes = true;
        true
    }
}
