//! How far shallow searches err as predictions of deep ones, for each evaluation and rule set.

mod hand_made;
mod learned;

use crate::eval::Evaluator;
use crate::rules::Rules;

/// How a shallow search of depth `s` errs as a prediction of a deep one of depth `d`, in discs.
#[derive(Clone, Copy, Debug)]
pub(super) struct MidgameErrorModel {
    /// The mean of deep minus shallow: constant, by `s`, by `d`, and by how much odder `d` is than `s`.
    pub(super) mean: [f32; 4],
    /// The logarithm of the standard deviation: constant, by `s` and by `d`.
    pub(super) log_sigma: [f32; 3],
}

/// How a shallow search of depth `s` errs as a prediction of the result of the game, in discs.
#[derive(Clone, Copy, Debug)]
pub(super) struct EndgameErrorModel {
    /// The mean of result minus shallow: constant, by `s`, and by how much odder the empty squares are than `s`.
    pub(super) mean: [f32; 3],
    /// The logarithm of the standard deviation: constant and by `s`.
    pub(super) log_sigma: [f32; 2],
}

/// Bands of four empty squares, from 9 to 12 on up to the start of the game.
pub const BANDS: usize = 13;

/// How many of the first have a model of the end of the game too: positions with more empty squares take too long to
/// solve.
pub const END_BANDS: usize = 4;

/// The models of an evaluation by one rule set, one for each band.
#[derive(Debug)]
pub(super) struct ErrorModels {
    /// Of deep searches.
    pub(super) deep: [MidgameErrorModel; BANDS],
    /// Of the end of the game.
    pub(super) end: [EndgameErrorModel; END_BANDS],
}

/// An error to expect, in discs.
#[derive(Clone, Copy, Debug)]
pub(super) struct ErrorEstimate {
    pub(super) mean: f32,
    pub(super) sigma: f32,
}

fn oddness(deep: u8, shallow: u8) -> f32 {
    f32::from(deep & 1) - f32::from(shallow & 1)
}

impl MidgameErrorModel {
    fn error(&self, shallow: u8, deep: u8) -> ErrorEstimate {
        let (s, d) = (f32::from(shallow), f32::from(deep));
        let [mean, by_shallow, by_deep, by_oddness] = self.mean;
        let [log_sigma, log_by_shallow, log_by_deep] = self.log_sigma;
        ErrorEstimate {
            mean: mean + by_shallow * s + by_deep * d + by_oddness * oddness(deep, shallow),
            sigma: (log_sigma + log_by_shallow * s + log_by_deep * d).exp(),
        }
    }
}

impl EndgameErrorModel {
    fn error(&self, shallow: u8, empties: u8) -> ErrorEstimate {
        let s = f32::from(shallow);
        let [mean, by_shallow, by_oddness] = self.mean;
        let [log_sigma, log_by_shallow] = self.log_sigma;
        ErrorEstimate {
            mean: mean + by_shallow * s + by_oddness * oddness(empties, shallow),
            sigma: (log_sigma + log_by_shallow * s).exp(),
        }
    }
}

impl ErrorModels {
    /// Those of an evaluation. Learned ones err alike, whatever they were learned from.
    pub(super) fn of(evaluator: &Evaluator) -> &'static Self {
        match (evaluator.rules(), evaluator.is_learned()) {
            (Rules::Reversed, true) => &learned::REVERSED,
            (Rules::Standard, true) => &learned::STANDARD,
            (Rules::Reversed, false) => &hand_made::REVERSED,
            (Rules::Standard, false) => &hand_made::STANDARD,
        }
    }

    /// The error of predicting a search of depth `deep` on a board with so many empty squares.
    pub(super) fn error(&self, empties: u8, shallow: u8, deep: u8) -> ErrorEstimate {
        let band = |bands: usize| (usize::from(empties).saturating_sub(9) / 4).min(bands - 1);
        if deep >= empties {
            self.end[band(END_BANDS)].error(shallow, empties)
        } else {
            self.deep[band(BANDS)].error(shallow, deep)
        }
    }
}
