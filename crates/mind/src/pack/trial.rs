//! For tests: whether what implements [`Pack`] comes back from its bytes.
//!
//! In:   a type, and how its values are made.
//! Out:  values of all sorts; for each whether it comes back, whole and from the whole only.
//! Cost: the square of the bytes per value.
//!
//! A value that packs and does not unpack is a saved game that is lost. So every type of these
//! crates is held to this, and a game's own types can be:
//!
//! ```
//! use throng_mind::pack::trial::Trial;
//! use throng_mind::pack::{Damaged, Pack, Packer, Unpacker};
//!
//! #[derive(PartialEq)]
//! struct Purse(u32, Option<String>);
//!
//! impl Pack for Purse {
//!     fn pack(&self, to: &mut Packer) {
//!         to.put(&self.0).put(&self.1);
//!     }
//!
//!     fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
//!         Ok(Purse(from.take()?, from.take()?))
//!     }
//! }
//!
//! let mut trial = Trial::new(7);
//! for _ in 0..100 {
//!     let purse = Purse(trial.any(), trial.any());
//!     assert_eq!(trial.comes_back(&purse), Ok(()));
//! }
//! ```

use super::{Pack, Packer, Unpacker};

/// Makes values, and sees whether they come back.
#[derive(Clone, Debug)]
pub struct Trial(u64);

impl Trial {
    /// The same values for the same number.
    pub fn new(seed: u64) -> Self {
        Trial(seed)
    }

    /// A number below a bound.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040);
        ((self.0 >> 33) % bound.max(1) as u64) as usize
    }

    /// Some value of a part: whatever random bytes are read as. Build values of the type on trial
    /// from their parts with this, not the value itself: that would only be one that can be read.
    ///
    /// # Panics
    ///
    /// Ten thousand heaps of bytes are no such value. Make it of its parts.
    #[allow(clippy::panic, reason = "only tests call it")]
    pub fn any<T: Pack>(&mut self) -> T {
        for _ in 0..10_000 {
            // Small numbers, so that lists are short, beside all others.
            let largest = [3, 12, 256][self.below(3)];
            let bytes: Vec<u8> = (0..400).map(|_| self.below(largest) as u8).collect();
            if let Ok(value) = Unpacker::new(&bytes).take() {
                return value;
            }
        }
        panic!("no bytes are read as {}", std::any::type_name::<T>())
    }

    /// Whether a value comes back from its bytes, and from no smaller part of them.
    ///
    /// # Errors
    ///
    /// What is wrong.
    pub fn comes_back<T: Pack + PartialEq>(&self, value: &T) -> Result<(), &'static str> {
        let packed = |value: &T| {
            let mut to = Packer::default();
            to.put(value);
            to.bytes
        };
        let bytes = packed(value);
        let mut from = Unpacker::new(&bytes);
        let Ok(back) = from.take::<T>() else { return Err("it packs and does not unpack") };
        // What is no number is never equal to itself; its bits are.
        #[allow(clippy::eq_op, reason = "a value with such a number in it")]
        let is_equal = back == *value || value != value;
        if from.left() > 0 {
            return Err("bytes are left over");
        }
        if !is_equal || packed(&back) != bytes {
            return Err("another comes back");
        }
        let read = |n: usize| Unpacker::new(&bytes[..n]).take::<T>().is_ok();
        if (0..bytes.len()).any(read) { Err("it comes back from half of it") } else { Ok(()) }
    }
}
