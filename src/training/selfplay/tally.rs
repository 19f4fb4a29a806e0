//! What games have brought, counted.

use std::fmt;

use crate::training::records::Game;

/// Games, positions and results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many games.
    pub games: u64,
    /// How many positions to learn from.
    pub positions: u64,
    /// Won by Black.
    pub black: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by White.
    pub white: u64,
    /// All results for Black together, in discs.
    discs: i64,
}

impl Tally {
    /// Counts a game.
    pub fn add(&mut self, game: &Game) {
        self.games += 1;
        self.positions += (game.moves().len() - usize::from(game.random_plies())) as u64;
        let discs = i64::from(game.result().0);
        self.discs += discs;
        match discs.signum() {
            1 => self.black += 1,
            0 => self.draws += 1,
            _ => self.white += 1,
        }
    }

    /// Counts all that another has counted.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.positions += other.positions;
        self.black += other.black;
        self.draws += other.draws;
        self.white += other.white;
        self.discs += other.discs;
    }

    /// The mean result for Black, in discs; 0 without games.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.discs as f64 / self.games.max(1) as f64
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { positions, black, draws, white, .. } = self;
        write!(
            f,
            "{positions} positions; Black won {black}, drew {draws}, lost {white}, {:+.2} discs a game",
            self.mean()
        )
    }
}
