//! The figures of the reports, for the columns beside ours.
//!
//! Those of the report behind `maximax` come from some forty games of a program that turned discs in the first direction
//! found only: they are not of the true game.

/// The average number of legal moves with 4 to 63 discs on the board, under random play.
pub use crate::opponents::evaluations::BREADTHS;

/// Their mean.
pub const MEAN_BREADTH: f64 = 8.9495;

/// Their mean over the middle game.
pub const MIDDLE_BREADTH: f64 = 11.0839;

/// The first and last number of discs of the middle game.
pub const MIDDLE: (u32, u32) = (25, 52);

/// The average nodes of alpha-beta to depth 8, with 4 to 63 discs on the board.
pub const NODES: [f64; 60] = [
    4718.0,
    3417.2,
    5966.2,
    8077.35,
    11_556.8,
    10_895.9,
    14_716.9,
    20_135.15,
    21_844.8,
    27_982.95,
    31_761.05,
    33_572.1,
    34_618.75,
    47_106.85,
    38_053.15,
    52_759.2,
    44_033.35,
    46_200.55,
    41_071.8,
    48_206.35,
    42_535.7,
    55_950.05,
    44_863.9,
    55_113.5,
    52_172.45,
    51_687.25,
    46_795.9,
    55_287.3,
    45_400.75,
    50_862.8,
    44_323.7,
    55_210.75,
    41_196.35,
    45_773.85,
    33_494.0,
    42_181.5,
    33_707.75,
    36_366.95,
    28_291.9,
    28_087.55,
    22_076.6,
    22_581.05,
    18_327.85,
    15_726.5,
    10_201.95,
    10_457.55,
    7504.7,
    5452.15,
    4559.3,
    3548.45,
    2617.0,
    1934.75,
    1075.85,
    436.3,
    182.714_286,
    71.904_761_9,
    26.772_727_3,
    10.8,
    5.086_956_52,
    2.166_666_67,
];

/// The average nodes of alpha-beta by disc count and depth, as far as they are told.
#[must_use]
pub fn nodes(discs: u32, depth: u8) -> Option<f64> {
    match (discs, depth) {
        (4..=63, 8) => NODES.get(discs as usize - 4).copied(),
        (25, 4) => Some(296.35),
        (25, 2) => Some(14.55),
        _ => None,
    }
}

/// How many times fewer nodes than minimax, with 25 discs at depth 8: the minimax figure is a power of the breadth.
pub const PRUNED: f64 = 328.909;

/// The share of pairings that an evaluation of a single feature won, in the report behind `staged`.
#[must_use]
pub fn feature_rate(name: &str) -> Option<f64> {
    match name {
        "squares" => Some(1.0),
        "stability" => Some(0.667),
        "frontier" => Some(0.333),
        "mobility" => Some(0.0),
        _ => None,
    }
}

/// The Monte-Carlo win rate that a report gives for a player of the reversed game: that of its best evaluation, which it
/// measures without a search.
#[must_use]
pub fn win_rate(name: &str) -> Option<f64> {
    (name == "greedy-invincible").then_some(0.93)
}

/// The depth that `maximax` is said to reach in five seconds a move, in the middle game and at the end.
pub const DEPTHS: [u8; 2] = [9, 12];
