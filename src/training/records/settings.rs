//! How games are played.

use std::fmt;

use crate::rules::Rules;

/// Moves of a game without passes.
pub const MOST_MOVES: usize = 60;

/// The greatest number of detours in a game.
pub const MOST_DETOURS: usize = 15;

/// What the games of a block depend on, besides their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SelfplaySettings {
    pub rules: Rules,
    /// Whom both sides play for until the solve: for the other rules, games reach positions that good play avoids.
    pub play_for: Rules,
    /// Whether most of the last moves before the solve are random.
    pub noise_before_solve: bool,
    /// The greatest number of moves between the random ones and the solve that are not the best.
    pub detours: u8,
    /// Search depth.
    pub depth: u8,
    /// Empty squares from which the game is solved.
    pub exact: u8,
    /// The least and the greatest number of random moves at the start.
    pub random: (u8, u8),
    pub seed: u64,
    /// Fingerprint of the evaluation.
    pub evaluation: u32,
}

impl fmt::Display for SelfplaySettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rules, play_for, noise_before_solve, detours, depth, exact, random, seed, evaluation } =
            self;
        let noise = if *noise_before_solve { "noise before the solve, " } else { "" };
        write!(f, "{rules} rules, playing for {play_for}, {noise}depth {depth}, exact from {exact}, ")?;
        if *detours > 0 {
            write!(f, "{detours} detours, ")?;
        }
        write!(f, "random {}..{}, seed {seed}, evaluation {evaluation:08x}", random.0, random.1)
    }
}

impl SelfplaySettings {
    /// The first ply at which the game is solved.
    #[must_use]
    pub fn solve_ply(&self) -> u8 {
        (MOST_MOVES as u8).saturating_sub(self.exact)
    }

    /// Whether records keep the value of a search at a ply after the random moves: not where there is no choice, nor
    /// from the solve on, where the result is the value. What is searched for other rules says nothing about these.
    #[must_use]
    pub fn keeps_value(&self, ply: u8, legal_moves: u32) -> bool {
        self.play_for == self.rules && ply < self.solve_ply() && legal_moves > 1
    }

    /// The first ply from which on neither noise nor playing for other rules spoils the result.
    pub(super) fn undisturbed_from(&self) -> u8 {
        if self.noise_before_solve || self.play_for != self.rules { self.solve_ply() } else { 0 }
    }
}
