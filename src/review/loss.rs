//! What a move gives away.

use std::fmt;
use std::iter::Sum;

use crate::score::Score;

/// In 1/32 of a disc, never negative. Up to twice the greatest score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Loss(u32);

impl Loss {
    /// Of a move of this value where the best one has that value.
    #[must_use]
    pub fn between(best: Score, played: Score) -> Self {
        let units = i32::from(best.units()) - i32::from(played.units());
        Self(units.max(0).unsigned_abs())
    }

    #[must_use]
    pub fn from_discs(discs: u16) -> Self {
        Self(u32::from(discs) * u32::from(Score::UNITS.unsigned_abs()))
    }

    #[must_use]
    pub fn discs(self) -> f64 {
        f64::from(self.0) / f64::from(Score::UNITS)
    }

    #[must_use]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }
}

impl Sum for Loss {
    fn sum<I: Iterator<Item = Self>>(losses: I) -> Self {
        Self(losses.map(|Self(units)| units).sum())
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{:.2}", self.discs()))
    }
}
