//! Multi-ProbCut: skips a deep search when a shallow one is far enough outside the window.
//!
//! The shallow searches make cuts themselves: at full width they would cost more than they save.

mod recording;

use crate::board::Size;
use crate::eval::PatternState;
use crate::score::Score;

use super::control::Stopped;
use super::error_models::{ErrorEstimate, check_depths};
use super::node_type::NodeType;
use super::worker::Worker;

/// Shallower midgame searches are not checked by a search: the static value must do.
const LEAST_DEPTH: u8 = 3;

/// How many times as far outside the window the static value must be to replace such a search.
const STATIC_CAUTION: f32 = 1.45;

/// Endgame searches with fewer empty squares are not predicted: they are cheap. The error models begin here.
const LEAST_EMPTIES: u8 = 13;

/// A shallow search is tried only if the static value misses the bound by at most this many of its own standard
/// deviations.
const EVAL_MARGIN: f32 = 0.5;

/// Whether error models exist for boards of this size. Without them nothing may be cut.
pub(super) fn has_models(size: Size) -> bool {
    size == Size::Eight
}

/// The depth of the search that predicts the final score.
const ENDGAME_CHECK_DEPTH: u8 = 6;

fn units(discs: f32) -> i16 {
    (discs * f32::from(Score::UNITS)) as i16
}

/// What a prediction must reach for a cut.
struct Bounds {
    /// From here on up, the deep search is likely to fail high.
    high: Score,
    /// From here on down, it is likely to fail low.
    low: Score,
}

impl Bounds {
    fn new(alpha: Score, ErrorEstimate { mean, sigma }: ErrorEstimate, deviations: f32) -> Self {
        let high = alpha.plus(units(deviations * sigma - mean)).plus(1);
        let low = alpha.plus(units(-deviations * sigma - mean));
        Self { high, low }
    }
}

/// What a node is worth by a prediction.
#[derive(Clone, Copy)]
enum Predicted {
    AboveAlpha,
    AtMostAlpha,
}

impl Predicted {
    /// The bound to return; scores differ by `step` at least.
    fn bound(self, alpha: Score, step: i16) -> Score {
        match self {
            Self::AboveAlpha => alpha.plus(step),
            Self::AtMostAlpha => alpha,
        }
    }

    fn agrees_with(self, score: Score, alpha: Score) -> bool {
        matches!(self, Self::AboveAlpha) == (score > alpha)
    }
}

impl Worker<'_> {
    /// A bound with the confidence of the present selectivity, if a prediction shows one on either side of `alpha`.
    pub(super) fn probcut(
        &mut self,
        state: &PatternState,
        depth: u8,
        alpha: Score,
    ) -> Result<Option<Score>, Stopped> {
        let empties = self.empties(state.board);
        if depth >= empties {
            if empties < LEAST_EMPTIES {
                return Ok(None);
            }
            let [coarse, error] =
                [0, ENDGAME_CHECK_DEPTH].map(|shallow| self.models.endgame(empties, shallow));
            let found = self.check(state, depth, alpha, coarse, ENDGAME_CHECK_DEPTH, error)?;
            return Ok(found.map(|predicted| predicted.bound(alpha, Score::UNITS)));
        }
        if depth < LEAST_DEPTH {
            return Ok(None);
        }
        let [coarse, errors @ ..] = self.models.midgame(empties, depth);
        for (check, error) in check_depths(depth).into_iter().zip(errors).filter(|&(check, _)| check > 0) {
            if let Some(predicted) = self.check(state, depth, alpha, coarse, check, error)? {
                return Ok(Some(predicted.bound(alpha, 1)));
            }
        }
        Ok(None)
    }

    /// Predicts a search of depth `depth` by one of depth `check`.
    fn check(
        &mut self,
        state: &PatternState,
        depth: u8,
        alpha: Score,
        coarse: ErrorEstimate,
        check: u8,
        error: ErrorEstimate,
    ) -> Result<Option<Predicted>, Stopped> {
        let Some(deviations) = self.selectivity.deviations() else { return Ok(None) };
        let begun = self.begin_check();
        let predicted = self.predict(state, alpha, deviations, coarse, check, error)?;
        if let Some(begun) = begun {
            self.end_check(begun, state, depth, alpha, check, predicted)?;
        }
        Ok(predicted)
    }

    /// By a search of depth `check`, where the static value, with the error `coarse`, gives it a chance.
    fn predict(
        &mut self,
        state: &PatternState,
        alpha: Score,
        deviations: f32,
        coarse: ErrorEstimate,
        check: u8,
        error: ErrorEstimate,
    ) -> Result<Option<Predicted>, Stopped> {
        let Bounds { high, low } = Bounds::new(alpha, error, deviations);
        let margin = units(EVAL_MARGIN * deviations * coarse.sigma);
        let guess = self.evaluate(state).plus(units(coarse.mean - error.mean));
        if guess >= high.plus(-margin)
            && high <= Score::MAX
            && self.null_window(state, check, high.plus(-1), NodeType::Cut)? >= high
        {
            return Ok(Some(Predicted::AboveAlpha));
        }
        if guess <= low.plus(margin)
            && low >= -Score::MAX
            && self.null_window(state, check, low, NodeType::All)? <= low
        {
            return Ok(Some(Predicted::AtMostAlpha));
        }
        Ok(None)
    }

    /// [`probcut`](Self::probcut) for searches that are too shallow for it: the static value alone predicts them.
    #[inline]
    pub(super) fn static_cut(&mut self, state: &PatternState, depth: u8, alpha: Score) -> Option<Score> {
        let deviations = self.selectivity.deviations().filter(|_| depth < LEAST_DEPTH)?;
        let [error, ..] = self.models.midgame(self.empties(state.board), depth);
        let Bounds { high, low } = Bounds::new(alpha, error, STATIC_CAUTION * deviations);
        let predicted = match self.evaluate(state) {
            value if value >= high => Some(Predicted::AboveAlpha),
            value if value <= low => Some(Predicted::AtMostAlpha),
            _ => None,
        };
        if self.cuts.is_some() {
            self.record_static_cut(state, depth, alpha, predicted);
        }
        Some(predicted?.bound(alpha, 1))
    }
}
