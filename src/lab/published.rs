//! The figures of the reports, for the columns beside ours.
//!
//! Those of the report behind `maximax` are not of the true game: the author's public program turns discs in the first
//! direction found only. The report itself does not say so.

/// The average number of legal moves with 4 to 63 discs on the board, under random play: multiples of a fortieth, so of
/// some forty games.
pub use crate::arena::opponents::evaluations::BREADTHS;

/// Their mean as the report states it. The numbers that it prints have another one: [`mean_of_breadths`].
pub const MEAN_BREADTH: f64 = 8.9495;

/// The mean of the breadths that the report prints, 8.768.
#[must_use]
pub fn mean_of_breadths() -> f64 {
    BREADTHS.iter().sum::<f64>() / BREADTHS.len() as f64
}

/// Their mean over the middle game.
pub const MIDDLE_BREADTH: f64 = 11.0839;

/// The first and last number of discs of the middle game.
pub const MIDDLE: (u32, u32) = (25, 52);

/// The average nodes of alpha-beta to depth 8, with 4 to 63 discs on the board: multiples of a twentieth, so of some
/// twenty games.
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

/// How many times fewer nodes than minimax, with 25 discs at depth 8. The minimax figure is [`PRUNED_BREADTH`] to the
/// power of 8.
pub const PRUNED: f64 = 328.909;

/// The breadth behind [`PRUNED`]: neither the mean that the report states nor that of the numbers it prints.
pub const PRUNED_BREADTH: f64 = 8.093;

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

/// The Monte-Carlo win rates of the two sets of weights that the report behind `maximax` found, without a search.
pub const GENETIC_WIN_RATES: [f64; 2] = [0.853_45, 0.93];

/// The fitness that the second of them reached, of at most a half. The report calls it the *neighbour killing value* and
/// does not define it.
pub const NEIGHBOUR_KILLING: f64 = 0.40;

/// Generations and the rank in the course's ladder after them, in the report behind `ga-minimax`.
pub const RANKS: [(u32, u64); 3] = [(80, 30), (200, 10), (3000, 3)];

/// The seconds of five searches of one middle-game board to depth 6 in the report behind `staged`, by what was sped up.
pub const SPEED_UPS: [(&str, [f64; 5]); 5] = [
    ("bare", [9.751, 9.744, 9.739, 9.793, 9.727]),
    ("move ordering", [5.513, 5.431, 5.420, 5.470, 5.419]),
    ("flips taken back", [9.697, 9.753, 9.729, 9.668, 9.881]),
    ("Numba", [2.053, 2.009, 2.017, 2.041, 2.025]),
    ("all", [1.891, 1.920, 1.945, 1.917, 1.923]),
];

/// Depths of `minimax3` and the moves of a game that took more than five seconds.
pub const OVERRUNS: [(u8, u64); 4] = [(2, 2), (3, 5), (4, 11), (5, 19)];

/// The share of five seconds a move that a player leaves unused by its report: `maximax` says so, and `ga-minimax` that a
/// move takes four seconds on average.
#[must_use]
pub fn unused_time(name: &str) -> Option<f64> {
    matches!(name, "maximax" | "ga-minimax").then_some(0.2)
}

/// The depth that `maximax` is said to reach in five seconds a move, in the middle game and at the end.
pub const DEPTHS: [u8; 2] = [9, 12];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_figures_contradict_the_stated_ones() {
        assert!((mean_of_breadths() - 8.768).abs() < 0.0005 && MEAN_BREADTH > 8.94);
        let (first, last) = MIDDLE;
        let middle = &BREADTHS[first as usize - 4..=last as usize - 4];
        assert!((middle.iter().sum::<f64>() / middle.len() as f64 - MIDDLE_BREADTH).abs() < 1e-4);
        let nodes = nodes(25, 8).expect("it is told");
        assert!((PRUNED_BREADTH.powi(8) / nodes - PRUNED).abs() < 1e-3);
        // By the mean that the report states it would be 736 times.
        assert!((MEAN_BREADTH.powi(8) / nodes - 735.5).abs() < 0.1);
    }
}
