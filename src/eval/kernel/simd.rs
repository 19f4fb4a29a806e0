//! The SIMD twins of the portable kernels. Compiled only for processors that have the features, so that calling them is
//! safe.
#![allow(unsafe_code, reason = "calling a function that needs certain processor features is unsafe")]

use std::arch::x86_64::*;

use bytemuck::cast;

use crate::board::{Bitboard, Square};
#[cfg(avx512)]
use crate::eval::pattern::{INSTANCE_COUNT, LANES, TABLE_CENTRES, WEIGHT_COUNT};
use crate::eval::pattern::{PatternIndices, SQUARE_DELTAS};
#[cfg(avx512)]
use crate::eval::rows::{ROW_CENTRES, Row, WIDTH};

type Vectors = [__m256i; 3];

/// [`TABLE_CENTRES`] for all lanes; those without a pattern get a padding weight.
#[cfg(avx512)]
static LANE_CENTRES: [i32; LANES] = {
    let mut centres = [WEIGHT_COUNT as i32; LANES];
    let mut instance = 0;
    while instance < INSTANCE_COUNT {
        centres[instance] = TABLE_CENTRES[instance];
        instance += 1;
    }
    centres
};

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

/// See [`portable::sum_weights`](super::portable::sum_weights). The weights of a stage do not fit into the L1 cache;
/// gathers keep many loads in flight.
#[cfg(avx512)]
#[inline]
pub fn sum_weights(weights: &[i8], scales: &[u32; LANES], indices: &PatternIndices) -> i32 {
    // SAFETY: only in builds for processors with AVX-512.
    unsafe { sum_weights_avx512(weights, scales, indices) }
}

#[cfg(avx512)]
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn sum_weights_avx512(weights: &[i8], scales: &[u32; LANES], indices: &PatternIndices) -> i32 {
    let parts: Vectors = cast(indices.0);
    let (centres, scales): ([__m512i; 3], [__m512i; 3]) = (cast(LANE_CENTRES), cast(*scales));
    // Each gather reads the weight at a place and the three after it.
    let last_place = _mm512_set1_epi32(weights.len() as i32 - 4);
    assert!(weights.len() >= 4 && i32::try_from(weights.len()).is_ok());
    let mut sum = _mm512_setzero_si512();
    for ((part, centre), scale) in parts.into_iter().zip(centres).zip(scales) {
        let place = _mm512_min_epu32(_mm512_add_epi32(centre, _mm512_cvtepi16_epi32(part)), last_place);
        // SAFETY: no place is beyond the last but three.
        let fours = unsafe { _mm512_i32gather_epi32::<1>(place, weights.as_ptr().cast()) };
        // Only the lowest byte of a scale is not zero, so the three surplus weights vanish.
        let products = _mm512_maddubs_epi16(scale, fours);
        sum = _mm512_add_epi32(sum, _mm512_madd_epi16(products, _mm512_set1_epi32(1)));
    }
    _mm512_reduce_add_epi32(sum)
}

/// See [`portable::add_rows`](super::portable::add_rows).
#[cfg(avx512)]
#[inline]
pub fn add_rows(
    rows: &[Row],
    indices: &PatternIndices,
    moves: [usize; 2],
    bias: &[i16; WIDTH],
) -> [i16; WIDTH] {
    // SAFETY: only in builds for processors with AVX-512.
    unsafe { add_rows_avx512(rows, indices, moves, bias) }
}

/// Adds two rows as bytes, which cannot overflow, before it widens them.
#[cfg(avx512)]
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn add_rows_avx512(
    rows: &[Row],
    indices: &PatternIndices,
    [own, other]: [usize; 2],
    bias: &[i16; WIDTH],
) -> [i16; WIDTH] {
    let row = |place: usize| -> __m256i { cast(rows[place]) };
    let of_pattern = |at: usize| {
        let (lane, centre) = ROW_CENTRES[at];
        row((centre + i32::from(indices.0[lane])) as usize)
    };
    let widened = |one, other| _mm512_cvtepi8_epi16(_mm256_add_epi8(one, other));
    // Two sums, so that no addition waits for the one before it.
    let mut sums = [cast(*bias), widened(row(own), row(other))];
    for pair in 0..ROW_CENTRES.len() / 2 {
        let two = widened(of_pattern(2 * pair), of_pattern(2 * pair + 1));
        sums[pair % 2] = _mm512_add_epi16(sums[pair % 2], two);
    }
    cast(_mm512_add_epi16(sums[0], sums[1]))
}

#[cfg(avx512)]
const _: () = assert!(ROW_CENTRES.len().is_multiple_of(2), "rows are added in pairs");
