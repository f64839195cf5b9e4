//! The tunnel and the Gray code: switches in a row, each of which needs those before it.
//!
//! Sources: the tunnel is described in section 2.1 of "SAS Planning As Topological Sorting", the
//! Gray code is named in section 4 of "Topological Planning with Post-unique and Unary Actions"
//! (Theorem 2); both papers take them from Bäckström's thesis (1992). In the tunnel, which is
//! MultiPrv_2_Cycle told from the entrance, a light is switched while all before it are on; the
//! rule of the reflected Gray code flips a bit while the bit before it is 1 and all before that
//! are 0.

use super::{Family, Known, MOST_VARIABLES, Move, Needed, Values, check_size};

/// More bits are no use: the text grows with the square, the plan with the power.
const MOST_BITS: u64 = 4096;

const OFF: u32 = 0;
const ON: u32 = 1;

/// A number of lights, light 1 at the entrance, or of bits.
pub struct Switches {
    n: u64,
    is_gray: bool,
}

impl Switches {
    /// The tunnel of so many lights.
    ///
    /// # Errors
    ///
    /// If the size is out of range, in words for the user.
    pub fn tunnel(lights: u64) -> Result<Switches, String> {
        check_size("the number of lights", lights, 1, MOST_VARIABLES)?;
        Ok(Switches { n: lights, is_gray: false })
    }

    /// The Gray code of so many bits.
    ///
    /// # Errors
    ///
    /// If the size is out of range, in words for the user.
    pub fn gray(bits: u64) -> Result<Switches, String> {
        check_size("the number of bits", bits, 1, MOST_BITS)?;
        Ok(Switches { n: bits, is_gray: true })
    }

    /// A word and the number of a switch, counted from 1.
    fn numbered(&self, [gray, tunnel]: [&str; 2], switch: u64) -> String {
        format!("{}{}", if self.is_gray { gray } else { tunnel }, switch + 1)
    }
}

impl Family for Switches {
    fn domain(&self) -> String {
        format!("{}_{}", if self.is_gray { "gray" } else { "tunnel" }, self.n)
    }

    fn about(&self) -> String {
        let n = self.n;
        if self.is_gray {
            return format!(
                "\
The Gray code of {n} bits, generated: throng gen gray {n}

The first bit flips freely. Any other flips while the bit before it is 1 and all bits
before that are 0. From 0...0 the only way to 0...01 runs through all states: 2^n - 1
steps, and from three bits on actions repeat.

Source: \"Topological Planning with Post-unique and Unary Actions\", Theorem 2, which names
the problem after Bäckström (1992) without printing it; the rule here is the reflected
Gray code's.

All cycles have two actions, so the class is PUC2; from three bits on it is not PUC2*, and
no planner that takes each action once can serve it. Search does, for small n."
            );
        }
        format!(
            "\
The tunnel with {n} lights, generated: throng gen tunnel {n}

A light is switched on or off where it hangs, and one only gets there through light:
all lights between the entrance and it must be on. Wanted: the innermost light on, all
others off. So one goes in switching on, and out switching off: 2n - 1 actions, in one
order only.

Source: \"SAS Planning As Topological Sorting\", section 2.1, after Bäckström (1992). The
paper says that it is none other than MultiPrv_2_Cycle; there the entrance is the last
variable. Start and goal are not printed; these need every action but one.

Only `on` is ever needed, so the class is PUS (and PUC2S): linear, exact."
        )
    }

    fn names(&self) -> (&'static str, &'static str) {
        match self.is_gray {
            true => ("solver", "last_bit_only"),
            false => ("lamplighter", "only_the_innermost"),
        }
    }

    fn known(&self) -> Known {
        match (self.is_gray, self.n) {
            (false, n) => Known::Length(2 * n - 1),
            // A test can expect at most 2^32 - 1 actions.
            (true, n @ ..=32) => Known::Length((1 << n) - 1),
            (true, _) => Known::Nothing,
        }
    }

    fn n_variables(&self) -> u64 {
        self.n
    }

    fn variable_name(&self, variable: u64) -> String {
        self.numbered(["bit", "light_"], variable)
    }

    fn values(&self, _: u64) -> Values {
        if self.is_gray { Values::Numbers(2) } else { Values::Words(&["off", "on"]) }
    }

    fn start_and_goal(&self, variable: u64) -> (u32, u32) {
        (OFF, if variable + 1 == self.n { ON } else { OFF })
    }

    fn n_actions(&self) -> u64 {
        2 * self.n
    }

    fn action_name(&self, action: u64) -> String {
        let words = match action.is_multiple_of(2) {
            true => ["set", "switch_on_"],
            false => ["clear", "switch_off_"],
        };
        self.numbered(words, action / 2)
    }

    fn action(&self, action: u64) -> Move {
        let (from, to) = if action.is_multiple_of(2) { (OFF, ON) } else { (ON, OFF) };
        Move { variable: action / 2, from, to }
    }

    fn needs(&self, action: u64) -> Box<dyn Iterator<Item = Needed> + '_> {
        let own = action / 2;
        let is_on = move |before: u64| !self.is_gray || before + 1 == own;
        Box::new((0..own).map(move |before| (before, if is_on(before) { ON } else { OFF })))
    }

    fn n_needs(&self) -> u64 {
        self.n * (self.n - 1)
    }
}
