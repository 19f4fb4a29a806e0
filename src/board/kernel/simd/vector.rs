//! Vectors of four 64-bit lanes.

use std::arch::x86_64::*;

use crate::board::kernel::tables::STEPS;

/// [`STEPS`], one a lane.
#[inline]
#[target_feature(enable = "avx2")]
pub fn steps() -> __m256i {
    lanes(STEPS.map(u64::from))
}

#[inline]
#[target_feature(enable = "avx2")]
pub fn broadcast(bits: u64) -> __m256i {
    _mm256_set1_epi64x(bits as i64)
}

#[inline]
#[target_feature(enable = "avx2")]
pub fn lanes(values: [u64; 4]) -> __m256i {
    _mm256_set_epi64x(values[3] as i64, values[2] as i64, values[1] as i64, values[0] as i64)
}

#[inline]
#[target_feature(enable = "avx2")]
pub fn or_lanes(lanes: __m256i) -> u64 {
    let halves = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    let whole = _mm_or_si128(halves, _mm_unpackhi_epi64(halves, halves));
    _mm_cvtsi128_si64(whole) as u64
}
