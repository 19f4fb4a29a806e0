//! Multi-ProbCut: a shallow search that is far beyond the bound lets the deep one be left out.

use crate::board::Size;
use crate::eval::PatternState;
use crate::score::Score;

use super::control::Stopped;
use super::error_models::ErrorEstimate;
use super::worker::Worker;

/// Searches less deep than this are not worth predicting.
const LEAST_DEPTH: u8 = 3;

/// The same for searches to the end of the game, which cost little near it.
const LEAST_EMPTIES: u8 = 13;

/// A prediction is only tried where the static value lies at most so many of its own deviations short of what is needed.
const EVAL_MARGIN: f32 = 0.5;

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
        state: &PatternState,
        depth: u8,
        alpha: Score,
    ) -> Result<Option<Score>, Stopped> {
        let Some(deviations) = self.selectivity.deviations() else { return Ok(None) };
        let empties = self.empties(state.board);
        let solving = depth >= empties;
        let least = if solving { LEAST_EMPTIES } else { LEAST_DEPTH };
        // A prediction is not itself predicted.
        if self.in_probcut || depth < least {
            return Ok(None);
        }
        let shallow = shallow_depth(depth, solving);
        let units = |discs: f32| (discs * f32::from(Score::UNITS)) as i16;
        let ErrorEstimate { mean, sigma } = self.models.error(empties, shallow, depth);
        // Beyond these the deep search is likely enough to be above, or not above, `alpha`.
        let high = alpha.plus(units(deviations * sigma - mean)).plus(1);
        let low = alpha.plus(units(-deviations * sigma - mean));
        let coarse = self.models.error(empties, 0, depth);
        let margin = units(EVAL_MARGIN * deviations * coarse.sigma);
        let guess = self.evaluator.evaluate(state).plus(units(coarse.mean - mean));
        if guess >= high.plus(-margin)
            && high <= Score::MAX
            && self.probe(state, shallow, high.plus(-1))? >= high
        {
            return Ok(Some(alpha.plus(if solving { Score::UNITS } else { 1 })));
        }
        if guess <= low.plus(margin) && low >= -Score::MAX && self.probe(state, shallow, low)? <= low {
            return Ok(Some(alpha));
        }
        Ok(None)
    }

    fn probe(&mut self, state: &PatternState, depth: u8, alpha: Score) -> Result<Score, Stopped> {
        self.in_probcut = true;
        let found = self.null_window(state, depth, alpha);
        self.in_probcut = false;
        found
    }
}
