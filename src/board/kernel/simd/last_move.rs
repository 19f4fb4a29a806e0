//! The gain of the last move, by looking up the four lines through its square.

use std::arch::x86_64::_pext_u64;

use crate::board::kernel::tables::RAYS;
use crate::board::size::Size;
use crate::board::square::Square;

/// See [`portable::last_gain`](super::super::portable::last_gain).
#[inline]
pub fn last_gain(own: u64, _other: u64, square: Square, size: Size) -> i32 {
    // SAFETY: this module exists only in builds for processors with BMI2.
    unsafe { last_gain_bmi2(own, square, size) }
}

#[inline]
#[target_feature(enable = "bmi2")]
fn last_gain_bmi2(own: u64, square: Square, size: Size) -> i32 {
    let SquareLines { masks, counts } = &LINES[size as usize][square.index()];
    let mut both = 0;
    for (&mask, counts) in masks.iter().zip(counts) {
        both += counts[usize::from(_pext_u64(own, mask) as u8)];
    }
    i32::from(GAINS[usize::from(both) % GAINS.len()])
}

/// The four lines through a square, and the flip counts of each by its discs: one cache line.
struct SquareLines {
    masks: [u64; 4],
    counts: [&'static FlipCounts; 4],
}

/// Flip counts by the own discs of a line. Lines shorter than eight squares use only the first ones.
type FlipCounts = [u16; 1 << 8];

static LINES: [[SquareLines; 64]; Size::ALL.len()] = lines();

const fn lines() -> [[SquareLines; 64]; Size::ALL.len()] {
    const EMPTY: SquareLines = SquareLines { masks: [0; 4], counts: [counts_of(1, 0); 4] };
    const NO_BOARD: [SquareLines; 64] = [EMPTY; 64];
    let mut table = [NO_BOARD; Size::ALL.len()];
    let mut board = 0;
    while board < table.len() {
        let area = Size::ALL[board].squares().0;
        let mut square = 0;
        while square < 64 {
            let mut line = 0;
            while line < 4 {
                let (up, down) = (RAYS[square].up[line] & area, RAYS[square].down[line] & area);
                let (above, below) = (up.count_ones(), down.count_ones());
                table[board][square].masks[line] = up | down | 1 << square;
                table[board][square].counts[line] = counts_of(below + 1 + above, below);
                line += 1;
            }
            square += 1;
        }
        board += 1;
    }
    table
}

/// The counts of lines of a length whose last empty square is at a place.
const fn counts_of(length: u32, place: u32) -> &'static FlipCounts {
    COUNTS.split_at(start(length, place)).1.first_chunk().expect("the longest lines come last")
}

/// Where those counts start: after those of shorter lines and lower places.
const fn start(length: u32, place: u32) -> usize {
    let mut start = place as usize * (1 << length);
    let mut shorter = 1;
    while shorter < length {
        start += shorter as usize * (1 << shorter);
        shorter += 1;
    }
    start
}

/// The lines of all lengths, places and discs, rounded up to a power of two.
const CASES: usize = 1 << 12;

/// Bits of a flip count; the sum over all lines fits too.
const COUNT_BITS: u32 = 5;

/// The gain by the flip counts of both sides; a table is faster than a branch.
static GAINS: [i8; 1 << (2 * COUNT_BITS)] = {
    let mut gains = [0; 1 << (2 * COUNT_BITS)];
    let mut both = 0;
    while both < gains.len() {
        let (flipped, taken) = (both % (1 << COUNT_BITS), both >> COUNT_BITS);
        gains[both] = if flipped == 0 { -(taken as i8) } else { flipped as i8 + 1 };
        both += 1;
    }
    gains
};

/// For each line the flips of the player to move, and from bit [`COUNT_BITS`] on those of the opponent.
static COUNTS: [u16; CASES] = counts();

const fn counts() -> [u16; CASES] {
    let mut table = [0; CASES];
    let mut length = 1;
    while length <= 8 {
        let mut place = 0;
        while place < length {
            let mut set = 0;
            while set < 1 << length {
                let rest = ((1 << length) - 1) & !set & !(1 << place);
                table[start(length, place) + set] = flipped(set, place) | flipped(rest, place) << COUNT_BITS;
                set += 1;
            }
            place += 1;
        }
        length += 1;
    }
    table
}

/// How many discs lie between a place and the nearest of a set, on both sides together.
const fn flipped(set: usize, place: u32) -> u16 {
    let above = set >> place >> 1;
    let up = if above == 0 { 0 } else { above.trailing_zeros() };
    let below = set & ((1 << place) - 1);
    let down = if below == 0 { 0 } else { place - 1 - below.ilog2() };
    (up + down) as u16
}
