//! Which parts of the search from the goal back are on: all of them, but for tests.

/// The parts; each is exact with or without every other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Switches {
    /// Prices of values.
    pub reach: bool,
    /// Potentials, and rays.
    pub potentials: bool,
    /// Upper ends are ignored at first.
    pub open_ends: bool,
    /// Of actions that may be done in any order, one order is tried.
    pub stubborn: bool,
    /// Potentials are weighed anew now and then.
    pub refine: bool,
    /// Demands within weaker ones are dropped.
    pub cover: bool,
    /// The first nodes go without estimates.
    pub haste: bool,
}

impl Default for Switches {
    fn default() -> Self {
        Switches::from_bits(u32::MAX)
    }
}

impl Switches {
    /// How many there are.
    pub const COUNT: u32 = 7;

    /// The parts by the bits of a number.
    pub const fn from_bits(bits: u32) -> Switches {
        Switches {
            reach: bits & 1 != 0,
            potentials: bits & 2 != 0,
            open_ends: bits & 4 != 0,
            stubborn: bits & 8 != 0,
            refine: bits & 16 != 0,
            cover: bits & 32 != 0,
            haste: bits & 64 != 0,
        }
    }
}
