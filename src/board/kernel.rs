//! Moves and flips on raw bits: portable code, and the choice between it and the SIMD twin.
//!
//! The choice is made when the program is built. Choosing at run time would make the compiler treat every call from
//! the search as opaque, which costs far more than the vector units give.

use super::{Size, Square};

#[cfg(avx2)]
pub(super) use super::simd::{Lanes, last_gain, stable};
#[cfg(not(avx2))]
pub(super) use portable::{Lanes, last_gain, stable};

/// The name of the kernels this program was built with.
pub const NAME: &str = if cfg!(avx512) {
    "avx512"
} else if cfg!(avx2) {
    "avx2"
} else {
    "portable"
};

/// All squares but those of the first and the last column: discs that a row or a diagonal can run through.
pub(super) const INNER_COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The distances between neighbours on the four kinds of lines: rows, columns and the two diagonals.
pub(super) const STEPS: [u32; 4] = [1, 8, 9, 7];

/// For each square, the four rays towards higher squares and the four towards lower ones, in the order of [`STEPS`].
pub(super) static RAYS: [Rays; 64] = rays();

/// The eight rays from a square, the square itself left out.
#[repr(align(64))]
pub(super) struct Rays {
    pub(super) up: [u64; 4],
    pub(super) down: [u64; 4],
}

const fn rays() -> [Rays; 64] {
    const EMPTY: Rays = Rays { up: [0; 4], down: [0; 4] };
    let mut table = [EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut line = 0;
        while line < 4 {
            // Column and row change per step; 7 runs up the board to the left.
            let (right, down) = [(1, 0), (0, 1), (1, 1), (-1, 1)][line];
            table[square].up[line] = ray(square as i32, right, down);
            table[square].down[line] = ray(square as i32, -right, -down);
            line += 1;
        }
        square += 1;
    }
    table
}

const fn ray(square: i32, right: i32, down: i32) -> u64 {
    let (mut column, mut row, mut bits) = (square % 8 + right, square / 8 + down, 0);
    while column >= 0 && column < 8 && row >= 0 && row < 8 {
        bits |= 1 << (row * 8 + column);
        column += right;
        row += down;
    }
    bits
}

/// Code for every machine, and the yardstick that the SIMD twin is tested against.
#[cfg_attr(avx2, allow(dead_code, reason = "the twin is in use"))]
pub(super) mod portable {
    use std::array;

    use super::super::stability::{AXES, Axis};
    use super::{INNER_COLUMNS, RAYS, STEPS, Size, Square};

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

    /// The discs of `other` that a disc of `own` on the empty `square` turns.
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

    /// The discs of a board, as these kernels take them.
    #[derive(Clone, Copy)]
    pub struct Lanes {
        own: u64,
        other: u64,
    }

    impl Lanes {
        /// These discs.
        #[inline]
        pub fn new(own: u64, other: u64) -> Self {
            Self { own, other }
        }

        /// The same, seen by the other player.
        #[inline]
        pub fn passed(self) -> Self {
            Self { own: self.other, other: self.own }
        }

        /// See [`moves`].
        #[inline]
        pub fn moves(self) -> u64 {
            moves(self.own, self.other)
        }

        /// See [`flips`].
        #[inline]
        pub fn flips(self, square: Square) -> u64 {
            flips(self.own, self.other, square)
        }

        /// The [`flips`] of a move, and what it leads to, seen by the other player.
        #[inline]
        pub fn after(self, square: Square) -> (u64, Self) {
            let flips = self.flips(square);
            (flips, Self { own: self.other & !flips, other: self.own | flips | 1 << square.index() })
        }
    }

    /// How many discs `own` gains by a disc on `square`, the last empty one of the board, or loses if only `other` can place
    /// one there.
    #[inline]
    pub fn last_gain(own: u64, other: u64, square: Square, _size: Size) -> i32 {
        match flips(own, other, square).count_ones() as i32 {
            0 => -(flips(other, own, square).count_ones() as i32),
            turned => turned + 1,
        }
    }

    /// Discs of `own` that will never turn on a board of these squares with these discs; see
    /// [`Board::stable`](super::super::Board::stable).
    #[inline]
    pub fn stable(own: u64, discs: u64, area: u64) -> u64 {
        // What makes a disc safe along each axis: a full line, or the border next to it.
        let lines: [_; STEPS.len()] = array::from_fn(|line| (STEPS[line], &AXES[line]));
        let safe = lines.map(|(step, axis)| {
            full_lines(discs | !area, step, axis) | axis.border | beside(!area, step, axis)
        });
        let mut stable = own & safe[0] & safe[1] & safe[2] & safe[3];
        loop {
            let grown = lines
                .iter()
                .zip(safe)
                .fold(own, |grown, (&(step, axis), safe)| grown & (safe | beside(stable, step, axis)));
            if grown == stable {
                return stable;
            }
            stable = grown;
        }
    }

    /// The squares whose neighbour along an axis, on either side, is in the set.
    fn beside(set: u64, step: u32, axis: &Axis) -> u64 {
        (set & axis.inner) << step | set >> step & axis.inner
    }

    /// The squares whose whole line along an axis is filled.
    fn full_lines(filled: u64, mut step: u32, axis: &Axis) -> u64 {
        // An empty square spoils its line to both sides: seven steps in three.
        let (mut up, mut down) = (!filled, !filled);
        for [reached_up, reached_down] in axis.reached {
            up |= up << step & reached_up;
            down |= down >> step & reached_down;
            step *= 2;
        }
        !(up | down)
    }
}
