//! Bands of empty squares: each has a model of its own.

use std::ops::RangeInclusive;

pub(super) use crate::search::{BANDS, END_BANDS};

/// How many numbers of empty squares are in each.
pub const WIDTH: u32 = 4;

/// The least in the first: from here on down a search sees the end of the game.
pub const FEWEST: u32 = 9;

/// The empty squares of a band.
#[must_use]
pub const fn empties(band: usize) -> RangeInclusive<u32> {
    let first = FEWEST + WIDTH * band as u32;
    first..=first + WIDTH - 1
}

/// What a band is called.
#[must_use]
pub fn name(band: usize) -> String {
    let empties = empties(band);
    format!("{}-{}", empties.start(), empties.end())
}

/// The numbers of discs of all bands.
#[must_use]
pub const fn discs() -> RangeInclusive<u32> {
    64 - *empties(BANDS - 1).end()..=64 - FEWEST
}

/// The band of a number of empty squares, unless there are too few of them.
#[must_use]
pub fn band(empties: u32) -> Option<usize> {
    let band = (empties.checked_sub(FEWEST)? / WIDTH) as usize;
    (band < BANDS).then_some(band)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_empty_squares_has_its_band() {
        assert_eq!((empties(0), empties(BANDS - 1)), (9..=12, 57..=60));
        assert_eq!((empties(END_BANDS - 1), name(END_BANDS - 1)), (21..=24, "21-24".to_owned()));
        assert_eq!(discs(), 4..=55);
        for number in 0..=64 {
            let holding: Vec<_> = (0..BANDS).filter(|&band| empties(band).contains(&number)).collect();
            assert_eq!(band(number).into_iter().collect::<Vec<_>>(), holding, "{number}");
        }
        assert_eq!(
            (band(8), band(12), band(13), band(60), band(61)),
            (None, Some(0), Some(1), Some(12), None)
        );
    }
}
