//! The SIMD twins of the portable kernels. Compiled only for processors that have the features, so that calling them is
//! safe.
#![allow(unsafe_code, reason = "calling a function that needs certain processor features is unsafe")]

use std::arch::x86_64::*;

use bytemuck::cast;

use crate::board::{Bitboard, Square};
use crate::eval::pattern::{PatternIndices, SQUARE_DELTAS};

#[cfg(avx512)]
use {
    super::{BIASES, Entry, LANES, ROW_INSTANCES, ROW_LOOKUPS, ROW_UNITS, Row, StageOutput},
    crate::eval::rows::MAX_STAGES,
    std::hint::black_box,
    std::mem::offset_of,
    std::sync::atomic::{AtomicU8, Ordering::Relaxed},
};

type Vectors = [__m256i; 3];

/// See [`portable::update_indices`](super::portable::update_indices).
#[inline]
pub fn update_indices(indices: &PatternIndices, square: Square, flips: Bitboard) -> PatternIndices {
    // SAFETY: this module exists only in builds for processors with AVX2.
    unsafe { update_indices_avx2(indices, square, flips) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn update_indices_avx2(indices: &PatternIndices, square: Square, flips: Bitboard) -> PatternIndices {
    let mut flipped = [_mm256_setzero_si256(); 3];
    for flip in flips {
        let deltas: Vectors = cast(SQUARE_DELTAS[flip.index()].0);
        for (sum, delta) in flipped.iter_mut().zip(deltas) {
            *sum = _mm256_add_epi16(*sum, delta);
        }
    }
    let (indices, placed): (Vectors, Vectors) = (cast(indices.0), cast(SQUARE_DELTAS[square.index()].0));
    let mut after = flipped;
    for part in 0..3 {
        let sum = _mm256_add_epi16(indices[part], placed[part]);
        let sum = _mm256_add_epi16(sum, _mm256_slli_epi16::<1>(flipped[part]));
        after[part] = _mm256_sub_epi16(_mm256_setzero_si256(), sum);
    }
    PatternIndices(cast(after))
}

/// See [`portable::sum_entries`](super::portable::sum_entries).
#[cfg(avx512)]
#[inline]
pub fn sum_entries(
    entries: &[Entry],
    stage: usize,
    indices: &PatternIndices,
    moves: [&Row; 2],
    output: &StageOutput,
) -> (i32, i32) {
    // SAFETY: only in builds for processors with AVX-512.
    unsafe { sum_entries_avx512(entries, stage, indices, moves, output) }
}

/// Adds two rows as bytes, which cannot overflow, before it widens them. Without a loop and without a check of each
/// lookup: both take as long as the lookups.
#[cfg(avx512)]
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn sum_entries_avx512(
    entries: &[Entry],
    stage: usize,
    indices: &PatternIndices,
    moves: [&Row; 2],
    output: &StageOutput,
) -> (i32, i32) {
    assert!(stage < MAX_STAGES);
    let offsets = offsets(entries, indices);
    let rows = entries.as_ptr().cast::<u8>();
    let weights = rows.wrapping_add(offset_of!(Entry, weights) + stage).cast::<AtomicU8>();
    let of_moves = _mm256_add_epi8(cast(*moves[0]), cast(*moves[1]));
    let mut sums = _mm512_add_epi16(cast(output.bias), _mm512_cvtepi8_epi16(of_moves));
    let mut sum = 0;
    macro_rules! add_pairs {
        ($($pair:literal)*) => {
            const { assert!(2 * [$($pair),*].len() == ROW_INSTANCES, "all of them") };
            $(
                let one = offsets[ROW_LOOKUPS[2 * $pair].lane] as usize;
                let other = offsets[ROW_LOOKUPS[2 * $pair + 1].lane] as usize;
                // SAFETY: `offsets` has checked that there are entries at those of lanes with rows. A row is at the
                // start of its entry, which is aligned to 64 bytes, and a weight of each stage is in it.
                let (one_row, other_row, one_weight, other_weight) = unsafe {
                    (
                        _mm256_load_si256(rows.add(one).cast()),
                        _mm256_load_si256(rows.add(other).cast()),
                        (*weights.add(one)).load(Relaxed),
                        (*weights.add(other)).load(Relaxed),
                    )
                };
                let pair = _mm512_cvtepi8_epi16(_mm256_add_epi8(one_row, other_row));
                sums = _mm512_add_epi16(sums, pair);
                sum += i32::from(one_weight) + i32::from(other_weight);
            )*
        };
    }
    add_pairs!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18);
    let cut_off = _mm512_max_epi16(sums, _mm512_setzero_si512());
    let cut_off = _mm512_min_epi16(cut_off, _mm512_set1_epi16(ROW_UNITS));
    let weighed = _mm512_madd_epi16(_mm512_mullo_epi16(cut_off, cut_off), cast(output.weights));
    (sum - BIASES, _mm512_reduce_add_epi32(weighed))
}

/// Where the entries of the instances with rows are, in bytes from the first, by lane. All of them are within the table.
#[cfg(avx512)]
#[inline]
#[target_feature(enable = "avx512f")]
fn offsets(entries: &[Entry], indices: &PatternIndices) -> [u32; LANES] {
    const PARTS: usize = LANES / 16;
    const ENTRY_BITS: u32 = size_of::<Entry>().ilog2();
    let (indices, centres): ([__m256i; PARTS], [__m512i; PARTS]) = (cast(indices.0), cast(CENTRES));
    // No more than offsets of 32 bits can reach.
    let count = entries.len().min(1 << (u32::BITS - ENTRY_BITS));
    let count = _mm512_set1_epi32(count as i32);
    let (mut offsets, mut outside) = ([_mm512_setzero_si512(); PARTS], 0);
    for part in 0..PARTS {
        let places = _mm512_add_epi32(centres[part], _mm512_cvtepi16_epi32(indices[part]));
        outside |= _mm512_mask_cmpge_epu32_mask(WITH_ROWS[part], places, count);
        offsets[part] = _mm512_slli_epi32::<ENTRY_BITS>(places);
    }
    assert!(outside == 0, "an index is beyond its table");
    // From memory they take one instruction each, from a vector two or three.
    black_box(cast(offsets))
}

#[cfg(avx512)]
const _: () = assert!(size_of::<Entry>().is_power_of_two(), "offsets are shifted places");

/// Where index 0 of each instance with rows is; 0 for other lanes.
#[cfg(avx512)]
static CENTRES: [i32; LANES] = {
    let mut centres = [0; LANES];
    let mut at = 0;
    while at < ROW_INSTANCES {
        centres[ROW_LOOKUPS[at].lane] = ROW_LOOKUPS[at].centre;
        at += 1;
    }
    centres
};

/// The lanes with rows, a bit each.
#[cfg(avx512)]
const WITH_ROWS: [u16; LANES / 16] = {
    let mut lanes = [0; LANES / 16];
    let mut at = 0;
    while at < ROW_INSTANCES {
        let lane = ROW_LOOKUPS[at].lane;
        lanes[lane / 16] |= 1 << (lane % 16);
        at += 1;
    }
    lanes
};
