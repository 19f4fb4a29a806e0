//! Flips with the vector instructions of AVX-512 that count leading zeros.
//!
//! Vectors of 256 bits: wider ones would keep one of the three vector units from working. The search waits for flips one
//! after another, so these take the fewest steps in a row, not the fewest of all; masks of lanes would take three each.

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

    // Upwards the lowest blocker ends the run. If it is ours, what lies below it turns; else there is no end, and no sign
    // to spread either.
    let ray = lanes(rays.up);
    let blockers = _mm256_andnot_si256(other, ray);
    let end = _mm256_and_si256(_mm256_and_si256(blockers, _mm256_sub_epi64(zero, blockers)), own);
    let from_end = _mm256_sub_epi64(zero, end);
    let up = _mm256_andnot_si256(from_end, _mm256_and_si256(_mm256_srai_epi64::<63>(from_end), ray));

    // Downwards the highest blocker does, and what lies above it. All is one bit higher here, so that without any blocker
    // the rotation by 64 gives a bit that is none of ours.
    let ray = lanes(rays.down);
    let blockers = _mm256_andnot_si256(other, ray);
    let ours = _mm256_and_si256(own, ray);
    let above = _mm256_rorv_epi64(_mm256_set1_epi64x(1), _mm256_lzcnt_epi64(blockers));
    let above_end = _mm256_and_si256(above, _mm256_add_epi64(ours, ours));
    let down = _mm256_and_si256(_mm256_sub_epi64(zero, above_end), ray);

    _mm256_or_si256(up, down)
}
