//! Flips with AVX2.

use std::arch::x86_64::*;

use super::super::Square;
use super::super::kernel::RAYS;
use super::{lanes, steps};

/// The discs of `other` that a disc of `own` on the empty `square` turns, for each kind of line.
#[inline]
#[target_feature(enable = "avx2")]
pub fn turned(own: __m256i, other: __m256i, square: Square) -> __m256i {
    let rays = &RAYS[square.index()];
    let zero = _mm256_setzero_si256();
    let ones = _mm256_cmpeq_epi64(zero, zero);

    // Upwards a carry finds the end of the run, as in the portable code.
    let ray = lanes(rays.up);
    let carried = _mm256_sub_epi64(_mm256_or_si256(other, _mm256_xor_si256(ray, ones)), ones);
    let end = _mm256_and_si256(_mm256_and_si256(carried, ray), own);
    let none = _mm256_cmpeq_epi64(end, zero);
    let below = _mm256_sub_epi64(_mm256_add_epi64(end, ones), none);
    let up = _mm256_and_si256(below, ray);

    // Downwards the first blocker's shadow over the rest of the ray does.
    let ray = lanes(rays.down);
    let step = steps();
    let double = _mm256_add_epi64(step, step);
    let mut shadow = _mm256_andnot_si256(other, ray);
    shadow = _mm256_or_si256(shadow, _mm256_srlv_epi64(shadow, step));
    shadow = _mm256_or_si256(shadow, _mm256_srlv_epi64(shadow, double));
    shadow = _mm256_or_si256(shadow, _mm256_srlv_epi64(shadow, _mm256_add_epi64(double, double)));
    let first = _mm256_andnot_si256(_mm256_srlv_epi64(shadow, step), shadow);
    let open_ended = _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_and_si256(first, own), ray), zero);
    let down = _mm256_andnot_si256(open_ended, _mm256_andnot_si256(shadow, ray));

    _mm256_or_si256(up, down)
}
