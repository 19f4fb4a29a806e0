//! The weights of the hand-made evaluation, in units of [`Score`](crate::score::Score) for each feature counted.

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
}

/// From nearly full boards to the first moves, when the fewest discs win.
pub(super) const REVERSED: &[Weights] = &[
    Weights {
        tempo: 0,
        mobility: 40,
        corner_moves: 10,
        potential: 12,
        corners: -120,
        beside_corners: -8,
        discs: -24,
    },
    Weights {
        tempo: 0,
        mobility: 40,
        corner_moves: 10,
        potential: 12,
        corners: -120,
        beside_corners: -8,
        discs: -16,
    },
    Weights {
        tempo: 0,
        mobility: 36,
        corner_moves: 10,
        potential: 12,
        corners: -120,
        beside_corners: -8,
        discs: -8,
    },
    Weights {
        tempo: 0,
        mobility: 32,
        corner_moves: 10,
        potential: 12,
        corners: -120,
        beside_corners: -8,
        discs: 0,
    },
];

/// From nearly full boards to the first moves, when the most discs win.
pub(super) const STANDARD: &[Weights] = &[
    Weights {
        tempo: 0,
        mobility: 40,
        corner_moves: 100,
        potential: 16,
        corners: 320,
        beside_corners: -60,
        discs: 16,
    },
    Weights {
        tempo: 0,
        mobility: 48,
        corner_moves: 120,
        potential: 20,
        corners: 400,
        beside_corners: -90,
        discs: 0,
    },
    Weights {
        tempo: 0,
        mobility: 48,
        corner_moves: 150,
        potential: 24,
        corners: 450,
        beside_corners: -100,
        discs: -8,
    },
    Weights {
        tempo: 0,
        mobility: 40,
        corner_moves: 150,
        potential: 24,
        corners: 450,
        beside_corners: -100,
        discs: -8,
    },
];
