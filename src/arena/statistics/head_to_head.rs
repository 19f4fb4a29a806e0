//! One pairing, game by game.

use std::collections::BTreeMap;

use super::margin::DiscMargins;
use super::pairs::{GameResult, PairScore, Pentanomial, WinDrawLoss};

/// A game as one of its players sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameOutcome {
    /// What it was.
    pub outcome: GameResult,
    /// The discs it was won or lost by; none after a forfeit.
    pub margin: Option<i32>,
}

/// All games of two players, as the first of them sees it.
#[derive(Clone, Debug, Default)]
pub struct HeadToHead {
    tally: WinDrawLoss,
    pairs: Pentanomial,
    margins: DiscMargins,
    /// Games whose twin is not finished, by the number of their pair.
    open: BTreeMap<u32, GameOutcome>,
}

impl HeadToHead {
    /// Counts a game by its place in the schedule; no game may be counted twice. If it completes a pair, that pair's
    /// number and score are given.
    pub fn add(&mut self, number: u32, result: GameOutcome) -> Option<(u32, PairScore)> {
        let pair = number / 2;
        self.tally.count(result.outcome);
        let Some(twin) = self.open.remove(&pair) else {
            self.open.insert(pair, result);
            return None;
        };
        let score = PairScore::of(twin.outcome, result.outcome);
        self.pairs.count(score);
        if let (Some(one), Some(other)) = (twin.margin, result.margin) {
            self.margins.count(one, other);
        }
        Some((pair, score))
    }

    /// All games, those without a finished twin too.
    #[must_use]
    pub const fn tally(&self) -> WinDrawLoss {
        self.tally
    }

    /// The complete pairs.
    #[must_use]
    pub const fn pairs(&self) -> &Pentanomial {
        &self.pairs
    }

    /// The disc margins.
    #[must_use]
    pub const fn margins(&self) -> &DiscMargins {
        &self.margins
    }

    /// The games without a finished twin.
    #[must_use]
    pub fn singles(&self) -> WinDrawLoss {
        let mut tally = WinDrawLoss::default();
        self.open.values().for_each(|game| tally.count(game.outcome));
        tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(margin: i32) -> GameOutcome {
        GameOutcome { outcome: GameResult::of_margin(margin), margin: Some(margin) }
    }

    #[test]
    fn games_make_pairs_in_whatever_order_they_finish() {
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
}
