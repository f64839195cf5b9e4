//! Amounts by number: of one NPC, of many, of a group.
//!
//! In:   an amount, by id or name, and numbers as the file writes them.
//! Out:  changed columns; or the numbers that are there. An NPC that changes waits.
//! Cost: a step or two each.
//!
//! `set`, `get` and their like take amounts too, as values. Here a number need not be written as a
//! word first.

use super::Crowd;
use crate::error::CrowdError;
use crate::groups::GroupId;
use crate::rows::NpcHandle;
use throng_domain::compile::{IdOrName, LocalVariable, PackedValue, SourceMap, UNKNOWN};
use throng_domain::model::{Fact, ValueId, VariableId};

/// An amount and the ends of its range.
fn ends(map: &SourceMap, variable: VariableId) -> Result<(i64, i64), CrowdError> {
    if variable.index() >= map.n_variables() {
        return Err(CrowdError::UnknownVariable(variable));
    }
    map.amount(variable).ok_or(CrowdError::NoAmount(variable))
}

/// An amount having a number, as a fact.
pub(crate) fn fact_of(
    map: &SourceMap,
    variable: VariableId,
    number: i64,
) -> Result<Fact, CrowdError> {
    let range = ends(map, variable)?;
    match (range.0..=range.1).contains(&number) {
        true => Ok(Fact { variable, value: ValueId::at((number - range.0) as usize) }),
        false => Err(CrowdError::OutOfRange { variable, number, range }),
    }
}

/// An amount that each NPC of a crowd has for itself.
#[derive(Clone, Copy)]
struct Own {
    variable: VariableId,
    local: LocalVariable,
    /// The least number.
    low: i64,
    high: i64,
}

impl Crowd {
    fn own_amount(&self, variable: impl IdOrName<VariableId>) -> Result<Own, CrowdError> {
        let map = self.domain().map();
        let variable = variable.id(map)?;
        let (low, high) = ends(map, variable)?;
        Ok(Own { variable, local: self.own_variable(variable)?, low, high })
    }

    fn set_own(&mut self, row: usize, amount: Own, number: i64) {
        let value = (number - amount.low) as PackedValue;
        let setter = self.core.columns.setter(&self.core.kind, amount.local, value);
        self.core.columns.set(row, &self.core.kind, &setter);
    }

    /// The number of a row's own amount.
    fn own_number(&self, row: usize, amount: Own) -> Option<i64> {
        let value = self.core.columns.value(row, &self.core.kind, amount.local);
        (value != UNKNOWN).then(|| amount.low + i64::from(value))
    }

    /// Gives an amount of an NPC a number.
    ///
    /// # Errors
    ///
    /// If the NPC is not there, the variable is no amount of its own (shared ones are set by
    /// [`Crowd::set_shared_amount`]), or the number is out of its range.
    pub fn set_amount(
        &mut self,
        npc: NpcHandle,
        variable: impl IdOrName<VariableId>,
        number: i64,
    ) -> Result<(), CrowdError> {
        let (row, amount) = (self.row(npc)?, self.own_amount(variable)?);
        fact_of(self.domain().map(), amount.variable, number)?;
        self.set_own(row, amount, number);
        Ok(())
    }

    /// The number of an amount of an NPC, shared ones included; `None` if it is unknown, or no
    /// amount.
    pub fn amount(&self, npc: NpcHandle, variable: impl IdOrName<VariableId>) -> Option<i64> {
        let fact = self.get(npc, variable)?;
        self.number_of(fact)
    }

    /// Moves an amount of an NPC up, or down if `by` is below zero, and stops at the end of its
    /// range: hunger that grows, a wound. Returns the number that it has now; `None` if it is
    /// unknown, and stays so.
    ///
    /// # Errors
    ///
    /// As for [`Crowd::set_amount`].
    pub fn shift_amount(
        &mut self,
        npc: NpcHandle,
        variable: impl IdOrName<VariableId>,
        by: i64,
    ) -> Result<Option<i64>, CrowdError> {
        let (row, amount) = (self.row(npc)?, self.own_amount(variable)?);
        Ok(self.shift_own(row, amount, by))
    }

    fn shift_own(&mut self, row: usize, amount: Own, by: i64) -> Option<i64> {
        let moved = self.own_number(row, amount)?.saturating_add(by);
        let moved = moved.clamp(amount.low, amount.high);
        self.set_own(row, amount, moved);
        Some(moved)
    }

    /// Gives an amount of many a number each; returns how many are there, and have it now.
    ///
    /// # Errors
    ///
    /// If there are not as many numbers as NPCs; else as for [`Crowd::set_amount`], but for NPCs
    /// that are not there. Nothing has changed then.
    pub fn set_amounts(
        &mut self,
        npcs: &[NpcHandle],
        variable: impl IdOrName<VariableId>,
        numbers: &[i64],
    ) -> Result<usize, CrowdError> {
        let amount = self.own_amount(variable)?;
        if npcs.len() != numbers.len() {
            return Err(CrowdError::OtherLength);
        }
        let map = self.domain().map();
        numbers.iter().try_for_each(|&it| fact_of(map, amount.variable, it).map(|_| ()))?;
        let mut n_set = 0;
        for (&npc, &number) in npcs.iter().zip(numbers) {
            if let Some(row) = self.core.columns.find(npc) {
                self.set_own(row, amount, number);
                n_set += 1;
            }
        }
        Ok(n_set)
    }

    /// Moves an amount of many by the same, as [`Crowd::shift_amount`] does; returns of how many it
    /// is known.
    ///
    /// # Errors
    ///
    /// If the variable is no amount of theirs.
    pub fn shift_amounts(
        &mut self,
        npcs: &[NpcHandle],
        variable: impl IdOrName<VariableId>,
        by: i64,
    ) -> Result<usize, CrowdError> {
        let amount = self.own_amount(variable)?;
        let mut n_known = 0;
        for &npc in npcs {
            let row = self.core.columns.find(npc);
            n_known += usize::from(row.and_then(|row| self.shift_own(row, amount, by)).is_some());
        }
        Ok(n_known)
    }

    /// The column of an amount: all NPCs by row, each with its number, `None` if it is unknown.
    ///
    /// # Errors
    ///
    /// If the variable is no amount of theirs.
    pub fn amounts(
        &self,
        variable: impl IdOrName<VariableId>,
    ) -> Result<impl Iterator<Item = (NpcHandle, Option<i64>)> + '_, CrowdError> {
        let (amount, rows) = (self.own_amount(variable)?, self.core.columns.rows());
        let all = rows.alive().iter();
        Ok(all.map(move |row| (rows.handle(row), self.own_number(row, amount))))
    }

    /// Gives a shared amount of a group a number.
    ///
    /// # Errors
    ///
    /// If there is no such group, the variable is no shared amount, or the number is out of its
    /// range.
    pub fn set_shared_amount(
        &mut self,
        group: GroupId,
        variable: impl IdOrName<VariableId>,
        number: i64,
    ) -> Result<(), CrowdError> {
        let map = self.domain().map();
        let fact = fact_of(map, variable.id(map)?, number)?;
        self.set_shared(group, fact)
    }

    /// The number of a shared amount of a group; `None` if it is unknown, or no such amount.
    pub fn shared_amount(
        &self,
        group: GroupId,
        variable: impl IdOrName<VariableId>,
    ) -> Option<i64> {
        let fact = self.shared(group, variable)?;
        self.number_of(fact)
    }

    fn number_of(&self, fact: Fact) -> Option<i64> {
        let (low, _) = self.domain().map().amount(fact.variable)?;
        Some(low + fact.value.index() as i64)
    }
}
