//! A board for several moves in a row.

use super::bitboard::Bitboard;
use super::board::Board;
use super::kernel::KernelBoard;
use super::square::Square;

/// A board that also keeps its discs in the form of the kernels: with SIMD the board after a move stays in vector
/// registers for the next move.
///
/// Everything is `inline(always)`, as in the kernels.
#[derive(Clone, Copy)]
pub(crate) struct VectorBoard {
    board: Board,
    kernel: KernelBoard,
}

impl VectorBoard {
    #[inline(always)]
    pub(crate) fn board(self) -> Board {
        self.board
    }

    #[inline(always)]
    pub(crate) fn passed(self) -> Self {
        Self { board: self.board.passed(), kernel: self.kernel.passed() }
    }

    #[inline(always)]
    pub(crate) fn flips(self, square: Square) -> Bitboard {
        Bitboard(self.kernel.flips(square))
    }

    /// The board after a move to an empty square, seen by the next player; none if the move is illegal.
    #[inline(always)]
    pub(crate) fn play(self, square: Square) -> Option<Self> {
        // Without neighbours of the opponent there are no flips; this test is faster.
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
        let (flips, kernel) = self.kernel.after(square);
        let flips = Bitboard(flips);
        (flips, Self { board: self.board.after(square, flips), kernel })
    }
}

impl From<Board> for VectorBoard {
    #[inline(always)]
    fn from(board: Board) -> Self {
        Self { board, kernel: board.to_kernel() }
    }
}
