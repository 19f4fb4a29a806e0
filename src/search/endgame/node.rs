//! A board in the shallow endgame, with moves and parity.

use crate::board::{Bitboard, Board, Square};

use super::empties::Empties;

/// At least four empty squares.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) board: Board,
    pub(super) moves: Bitboard,
    pub(super) empties: Empties,
}

impl Node {
    #[inline]
    pub(super) fn new(board: Board, empties: Empties) -> Self {
        Self { board, moves: board.moves(empties.squares()), empties }
    }

    #[inline]
    pub(super) fn after(&self, square: Square) -> Self {
        let empties = self.empties.without(square);
        let (board, moves) = self.board.after_with_moves(square, empties.squares());
        Self { board, moves, empties }
    }

    /// None if neither side can move.
    #[inline]
    pub(super) fn passed(&self) -> Option<Self> {
        let passed = Self::new(self.board.passed(), self.empties);
        (!passed.moves.is_empty()).then_some(passed)
    }
}
