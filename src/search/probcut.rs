//! Multi-ProbCut: a shallow search that is far beyond the bound lets the deep one be left out.

use crate::board::Size;
use crate::eval::{Evaluator, PatternState};
use crate::rules::Rules;
use crate::score::Score;

use super::control::Stopped;
use super::models;
use super::worker::Worker;

/// How a shallow search of depth `s` errs as a prediction of a deep one of depth `d`, in discs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Model {
    /// The mean of deep minus shallow: constant, by `s`, by `d`, and by how much odder `d` is than `s`.
    pub(super) mean: [f32; 4],
    /// The logarithm of the log_sigma: constant, by `s` and by `d`.
    pub(super) log_sigma: [f32; 3],
}

/// How a shallow search of depth `s` errs as a prediction of the result of the game, in discs.
#[derive(Clone, Copy, Debug)]
pub(super) struct EndModel {
    /// The mean of result minus shallow: constant, by `s`, and by how much odder the empty squares are than `s`.
    pub(super) mean: [f32; 3],
    /// The logarithm of the log_sigma: constant and by `s`.
    pub(super) log_sigma: [f32; 2],
}

/// Bands of four empty squares, from 9 to 12 on up to the start of the game.
pub const BANDS: usize = 13;

/// How many of the first have a model of the end of the game too: positions with more empty squares take too long to
/// solve.
pub const END_BANDS: usize = 4;

/// The models of an evaluation by one rule set, one for each band.
#[derive(Debug)]
pub(super) struct Models {
    /// Of deep searches.
    pub(super) deep: [Model; BANDS],
    /// Of the end of the game.
    pub(super) end: [EndModel; END_BANDS],
}

/// An error to expect, in discs.
#[derive(Clone, Copy, Debug)]
struct ErrorEstimate {
    mean: f32,
    sigma: f32,
}

/// Searches less deep than this are not worth predicting.
const LEAST_DEPTH: u8 = 3;

/// The same for searches to the end of the game, which cost little near it.
const LEAST_EMPTIES: u8 = 13;

/// A prediction is only tried where the static value lies at most so many of its own deviations short of what is needed.
const HOPE: f32 = 0.5;

fn oddness(deep: u8, shallow: u8) -> f32 {
    f32::from(deep & 1) - f32::from(shallow & 1)
}

impl Model {
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

impl EndModel {
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

impl Models {
    /// Those of an evaluation. Learned ones err alike, whatever they were learned from.
    pub(super) fn of(evaluator: &Evaluator) -> &'static Self {
        match (evaluator.rules(), evaluator.is_trained()) {
            (Rules::Reversed, true) => &models::learned::REVERSED,
            (Rules::Standard, true) => &models::learned::STANDARD,
            (Rules::Reversed, false) => &models::hand_made::REVERSED,
            (Rules::Standard, false) => &models::hand_made::STANDARD,
        }
    }

    /// The error of predicting a search of depth `deep` on a board with so many empty squares.
    fn error(&self, empties: u8, shallow: u8, deep: u8) -> ErrorEstimate {
        let band = |bands: usize| (usize::from(empties).saturating_sub(9) / 4).min(bands - 1);
        if deep >= empties {
            self.end[band(END_BANDS)].error(shallow, empties)
        } else {
            self.deep[band(BANDS)].error(shallow, deep)
        }
    }
}

/// Whether the errors of predictions are known on boards of this size. Where they are not, nothing may be left out.
pub(super) fn has_models(size: Size) -> bool {
    size == Size::Eight
}

/// The depth of the search that predicts one of this depth.
fn shallow_depth(deep: u8, solving: bool) -> u8 {
    if solving { if deep >= 20 { 4 } else { 2 } } else { deep / 4 * 2 + (deep & 1) }
}

impl Worker<'_> {
    /// A bound that a shallow search makes likely enough, if it settles whether the position is worth more than `alpha`.
    pub(super) fn probcut(
        &mut self,
        view: &PatternState,
        depth: u8,
        alpha: Score,
    ) -> Result<Option<Score>, Stopped> {
        let Some(deviations) = self.selectivity.deviations() else { return Ok(None) };
        let empties = self.empties(view.board);
        let solving = depth >= empties;
        let least = if solving { LEAST_EMPTIES } else { LEAST_DEPTH };
        // A prediction is not itself predicted.
        if self.is_probe || depth < least {
            return Ok(None);
        }
        let shallow = shallow_depth(depth, solving);
        let units = |discs: f32| (discs * f32::from(Score::UNITS)) as i16;
        let ErrorEstimate { mean, sigma } = self.models.error(empties, shallow, depth);
        // Beyond these the deep search is likely enough to be above, or not above, `alpha`.
        let high = alpha.plus(units(deviations * sigma - mean)).plus(1);
        let low = alpha.plus(units(-deviations * sigma - mean));
        let coarse = self.models.error(empties, 0, depth);
        let hope = units(HOPE * deviations * coarse.sigma);
        let guess = self.evaluator.evaluate(view).plus(units(coarse.mean - mean));
        if guess >= high.plus(-hope)
            && high <= Score::MAX
            && self.probe(view, shallow, high.plus(-1))? >= high
        {
            return Ok(Some(alpha.plus(if solving { Score::UNITS } else { 1 })));
        }
        if guess <= low.plus(hope) && low >= -Score::MAX && self.probe(view, shallow, low)? <= low {
            return Ok(Some(alpha));
        }
        Ok(None)
    }

    fn probe(&mut self, view: &PatternState, depth: u8, alpha: Score) -> Result<Score, Stopped> {
        self.is_probe = true;
        let found = self.null_window(view, depth, alpha);
        self.is_probe = false;
        found
    }
}
