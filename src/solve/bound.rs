//! Statements about the value of a position, and what follows from them.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::board::Size;
use crate::score::Discs;

/// A bound on the result of perfect play, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    AtLeast(Discs),
    AtMost(Discs),
}

impl Bound {
    /// What holds if this does not. Results are even: boards have an even number of squares, and the winner gets the
    /// empty ones.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::AtLeast(Discs(discs)) => Self::AtMost(Discs(discs - 2 + (discs & 1))),
            Self::AtMost(Discs(discs)) => Self::AtLeast(Discs(discs + 2 - (discs & 1))),
        }
    }

    /// The same for the other side, one move earlier or later.
    #[must_use]
    pub fn for_opponent(self) -> Self {
        match self {
            Self::AtLeast(discs) => Self::AtMost(-discs),
            Self::AtMost(discs) => Self::AtLeast(-discs),
        }
    }

    #[must_use]
    pub fn holds_for(self, discs: Discs) -> bool {
        match self {
            Self::AtLeast(least) => discs >= least,
            Self::AtMost(most) => discs <= most,
        }
    }
}

/// As `>= +2` or `<= -4`.
impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLeast(discs) => write!(f, ">= {discs}"),
            Self::AtMost(discs) => write!(f, "<= {discs}"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected a bound from -64 to +64, such as '>= +2' or '<= -4', found '{0}'")]
pub struct BoundError(String);

impl FromStr for Bound {
    type Err = BoundError;

    fn from_str(text: &str) -> Result<Self, BoundError> {
        let error = || BoundError(text.trim().to_owned());
        let (sign, number) = text.trim().split_at_checked(2).ok_or_else(error)?;
        let discs = number.trim_start().parse().ok().filter(|discs: &i8| discs.unsigned_abs() <= 64);
        let discs = Discs(discs.ok_or_else(error)?);
        match sign {
            ">=" => Ok(Self::AtLeast(discs)),
            "<=" => Ok(Self::AtMost(discs)),
            _ => Err(error()),
        }
    }
}

/// All that is known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    pub lower: Discs,
    pub upper: Discs,
}

impl Interval {
    #[must_use]
    pub fn unknown(size: Size) -> Self {
        let most = Discs(size.area() as i8);
        Self { lower: -most, upper: most }
    }

    #[must_use]
    pub const fn exactly(discs: Discs) -> Self {
        Self { lower: discs, upper: discs }
    }

    #[must_use]
    pub fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    /// What both tell. Empty, with `lower` above `upper`, if they contradict each other.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }

    #[must_use]
    pub fn and_bound(self, bound: Bound) -> Self {
        match bound {
            Bound::AtLeast(discs) => Self { lower: self.lower.max(discs), ..self },
            Bound::AtMost(discs) => Self { upper: self.upper.min(discs), ..self },
        }
    }

    #[must_use]
    pub fn for_opponent(self) -> Self {
        Self { lower: -self.upper, upper: -self.lower }
    }

    #[must_use]
    pub fn proves(self, bound: Bound) -> bool {
        match bound {
            Bound::AtLeast(least) => self.lower >= least,
            Bound::AtMost(most) => self.upper <= most,
        }
    }

    #[must_use]
    pub fn is_contradiction(self) -> bool {
        self.lower > self.upper
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_written_and_read() {
        for bound in [Bound::AtLeast(Discs(2)), Bound::AtMost(Discs(-64)), Bound::AtMost(Discs(0))] {
            assert_eq!(bound.to_string().parse(), Ok(bound));
        }
        assert_eq!(" >=2 ".parse(), Ok(Bound::AtLeast(Discs(2))));
        for wrong in ["", ">", "=> 2", ">= ", ">= +65", ">= 999", "<= x", "€€"] {
            assert!(wrong.parse::<Bound>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_bound_or_its_negation_holds() {
        for discs in (-64..=64).step_by(2).map(Discs) {
            for least in (-62..=62).map(Discs) {
                for bound in [Bound::AtLeast(least), Bound::AtMost(least)] {
                    assert_ne!(bound.holds_for(discs), bound.negated().holds_for(discs), "{bound}, {discs}");
                    assert_eq!(bound.holds_for(discs), bound.for_opponent().holds_for(-discs));
                    assert_eq!(bound.holds_for(discs), Interval::exactly(discs).proves(bound));
                }
            }
        }
    }
}
