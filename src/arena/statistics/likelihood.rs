//! The likelihood of a mean score, given how often each of the five pair scores came about.
//!
//! Let `w` weigh the five scores `x` = 0, ¼, ½, ¾, 1 (per game) and `W` be their sum. Among all distributions `p` over
//! the five with mean `s`, the one that makes the pairs most likely is `pᵢ = wᵢ / (W·(1 + θ·(xᵢ − s)))`, where `θ`
//! solves `Σ wᵢ·(xᵢ − s) / (1 + θ·(xᵢ − s)) = 0`. Insisting on the mean `s` then costs the log-likelihood
//!
//! ```text
//! D(s) = Σ wᵢ·ln(1 + θ·(xᵢ − s)),
//! ```
//!
//! which is 0 at the mean observed and grows to both sides. Everything rests on `D`: the interval is where `2·D` stays
//! under its 95 % bound, the log-likelihood ratio of two hypotheses is the difference of their costs, and superiority
//! is judged by the cost of equality. No shape is assumed for the distribution, and no normal approximation made.

use super::numeric::{self, Estimate};
use super::pairs::{PairScore, Pentanomial};

/// What is added to the counts before looking at the likelihood.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prior(f64);

impl Prior {
    /// One pair, a fifth of it for each of the five scores: for estimates.
    ///
    /// It keeps them finite when all games are won, is symmetrical, and is worth as little as one real pair: with `n`
    /// pairs it draws the score towards ½ by `1 / (n + 1)` of the difference.
    pub const ONE_PAIR: Self = Self(1.0 / 5.0);

    /// A trace of each of the five scores: for tests, which must not lean towards equality. It only says that a score
    /// not seen yet is possible.
    pub const TRACE: Self = Self(1e-3);

    /// A share of this prior, when several opponents have to divide it.
    #[must_use]
    pub fn divided(self, parts: usize) -> Self {
        Self(self.0 / parts.max(1) as f64)
    }
}

/// The five counts with a prior added.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmoothedPentanomial([f64; 5]);

impl SmoothedPentanomial {
    /// The counts and the prior.
    #[must_use]
    pub fn new(pairs: &Pentanomial, prior: Prior) -> Self {
        Self(pairs.counts().map(|count| f64::from(count) + prior.0))
    }

    /// The five scores per game, each with its weight.
    pub fn iter(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        PairScore::ALL.iter().zip(self.0).map(|(score, weight)| (score.per_game(), weight))
    }

    /// The weight of all pairs.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.0.iter().sum()
    }

    /// The mean score per game.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.iter().map(|(score, weight)| score * weight).sum::<f64>() / self.total()
    }

    /// `D(mean)`: the log-likelihood lost by insisting on a mean.
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

    /// The mean with the interval of those that cost no more than `q²/2`, `q` being the quantile given.
    #[must_use]
    pub fn interval(&self, quantile: f64) -> Estimate<f64> {
        let value = self.mean();
        // The square root of the cost is all but linear in the mean: a few of Newton's steps will do.
        let excess = |mean| {
            let (cost, slope) = self.cost_and_slope(mean);
            let root = (2.0 * cost).sqrt();
            (root - quantile, slope / root)
        };
        let end = |extreme| numeric::root(extreme, value, f64::midpoint(extreme, value), excess);
        Estimate { value, low: end(0.0), high: end(1.0) }
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
    fn the_cost_of_a_mean_is_what_brute_force_finds() {
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
    fn the_cost_is_nothing_at_the_mean_and_grows_to_both_sides() {
        let weights = SmoothedPentanomial([1.2, 0.2, 3.2, 2.2, 4.2]);
        assert!(weights.cost(weights.mean()) < 1e-12);
        let costs: Vec<_> = (0..=1000).map(|n| weights.cost(f64::from(n) / 1000.0)).collect();
        assert!(costs.iter().all(|cost| cost.is_finite()));
        let least = (weights.mean() * 1000.0) as usize;
        assert!(costs[..least].is_sorted_by(|a, b| a > b) && costs[least + 1..].is_sorted());
    }
}
