//! The open list of greedy search: a queue by rank, then by age.
//!
//! In:   entries with small ranks.
//! Out:  the entry of the lowest rank that waits longest.
//! Cost: constant; 8 bytes per entry.

/// Ranks beyond are all the same: the last.
const MOST_RANKS: usize = 1 << 14;

/// Entries of one rank: those before `taken` are gone.
#[derive(Debug, Default)]
struct Bucket {
    entries: Vec<(u32, u32)>,
    taken: usize,
}

/// A queue of entries of two numbers.
#[derive(Debug, Default)]
pub(super) struct Buckets {
    buckets: Vec<Bucket>,
    /// No bucket before has entries.
    at: usize,
    len: usize,
    /// Places in use, by entries that wait and by some that are gone.
    places: usize,
}

impl Buckets {
    pub(super) fn clear(&mut self) {
        for bucket in &mut self.buckets {
            bucket.entries.clear();
            bucket.taken = 0;
        }
        self.at = 0;
        self.len = 0;
        self.places = 0;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) fn bytes(&self) -> usize {
        self.places * size_of::<(u32, u32)>() + self.buckets.len() * size_of::<Bucket>()
    }

    pub(super) fn push(&mut self, rank: u32, entry: (u32, u32)) {
        let rank = (rank as usize).min(MOST_RANKS - 1);
        if rank >= self.buckets.len() {
            self.buckets.resize_with(rank + 1, Bucket::default);
        }
        self.buckets[rank].entries.push(entry);
        self.at = self.at.min(rank);
        self.len += 1;
        self.places += 1;
    }

    pub(super) fn pop(&mut self) -> Option<(u32, u32)> {
        if self.len == 0 {
            return None;
        }
        while self.buckets[self.at].entries.is_empty() {
            self.at += 1;
        }
        let bucket = &mut self.buckets[self.at];
        let entry = bucket.entries[bucket.taken];
        bucket.taken += 1;
        self.len -= 1;
        // Emptied, or more than half of many are gone: their places are used again.
        let is_half = bucket.taken >= 1024 && bucket.taken * 2 > bucket.entries.len();
        if bucket.taken == bucket.entries.len() || is_half {
            bucket.entries.drain(..bucket.taken);
            self.places -= bucket.taken;
            bucket.taken = 0;
        }
        Some(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use throng_base::SplitMix;

    #[test]
    fn the_lowest_rank_comes_first_and_of_it_the_oldest() {
        let (mut queue, mut plain) = (Buckets::default(), BTreeSet::new());
        let mut random = SplitMix::new(7);
        for age in 0..30_000u32 {
            let rank = random.below(9) as u32;
            queue.push(rank, (age, rank));
            plain.insert((rank, age));
            if random.one_in(4) || age > 20_000 {
                for _ in 0..2 {
                    let expected = plain.pop_first().map(|(rank, age)| (age, rank));
                    assert_eq!(queue.pop(), expected);
                    assert_eq!(queue.is_empty(), plain.is_empty());
                }
            }
        }
        assert!(queue.bytes() < 8 * 2 * plain.len() + 9 * 1024 * 8 + 1_000);
    }
}
