//! What the last move brings, by looking up the four lines through its square.

use std::arch::x86_64::_pext_u64;

use super::super::kernel::RAYS;
use super::super::{Size, Square};

/// See [`portable::last_gain`](super::super::kernel::portable::last_gain).
#[inline]
pub fn last_gain(own: u64, _other: u64, square: Square, size: Size) -> i32 {
    // SAFETY: this module exists only in builds for processors with BMI2.
    unsafe { last_gain_bmi2(own, square, size) }
}

#[inline]
#[target_feature(enable = "bmi2")]
fn last_gain_bmi2(own: u64, square: Square, size: Size) -> i32 {
    let Lines { masks, counts } = &LINES[size as usize][square.index()];
    let mut both = 0;
    for (&mask, counts) in masks.iter().zip(counts) {
        both += counts[usize::from(_pext_u64(own, mask) as u8)];
    }
    i32::from(GAINS[usize::from(both) % GAINS.len()])
}

/// The four lines through a square on a board, and the counts of each by its discs: a cache line in all, and the counts
/// are found without a sum.
struct Lines {
    masks: [u64; 4],
    counts: [&'static Counts; 4],
}

/// Counts for all sets of eight discs. Shorter lines need only the first ones.
type Counts = [u16; 1 << 8];

static LINES: [[Lines; 64]; Size::ALL.len()] = lines();

const fn lines() -> [[Lines; 64]; Size::ALL.len()] {
    const EMPTY: Lines = Lines { masks: [0; 4], counts: [counts_of(1, 0); 4] };
    const NO_BOARD: [Lines; 64] = [EMPTY; 64];
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

/// The counts of lines of a length with the last square at a place.
const fn counts_of(length: u32, place: u32) -> &'static Counts {
    COUNTS.split_at(start(length, place)).1.first_chunk().expect("the longest lines come last")
}

/// Where the counts of lines of a length with the last square at a place begin: behind those of shorter lines and of the
/// places before.
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

/// The bits of a number of discs that turn. On all lines together there are fewer.
const COUNT_BITS: u32 = 5;

/// What is gained by the numbers of discs that own and other discs on the last square turn, looked up like all else here:
/// choosing takes longer.
static GAINS: [i8; 1 << (2 * COUNT_BITS)] = {
    let mut gains = [0; 1 << (2 * COUNT_BITS)];
    let mut both = 0;
    while both < gains.len() {
        let (turned, taken) = (both % (1 << COUNT_BITS), both >> COUNT_BITS);
        gains[both] = if turned == 0 { -(taken as i8) } else { turned as i8 + 1 };
        both += 1;
    }
    gains
};

/// How many discs turn on a line that is filled by a last disc: if the disc belongs to the set of discs that is looked up,
/// and above that if it belongs to the rest.
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
                table[start(length, place) + set] = turned(set, place) | turned(rest, place) << COUNT_BITS;
                set += 1;
            }
            place += 1;
        }
        length += 1;
    }
    table
}

/// How many discs lie between a place and the nearest of a set on either side, if there is any.
const fn turned(set: usize, place: u32) -> u16 {
    let above = set >> place >> 1;
    let up = if above == 0 { 0 } else { above.trailing_zeros() };
    let below = set & ((1 << place) - 1);
    let down = if below == 0 { 0 } else { place - 1 - below.ilog2() };
    (up + down) as u16
}
