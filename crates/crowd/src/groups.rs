//! Groups: NPCs that share context checks, forbidden actions and the values of shared variables.
//!
//! In:   what the game says of a group, and what its members do to what they share.
//! Out:  the *situation* of each group, that is, the actions that are there and the shared
//!       values. Groups in the same situation have the same number and the same tables.
//! Cost: a change looks its situation up; which rows it touches is asked once per frame,
//!       whatever happened in between.

use crate::space::Space;
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
    /// There is no room for a table now.
    pub(crate) no_room: bool,
    /// So much search was not enough for a table.
    pub(crate) tried: u64,
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
    /// Its neighbours among those that nobody uses, if it is one of them.
    left_before: u32,
    left_after: u32,
    is_left: bool,
    hash: u64,
}

/// No situation.
const NONE: u32 = u32::MAX;

/// What differs between two situations.
#[derive(Debug, Default)]
pub(crate) struct Difference {
    pub(crate) shared: Vec<LocalVariable>,
    pub(crate) removed: Vec<LocalAction>,
    pub(crate) has_added: bool,
    /// A shared value was unknown, or is.
    pub(crate) has_unknown: bool,
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
            has_unknown: false,
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
    /// Those that nobody uses, by when they were left.
    left_first: u32,
    left_last: u32,
    n_left: usize,
    next_policy: u32,
    table_bytes: usize,
    /// Plans of tables that no longer exist may still be pinned.
    pub(crate) has_dropped_tables: bool,
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
            left_first: NONE,
            left_last: NONE,
            n_left: 0,
            next_policy: 0,
            table_bytes: 0,
            has_dropped_tables: false,
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
        let number = u16::try_from(self.list.len()).ok().filter(|&number| number < u16::MAX)?;
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
        let number = self.next_policy;
        let place = &mut self.situations.get_mut(situation as usize)?.policies;
        let at = usize::from(goal);
        if place.len() <= at {
            place.resize_with(at + 1, || None);
        }
        if place[at].is_none() {
            self.next_policy = self.next_policy.wrapping_add(1);
            place[at] =
                Some(Policy { number, table: None, no_table: false, no_room: false, tried: 0 });
        }
        place[at].as_mut()
    }

    /// Bytes of all tables.
    pub(crate) fn table_bytes(&self) -> usize {
        self.table_bytes
    }

    /// Gives a goal in a situation its table.
    pub(crate) fn set_table(&mut self, situation: u32, goal: u16, table: PolicyTable) {
        let bytes = table.bytes();
        if let Some(policy) = self.policy_mut(situation, goal) {
            policy.table = Some(table);
            self.table_bytes += bytes;
        }
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
        policies.filter(|policy| policy.no_table || policy.no_room).count()
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
            left_before: NONE,
            left_after: NONE,
            is_left: false,
            hash,
        };
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
        if self.situations[number as usize].is_left {
            self.take_back(number);
        }
        self.situations[number as usize].users += 1;
    }

    fn use_less(&mut self, number: u32) {
        let situation = &mut self.situations[number as usize];
        situation.users -= 1;
        if situation.users > 0 {
            return;
        }
        (situation.is_left, situation.left_before, situation.left_after) =
            (true, self.left_last, NONE);
        match self.situations.get_mut(self.left_last as usize) {
            Some(last) => last.left_after = number,
            None => self.left_first = number,
        }
        self.left_last = number;
        self.n_left += 1;
        if self.n_left > MOST_UNUSED {
            self.drop_oldest();
        }
    }

    /// Takes a situation out of the list of those that nobody uses.
    fn take_back(&mut self, number: u32) {
        let Situation { left_before, left_after, is_left, .. } =
            &mut self.situations[number as usize];
        *is_left = false;
        let (before, after) = (*left_before, *left_after);
        match self.situations.get_mut(before as usize) {
            Some(before) => before.left_after = after,
            None => self.left_first = after,
        }
        match self.situations.get_mut(after as usize) {
            Some(after) => after.left_before = before,
            None => self.left_last = before,
        }
        self.n_left -= 1;
    }

    /// Forgets the situation that was left longest ago; `false` if all are in use. Goals that
    /// found no room for a table may try again.
    pub(crate) fn drop_oldest(&mut self) -> bool {
        let number = self.left_first;
        if number == NONE {
            return false;
        }
        self.take_back(number);
        let situation = &mut self.situations[number as usize];
        self.gone.extend(situation.policies.iter().flatten().map(|policy| policy.number));
        let tables = situation.policies.iter().flatten().filter_map(|p| p.table.as_ref());
        let freed = tables.map(PolicyTable::bytes).sum::<usize>();
        situation.policies.clear();
        if let Some(same_hash) = self.by_hash.get_mut(&situation.hash) {
            same_hash.retain(|&other| other != number);
            if same_hash.is_empty() {
                self.by_hash.remove(&situation.hash);
            }
        }
        self.free.push(number);
        if freed > 0 {
            self.table_bytes -= freed;
            self.has_dropped_tables = true;
            let policies = self.situations.iter_mut().flat_map(|known| &mut known.policies);
            policies.flatten().for_each(|policy| policy.no_room = false);
        }
        true
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
        let is_unknown = |at: usize| before.shared[at] == UNKNOWN || after.shared[at] == UNKNOWN;
        out.has_unknown = out.shared.iter().any(|variable| is_unknown(variable.index()));
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

/// The shared values that a type starts with, as a plain state in which nothing else is known.
pub(crate) fn shared_starts(npc: &NpcType, space: &Space) -> Vec<Value> {
    let mut shared = vec![UNKNOWN; npc.variables().len()];
    for fact in npc.starts() {
        if let Some(local) = npc.local_variable(fact.variable)
            && space.is_shared(local)
        {
            shared[local.index()] = fact.value.index() as Value;
        }
    }
    shared
}
