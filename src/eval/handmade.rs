//! The hand-made evaluation: seven features that a player would name, weighted by stage. Small boards use it.

use crate::board::{Bitboard, Board, Size};
use crate::rules::Rules;
use crate::score::Score;

#[derive(Clone, Copy, Debug)]
pub(super) struct HandMade {
    rules: Rules,
    size: Size,
    area: Bitboard,
    corners: Bitboard,
    edges: Bitboard,
    weights: &'static [FeatureWeights],
}

impl HandMade {
    #[must_use]
    pub(super) fn new(rules: Rules, size: Size) -> Self {
        let weights = match rules {
            Rules::Reversed => REVERSED,
            Rules::Standard => STANDARD,
        };
        let (area, corners) = (size.squares(), size.corners());
        Self { rules, size, area, corners, edges: size.edges() - corners, weights }
    }

    /// For the player to move, who has these moves; the result where the game is over.
    #[must_use]
    pub(super) fn evaluate(&self, board: Board, own_moves: Bitboard) -> Score {
        let other_moves = board.passed().moves(self.area);
        if own_moves.is_empty() && other_moves.is_empty() {
            return self.rules.result(board, self.size).into();
        }
        let empties = self.area - board.discs();
        let weights = self.stage(empties.len());
        let difference = |own: Bitboard, other: Bitboard| own.len() as i32 - other.len() as i32;

        let corner_moves = difference(own_moves & self.corners, other_moves & self.corners);
        let mobility = difference(own_moves, other_moves) - corner_moves;
        let potential = difference(board.other().dilated() & empties, board.own().dilated() & empties);
        let corners = difference(board.own() & self.corners, board.other() & self.corners);
        let beside = (self.corners & empties).dilated();
        let beside_corners = difference(board.own() & beside, board.other() & beside);
        let edges = difference(board.own() & self.edges, board.other() & self.edges);
        let discs = difference(board.own(), board.other());

        Score::from_units(
            weights.tempo
                + weights.mobility * mobility
                + weights.corner_moves * corner_moves
                + weights.potential * potential
                + weights.corners * corners
                + weights.beside_corners * beside_corners
                + weights.edges * edges
                + weights.discs * discs,
        )
    }

    /// Smaller boards go through the stages faster.
    fn stage(&self, empties: u32) -> &'static FeatureWeights {
        let stages = self.weights.len();
        let stage = empties as usize * stages / usize::from(self.size.area());
        &self.weights[stage.min(stages - 1)]
    }
}

/// The weights of one stage in units of [`Score`] for each feature counted, own minus opponent's.
///
/// They are a least-squares fit to the results of twenty thousand self-play games at depth 5.
#[derive(Debug)]
struct FeatureWeights {
    /// Being to move.
    tempo: i32,
    /// Moves, those into corners left out.
    mobility: i32,
    corner_moves: i32,
    /// Empty squares next to the opponent's discs.
    potential: i32,
    corners: i32,
    /// Discs next to empty corners.
    beside_corners: i32,
    discs: i32,
    /// Discs on the edges, corners left out.
    edges: i32,
}

/// By stage, nearly full boards first.
#[rustfmt::skip]
const REVERSED: &[FeatureWeights] = &[
    FeatureWeights { tempo: -100, mobility: 25, corner_moves: 22, potential: 10, corners: -109, beside_corners: 26, discs: -19, edges: -2 },
    FeatureWeights { tempo: -67, mobility: 23, corner_moves: 33, potential: 5, corners: -175, beside_corners: 14, discs: -13, edges: -10 },
    FeatureWeights { tempo: -44, mobility: 17, corner_moves: 23, potential: 9, corners: -182, beside_corners: 10, discs: -12, edges: -15 },
    FeatureWeights { tempo: -35, mobility: 14, corner_moves: 13, potential: 9, corners: -201, beside_corners: 0, discs: -14, edges: -12 },
    FeatureWeights { tempo: -41, mobility: 10, corner_moves: 22, potential: 12, corners: -232, beside_corners: -6, discs: -6, edges: -24 },
    FeatureWeights { tempo: -41, mobility: 10, corner_moves: 22, potential: 12, corners: -232, beside_corners: -6, discs: -6, edges: -24 },
];

#[rustfmt::skip]
const STANDARD: &[FeatureWeights] = &[
    FeatureWeights { tempo: 34, mobility: 134, corner_moves: 143, potential: -15, corners: 96, beside_corners: -57, discs: 24, edges: 3 },
    FeatureWeights { tempo: -16, mobility: 74, corner_moves: 142, potential: 5, corners: 265, beside_corners: -89, discs: 3, edges: 19 },
    FeatureWeights { tempo: -34, mobility: 40, corner_moves: 174, potential: 14, corners: 438, beside_corners: -125, discs: -13, edges: 33 },
    FeatureWeights { tempo: -55, mobility: 23, corner_moves: 230, potential: 18, corners: 619, beside_corners: -169, discs: -25, edges: 38 },
    FeatureWeights { tempo: -64, mobility: 14, corner_moves: 273, potential: 14, corners: 834, beside_corners: -344, discs: -28, edges: 43 },
    FeatureWeights { tempo: -64, mobility: 14, corner_moves: 273, potential: 14, corners: 834, beside_corners: -344, discs: -28, edges: 43 },
];
