//! Changes of many: each NPC is found once, names are resolved once, values are written alone.
//!
//! In:   rows or handles, and what is to be so from now on.
//! Out:  changed columns. An NPC that changes waits; saying what is so already changes nothing.
//! Cost: some nanoseconds for an NPC and a change. What some dozens of NPCs need is asked for
//!       before the first of them is changed, so that the memory works on all of them at once.

use super::Crowd;
use crate::core::Core;
use crate::crowd::fact_of;
use crate::error::CrowdError;
use crate::goals::CrowdGoalId;
use crate::groups::GroupId;
use crate::rows::NpcHandle;
use crate::setter::Setter;
use std::hint::black_box;
use throng_domain::compile::{IdOrName, LocalVariable, PackedValue, UNKNOWN};
use throng_domain::model::{Fact, VariableId};

/// So many NPCs are looked for before the first of them is changed.
const AHEAD: usize = 64;

/// An NPC that was found, to be looked at and changed.
#[derive(Debug)]
pub struct NpcEdit<'c> {
    core: &'c mut Core,
    row: usize,
}

impl NpcEdit<'_> {
    /// Which NPC it is.
    pub fn handle(&self) -> NpcHandle {
        self.core.columns.rows().handle(self.row)
    }

    /// Its row.
    #[inline]
    pub fn row(&self) -> usize {
        self.row
    }

    /// Gives it a value.
    ///
    /// # Errors
    ///
    /// If the setter is one of another crowd, or was made before the domain was reloaded.
    #[inline]
    pub fn set(&mut self, setter: &Setter) -> Result<(), CrowdError> {
        let Core { columns, kind, .. } = &mut *self.core;
        if !columns.takes(setter) {
            return Err(CrowdError::OtherSetter);
        }
        columns.set(self.row, kind, setter);
        Ok(())
    }

    /// Whether it has the value that a setter gives; `false` if the setter is not for it.
    #[inline]
    pub fn has(&self, setter: &Setter) -> bool {
        let Core { columns, kind, .. } = &*self.core;
        columns.takes(setter) && columns.value(self.row, kind, setter.variable()) == setter.value()
    }

    /// What it wants.
    #[inline]
    pub fn goal(&self) -> CrowdGoalId {
        CrowdGoalId(self.core.columns.goal(self.row))
    }

    /// Gives it a goal.
    ///
    /// # Errors
    ///
    /// If the crowd has no such goal.
    #[inline]
    pub fn set_goal(&mut self, goal: CrowdGoalId) -> Result<(), CrowdError> {
        if !self.core.goals.has(goal) {
            return Err(CrowdError::NoSuchGoal);
        }
        self.core.set_goal(self.row, goal);
        Ok(())
    }

    /// Its group.
    #[inline]
    pub fn group(&self) -> GroupId {
        GroupId(self.core.columns.groups()[self.row])
    }

    /// Moves it to another group.
    ///
    /// # Errors
    ///
    /// If the crowd has no such group.
    #[inline]
    pub fn set_group(&mut self, group: GroupId) -> Result<(), CrowdError> {
        if !self.core.groups.has(group) {
            return Err(CrowdError::NoSuchGroup);
        }
        self.core.set_group(self.row, group);
        Ok(())
    }

    /// It is to be planned for again; see [`Crowd::ask_again`].
    #[inline]
    pub fn ask_again(&mut self) {
        self.core.columns.wait(self.row);
    }

    /// How urgent it is beside others that wait; see [`Crowd::set_urgency`].
    #[inline]
    pub fn set_urgency(&mut self, urgency: u8) {
        self.core.columns.set_urgency(self.row, urgency);
    }
}

impl Crowd {
    /// A value for NPCs of this crowd, by id or name, to be given to as many as you like, in as
    /// many frames as you like: names are resolved here and nowhere else.
    ///
    /// ```
    /// # use throng_crowd::{Crowd, CrowdError, CrowdSettings, FrameBudget, GroupId, Pool};
    /// # use std::sync::Arc;
    /// # use throng_domain::{Format, Limits, formats, load};
    /// # use throng_planner::PreparedDomain;
    /// # let text = "domain bakery\nvar bread: none, baked\naction bake: bread none -> baked\n\
    /// #     goal fed: bread = baked\ngoal poor: bread = none\n\
    /// #     npc baker\n    can bake\n    wants fed, poor\n    starts bread = none";
    /// # let limits = Limits::default();
    /// # let loaded = load("a.npc", text, Format::Npc, &limits, &[], &mut formats::no_includes);
    /// # let domain = Arc::new(PreparedDomain::new(&loaded.model.ok_or("a mistake")?));
    /// # let pool = Arc::new(Pool::new(1));
    /// # let mut bakers = Crowd::new(domain, "baker", CrowdSettings::default(), pool)?;
    /// // Once, as while a level is loaded.
    /// let (fed, poor) = (bakers.goal("fed")?, bakers.goal("poor")?);
    /// let (eaten, baked) = (bakers.setter(("bread", "none"))?, bakers.setter(("bread", "baked"))?);
    /// for _ in 0..1000 {
    ///     bakers.spawn(GroupId::FIRST, fed)?;
    /// }
    /// // In a frame: everybody, some rows, or one.
    /// let mut n_poor = 0;
    /// bakers.edit_each(|npc| {
    ///     n_poor += usize::from(npc.has(&eaten));
    ///     npc.set(&baked)
    /// })?;
    /// let some = bakers.edit_rows((0..1000).step_by(10), |_, npc| {
    ///     npc.set(&eaten)?;
    ///     npc.set_goal(poor)
    /// })?;
    /// assert_eq!((n_poor, some), (1000, 100));
    /// let report = bakers.plan(FrameBudget::UNLIMITED);
    /// assert_eq!((report.plans, report.satisfied), (0, 1000));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// See also [`Population::edit_crowds`](crate::Population::edit_crowds), which changes all types
    /// at the same time.
    ///
    /// # Errors
    ///
    /// If the domain has no such fact, or the variable is none of their own (shared ones are set by
    /// [`Crowd::set_shared`]).
    pub fn setter(&self, fact: impl IdOrName<Fact>) -> Result<Setter, CrowdError> {
        let fact = fact.id(self.domain().map())?;
        let local = self.own_variable(fact.variable);
        // Of what the type does not touch or shares that is to be said, whatever the value is.
        match local {
            Ok(local) if fact.value.index() >= self.core.kind.npc().n_values(local) => {
                Err(CrowdError::UnknownFact(fact))
            }
            _ => Ok(self.setter_of(local?, fact.value.index() as PackedValue)),
        }
    }

    /// The same of an amount having a number.
    ///
    /// # Errors
    ///
    /// As for [`Crowd::setter`]; if the variable is no amount, or the number out of its range.
    pub fn amount_setter(
        &self,
        variable: impl IdOrName<VariableId>,
        number: i64,
    ) -> Result<Setter, CrowdError> {
        let map = self.domain().map();
        let fact = fact_of(map, variable.id(map)?, number)?;
        self.setter(fact)
    }

    /// The same of a variable whose value is unknown from then on.
    ///
    /// # Errors
    ///
    /// As for [`Crowd::setter`].
    pub fn unknown_setter(
        &self,
        variable: impl IdOrName<VariableId>,
    ) -> Result<Setter, CrowdError> {
        let variable = variable.id(self.domain().map())?;
        Ok(self.setter_of(self.own_variable(variable)?, UNKNOWN))
    }

    fn setter_of(&self, variable: LocalVariable, value: PackedValue) -> Setter {
        self.core.columns.setter(&self.core.kind, variable, value)
    }

    /// The number of a variable that each NPC has for itself.
    pub(super) fn own_variable(&self, variable: VariableId) -> Result<LocalVariable, CrowdError> {
        let kind = &self.core.kind;
        let local = kind.npc().local_variable(variable);
        let local = local.ok_or(CrowdError::UnknownVariable(variable))?;
        match kind.space().is_shared(local) {
            true => Err(CrowdError::SharedVariable(variable)),
            false => Ok(local),
        }
    }

    /// An NPC, found once, to be looked at and changed in several ways.
    ///
    /// # Errors
    ///
    /// If it is not there.
    #[inline]
    pub fn edit(&mut self, npc: NpcHandle) -> Result<NpcEdit<'_>, CrowdError> {
        let row = self.row(npc)?;
        Ok(NpcEdit { core: &mut self.core, row })
    }

    /// Looks at all NPCs, by row, and changes them.
    ///
    /// # Errors
    ///
    /// The first that `edit` gives; it ends there, and what was changed stays so.
    pub fn edit_each(
        &mut self,
        mut edit: impl FnMut(&mut NpcEdit<'_>) -> Result<(), CrowdError>,
    ) -> Result<(), CrowdError> {
        for at in 0..self.core.columns.rows().alive().words().len() {
            for bit in throng_base::ones(self.core.columns.rows().alive().words()[at]) {
                edit(&mut NpcEdit { core: &mut self.core, row: at * 64 + bit })?;
            }
        }
        Ok(())
    }

    /// Looks at the NPCs of some rows, a range of them or any list, and changes them; `edit` also
    /// hears which in the list it is. Returns how many are there: rows in which nobody lives are
    /// passed over.
    ///
    /// # Errors
    ///
    /// The first that `edit` gives; it ends there, and what was changed stays so.
    pub fn edit_rows(
        &mut self,
        rows: impl IntoIterator<Item = usize>,
        edit: impl FnMut(usize, &mut NpcEdit<'_>) -> Result<(), CrowdError>,
    ) -> Result<usize, CrowdError> {
        let there = |core: &Core, row: usize| core.columns.rows().alive().get(row).then_some(row);
        self.edit_found(rows, there, edit)
    }

    /// The same with handles: those whose NPC is gone, or is one of another crowd, are passed over.
    ///
    /// # Errors
    ///
    /// The first that `edit` gives; it ends there, and what was changed stays so.
    pub fn edit_many(
        &mut self,
        npcs: impl IntoIterator<Item = NpcHandle>,
        edit: impl FnMut(usize, &mut NpcEdit<'_>) -> Result<(), CrowdError>,
    ) -> Result<usize, CrowdError> {
        self.edit_found(npcs, |core, npc| core.columns.find(npc), edit)
    }

    /// Gives many a value; returns how many of them are there, and have it now.
    ///
    /// # Errors
    ///
    /// If the setter is one of another crowd, or was made before the domain was reloaded.
    pub fn set_many(
        &mut self,
        npcs: impl IntoIterator<Item = NpcHandle>,
        setter: &Setter,
    ) -> Result<usize, CrowdError> {
        self.edit_many(npcs, |_, npc| npc.set(setter))
    }

    /// Finds those who are there among some, dozens at a time, and has them changed.
    fn edit_found<T>(
        &mut self,
        all: impl IntoIterator<Item = T>,
        find: impl Fn(&Core, T) -> Option<usize>,
        mut edit: impl FnMut(usize, &mut NpcEdit<'_>) -> Result<(), CrowdError>,
    ) -> Result<usize, CrowdError> {
        let mut all = all.into_iter().enumerate();
        let (mut found, mut n_found) = ([(0, 0); AHEAD], 0);
        loop {
            let (mut n, mut n_seen, mut touched) = (0, 0, 0);
            for (at, one) in all.by_ref().take(AHEAD) {
                n_seen += 1;
                if let Some(row) = find(&self.core, one) {
                    touched ^= self.core.columns.touch(row);
                    found[n] = (at, row);
                    n += 1;
                }
            }
            black_box(touched);
            for &(at, row) in &found[..n] {
                edit(at, &mut NpcEdit { core: &mut self.core, row })?;
            }
            n_found += n;
            if n_seen < AHEAD {
                return Ok(n_found);
            }
        }
    }
}
