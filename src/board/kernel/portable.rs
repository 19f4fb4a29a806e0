//! Kernels for every processor; the SIMD twins are tested against them.

use std::array;

use super::tables::{INNER_COLUMNS, LINE_MASKS, LineMasks, RAYS, STEPS};
use crate::board::size::Size;
use crate::board::square::Square;

/// All squares, occupied ones too, from which a disc would bracket discs of `other` against one of `own`.
#[inline]
pub fn moves(own: u64, other: u64) -> u64 {
    let mut found = 0;
    for (line, step) in STEPS.into_iter().enumerate() {
        let through = if line == 1 { other } else { other & INNER_COLUMNS };
        let mut up = through & own << step;
        let mut down = through & own >> step;
        up |= through & up << step;
        down |= through & down >> step;
        // Pairs of discs to run through: the remaining four steps in two.
        let pairs_up = through & through << step;
        let pairs_down = through & through >> step;
        for _ in 0..2 {
            up |= pairs_up & up << (2 * step);
            down |= pairs_down & down >> (2 * step);
        }
        found |= up << step | down >> step;
    }
    found
}

/// The discs of `other` that a disc of `own` on the empty `square` flips.
#[inline]
pub fn flips(own: u64, other: u64, square: Square) -> u64 {
    let rays = &RAYS[square.index()];
    let mut flipped = 0;
    for ray in rays.up {
        // The carry runs through everything off the ray and through the other's discs on it.
        let end = (other | !ray).wrapping_add(1) & ray & own;
        flipped |= end.wrapping_sub(u64::from(end != 0)) & ray;
    }
    for ray in rays.down {
        let blockers = ray & !other;
        let first = (1 << 63_u64) >> (blockers.leading_zeros() & 63) & blockers;
        let end = first & own;
        flipped |= (end << 1).wrapping_neg() & ray;
    }
    flipped
}

/// A board in the form that the kernels take.
#[derive(Clone, Copy)]
pub struct KernelBoard {
    own: u64,
    other: u64,
}

impl KernelBoard {
    #[inline]
    pub fn new(own: u64, other: u64) -> Self {
        Self { own, other }
    }

    #[inline]
    pub fn passed(self) -> Self {
        Self { own: self.other, other: self.own }
    }

    #[inline]
    pub fn moves(self) -> u64 {
        moves(self.own, self.other)
    }

    #[inline]
    pub fn flips(self, square: Square) -> u64 {
        flips(self.own, self.other, square)
    }

    /// The flips of a move, and the board after it, seen by the other player.
    #[inline]
    pub fn after(self, square: Square) -> (u64, Self) {
        let flips = self.flips(square);
        (flips, Self { own: self.other & !flips, other: self.own | flips | 1 << square.index() })
    }
}

/// How many discs `own` gains by a disc on `square`, the last empty one of the board, or loses if only `other` can move
/// there.
#[inline]
pub fn last_gain(own: u64, other: u64, square: Square, _size: Size) -> i32 {
    match flips(own, other, square).count_ones() as i32 {
        0 => -(flips(other, own, square).count_ones() as i32),
        flipped => flipped + 1,
    }
}

/// See [`Board::stable`](crate::board::Board::stable).
#[inline]
pub fn stable(own: u64, discs: u64, area: u64) -> u64 {
    // A disc is safe along a line that is full, and next to the border.
    let lines: [_; STEPS.len()] = array::from_fn(|line| (STEPS[line], &LINE_MASKS[line]));
    let safe = lines.map(|(step, masks)| {
        full_lines(discs | !area, step, masks) | masks.border | beside(!area, step, masks)
    });
    let mut stable = own & safe[0] & safe[1] & safe[2] & safe[3];
    loop {
        let grown = lines
            .iter()
            .zip(safe)
            .fold(own, |grown, (&(step, masks), safe)| grown & (safe | beside(stable, step, masks)));
        if grown == stable {
            return stable;
        }
        stable = grown;
    }
}

/// Squares with a neighbour on the line in the set.
fn beside(set: u64, step: u32, masks: &LineMasks) -> u64 {
    (set & masks.inner) << step | set >> step & masks.inner
}

/// Squares whose whole line is filled.
fn full_lines(filled: u64, mut step: u32, masks: &LineMasks) -> u64 {
    // An empty square spoils its line to both sides: seven steps in three.
    let (mut up, mut down) = (!filled, !filled);
    for [reached_up, reached_down] in masks.reached {
        up |= up << step & reached_up;
        down |= down >> step & reached_down;
        step *= 2;
    }
    !(up | down)
}
