//! A crowd: all NPCs of one type, as columns.
//!
//! In:   who is there, in which state, with which goal, in which group.
//! Out:  a [`Status`], a plan and a next action for each, once `plan` has served them.
//! Cost: each change is a step or two; see [`Crowd::plan`] for serving.
//!
//! A changed NPC *waits* until it is served; it has no next action meanwhile, because its
//! old one may be wrong now. A finished step changes the state as the plan foresaw, so no NPC waits
//! for that.
//!
//! What a game may do with a crowd is told here and in the files below; how it is done is told by
//! its parts, none of which knows a crowd.

mod amounts;
mod answers;
mod edits;
mod frame;
mod line;
mod people;
mod steps;
mod told;

pub(crate) use amounts::fact_of;
pub use answers::{Idle, Status};
pub use edits::NpcEdit;
pub use line::WaitingFor;
pub(crate) use line::{HandedOut, Line};
pub use steps::Applied;

use crate::changes::Settling;
use crate::core::Core;
use crate::direct::Direct;
use crate::error::CrowdError;
use crate::former::Former;
use crate::goals::CrowdGoalId;
use crate::groups::GroupId;
use crate::kind::Kind;
use crate::lists::{self, ListWork};
use crate::memory::Memory;
use crate::pool::Pool;
use crate::questions::Questions;
use crate::reload::{self, CrowdReloadError, Migration};
use crate::saved::{self, RestoreCrowdError};
use crate::searches::Searches;
use crate::settings::CrowdSettings;
use crate::source::{GoalSource, SourceReport};
use crate::tables::{self, Prepared, TableProgress, TableStore, TableWork};
use crate::wide::WideWork;
use std::sync::Arc;
use throng_domain::compile::IdOrName;
use throng_domain::model::{Fact, NpcTypeId};
use throng_planner::PreparedDomain;

/// All NPCs of one type. Calls that want an id of the domain take it, or its name.
///
/// ```
/// use throng_crowd::{Crowd, CrowdSettings, FrameBudget, GroupId, Pool, Status};
/// # use std::sync::Arc;
/// # use throng_domain::{Format, Limits, formats, load};
/// # use throng_planner::PreparedDomain;
/// # let text = "domain bakery\nvar bread: none, baked\naction bake: bread none -> baked   if oven\n\
/// #     goal fed: bread = baked\nnpc baker\n    can bake\n    wants fed\n    starts bread = none";
/// # let limits = Limits::default();
/// # let loaded = load("a.npc", text, Format::Npc, &limits, &[], &mut formats::no_includes);
/// # let domain = Arc::new(PreparedDomain::new(&loaded.model.ok_or("a mistake")?));
/// let pool = Arc::new(Pool::new(2));
/// let mut bakers = Crowd::new(domain, "baker", CrowdSettings::default(), pool)?;
/// let fed = bakers.goal("fed")?;
/// let anna = bakers.spawn(GroupId::FIRST, fed)?;
/// bakers.plan(FrameBudget::UNLIMITED);
/// assert_eq!(bakers.status(anna), Some(Status::Following));
/// assert_eq!(bakers.apply_next().arrived, 1);
///
/// bakers.set(anna, ("bread", "none"))?;
/// bakers.set_check(GroupId::FIRST, "oven", false)?;
/// bakers.plan(FrameBudget::UNLIMITED);
/// assert_eq!(bakers.status(anna), Some(Status::Impossible));
/// let error = bakers.set_check(GroupId::FIRST, "ovn", true).unwrap_err();
/// assert_eq!(error.to_string(), "unknown check `ovn`; did you mean `oven`?");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use]
pub struct Crowd {
    core: Core,
    // Where answers come from, in the order in which they are asked.
    settling: Settling,
    tables: TableWork,
    wide: WideWork,
    lists: ListWork,
    memory: Memory,
    questions: Questions,
    direct: Direct,
    searches: Searches,
    /// Who waits for what is shared; of a population it has one for all crowds.
    line: Line,
}

impl Crowd {
    /// An empty crowd of a type, with one group.
    ///
    /// # Errors
    ///
    /// If the domain has no such type, or the type more goals than can be numbered.
    pub fn new(
        domain: Arc<PreparedDomain>,
        npc: impl IdOrName<NpcTypeId>,
        settings: CrowdSettings,
        pool: Arc<Pool>,
    ) -> Result<Crowd, CrowdError> {
        let npc = npc.id(domain.map())?;
        let kind = Kind::new(domain, npc).ok_or(CrowdError::UnknownType(npc))?;
        let mut core = Core::new(kind, settings, pool);
        core.goals.declare(&core.kind)?;
        Ok(Crowd::around(core))
    }

    fn around(core: Core) -> Crowd {
        Crowd {
            settling: Settling::default(),
            tables: TableWork::default(),
            wide: WideWork::default(),
            lists: ListWork::default(),
            memory: Memory::new(core.settings.remembered),
            questions: Questions::default(),
            direct: Direct::new(&core.kind, core.pool.threads()),
            searches: Searches::new(core.settings.searches),
            line: Line::new(core.kind.domain()),
            core,
        }
    }

    /// The domain it plans in.
    pub fn domain(&self) -> &Arc<PreparedDomain> {
        self.core.kind.domain()
    }

    /// Its type.
    pub fn npc(&self) -> NpcTypeId {
        self.core.kind.id()
    }

    /// How many NPCs there are.
    pub fn len(&self) -> usize {
        self.core.columns.rows().n_alive()
    }

    /// Whether there is no NPC.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Makes room, so that so many more NPCs cost no allocation.
    pub fn reserve(&mut self, more: usize) {
        self.core.columns.reserve(more);
    }

    /// Bytes in use, capacity included: columns, tables, plans, memory of answers, working
    /// memory. Searches that are under way are not counted.
    pub fn bytes(&self) -> usize {
        self.column_bytes()
            + self.core.groups.bytes()
            + self.core.book.plans.bytes()
            + self.core.parts.bytes()
            + self.memory.bytes()
            + self.settling.bytes()
            + self.questions.bytes()
            + self.wide.bytes()
            + self.lists.bytes()
            + self.line.bytes()
    }

    /// Bytes of the columns alone: what grows with the NPCs.
    pub fn column_bytes(&self) -> usize {
        self.core.columns.bytes() + self.core.turns.bytes() + self.core.claims.bytes()
    }

    /// Which source serves this type, and why.
    pub fn source(&self) -> SourceReport {
        SourceReport::of(&self.core, &self.wide)
    }

    /// Which source serves a goal, one that nobody has asked for or a choice included, and why;
    /// `None` if there is no such goal.
    pub fn goal_source(&self, goal: CrowdGoalId) -> Option<GoalSource> {
        let there = self.core.goals.has(goal) && goal != CrowdGoalId::NONE;
        there.then(|| GoalSource::of(&self.core, goal.0, self.source().by))
    }

    /// The settings it was made with.
    pub fn settings(&self) -> &CrowdSettings {
        &self.core.settings
    }

    /// Which source serves each goal that was asked for, choices left aside, and why.
    pub fn goal_sources(&self) -> impl Iterator<Item = GoalSource> + '_ {
        GoalSource::all(&self.core, self.source().by)
    }

    /// Makes the tables for all goals in all groups, as while a level is loaded, and lists where a
    /// type that counts can have none. Returns how many tables were made.
    pub fn prepare(&mut self, progress: TableProgress<'_>) -> usize {
        self.prepare_from(None, progress).built
    }

    /// The same, but reads tables that earlier runs have kept, and keeps those it builds.
    pub fn prepare_from(
        &mut self,
        store: Option<&mut dyn TableStore>,
        progress: TableProgress<'_>,
    ) -> Prepared {
        self.settle();
        if !self.core.columns.states().is_numbered() {
            // No table can be had; what serves instead is made ready.
            self.wide.make(&mut self.core);
        }
        let prepared = tables::prepare(&mut self.core, &self.memory, store, progress);
        Prepared { lists: lists::prepare(&mut self.core, progress), ..prepared }
    }

    /// Goes over to a new version of the domain.
    ///
    /// # Errors
    ///
    /// If the crowd's type is gone; everything is then as it was.
    pub fn reload(&mut self, domain: Arc<PreparedDomain>) -> Result<Migration, CrowdReloadError> {
        let former = self.former();
        let (settings, pool) = (self.core.settings, Arc::clone(&self.core.pool));
        let (mut next, migration) = Crowd::again(&former, domain, settings, pool)?;
        next.core.groups.tell_changes(self.core.groups.tells_changes());
        *self = next;
        Ok(migration)
    }

    /// The crowd as bytes, sealed against damage: rows and handles, states, goals, groups and what
    /// they were told, plans in progress, whose turn is next. Groups are [settled](Crowd::settle)
    /// first. Settings, tables, remembered answers and searches under way are not among them.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use throng_crowd::{FrameBudget, Crowd, GroupId, Pool, CrowdSettings};
    /// # use throng_domain::{Format, Limits, formats, load};
    /// # use throng_planner::PreparedDomain;
    /// # let text = "domain d\nvar x: 0..1\naction up: x 0 -> 1\ngoal high: x = 1\n\
    /// #     npc n\n    can up\n    wants high\n    starts x = 0";
    /// # let limits = Limits::default();
    /// # let loaded = load("a.npc", text, Format::Npc, &limits, &[], &mut formats::no_includes);
    /// # let domain = Arc::new(PreparedDomain::new(&loaded.model.ok_or("a mistake")?));
    /// # let (npc, pool) = (domain.npcs()[0].id(), Arc::new(Pool::new(1)));
    /// # let settings = CrowdSettings::default();
    /// let mut crowd = Crowd::new(Arc::clone(&domain), npc, settings, Arc::clone(&pool))?;
    /// let high = crowd.wish("high")?;
    /// let anna = crowd.spawn(GroupId::FIRST, high)?;
    /// crowd.plan(FrameBudget::UNLIMITED);
    /// let bytes = crowd.save();
    ///
    /// let (again, migration) = Crowd::restore(&bytes, domain, settings, pool)?;
    /// assert_eq!((again.digest(), migration.kept), (crowd.digest(), 1));
    /// assert_eq!(again.next_action(anna), crowd.next_action(anna));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn save(&mut self) -> Vec<u8> {
        saved::bytes(&saved::CROWD, &self.former())
    }

    /// The crowd that was saved, in the same or another version of its domain, as
    /// [`Crowd::reload`] would carry it over. In the same version it goes on as if nothing had
    /// happened: same handles, same plans, the same NPCs served next.
    ///
    /// # Errors
    ///
    /// If the bytes are no saved crowd, or damaged; or the domain has no such type.
    pub fn restore(
        bytes: &[u8],
        domain: Arc<PreparedDomain>,
        settings: CrowdSettings,
        pool: Arc<Pool>,
    ) -> Result<(Crowd, Migration), RestoreCrowdError> {
        let former: Former = saved::read(&saved::CROWD, bytes)?;
        Ok(Crowd::again(&former, domain, settings, pool)?)
    }

    /// The crowd apart from its domain.
    pub(crate) fn former(&mut self) -> Former {
        self.settle();
        let Core { claims, columns, .. } = &mut self.core;
        claims.forget_asking(columns.waiting(), |row| columns.group(row));
        Former::of(&self.core, self.questions.after, self.line.heads())
    }

    /// The crowd that a former one is in a domain.
    pub(crate) fn again(
        former: &Former,
        domain: Arc<PreparedDomain>,
        settings: CrowdSettings,
        pool: Arc<Pool>,
    ) -> Result<(Crowd, Migration), CrowdReloadError> {
        let gone = || CrowdReloadError::NoSuchType { name: former.name.clone() };
        let id = domain.map().find_npc(&former.name).ok_or_else(gone)?;
        let kind = Kind::new(domain, id).ok_or_else(gone)?;
        let mut crowd = Crowd::around(Core::new(kind, settings, pool));
        if !former.word.is_empty() {
            crowd.wide.make(&mut crowd.core);
        }
        let migration = reload::take(&mut crowd.core, former)?;
        crowd.questions.after = former.planned_after;
        crowd.line.set_heads(crowd.core.groups.len(), &former.claims.heads);
        Ok((crowd, migration))
    }

    // For populations.

    /// Becomes one of several crowds: its handles carry a number, and it tells what its members
    /// change of what groups share.
    pub(crate) fn join(&mut self, number: u16) {
        self.core.columns.set_crowd(number);
        self.core.groups.tell_changes(true);
    }

    /// What members have changed of what groups share, since this was last asked.
    pub(crate) fn drain_shared_changes(&mut self, tell: impl FnMut(GroupId, Fact)) {
        self.core.groups.drain_changes(self.core.kind.npc(), tell);
    }

    /// Hears what others have been told that is new to this type.
    pub(crate) fn catch_up(&mut self, before: Option<&Former>, others: &[Former]) {
        reload::catch_up(&mut self.core, before, others);
    }
}
