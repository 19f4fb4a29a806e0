//! The twins of the portable code for processors with vector units. Compiled only into builds for such processors, so
//! that calling a function that needs them is safe.
#![allow(
    unsafe_code,
    reason = "calling a function that needs certain processor features is the one unsafe step"
)]

use std::arch::x86_64::*;

use bytemuck::cast;

use crate::board::{Bitboard, Square};

use super::pattern::{Lanes, POWERS};
#[cfg(avx512)]
use super::weights::{PLACES, Steps};

/// The numbers of a board in whole vectors.
type Vectors = [__m256i; 3];

/// See [`portable::moved`](super::features::portable::moved).
#[inline]
pub(super) fn moved(numbers: &Lanes, square: Square, flips: Bitboard) -> Lanes {
    // SAFETY: this module exists only in builds for processors with AVX2.
    unsafe { moved_avx2(numbers, square, flips) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn moved_avx2(numbers: &Lanes, square: Square, flips: Bitboard) -> Lanes {
    let mut turned = [_mm256_setzero_si256(); 3];
    for flip in flips {
        let powers: Vectors = cast(POWERS[flip.index()].0);
        for (sum, power) in turned.iter_mut().zip(powers) {
            *sum = _mm256_add_epi16(*sum, power);
        }
    }
    let (numbers, placed): (Vectors, Vectors) = (cast(numbers.0), cast(POWERS[square.index()].0));
    let mut after = turned;
    for part in 0..3 {
        let sum = _mm256_add_epi16(numbers[part], placed[part]);
        let sum = _mm256_add_epi16(sum, _mm256_slli_epi16::<1>(turned[part]));
        after[part] = _mm256_sub_epi16(_mm256_setzero_si256(), sum);
    }
    Lanes(cast(after))
}

/// The sum of the weights that the numbers of a board stand for; see the portable twin beside the weights. A stage's
/// weights do not fit in the memory nearest to the processor, so the point is to have many looks under way at once.
#[cfg(avx512)]
#[inline]
pub(super) fn sum(weights: &[i8], steps: &Steps, numbers: &Lanes) -> i32 {
    // SAFETY: only in builds for processors with AVX-512.
    unsafe { sum_avx512(weights, steps, numbers) }
}

#[cfg(avx512)]
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn sum_avx512(weights: &[i8], steps: &Steps, numbers: &Lanes) -> i32 {
    let parts: Vectors = cast(numbers.0);
    let (places, steps): ([__m512i; 3], [__m512i; 3]) = (cast(PLACES), cast(*steps));
    // Each look takes the weight at a place and the three after it.
    let last_place = _mm512_set1_epi32(weights.len() as i32 - 4);
    assert!(weights.len() >= 4 && i32::try_from(weights.len()).is_ok());
    let mut sum = _mm512_setzero_si512();
    for ((part, place), step) in parts.into_iter().zip(places).zip(steps) {
        let place = _mm512_min_epu32(_mm512_add_epi32(place, _mm512_cvtepi16_epi32(part)), last_place);
        // SAFETY: no place is beyond the last but three.
        let fours = unsafe { _mm512_i32gather_epi32::<1>(place, weights.as_ptr().cast()) };
        // A step has one byte only, the lowest: what comes after the first weight is multiplied by nothing.
        let products = _mm512_maddubs_epi16(step, fours);
        sum = _mm512_add_epi32(sum, _mm512_madd_epi16(products, _mm512_set1_epi32(1)));
    }
    _mm512_reduce_add_epi32(sum)
}
