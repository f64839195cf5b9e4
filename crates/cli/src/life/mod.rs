//! A population that is kept busy: the world disturbs some, the others plan, act, arrive and want
//! the next thing.
//!
//! In:   a domain, how many NPCs, and a seed.
//! Out:  one frame after the other, each with the time its phases took.
//! Cost: a frame visits everybody once to act and once to see who has nothing to do.
//!
//! Everything but the time is the same for the same seed, whatever the number of threads. Nothing
//! here belongs to planning: it is what a game would do around it.

pub(crate) mod demo;
pub(crate) mod figures;
mod goals;
pub(crate) mod summary;

pub(crate) use goals::Refusal;
use goals::{Kind, Reasons};
use std::sync::Arc;
use std::time::{Duration, Instant};
use throng::crowd::{
    Applied, Crowd, CrowdGoalId, CrowdSettings, FrameBudget, FrameReport, GroupId, NpcHandle, Pool,
    Population, Prepared, WaitingFor,
};
use throng::{CheckId, Fact, NpcTypeId, TableFolder};
use throng_base::SplitMix;
use throng_domain::compile::CompiledDomain;
use throng_planner::PreparedDomain;

/// A million: shares are counted in millionths.
const MILLION: u64 = 1_000_000;

/// Who lives, and how restless the world is.
pub struct Setup {
    /// How many NPCs.
    pub npcs: u64,
    /// The types to fill with NPCs, in equal parts.
    pub types: Vec<NpcTypeId>,
    /// Into how many groups each type is divided.
    pub groups: u16,
    /// How many millionths of the NPCs the world disturbs in a frame.
    pub drift: u64,
    /// A check or a shared value of each group changes every so many frames; 0 for never.
    pub change_every: u64,
    /// The second half of the groups is far away, and has its turn every so many frames.
    pub far_every: u16,
    /// Whether NPCs choose among what they want by priority, rather than want it in turn.
    pub by_priority: bool,
    /// The same seed gives the same days.
    pub seed: u64,
    /// How the crowds are served.
    pub settings: CrowdSettings,
    /// How many threads plan.
    pub threads: usize,
}

/// What happened in a frame, and how long each phase took.
pub(crate) struct Frame {
    pub(crate) report: FrameReport,
    pub(crate) applied: Applied,
    /// The world disturbs, groups change, goals are handed out.
    pub(crate) world: Duration,
    pub(crate) plan: Duration,
    pub(crate) apply: Duration,
}

impl Frame {
    pub(crate) fn whole(&self) -> Duration {
        self.world + self.plan + self.apply
    }
}

/// The population and the world around it.
pub struct Life {
    /// The population.
    pub people: Population,
    kinds: Vec<Kind>,
    groups: Vec<GroupId>,
    /// Counts the changes of each group, so that NPCs without a plan notice.
    news: Vec<u8>,
    /// What may change for a group: checks that some action asks, values that are shared.
    checks: Vec<CheckId>,
    shared: Vec<Vec<Fact>>,
    chance: SplitMix,
    drift: u64,
    change_every: u64,
    frame: u64,
    reasons: Reasons,
    queued: Option<(NpcTypeId, NpcHandle, WaitingFor)>,
}

impl Life {
    /// Bytes that the columns of so many NPCs take, by what a few of them do.
    pub(crate) fn column_bytes(domain: &Arc<PreparedDomain>, setup: &Setup) -> u128 {
        const FEW: usize = 1 << 12;
        // The kernel does not change what columns take, and is not made for a guess.
        let settings = CrowdSettings { wide: false, ..setup.settings };
        let mut few = Population::new(Arc::clone(domain), settings, Arc::new(Pool::new(1)));
        let mut bytes = 0;
        for &npc in &setup.types {
            if let Some(crowd) = few.crowd_mut(npc) {
                let before = crowd.column_bytes();
                crowd.reserve(FEW);
                bytes += crowd.column_bytes() - before;
            }
        }
        let per_npc = bytes / (FEW * setup.types.len().max(1)) + goals::BYTES_PER_NPC;
        u128::from(setup.npcs) * per_npc as u128
    }

    /// Fills the types; `None` if an NPC finds no place.
    pub fn begin(domain: &Arc<PreparedDomain>, setup: &Setup) -> Option<Life> {
        let pool = Arc::new(Pool::new(setup.threads));
        let mut people = Population::new(Arc::clone(domain), setup.settings, pool);
        let mut groups = vec![GroupId::FIRST];
        while groups.len() < usize::from(setup.groups) {
            groups.push(people.add_group().ok()?);
        }
        for &far in &groups[groups.len().div_ceil(2)..] {
            people.set_rate(far, setup.far_every, 0).ok()?;
        }
        let mut chance = SplitMix::new(setup.seed);
        let mut kinds = Vec::new();
        let n_types = setup.types.len() as u64;
        for (at, &npc) in setup.types.iter().enumerate() {
            let n = setup.npcs / n_types + u64::from((at as u64) < setup.npcs % n_types);
            let crowd = people.crowd_mut(npc)?;
            let kind = Kind::new(domain, crowd, n as usize, setup.by_priority);
            kind.fill(crowd, &groups, &mut chance)?;
            kinds.push(kind);
        }
        Some(Life {
            people,
            kinds,
            news: vec![0; groups.len()],
            groups,
            checks: checks_of(domain, &setup.types),
            shared: shared_of(domain, &setup.types),
            chance,
            drift: setup.drift,
            change_every: setup.change_every,
            frame: 0,
            reasons: Reasons::default(),
            queued: None,
        })
    }

    /// How many frames were lived.
    pub(crate) fn n_frames(&self) -> u64 {
        self.frame
    }

    /// What NPCs of a type want in turn, by name.
    pub(crate) fn goals_of(&self, npc: NpcTypeId) -> impl Iterator<Item = (&str, CrowdGoalId)> {
        self.kinds.iter().filter(move |kind| kind.npc == npc).flat_map(Kind::goals)
    }

    /// Who waited for what another had claimed, when that was looked at last, and for what.
    pub(crate) fn queued(&self) -> Option<(NpcTypeId, NpcHandle, WaitingFor)> {
        self.queued
    }

    /// The first who waits for what another has claimed, if anybody does now.
    fn first_queued(&self) -> Option<(NpcTypeId, NpcHandle, WaitingFor)> {
        self.people.crowds().iter().find_map(|crowd| {
            crowd.handles().filter(|&npc| crowd.is_queued(npc)).find_map(|npc| {
                let why = self.people.waiting_for(crowd.npc(), npc)?;
                Some((crowd.npc(), npc, why))
            })
        })
    }

    /// Goals that NPCs looked for in vain, the most often first.
    pub(crate) fn refusals(&self) -> Vec<Refusal<'_>> {
        self.reasons.refusals(&self.kinds)
    }

    /// Makes the tables that can be made before the first frame, or reads them from a folder;
    /// `go_on` says whether to.
    pub(crate) fn prepare(
        &mut self,
        folder: Option<&mut TableFolder>,
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Prepared {
        match folder {
            Some(folder) => self.people.prepare_from(folder, &|_, _| go_on()),
            None => {
                let built = self.people.prepare(&|_, _| go_on());
                Prepared { built, ..Prepared::default() }
            }
        }
    }

    /// One frame. Asking a few for their reasons is not part of a game's frame, so it is not
    /// timed.
    pub(crate) fn frame(&mut self, budget: FrameBudget) -> Frame {
        let start = Instant::now();
        // The world gives some of the NPCs another value of one of their own variables.
        each(&mut self.kinds, &mut self.people, |kind, crowd| {
            kind.disturb(crowd, self.drift, &mut self.chance);
        });
        self.change_groups();
        let mut world = start.elapsed();
        let start = Instant::now();
        self.people.settle();
        let mut plan = start.elapsed();
        // Not in every frame: whoever is looked for may not be there.
        if self.frame.is_power_of_two() || self.frame.is_multiple_of(64) {
            self.reasons.ask(&self.people, &self.kinds);
        }
        let start = Instant::now();
        each(&mut self.kinds, &mut self.people, |kind, crowd| {
            kind.hand_out_goals(crowd, &self.news);
        });
        world += start.elapsed();
        let start = Instant::now();
        let report = self.people.plan(budget);
        plan += start.elapsed();
        if report.queued > 0 && (self.frame.is_power_of_two() || self.frame.is_multiple_of(64)) {
            self.queued = self.first_queued();
        }
        let start = Instant::now();
        let applied = self.people.apply_next();
        let apply = start.elapsed();
        self.frame += 1;
        Frame { report, applied, world, plan, apply }
    }

    /// Every group has its turn to change: the next of its checks turns into its opposite, and
    /// now and then a shared thing is found as somebody left it. With the checks of a day, morning
    /// follows night.
    fn change_groups(&mut self) {
        if self.change_every == 0 || self.frame == 0 {
            return;
        }
        for at in 0..self.groups.len() {
            let turn = self.change_every * at as u64 / self.groups.len() as u64;
            if self.frame % self.change_every != turn {
                continue;
            }
            let group = self.groups[at];
            if !self.checks.is_empty() {
                // Twice through all checks is a day, and then all hold again.
                let part = (self.frame / self.change_every) as usize + at;
                let (round, which) = (part / self.checks.len(), part % self.checks.len());
                let _ = self.people.set_check(group, self.checks[which], round % 2 == 1);
            }
            if !self.shared.is_empty() && self.chance.one_in(4) {
                let values = self.chance.pick(&self.shared);
                let _ = self.people.set_shared(group, *self.chance.pick(values));
            }
            self.news[at] = self.news[at].wrapping_add(1);
        }
    }

    /// The most goals that a type has.
    fn most_goals(&self) -> usize {
        self.kinds.iter().map(Kind::n_goals).max().unwrap_or(0)
    }

    /// Everybody, whatever it does, wants the next goal of its day.
    fn all_want_the_next(&mut self) {
        each(&mut self.kinds, &mut self.people, |kind, crowd| kind.all_want_the_next(crowd));
    }
}

/// Visits each type with its crowd.
fn each(kinds: &mut [Kind], people: &mut Population, mut visit: impl FnMut(&mut Kind, &mut Crowd)) {
    for kind in kinds {
        if let Some(crowd) = people.crowd_mut(kind.npc) {
            visit(kind, crowd);
        }
    }
}

/// The checks that actions of these types ask, in declared order.
pub fn checks_of(domain: &CompiledDomain, types: &[NpcTypeId]) -> Vec<CheckId> {
    let mut checks = Vec::new();
    for kind in types.iter().map(|&npc| domain.npc(npc)) {
        let used = kind.local_actions().flat_map(|action| kind.checks(action));
        checks.extend(used.map(|used| used.check));
    }
    checks.sort_unstable();
    checks.dedup();
    checks
}

/// The values of each shared variable of these types, in declared order.
fn shared_of(domain: &CompiledDomain, types: &[NpcTypeId]) -> Vec<Vec<Fact>> {
    let mut shared: Vec<_> = types.iter().flat_map(|&npc| values_of(domain, npc, true)).collect();
    shared.sort_unstable();
    shared.dedup();
    shared
}

/// The values of each variable of a type that is shared, or that is not.
pub fn values_of(
    domain: &CompiledDomain,
    npc: NpcTypeId,
    shared: bool,
) -> impl Iterator<Item = Vec<Fact>> + '_ {
    let kind = domain.npc(npc);
    let variables = kind.local_variables().zip(kind.variables());
    let wanted = variables.filter(move |(_, id)| domain.map().is_shared(**id) == shared);
    wanted.map(|(variable, _)| kind.facts_of(variable).map(|fact| kind.fact(fact)).collect())
}
