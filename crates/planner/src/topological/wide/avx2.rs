//! Rows of bits in 256-bit registers.
//!
//! Contract: [`Avx2`] is the proof that the processor has these instructions; only
//! [`Avx2::detect`] makes one, after asking. Every intrinsic stands in a method of it. Loads and
//! stores go through references to whole arrays, so none can leave its bounds.
//!
//! Safe twin: `portable`; `crates/suite/tests/it/wide.rs` holds the two equal bit for bit.
//!
//! Measured gain over the twin (`throng bench limits`): four times and more for masks, two and a
//! half times for lists.
//!
//! In:   columns of bytes, rows of bits.
//! Out:  as [`Simd`] says.
//! Cost: 256 NPCs per operation on rows, 32 per byte sliced.
#![allow(unsafe_code, reason = "vector instructions, behind detection at run time")]
#![allow(clippy::needless_range_loop, reason = "numbers of halves, which also say where to store")]

use super::Wide;
use super::block::{Fired, LANES, Row, Rows, Simd};
use super::lanes::{Counted, LanePlans, Lanes, WideScratch};
use std::arch::x86_64::*;

/// Registers of a row.
const REGISTERS: usize = LANES / 256;

/// Proof that the processor has AVX2.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2(());

impl Avx2 {
    /// The proof, if the processor has it.
    pub(super) fn detect() -> Option<Avx2> {
        std::arch::is_x86_feature_detected!("avx2").then_some(Avx2(()))
    }

    /// The loop over blocks, compiled for AVX2.
    pub(super) fn blocks(
        self,
        wide: &Wide,
        lanes: &Lanes<'_>,
        plans: &mut LanePlans<'_>,
        scratch: &mut WideScratch,
    ) -> Counted {
        // SAFETY: `self` is the proof that the processor has AVX2.
        unsafe { blocks(self, wide, lanes, plans, scratch) }
    }
}

/// Everything generic is inlined here, and so compiled for AVX2.
#[target_feature(enable = "avx2")]
fn blocks(
    simd: Avx2,
    wide: &Wide,
    lanes: &Lanes<'_>,
    plans: &mut LanePlans<'_>,
    scratch: &mut WideScratch,
) -> Counted {
    wide.blocks(simd, lanes, plans, scratch)
}

type Four = [__m256i; REGISTERS];

impl Avx2 {
    #[inline(always)]
    fn load_word(self, bytes: &[u8; 32]) -> __m256i {
        // SAFETY: the proof; an unaligned load of 32 bytes from 32 bytes.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }

    /// Stores two halves of registers side by side.
    #[inline(always)]
    fn store_word<T: Number>(self, out: &mut [T], v: __m256i) {
        debug_assert!(size_of_val(out) == 32);
        if size_of_val(out) == 32 {
            // SAFETY: the proof; an unaligned store of 32 bytes to 32 bytes of plain numbers.
            unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), v) }
        }
    }

    /// The low bits of every byte as rows.
    #[inline(always)]
    fn slice_bits<const N: usize>(self, column: &[u8; LANES], rows: &mut Rows, first: usize) {
        let Some(rows) = rows[first..].first_chunk_mut::<N>() else { return };
        let (pairs, _) = column.as_chunks::<64>();
        for (word, pair) in pairs.iter().enumerate() {
            let (halves, _) = pair.as_chunks::<32>();
            // SAFETY: the proof; registers only.
            unsafe {
                let top = _mm_cvtsi32_si128(8 - N as i32);
                let mut low = _mm256_sll_epi16(self.load_word(&halves[0]), top);
                let mut high = _mm256_sll_epi16(self.load_word(&halves[1]), top);
                // From the highest bit down, each brought to the top of its byte.
                for row in rows.iter_mut().rev() {
                    let bits = _mm256_movemask_epi8(low) as u32;
                    let more = _mm256_movemask_epi8(high) as u32;
                    row.0[word] = u64::from(bits) | u64::from(more) << 32;
                    low = _mm256_add_epi8(low, low);
                    high = _mm256_add_epi8(high, high);
                }
            }
        }
    }

    /// One bit of every byte as a row.
    #[inline(always)]
    fn slice_bit(self, column: &[u8; LANES], bit: i32, rows: &mut Rows, row: usize) {
        let Some(row) = rows.get_mut(row) else { return };
        let (pairs, _) = column.as_chunks::<64>();
        for (word, pair) in row.0.iter_mut().zip(pairs) {
            let (halves, _) = pair.as_chunks::<32>();
            // SAFETY: the proof; registers only.
            unsafe {
                let top = _mm_cvtsi32_si128(7 - bit);
                let low = _mm256_sll_epi16(self.load_word(&halves[0]), top);
                let high = _mm256_sll_epi16(self.load_word(&halves[1]), top);
                let (low, high) = (_mm256_movemask_epi8(low), _mm256_movemask_epi8(high));
                *word = u64::from(low as u32) | u64::from(high as u32) << 32;
            }
        }
    }

    /// Eight rows of 256 NPCs, exchanged so that a byte holds the eight bits of one NPC: byte k
    /// of register r belongs to NPC 8k + r.
    #[inline(always)]
    fn exchanged(self, rows: &Fired, first: usize, at: usize) -> [__m256i; 8] {
        let mut group = [self.load(&rows[first])[at]; 8];
        for (row, group) in group.iter_mut().enumerate().skip(1) {
            *group = self.load(&rows[first + row])[at];
        }
        self.exchange::<4, 4>(&mut group, 0x0f);
        self.exchange::<2, 2>(&mut group, 0x33);
        self.exchange::<1, 1>(&mut group, 0x55);
        group
    }

    #[inline(always)]
    fn exchange<const STEP: usize, const SHIFT: i32>(self, group: &mut [__m256i; 8], mask: i8) {
        // SAFETY: the proof; these touch registers only.
        unsafe {
            let mask = _mm256_set1_epi8(mask);
            for low in 0..8 {
                if low & STEP != 0 {
                    continue;
                }
                let (a, b) = (group[low], group[low + STEP]);
                let shifted = _mm256_srli_epi64::<SHIFT>(a);
                let change = _mm256_and_si256(_mm256_xor_si256(shifted, b), mask);
                group[low + STEP] = _mm256_xor_si256(b, change);
                group[low] = _mm256_xor_si256(a, _mm256_slli_epi64::<SHIFT>(change));
            }
        }
    }

    #[inline(always)]
    fn unpack8(self, a: __m256i, b: __m256i) -> [__m256i; 2] {
        // SAFETY: the proof; registers only.
        unsafe { [_mm256_unpacklo_epi8(a, b), _mm256_unpackhi_epi8(a, b)] }
    }

    #[inline(always)]
    fn unpack16(self, a: __m256i, b: __m256i) -> [__m256i; 2] {
        // SAFETY: the proof; registers only.
        unsafe { [_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b)] }
    }

    #[inline(always)]
    fn unpack32(self, a: __m256i, b: __m256i) -> [__m256i; 2] {
        // SAFETY: the proof; registers only.
        unsafe { [_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b)] }
    }

    #[inline(always)]
    fn unpack64(self, a: __m256i, b: __m256i) -> [__m256i; 2] {
        // SAFETY: the proof; registers only.
        unsafe { [_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)] }
    }

    /// The low halves of two registers, and the high halves.
    #[inline(always)]
    fn halves(self, a: __m256i, b: __m256i) -> [__m256i; 2] {
        // SAFETY: the proof; registers only.
        unsafe {
            [_mm256_permute2x128_si256::<0x20>(a, b), _mm256_permute2x128_si256::<0x31>(a, b)]
        }
    }
}

/// Plain numbers, of which every pattern of bits is one.
trait Number: Copy {}
impl Number for u8 {}
impl Number for u16 {}
impl Number for u32 {}

/// An instruction of two registers, for each of those of a row.
macro_rules! each {
    ($instruction:ident, $a:ident, $b:ident) => {{
        // SAFETY: a token of this type is proof that the processor has the instructions.
        unsafe {
            [
                $instruction($a[0], $b[0]),
                $instruction($a[1], $b[1]),
                $instruction($a[2], $b[2]),
                $instruction($a[3], $b[3]),
            ]
        }
    }};
}

impl Simd for Avx2 {
    type V = Four;

    #[inline(always)]
    fn load(self, row: &Row) -> Four {
        let first = row.0.as_ptr().cast::<__m256i>();
        // SAFETY: the proof; a row is as large as four registers, and any bits are fine.
        unsafe {
            [
                _mm256_loadu_si256(first),
                _mm256_loadu_si256(first.add(1)),
                _mm256_loadu_si256(first.add(2)),
                _mm256_loadu_si256(first.add(3)),
            ]
        }
    }

    #[inline(always)]
    fn store(self, row: &mut Row, v: Four) {
        for (at, v) in v.into_iter().enumerate() {
            // SAFETY: the proof; a row is as large as four registers.
            unsafe { _mm256_storeu_si256(row.0.as_mut_ptr().cast::<__m256i>().add(at), v) }
        }
    }

    #[inline(always)]
    fn and(self, a: Four, b: Four) -> Four {
        each!(_mm256_and_si256, a, b)
    }

    #[inline(always)]
    fn without(self, a: Four, b: Four) -> Four {
        each!(_mm256_andnot_si256, b, a)
    }

    #[inline(always)]
    fn or(self, a: Four, b: Four) -> Four {
        each!(_mm256_or_si256, a, b)
    }

    #[inline(always)]
    fn xor(self, a: Four, b: Four) -> Four {
        each!(_mm256_xor_si256, a, b)
    }

    #[inline(always)]
    fn is_empty(self, v: Four) -> bool {
        // SAFETY: the proof; registers only.
        unsafe {
            let all = _mm256_or_si256(_mm256_or_si256(v[0], v[1]), _mm256_or_si256(v[2], v[3]));
            _mm256_testz_si256(all, all) == 1
        }
    }

    #[inline(always)]
    fn slice(self, column: &[u8; LANES], width: u32, rows: &mut Rows, first: usize) {
        // Most variables have few bits, and known numbers of them are faster.
        match width {
            1 => self.slice_bits::<1>(column, rows, first),
            2 => self.slice_bits::<2>(column, rows, first),
            3 => self.slice_bits::<3>(column, rows, first),
            8 => self.slice_bits::<8>(column, rows, first),
            _ => {
                for bit in 0..width.min(8) {
                    self.slice_bit(column, bit as i32, rows, first + bit as usize);
                }
            }
        }
    }

    #[inline(always)]
    fn mark_above(self, column: &[u8; LANES], limit: u8, row: &mut Row) {
        let (parts, _) = column.as_chunks::<32>();
        // SAFETY: the proof; registers only.
        unsafe {
            let limit = _mm256_set1_epi8(limit as i8);
            let mut most = _mm256_setzero_si256();
            for part in parts {
                most = _mm256_max_epu8(most, self.load_word(part));
            }
            let above = _mm256_cmpeq_epi8(_mm256_max_epu8(most, limit), most);
            if _mm256_testz_si256(above, above) == 1 {
                return;
            }
            for (at, part) in parts.iter().enumerate() {
                let part = self.load_word(part);
                let above = _mm256_cmpeq_epi8(_mm256_max_epu8(part, limit), part);
                let above = _mm256_movemask_epi8(above) as u32;
                row.0[at / 2] |= u64::from(above) << (at % 2 * 32);
            }
        }
    }

    #[inline(always)]
    fn numbers8(self, rows: &Fired, out: &mut [u8; LANES]) {
        for (at, out) in out.chunks_exact_mut(256).enumerate() {
            let g = self.exchanged(rows, 0, at);
            let pairs = [
                self.unpack8(g[0], g[1]),
                self.unpack8(g[2], g[3]),
                self.unpack8(g[4], g[5]),
                self.unpack8(g[6], g[7]),
            ];
            for side in 0..2 {
                // k = 0..8 and 16..24, or 8..16 and 24..32.
                let low = self.unpack16(pairs[0][side], pairs[1][side]);
                let high = self.unpack16(pairs[2][side], pairs[3][side]);
                for half in 0..2 {
                    let [a, b] = self.unpack32(low[half], high[half]);
                    let [first, second] = self.halves(a, b);
                    let from = 64 * side + 32 * half;
                    self.store_word(&mut out[from..from + 32], first);
                    self.store_word(&mut out[from + 128..from + 160], second);
                }
            }
        }
    }

    #[inline(always)]
    fn numbers16(self, rows: &Fired, out: &mut [u16; LANES]) {
        for (at, out) in out.chunks_exact_mut(256).enumerate() {
            let (g, h) = (self.exchanged(rows, 0, at), self.exchanged(rows, 8, at));
            let mut whole = [[g[0]; 2]; 8];
            for r in 0..8 {
                whole[r] = self.unpack8(g[r], h[r]);
            }
            for side in 0..2 {
                // Numbers of k = 0..8 and 16..24, or 8..16 and 24..32.
                let twos = [
                    self.unpack16(whole[0][side], whole[1][side]),
                    self.unpack16(whole[2][side], whole[3][side]),
                    self.unpack16(whole[4][side], whole[5][side]),
                    self.unpack16(whole[6][side], whole[7][side]),
                ];
                for half in 0..2 {
                    let low = self.unpack32(twos[0][half], twos[1][half]);
                    let high = self.unpack32(twos[2][half], twos[3][half]);
                    for quarter in 0..2 {
                        let [a, b] = self.unpack64(low[quarter], high[quarter]);
                        let [first, second] = self.halves(a, b);
                        let from = 64 * side + 32 * half + 16 * quarter;
                        self.store_word(&mut out[from..from + 16], first);
                        self.store_word(&mut out[from + 128..from + 144], second);
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn numbers32(self, rows: &Fired, out: &mut [u32; LANES]) {
        for (at, out) in out.chunks_exact_mut(256).enumerate() {
            let (g, h) = (self.exchanged(rows, 0, at), self.exchanged(rows, 8, at));
            let (i, j) = (self.exchanged(rows, 16, at), self.exchanged(rows, 24, at));
            // By register: 16 bits of k = 0..8 and 16..24, then of 8..16 and 24..32.
            let (mut low, mut high) = ([[g[0]; 2]; 8], [[g[0]; 2]; 8]);
            for r in 0..8 {
                low[r] = self.unpack8(g[r], h[r]);
                high[r] = self.unpack8(i[r], j[r]);
            }
            for side in 0..2 {
                let mut whole = [[g[0]; 2]; 8];
                for r in 0..8 {
                    whole[r] = self.unpack16(low[r][side], high[r][side]);
                }
                for half in 0..2 {
                    // Numbers of k, k + 1, k + 2, k + 3 of each register.
                    let twos = [
                        self.unpack32(whole[0][half], whole[1][half]),
                        self.unpack32(whole[2][half], whole[3][half]),
                        self.unpack32(whole[4][half], whole[5][half]),
                        self.unpack32(whole[6][half], whole[7][half]),
                    ];
                    for quarter in 0..2 {
                        let front = self.unpack64(twos[0][quarter], twos[1][quarter]);
                        let back = self.unpack64(twos[2][quarter], twos[3][quarter]);
                        for eighth in 0..2 {
                            let [first, second] = self.halves(front[eighth], back[eighth]);
                            let from = 64 * side + 32 * half + 16 * quarter + 8 * eighth;
                            self.store_word(&mut out[from..from + 8], first);
                            self.store_word(&mut out[from + 128..from + 136], second);
                        }
                    }
                }
            }
        }
    }
}
