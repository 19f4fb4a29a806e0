//! The SIMD twins of the portable kernels. Compiled only for processors that have the features, so that calling them is
//! safe.
#![allow(unsafe_code, reason = "calling a function that needs certain processor features is unsafe")]

use std::arch::x86_64::*;

use bytemuck::cast;

use crate::board::{Bitboard, Square};
use crate::eval::pattern::{PatternIndices, SQUARE_DELTAS};

#[cfg(avx512)]
use super::{Entry, LANES, ROW_INSTANCES, ROW_LOOKUPS, Scales, WIDTH};

type Vectors = [__m256i; 3];

/// See [`portable::update_indices`](super::portable::update_indices).
#[inline]
pub fn update_indices(indices: &PatternIndices, square: Square, flips: Bitboard) -> PatternIndices {
    // SAFETY: this module exists only in builds for processors with AVX2.
    unsafe { update_indices_avx2(indices, square, flips) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn update_indices_avx2(indices: &PatternIndices, square: Square, flips: Bitboard) -> PatternIndices {
    let mut flipped = [_mm256_setzero_si256(); 3];
    for flip in flips {
        let deltas: Vectors = cast(SQUARE_DELTAS[flip.index()].0);
        for (sum, delta) in flipped.iter_mut().zip(deltas) {
            *sum = _mm256_add_epi16(*sum, delta);
        }
    }
    let (indices, placed): (Vectors, Vectors) = (cast(indices.0), cast(SQUARE_DELTAS[square.index()].0));
    let mut after = flipped;
    for part in 0..3 {
        let sum = _mm256_add_epi16(indices[part], placed[part]);
        let sum = _mm256_add_epi16(sum, _mm256_slli_epi16::<1>(flipped[part]));
        after[part] = _mm256_sub_epi16(_mm256_setzero_si256(), sum);
    }
    PatternIndices(cast(after))
}

/// See [`portable::sum_entries`](super::portable::sum_entries).
#[cfg(avx512)]
#[inline]
pub fn sum_entries(
    entries: &[Entry],
    stage: usize,
    scales: &Scales,
    indices: &PatternIndices,
    start: [i16; WIDTH],
) -> (i32, [i16; WIDTH]) {
    // SAFETY: only in builds for processors with AVX-512.
    unsafe { sum_entries_avx512(entries, stage, scales, indices, start) }
}

/// Adds two rows as bytes, which cannot overflow, before it widens them.
#[cfg(avx512)]
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn sum_entries_avx512(
    entries: &[Entry],
    stage: usize,
    scales: &Scales,
    indices: &PatternIndices,
    start: [i16; WIDTH],
) -> (i32, [i16; WIDTH]) {
    // All at once: one by one they would take as long as the lookups.
    let mut places = [0; LANES];
    for lane in 0..LANES {
        places[lane] = CENTRES[lane] + i32::from(indices.0[lane]);
    }
    let mut sums = cast(start);
    let mut weights = 0;
    for pair in 0..ROW_INSTANCES / 2 {
        let (one, other) = (2 * pair, 2 * pair + 1);
        let one_entry = &entries[places[ROW_LOOKUPS[one].lane] as usize];
        let other_entry = &entries[places[ROW_LOOKUPS[other].lane] as usize];
        let rows = _mm256_add_epi8(cast(one_entry.row), cast(other_entry.row));
        sums = _mm512_add_epi16(sums, _mm512_cvtepi8_epi16(rows));
        weights += scales[one] * i32::from(one_entry.weight(stage));
        weights += scales[other] * i32::from(other_entry.weight(stage));
    }
    (weights, cast(sums))
}

/// Where index 0 of each instance with rows is; 0 for other lanes.
#[cfg(avx512)]
static CENTRES: [i32; LANES] = {
    let mut centres = [0; LANES];
    let mut at = 0;
    while at < ROW_INSTANCES {
        centres[ROW_LOOKUPS[at].lane] = ROW_LOOKUPS[at].centre;
        at += 1;
    }
    centres
};

#[cfg(avx512)]
const _: () = assert!(ROW_INSTANCES.is_multiple_of(2), "rows are added in pairs");
