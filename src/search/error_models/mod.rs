//! Error models of ProbCut: how far shallow searches miss deep ones, for each evaluation and rule set.

mod hand_made;
mod learned;

use crate::eval::Evaluator;
use crate::rules::Rules;

/// Predictions of one search, cheapest first: by the static value and by the two [`check_depths`].
pub const PREDICTIONS: usize = 3;

/// Deeper searches have the errors of this depth.
pub const DEPTHS: usize = 30;

/// The depths of the two searches by which ProbCut may predict one of depth `deep`: about a quarter and about half of
/// it, of the same parity, since values of even and odd depths differ. 0 where there is no search, but the static value.
#[must_use]
pub const fn check_depths(deep: u8) -> [u8; 2] {
    let parity = deep & 1;
    match deep {
        0..=2 => [0, 0],
        3..=6 => [0, deep / 4 * 2 + parity],
        _ => [deep / 8 * 2 + parity, deep / 4 * 2 + parity],
    }
}

/// Mean and standard deviation of deep minus predicted for each prediction, in hundredths of a disc, by depth from 1 on.
pub type MidgameErrors = [[[i16; 2]; PREDICTIONS]; DEPTHS];

/// Checks of the final score have depths from 0, the static value, to one less than this; deeper ones have the errors
/// of the last.
pub const END_CHECKS: usize = 13;

/// Mean and standard deviation of result minus predicted for even and for odd numbers of empty squares, in hundredths of
/// a disc, by the depth of the check from 0 on.
pub type EndgameErrors = [[[i16; 2]; 2]; END_CHECKS];

/// Bands of four empty squares, beginning with 9 to 12.
pub const BANDS: usize = 13;

/// The first band with endgame errors, 13 to 16 empty squares: with fewer the end is not predicted.
pub const FIRST_END_BAND: usize = 1;

/// How many bands have endgame errors: solving others takes too long to measure them.
pub const END_BANDS: usize = 3;

/// By band of empty squares.
#[derive(Debug)]
pub(crate) struct ErrorModels {
    /// The command that fitted them.
    #[cfg_attr(not(feature = "training"), allow(dead_code, reason = "for the next fit"))]
    pub(crate) made_by: &'static str,
    pub(crate) midgame: [MidgameErrors; BANDS],
    /// From [`FIRST_END_BAND`] on.
    pub(crate) endgame: [EndgameErrors; END_BANDS],
}

/// In discs.
#[derive(Clone, Copy, Debug)]
pub(super) struct ErrorEstimate {
    pub(super) mean: f32,
    pub(super) sigma: f32,
}

impl ErrorEstimate {
    fn from_hundredths([mean, sigma]: [i16; 2]) -> Self {
        Self { mean: f32::from(mean) / 100.0, sigma: f32::from(sigma) / 100.0 }
    }
}

impl ErrorModels {
    /// All learned evaluations share their models.
    pub(crate) fn of(evaluator: &Evaluator) -> &'static Self {
        match (evaluator.rules(), evaluator.is_trained()) {
            (Rules::Reversed, true) => &learned::REVERSED,
            (Rules::Standard, true) => &learned::STANDARD,
            (Rules::Reversed, false) => &hand_made::REVERSED,
            (Rules::Standard, false) => &hand_made::STANDARD,
        }
    }

    /// The errors of all predictions of a search that ends in evaluations.
    #[inline]
    pub(super) fn midgame(&self, empties: u8, depth: u8) -> [ErrorEstimate; PREDICTIONS] {
        let by_depth = &self.midgame[band(empties)];
        let errors = by_depth[usize::from(depth).clamp(1, DEPTHS) - 1];
        errors.map(ErrorEstimate::from_hundredths)
    }

    /// The error of predicting the final score by a search of depth `shallow`.
    pub(super) fn endgame(&self, empties: u8, shallow: u8) -> ErrorEstimate {
        let by_check = &self.endgame[band(empties).saturating_sub(FIRST_END_BAND).min(END_BANDS - 1)];
        let by_parity = by_check[usize::from(shallow).min(END_CHECKS - 1)];
        ErrorEstimate::from_hundredths(by_parity[usize::from(empties & 1)])
    }
}

fn band(empties: u8) -> usize {
    (usize::from(empties).saturating_sub(9) / 4).min(BANDS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::array;

    #[test]
    fn endgame_errors_are_those_of_band_check_and_parity() {
        let error = |band, check, parity| [1000 * band + 10 * check + parity, 100 * (band + 1)];
        let table =
            |band| array::from_fn(|check| array::from_fn(|odd| error(band as i16, check as i16, odd as i16)));
        let models = ErrorModels {
            made_by: "",
            midgame: [[[[0; 2]; PREDICTIONS]; DEPTHS]; BANDS],
            endgame: array::from_fn(table),
        };
        for (empties, shallow, [mean, sigma]) in [
            (13, 0, error(0, 0, 1)),
            (14, 1, error(0, 1, 0)),
            (16, 12, error(0, 12, 0)),
            (17, 6, error(1, 6, 1)),
            (20, 11, error(1, 11, 0)),
            (21, 6, error(2, 6, 1)),
            (24, 12, error(2, 12, 0)),
            // Beyond the table.
            (16, 13, error(0, 12, 0)),
            (25, 40, error(2, 12, 1)),
            (60, 4, error(2, 4, 0)),
        ] {
            let found = models.endgame(empties, shallow);
            let expected = [mean, sigma].map(|hundredths| f32::from(hundredths) / 100.0);
            assert_eq!([found.mean, found.sigma], expected, "depth {shallow} with {empties} empty squares");
        }
    }
}
