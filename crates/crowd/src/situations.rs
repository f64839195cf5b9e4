//! Situations: what plans depend on beside goal and state, and what is learned in each.
//!
//! In:   the actions that are there and the shared values of a group.
//! Out:  a number; equal ones have the same. For each goal that is asked for in a situation its
//!       *policy*: a number that answers are remembered by, and a table if there is one.
//! Cost: one hash to find a situation; a look-up after.
//!
//! Situations that no group is in are kept for a while, with their tables; those left longest ago
//! go first.

use crate::list::Lists;
use crate::no_table::NoTableReason;
use crate::table::PolicyTable;
use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use throng_base::IndexTable;
use throng_domain::compile::PackedValue;
use throng_planner::{ActionMask, Checks};

/// How many situations that no group is in are remembered, with their tables.
const MOST_UNUSED: usize = 64;

/// No situation.
pub(crate) const NONE: u32 = u32::MAX;

/// What is learned of a goal in a situation.
#[derive(Debug)]
pub(crate) struct Policy {
    /// Unlike that of any other policy, before or after; answers are remembered by it.
    pub(crate) number: u32,
    table: Option<PolicyTable>,
    pub(crate) no: Refusal,
    /// So much search was not enough for a table.
    pub(crate) tried: u64,
}

/// What is learned in one situation, by goal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Policies<'s>(&'s [Option<Policy>]);

impl<'s> Policies<'s> {
    #[inline]
    pub(crate) fn table(self, goal: u16) -> Option<&'s PolicyTable> {
        self.0.get(usize::from(goal))?.as_ref()?.table.as_ref()
    }
}

/// Why there is no table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Refusal {
    /// It cannot be had; do not try again.
    pub(crate) for_good: bool,
    /// There is no room for it now.
    pub(crate) no_room: bool,
    /// The same for people.
    pub(crate) why: Option<NoTableReason>,
}

impl Refusal {
    pub(crate) fn is_any(self) -> bool {
        self.for_good || self.no_room
    }
}

/// The actions that are there and the shared values.
#[derive(Debug)]
pub(crate) struct Situation {
    pub(crate) enabled: ActionMask,
    pub(crate) checks: Checks,
    pub(crate) forbidden: ActionMask,
    pub(crate) shared: Vec<PackedValue>,
    /// By goal; as long as goals were asked about.
    policies: Vec<Option<Policy>>,
    /// How many groups are in it, or were when rows were last compared.
    users: u32,
    hash: u64,
}

/// All situations of a crowd.
#[derive(Debug)]
pub(crate) struct Situations {
    /// Those on the free list are empty; all others are known by their hash.
    list: Vec<Situation>,
    free: Vec<u32>,
    by_hash: IndexTable,
    /// Those that nobody uses, few of them, by when they were left.
    left: VecDeque<u32>,
    next_policy: u32,
    table_bytes: usize,
    /// Plans of tables that no longer exist may still be pinned.
    has_dropped_tables: bool,
    /// Policies that no longer exist, whose answers may be forgotten.
    gone: Vec<u32>,
    /// What is learned of goals whatever is shared: by the actions that are there alone.
    pub(crate) lists: Lists,
}

impl Situations {
    pub(crate) fn new() -> Situations {
        Situations {
            list: Vec::new(),
            free: Vec::new(),
            by_hash: IndexTable::default(),
            // As many as there can be, so that a steady crowd allocates nothing.
            left: VecDeque::with_capacity(MOST_UNUSED + 1),
            next_policy: 0,
            table_bytes: 0,
            has_dropped_tables: false,
            gone: Vec::new(),
            lists: Lists::default(),
        }
    }

    #[inline]
    pub(crate) fn get(&self, number: u32) -> &Situation {
        &self.list[number as usize]
    }

    /// The number of a situation, new or known, with one user more.
    pub(crate) fn enter(
        &mut self,
        enabled: &ActionMask,
        (checks, forbidden): (&Checks, &ActionMask),
        shared: &[PackedValue],
    ) -> u32 {
        let mut hasher = DefaultHasher::new();
        (enabled, shared).hash(&mut hasher);
        let hash = hasher.finish();
        let same = self.by_hash.find(hash, |number| {
            let known = self.get(number);
            known.enabled == *enabled && known.shared == shared
        });
        let number = same.unwrap_or_else(|| {
            self.make(Situation {
                enabled: enabled.clone(),
                checks: checks.clone(),
                forbidden: forbidden.clone(),
                shared: shared.to_vec(),
                policies: Vec::new(),
                users: 0,
                hash,
            })
        });
        self.use_more(number);
        number
    }

    fn make(&mut self, situation: Situation) -> u32 {
        let hash = situation.hash;
        let number = self.free.pop().unwrap_or(self.list.len() as u32);
        match self.list.get_mut(number as usize) {
            Some(free) => *free = situation,
            None => self.list.push(situation),
        }
        let list = &self.list;
        self.by_hash.insert(hash, number, |at| list[at as usize].hash);
        number
    }

    fn policies(&self) -> impl Iterator<Item = &Policy> {
        self.list.iter().flat_map(|known| known.policies.iter().flatten())
    }

    #[inline]
    pub(crate) fn policy(&self, situation: u32, goal: u16) -> Option<&Policy> {
        self.get(situation).policies.get(usize::from(goal))?.as_ref()
    }

    /// The policy of a goal in a situation, made if there is none.
    pub(crate) fn policy_mut(&mut self, situation: u32, goal: u16) -> &mut Policy {
        let (place, at) = (&mut self.list[situation as usize].policies, usize::from(goal));
        if place.len() <= at {
            place.resize_with(at + 1, || None);
        }
        place[at].get_or_insert_with(|| {
            let number = self.next_policy;
            self.next_policy = number.wrapping_add(1);
            Policy { number, table: None, no: Refusal::default(), tried: 0 }
        })
    }

    /// The table of a goal in a situation.
    #[inline]
    pub(crate) fn table(&self, situation: u32, goal: u16) -> Option<&PolicyTable> {
        self.policies_in(situation).table(goal)
    }

    /// All that is learned in a situation.
    #[inline]
    pub(crate) fn policies_in(&self, situation: u32) -> Policies<'_> {
        Policies(&self.get(situation).policies)
    }

    /// Whether a table that is not there might be made.
    pub(crate) fn wants_table(&self, situation: u32, goal: u16) -> bool {
        self.policy(situation, goal)
            .is_none_or(|policy| policy.table.is_none() && !policy.no.is_any())
    }

    /// Gives a goal in a situation its table.
    pub(crate) fn set_table(&mut self, situation: u32, goal: u16, table: PolicyTable) {
        self.table_bytes += table.bytes();
        self.policy_mut(situation, goal).table = Some(table);
    }

    pub(crate) fn tables(&self) -> impl Iterator<Item = &PolicyTable> {
        self.policies().filter_map(|policy| policy.table.as_ref())
    }

    fn policies_of(&self, goal: u16) -> impl Iterator<Item = &Policy> {
        let all = self.list.iter();
        all.filter_map(move |known| known.policies.get(usize::from(goal))?.as_ref())
    }

    /// Whether a goal has a table in some situation.
    pub(crate) fn has_table(&self, goal: u16) -> bool {
        self.policies_of(goal).any(|policy| policy.table.is_some())
    }

    /// Whether a goal was asked about in some situation.
    pub(crate) fn was_asked(&self, goal: u16) -> bool {
        self.policies_of(goal).next().is_some()
    }

    /// Why a goal was refused a table in some situation; `None` if it was not.
    pub(crate) fn why_no_table(&self, goal: u16) -> Option<NoTableReason> {
        self.policies_of(goal).find_map(|policy| policy.no.why.filter(|_| policy.no.is_any()))
    }

    /// Bytes of all tables.
    pub(crate) fn table_bytes(&self) -> usize {
        self.table_bytes
    }

    /// How many goals in situations were asked about.
    pub(crate) fn n_policies(&self) -> usize {
        self.policies().count()
    }

    /// For how many goals in situations a table was refused.
    pub(crate) fn n_refused(&self) -> usize {
        self.policies().filter(|policy| policy.no.is_any()).count()
    }

    /// Whether plans of dropped tables may still be pinned; they are not after this was asked.
    pub(crate) fn take_dropped(&mut self) -> bool {
        std::mem::take(&mut self.has_dropped_tables)
    }

    /// Plans may be pinned that nothing has any more.
    pub(crate) fn lose_plans(&mut self) {
        self.has_dropped_tables = true;
    }

    /// The policies that no longer exist.
    pub(crate) fn gone(&mut self) -> &mut Vec<u32> {
        &mut self.gone
    }

    /// A group is in a situation.
    pub(crate) fn use_more(&mut self, number: u32) {
        let users = &mut self.list[number as usize].users;
        if *users == 0 {
            self.left.retain(|&left| left != number);
        }
        *users += 1;
    }

    /// A group has left a situation.
    pub(crate) fn use_less(&mut self, number: u32) {
        let users = &mut self.list[number as usize].users;
        *users -= 1;
        if *users == 0 {
            self.left.push_back(number);
            if self.left.len() > MOST_UNUSED {
                self.drop_oldest();
            }
        }
    }

    /// Forgets the situation that was left longest ago; `false` if all are in use. Goals that
    /// found no room for a table may try again.
    pub(crate) fn drop_oldest(&mut self) -> bool {
        let Some(number) = self.left.pop_front() else { return false };
        let situation = &mut self.list[number as usize];
        self.gone.extend(situation.policies.iter().flatten().map(|policy| policy.number));
        let tables = situation.policies.iter().flatten().filter_map(|p| p.table.as_ref());
        let freed = tables.map(PolicyTable::bytes).sum::<usize>();
        situation.policies.clear();
        let list = &self.list;
        let hash_of = |at: u32| list[at as usize].hash;
        self.by_hash.remove(hash_of(number), number, hash_of);
        self.free.push(number);
        if freed > 0 {
            self.table_bytes -= freed;
            self.has_dropped_tables = true;
            let policies = self.list.iter_mut().flat_map(|known| &mut known.policies);
            policies.flatten().for_each(|policy| policy.no.no_room = false);
        }
        true
    }
}

#[cfg(test)]
impl Situations {
    /// What was learned, in words: for tests that compare it.
    pub(crate) fn learned(&self) -> String {
        let all = self.list.iter().enumerate().filter(|(_, known)| !known.policies.is_empty());
        let policies = all.map(|(at, known)| format!("{at} {:?}\n", known.policies));
        let rest = format!("{:?} {} {:?}", self.gone, self.table_bytes, self.lists);
        policies.chain([rest]).collect()
    }

    /// Forgets what was learned in a situation, tables and all; nothing is told to be gone.
    pub(crate) fn forget(&mut self, situation: u32) {
        let policies = &mut self.list[situation as usize].policies;
        let tables = policies.iter().flatten().filter_map(|policy| policy.table.as_ref());
        self.table_bytes -= tables.map(PolicyTable::bytes).sum::<usize>();
        policies.clear();
    }
}
