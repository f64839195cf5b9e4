//! A crowd: all NPCs of one type, as columns.
//!
//! In:   who is there, in which state, with which goal, in which group.
//! Out:  a [`Status`], a plan and a next action for each, once `plan` has served them.
//! Cost: each change is a step or two; see [`Crowd::plan`] for serving.
//!
//! A changed NPC *waits* until it is served; it has no next action meanwhile, because nobody
//! knows whether its old one is still right. A finished step changes the state as the plan
//! foresaw, so nobody waits for that.

use crate::bits::Bits;
use crate::effects::Effects;
use crate::following::Remainder;
use crate::goals::{GoalRef, Goals};
use crate::groups::{Difference, GroupRef, Groups, nothing_shared};
use crate::ids::Ids;
use crate::memo::Memo;
use crate::plans::{PlanId, Plans};
use crate::pool::Pool;
use crate::rows::{Handle, Rows};
use crate::searches::Searches;
use crate::serve::Work;
use crate::settings::{Settings, Tables};
use crate::space::Space;
use crate::states::{Column, States};
use crate::turns::Turns;
use std::sync::Arc;
use throng_domain::Milli;
use throng_domain::compile::{CompiledDomain, NpcType, UNKNOWN, Value};
use throng_domain::model::{ActionId, CheckId, Fact, GoalId, NpcId, VariableId};
use throng_planner::{Checks, How, Outcome, Problem, Reason, Solver};

/// All NPCs of one type.
#[derive(Debug)]
pub struct Crowd {
    pub(crate) domain: Arc<CompiledDomain>,
    pub(crate) npc: NpcId,
    pub(crate) settings: Settings,
    pub(crate) pool: Arc<Pool>,
    pub(crate) space: Space,
    pub(crate) effects: Effects,
    // One entry per row.
    pub(crate) rows: Rows,
    pub(crate) states: States,
    pub(crate) goal: Vec<u16>,
    pub(crate) group: Vec<u16>,
    pub(crate) ids: Ids,
    pub(crate) step: Vec<u16>,
    pub(crate) urgency: Vec<u8>,
    pub(crate) dirty: Bits,
    // What the rows' numbers mean.
    pub(crate) goals: Goals,
    pub(crate) groups: Groups,
    pub(crate) plans: Plans,
    pub(crate) memo: Option<Memo>,
    // Kept from frame to frame.
    pub(crate) turns: Turns,
    pub(crate) work: Work,
    pub(crate) searches: Searches,
    pub(crate) frame: u64,
    /// Some group is not settled.
    pub(crate) has_changes: bool,
    /// Groups whose shared values members changed themselves, if somebody asks for them.
    pub(crate) shared_changes: Vec<GroupRef>,
    pub(crate) tells_changes: bool,
    pub(crate) state: Vec<Value>,
}

/// How somebody stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// Changed since it was served: has no plan to go by.
    Waiting,
    /// Has a plan and steps left to do.
    Following,
    /// Has what it wants.
    Satisfied,
    /// There is no plan; [`Crowd::reason`] says why.
    Impossible,
    /// A limit was hit before an answer was found.
    GaveUp,
}

impl Crowd {
    /// An empty crowd of a type, with one group; `None` if the domain has no such type.
    pub fn new(
        domain: Arc<CompiledDomain>,
        npc: NpcId,
        settings: Settings,
        pool: Arc<Pool>,
    ) -> Option<Crowd> {
        let kind = domain.npcs().get(npc.index())?;
        let space = Space::new(domain.map(), kind);
        let numbered = if settings.tables == Tables::Never { 0 } else { settings.table_states };
        let mut shared = nothing_shared(kind);
        for fact in kind.starts() {
            if let Some(local) = kind.local_variable(fact.variable) {
                if space.is_shared(local) {
                    shared[local.index()] = fact.value.index() as Value;
                }
            }
        }
        let states = States::new(&space, kind, numbered);
        // Only who has no table needs the kernel.
        let may_be_wide = settings.wide && matches!(states.column, Column::Packed(_, 1));
        Some(Crowd {
            settings,
            effects: Effects::new(kind, &space),
            rows: Rows::default(),
            states,
            goal: Vec::new(),
            group: Vec::new(),
            ids: Ids::Narrow(Vec::new()),
            step: Vec::new(),
            urgency: Vec::new(),
            dirty: Bits::default(),
            goals: Goals::new(&domain, kind),
            groups: Groups::new(kind, domain.map().n_checks(), shared),
            plans: Plans::new(),
            memo: None,
            turns: Turns::new(),
            work: Work::new(&domain, npc, pool.threads(), may_be_wide),
            searches: Searches::new(settings.searches),
            frame: 0,
            has_changes: false,
            shared_changes: Vec::with_capacity(1),
            tells_changes: false,
            state: kind.unknown_state(),
            npc,
            space,
            pool,
            domain,
        })
    }

    /// The domain it plans in.
    pub fn domain(&self) -> &Arc<CompiledDomain> {
        &self.domain
    }

    /// Its type.
    pub fn npc(&self) -> NpcId {
        self.npc
    }

    pub(crate) fn kind(&self) -> &NpcType {
        self.domain.npc(self.npc)
    }

    /// How many NPCs there are.
    pub fn len(&self) -> usize {
        self.rows.n_alive()
    }

    /// Whether nobody is there.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Makes room, so that so many newcomers cost no allocation.
    pub fn reserve(&mut self, more: usize) {
        self.rows.reserve(more);
        self.states.reserve(more);
        self.goal.reserve(more);
        self.group.reserve(more);
        self.ids.reserve(more);
        self.step.reserve(more);
        self.urgency.reserve(more);
        self.dirty.reserve(more);
    }

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
        let before = self.states.value(row, &self.space, kind, local, &mut self.state);
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
        let mut state = self.state.clone();
        self.read_state(row, &mut state);
        let value = state[local.index()];
        (value != UNKNOWN)
            .then(|| self.kind().fact(throng_domain::compile::LocalFact { variable: local, value }))
    }

    /// Writes the whole state of a row, with what its group shares.
    pub(crate) fn read_state(&self, row: usize, state: &mut [Value]) {
        let shared = &self.groups.list[usize::from(self.group[row])].shared;
        state.copy_from_slice(shared);
        self.states.read(row, &self.space, self.kind(), state);
    }

    /// A goal that this type wants, or any other of the domain, or facts of your own.
    pub fn add_goal(&mut self, id: Option<GoalId>, facts: &[Fact]) -> Option<GoalRef> {
        let map = self.domain.map();
        if !facts.iter().all(|&fact| map.has_fact(fact)) {
            return None;
        }
        self.goals.add(self.domain.npc(self.npc), id, facts)
    }

    /// A goal of the domain; those of others are added.
    pub fn goal(&mut self, id: GoalId) -> Option<GoalRef> {
        match self.goals.find(id) {
            Some(known) => Some(known),
            None => {
                let domain = Arc::clone(&self.domain);
                let wants = domain.goals().get(id.index())?.wants();
                self.add_goal(Some(id), wants)
            }
        }
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

    /// How urgent somebody is beside others that wait; 255 is served even out of its group's
    /// turn.
    pub fn set_urgency(&mut self, npc: Handle, urgency: u8) -> bool {
        let Some(row) = self.rows.find(npc) else { return false };
        self.urgency[row] = urgency;
        true
    }

    /// A new group like the first one was at the beginning.
    pub fn add_group(&mut self) -> Option<GroupRef> {
        let kind = self.domain.npc(self.npc);
        let checks = Checks::all(self.domain.map().n_checks());
        let mut shared = nothing_shared(kind);
        for fact in kind.starts() {
            if let Some(local) = kind.local_variable(fact.variable)
                && self.space.is_shared(local)
            {
                shared[local.index()] = fact.value.index() as Value;
            }
        }
        let forbidden = throng_planner::ActionMask::none(kind.n_actions());
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

    fn has_group(&self, group: GroupRef) -> bool {
        group.index() < self.groups.list.len()
    }

    /// Says whether a context check holds for a group.
    pub fn set_check(&mut self, group: GroupRef, check: CheckId, holds: bool) -> bool {
        self.change_group(group, |group, _| group.checks.set(check, holds))
    }

    /// Takes an action out of a group's consideration, or back in.
    pub fn forbid(&mut self, group: GroupRef, action: ActionId, forbidden: bool) -> bool {
        self.change_group(group, |group, kind| {
            if let Some(local) = kind.local_action(action) {
                group.forbidden.set(local, forbidden);
            }
        })
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
        let fact = throng_domain::compile::LocalFact { variable: local, value };
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
        change: impl FnOnce(&mut crate::groups::Group, &NpcType),
    ) -> bool {
        let kind = self.domain.npc(self.npc);
        let Some(said) = self.groups.list.get_mut(group.index()) else { return false };
        change(said, kind);
        said.is_stale = true;
        self.has_changes = true;
        true
    }

    /// How somebody stands; `None` if it is not there.
    pub fn status(&self, npc: Handle) -> Option<Status> {
        Some(self.status_of(self.rows.find(npc)?))
    }

    pub(crate) fn status_of(&self, row: usize) -> Status {
        if self.is_waiting(row) {
            return Status::Waiting;
        }
        match PlanId(self.ids.get(row)) {
            PlanId::IMPOSSIBLE => Status::Impossible,
            PlanId::GAVE_UP => Status::GaveUp,
            _ if self.remainder(row).is_empty() => Status::Satisfied,
            _ => Status::Following,
        }
    }

    /// Whether a row waits, or would if its group's changes were looked at.
    pub(crate) fn is_waiting(&self, row: usize) -> bool {
        let group = usize::from(self.group[row]);
        if self.dirty.get(row) || !self.has_changes || !self.groups.is_unsettled(group) {
            return self.dirty.get(row);
        }
        let mut difference = Difference::default();
        self.groups.difference(self.kind(), group, &mut difference);
        self.is_affected(row, &difference, &mut self.state.clone())
    }

    /// The steps that somebody has still to do; none if it waits or has no plan.
    pub fn plan_of(&self, npc: Handle) -> impl ExactSizeIterator<Item = ActionId> + '_ {
        let row = self.rows.find(npc).filter(|&row| !self.is_waiting(row));
        let remainder = row.map_or(Remainder::NOTHING, |row| self.remainder(row));
        remainder.map(|action| self.kind().actions()[action.index()])
    }

    /// What the steps that somebody has still to do cost.
    pub fn cost_of(&self, npc: Handle) -> Milli {
        let Some(row) = self.rows.find(npc).filter(|&row| !self.is_waiting(row)) else {
            return Milli(0);
        };
        Milli(self.remainder(row).map(|action| self.kind().cost(action)).sum())
    }

    /// How many steps of its plan somebody has done.
    pub fn steps_done(&self, npc: Handle) -> usize {
        self.rows.find(npc).map_or(0, |row| self.step[row].into())
    }

    /// What somebody is to do now; `None` if it waits, has no plan, or has what it wants.
    pub fn next_action(&self, npc: Handle) -> Option<ActionId> {
        self.plan_of(npc).next()
    }

    /// The problem of a row as it is now.
    pub(crate) fn problem_of(&self, row: usize) -> Problem {
        let mut problem = Problem::new(&self.domain, self.npc);
        self.fill_problem(row, &mut problem, &mut self.state.clone());
        problem
    }

    /// Why somebody has no plan: asks the planner again, which is not for every frame. `None` if
    /// it has a plan, or is not there.
    pub fn reason(&self, npc: Handle, solver: &mut Solver) -> Option<Reason> {
        let problem = self.problem_of(self.rows.find(npc)?);
        solver.begin();
        match solver.solve(&self.domain, &problem, &How::DEFAULT) {
            Outcome::Impossible(reason) => Some(reason),
            _ => None,
        }
    }

    /// Bytes in use, capacity included: columns, tables, plans, memory of answers, working
    /// memory. Searches that are under way are not counted.
    pub fn bytes(&self) -> usize {
        self.column_bytes()
            + self.groups.bytes()
            + self.plans.bytes()
            + self.memo.as_ref().map_or(0, Memo::bytes)
            + self.work.bytes()
    }

    /// Bytes of the columns alone: what grows with the NPCs.
    pub fn column_bytes(&self) -> usize {
        self.rows.bytes()
            + self.states.bytes()
            + 2 * (self.goal.capacity() + self.group.capacity() + self.step.capacity())
            + self.ids.bytes()
            + self.urgency.capacity()
            + self.dirty.bytes()
            + self.turns.bytes()
    }

    /// Writes what a row goes by from now on.
    pub(crate) fn assign(&mut self, row: usize, id: u32) {
        let before = self.ids.get(row);
        if before == id {
            return;
        }
        if !Remainder::is_word(id) {
            self.plans.retain(PlanId(id));
        }
        if !Remainder::is_word(before) {
            self.plans.release(PlanId(before));
        }
        self.ids.set(row, id);
    }
}
