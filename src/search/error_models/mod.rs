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

/// How a search of depth `s` predicts the final score, in discs.
#[derive(Clone, Copy, Debug)]
pub(super) struct EndgameErrorModel {
    /// Mean of result minus shallow: coefficients of 1, `s` and (empties & 1) − (`s` & 1).
    pub(super) mean: [f32; 3],
    /// Logarithm of the standard deviation: coefficients of 1 and `s`.
    pub(super) log_sigma: [f32; 2],
}

/// Bands of four empty squares, beginning with 9 to 12.
pub const BANDS: usize = 13;

/// How many of the first bands have an endgame model: solving others takes too long to fit one.
pub const END_BANDS: usize = 4;

/// By band of empty squares.
#[derive(Debug)]
pub(super) struct ErrorModels {
    pub(super) midgame: [MidgameErrors; BANDS],
    pub(super) endgame: [EndgameErrorModel; END_BANDS],
}

/// In discs.
#[derive(Clone, Copy, Debug)]
pub(super) struct ErrorEstimate {
    pub(super) mean: f32,
    pub(super) sigma: f32,
}

fn oddness(deep: u8, shallow: u8) -> f32 {
    f32::from(deep & 1) - f32::from(shallow & 1)
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
    /// All learned evaluations share their models.
    pub(super) fn of(evaluator: &Evaluator) -> &'static Self {
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
        let by_depth = &self.midgame[band(empties, BANDS)];
        let errors = by_depth[usize::from(depth).clamp(1, DEPTHS) - 1];
        errors.map(|[mean, sigma]| ErrorEstimate {
            mean: f32::from(mean) / 100.0,
            sigma: f32::from(sigma) / 100.0,
        })
    }

    /// The error of predicting the final score by a search of depth `shallow`.
    pub(super) fn endgame(&self, empties: u8, shallow: u8) -> ErrorEstimate {
        self.endgame[band(empties, END_BANDS)].error(shallow, empties)
    }
}

fn band(empties: u8, bands: usize) -> usize {
    (usize::from(empties).saturating_sub(9) / 4).min(bands - 1)
}
