//! Error models of ProbCut: how far shallow searches miss deep ones, for each evaluation and rule set.

mod hand_made;
mod learned;

use crate::eval::Evaluator;
use crate::rules::Rules;

/// How a search of depth `s` predicts one of depth `d`, in discs.
#[derive(Clone, Copy, Debug)]
pub(super) struct MidgameErrorModel {
    /// Mean of deep minus shallow: coefficients of 1, `s`, `d` and (`d` & 1) − (`s` & 1).
    pub(super) mean: [f32; 4],
    /// Logarithm of the standard deviation: coefficients of 1, `s` and `d`.
    pub(super) log_sigma: [f32; 3],
}

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
    pub(super) deep: [MidgameErrorModel; BANDS],
    pub(super) end: [EndgameErrorModel; END_BANDS],
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
    /// All learned evaluations share their models.
    pub(super) fn of(evaluator: &Evaluator) -> &'static Self {
        match (evaluator.rules(), evaluator.is_trained()) {
            (Rules::Reversed, true) => &learned::REVERSED,
            (Rules::Standard, true) => &learned::STANDARD,
            (Rules::Reversed, false) => &hand_made::REVERSED,
            (Rules::Standard, false) => &hand_made::STANDARD,
        }
    }

    /// The error of predicting a search of depth `deep`.
    pub(super) fn error(&self, empties: u8, shallow: u8, deep: u8) -> ErrorEstimate {
        let band = |bands: usize| (usize::from(empties).saturating_sub(9) / 4).min(bands - 1);
        if deep >= empties {
            self.end[band(END_BANDS)].error(shallow, empties)
        } else {
            self.deep[band(BANDS)].error(shallow, deep)
        }
    }
}
