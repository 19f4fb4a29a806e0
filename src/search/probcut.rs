//! Multi-ProbCut: skips a deep search when a shallow one is far enough outside the window.

use crate::board::Size;
use crate::eval::PatternState;
use crate::score::Score;

use super::control::Stopped;
use super::error_models::ErrorEstimate;
use super::worker::Worker;

/// Shallower midgame searches are not predicted.
const LEAST_DEPTH: u8 = 3;

/// Endgame searches with fewer empty squares are not predicted: they are cheap.
const LEAST_EMPTIES: u8 = 13;

/// A shallow search is tried only if the static value misses the bound by at most this many of its own standard
/// deviations.
const EVAL_MARGIN: f32 = 0.5;

/// Whether error models exist for boards of this size. Without them nothing may be cut.
pub(super) fn has_models(size: Size) -> bool {
    size == Size::Eight
}

fn shallow_depth(deep: u8, solving: bool) -> u8 {
    if solving { if deep >= 20 { 4 } else { 2 } } else { deep / 4 * 2 + (deep & 1) }
}

impl Worker<'_> {
    /// A bound with the confidence of the present selectivity, if a shallow search shows one on either side of
    /// `alpha`.
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
        // No ProbCut inside a ProbCut search.
        if self.in_probcut || depth < least {
            return Ok(None);
        }
        let shallow = shallow_depth(depth, solving);
        let units = |discs: f32| (discs * f32::from(Score::UNITS)) as i16;
        let ErrorEstimate { mean, sigma } = self.models.error(empties, shallow, depth);
        // Above `high` the deep search is likely to fail high, below `low` to fail low.
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
