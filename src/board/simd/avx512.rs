//! Flips with the vector instructions of AVX-512 that count leading zeros and mask lanes.

use std::arch::x86_64::*;

use super::super::Square;
use super::super::kernel::{INNER_COLUMNS, RAYS};
use super::{lanes, union};

/// See [`portable::flips`](super::super::kernel::portable::flips).
#[inline]
pub fn flips(own: u64, other: u64, square: Square) -> u64 {
    // SAFETY: this module exists only in builds for processors with these parts of AVX-512.
    unsafe { flips_avx512(own, other, square) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512cd,avx2")]
fn flips_avx512(own: u64, other: u64, square: Square) -> u64 {
    let rays = &RAYS[square.index()];
    let own = _mm256_set1_epi64x(own as i64);
    let other = _mm256_set1_epi64x(other as i64);
    let zero = _mm256_setzero_si256();
    let ones = _mm256_set1_epi64x(-1);

    // Upwards the lowest blocker ends the run; what lies below it turns if it is ours.
    let ray = lanes(rays.up);
    let blockers = _mm256_andnot_si256(other, ray);
    let end = _mm256_and_si256(_mm256_and_si256(blockers, _mm256_sub_epi64(zero, blockers)), own);
    let closed = _mm256_test_epi64_mask(end, end);
    let up = _mm256_and_si256(_mm256_maskz_add_epi64(closed, end, ones), ray);

    // Downwards the highest blocker does, and what lies above it.
    let ray = lanes(rays.down);
    let blockers = _mm256_andnot_si256(other, ray);
    let highest = _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), _mm256_lzcnt_epi64(blockers));
    let end = _mm256_and_si256(highest, own);
    let down = _mm256_and_si256(_mm256_sub_epi64(zero, _mm256_add_epi64(end, end)), ray);

    union(_mm256_or_si256(up, down))
}

/// See [`portable::moves`](super::super::kernel::portable::moves).
#[inline]
pub fn moves(own: u64, other: u64) -> u64 {
    // SAFETY: as above.
    unsafe { moves_avx512(own, other) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512cd,avx2")]
fn moves_avx512(own: u64, other: u64) -> u64 {
    // Eight lanes, one for each direction: a step down the board is a rotation by the rest of the word. A run may not go
    // through squares from which the next step would leave the board, so that nothing comes round.
    let step = _mm512_set_epi64(64 - 7, 64 - 9, 64 - 8, 64 - 1, 7, 9, 8, 1);
    let double = _mm512_set_epi64(64 - 14, 64 - 18, 64 - 16, 64 - 2, 14, 18, 16, 2);
    const COLUMNS: i64 = INNER_COLUMNS as i64;
    const ROWS: i64 = 0x00ff_ffff_ffff_ff00;
    const BOTH: i64 = COLUMNS & ROWS;
    let inner = _mm512_set_epi64(BOTH, BOTH, ROWS, COLUMNS, BOTH, BOTH, ROWS, COLUMNS);
    let through = _mm512_and_si512(_mm512_set1_epi64(other as i64), inner);
    let own = _mm512_set1_epi64(own as i64);

    let mut run = _mm512_and_si512(through, _mm512_rolv_epi64(own, step));
    run = _mm512_or_si512(run, _mm512_and_si512(through, _mm512_rolv_epi64(run, step)));
    let pairs = _mm512_and_si512(through, _mm512_rolv_epi64(through, step));
    for _ in 0..2 {
        run = _mm512_or_si512(run, _mm512_and_si512(pairs, _mm512_rolv_epi64(run, double)));
    }
    let ends = _mm512_rolv_epi64(run, step);
    union(_mm256_or_si256(_mm512_castsi512_si256(ends), _mm512_extracti64x4_epi64::<1>(ends)))
}
