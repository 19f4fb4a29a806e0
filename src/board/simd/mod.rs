//! The twins of the portable kernels for processors with vector units. Compiled only into builds for such processors,
//! so that calling a function that needs them is safe.
//!
//! A board fills all four lanes of a vector; each lane works on one kind of line, in the order of
//! [`STEPS`](super::kernel::STEPS), both ways along it.
#![allow(
    unsafe_code,
    reason = "calling a function that needs certain processor features is the one unsafe step"
)]

#[cfg_attr(avx512, allow(dead_code, reason = "its flips are for processors without AVX-512"))]
mod avx2;
#[cfg(avx512)]
mod avx512;
mod bmi2;
mod stability;

use std::arch::x86_64::*;

use super::Square;
use super::kernel::{INNER_COLUMNS, STEPS};

#[cfg(not(avx512))]
use avx2::turned;
#[cfg(avx512)]
use avx512::turned;

pub use bmi2::last_gain;
pub use stability::stable;

/// See [`portable::Lanes`](super::kernel::portable::Lanes). What a move leads to never leaves the vectors.
///
/// Vectors are handed from function to function in memory, hence no calls here that the compiler may leave as such.
#[derive(Clone, Copy)]
pub struct Lanes {
    own: __m256i,
    other: __m256i,
}

impl Lanes {
    /// See [`portable::Lanes::new`](super::kernel::portable::Lanes::new).
    #[inline(always)]
    pub fn new(own: u64, other: u64) -> Self {
        // SAFETY: this module exists only in builds for processors with AVX2.
        unsafe { Self { own: everywhere(own), other: everywhere(other) } }
    }

    /// See [`portable::Lanes::passed`](super::kernel::portable::Lanes::passed).
    #[inline(always)]
    pub fn passed(self) -> Self {
        Self { own: self.other, other: self.own }
    }

    /// See [`portable::moves`](super::kernel::portable::moves).
    #[inline(always)]
    pub fn moves(self) -> u64 {
        // SAFETY: as above.
        unsafe { union(ends(self.own, self.other)) }
    }

    /// See [`portable::flips`](super::kernel::portable::flips).
    #[inline(always)]
    pub fn flips(self, square: Square) -> u64 {
        // SAFETY: the module that `turned` comes from exists only in builds for processors with what it needs.
        unsafe { union(turned(self.own, self.other, square)) }
    }

    /// See [`portable::Lanes::after`](super::kernel::portable::Lanes::after).
    #[inline(always)]
    pub fn after(self, square: Square) -> (u64, Self) {
        // SAFETY: as above.
        unsafe {
            let lines = turned(self.own, self.other, square);
            let halves = _mm256_or_si256(lines, _mm256_permute4x64_epi64::<0b01_00_11_10>(lines));
            let flips = _mm256_or_si256(halves, _mm256_shuffle_epi32::<0b01_00_11_10>(halves));
            let placed = _mm256_or_si256(self.own, everywhere(1 << square.index()));
            let own = _mm256_andnot_si256(flips, self.other);
            let next = Self { own, other: _mm256_or_si256(placed, flips) };
            (_mm_cvtsi128_si64(_mm256_castsi256_si128(flips)) as u64, next)
        }
    }
}

/// The flips that processors without AVX-512 would find.
#[cfg(all(test, avx512))]
pub fn flips_by_avx2(own: u64, other: u64, square: Square) -> u64 {
    // SAFETY: this module exists only in builds for processors with AVX2.
    unsafe { union(avx2::turned(everywhere(own), everywhere(other), square)) }
}

/// The squares beyond runs of `other` that begin beside `own`, for each kind of line.
#[inline]
#[target_feature(enable = "avx2")]
fn ends(own: __m256i, other: __m256i) -> __m256i {
    let step = steps();
    let double = _mm256_add_epi64(step, step);
    // A run may not go through squares from which the next step would leave the board. Columns need no such care, but
    // with masks that differ less the compiler leaves the vectors alone.
    const COLUMNS: i64 = INNER_COLUMNS as i64;
    const ROWS: i64 = 0x00ff_ffff_ffff_ff00;
    const BOTH: i64 = COLUMNS & ROWS;
    let through = _mm256_and_si256(other, _mm256_set_epi64x(BOTH, BOTH, ROWS, COLUMNS));

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
    _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step))
}

/// The distances between neighbours on each kind of line.
#[inline]
#[target_feature(enable = "avx2")]
fn steps() -> __m256i {
    lanes(STEPS.map(u64::from))
}

#[inline]
#[target_feature(enable = "avx2")]
fn everywhere(bits: u64) -> __m256i {
    _mm256_set1_epi64x(bits as i64)
}

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
