//! The numbers that demands are made of: sixteen bits, eight of which are handled at once; or
//! thirty-two, where more is demanded than sixteen can count.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

/// What must hold, in lanes.
pub(super) type Lanes<N, const L: usize> = [N; L];

/// A number of a demand.
pub(super) trait Lane:
    Copy
    + Ord
    + Default
    + Debug
    + From<u16>
    + Into<u64>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitOrAssign
    + Not<Output = Self>
{
    /// Asks for nothing.
    const ZERO: Self;
    /// All ones.
    const MAX: Self;
    /// The most that is counted; so many times a weight, for every lane, is still a number.
    const MOST: Self;

    /// The difference, or 0.
    fn less(self, other: Self) -> Self;

    /// The sum, or the most.
    fn plus(self, other: Self) -> Self;

    /// As sixteen bits; what is more is the most.
    fn narrow(self) -> u16;

    /// A number; what is more than all ones is that.
    fn capped(number: u64) -> Self;

    /// The same for every bit.
    fn all(on: bool) -> Self {
        if on { !Self::ZERO } else { Self::ZERO }
    }
}

macro_rules! lane {
    ($($number:ty, $most:expr);*) => {$(
        impl Lane for $number {
            const ZERO: Self = 0;
            const MAX: Self = <$number>::MAX;
            const MOST: Self = $most;

            #[inline]
            fn less(self, other: Self) -> Self {
                self.saturating_sub(other)
            }

            #[inline]
            fn plus(self, other: Self) -> Self {
                self.saturating_add(other)
            }

            #[inline]
            fn narrow(self) -> u16 {
                u16::try_from(self).unwrap_or(u16::MAX)
            }

            #[inline]
            fn capped(number: u64) -> Self {
                Self::try_from(number).unwrap_or(Self::MAX)
            }
        }
    )*};
}

lane!(u16, u16::MAX - 1; u32, 1 << 26);
