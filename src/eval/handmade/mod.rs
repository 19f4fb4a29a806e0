//! The hand-made evaluation: a handful of features that a player would name, weighed by stage of the game.

mod weights;

use crate::board::{Bitboard, Board, Size};
use crate::rules::Rules;
use crate::score::Score;

use weights::{REVERSED, STANDARD, Weights};

/// Values positions under one rule set on one size of board.
#[derive(Clone, Copy, Debug)]
pub(super) struct HandMade {
    rules: Rules,
    size: Size,
    area: Bitboard,
    corners: Bitboard,
    edges: Bitboard,
    weights: &'static [Weights],
}

impl HandMade {
    /// The evaluation for a rule set and a size of board.
    #[must_use]
    pub(super) fn new(rules: Rules, size: Size) -> Self {
        let weights = match rules {
            Rules::Reversed => REVERSED,
            Rules::Standard => STANDARD,
        };
        let (area, corners) = (size.squares(), size.corners());
        Self { rules, size, area, corners, edges: size.edges() - corners, weights }
    }

    /// The value for the player to move, who has these moves; the true result where the game is over.
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

    /// The weights for a board with so many empty squares; smaller boards go through the stages faster.
    fn stage(&self, empties: u32) -> &'static Weights {
        let stages = self.weights.len();
        let stage = empties as usize * stages / usize::from(self.size.area());
        &self.weights[stage.min(stages - 1)]
    }
}
