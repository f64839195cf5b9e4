//! All NPCs of a domain: a crowd per type, groups that they have in common.
//!
//! In:   a domain; what the game says of groups, once for all types.
//! Out:  crowds that share values: what a smith does to the forge, the apprentice sees.
//! Cost: that of the crowds.

mod round;

use crate::crowd::{Applied, Crowd, HandedOut, Line, WaitingFor, fact_of};
use crate::error::CrowdError;
use crate::former::{Former, FormerPopulation};
use crate::groups::GroupId;
use crate::pool::Pool;
use crate::reload::{CrowdReloadError, Migration};
use crate::rows::NpcHandle;
use crate::saved::{self, RestoreCrowdError};
use crate::settings::{CrowdSettings, Frame, FrameBudget, FrameReport};
use crate::tables::{Prepared, TableProgress, TableStore};
use std::sync::Arc;
use throng_domain::compile::IdOrName;
use throng_domain::model::{ActionId, CheckId, Fact, NpcTypeId, VariableId};
use throng_planner::PreparedDomain;

/// A crowd for each NPC type of a domain.
///
/// Groups have the same numbers in all crowds. Change them here: a crowd that is told alone
/// keeps what it was told to itself, until a reload brings a type that hears of it first from
/// that crowd. Calls that want an id of the domain take it, or its name.
///
/// ```
/// use throng_crowd::{CrowdSettings, FrameBudget, GroupId, Pool, Population};
/// # use std::sync::Arc;
/// # use throng_domain::{Format, Limits, formats, load};
/// # use throng_planner::PreparedDomain;
/// # let text = "domain smithy\nshared var forge: cold, hot\nvar sword: none, made\n\
/// #     action light: forge cold -> hot\n\
/// #     action smith: sword none -> made   while forge = hot\n\
/// #     goal warm: forge = hot\ngoal armed: sword = made\n\
/// #     npc apprentice\n    can light\n    wants warm\n    starts forge = cold\n\
/// #     npc smith\n    can smith\n    wants armed\n    starts sword = none";
/// # let limits = Limits::default();
/// # let loaded = load("a.npc", text, Format::Npc, &limits, &[], &mut formats::no_includes);
/// # let domain = Arc::new(PreparedDomain::new(&loaded.model.ok_or("a mistake")?));
/// let pool = Arc::new(Pool::new(2));
/// let mut town = Population::new(domain, CrowdSettings::default(), pool);
/// for (kind, goal) in [("apprentice", "warm"), ("smith", "armed")] {
///     let crowd = town.crowd_mut(kind).ok_or("no such type")?;
///     let goal = crowd.goal(goal)?;
///     crowd.spawn(GroupId::FIRST, goal)?;
/// }
/// // The smith has no plan before the apprentice has lit the forge of their group.
/// let report = town.plan(FrameBudget::UNLIMITED);
/// assert_eq!((report.plans, report.impossible), (1, 1));
/// town.apply_next();
/// assert_eq!(town.plan(FrameBudget::UNLIMITED).plans, 1);
///
/// town.set_shared(GroupId::FIRST, ("forge", "cold"))?;
/// assert_eq!(town.plan(FrameBudget::UNLIMITED).impossible, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use]
pub struct Population {
    domain: Arc<PreparedDomain>,
    settings: CrowdSettings,
    pool: Arc<Pool>,
    crowds: Vec<Crowd>,
    n_groups: usize,
    /// The number on the handles of the next new crowd.
    next_crowd: u16,
    /// Who is served first in the next frame.
    first: usize,
    changes: Vec<(GroupId, Fact)>,
    /// Who waits for what is shared.
    line: Line,
    // Working memory of sharing a budget.
    waiting: Vec<[usize; 256]>,
    quotas: Vec<usize>,
    /// What each crowd may do in a frame, and did.
    frames: Vec<Frame>,
    /// What came of changing each crowd.
    edited: Vec<Result<(), CrowdError>>,
}

impl Population {
    throng_base::getters! {
        /// The domain.
        domain: &Arc<PreparedDomain>;
        /// All crowds, by type.
        crowds: &[Crowd];
    }

    /// Empty crowds of all types, with one group.
    pub fn new(
        domain: Arc<PreparedDomain>,
        settings: CrowdSettings,
        pool: Arc<Pool>,
    ) -> Population {
        let ids = domain.npcs().iter().map(|npc| npc.id());
        let crowds = ids.filter_map(|id| {
            let crowd = Crowd::new(Arc::clone(&domain), id, settings, Arc::clone(&pool));
            let mut crowd = crowd.ok()?;
            crowd.join(id.index() as u16);
            Some(crowd)
        });
        let crowds: Vec<Crowd> = crowds.collect();
        let next_crowd = crowds.len() as u16;
        let mut all = Population {
            settings,
            pool,
            crowds,
            n_groups: 1,
            next_crowd,
            first: 0,
            changes: Vec::new(),
            line: Line::new(&domain),
            waiting: Vec::new(),
            quotas: Vec::new(),
            frames: Vec::new(),
            edited: Vec::new(),
            domain,
        };
        all.share_starts(GroupId::FIRST);
        all
    }

    /// What one type says of a shared variable in its `starts` holds for all of a new group.
    fn share_starts(&mut self, group: GroupId) {
        for id in 0..self.domain.npcs().len() {
            for at in 0..self.domain.npcs()[id].starts().len() {
                let fact = self.domain.npcs()[id].starts()[at];
                if self.domain.map().is_shared(fact.variable) {
                    // At least the type that starts with it knows it.
                    let _ = self.set_shared(group, fact);
                }
            }
        }
    }

    /// The crowd of a type.
    pub fn crowd(&self, npc: impl IdOrName<NpcTypeId>) -> Option<&Crowd> {
        self.crowds.get(npc.id(self.domain.map()).ok()?.index())
    }

    /// The crowd of a type, to change who is in it.
    pub fn crowd_mut(&mut self, npc: impl IdOrName<NpcTypeId>) -> Option<&mut Crowd> {
        self.crowds.get_mut(npc.id(self.domain.map()).ok()?.index())
    }

    /// How many NPCs there are.
    pub fn len(&self) -> usize {
        self.crowds.iter().map(Crowd::len).sum()
    }

    /// Whether there is no NPC.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A new group in all crowds.
    ///
    /// # Errors
    ///
    /// If there are too many.
    pub fn add_group(&mut self) -> Result<GroupId, CrowdError> {
        let at = u16::try_from(self.n_groups).ok().filter(|&at| at < u16::MAX);
        let group = GroupId(at.ok_or(CrowdError::TooManyGroups)?);
        for crowd in &mut self.crowds {
            while crowd.n_groups() <= group.index() {
                crowd.add_group()?;
            }
        }
        self.n_groups += 1;
        self.share_starts(group);
        Ok(group)
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
        let check = check.id(self.domain.map())?;
        self.tell(|crowd| crowd.set_check(group, check, holds))
    }

    /// Takes an action out of a group's consideration, or back in, for all types that do it.
    ///
    /// # Errors
    ///
    /// If there is no such group, or no type does it.
    pub fn forbid(
        &mut self,
        group: GroupId,
        action: impl IdOrName<ActionId>,
        forbidden: bool,
    ) -> Result<(), CrowdError> {
        let action = action.id(self.domain.map())?;
        self.tell(|crowd| crowd.forbid(group, action, forbidden))
    }

    /// Gives a shared variable of a group a value, for all types that know it.
    ///
    /// # Errors
    ///
    /// If there is no such group, or no type knows the variable as a shared one.
    pub fn set_shared(
        &mut self,
        group: GroupId,
        fact: impl IdOrName<Fact>,
    ) -> Result<(), CrowdError> {
        let fact = fact.id(self.domain.map())?;
        self.tell(|crowd| crowd.set_shared(group, fact))
    }

    /// Gives a shared amount of a group a number, for all types that know it.
    ///
    /// # Errors
    ///
    /// As for [`Population::set_shared`]; if the variable is no amount, or the number is out of its
    /// range.
    pub fn set_shared_amount(
        &mut self,
        group: GroupId,
        variable: impl IdOrName<VariableId>,
        number: i64,
    ) -> Result<(), CrowdError> {
        let map = self.domain.map();
        let fact = fact_of(map, variable.id(map)?, number)?;
        self.set_shared(group, fact)
    }

    /// Makes the value of a shared variable of a group unknown, for all types that know it.
    ///
    /// # Errors
    ///
    /// As for [`Population::set_shared`].
    pub fn forget_shared(
        &mut self,
        group: GroupId,
        variable: impl IdOrName<VariableId>,
    ) -> Result<(), CrowdError> {
        let variable = variable.id(self.domain.map())?;
        self.tell(|crowd| crowd.forget_shared(group, variable))
    }

    /// Serves a group only every so many frames, and how much more urgent its members are.
    ///
    /// # Errors
    ///
    /// If there is no such group.
    pub fn set_rate(&mut self, group: GroupId, every: u16, urgency: u8) -> Result<(), CrowdError> {
        self.tell(|crowd| crowd.set_rate(group, every, urgency))
    }

    /// Tells all crowds; it is enough if one listens.
    fn tell(
        &mut self,
        what: impl Fn(&mut Crowd) -> Result<(), CrowdError>,
    ) -> Result<(), CrowdError> {
        let mut heard = Err(CrowdError::NoSuchGroup);
        for crowd in &mut self.crowds {
            match what(crowd) {
                Err(_) if heard.is_ok() => {}
                said => heard = said,
            }
        }
        heard
    }

    /// An NPC of a type has finished its next action; see [`Crowd::finish_step`]. The other
    /// types see what that did to shared values.
    pub fn finish_step(
        &mut self,
        npc: impl IdOrName<NpcTypeId>,
        who: NpcHandle,
    ) -> Option<ActionId> {
        let at = npc.id(self.domain.map()).ok()?.index();
        let done = self.crowds.get_mut(at)?.do_step(who);
        self.pass_on(at);
        let (row, action) = done?;
        self.line.ask_at_once(&mut self.crowds, at, row);
        Some(action)
    }

    /// What an NPC of a type waits for whose next step touches what others have claimed, and who
    /// is in its way; not for every frame. `None` if it waits for nobody.
    pub fn waiting_for(&self, npc: impl IdOrName<NpcTypeId>, who: NpcHandle) -> Option<WaitingFor> {
        let at = npc.id(self.domain.map()).ok()?.index();
        let row = self.crowds.get(at)?.queued_row(who)?;
        self.line.waiting_for(&self.crowds, at, row)
    }

    /// Gives claims, if something has changed since that was last done.
    fn hand_out_news(&mut self) {
        if self.crowds.iter().any(Crowd::has_claim_news) {
            self.line.hand_out(&mut self.crowds);
        }
    }

    /// Serves those who wait in all crowds, within one budget, the most urgent of all types
    /// first; among equals another crowd comes first in each frame.
    pub fn plan(&mut self, budget: FrameBudget) -> FrameReport {
        self.pass_on_all();
        let n = self.crowds.len();
        let is_limited = budget.npcs < self.len();
        if !is_limited && budget.nodes == u64::MAX {
            let report = self.plan_all();
            return self.with_claims(report);
        }
        if is_limited {
            self.share_out(budget.npcs);
        }
        let mut report = FrameReport::default();
        for at in (0..n).map(|at| (self.first + at) % n) {
            let npcs = if is_limited { self.quotas[at] } else { usize::MAX };
            let nodes = budget.nodes.saturating_sub(report.nodes);
            report += self.crowds[at].plan(FrameBudget { npcs, nodes });
        }
        self.first = if n == 0 { 0 } else { (self.first + 1) % n };
        self.with_claims(report)
    }

    /// Gives claims to those who ask, and says so.
    fn with_claims(&mut self, mut report: FrameReport) -> FrameReport {
        let HandedOut { claimed, queued } = self.line.hand_out(&mut self.crowds);
        (report.claimed, report.queued) = (claimed, queued);
        report
    }

    /// How many each crowd may serve, so that the most urgent of all are served.
    fn share_out(&mut self, npcs: usize) {
        let n = self.crowds.len();
        self.waiting.clear();
        self.waiting.resize(n, [0; 256]);
        for (crowd, counts) in self.crowds.iter_mut().zip(&mut self.waiting) {
            crowd.count_waiting(counts);
        }
        self.quotas.clear();
        self.quotas.resize(n, 0);
        let mut left = npcs;
        for level in (0..256).rev() {
            for at in (0..n).map(|at| (self.first + at) % n) {
                let some = self.waiting[at][level].min(left);
                self.quotas[at] += some;
                left -= some;
            }
        }
    }

    /// Compares all NPCs with what their groups have become; see [`Crowd::settle`].
    pub fn settle(&mut self) {
        self.pass_on_all();
        self.crowds.iter_mut().for_each(Crowd::settle);
    }

    /// Makes all tables, as while a level is loaded; see [`Crowd::prepare`].
    pub fn prepare(&mut self, progress: TableProgress<'_>) -> usize {
        self.crowds.iter_mut().map(|crowd| crowd.prepare(progress)).sum()
    }

    /// The same, from what earlier runs have kept; see [`Crowd::prepare_from`].
    pub fn prepare_from(
        &mut self,
        store: &mut dyn TableStore,
        progress: TableProgress<'_>,
    ) -> Prepared {
        let mut prepared = Prepared::default();
        for crowd in &mut self.crowds {
            prepared += crowd.prepare_from(Some(store), progress);
        }
        prepared
    }

    /// Every NPC that has a next action finishes it, type by type; what one type changes of
    /// shared values the next one sees.
    pub fn apply_next(&mut self) -> Applied {
        // Who gets a claim only now has not been told its next action, and does not do it.
        self.line.take_back(&mut self.crowds);
        let mut applied = Applied::default();
        for at in 0..self.crowds.len() {
            applied += self.crowds[at].do_steps();
            self.pass_on(at);
        }
        self.hand_out_news();
        applied
    }

    fn pass_on_all(&mut self) {
        (0..self.crowds.len()).for_each(|from| self.pass_on(from));
    }

    /// Tells the other crowds what members of one have changed by finishing steps.
    fn pass_on(&mut self, from: usize) {
        let Some(crowd) = self.crowds.get_mut(from) else { return };
        crowd.drain_shared_changes(|group, fact| self.changes.push((group, fact)));
        for (group, fact) in self.changes.drain(..) {
            for (at, other) in self.crowds.iter_mut().enumerate() {
                if at != from {
                    other.hear(group, fact);
                }
            }
        }
    }

    /// Goes over to a new version of the domain, all crowds or none.
    ///
    /// # Errors
    ///
    /// If a type that has members is gone, or two become one; everything is then as it was.
    pub fn reload(&mut self, domain: Arc<PreparedDomain>) -> Result<Migration, CrowdReloadError> {
        let (settings, pool) = (self.settings, Arc::clone(&self.pool));
        let (next, migration) = Population::again(&self.former(), domain, settings, pool)?;
        *self = next;
        Ok(migration)
    }

    /// All crowds as bytes, sealed against damage; see [`Crowd::save`].
    #[must_use]
    pub fn save(&mut self) -> Vec<u8> {
        saved::bytes(&saved::POPULATION, &self.former())
    }

    /// The population that was saved, in the same or another version of its domain; see
    /// [`Crowd::restore`].
    ///
    /// # Errors
    ///
    /// If the bytes are no saved population, or damaged; or the domain has no place for a crowd of
    /// it that has members.
    pub fn restore(
        bytes: &[u8],
        domain: Arc<PreparedDomain>,
        settings: CrowdSettings,
        pool: Arc<Pool>,
    ) -> Result<(Population, Migration), RestoreCrowdError> {
        let former: FormerPopulation = saved::read(&saved::POPULATION, bytes)?;
        Ok(Population::again(&former, domain, settings, pool)?)
    }

    fn former(&mut self) -> FormerPopulation {
        self.settle();
        let mut crowds: Vec<Former> = self.crowds.iter_mut().map(Crowd::former).collect();
        if let Some(first) = crowds.first_mut() {
            first.claims.heads = self.line.heads();
        }
        FormerPopulation {
            crowds,
            n_groups: self.n_groups,
            next_crowd: self.next_crowd,
            first: self.first,
        }
    }

    /// The population that a former one is in a domain.
    fn again(
        former: &FormerPopulation,
        domain: Arc<PreparedDomain>,
        settings: CrowdSettings,
        pool: Arc<Pool>,
    ) -> Result<(Population, Migration), CrowdReloadError> {
        let mut next = Population::new(Arc::clone(&domain), settings, Arc::clone(&pool));
        for _ in 1..former.n_groups {
            next.add_group().map_err(|_| CrowdReloadError::TooManyGroups)?;
        }
        let mut migration = Migration::default();
        let mut came_from: Vec<Option<&Former>> = vec![None; next.crowds.len()];
        for crowd in &former.crowds {
            match Crowd::again(crowd, Arc::clone(&domain), settings, Arc::clone(&pool)) {
                Ok((mut moved, part)) => {
                    let at = moved.npc().index();
                    match (next.crowds[at].is_empty(), moved.is_empty()) {
                        (false, false) => {
                            let name = domain.map().npc(moved.npc()).to_string();
                            return Err(CrowdReloadError::TwoTypesBecomeOne { name });
                        }
                        // The one with members stays.
                        (false, true) => continue,
                        (true, _) => {}
                    }
                    migration += part;
                    came_from[at] = Some(crowd);
                    moved.join(crowd.crowd);
                    next.crowds[at] = moved;
                }
                Err(CrowdReloadError::NoSuchType { .. }) if crowd.npcs.is_empty() => {}
                Err(error) => return Err(error),
            }
        }
        next.next_crowd = former.next_crowd;
        // Types that are new, and what is new to a type, see what the others see.
        for (crowd, from) in next.crowds.iter_mut().zip(came_from) {
            if from.is_none() {
                crowd.join(next.next_crowd);
                next.next_crowd = next.next_crowd.wrapping_add(1);
            }
            crowd.catch_up(from, &former.crowds);
        }
        next.first = former.first % next.crowds.len().max(1);
        if let Some(first) = former.crowds.first() {
            next.line.set_heads(next.n_groups, &first.claims.heads);
        }
        Ok((next, migration))
    }

    /// A digest of all states, goals and plans; see [`Crowd::digest`].
    pub fn digest(&self) -> u64 {
        throng_base::Digest64::of(self.crowds.iter().map(Crowd::digest))
    }

    /// Bytes in use by all crowds.
    pub fn bytes(&self) -> usize {
        self.crowds.iter().map(Crowd::bytes).sum::<usize>() + self.line.bytes()
    }

    /// Bytes of all columns: what grows with the NPCs.
    pub fn column_bytes(&self) -> usize {
        self.crowds.iter().map(Crowd::column_bytes).sum()
    }
}
