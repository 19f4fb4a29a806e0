//! Elo and its intervals: the likelihood of a mean score, given the counts of the five pair scores.
//!
//! Let `w` weigh the five scores `x` = 0, ¼, ½, ¾, 1 (per game) and `W` be their sum. Among all distributions `p` over
//! the five with mean `s`, the one that makes the pairs most likely is `pᵢ = wᵢ / (W·(1 + θ·(xᵢ − s)))`, where `θ`
//! solves `Σ wᵢ·(xᵢ − s) / (1 + θ·(xᵢ − s)) = 0`. Assuming the mean `s` then costs the log-likelihood
//!
//! ```text
//! D(s) = Σ wᵢ·ln(1 + θ·(xᵢ − s)),
//! ```
//!
//! which is 0 at the observed mean and grows to both sides. The interval is where `2·D` stays below its 95 % bound, the
//! log-likelihood ratio of two hypotheses is the difference of their costs, and the likelihood of superiority follows
//! from the cost of equality. No shape is assumed for the distribution, and no normal approximation made.

use super::numeric::{self, Estimate, Z95, normal_cdf};
use super::pairs::{PairScore, Pentanomial};

/// What is added to each of the five counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prior(f64);

impl Prior {
    /// One pair, a fifth of it for each of the five scores: for estimates.
    ///
    /// It keeps them finite when all games are won. With `n` pairs it moves the score towards ½ by `1 / (n + 1)` of the
    /// difference.
    pub const ONE_PAIR: Self = Self(1.0 / 5.0);

    /// For tests, which must not be biased towards equality: only makes scores possible that did not occur yet.
    pub const TRACE: Self = Self(1e-3);

    /// The part for each of several opponents.
    #[must_use]
    pub fn divided(self, parts: usize) -> Self {
        Self(self.0 / parts.max(1) as f64)
    }
}

/// Pentanomial counts with a prior added.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmoothedPentanomial([f64; 5]);

impl SmoothedPentanomial {
    #[must_use]
    pub fn new(pairs: &Pentanomial, prior: Prior) -> Self {
        Self(pairs.counts().map(|count| f64::from(count) + prior.0))
    }

    /// Scores per game with their weights.
    pub fn iter(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        PairScore::ALL.iter().zip(self.0).map(|(score, weight)| (score.per_game(), weight))
    }

    #[must_use]
    pub fn total(&self) -> f64 {
        self.0.iter().sum()
    }

    /// Per game.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.iter().map(|(score, weight)| score * weight).sum::<f64>() / self.total()
    }

    /// `D(mean)`: the log-likelihood lost by assuming this mean.
    #[must_use]
    pub fn cost(&self, mean: f64) -> f64 {
        self.cost_and_slope(mean).0
    }

    /// `D` and its derivative, `−θ·W`.
    fn cost_and_slope(&self, mean: f64) -> (f64, f64) {
        /// No nearer to 0 and 1, where the cost is infinite.
        const EDGE: f64 = 1e-9;
        let mean = mean.clamp(EDGE, 1.0 - EDGE);
        let surplus = |theta: f64| {
            self.iter().fold((0.0, 0.0), |(value, slope), (x, weight)| {
                let share = (x - mean) / (1.0 + theta * (x - mean));
                (value + weight * share, slope - weight * share * share)
            })
        };
        // At these ends the probability of a full or of an empty score would be infinite.
        let theta = numeric::root(-1.0 / (1.0 - mean), 1.0 / mean, 0.0, surplus);
        let cost: f64 = self.iter().map(|(x, weight)| weight * (theta * (x - mean)).ln_1p()).sum();
        (cost.max(0.0), -theta * self.total())
    }

    /// The mean with the interval of means that cost at most `quantile²/2`.
    #[must_use]
    pub fn interval(&self, quantile: f64) -> Estimate<f64> {
        let value = self.mean();
        // The square root of the cost is nearly linear in the mean, so that Newton's method needs few steps.
        let excess = |mean| {
            let (cost, slope) = self.cost_and_slope(mean);
            let root = (2.0 * cost).sqrt();
            (root - quantile, slope / root)
        };
        let end = |extreme| numeric::root(extreme, value, f64::midpoint(extreme, value), excess);
        Estimate { value, low: end(0.0), high: end(1.0) }
    }
}

/// A rating difference `d` on the logistic scale: the expected score is `1 / (1 + 10^(−d/400))`.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Elo(pub f64);

impl Elo {
    /// Elo for each unit of the natural logarithm of the odds.
    pub const PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

    /// The expected score, from 0 to 1.
    #[must_use]
    pub fn score(self) -> f64 {
        1.0 / (1.0 + (-self.0 / Self::PER_LOGIT).exp())
    }

    /// Infinite for scores of 0 and 1.
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
    /// The interval has all means whose likelihood-ratio statistic `2·D` is at most 1.96², with the prior
    /// [`Prior::ONE_PAIR`], mapped by `−400·log₁₀(1/s − 1)`. It is asymmetrical where the data are. None without pairs.
    #[must_use]
    pub fn elo(&self) -> Option<Estimate<Elo>> {
        let weights = SmoothedPentanomial::new(self, Prior::ONE_PAIR);
        (self.pairs() > 0).then(|| weights.interval(Z95).map(Elo::of_score))
    }

    /// The likelihood of superiority, from 0 to 1: that the first player is the stronger one.
    ///
    /// `Φ(±√(2·D(½)))` with the sign of the lead: the one-sided counterpart of the interval of [`Self::elo`]. ½ without
    /// pairs.
    #[must_use]
    pub fn los(&self) -> f64 {
        let weights = SmoothedPentanomial::new(self, Prior::ONE_PAIR);
        normal_cdf((2.0 * weights.cost(0.5)).sqrt().copysign(weights.mean() - 0.5))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The greatest log-likelihood with a mean, by looking at all distributions on ever finer grids.
    fn brute_force(weights: &[f64; 5], mean: f64) -> f64 {
        let likelihood = |free: [f64; 3]| {
            let [half, one, more] = free;
            // The other two follow from the sum and the mean.
            let full = mean - 0.25 * half - 0.5 * one - 0.75 * more;
            let none = 1.0 - half - one - more - full;
            let all = [none, half, one, more, full];
            if all.iter().any(|&p| p <= 0.0) {
                return f64::NEG_INFINITY;
            }
            weights.iter().zip(all).map(|(w, p)| w * p.ln()).sum()
        };
        let (mut best, mut at, mut step) = (f64::NEG_INFINITY, [mean.min(1.0 - mean) / 3.0; 3], 0.1);
        while step > 1e-9 {
            let centre = at;
            for n in 0..1331 {
                let offset = |digit: i32| f64::from(digit % 11 - 5) * step;
                let try_at = [centre[0] + offset(n), centre[1] + offset(n / 11), centre[2] + offset(n / 121)];
                let value = likelihood(try_at);
                if value > best {
                    (best, at) = (value, try_at);
                }
            }
            step *= if at == centre { 0.5 } else { 1.0 };
        }
        best
    }

    #[test]
    fn the_cost_of_a_mean_agrees_with_brute_force() {
        for counts in [[24.0, 3.4, 51.4, 3.7, 25.2], [0.2, 1.2, 5.2, 9.2, 12.2], [3.0, 0.1, 0.1, 0.1, 7.0]] {
            let weights = SmoothedPentanomial(counts);
            let total = weights.total();
            let free: f64 = counts.iter().map(|w| w * (w / total).ln()).sum();
            for mean in [0.2, 0.5, 0.6, 0.9] {
                let expected = free - brute_force(&counts, mean);
                let found = weights.cost(mean);
                assert!((found - expected).abs() < 1e-5, "{counts:?} {mean}: {found} {expected}");
            }
        }
    }

    #[test]
    fn the_cost_is_zero_at_the_mean_and_grows_to_both_sides() {
        let weights = SmoothedPentanomial([1.2, 0.2, 3.2, 2.2, 4.2]);
        assert!(weights.cost(weights.mean()) < 1e-12);
        let costs: Vec<_> = (0..=1000).map(|n| weights.cost(f64::from(n) / 1000.0)).collect();
        assert!(costs.iter().all(|cost| cost.is_finite()));
        let least = (weights.mean() * 1000.0) as usize;
        assert!(costs[..least].is_sorted_by(|a, b| a > b) && costs[least + 1..].is_sorted());
    }
}
