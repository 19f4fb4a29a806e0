//! Stable discs with AVX2.

use std::arch::x86_64::*;
use std::array;

use super::vector::{broadcast, lanes, steps};
use crate::board::kernel::tables::LINE_MASKS;

/// See [`portable::stable`](super::super::portable::stable).
#[inline]
pub fn stable(own: u64, discs: u64, area: u64) -> u64 {
    // SAFETY: this module exists only in builds for processors with AVX2.
    unsafe { stable_avx2(own, discs, area) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn stable_avx2(own: u64, discs: u64, area: u64) -> u64 {
    let inner = lanes(LINE_MASKS.map(|masks| masks.inner));
    let beside = |set: __m256i| {
        let up = _mm256_sllv_epi64(_mm256_and_si256(set, inner), steps());
        _mm256_or_si256(up, _mm256_and_si256(_mm256_srlv_epi64(set, steps()), inner))
    };
    let own = broadcast(own);
    let own_in_all = |lanes: __m256i| {
        let halves = _mm256_and_si256(lanes, _mm256_permute4x64_epi64::<0b01_00_11_10>(lanes));
        _mm256_and_si256(own, _mm256_and_si256(halves, _mm256_shuffle_epi32::<0b01_00_11_10>(halves)))
    };

    let border = _mm256_or_si256(lanes(LINE_MASKS.map(|masks| masks.border)), beside(broadcast(!area)));
    let safe = _mm256_or_si256(full_lines(broadcast(!discs & area)), border);
    let mut stable = own_in_all(safe);
    loop {
        let grown = own_in_all(_mm256_or_si256(safe, beside(stable)));
        // It never shrinks.
        if _mm256_testc_si256(stable, grown) == 1 {
            return _mm_cvtsi128_si64(_mm256_castsi256_si128(stable)) as u64;
        }
        stable = grown;
    }
}

/// Squares whose whole line is filled, by line.
#[inline]
#[target_feature(enable = "avx2")]
fn full_lines(empty: __m256i) -> __m256i {
    let (mut up, mut down, mut step) = (empty, empty, steps());
    for doubling in 0..3 {
        let [reached_up, reached_down] =
            array::from_fn(|way| lanes(LINE_MASKS.map(|masks| masks.reached[doubling][way])));
        up = _mm256_or_si256(up, _mm256_and_si256(_mm256_sllv_epi64(up, step), reached_up));
        down = _mm256_or_si256(down, _mm256_and_si256(_mm256_srlv_epi64(down, step), reached_down));
        step = _mm256_add_epi64(step, step);
    }
    _mm256_andnot_si256(_mm256_or_si256(up, down), broadcast(u64::MAX))
}
