//! Means, shares and rank correlations with their intervals.

use crate::arena::statistics::Estimate;
use crate::arena::statistics::numeric::{Z95, student95};
use crate::random::Random;

/// Welford's running mean and variance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SampleMean {
    count: u64,
    mean: f64,
    /// Sum of squared deviations.
    squares: f64,
}

impl SampleMean {
    pub fn add(&mut self, number: f64) {
        self.count += 1;
        let before = number - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (number - self.mean);
    }

    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The standard deviation; 0 of a single number.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        (self.squares / self.count.saturating_sub(1).max(1) as f64).sqrt()
    }

    /// With its 95 % interval by Student's distribution, infinite for a single number; none without numbers.
    #[must_use]
    pub fn mean(&self) -> Option<Estimate<f64>> {
        if self.count == 0 {
            return None;
        }
        let freedom = self.count - 1;
        let error = (self.squares / freedom.max(1) as f64 / self.count as f64).sqrt();
        let reach = if freedom == 0 { f64::INFINITY } else { student95(freedom) * error };
        Some(Estimate { value: self.mean, low: self.mean - reach, high: self.mean + reach })
    }
}

impl FromIterator<f64> for SampleMean {
    fn from_iter<I: IntoIterator<Item = f64>>(numbers: I) -> Self {
        let mut sample = Self::default();
        numbers.into_iter().for_each(|number| sample.add(number));
        sample
    }
}

/// `hits / of` with Wilson's 95 % interval; none if `of` is 0.
#[must_use]
pub fn share(hits: u64, of: u64) -> Option<Estimate<f64>> {
    if of == 0 {
        return None;
    }
    let (n, square) = (of as f64, Z95 * Z95);
    let value = hits as f64 / n;
    let middle = (value + square / (2.0 * n)) / (1.0 + square / n);
    let reach = Z95 / (1.0 + square / n) * (value * (1.0 - value) / n + square / (4.0 * n * n)).sqrt();
    // Rounding must not leave the value outside of its interval.
    Some(Estimate {
        value,
        low: (middle - reach).clamp(0.0, value),
        high: (middle + reach).clamp(value, 1.0),
    })
}

/// Bootstrap samples of a rank correlation.
const DRAWS: usize = 2000;

/// Spearman's rank correlation with its 95 % bootstrap interval; ties share their rank. None if all first or all second
/// numbers are equal.
#[must_use]
pub fn spearman(pairs: &[(f64, f64)], seed: u64) -> Option<Estimate<f64>> {
    let value = rank_correlation(pairs)?;
    let mut random = Random::new(seed);
    let drawn = (0..DRAWS).filter_map(|_| {
        let again: Vec<_> = (0..pairs.len()).filter_map(|_| random.pick(pairs).copied()).collect();
        rank_correlation(&again)
    });
    let [low, high] = middle(drawn.collect());
    Some(Estimate { value, low, high })
}

/// The 2.5 % and 97.5 % quantiles; infinite without numbers.
pub(super) fn middle(mut numbers: Vec<f64>) -> [f64; 2] {
    numbers.sort_by(f64::total_cmp);
    let last = numbers.len().saturating_sub(1) as f64;
    let at = |part: f64, none| numbers.get((part * last).round() as usize).copied().unwrap_or(none);
    [at(0.025, f64::NEG_INFINITY), at(0.975, f64::INFINITY)]
}

fn rank_correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let one = ranks(pairs.iter().map(|pair| pair.0).collect());
    let other = ranks(pairs.iter().map(|pair| pair.1).collect());
    correlation(&one, &other)
}

/// Ties have their mean rank.
fn ranks(numbers: Vec<f64>) -> Vec<f64> {
    let rank = |number: f64| {
        let below = numbers.iter().filter(|&&other| other < number).count();
        let equal = numbers.iter().filter(|&&other| other == number).count();
        below as f64 + (equal as f64 - 1.0) / 2.0
    };
    numbers.iter().map(|&number| rank(number)).collect()
}

fn correlation(one: &[f64], other: &[f64]) -> Option<f64> {
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len().max(1) as f64;
    let (mean_one, mean_other) = (mean(one), mean(other));
    let [mut both, mut first, mut second] = [0.0; 3];
    for (a, b) in one.iter().zip(other) {
        both += (a - mean_one) * (b - mean_other);
        first += (a - mean_one).powi(2);
        second += (b - mean_other).powi(2);
    }
    (first > 0.0 && second > 0.0).then(|| both / (first * second).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_have_the_intervals_of_a_textbook() {
        let sample: SampleMean = [2.0, 5.0, -1.0, 8.0, 6.0].into_iter().collect();
        let mean = sample.mean().expect("five numbers");
        assert!((mean.value - 4.0).abs() < 1e-12);
        assert!((mean.half_width() - student95(4) * 2.5_f64.sqrt()).abs() < 1e-9);
        assert_eq!(SampleMean::default().mean(), None);
        assert_eq!(
            [3.0].into_iter().collect::<SampleMean>().mean().map(|mean| mean.high),
            Some(f64::INFINITY)
        );
    }

    #[test]
    fn shares_stay_between_none_and_all() {
        let all = share(10, 10).expect("ten");
        assert_eq!((all.value, all.high), (1.0, 1.0));
        assert!((all.low - 0.7225).abs() < 1e-3);
        let half = share(50, 100).expect("a hundred");
        assert!((half.low - 0.4038).abs() < 1e-3 && (half.high - 0.5962).abs() < 1e-3);
        assert_eq!(share(0, 0), None);
    }

    #[test]
    fn only_the_order_matters_to_a_rank_correlation() {
        let up = [(1.0, 1.0), (2.0, 100.0), (3.0, 101.0), (4.0, 1e9)];
        assert_eq!(rank_correlation(&up), Some(1.0));
        let down: Vec<_> = up.iter().map(|&(a, b)| (a, -b)).collect();
        assert_eq!(rank_correlation(&down), Some(-1.0));
        assert_eq!(rank_correlation(&[(1.0, 2.0), (1.0, 3.0)]), None);
        // Two neighbours exchanged among five: 1 − 6·2 / (5·24).
        let swapped = [(1.0, 1.0), (2.0, 3.0), (3.0, 2.0), (4.0, 4.0), (5.0, 5.0)];
        let found = spearman(&swapped, 1).expect("they differ");
        assert!((found.value - 0.9).abs() < 1e-12);
        assert!(found.low < 0.9 && found.high > 0.9, "{found:?}");
        assert_eq!(spearman(&swapped, 1), Some(found));
    }
}
