//! Weights as they are trained and stored.

use super::layout::{MOBILITY_WEIGHTS, STAGES};
use super::network::PackedNetwork;
use crate::eval::pattern;
use crate::rules::Rules;

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
