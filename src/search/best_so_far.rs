//! The best move of a null-window node so far.

use crate::board::Square;
use crate::score::Score;
use crate::selectivity::Selectivity;

/// A bound on the value of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BestSoFar {
    pub(super) score: Score,
    pub(super) best: Option<Square>,
    pub(super) selectivity: Selectivity,
}

impl BestSoFar {
    /// Before any move was searched.
    pub(super) fn nothing() -> Self {
        Self { score: -Score::INFINITY, best: None, selectivity: Selectivity::Off }
    }

    pub(super) const fn by(square: Square, score: Score, selectivity: Selectivity) -> Self {
        Self { score, best: Some(square), selectivity }
    }

    /// Adds another move. A move above `alpha` is as trustworthy as its own search; a fail-low only as much as the
    /// least trustworthy of all moves.
    #[must_use]
    pub(super) fn or(self, other: Self, alpha: Score) -> Self {
        let better = if other.score > self.score { other } else { self };
        if better.score > alpha {
            return better;
        }
        Self { selectivity: self.selectivity.min(other.selectivity), ..better }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_that_does_needs_no_other_to_be_certain() {
        let alpha = Score::from_units(0);
        let by = |square, units, selectivity| BestSoFar::by(square, Score::from_units(units), selectivity);
        let low = by(Square::A1, -64, Selectivity::P73);
        let full = by(Square::B1, -128, Selectivity::Off);
        let does = by(Square::C1, 64, Selectivity::P95);
        assert_eq!(BestSoFar::nothing().or(low, alpha), low);
        assert_eq!(BestSoFar::nothing().or(full, alpha).or(low, alpha), low);
        assert_eq!(low.or(full, alpha), low, "the other one may be underrated");
        assert_eq!(full.or(by(Square::A1, -64, Selectivity::P95), alpha).selectivity, Selectivity::P95);
        assert_eq!(low.or(does, alpha), does);
        assert_eq!(does.or(low, alpha), does, "what comes too late changes nothing");
    }
}
