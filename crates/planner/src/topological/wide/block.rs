//! A block of NPCs as rows of bits, and the operations on rows that a processor offers.
//!
//! In:   columns of bytes.
//! Out:  rows of bits; and from rows masks or bytes, one per NPC.
//! Cost: [`Simd`] has two implementations: `portable`, in plain words, and `avx2`.

use super::program::ROWS;

/// How many NPCs a block has.
pub(super) const LANES: usize = 1024;
const WORDS: usize = LANES / 64;

/// One bit for each NPC of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(32))]
pub(super) struct Row(pub(super) [u64; WORDS]);

pub(super) const EMPTY: Row = Row([0; WORDS]);
pub(super) const FULL: Row = Row([u64::MAX; WORDS]);

/// All rows of a block.
pub(super) type Rows = [Row; ROWS];

/// What fired: a row for each position of the word; status on top.
pub(super) type Fired = [Row; 32];

/// Operations on rows. `V` is a row in registers.
pub(super) trait Simd: Copy {
    type V: Copy;

    fn load(self, row: &Row) -> Self::V;
    fn store(self, row: &mut Row, v: Self::V);
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a` without `b`.
    fn without(self, a: Self::V, b: Self::V) -> Self::V;
    fn or(self, a: Self::V, b: Self::V) -> Self::V;
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;
    fn is_empty(self, v: Self::V) -> bool;

    /// Bit 0 of every byte becomes row `first`, bit 1 the next, and so on.
    fn slice(self, column: &[u8; LANES], width: u32, rows: &mut Rows, first: usize);

    /// Adds the NPCs whose byte is `limit` or more; the limit is at most 128.
    fn mark_above(self, column: &[u8; LANES], limit: u8, row: &mut Row);

    /// Rows 0 to 15 become the bits of a number per NPC.
    fn numbers16(self, rows: &Fired, out: &mut [u16; LANES]);

    /// Rows 0 to 31 become the bits of a number per NPC.
    fn numbers32(self, rows: &Fired, out: &mut [u32; LANES]);

    /// Rows 0 to 7 become the bits of a byte per NPC.
    fn numbers8(self, rows: &Fired, out: &mut [u8; LANES]);
}
