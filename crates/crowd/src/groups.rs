//! Groups: NPCs that share context checks, forbidden actions and the values of shared variables.
//!
//! In:   what the game says of a group, and what its members do to what they share.
//! Out:  the *situation* of each group, that is, the actions that are there and the shared
//!       values. Groups in the same situation have the same number and the same tables.
//! Cost: a change looks its situation up; which rows it touches is asked once per frame,
//!       whatever happened in between.

use crate::table::PolicyTable;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use throng_domain::compile::{LocalAction, LocalVariable, NpcType, UNKNOWN, Value};
use throng_planner::{ActionMask, Checks};

/// How many situations that no group is in are remembered, with their tables.
const MOST_UNUSED: usize = 64;

/// A group of a crowd.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GroupRef(pub(crate) u16);

impl GroupRef {
    /// The group that every crowd has: all checks hold, nothing is forbidden.
    pub const FIRST: GroupRef = GroupRef(0);

    /// Its position among the groups of its crowd.
    pub fn index(self) -> usize {
        self.0.into()
    }
}

/// What is said of a group.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) checks: Checks,
    pub(crate) forbidden: ActionMask,
    /// A plain state of the type in which only the shared places count.
    pub(crate) shared: Vec<Value>,
    /// Added to the urgency of its members.
    pub(crate) urgency: u8,
    /// Its members have their turn every so many frames.
    pub(crate) every: u16,
    /// Its situation now, and when rows were last compared with it.
    pub(crate) now: u32,
    pub(crate) settled: u32,
    /// Shared variables that members have changed since: some plans expect that, and would not
    /// notice if it were undone.
    pub(crate) touched: Vec<LocalVariable>,
    /// Shared variables that members have changed and others have not been told of.
    pub(crate) untold: Vec<LocalVariable>,
    /// Something was said since its situation was worked out. That waits until somebody plans:
    /// what lies between two changes is nothing to remember.
    pub(crate) is_stale: bool,
}

/// What is learned of a goal in a situation.
#[derive(Debug)]
pub(crate) struct Policy {
    /// Unlike that of any other policy, before or after.
    pub(crate) number: u32,
    pub(crate) table: Option<PolicyTable>,
    /// A table cannot be had; do not try again.
    pub(crate) no_table: bool,
    /// So much search was not enough for a table.
    pub(crate) tried: u64,
    pub(crate) used_at: u64,
}

/// The actions that are there and the shared values.
#[derive(Debug)]
pub(crate) struct Situation {
    pub(crate) enabled: ActionMask,
    pub(crate) checks: Checks,
    pub(crate) forbidden: ActionMask,
    pub(crate) shared: Vec<Value>,
    /// By goal; as long as goals were asked about.
    pub(crate) policies: Vec<Option<Policy>>,
    /// How many groups are in it, or were when rows were last compared.
    users: u32,
    used_at: u64,
    hash: u64,
}

/// What differs between two situations.
#[derive(Debug, Default)]
pub(crate) struct Difference {
    pub(crate) shared: Vec<LocalVariable>,
    pub(crate) removed: Vec<LocalAction>,
    pub(crate) has_added: bool,
    /// Working memory: what is there now.
    pub(crate) enabled: ActionMask,
}

impl Difference {
    /// With room for everything that can differ, once for all frames.
    pub(crate) fn with_room(npc: &NpcType) -> Difference {
        Difference {
            // What members have changed is told again.
            shared: Vec::with_capacity(2 * npc.variables().len()),
            removed: Vec::with_capacity(npc.n_actions()),
            has_added: false,
            enabled: ActionMask::none(npc.n_actions()),
        }
    }
}

/// All groups of a crowd, and their situations.
#[derive(Debug)]
pub(crate) struct Groups {
    pub(crate) list: Vec<Group>,
    /// Those on the free list are empty; all others are known by their hash.
    situations: Vec<Situation>,
    free: Vec<u32>,
    by_hash: HashMap<u64, Vec<u32>>,
    n_unused: usize,
    next_policy: u32,
    clock: u64,
    /// Policies that no longer exist, whose answers may be forgotten.
    pub(crate) gone: Vec<u32>,
    enabled: ActionMask,
}

impl Groups {
    pub(crate) fn new(npc: &NpcType, n_checks: usize, shared: Vec<Value>) -> Groups {
        let mut groups = Groups {
            list: Vec::new(),
            situations: Vec::new(),
            free: Vec::new(),
            by_hash: HashMap::new(),
            n_unused: 0,
            next_policy: 0,
            clock: 0,
            gone: Vec::new(),
            enabled: ActionMask::default(),
        };
        groups.add(npc, Checks::all(n_checks), ActionMask::none(npc.n_actions()), shared);
        groups
    }

    /// A new group; `None` if there are too many.
    pub(crate) fn add(
        &mut self,
        npc: &NpcType,
        checks: Checks,
        forbidden: ActionMask,
        shared: Vec<Value>,
    ) -> Option<GroupRef> {
        let number = u16::try_from(self.list.len()).ok()?;
        let (urgency, every, now, settled) = (0, 1, u32::MAX, u32::MAX);
        // Members fill these while they move, which is no time to allocate.
        let [touched, untold] = [(); 2].map(|()| Vec::with_capacity(npc.variables().len()));
        let is_stale = false;
        self.list.push(Group {
            checks,
            forbidden,
            shared,
            urgency,
            every,
            now,
            settled,
            touched,
            untold,
            is_stale,
        });
        self.update(npc, usize::from(number));
        let now = self.list[usize::from(number)].now;
        self.list[usize::from(number)].settled = now;
        self.use_more(now);
        Some(GroupRef(number))
    }

    pub(crate) fn situation(&self, number: u32) -> &Situation {
        &self.situations[number as usize]
    }

    /// The policy of a goal in a situation, if it was ever asked for.
    pub(crate) fn policy(&self, situation: u32, goal: u16) -> Option<&Policy> {
        self.situation(situation).policies.get(usize::from(goal))?.as_ref()
    }

    /// The policy of a goal in a situation, made if there is none.
    pub(crate) fn policy_mut(&mut self, situation: u32, goal: u16) -> Option<&mut Policy> {
        self.clock += 1;
        let (used_at, number) = (self.clock, self.next_policy);
        let place = &mut self.situations.get_mut(situation as usize)?.policies;
        let at = usize::from(goal);
        if place.len() <= at {
            place.resize_with(at + 1, || None);
        }
        if place[at].is_none() {
            self.next_policy = self.next_policy.wrapping_add(1);
            place[at] = Some(Policy { number, table: None, no_table: false, tried: 0, used_at });
        }
        let policy = place[at].as_mut()?;
        policy.used_at = used_at;
        Some(policy)
    }

    /// Bytes of all tables.
    pub(crate) fn table_bytes(&self) -> usize {
        self.tables().map(PolicyTable::bytes).sum()
    }

    pub(crate) fn tables(&self) -> impl Iterator<Item = &PolicyTable> {
        let policies = self.situations.iter().flat_map(|known| known.policies.iter().flatten());
        policies.filter_map(|policy| policy.table.as_ref())
    }

    /// How many goals in situations were asked about.
    pub(crate) fn n_policies(&self) -> usize {
        self.situations.iter().map(|known| known.policies.iter().flatten().count()).sum()
    }

    /// For how many goals in situations a table was refused.
    pub(crate) fn n_refused(&self) -> usize {
        let policies = self.situations.iter().flat_map(|known| known.policies.iter().flatten());
        policies.filter(|policy| policy.no_table).count()
    }

    /// Works out the situations of groups that were changed.
    pub(crate) fn update_all(&mut self, npc: &NpcType) {
        for group in 0..self.list.len() {
            if self.list[group].is_stale {
                self.update(npc, group);
            }
        }
    }

    /// Works out the situation of a group after changes.
    pub(crate) fn update(&mut self, npc: &NpcType, group: usize) {
        self.clock += 1;
        self.list[group].is_stale = false;
        let said = &self.list[group];
        self.enabled.fill_enabled(npc, &said.checks, &said.forbidden);
        let mut hasher = DefaultHasher::new();
        (&self.enabled, &said.shared).hash(&mut hasher);
        let hash = hasher.finish();
        let same = self.by_hash.get(&hash).into_iter().flatten().copied().find(|&number| {
            let known = self.situation(number);
            known.enabled == self.enabled && known.shared == said.shared
        });
        let number = same.unwrap_or_else(|| self.make(group, hash));
        self.use_more(number);
        let before = std::mem::replace(&mut self.list[group].now, number);
        if before != u32::MAX {
            self.use_less(before);
        }
    }

    fn make(&mut self, group: usize, hash: u64) -> u32 {
        let said = &self.list[group];
        let situation = Situation {
            enabled: self.enabled.clone(),
            checks: said.checks.clone(),
            forbidden: said.forbidden.clone(),
            shared: said.shared.clone(),
            policies: Vec::new(),
            users: 0,
            used_at: self.clock,
            hash,
        };
        self.n_unused += 1;
        let number = match self.free.pop() {
            Some(number) => {
                self.situations[number as usize] = situation;
                number
            }
            None => {
                self.situations.push(situation);
                self.situations.len() as u32 - 1
            }
        };
        self.by_hash.entry(hash).or_default().push(number);
        number
    }

    fn use_more(&mut self, number: u32) {
        let clock = self.clock;
        if let Some(situation) = self.situations.get_mut(number as usize) {
            self.n_unused -= usize::from(situation.users == 0);
            situation.users += 1;
            situation.used_at = clock;
        }
    }

    fn use_less(&mut self, number: u32) {
        if let Some(situation) = self.situations.get_mut(number as usize) {
            situation.users -= 1;
            self.n_unused += usize::from(situation.users == 0);
        }
        if self.n_unused > MOST_UNUSED {
            self.drop_oldest();
        }
    }

    /// Forgets the situation that was left longest ago.
    fn drop_oldest(&mut self) {
        let numbers = self.by_hash.values().flatten().copied();
        let unused = numbers.filter(|&number| self.situation(number).users == 0);
        // No two were used at the same moment, so the order of the map does not matter.
        let oldest = unused.min_by_key(|&number| self.situation(number).used_at);
        let Some(number) = oldest else { return };
        let situation = &mut self.situations[number as usize];
        self.gone.extend(situation.policies.iter().flatten().map(|policy| policy.number));
        situation.policies.clear();
        if let Some(same_hash) = self.by_hash.get_mut(&situation.hash) {
            same_hash.retain(|&other| other != number);
            if same_hash.is_empty() {
                self.by_hash.remove(&situation.hash);
            }
        }
        self.n_unused -= 1;
        self.free.push(number);
    }

    /// Whether a group's members have not been compared with its situation yet.
    pub(crate) fn is_unsettled(&self, group: usize) -> bool {
        let group = &self.list[group];
        group.is_stale || group.now != group.settled || !group.touched.is_empty()
    }

    /// Members of a group have been compared with its situation.
    pub(crate) fn settle(&mut self, group: usize) {
        let Group { now, settled, .. } = self.list[group];
        self.list[group].settled = now;
        self.list[group].touched.clear();
        self.use_more(now);
        self.use_less(settled);
    }

    /// Writes what differs for a group since its members were compared.
    pub(crate) fn difference(&self, npc: &NpcType, group: usize, out: &mut Difference) {
        let after = &self.list[group];
        let before = self.situation(after.settled);
        out.enabled.fill_enabled(npc, &after.checks, &after.forbidden);
        let values = before.shared.iter().zip(&after.shared).enumerate();
        let changed = values.filter(|(_, (before, after))| before != after);
        out.shared.clear();
        out.shared.extend(changed.map(|(at, _)| LocalVariable(at as u32)));
        out.shared.extend_from_slice(&after.touched);
        out.removed.clear();
        out.has_added = false;
        if before.enabled != out.enabled {
            for action in (0..npc.n_actions() as u32).map(LocalAction) {
                match (before.enabled.has(action), out.enabled.has(action)) {
                    (true, false) => out.removed.push(action),
                    (false, true) => out.has_added = true,
                    _ => {}
                }
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let per_group = size_of::<Group>() + 64;
        self.list.len() * per_group + self.table_bytes()
    }
}

/// A plain state of the type in which nothing is known.
pub(crate) fn nothing_shared(npc: &NpcType) -> Vec<Value> {
    vec![UNKNOWN; npc.variables().len()]
}
