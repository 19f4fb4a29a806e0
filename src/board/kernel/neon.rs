//! The NEON twins of the portable kernels. Compiled only for processors that have it, so that calling them is safe.
//!
//! One lane of a vector holds the bits of a board, the other one the same bits in reverse. Whatever runs towards higher
//! squares in the second lane runs towards lower ones on the board, so that one step serves both ways along a line, and
//! 64-bit lanes need no count of leading zeros, which NEON does not have.
#![allow(unsafe_code, reason = "calling a function that needs certain processor features is unsafe")]

use std::arch::aarch64::*;

use super::tables::{INNER_COLUMNS, RAYS, STEPS};
use crate::board::square::Square;

/// See [`portable::KernelBoard`](super::portable::KernelBoard). The board after a move never leaves the vector registers.
#[derive(Clone, Copy)]
pub struct KernelBoard {
    own: uint64x2_t,
    other: uint64x2_t,
}

impl KernelBoard {
    #[inline(always)]
    pub fn new(own: u64, other: u64) -> Self {
        // SAFETY: this module exists only in builds for processors with NEON.
        unsafe { Self { own: both_ways(own), other: both_ways(other) } }
    }

    #[inline(always)]
    pub fn passed(self) -> Self {
        Self { own: self.other, other: self.own }
    }

    #[inline(always)]
    pub fn moves(self) -> u64 {
        // SAFETY: as above.
        unsafe { forwards(moves(self.own, self.other)) }
    }

    #[inline(always)]
    pub fn flips(self, square: Square) -> u64 {
        // SAFETY: as above.
        unsafe { forwards(flips(self.own, self.other, square)) }
    }

    #[inline(always)]
    pub fn after(self, square: Square) -> (u64, Self) {
        // SAFETY: as above.
        unsafe {
            let flips = flips(self.own, self.other, square);
            let placed = vorrq_u64(self.own, both_ways(1 << square.index()));
            let next = Self { own: vbicq_u64(self.other, flips), other: vorrq_u64(placed, flips) };
            (forwards(flips), next)
        }
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn lanes(bits: [u64; 2]) -> uint64x2_t {
    vcombine_u64(vcreate_u64(bits[0]), vcreate_u64(bits[1]))
}

#[inline]
#[target_feature(enable = "neon")]
fn both_ways(bits: u64) -> uint64x2_t {
    lanes([bits, bits.reverse_bits()])
}

#[inline]
#[target_feature(enable = "neon")]
fn forwards(bits: uint64x2_t) -> u64 {
    vgetq_lane_u64::<0>(bits)
}

/// What either lane has found, in both.
#[inline]
#[target_feature(enable = "neon")]
fn merge(found: uint64x2_t) -> uint64x2_t {
    let reversed = vreinterpretq_u64_u8(vrev64q_u8(vrbitq_u8(vreinterpretq_u8_u64(found))));
    vorrq_u64(found, vextq_u64::<1>(reversed, reversed))
}

/// See [`portable::moves`](super::portable::moves).
#[inline]
#[target_feature(enable = "neon")]
fn moves(own: uint64x2_t, other: uint64x2_t) -> uint64x2_t {
    let inner = vandq_u64(other, vdupq_n_u64(INNER_COLUMNS));
    let rows = ends::<{ STEPS[0] as i32 }, { 2 * STEPS[0] as i32 }>(own, inner);
    let columns = ends::<{ STEPS[1] as i32 }, { 2 * STEPS[1] as i32 }>(own, other);
    let falling = ends::<{ STEPS[2] as i32 }, { 2 * STEPS[2] as i32 }>(own, inner);
    let rising = ends::<{ STEPS[3] as i32 }, { 2 * STEPS[3] as i32 }>(own, inner);
    merge(vorrq_u64(vorrq_u64(rows, columns), vorrq_u64(falling, rising)))
}

/// The squares beyond runs through discs that begin next to `own`.
#[inline]
#[target_feature(enable = "neon")]
fn ends<const STEP: i32, const DOUBLE: i32>(own: uint64x2_t, through: uint64x2_t) -> uint64x2_t {
    let mut run = vandq_u64(through, vshlq_n_u64::<STEP>(own));
    run = vorrq_u64(run, vandq_u64(through, vshlq_n_u64::<STEP>(run)));
    let pairs = vandq_u64(through, vshlq_n_u64::<STEP>(through));
    run = vorrq_u64(run, vandq_u64(pairs, vshlq_n_u64::<DOUBLE>(run)));
    run = vorrq_u64(run, vandq_u64(pairs, vshlq_n_u64::<DOUBLE>(run)));
    vshlq_n_u64::<STEP>(run)
}

/// See [`portable::flips`](super::portable::flips).
#[inline]
#[target_feature(enable = "neon")]
fn flips(own: uint64x2_t, other: uint64x2_t, square: Square) -> uint64x2_t {
    let mut flipped = vdupq_n_u64(0);
    for ray in RAYS_BOTH_WAYS[square.index()].0 {
        let ray = lanes(ray);
        // The lowest blocker ends the run. If it is ours, what lies below it flips.
        let blockers = vbicq_u64(ray, other);
        let below = vsubq_u64(blockers, vdupq_n_u64(1));
        let end = vandq_u64(vbicq_u64(blockers, below), own);
        let run = vbicq_u64(vandq_u64(below, ray), blockers);
        flipped = vorrq_u64(flipped, vandq_u64(run, vtstq_u64(end, end)));
    }
    merge(flipped)
}

/// For each square and each of [`STEPS`] the ray towards higher squares, and in reverse the one towards lower squares.
static RAYS_BOTH_WAYS: [RaysBothWays; 64] = {
    const NONE: RaysBothWays = RaysBothWays([[0; 2]; STEPS.len()]);
    let mut table = [NONE; 64];
    let mut square = 0;
    while square < table.len() {
        let mut line = 0;
        while line < STEPS.len() {
            let (up, down) = (RAYS[square].up[line], RAYS[square].down[line]);
            table[square].0[line] = [up, down.reverse_bits()];
            line += 1;
        }
        square += 1;
    }
    table
};

#[repr(align(64))]
struct RaysBothWays([[u64; 2]; STEPS.len()]);
