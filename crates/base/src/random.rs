//! Numbers without pattern that can be had again: the same for the same seed, on every machine.
//!
//! In:   a seed.
//! Out:  splitmix64, to the letter.
//! Cost: two multiplications per number.

use crate::mix::{GOLDEN, scramble};

/// A seeded generator of random numbers (splitmix64).
///
/// ```
/// use throng_base::SplitMix;
/// let mut random = SplitMix::new(7);
/// let again = random.clone().below(6);
/// assert_eq!(random.below(6), again);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SplitMix {
    state: u64,
}

impl SplitMix {
    /// The same numbers for the same seed.
    pub fn new(seed: u64) -> Self {
        SplitMix { state: seed }
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        scramble(self.state)
    }

    /// A number below `limit`; 0 if the limit is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        self.below_u64(limit as u64) as usize
    }

    /// A number below `limit`; 0 if the limit is 0.
    pub fn below_u64(&mut self, limit: u64) -> u64 {
        // The high half of the product: no division, no bias that matters here.
        ((u128::from(self.number()) * u128::from(limit)) >> 64) as u64
    }

    /// A number from `low` to `high`, both included.
    pub fn within(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// Whether something happens that happens so many times in a hundred.
    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    /// Whether something happens that happens once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// A number from 0 up to, but not, 1.
    pub fn fraction(&mut self) -> f64 {
        // As many bits as a float of this width has.
        (self.number() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// One of the items.
    ///
    /// # Panics
    ///
    /// If there are none.
    pub fn pick<'i, T>(&mut self, items: &'i [T]) -> &'i T {
        &items[self.below(items.len())]
    }

    /// Puts the items into any order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// `count` different numbers below `limit`, in any order; all of them if there are fewer.
    pub fn some_of(&mut self, limit: usize, count: usize) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..limit).collect();
        self.shuffle(&mut numbers);
        numbers.truncate(count);
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_published_numbers() {
        // The first outputs of splitmix64, as published with it.
        let mut random = SplitMix::new(0);
        let first: Vec<u64> = (0..3).map(|_| random.number()).collect();
        assert_eq!(first, [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]);
        let mut random = SplitMix::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| random.number()).collect();
        assert_eq!(
            first,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn every_side_comes_up_about_as_often() {
        let mut random = SplitMix::new(1);
        let mut seen = [0; 6];
        (0..6000).for_each(|_| seen[random.below(6)] += 1);
        assert!(seen.iter().all(|&count| (800..1200).contains(&count)), "{seen:?}");
        assert_eq!((random.below(0), random.within(3, 3)), (0, 3));
        let often = |mut does: Box<dyn FnMut() -> bool>| (0..6000).filter(|_| does()).count();
        let (mut a, mut b, mut c) = (random.clone(), random.clone(), random.clone());
        assert!((1000..1400).contains(&often(Box::new(move || a.percent(20)))));
        assert!((1000..1400).contains(&often(Box::new(move || b.one_in(5)))));
        assert!((1000..1400).contains(&often(Box::new(move || c.fraction() < 0.2))));
    }

    #[test]
    fn shuffled_is_the_same_in_another_order() {
        let mut random = SplitMix::new(5);
        let mut items: Vec<usize> = (0..100).collect();
        random.shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        assert!(items.contains(random.pick(&items.clone())));
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
        let mut some = random.some_of(10, 4);
        some.sort_unstable();
        some.dedup();
        assert_eq!((some.len(), random.some_of(3, 9).len()), (4, 3));
    }
}
