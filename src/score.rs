//! Values of positions: fractions of a disc during the game, whole discs at its end.

use std::fmt;
use std::ops::Neg;

/// The result of a finished game for one player, in discs, rules applied: positive is a win.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Discs(pub i8);

impl Neg for Discs {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Display for Discs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+}", self.0)
    }
}

/// The value of a position for the player to move, in 1/32 of a disc, rules applied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i16);

impl Score {
    /// Units of a disc.
    pub const UNITS: i16 = 32;
    /// Above every value.
    pub const INFINITY: Self = Self(i16::MAX);
    /// A win by 64 discs.
    pub const MAX: Self = Self(64 * Self::UNITS);

    /// Clamped to ±[`MAX`](Self::MAX).
    #[must_use]
    #[inline]
    pub fn from_units(units: i32) -> Self {
        let limit = i32::from(Self::MAX.0);
        Self(units.clamp(-limit, limit) as i16)
    }

    #[must_use]
    #[inline]
    pub const fn units(self) -> i16 {
        self.0
    }

    #[must_use]
    pub fn discs(self) -> f64 {
        f64::from(self.0) / f64::from(Self::UNITS)
    }

    /// Saturating: infinity stays infinity.
    #[must_use]
    #[inline]
    pub const fn plus(self, units: i16) -> Self {
        Self(self.0.saturating_add(units))
    }

    /// Rounded down: a whole-disc result is above this value exactly when it is above these discs.
    #[must_use]
    #[inline]
    pub fn whole_discs_below(self) -> i32 {
        i32::from(self.0).div_euclid(i32::from(Self::UNITS))
    }
}

impl From<Discs> for Score {
    #[inline]
    fn from(discs: Discs) -> Self {
        Self(i16::from(discs.0) * Self::UNITS)
    }
}

impl Neg for Score {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.2}", self.discs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_discs_round_down_on_both_sides_of_zero() {
        assert_eq!(Score::from_units(33).whole_discs_below(), 1);
        assert_eq!(Score::from_units(32).whole_discs_below(), 1);
        assert_eq!(Score::from_units(-1).whole_discs_below(), -1);
        assert_eq!(Score::from_units(-32).whole_discs_below(), -1);
        assert_eq!(Score::from_units(-33).whole_discs_below(), -2);
    }

    #[test]
    fn scores_print_in_discs() {
        assert_eq!(Score::from_units(48).to_string(), "+1.50");
        assert_eq!(Score::from(Discs(-4)).to_string(), "-4.00");
        assert_eq!(Score::from_units(1_000_000), Score::MAX);
    }
}
