//! The results of one pairing, game by game.

use std::collections::BTreeMap;

use super::numeric::{Estimate, student95};
use super::pairs::{GameResult, PairScore, Pentanomial, WinDrawLoss};

/// A game from the view of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameOutcome {
    pub outcome: GameResult,
    /// Discs; none after a forfeit.
    pub margin: Option<i32>,
}

/// All games of two players, from the view of the first.
#[derive(Clone, Debug, Default)]
pub struct HeadToHead {
    tally: WinDrawLoss,
    pairs: Pentanomial,
    margins: DiscMargins,
    /// Games whose pair is not complete, by pair number.
    open: BTreeMap<u32, GameOutcome>,
}

impl HeadToHead {
    /// Counts a game by its number, each only once. Returns number and score of the pair that it completes.
    pub fn add(&mut self, number: u32, result: GameOutcome) -> Option<(u32, PairScore)> {
        let pair = number / 2;
        self.tally.count(result.outcome);
        let Some(first) = self.open.remove(&pair) else {
            self.open.insert(pair, result);
            return None;
        };
        let score = PairScore::of(first.outcome, result.outcome);
        self.pairs.count(score);
        if let (Some(one), Some(other)) = (first.margin, result.margin) {
            self.margins.count(one, other);
        }
        Some((pair, score))
    }

    /// All games, also those of incomplete pairs.
    #[must_use]
    pub const fn tally(&self) -> WinDrawLoss {
        self.tally
    }

    #[must_use]
    pub const fn pairs(&self) -> &Pentanomial {
        &self.pairs
    }

    #[must_use]
    pub const fn margins(&self) -> &DiscMargins {
        &self.margins
    }

    /// The games of incomplete pairs.
    #[must_use]
    pub fn singles(&self) -> WinDrawLoss {
        let mut tally = WinDrawLoss::default();
        self.open.values().for_each(|game| tally.count(game.outcome));
        tally
    }
}

/// Disc margins of complete pairs without a forfeit.
///
/// A forfeit says nothing about discs, and one game of a pair says more about the opening than about the players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiscMargins {
    pairs: u32,
    /// Of both games together, in discs.
    sum: i64,
    squares: i64,
}

impl DiscMargins {
    pub fn count(&mut self, one: i32, other: i32) {
        let both = i64::from(one) + i64::from(other);
        self.pairs += 1;
        self.sum += both;
        self.squares += both * both;
    }

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

    fn board(margin: i32) -> GameOutcome {
        GameOutcome { outcome: GameResult::of_margin(margin), margin: Some(margin) }
    }

    #[test]
    fn games_of_a_pair_may_finish_in_any_order() {
        let mut head_to_head = HeadToHead::default();
        assert_eq!(head_to_head.add(5, board(4)), None);
        assert_eq!(head_to_head.add(0, board(-10)), None);
        assert_eq!(head_to_head.add(4, board(0)), Some((2, PairScore::ALL[3])));
        assert_eq!(head_to_head.add(7, board(2)), None);
        let forfeit = GameOutcome { outcome: GameResult::Win, margin: None };
        assert_eq!(head_to_head.add(1, forfeit), Some((0, PairScore::ALL[2])));
        assert_eq!(head_to_head.tally(), WinDrawLoss { wins: 3, draws: 1, losses: 1 });
        assert_eq!(head_to_head.pairs(), &Pentanomial::new([0, 0, 1, 1, 0]));
        assert_eq!(head_to_head.singles(), WinDrawLoss { wins: 1, draws: 0, losses: 0 });
        assert_eq!(head_to_head.margins().mean().map(|mean| mean.value), Some(2.0));
    }

    #[test]
    fn the_interval_of_margins_is_that_of_a_textbook() {
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
