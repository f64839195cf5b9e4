//! For tests: whether what implements the codec comes back from its bytes.
//!
//! In:   a type, and how its values are made.
//! Out:  values of all sorts; for each whether it comes back, whole and from the whole only.
//! Cost: the square of the bytes per value.
//!
//! A value that is encoded and cannot be decoded is a saved game that is lost. So every type of
//! these crates is held to this, and a game's own types can be:
//!
//! ```
//! use throng_base::codec::trial::comes_back;
//!
//! #[derive(PartialEq, Debug)]
//! struct Purse {
//!     coins: u32,
//!     owner: Option<String>,
//! }
//!
//! throng_base::codec_struct!(Purse { coins, owner });
//!
//! comes_back::<Purse>(|trial, _| Purse { coins: trial.any(), owner: trial.any() });
//! ```

use super::{Decode, Decoder, Encode, Encoder};
use crate::SplitMix;
use std::fmt::Debug;

/// Holds two hundred values of a type, each made of its parts in the way of this round, to coming
/// back. That no type is forgotten is seen to by `crates/suite/tests/it/codecs.rs`.
///
/// # Panics
///
/// One does not come back.
#[allow(clippy::panic, reason = "only tests call it")]
pub fn comes_back<T: Encode + Decode + PartialEq + Debug>(
    mut make: impl FnMut(&mut Trial, usize) -> T,
) {
    let mut trial = Trial::new(1);
    for round in 0..200 {
        let value = make(&mut trial, round);
        if let Err(wrong) = trial.comes_back(&value) {
            panic!("{wrong}: {value:?}");
        }
    }
}

/// Makes values, and sees whether they come back.
#[derive(Clone, Debug)]
pub struct Trial(SplitMix);

impl Trial {
    /// The same values for the same number.
    pub fn new(seed: u64) -> Self {
        Trial(SplitMix::new(seed))
    }

    /// A number below a bound.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound)
    }

    /// Some value of a part: whatever random bytes are read as. Build values of the type on trial
    /// from their parts with this, not the value itself: that would only be one that can be read.
    ///
    /// # Panics
    ///
    /// Ten thousand heaps of bytes are no such value. Make it of its parts.
    #[allow(clippy::panic, reason = "only tests call it")]
    pub fn any<T: Decode>(&mut self) -> T {
        for _ in 0..10_000 {
            // Small numbers, so that lists are short, beside all others.
            let largest = [3, 12, 256][self.below(3)];
            let bytes: Vec<u8> = (0..400).map(|_| self.below(largest) as u8).collect();
            if let Ok(value) = Decoder::new(&bytes).read() {
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
    pub fn comes_back<T: Encode + Decode + PartialEq>(
        &self,
        value: &T,
    ) -> Result<(), &'static str> {
        let bytes = Encoder::bytes_of(value);
        let mut from = Decoder::new(&bytes);
        let Ok(back) = from.read::<T>() else { return Err("it is encoded and not decoded") };
        // What is no number is never equal to itself; its bits are.
        #[allow(clippy::eq_op, reason = "a value with such a number in it")]
        let is_equal = back == *value || value != value;
        if from.left() > 0 {
            return Err("bytes are left over");
        }
        if !is_equal || Encoder::bytes_of(&back) != bytes {
            return Err("another comes back");
        }
        let read = |n: usize| Decoder::new(&bytes[..n]).read::<T>().is_ok();
        if (0..bytes.len()).any(read) { Err("it comes back from half of it") } else { Ok(()) }
    }
}
