//! The facts of a state, found by what they are and by an object in one place.
//!
//! In:   facts that come and go.
//! Out:  whether one holds; the few facts that an atom can match.
//! Cost: a few hash lookups per fact, and as many again per argument of a listed predicate.
//!
//! The order of the lists depends on what came and went, never on hashes.

use std::collections::{HashMap, HashSet};

/// A fact: the predicate, then its objects.
pub(super) type Fact = Vec<u32>;

/// A predicate, a place among its arguments, and the object there; or all facts of the predicate.
type Key = (u32, Option<(u32, u32)>);

/// A set of facts.
#[derive(Default)]
pub(super) struct Facts {
    /// Per predicate, whether its facts are listed, because atoms of it are matched.
    is_listed: Vec<bool>,
    /// Where in `slots` each fact is; those that are not listed have no slot.
    slot_of: HashMap<Fact, Option<u32>>,
    slots: Vec<Slot>,
    /// Slots that were left.
    free: Vec<u32>,
    lists: HashMap<Key, Vec<u32>>,
    /// About what they take.
    pub(super) bytes: u64,
}

/// A listed fact.
#[derive(Default)]
struct Slot {
    fact: Fact,
    /// Its position in each of its lists.
    positions: Vec<u32>,
}

impl Facts {
    /// No facts.
    pub(super) fn new(is_listed: Vec<bool>) -> Self {
        Facts { is_listed, ..Facts::default() }
    }

    fn is_listed(&self, fact: &[u32]) -> bool {
        self.is_listed.get(fact[0] as usize).is_some_and(|&listed| listed)
    }

    /// Whether a fact is among them.
    pub(super) fn contains(&self, fact: &[u32]) -> bool {
        self.slot_of.contains_key(fact)
    }

    /// Adds a fact; whether it is new.
    pub(super) fn insert(&mut self, fact: Fact) -> bool {
        if self.contains(&fact) {
            return false;
        }
        let is_listed = self.is_listed(&fact);
        self.bytes += fact_bytes(&fact, is_listed);
        let slot = is_listed.then(|| self.list(&fact));
        self.slot_of.insert(fact, slot);
        true
    }

    fn list(&mut self, fact: &Fact) -> u32 {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot::default());
            self.slots.len() as u32 - 1
        });
        let mut positions = Vec::with_capacity(fact.len());
        for key in keys(fact) {
            let list = self.lists.entry(key).or_insert_with(|| {
                self.bytes += LIST_BYTES;
                Vec::new()
            });
            positions.push(list.len() as u32);
            list.push(slot);
        }
        self.slots[slot as usize] = Slot { fact: fact.clone(), positions };
        slot
    }

    /// Takes a fact away, if it is there.
    pub(super) fn remove(&mut self, fact: &[u32]) {
        let Some(slot) = self.slot_of.remove(fact) else { return };
        self.bytes -= fact_bytes(fact, slot.is_some());
        let Some(slot) = slot else { return };
        let left = std::mem::take(&mut self.slots[slot as usize]);
        for (at, (key, &position)) in keys(&left.fact).zip(&left.positions).enumerate() {
            let Some(list) = self.lists.get_mut(&key) else { continue };
            list.swap_remove(position as usize);
            // The last of the list stands there now.
            if let Some(&moved) = list.get(position as usize) {
                self.slots[moved as usize].positions[at] = position;
            }
        }
        self.free.push(slot);
    }

    /// Takes all away.
    pub(super) fn clear(&mut self) {
        *self = Facts::new(std::mem::take(&mut self.is_listed));
    }

    /// The fact in a slot, as the lists give them.
    pub(super) fn fact(&self, slot: u32) -> &Fact {
        &self.slots[slot as usize].fact
    }

    /// The shortest list with all facts of a predicate that have these objects at these places.
    pub(super) fn shortest(
        &self,
        predicate: u32,
        known: impl Iterator<Item = (u32, u32)>,
    ) -> &[u32] {
        let list = |key: Key| self.lists.get(&key).map_or(&[][..], Vec::as_slice);
        let mut shortest = list((predicate, None));
        for place in known {
            let with = list((predicate, Some(place)));
            if with.len() < shortest.len() {
                shortest = with;
            }
        }
        shortest
    }

    /// All facts, in no order.
    #[cfg(test)]
    pub(super) fn all(&self) -> std::collections::HashSet<Fact> {
        self.slot_of.keys().cloned().collect()
    }
}

/// A list of facts with its key: tables and rows double when they grow.
const LIST_BYTES: u64 = 180;

/// What a fact takes: in the table, and in its slot and its lists if it is listed.
fn fact_bytes(fact: &[u32], is_listed: bool) -> u64 {
    let n_objects = fact.len() as u64;
    let listed = if is_listed { 128 + 24 * n_objects } else { 0 };
    128 + 4 * n_objects + listed
}

/// Facts that were found, each once, in the order in which they were.
#[derive(Default)]
pub(super) struct NewFacts {
    pub(super) facts: Vec<Fact>,
    known: HashSet<Fact>,
    /// About what they take.
    pub(super) bytes: u64,
}

impl NewFacts {
    /// Whether a fact is among them.
    pub(super) fn contains(&self, fact: &[u32]) -> bool {
        self.known.contains(fact)
    }

    /// Adds a fact; what it takes if it is new.
    pub(super) fn insert(&mut self, fact: Fact) -> u64 {
        if self.contains(&fact) {
            return 0;
        }
        let bytes = 192 + 2 * size_of_val(&fact[..]) as u64;
        self.bytes += bytes;
        self.known.insert(fact.clone());
        self.facts.push(fact);
        bytes
    }
}

/// The lists that a fact stands in.
fn keys(fact: &Fact) -> impl Iterator<Item = Key> {
    let places = fact[1..].iter().enumerate().map(|(at, &object)| Some((at as u32, object)));
    std::iter::once(None).chain(places).map(|place| (fact[0], place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn lists_hold_what_came_and_did_not_go() {
        let mut facts = Facts::new(vec![true, false]);
        let mut plain: HashSet<Fact> = HashSet::new();
        let mut random = throng_base::SplitMix::new(3);
        for _ in 0..4_000 {
            let fact = [2, 4, 4].map(|sides| random.below(sides) as u32).to_vec();
            if random.one_in(2) {
                assert_eq!(facts.insert(fact.clone()), plain.insert(fact));
            } else {
                facts.remove(&fact);
                plain.remove(&fact);
            }
            assert_eq!(facts.all(), plain);
            for object in 0..4 {
                let listed = facts.shortest(0, [(1, object)].into_iter());
                let listed: Vec<&Fact> = listed.iter().map(|&slot| facts.fact(slot)).collect();
                let is_one = |fact: &&Fact| fact[0] == 0 && fact[2] == object;
                let n_all = plain.iter().filter(|fact| fact[0] == 0).count();
                let expected = plain.iter().filter(is_one).count();
                assert!(listed.len() == expected || expected == n_all);
                let distinct: HashSet<&Fact> = listed.into_iter().collect();
                assert_eq!(distinct.len(), expected);
                assert!(plain.iter().filter(is_one).all(|fact| distinct.contains(fact)));
            }
        }
    }
}
