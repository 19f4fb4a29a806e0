//! Results of games and of pairs, and their counts.

use std::ops::Add;

/// From the view of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GameResult {
    Loss,
    Draw,
    Win,
}

impl GameResult {
    /// The margin is positive for a win, by the rules of the match.
    #[must_use]
    pub const fn of_margin(margin: i32) -> Self {
        match margin.signum() {
            -1 => Self::Loss,
            0 => Self::Draw,
            _ => Self::Win,
        }
    }

    /// For the opponent.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    const fn half_points(self) -> u8 {
        match self {
            Self::Loss => 0,
            Self::Draw => 1,
            Self::Win => 2,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WinDrawLoss {
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
}

impl WinDrawLoss {
    pub fn count(&mut self, outcome: GameResult) {
        match outcome {
            GameResult::Win => self.wins += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Loss => self.losses += 1,
        }
    }

    #[must_use]
    pub const fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// 1 for a win, ½ for a draw.
    #[must_use]
    pub fn points(&self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// From 0 to 1; none without games.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / f64::from(self.games()))
    }

    /// For the opponent.
    #[must_use]
    pub const fn reversed(&self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl Add for WinDrawLoss {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }
}

/// 0, ½, 1, 1½ or 2 points, in half points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PairScore(u8);

impl PairScore {
    /// From 0 to 2 points.
    pub const ALL: [Self; 5] = [Self(0), Self(1), Self(2), Self(3), Self(4)];

    #[must_use]
    pub const fn of(one: GameResult, other: GameResult) -> Self {
        Self(one.half_points() + other.half_points())
    }

    /// Mean points of the two games: 0, ¼, ½, ¾ or 1.
    #[must_use]
    pub fn per_game(self) -> f64 {
        f64::from(self.0) / 4.0
    }
}

/// The number of pairs with 0, ½, 1, 1½ and 2 points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentanomial([u32; 5]);

impl Pentanomial {
    #[must_use]
    pub const fn new(counts: [u32; 5]) -> Self {
        Self(counts)
    }

    pub fn count(&mut self, score: PairScore) {
        self.0[usize::from(score.0)] += 1;
    }

    #[must_use]
    pub const fn counts(&self) -> [u32; 5] {
        self.0
    }

    #[must_use]
    pub fn pairs(&self) -> u32 {
        self.0.iter().sum()
    }

    /// Per game, from 0 to 1; none without pairs.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        let points: f64 = PairScore::ALL.iter().zip(self.0).map(|(s, n)| s.per_game() * f64::from(n)).sum();
        (self.pairs() > 0).then(|| points / f64::from(self.pairs()))
    }

    /// For the opponent.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let mut counts = self.0;
        counts.reverse();
        Self(counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_score_what_their_games_do() {
        use GameResult::{Draw, Loss, Win};
        let mut pairs = Pentanomial::default();
        for (one, other) in [(Loss, Loss), (Draw, Loss), (Loss, Win), (Draw, Draw), (Win, Draw), (Win, Win)] {
            assert_eq!(PairScore::of(one, other), PairScore::of(other, one));
            pairs.count(PairScore::of(one, other));
        }
        assert_eq!(pairs, Pentanomial::new([1, 1, 2, 1, 1]));
        assert_eq!((pairs.pairs(), pairs.score()), (6, Some(0.5)));
        assert_eq!(Pentanomial::default().score(), None);
        assert_eq!(Pentanomial::new([1, 2, 3, 4, 5]).reversed(), Pentanomial::new([5, 4, 3, 2, 1]));
    }

    #[test]
    fn tallies_count_games() {
        let mut tally = WinDrawLoss::default();
        assert_eq!(tally.score(), None);
        for margin in [3, 64, 0, -1] {
            tally.count(GameResult::of_margin(margin));
        }
        assert_eq!(tally, WinDrawLoss { wins: 2, draws: 1, losses: 1 });
        assert_eq!((tally.games(), tally.points(), tally.score()), (4, 2.5, Some(0.625)));
        assert_eq!((tally + tally.reversed()).score(), Some(0.5));
    }
}
