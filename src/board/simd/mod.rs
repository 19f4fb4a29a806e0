//! The twins of the portable kernels for processors with vector units. Compiled only into builds for such processors,
//! so that calling a function that needs them is safe.
#![allow(
    unsafe_code,
    reason = "calling a function that needs certain processor features is the one unsafe step"
)]

#[cfg_attr(avx512, allow(dead_code, reason = "its flips are for processors without AVX-512"))]
pub mod avx2;
#[cfg(avx512)]
pub mod avx512;
pub mod bmi2;

use std::arch::x86_64::*;

#[inline]
#[target_feature(enable = "avx2")]
fn lanes(values: [u64; 4]) -> __m256i {
    _mm256_set_epi64x(values[3] as i64, values[2] as i64, values[1] as i64, values[0] as i64)
}

#[inline]
#[target_feature(enable = "avx2")]
fn union(lanes: __m256i) -> u64 {
    let halves = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    let whole = _mm_or_si128(halves, _mm_unpackhi_epi64(halves, halves));
    _mm_cvtsi128_si64(whole) as u64
}
