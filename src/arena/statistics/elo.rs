//! The Elo scale, and where on it a pairing stands.

use super::likelihood::{Prior, SmoothedPentanomial};
use super::numeric::{Estimate, Z95, normal_cdf};
use super::pairs::Pentanomial;

/// A difference of strength on the logistic Elo scale: who is `d` ahead scores `1 / (1 + 10^(−d/400))`.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Elo(pub f64);

impl Elo {
    /// Elo for each unit of the natural logarithm of the odds.
    pub const PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

    /// The score to be expected, from 0 to 1.
    #[must_use]
    pub fn score(self) -> f64 {
        1.0 / (1.0 + (-self.0 / Self::PER_LOGIT).exp())
    }

    /// The difference at which a score is to be expected; infinite for 0 and 1.
    #[must_use]
    pub fn of_score(score: f64) -> Self {
        Self(Self::PER_LOGIT * (score / (1.0 - score)).ln())
    }
}

impl From<Elo> for f64 {
    fn from(elo: Elo) -> Self {
        elo.0
    }
}

impl Pentanomial {
    /// The Elo difference with its 95 % interval.
    ///
    /// With the prior [`Prior::ONE_PAIR`] added, the mean score is estimated with the interval of all means whose
    /// likelihood-ratio statistic `2·D` is at most 1.96² (see [`likelihood`](super::likelihood)), and all three are
    /// mapped by `−400·log₁₀(1/s − 1)`. That interval respects the ends of the scale, and is as asymmetrical as the
    /// diagnostics is. Without pairs there is nothing to estimate.
    #[must_use]
    pub fn elo(&self) -> Option<Estimate<Elo>> {
        let weights = SmoothedPentanomial::new(self, Prior::ONE_PAIR);
        (self.pairs() > 0).then(|| weights.interval(Z95).map(Elo::of_score))
    }

    /// How likely it is that the first player is the stronger one, from 0 to 1.
    ///
    /// `Φ(±√(2·D(½)))`, the sign being that of the lead: the one-sided counterpart of the interval of [`Self::elo`],
    /// with the same prior. Without pairs it is ½.
    #[must_use]
    pub fn los(&self) -> f64 {
        let weights = SmoothedPentanomial::new(self, Prior::ONE_PAIR);
        normal_cdf((2.0 * weights.cost(0.5)).sqrt().copysign(weights.mean() - 0.5))
    }
}
