//! Flips with the vector instructions of AVX-512 that count leading zeros and mask lanes.
//!
//! Vectors of 256 bits: wider ones would keep one of the three vector units from working.

use std::arch::x86_64::*;

use super::super::Square;
use super::super::kernel::RAYS;
use super::lanes;

/// The discs of `other` that a disc of `own` on the empty `square` turns, for each kind of line.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512cd,avx2")]
pub fn turned(own: __m256i, other: __m256i, square: Square) -> __m256i {
    let rays = &RAYS[square.index()];
    let zero = _mm256_setzero_si256();
    let ones = _mm256_set1_epi64x(-1);

    // Upwards the lowest blocker ends the run; what lies below it turns if it is ours.
    let ray = lanes(rays.up);
    let blockers = _mm256_andnot_si256(other, ray);
    let end = _mm256_and_si256(_mm256_and_si256(blockers, _mm256_sub_epi64(zero, blockers)), own);
    let closed = _mm256_test_epi64_mask(end, end);
    let up = _mm256_and_si256(_mm256_maskz_add_epi64(closed, end, ones), ray);

    // Downwards the highest blocker does, and what lies above it. Without any, a rotation by 64 gives a bit that is none.
    let ray = lanes(rays.down);
    let blockers = _mm256_andnot_si256(other, ray);
    let highest = _mm256_rorv_epi64(_mm256_set1_epi64x(i64::MIN), _mm256_lzcnt_epi64(blockers));
    let end = _mm256_and_si256(_mm256_and_si256(highest, blockers), own);
    let down = _mm256_and_si256(_mm256_sub_epi64(zero, _mm256_add_epi64(end, end)), ray);

    _mm256_or_si256(up, down)
}
