//! The weights of the hand-made evaluation, in units of [`Score`](crate::score::Score) for each feature counted.
//!
//! The features were chosen by hand; their weights are a least-squares fit to the results of twenty thousand games of
//! the engine against itself at depth 5, per stage of the game.

/// What each feature is worth at one stage of the game.
#[derive(Debug)]
pub(super) struct Weights {
    /// Being to move.
    pub tempo: i32,
    /// Own moves minus the opponent's, corners left out.
    pub mobility: i32,
    /// Own moves into corners minus the opponent's.
    pub corner_moves: i32,
    /// Empty squares next to the opponent's discs minus those next to own ones: moves to come.
    pub potential: i32,
    /// Own corners minus the opponent's.
    pub corners: i32,
    /// Own discs next to empty corners minus the opponent's.
    pub beside_corners: i32,
    /// Own discs minus the opponent's.
    pub discs: i32,
    /// Own discs on the edges, corners left out, minus the opponent's.
    pub edges: i32,
}

/// From nearly full boards to the first moves, when the fewest discs win.
#[rustfmt::skip]
pub(super) const REVERSED: &[Weights] = &[
    Weights { tempo: -100, mobility: 25, corner_moves: 22, potential: 10, corners: -109, beside_corners: 26, discs: -19, edges: -2 },
    Weights { tempo: -67, mobility: 23, corner_moves: 33, potential: 5, corners: -175, beside_corners: 14, discs: -13, edges: -10 },
    Weights { tempo: -44, mobility: 17, corner_moves: 23, potential: 9, corners: -182, beside_corners: 10, discs: -12, edges: -15 },
    Weights { tempo: -35, mobility: 14, corner_moves: 13, potential: 9, corners: -201, beside_corners: 0, discs: -14, edges: -12 },
    Weights { tempo: -41, mobility: 10, corner_moves: 22, potential: 12, corners: -232, beside_corners: -6, discs: -6, edges: -24 },
    Weights { tempo: -41, mobility: 10, corner_moves: 22, potential: 12, corners: -232, beside_corners: -6, discs: -6, edges: -24 },
];

/// From nearly full boards to the first moves, when the most discs win.
#[rustfmt::skip]
pub(super) const STANDARD: &[Weights] = &[
    Weights { tempo: 34, mobility: 134, corner_moves: 143, potential: -15, corners: 96, beside_corners: -57, discs: 24, edges: 3 },
    Weights { tempo: -16, mobility: 74, corner_moves: 142, potential: 5, corners: 265, beside_corners: -89, discs: 3, edges: 19 },
    Weights { tempo: -34, mobility: 40, corner_moves: 174, potential: 14, corners: 438, beside_corners: -125, discs: -13, edges: 33 },
    Weights { tempo: -55, mobility: 23, corner_moves: 230, potential: 18, corners: 619, beside_corners: -169, discs: -25, edges: 38 },
    Weights { tempo: -64, mobility: 14, corner_moves: 273, potential: 14, corners: 834, beside_corners: -344, discs: -28, edges: 43 },
    Weights { tempo: -64, mobility: 14, corner_moves: 273, potential: 14, corners: 834, beside_corners: -344, discs: -28, edges: 43 },
];
