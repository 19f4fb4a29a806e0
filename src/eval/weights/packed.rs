//! Weights as they are trained and stored.

use crate::eval::network::PackedNetwork;
use crate::eval::pattern;
use crate::rules::Rules;

/// Numbers of empty squares that share a stage.
pub const STAGE_WIDTH: usize = 2;

/// The last stage holds all earlier plies: there are few positions to tell apart then.
pub const STAGES: usize = 27;

/// Weights for 0, 1, 2, … moves of a side; the last stands for all higher mobilities.
pub const MOBILITY_WEIGHTS: usize = 40;

/// Units of a weight in a unit of a [`Score`](crate::score::Score).
pub const UNITS_PER_SCORE: i32 = 2;

/// The stage of a board with so many empty squares.
#[must_use]
#[inline]
pub const fn stage(empties: usize) -> usize {
    let stage = empties / STAGE_WIDTH;
    if stage < STAGES { stage } else { STAGES - 1 }
}

/// The least and the greatest number of empty squares of a stage.
#[must_use]
pub const fn span(stage: usize) -> (usize, usize) {
    let first = stage * STAGE_WIDTH;
    (first, if stage + 1 < STAGES { first + STAGE_WIDTH - 1 } else { 60 })
}

/// Weights as they are trained and stored: mirror images share theirs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedWeights {
    pub rules: Rules,
    /// Where they come from, for people to read.
    pub origin: String,
    /// For each number of empty squares, what being to move is worth.
    pub tempo: [i16; 64],
    /// For each stage the unique weights of the patterns, then [`MOBILITY_WEIGHTS`] for the player to move and as many
    /// for the opponent.
    pub stages: Vec<Vec<i16>>,
    /// The hidden layer, if they have one.
    pub network: Option<PackedNetwork>,
}

impl PackedWeights {
    #[must_use]
    pub fn zeroes(rules: Rules) -> Self {
        let stages = vec![vec![0; Self::stage_length()]; STAGES];
        Self { rules, origin: String::new(), tempo: [0; 64], stages, network: None }
    }

    /// Weights of a stage.
    #[must_use]
    pub fn stage_length() -> usize {
        pattern::unique_weights() + 2 * MOBILITY_WEIGHTS
    }
}
