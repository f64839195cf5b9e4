//! What the game says of groups: checks, forbidden actions, shared values, rates.
//!
//! In:   a group and what is so from now on.
//! Out:  changed groups. Which members a change concerns is found out once per frame, by `changes`.
//! Cost: a step.

use super::Crowd;
use crate::error::CrowdError;
use crate::groups::{GroupId, Rate};
use throng_domain::compile::{IdOrName, LocalFact, LocalVariable, PackedValue, UNKNOWN};
use throng_domain::model::{ActionId, CheckId, Fact, VariableId};

impl Crowd {
    /// A new group like the first one was at the beginning.
    ///
    /// # Errors
    ///
    /// If there are too many.
    pub fn add_group(&mut self) -> Result<GroupId, CrowdError> {
        self.core.groups.add(&self.core.kind).ok_or(CrowdError::TooManyGroups)
    }

    /// How many groups there are.
    pub fn n_groups(&self) -> usize {
        self.core.groups.len()
    }

    /// All groups.
    pub fn groups(&self) -> impl Iterator<Item = GroupId> + use<> {
        (0..self.core.groups.len() as u16).map(GroupId)
    }

    pub(super) fn check_group(&self, group: GroupId) -> Result<(), CrowdError> {
        self.core.groups.has(group).then_some(()).ok_or(CrowdError::NoSuchGroup)
    }

    /// Says whether a context check holds for a group.
    ///
    /// # Errors
    ///
    /// If one of them does not exist.
    pub fn set_check(
        &mut self,
        group: GroupId,
        check: impl IdOrName<CheckId>,
        holds: bool,
    ) -> Result<(), CrowdError> {
        self.check_group(group)?;
        let check = check.id(self.domain().map())?;
        if check.index() >= self.domain().map().n_checks() {
            return Err(CrowdError::UnknownCheck(check));
        }
        self.core.groups.set_check(group.index(), check, holds);
        Ok(())
    }

    /// Takes an action out of a group's consideration, or back in.
    ///
    /// # Errors
    ///
    /// If there is no such group, or the type cannot do it anyway.
    pub fn forbid(
        &mut self,
        group: GroupId,
        action: impl IdOrName<ActionId>,
        forbidden: bool,
    ) -> Result<(), CrowdError> {
        self.check_group(group)?;
        let action = action.id(self.domain().map())?;
        let local = self.core.kind.npc().local_action(action);
        let local = local.ok_or(CrowdError::UnknownAction(action))?;
        self.core.groups.forbid(group.index(), local, forbidden);
        Ok(())
    }

    /// Gives a shared variable of a group a value.
    ///
    /// # Errors
    ///
    /// If there is no such group, or the variable is not shared.
    pub fn set_shared(
        &mut self,
        group: GroupId,
        fact: impl IdOrName<Fact>,
    ) -> Result<(), CrowdError> {
        self.check_group(group)?;
        let fact = fact.id(self.domain().map())?;
        let local = self.shared_variable(fact.variable)?;
        if fact.value.index() >= self.core.kind.npc().n_values(local) {
            return Err(CrowdError::UnknownFact(fact));
        }
        self.core.groups.set_shared(group.index(), local, fact.value.index() as PackedValue);
        self.core.claims.say(group.index());
        Ok(())
    }

    /// Members of another crowd have given a shared variable a value; what they have claimed is
    /// what it was. Types that do not know the variable have nothing to hear.
    pub(crate) fn hear(&mut self, group: GroupId, fact: Fact) {
        if let (Ok(()), Ok(local)) = (self.check_group(group), self.shared_variable(fact.variable))
        {
            let value = fact.value.index() as PackedValue;
            self.core.groups.set_shared(group.index(), local, value);
        }
    }

    /// Makes the value of a shared variable of a group unknown.
    ///
    /// # Errors
    ///
    /// As for [`Crowd::set_shared`].
    pub fn forget_shared(
        &mut self,
        group: GroupId,
        variable: impl IdOrName<VariableId>,
    ) -> Result<(), CrowdError> {
        self.check_group(group)?;
        let local = self.shared_variable(variable.id(self.domain().map())?)?;
        self.core.groups.set_shared(group.index(), local, UNKNOWN);
        self.core.claims.say(group.index());
        Ok(())
    }

    fn shared_variable(&self, id: VariableId) -> Result<LocalVariable, CrowdError> {
        let local = self.core.kind.npc().local_variable(id);
        let local = local.ok_or(CrowdError::UnknownVariable(id))?;
        let is_shared = self.core.kind.space().is_shared(local);
        is_shared.then_some(local).ok_or(CrowdError::PrivateVariable(id))
    }

    /// The value of a shared variable of a group.
    pub fn shared(&self, group: GroupId, variable: impl IdOrName<VariableId>) -> Option<Fact> {
        let variable = variable.id(self.domain().map()).ok()?;
        let variable = self.core.kind.shared_variable(variable)?;
        self.check_group(group).ok()?;
        let value = self.core.groups.shared(group.index())[variable.index()];
        (value != UNKNOWN).then(|| self.core.kind.npc().fact(LocalFact { variable, value }))
    }

    /// Serves a group only every so many frames, its members in turn; and how much more urgent
    /// they are than others.
    ///
    /// # Errors
    ///
    /// If there is no such group.
    pub fn set_rate(&mut self, group: GroupId, every: u16, urgency: u8) -> Result<(), CrowdError> {
        self.check_group(group)?;
        self.core.groups.set_rate(group.index(), Rate { every: every.max(1), urgency });
        Ok(())
    }
}
