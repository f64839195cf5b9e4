//! Which facts may be of a kind: rows of bits, so that a question about a kind passes by the others.
//!
//! In:   facts that come and go, by slot and kind.
//! Out:  the slots whose facts may be of a kind, in order; all of that kind are among them.
//! Cost: 16 bits per slot, taken when the memory is made; of the few slots of a small memory 64
//!       bytes. A question costs a step per 64 slots and one per fact in the row.
//!
//! There are sixteen rows, eight in a small memory, and a kind's number says which is its own. Kinds that share a row are told
//! apart by who asks: a row leaves out facts, it never speaks for one.

use crate::words::Word;
use throng_base::{BitsIter, ones_of};

/// How many rows there are, and where one word is a row. Powers of two: more rows would take more
/// room than they save steps.
const ROWS: usize = 16;
const ROWS_OF_ONE_WORD: usize = 8;

/// Rows of bits, one per slot.
#[derive(Clone)]
pub(super) struct Kin {
    /// All rows, one behind the other.
    bits: Box<[u64]>,
}

impl Kin {
    /// For so many slots, all empty.
    pub(super) fn new(slots: usize) -> Self {
        let bits = match slots.div_ceil(64) {
            words @ 2.. => vec![0; ROWS * words],
            _ => vec![0; ROWS_OF_ONE_WORD],
        };
        Kin { bits: bits.into_boxed_slice() }
    }

    /// A fact of a kind comes into a slot, or goes from it.
    pub(super) fn set(&mut self, kind: Word, at: usize, on: bool) {
        let (first, _) = self.row_of(kind);
        if let Some(word) = self.bits.get_mut(first + at / 64) {
            let bit = 1 << (at % 64);
            *word = if on { *word | bit } else { *word & !bit };
        }
    }

    /// The slots whose facts may be of a kind.
    #[inline]
    pub(super) fn of(&self, kind: Word) -> BitsIter<'_> {
        let (first, words) = self.row_of(kind);
        ones_of(&self.bits[first..first + words])
    }

    /// Bytes on the heap.
    pub(super) fn heap(&self) -> usize {
        size_of_val(&*self.bits)
    }

    /// Where the row of a kind begins, and its words.
    #[inline]
    fn row_of(&self, kind: Word) -> (usize, usize) {
        let rows = if self.bits.len() == ROWS_OF_ONE_WORD { ROWS_OF_ONE_WORD } else { ROWS };
        // Kinds have small numbers beside each other, or a file's distance apart: both are spread.
        let row = kind.0.wrapping_mul(0x9e37_79b1) >> (32 - rows.trailing_zeros());
        let words = self.bits.len() / rows;
        (row as usize * words, words)
    }
}
