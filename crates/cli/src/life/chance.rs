//! Chance that can be had again: the same numbers for the same seed, on every machine.

/// A generator of numbers without pattern (SplitMix64).
pub(crate) struct Chance {
    state: u64,
}

impl Chance {
    pub(crate) fn new(seed: u64) -> Chance {
        Chance { state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `n`; 0 if `n` is 0.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        // The high half of a product: as even as numbers of 64 bits can be, without a division.
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }

    /// One of these, of which there must be some.
    pub(crate) fn one_of<'t, T>(&mut self, these: &'t [T]) -> &'t T {
        &these[self.below(these.len() as u64) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers_and_all_of_them() {
        let mut counts = [0u32; 10];
        let (mut one, mut other) = (Chance::new(7), Chance::new(7));
        for _ in 0..10_000 {
            let number = one.below(10);
            assert_eq!(number, other.below(10));
            counts[number as usize] += 1;
        }
        assert!(counts.iter().all(|&n| (800..1200).contains(&n)), "{counts:?}");
        assert_eq!(one.below(0), 0);
    }
}
