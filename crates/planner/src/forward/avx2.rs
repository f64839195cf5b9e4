//! What forward search does most, several at a time: comparing operators with a state, and tags
//! with places of the table.
//!
//! Contract: [`Avx2`] is the proof that the processor has these instructions; only
//! [`Avx2::detect`] makes one, after asking. Loads go through references to whole arrays, so none
//! can leave its bounds. Nothing is stored but through safe code.
//!
//! Safe twins: `Glances::find_plainly` and `Glimpse::of`; the tests of `glances` and `states` hold
//! them equal.
//!
//! Measured gain over the twins and the tree of `successors`: the second table of
//! `cargo xtask bench forward`.
//!
//! In:   quads of operators and a state; a table and hashes.
//! Out:  the operators that can run, in order; for each hash the first place of interest.
//! Cost: six instructions per quad and a dozen per hash.
#![allow(unsafe_code, reason = "vector instructions, behind detection at run time")]

use super::glances::{QUAD, Quad};
use super::states::{Glimpse, place};
use std::arch::x86_64::*;

/// Quads whose operators are the bits of a word.
const QUADS_OF_WORD: usize = u64::BITS as usize / QUAD;
/// Places of the table that are looked at together.
const LANES: usize = 8;

/// Proof that the processor has AVX2 and counts zeros.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2(());

impl Avx2 {
    /// The proof, if the processor has it.
    pub(super) fn detect() -> Option<Avx2> {
        let has = std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("bmi1");
        has.then_some(Avx2(()))
    }

    /// Writes the operators that can run, and says how many they are.
    #[inline]
    pub(super) fn find(self, quads: &[Quad], state: u64, found: &mut [u32]) -> usize {
        // SAFETY: `self` is the proof that the processor has these instructions.
        unsafe { find(quads, state, found) }
    }

    /// [`Glimpse::of`] for each hash.
    #[inline]
    pub(super) fn glimpse(
        self,
        table: &[u32],
        low: u32,
        hashes: impl Iterator<Item = u64>,
        glimpses: &mut Vec<Glimpse>,
    ) {
        // SAFETY: `self` is the proof that the processor has these instructions.
        unsafe { glimpse(table, low, hashes, glimpses) }
    }
}

#[target_feature(enable = "avx2,bmi1")]
fn find(quads: &[Quad], state: u64, found: &mut [u32]) -> usize {
    let state = _mm256_set1_epi64x(state as i64);
    let mut n_found = 0;
    for quads in quads.chunks(QUADS_OF_WORD) {
        let mut can_run = 0u64;
        for (at, quad) in quads.iter().enumerate() {
            // SAFETY: unaligned loads of 32 bytes from arrays of as many.
            let bits = unsafe {
                let look = _mm256_loadu_si256(quad.look.as_ptr().cast());
                let see = _mm256_loadu_si256(quad.see.as_ptr().cast());
                let fits = _mm256_cmpeq_epi64(_mm256_and_si256(state, look), see);
                _mm256_movemask_pd(_mm256_castsi256_pd(fits))
            };
            can_run |= u64::from(bits as u32) << (at * QUAD);
        }
        while can_run != 0 {
            let at = can_run.trailing_zeros() as usize;
            can_run &= can_run - 1;
            found[n_found] = quads[at / QUAD].operators[at % QUAD];
            n_found += 1;
        }
    }
    n_found
}

#[target_feature(enable = "avx2,bmi1")]
fn glimpse(
    table: &[u32],
    low: u32,
    hashes: impl Iterator<Item = u64>,
    glimpses: &mut Vec<Glimpse>,
) {
    let lows = _mm256_set1_epi32(low as i32);
    glimpses.extend(hashes.map(|hash| {
        let (mut at, tag) = (place(hash, table.len()), hash as u32 & !low);
        let tags = _mm256_set1_epi32(tag as i32);
        while let Some(places) = table.get(at..).and_then(|rest| rest.first_chunk::<LANES>()) {
            // SAFETY: an unaligned load of 32 bytes from as many.
            let entries = unsafe { _mm256_loadu_si256(places.as_ptr().cast()) };
            let has_tag = _mm256_cmpeq_epi32(_mm256_andnot_si256(lows, entries), tags);
            let is_empty = _mm256_cmpeq_epi32(entries, _mm256_setzero_si256());
            let either = _mm256_castsi256_ps(_mm256_or_si256(has_tag, is_empty));
            let of_interest = _mm256_movemask_ps(either) as u32;
            if of_interest != 0 {
                let lane = of_interest.trailing_zeros() as usize % LANES;
                return Glimpse { tag, at: (at + lane) as u32, entry: places[lane] };
            }
            at += LANES;
        }
        // Near the end of the table, after which it goes on at its beginning.
        Glimpse::from(at, tag, table, low)
    }));
}
