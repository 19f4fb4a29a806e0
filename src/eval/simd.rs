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
