//! The mean disc margin.

use super::numeric::{Estimate, student95};

/// The margins of pairs, both games of which were decided on the board (or by exact solving).
///
/// A forfeit says nothing about discs, and one game of a pair alone says more about the opening than about the players:
/// a pair with a forfeit is left out as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiscMargins {
    pairs: u32,
    /// Of both games together, in whole discs: sums of them are exact.
    sum: i64,
    squares: i64,
}

impl DiscMargins {
    /// Counts a pair by the margins of its two games.
    pub fn count(&mut self, one: i32, other: i32) {
        let both = i64::from(one) + i64::from(other);
        self.pairs += 1;
        self.sum += both;
        self.squares += both * both;
    }

    /// The pairs counted.
    #[must_use]
    pub const fn pairs(&self) -> u32 {
        self.pairs
    }

    /// The mean margin per game with its 95 % interval: `m ± t·s/√n` over the `n` pairs, `s` being the standard
    /// deviation of their mean margins and `t` Student's quantile for `n − 1` degrees of freedom. A single pair gives
    /// an infinite interval, no pair nothing.
    #[must_use]
    pub fn mean(&self) -> Option<Estimate<f64>> {
        let pairs = i64::from(self.pairs);
        if pairs == 0 {
            return None;
        }
        let value = self.sum as f64 / (2 * pairs) as f64;
        let reach = if pairs == 1 {
            f64::INFINITY
        } else {
            // n·Σx² − (Σx)² in whole numbers: nothing cancels.
            let spread = (i128::from(pairs) * i128::from(self.squares) - i128::from(self.sum).pow(2)) as f64;
            let variance = spread / (4 * pairs * (pairs - 1)) as f64;
            student95(pairs as u64 - 1) * (variance / pairs as f64).sqrt()
        };
        Some(Estimate { value, low: value - reach, high: value + reach })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_that_of_a_textbook() {
        let mut margins = DiscMargins::default();
        assert_eq!(margins.mean(), None);
        margins.count(6, -2);
        assert_eq!(margins.mean().map(|mean| (mean.value, mean.high)), Some((2.0, f64::INFINITY)));
        for both in [(10, 0), (-4, 2), (8, 8), (20, -8)] {
            margins.count(both.0, both.1);
        }
        // Pair means 2, 5, −1, 8, 6: mean 4, sum of squared deviations 50, s² = 12.5, standard error √2.5.
        let mean = margins.mean().expect("five pairs");
        assert!((mean.value - 4.0).abs() < 1e-12);
        assert!((mean.half_width() - 2.776 * 2.5_f64.sqrt()).abs() < 0.02, "{}", mean.half_width());
    }
}
