//! A board for several moves in a row.

use super::kernel::Lanes;
use super::{Bitboard, Board, Square};

/// A board that keeps its discs in the form that the kernels take too: where those have vector units, what a move leads
/// to is there at once for the next move, without a way through the ordinary registers.
///
/// The functions are part of their callers by force; see the kernels.
#[derive(Clone, Copy)]
pub(crate) struct VectorBoard {
    board: Board,
    discs: Lanes,
}

impl VectorBoard {
    /// The same board in the plain form.
    #[inline(always)]
    pub(crate) fn board(self) -> Board {
        self.board
    }

    /// The same discs, seen by the other player.
    #[inline(always)]
    pub(crate) fn passed(self) -> Self {
        Self { board: self.board.passed(), discs: self.discs.passed() }
    }

    /// See [`Board::flips`].
    #[inline(always)]
    pub(crate) fn flips(self, square: Square) -> Bitboard {
        Bitboard(self.discs.flips(square))
    }

    /// The board after a move to an empty square, seen by the next player; none if the move is illegal.
    #[inline(always)]
    pub(crate) fn play(self, square: Square) -> Option<Self> {
        // This is known before the flips are, and often enough all there is to know.
        if (square.neighbours() & self.board.other).is_empty() {
            return None;
        }
        let (flips, next) = self.after_with_flips(square);
        (!flips.is_empty()).then_some(next)
    }

    /// The board after a legal move, seen by the next player.
    #[inline(always)]
    pub(crate) fn after(self, square: Square) -> Self {
        self.after_with_flips(square).1
    }

    #[inline(always)]
    fn after_with_flips(self, square: Square) -> (Bitboard, Self) {
        let (flips, discs) = self.discs.after(square);
        let flips = Bitboard(flips);
        (flips, Self { board: self.board.after(square, flips), discs })
    }
}

impl From<Board> for VectorBoard {
    #[inline(always)]
    fn from(board: Board) -> Self {
        Self { board, discs: board.lanes() }
    }
}
