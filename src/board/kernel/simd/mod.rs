//! The SIMD twins of the portable kernels. Compiled only for processors that have the features, so that calling them is
//! safe.
//!
//! Each of the four lanes of a vector works on one kind of line, in the order of [`STEPS`](super::tables::STEPS), both
//! ways along it.
#![allow(unsafe_code, reason = "calling a function that needs certain processor features is unsafe")]

mod flips;
#[cfg(not(without_pext))]
mod last_move;
mod stability;
mod vector;

use std::arch::x86_64::*;

use super::tables::INNER_COLUMNS;
use crate::board::square::Square;

#[cfg(not(avx512))]
use flips::flips_avx2 as line_flips;
#[cfg(avx512)]
use flips::flips_avx512 as line_flips;
use vector::{broadcast, or_lanes, steps};

// Processors that take hundreds of cycles for PEXT get builds of their own.
#[cfg(without_pext)]
pub use super::portable::last_gain;
#[cfg(not(without_pext))]
pub use last_move::last_gain;
pub use stability::stable;

/// See [`portable::KernelBoard`](super::portable::KernelBoard). The board after a move never leaves the vector registers.
///
/// Vectors are passed to functions in memory, hence `inline(always)`.
#[derive(Clone, Copy)]
pub struct KernelBoard {
    own: __m256i,
    other: __m256i,
}

impl KernelBoard {
    #[inline(always)]
    pub fn new(own: u64, other: u64) -> Self {
        // SAFETY: this module exists only in builds for processors with AVX2.
        unsafe { Self { own: broadcast(own), other: broadcast(other) } }
    }

    #[inline(always)]
    pub fn passed(self) -> Self {
        Self { own: self.other, other: self.own }
    }

    #[inline(always)]
    pub fn moves(self) -> u64 {
        // SAFETY: as above.
        unsafe { or_lanes(ends(self.own, self.other)) }
    }

    #[inline(always)]
    pub fn flips(self, square: Square) -> u64 {
        // SAFETY: `line_flips` is chosen by the features of the build.
        unsafe { or_lanes(line_flips(self.own, self.other, square)) }
    }

    #[inline(always)]
    pub fn after(self, square: Square) -> (u64, Self) {
        // SAFETY: as above.
        unsafe {
            let lines = line_flips(self.own, self.other, square);
            let halves = _mm256_or_si256(lines, _mm256_permute4x64_epi64::<0b01_00_11_10>(lines));
            let flips = _mm256_or_si256(halves, _mm256_shuffle_epi32::<0b01_00_11_10>(halves));
            let placed = _mm256_or_si256(self.own, broadcast(1 << square.index()));
            let own = _mm256_andnot_si256(flips, self.other);
            let next = Self { own, other: _mm256_or_si256(placed, flips) };
            (_mm_cvtsi128_si64(_mm256_castsi256_si128(flips)) as u64, next)
        }
    }
}

#[cfg(all(test, avx512))]
pub fn flips_by_avx2(own: u64, other: u64, square: Square) -> u64 {
    // SAFETY: this module exists only in builds for processors with AVX2.
    unsafe { or_lanes(flips::flips_avx2(broadcast(own), broadcast(other), square)) }
}

/// The squares beyond runs of `other` that begin next to `own`, by line.
#[inline]
#[target_feature(enable = "avx2")]
fn ends(own: __m256i, other: __m256i) -> __m256i {
    let step = steps();
    let double = _mm256_add_epi64(step, step);
    // A run may not go through squares from which the next step would leave the board. Columns need no mask, but with
    // masks that differ less the compiler does not split the vectors.
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
