//! The stages of the game, and how many weights each has beside those of the patterns.

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
