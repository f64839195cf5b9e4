//! The arena of plans: equal plans are kept once and named by a number.
//!
//! In:   lists of actions with their price.
//! Out:  a [`PlanId`] per different list; the list back from its number.
//! Cost: one hash of the list to find it; a plan is freed with its last reference, and its
//!       memory and number serve the next of about its length. Nothing is allocated once warm.
//!
//! Numbers follow from the operations alone: the same ones in the same order give the same ids.

use throng_base::IndexTable;
use throng_base::mix::fold;
use throng_domain::compile::LocalAction;

throng_base::typed_id! {
    /// A plan, by number; or why there is none.
    #[derive(Default)]
    pub struct PlanId(pub u32);
}

impl PlanId {
    /// Not planned yet.
    pub const UNPLANNED: PlanId = PlanId(0);
    /// The goal holds: the empty plan.
    pub const SATISFIED: PlanId = PlanId(1);
    /// There is no plan; that is proven.
    pub const IMPOSSIBLE: PlanId = PlanId(2);
    /// A limit was hit before an answer was found.
    pub const GAVE_UP: PlanId = PlanId(3);
    /// The first number of a plan with actions.
    pub const FIRST: PlanId = PlanId(4);

    /// Whether it has actions.
    pub fn is_plan(self) -> bool {
        self >= PlanId::FIRST
    }
}

/// A count of references that never changes again.
const PINNED: u32 = u32::MAX;

/// No further free plan.
const NONE: u32 = u32::MAX;

/// Classes of length: up to 2, 4, 8 … 2³² actions.
const CLASSES: usize = 32;

/// What a plan of so many actions needs.
fn bytes_of(len: usize) -> usize {
    len * size_of::<LocalAction>() + size_of::<Entry>()
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    start: usize,
    cost: u64,
    hash: u32,
    len: u32,
    /// How many refer to it; 0 if it is free.
    references: u32,
    /// The next free one of its class, if it is free.
    next_free: u32,
}

/// All plans of one NPC type that are referred to.
#[derive(Clone, Debug)]
pub struct PlanStore {
    /// By id less [`PlanId::FIRST`].
    entries: Vec<Entry>,
    actions: Vec<LocalAction>,
    /// The free entries of each class, last freed first; an entry keeps its place in `actions`.
    free: [u32; CLASSES],
    /// The positions of living plans in `entries`.
    index: IndexTable,
    n_living: usize,
    n_pinned: usize,
    /// Bytes that the living need, free room left aside.
    live_bytes: usize,
    /// Working memory of counting anew.
    counts: Vec<u32>,
}

impl Default for PlanStore {
    fn default() -> Self {
        PlanStore::new()
    }
}

impl PlanStore {
    /// An empty arena.
    pub fn new() -> Self {
        PlanStore {
            entries: Vec::new(),
            actions: Vec::new(),
            free: [NONE; CLASSES],
            index: IndexTable::with_places(16),
            n_living: 0,
            n_pinned: 0,
            live_bytes: 0,
            counts: Vec::new(),
        }
    }

    /// The number of a plan, with one reference more that the caller has to
    /// [release](PlanStore::release). Equal lists of equal price have equal numbers while they live;
    /// the empty list is [`PlanId::SATISFIED`].
    pub fn intern(&mut self, actions: &[LocalAction], cost: u64) -> PlanId {
        if actions.is_empty() {
            return PlanId::SATISFIED;
        }
        let hash = hash_of(actions, cost);
        if let Some(id) = self.find(actions, cost, hash) {
            self.retain(id);
            return id;
        }
        let Some(id) = self.place_for(actions.len()) else { return PlanId::GAVE_UP };
        let entry = &mut self.entries[(id - PlanId::FIRST.0) as usize];
        let start = entry.start;
        *entry =
            Entry { start, cost, hash, len: actions.len() as u32, references: 1, next_free: NONE };
        self.actions[start..start + actions.len()].copy_from_slice(actions);
        self.n_living += 1;
        self.live_bytes += bytes_of(actions.len());
        let (entries, at) = (&self.entries, id - PlanId::FIRST.0);
        self.index.insert(hash.into(), at, |at| entries[at as usize].hash.into());
        PlanId(id)
    }

    /// Counts one reference more.
    pub fn retain(&mut self, id: PlanId) {
        if let Some(entry) = self.entry_mut(id) {
            entry.references = entry.references.saturating_add(1);
        }
    }

    /// Counts one reference less; frees the plan if it was the last.
    pub fn release(&mut self, id: PlanId) {
        let Some(entry) = self.entry_mut(id) else { return };
        if entry.references == PINNED {
            return;
        }
        entry.references -= 1;
        if entry.references == 0 {
            self.leave(id);
            self.free_up(id);
        }
    }

    /// Keeps a plan for ever: those of tables, whose references are not counted.
    pub fn pin(&mut self, id: PlanId) {
        if let Some(entry) = self.entry_mut(id)
            && entry.references != PINNED
        {
            entry.references = PINNED;
            self.n_pinned += 1;
        }
    }

    /// Takes a plan back that was just made and pinned, and is not referred to yet.
    pub(crate) fn take_back(&mut self, id: PlanId) {
        if let Some(entry) = self.entry_mut(id) {
            entry.references = 1;
            self.n_pinned -= 1;
            self.release(id);
        }
    }

    /// Whether references to a plan are counted, as those to plans of tables are not.
    pub fn is_counted(&self, id: PlanId) -> bool {
        self.entry(id).is_some_and(|entry| entry.references != PINNED)
    }

    /// Whether there are plans whose references are counted.
    pub fn has_counted(&self) -> bool {
        self.n_living > self.n_pinned
    }

    /// The actions of a plan, first to be done first; none for what is no plan.
    pub fn actions(&self, id: PlanId) -> &[LocalAction] {
        let slice = |entry: &Entry| self.actions.get(entry.start..entry.start + entry.len as usize);
        self.entry(id).and_then(slice).unwrap_or(&[])
    }

    /// Whether no plan with actions is here.
    pub fn is_empty(&self) -> bool {
        self.n_living == 0
    }

    /// The price of a plan in thousandths, as it was given.
    pub fn cost(&self, id: PlanId) -> u64 {
        self.entry(id).map_or(0, |entry| entry.cost)
    }

    /// How many refer to a plan; the largest number if it is pinned, 0 if there is none.
    #[cfg(test)]
    fn references(&self, id: PlanId) -> u32 {
        self.entry(id).map_or(0, |entry| entry.references)
    }

    /// How many plans with actions there are.
    pub fn n_plans(&self) -> usize {
        self.n_living
    }

    /// The largest number given so far: a column must be wide enough for it.
    pub fn max_id(&self) -> PlanId {
        PlanId(PlanId::FIRST.0 - 1 + self.entries.len() as u32)
    }

    /// The memory it holds.
    pub fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
            + self.actions.capacity() * size_of::<LocalAction>()
            + self.index.capacity_bytes()
            + self.counts.capacity() * size_of::<u32>()
    }

    /// What the plans there are need, free room left aside: the same for the same plans.
    pub fn live_bytes(&self) -> usize {
        self.live_bytes
    }

    /// Counts all references anew: plans in `pinned` are kept for ever, the others as often as
    /// they are in `referred`; those in neither are freed.
    pub fn recount(
        &mut self,
        pinned: impl Iterator<Item = PlanId>,
        referred: impl Iterator<Item = PlanId>,
    ) {
        let mut counts = std::mem::take(&mut self.counts);
        counts.clear();
        counts.resize(self.entries.len(), 0);
        let place = |id: PlanId| id.0.checked_sub(PlanId::FIRST.0).map(|at| at as usize);
        for at in referred.filter_map(place) {
            if let Some(count) = counts.get_mut(at) {
                *count += 1;
            }
        }
        for at in pinned.filter_map(place) {
            if let Some(count) = counts.get_mut(at) {
                *count = PINNED;
            }
        }
        self.n_pinned = 0;
        for (at, &count) in counts.iter().enumerate() {
            if self.entries[at].references == 0 {
                continue;
            }
            self.n_pinned += usize::from(count == PINNED);
            self.entries[at].references = count;
            if count == 0 {
                let id = PlanId(at as u32 + PlanId::FIRST.0);
                self.leave(id);
                self.free_up(id);
            }
        }
        self.counts = counts;
    }

    /// The action of a plan at a position, and whether it is the last one.
    #[inline]
    pub(crate) fn step(&self, id: PlanId, at: usize) -> Option<(LocalAction, bool)> {
        let entry = self.entry(id)?;
        let len = entry.len as usize;
        let action = self.actions.get(entry.start + at).filter(|_| at < len)?;
        Some((*action, at + 1 == len))
    }

    #[inline]
    fn entry(&self, id: PlanId) -> Option<&Entry> {
        let at = id.0.checked_sub(PlanId::FIRST.0)?;
        self.entries.get(at as usize).filter(|entry| entry.references > 0)
    }

    fn entry_mut(&mut self, id: PlanId) -> Option<&mut Entry> {
        let at = id.0.checked_sub(PlanId::FIRST.0)?;
        self.entries.get_mut(at as usize).filter(|entry| entry.references > 0)
    }

    /// A free number with room for so many actions; `None` if numbers have run out.
    fn place_for(&mut self, len: usize) -> Option<u32> {
        let class = class_of(len);
        let free = *self.free.get(class)?;
        if free != NONE {
            self.free[class] = self.entries[(free - PlanId::FIRST.0) as usize].next_free;
            return Some(free);
        }
        let id = u32::try_from(self.entries.len()).ok()?.checked_add(PlanId::FIRST.0)?;
        let start = self.actions.len();
        self.actions.resize(start + room_of(class), LocalAction(0));
        let empty = Entry { start, cost: 0, hash: 0, len: 0, references: 0, next_free: NONE };
        self.entries.push(empty);
        // Grows now, so that counting anew need not.
        self.counts.resize(self.entries.len(), 0);
        (id != NONE).then_some(id)
    }

    fn free_up(&mut self, id: PlanId) {
        let entry = &mut self.entries[(id.0 - PlanId::FIRST.0) as usize];
        let first = &mut self.free[class_of(entry.len as usize)];
        entry.next_free = *first;
        *first = id.0;
        self.n_living -= 1;
        self.live_bytes -= bytes_of(entry.len as usize);
    }

    fn find(&self, actions: &[LocalAction], cost: u64, hash: u32) -> Option<PlanId> {
        let found = self.index.find(hash.into(), |at| {
            let entry = &self.entries[at as usize];
            entry.hash == hash
                && entry.cost == cost
                && self.actions[entry.start..][..entry.len as usize] == *actions
        });
        found.map(|at| PlanId(at + PlanId::FIRST.0))
    }

    /// Takes a plan out of the index.
    fn leave(&mut self, id: PlanId) {
        let (entries, at) = (&self.entries, id.0 - PlanId::FIRST.0);
        let hash_of = |at: u32| entries[at as usize].hash.into();
        self.index.remove(hash_of(at), at, hash_of);
    }
}

/// The class of a length: its room is the next power of two, at least 2.
fn class_of(len: usize) -> usize {
    len.max(2).next_power_of_two().ilog2() as usize - 1
}

fn room_of(class: usize) -> usize {
    2 << class
}

fn hash_of(actions: &[LocalAction], cost: u64) -> u32 {
    let hash = actions.iter().fold(fold(0, cost), |hash, action| fold(hash, action.0.into()));
    (hash >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use throng_base::SplitMix;

    fn list(numbers: &[u32]) -> Vec<LocalAction> {
        numbers.iter().map(|&number| LocalAction(number)).collect()
    }

    #[test]
    fn equal_plans_have_one_number_and_are_freed_with_their_last_reference() {
        let mut plans = PlanStore::new();
        let a = plans.intern(&list(&[1, 2, 3]), 3000);
        let b = plans.intern(&list(&[1, 2]), 2000);
        assert_eq!((a, b), (PlanId(4), PlanId(5)));
        assert_eq!(plans.intern(&list(&[1, 2, 3]), 3000), a);
        assert_ne!(plans.intern(&list(&[1, 2, 3]), 9), a, "another price is another plan");
        assert_eq!((plans.references(a), plans.n_plans()), (2, 3));
        plans.release(a);
        assert_eq!(plans.actions(a), list(&[1, 2, 3]));
        plans.release(a);
        assert_eq!((plans.actions(a), plans.cost(a)), (&[][..], 0));
        let again = plans.intern(&list(&[7, 8, 9, 10]), 1);
        assert_eq!((again, plans.max_id()), (a, PlanId(6)), "the number is used again");
    }

    #[test]
    fn words_for_no_plan_are_no_plans() {
        let mut plans = PlanStore::new();
        assert_eq!(plans.intern(&[], 0), PlanId::SATISFIED);
        for id in (0..4).map(PlanId).chain([PlanId(4), PlanId(u32::MAX)]) {
            plans.retain(id);
            plans.release(id);
            plans.pin(id);
            assert_eq!((plans.actions(id), plans.cost(id)), (&[][..], 0));
        }
        assert!(plans.is_empty());
        assert_eq!(plans.max_id(), PlanId(3));
    }

    #[test]
    fn pinned_plans_stay() {
        let mut plans = PlanStore::new();
        let id = plans.intern(&list(&[5]), 1);
        plans.pin(id);
        (0..10).for_each(|_| plans.release(id));
        assert_eq!(plans.actions(id), list(&[5]));
        assert_eq!(plans.intern(&list(&[5]), 1), id);
    }

    /// Random operations beside a plain map; twice, to the same numbers, in flat memory.
    #[test]
    fn churn_agrees_with_a_map_and_memory_stays_flat() {
        let run = || {
            let mut plans = PlanStore::new();
            let mut held: Vec<(PlanId, Vec<LocalAction>, u64)> = Vec::new();
            let mut count: HashMap<PlanId, u32> = HashMap::new();
            let (mut random, mut trail) = (SplitMix::new(1), Vec::new());
            let mut dice = |limit: u64| random.below_u64(limit);
            let mut bytes = 0;
            for round in 0..300_000 {
                if held.len() < 2000 && (held.len() < 500 || dice(2) == 0) {
                    let len = 1 + dice(1 + round % 20);
                    let actions: Vec<_> = (0..len).map(|_| LocalAction(dice(3) as u32)).collect();
                    let cost = len * 1000;
                    let id = plans.intern(&actions, cost);
                    *count.entry(id).or_default() += 1;
                    trail.push(id);
                    held.push((id, actions, cost));
                } else {
                    let at = dice(held.len() as u64) as usize;
                    let (id, actions, cost) = held.swap_remove(at);
                    assert_eq!((plans.actions(id), plans.cost(id)), (&actions[..], cost));
                    plans.release(id);
                    *count.get_mut(&id).unwrap() -= 1;
                }
                if round % 1000 == 0 {
                    let living = count.iter().filter(|(_, count)| **count > 0);
                    assert_eq!(plans.n_plans(), living.clone().count());
                    assert!(living.clone().all(|(id, count)| plans.references(*id) == *count));
                    let different: HashMap<_, _> =
                        held.iter().map(|(id, list, _)| (list.clone(), *id)).collect();
                    assert_eq!(different.len(), plans.n_plans(), "one number per list");
                }
                if round == 150_000 {
                    bytes = plans.bytes();
                }
            }
            assert_eq!(plans.bytes(), bytes, "memory is flat");
            trail
        };
        assert_eq!(run(), run());
    }
}
