//! Rows of bits in plain words: serves every processor, and is the safe twin of `avx2`.
//!
//! In:   columns of bytes, rows of bits.
//! Out:  as [`Simd`] says.
//! Cost: eight NPCs per multiplication when bytes become bits; six exchanges between eight words
//!       when bits become bytes.

use super::block::{Fired, LANES, Row, Rows, Simd};

/// The plain implementation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable;

/// One bit in every byte.
const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = ONES << 7;
/// Moves the lowest bit of byte k to bit 56 + k.
const GATHER: u64 = 0x0102_0408_1020_4080;

type Words = [u64; LANES / 64];

#[inline(always)]
fn each(a: Words, b: Words, f: impl Fn(u64, u64) -> u64) -> Words {
    let mut out = a;
    for (out, b) in out.iter_mut().zip(b) {
        *out = f(*out, b);
    }
    out
}

impl Simd for Portable {
    type V = Words;

    #[inline(always)]
    fn load(self, row: &Row) -> Words {
        row.0
    }

    #[inline(always)]
    fn store(self, row: &mut Row, v: Words) {
        row.0 = v;
    }

    #[inline(always)]
    fn and(self, a: Words, b: Words) -> Words {
        each(a, b, |a, b| a & b)
    }

    #[inline(always)]
    fn without(self, a: Words, b: Words) -> Words {
        each(a, b, |a, b| a & !b)
    }

    #[inline(always)]
    fn or(self, a: Words, b: Words) -> Words {
        each(a, b, |a, b| a | b)
    }

    #[inline(always)]
    fn xor(self, a: Words, b: Words) -> Words {
        each(a, b, |a, b| a ^ b)
    }

    #[inline(always)]
    fn is_empty(self, v: Words) -> bool {
        v.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline(always)]
    fn slice(self, column: &[u8; LANES], width: u32, rows: &mut Rows, first: usize) {
        for (word, bytes) in column.chunks_exact(64).enumerate() {
            let mut bits = [0u64; 8];
            for (at, eight) in eights(bytes) {
                for (bit, row) in bits.iter_mut().enumerate().take(width as usize) {
                    *row |= ((eight >> bit & ONES).wrapping_mul(GATHER) >> 56) << (8 * at);
                }
            }
            for (bit, row) in bits.iter().enumerate().take(width as usize) {
                rows[first + bit].0[word] = *row;
            }
        }
    }

    #[inline(always)]
    fn mark_above(self, column: &[u8; LANES], limit: u8, row: &mut Row) {
        let add = ONES * u64::from(128 - limit.min(128));
        for (bytes, row) in column.chunks_exact(64).zip(&mut row.0) {
            for (at, eight) in eights(bytes) {
                let above = (((eight & !HIGH) + add) | eight) & HIGH;
                *row |= ((above >> 7).wrapping_mul(GATHER) >> 56) << (8 * at);
            }
        }
    }

    #[inline(always)]
    fn numbers16(self, rows: &Fired, out: &mut [u16; LANES]) {
        for (word, out) in out.chunks_exact_mut(64).enumerate() {
            let (low, high) = (bytes(rows, 0, word), bytes(rows, 8, word));
            for (lane, out) in out.iter_mut().enumerate() {
                *out = u16::from_le_bytes([low[lane], high[lane]]);
            }
        }
    }

    #[inline(always)]
    fn numbers32(self, rows: &Fired, out: &mut [u32; LANES]) {
        for (word, out) in out.chunks_exact_mut(64).enumerate() {
            let [a, b, c, d] = [0, 8, 16, 24].map(|first| bytes(rows, first, word));
            for (lane, out) in out.iter_mut().enumerate() {
                *out = u32::from_le_bytes([a[lane], b[lane], c[lane], d[lane]]);
            }
        }
    }

    #[inline(always)]
    fn numbers8(self, rows: &Fired, out: &mut [u8; LANES]) {
        for (word, out) in out.chunks_exact_mut(64).enumerate() {
            out.copy_from_slice(&bytes(rows, 0, word));
        }
    }
}

#[inline(always)]
fn eights(bytes: &[u8]) -> impl Iterator<Item = (usize, u64)> + '_ {
    let eight = |eight: &[u8]| u64::from_le_bytes(std::array::from_fn(|at| eight[at]));
    bytes.chunks_exact(8).map(eight).enumerate()
}

/// Eight rows of 64 NPCs as a byte for each NPC.
#[inline(always)]
fn bytes(rows: &Fired, first: usize, word: usize) -> [u8; 64] {
    let mut group: [u64; 8] = std::array::from_fn(|row| rows[first + row].0[word]);
    // The bits of one NPC into one byte: byte k of word r belongs to NPC 8k + r.
    exchange(&mut group, 4, 4, ONES * 0x0f);
    exchange(&mut group, 2, 2, ONES * 0x33);
    exchange(&mut group, 1, 1, ONES * 0x55);
    // Then the bytes in the order of the NPCs.
    exchange(&mut group, 4, 32, 0x0000_0000_ffff_ffff);
    exchange(&mut group, 2, 16, 0x0000_ffff_0000_ffff);
    exchange(&mut group, 1, 8, 0x00ff_00ff_00ff_00ff);
    let mut bytes = [0; 64];
    for (to, word) in bytes.chunks_exact_mut(8).zip(group) {
        to.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

/// Exchanges the high parts of some words with the low parts of those a step behind.
#[inline(always)]
fn exchange(group: &mut [u64; 8], step: usize, shift: u32, low: u64) {
    for at in (0..8).filter(|at| at & step == 0) {
        let change = ((group[at] >> shift) ^ group[at + step]) & low;
        group[at + step] ^= change;
        group[at] ^= change << shift;
    }
}
