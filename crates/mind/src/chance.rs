//! Chance: all there is of it, and the same for the same seed.
//!
//! In:   the seed of all minds, a mind, a name, a moment.
//! Out:  a number from 0 to 1 that nothing else has a part in.
//! Cost: a few multiplications.
//!
//! What chance decides holds for a while and is then decided anew; so a mind knows when to look
//! again, and sleeps until then.

use crate::orders::MindId;
use crate::time::{NEVER, Tick};
use throng_base::checksum;
use throng_base::mix::mix;

/// `chance F per S`: there with this probability, decided anew every so often.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chance {
    /// Tells it from the others of the same mind.
    pub(crate) name: u64,
    /// From 0, never, to 1, always.
    pub probability: f32,
    /// For how many ticks it is decided; at least 1.
    pub per: Tick,
}

impl Chance {
    /// Whether it says yes at a moment.
    pub(crate) fn says_yes(&self, luck: Luck, now: Tick) -> bool {
        luck.number(self.name, u64::from(now / self.per.max(1))) < f64::from(self.probability)
    }

    /// When it is decided anew.
    pub(crate) fn until(&self, now: Tick) -> Tick {
        let per = self.per.max(1);
        (now / per + 1).checked_mul(per).unwrap_or(NEVER)
    }
}

/// What chance has in store for one mind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Luck(pub(crate) u64);

impl Luck {
    pub(crate) fn of(seed: u64, mind: MindId) -> Luck {
        Luck(mix(mix(0, seed), u64::from(mind.0)))
    }

    /// A number from 0 up to 1.
    fn number(self, name: u64, at: u64) -> f64 {
        // As many bits as a double holds.
        (mix(mix(self.0, name), at) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// `vary F`: a factor between 1 - F and 1 + F, always the same for this mind and name.
    pub(crate) fn factor(self, name: u64, vary: f32) -> f64 {
        1.0 + f64::from(vary) * (2.0 * self.number(name, u64::MAX) - 1.0)
    }
}

/// A name as chance knows it: its number must not depend on what else is in the file.
pub(crate) fn name_of(text: &str) -> u64 {
    checksum(0, text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_says_yes_as_often_as_it_is_told_to() {
        for probability in [0.0, 0.1, 0.5, 0.9, 1.0] {
            let chance = Chance { name: name_of("throw"), probability, per: 7 };
            let trials = (0..40).flat_map(|mind| (0..250).map(move |at| (mind, at * 7)));
            let yes = trials
                .filter(|&(mind, now)| chance.says_yes(Luck::of(3, MindId(mind)), now))
                .count();
            let share = yes as f64 / 10_000.0;
            assert!((share - f64::from(probability)).abs() < 0.02, "{probability}: {share}");
        }
    }

    #[test]
    fn what_chance_decides_holds_until_it_says() {
        let chance = Chance { name: 1, probability: 0.5, per: 10 };
        let luck = Luck::of(9, MindId(4));
        for now in 0..1000 {
            let until = chance.until(now);
            assert!(until > now && until - now <= 10);
            assert_eq!(chance.says_yes(luck, now), chance.says_yes(luck, until - 1));
        }
        assert_eq!(chance.until(Tick::MAX), NEVER);
    }

    #[test]
    fn minds_names_and_seeds_have_their_own_chance() {
        let chance = |name, seed, mind| {
            let chance = Chance { name, probability: 0.5, per: 1 };
            let luck = Luck::of(seed, MindId(mind));
            (0..64).fold(0u64, |bits, now| bits << 1 | u64::from(chance.says_yes(luck, now)))
        };
        let all = [chance(1, 1, 1), chance(2, 1, 1), chance(1, 2, 1), chance(1, 1, 2)];
        for (at, one) in all.iter().enumerate() {
            assert!(all[at + 1..].iter().all(|two| (one ^ two).count_ones() > 10));
        }
    }

    #[test]
    fn what_varies_stays_within_its_bounds() {
        let factors = (0..1000).map(|mind| Luck::of(0, MindId(mind)).factor(5, 0.25));
        let (low, high) = factors.fold((2.0f64, 0.0f64), |(l, h), f| (l.min(f), h.max(f)));
        assert!((0.75..0.77).contains(&low) && (1.23..=1.25).contains(&high), "{low} {high}");
    }
}
