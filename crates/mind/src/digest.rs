//! One number for many: equal for equal words in equal order.

/// A running digest.
pub(crate) struct Fnv(u64);

impl Fnv {
    /// Of nothing.
    pub(crate) fn new() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    /// The number.
    pub(crate) fn value(&self) -> u64 {
        self.0
    }

    /// Adds a word.
    pub(crate) fn add(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
