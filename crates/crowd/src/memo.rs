//! A bounded memory of answers: what was planned for a policy and a state.
//!
//! In:   the number of a policy (goal, actions, shared values) and a packed state.
//! Out:  the plan that was kept for them, if it is still there.
//! Cost: one bucket of eight places per look-up, of which only those are compared whose mark
//!       fits. Memory is fixed when it is made; nothing is allocated after.
//!
//! A full bucket gives up its places in turn, so what is forgotten follows from the calls alone.
//! Every plan that is kept here holds a reference in [`PlanStore`](crate::plans::PlanStore), which the
//! caller takes before and releases when it comes back out. It is no `IndexTable`: that one grows
//! and forgets nothing.

use crate::plans::PlanId;
use throng_base::mix::fold;

/// Places of a bucket: their marks are one machine word.
const PLACES: usize = 8;

/// The mark of an empty place; marks of kept answers are 128 … 255, far enough that
/// [`equal_bytes`] never takes an empty place for one of them.
const EMPTY: u8 = 0;

/// Plans by policy and state.
#[derive(Clone, Debug)]
pub struct Memo {
    n_words: usize,
    /// Eight marks per bucket: bits of the hash that the bucket does not tell.
    marks: Vec<[u8; PLACES]>,
    /// Per bucket, the place to give up next.
    turns: Vec<u8>,
    policies: Vec<u32>,
    plans: Vec<PlanId>,
    words: Vec<u64>,
    len: usize,
}

impl Memo {
    /// A memory for at least `capacity` answers about states of `n_words` words each; at least
    /// for eight.
    pub fn new(capacity: usize, n_words: usize) -> Self {
        let n_buckets = capacity.div_ceil(PLACES).max(1).next_power_of_two();
        let n_places = n_buckets * PLACES;
        Memo {
            n_words,
            marks: vec![[EMPTY; PLACES]; n_buckets],
            turns: vec![0; n_buckets],
            policies: vec![0; n_places],
            plans: vec![PlanId::UNPLANNED; n_places],
            words: vec![0; n_places * n_words],
            len: 0,
        }
    }

    /// The plan that is kept for a policy and a state; `words` are as many as the memory was
    /// made for.
    #[inline]
    pub fn get(&self, policy: u32, words: &[u64]) -> Option<PlanId> {
        let (bucket, mark) = self.place_of(policy, words);
        self.find(bucket, mark, policy, words).map(|place| self.plans[place])
    }

    /// Keeps a plan for a policy and a state. Gives the plan that had to go, of the same state or
    /// of another; its reference is the caller's again.
    pub fn insert(&mut self, policy: u32, words: &[u64], plan: PlanId) -> Option<PlanId> {
        if words.len() != self.n_words {
            return Some(plan);
        }
        let (bucket, mark) = self.place_of(policy, words);
        if let Some(place) = self.find(bucket, mark, policy, words) {
            return Some(std::mem::replace(&mut self.plans[place], plan));
        }
        let free = self.marks[bucket].iter().position(|&mark| mark == EMPTY);
        let at = free.unwrap_or_else(|| {
            let turn = &mut self.turns[bucket];
            let at = usize::from(*turn);
            *turn = (*turn + 1) % PLACES as u8;
            at
        });
        let place = bucket * PLACES + at;
        self.marks[bucket][at] = mark;
        self.policies[place] = policy;
        self.words[place * self.n_words..][..self.n_words].copy_from_slice(words);
        let old = std::mem::replace(&mut self.plans[place], plan);
        self.len += usize::from(free.is_some());
        free.is_none().then_some(old)
    }

    /// Forgets all answers for policies that are sorted by number; `release` gets their plans.
    pub fn forget_all(&mut self, policies: &[u32], release: impl FnMut(PlanId)) {
        self.drop_where(|its| policies.binary_search(&its).is_ok(), release);
    }

    /// Forgets everything; `release` gets the plans.
    pub fn clear(&mut self, release: impl FnMut(PlanId)) {
        self.drop_where(|_| true, release);
        self.turns.fill(0);
    }

    /// The plans of all answers that are kept.
    pub fn plans(&self) -> impl Iterator<Item = PlanId> + '_ {
        let marks = self.marks.iter().flatten().zip(&self.plans);
        marks.filter(|(mark, _)| **mark != EMPTY).map(|(_, &plan)| plan)
    }

    /// How many answers are kept.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many answers it can keep at most.
    pub fn capacity(&self) -> usize {
        self.plans.len()
    }

    /// The memory it holds, the same from the beginning.
    pub fn bytes(&self) -> usize {
        self.marks.capacity() * PLACES
            + self.turns.capacity()
            + self.policies.capacity() * size_of::<u32>()
            + self.plans.capacity() * size_of::<PlanId>()
            + self.words.capacity() * size_of::<u64>()
    }

    fn drop_where(&mut self, goes: impl Fn(u32) -> bool, mut release: impl FnMut(PlanId)) {
        for (bucket, marks) in self.marks.iter_mut().enumerate() {
            for (at, mark) in marks.iter_mut().enumerate() {
                let place = bucket * PLACES + at;
                if *mark != EMPTY && goes(self.policies[place]) {
                    *mark = EMPTY;
                    self.len -= 1;
                    release(std::mem::take(&mut self.plans[place]));
                }
            }
        }
    }

    /// The bucket, and the mark in it.
    #[inline]
    fn place_of(&self, policy: u32, words: &[u64]) -> (usize, u8) {
        let hash = hash_of(policy, words);
        let bucket = hash as usize & (self.marks.len() - 1);
        (bucket, (hash >> 56) as u8 | 0x80)
    }

    #[inline]
    fn find(&self, bucket: usize, mark: u8, policy: u32, words: &[u64]) -> Option<usize> {
        let mut fits = equal_bytes(self.marks[bucket], mark);
        while fits != 0 {
            let place = bucket * PLACES + fits.trailing_zeros() as usize / 8;
            let kept = &self.words[place * self.n_words..][..self.n_words];
            if self.policies[place] == policy && kept == words {
                return Some(place);
            }
            fits &= fits - 1;
        }
        None
    }
}

/// A bit in every byte that equals `mark`; now and then also above one that does, in a byte that
/// differs in its lowest bit. The comparison that follows finds that out.
#[inline]
fn equal_bytes(marks: [u8; PLACES], mark: u8) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let zero = u64::from_le_bytes(marks) ^ (ONES * u64::from(mark));
    zero.wrapping_sub(ONES) & !zero & (ONES << 7)
}

#[inline]
fn hash_of(policy: u32, words: &[u64]) -> u64 {
    // Policies and states are both small numbers: without a fold between them, the same sum of
    // another pair would be the same hash.
    fold(words.iter().fold(fold(0, policy.into()), |hash, &word| fold(hash, word)), 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use throng_base::SplitMix;

    fn dice(random: &mut SplitMix, limit: u64) -> u64 {
        random.below_u64(limit)
    }

    /// Random calls beside a plain map: what is found is what was kept last, every plan that is
    /// put in comes out exactly once, memory stays as it was.
    fn churn(capacity: usize, n_words: usize, n_states: u64) -> Vec<PlanId> {
        let mut memo = Memo::new(capacity, n_words);
        let bytes = memo.bytes();
        let mut model: HashMap<(u32, Vec<u64>), PlanId> = HashMap::new();
        let mut inside: HashMap<PlanId, i64> = HashMap::new();
        let (mut seed, mut trail, mut hits) = (SplitMix::new(7), Vec::new(), 0);
        for round in 0..60_000 {
            let policy = dice(&mut seed, 5) as u32;
            let words: Vec<u64> = (0..n_words).map(|_| dice(&mut seed, n_states)).collect();
            let key = (policy, words);
            match dice(&mut seed, 1000) {
                0 => {
                    memo.forget_all(&[policy], |plan| *inside.get_mut(&plan).unwrap() -= 1);
                    model.retain(|key, _| key.0 != policy);
                }
                1 if round % 7 == 0 => {
                    memo.clear(|plan| *inside.get_mut(&plan).unwrap() -= 1);
                    model.clear();
                    assert!(memo.is_empty());
                }
                2..500 => {
                    let plan = PlanId(dice(&mut seed, 50) as u32);
                    *inside.entry(plan).or_default() += 1;
                    if let Some(old) = memo.insert(key.0, &key.1, plan) {
                        *inside.get_mut(&old).unwrap() -= 1;
                        trail.push(old);
                    }
                    assert_eq!(memo.get(key.0, &key.1), Some(plan), "just kept");
                    model.insert(key, plan);
                }
                _ => {
                    if let Some(plan) = memo.get(key.0, &key.1) {
                        assert_eq!(model.get(&key), Some(&plan), "never another's");
                        hits += 1;
                    }
                }
            }
            assert!(memo.len() <= memo.capacity());
        }
        assert_eq!(inside.values().sum::<i64>(), memo.len() as i64);
        memo.clear(|plan| *inside.get_mut(&plan).unwrap() -= 1);
        assert!(inside.values().all(|&count| count == 0));
        assert_eq!(memo.bytes(), bytes);
        assert!(hits > 100, "{hits}");
        trail
    }

    #[test]
    fn what_is_found_was_kept_and_all_that_goes_comes_back() {
        for (capacity, n_words, n_states) in [(0, 1, 40), (64, 1, 100), (1000, 2, 20), (9, 0, 1)] {
            let trail = churn(capacity, n_words, n_states);
            assert_eq!(trail, churn(capacity, n_words, n_states), "the same every time");
        }
    }

    #[test]
    fn neighbours_spread_over_the_buckets() {
        let mut memo = Memo::new(1 << 14, 1);
        for state in 0..1u64 << 13 {
            memo.insert(1, &[state << 20], PlanId(5));
        }
        // Half full: few had to go.
        assert!(memo.len() > (1 << 13) * 9 / 10, "{}", memo.len());
    }

    #[test]
    fn few_policies_with_few_states_each_do_not_collide() {
        let mut memo = Memo::new(1 << 12, 1);
        for policy in 0..32 {
            (0..32).for_each(|state| _ = memo.insert(policy, &[state], PlanId(5)));
        }
        // A quarter full: hardly one had to go.
        assert!(memo.len() > 32 * 32 - 8, "{}", memo.len());
    }

    #[test]
    fn states_of_another_size_are_not_kept() {
        let mut memo = Memo::new(100, 2);
        assert_eq!(memo.insert(1, &[1], PlanId(9)), Some(PlanId(9)));
        assert_eq!((memo.get(1, &[1]), memo.len()), (None, 0));
    }
}
