//! Counting the flips of the last move by looking up the four lines through its square.

use std::arch::x86_64::_pext_u64;

use super::super::Square;
use super::super::kernel::RAYS;

/// See [`portable::last_flips`](super::super::kernel::portable::last_flips).
#[inline]
pub fn last_flips(own: u64, square: Square) -> u32 {
    // SAFETY: this module exists only in builds for processors with BMI2.
    unsafe { last_flips_bmi2(own, square) }
}

#[inline]
#[target_feature(enable = "bmi2")]
fn last_flips_bmi2(own: u64, square: Square) -> u32 {
    let Lines { masks, places } = &LINES[square.index()];
    let mut count = 0;
    for (&mask, &place) in masks.iter().zip(places) {
        count += u32::from(COUNTS[usize::from(place & 7)][_pext_u64(own, mask) as usize & 0xff]);
    }
    count
}

/// The four lines through a square, and the place of the square on each.
struct Lines {
    masks: [u64; 4],
    places: [u8; 4],
}

static LINES: [Lines; 64] = lines();

const fn lines() -> [Lines; 64] {
    const EMPTY: Lines = Lines { masks: [0; 4], places: [0; 4] };
    let mut table = [EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut line = 0;
        while line < 4 {
            let (up, down) = (RAYS[square].up[line], RAYS[square].down[line]);
            table[square].masks[line] = up | down | 1 << square;
            table[square].places[line] = down.count_ones() as u8;
            line += 1;
        }
        square += 1;
    }
    table
}

/// By the place of the last disc on a line and the own discs there: how many discs turn.
static COUNTS: [[u8; 256]; 8] = counts();

const fn counts() -> [[u8; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut own = 0;
        while own < 256_usize {
            let above = own >> place >> 1;
            let up = if above == 0 { 0 } else { above.trailing_zeros() };
            let below = own & ((1 << place) - 1);
            let down = if below == 0 { 0 } else { place as u32 - 1 - below.ilog2() };
            table[place][own] = (up + down) as u8;
            own += 1;
        }
        place += 1;
    }
    table
}
