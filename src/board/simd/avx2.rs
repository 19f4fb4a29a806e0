//! Moves and flips with AVX2: one lane for each kind of line.

use std::arch::x86_64::*;

use super::super::Square;
use super::super::kernel::{INNER_COLUMNS, RAYS};
use super::{lanes, union};

/// See [`portable::moves`](super::super::kernel::portable::moves).
#[inline]
pub fn moves(own: u64, other: u64) -> u64 {
    // SAFETY: this module exists only in builds for processors with AVX2.
    unsafe { moves_avx2(own, other) }
}

/// See [`portable::flips`](super::super::kernel::portable::flips).
#[inline]
pub fn flips(own: u64, other: u64, square: Square) -> u64 {
    // SAFETY: as above.
    unsafe { flips_avx2(own, other, square) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn moves_avx2(own: u64, other: u64) -> u64 {
    let step = _mm256_set_epi64x(7, 9, 8, 1);
    let double = _mm256_add_epi64(step, step);
    let inner = (other & INNER_COLUMNS) as i64;
    let through = _mm256_set_epi64x(inner, inner, other as i64, inner);
    let own = _mm256_set1_epi64x(own as i64);

    let mut up = _mm256_and_si256(through, _mm256_sllv_epi64(own, step));
    let mut down = _mm256_and_si256(through, _mm256_srlv_epi64(own, step));
    up = _mm256_or_si256(up, _mm256_and_si256(through, _mm256_sllv_epi64(up, step)));
    down = _mm256_or_si256(down, _mm256_and_si256(through, _mm256_srlv_epi64(down, step)));
    let pairs_up = _mm256_and_si256(through, _mm256_sllv_epi64(through, step));
    let pairs_down = _mm256_srlv_epi64(pairs_up, step);
    for _ in 0..2 {
        up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, double)));
        down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, double)));
    }
    union(_mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn flips_avx2(own: u64, other: u64, square: Square) -> u64 {
    let rays = &RAYS[square.index()];
    let own = _mm256_set1_epi64x(own as i64);
    let other = _mm256_set1_epi64x(other as i64);
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
    let step = _mm256_set_epi64x(7, 9, 8, 1);
    let double = _mm256_add_epi64(step, step);
    let mut shadow = _mm256_andnot_si256(other, ray);
    shadow = _mm256_or_si256(shadow, _mm256_srlv_epi64(shadow, step));
    shadow = _mm256_or_si256(shadow, _mm256_srlv_epi64(shadow, double));
    shadow = _mm256_or_si256(shadow, _mm256_srlv_epi64(shadow, _mm256_add_epi64(double, double)));
    let first = _mm256_andnot_si256(_mm256_srlv_epi64(shadow, step), shadow);
    let open_ended = _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_and_si256(first, own), ray), zero);
    let down = _mm256_andnot_si256(open_ended, _mm256_andnot_si256(shadow, ray));

    union(_mm256_or_si256(up, down))
}
