//! The Gray code: a plan of 2^n - 1 steps over n bits.
//!
//! Source: named in section 4 of "Topological Planning with Post-unique and Unary Actions"
//! (Theorem 2), which takes it from Bäckström's thesis (1992). The rule is the reflected Gray
//! code's: a bit flips while the bit before it is 1 and all before that are 0.

use super::{Family, Known, Move, Needed, Values, check_size};

/// More bits are no use: the text grows with the square, the plan with the power.
const MOST_BITS: u64 = 4096;

/// A counter of so many bits.
pub struct Gray {
    bits: u64,
}

impl Gray {
    /// The member of so many bits.
    ///
    /// # Errors
    ///
    /// If the size is out of range, in words for the user.
    pub fn new(bits: u64) -> Result<Gray, String> {
        check_size("the number of bits", bits, 1, MOST_BITS)?;
        Ok(Gray { bits })
    }
}

impl Family for Gray {
    fn domain(&self) -> String {
        format!("gray_{}", self.bits)
    }

    fn about(&self) -> String {
        let n = self.bits;
        format!(
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
        )
    }

    fn names(&self) -> (&'static str, &'static str) {
        ("solver", "last_bit_only")
    }

    fn known(&self) -> Known {
        // A test can expect at most 2^32 - 1 actions.
        match 1_u64.checked_shl(self.bits as u32) {
            Some(states) if self.bits <= 32 => Known::Length(states - 1),
            _ => Known::Nothing,
        }
    }

    fn n_variables(&self) -> u64 {
        self.bits
    }

    fn push_variable(&self, variable: u64, text: &mut String) {
        text.push_str("bit");
        text.push_str(&(variable + 1).to_string());
    }

    fn values(&self, _: u64) -> Values {
        Values::Numbers(2)
    }

    fn start_and_goal(&self, variable: u64) -> (u32, u32) {
        (0, u32::from(variable + 1 == self.bits))
    }

    fn n_actions(&self) -> u64 {
        2 * self.bits
    }

    fn push_action(&self, action: u64, text: &mut String) {
        text.push_str(if action.is_multiple_of(2) { "set" } else { "clear" });
        text.push_str(&(action / 2 + 1).to_string());
    }

    fn action(&self, action: u64) -> Move {
        let from = (action % 2) as u32;
        Move { variable: action / 2, from, to: 1 - from }
    }

    fn needs(&self, action: u64) -> Box<dyn Iterator<Item = Needed> + '_> {
        let bit = action / 2;
        Box::new((0..bit).map(move |before| (before, u32::from(before + 1 == bit))))
    }

    fn n_needs(&self) -> u64 {
        self.bits * (self.bits - 1)
    }
}
