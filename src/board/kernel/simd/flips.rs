//! The discs that a move flips, by line.
//!
//! Vectors of 256 bits: wider ones would idle one of the three vector units. The search waits for one flip after another,
//! so this code has the shortest dependency chain, not the fewest instructions; lane masks would cost three cycles each.

use std::arch::x86_64::*;

use super::vector::{lanes, steps};
use crate::board::kernel::tables::RAYS;
use crate::board::square::Square;

#[cfg(avx512)]
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512cd,avx2")]
pub fn flips_avx512(own: __m256i, other: __m256i, square: Square) -> __m256i {
    let rays = &RAYS[square.index()];
    let zero = _mm256_setzero_si256();

    // Upwards the lowest blocker ends the run. If it is ours, what lies below it flips; else the sign mask is zero.
    let ray = lanes(rays.up);
    let blockers = _mm256_andnot_si256(other, ray);
    let end = _mm256_and_si256(_mm256_and_si256(blockers, _mm256_sub_epi64(zero, blockers)), own);
    let from_end = _mm256_sub_epi64(zero, end);
    let up = _mm256_andnot_si256(from_end, _mm256_and_si256(_mm256_srai_epi64::<63>(from_end), ray));

    // Downwards the highest blocker ends the run, and what lies above it flips. All is shifted up by one, so that without
    // a blocker the rotation by 64 gives a bit that is none of ours.
    let ray = lanes(rays.down);
    let blockers = _mm256_andnot_si256(other, ray);
    let ours = _mm256_and_si256(own, ray);
    let above = _mm256_rorv_epi64(_mm256_set1_epi64x(1), _mm256_lzcnt_epi64(blockers));
    let above_end = _mm256_and_si256(above, _mm256_add_epi64(ours, ours));
    let down = _mm256_and_si256(_mm256_sub_epi64(zero, above_end), ray);

    _mm256_or_si256(up, down)
}

#[cfg_attr(avx512, allow(dead_code, reason = "for processors without AVX-512"))]
#[inline]
#[target_feature(enable = "avx2")]
pub fn flips_avx2(own: __m256i, other: __m256i, square: Square) -> __m256i {
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

    // Downwards the first blocker is smeared over the rest of the ray.
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
