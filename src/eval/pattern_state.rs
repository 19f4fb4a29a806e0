//! A board with its legal moves and pattern indices, updated move by move.

use crate::board::{Bitboard, Board, Size, Square};
use crate::score::Score;

use super::kernel::update_indices;
use super::pattern::{LANES, PatternIndices, SQUARE_DELTAS};

/// Patterns lie on the full board.
const AREA: Bitboard = Size::Eight.squares();

/// A board seen by the player to move, the moves, and the indices of all patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternState {
    pub board: Board,
    /// On the 8×8 board: a smaller one takes those within it.
    moves: Bitboard,
    indices: PatternIndices,
    /// The static value, once somebody has told it.
    value: Option<Score>,
}

impl PatternState {
    /// Computes the indices from scratch.
    #[must_use]
    pub fn new(board: Board) -> Self {
        let mut indices = PatternIndices([0; LANES]);
        for (discs, digit) in [(board.own(), 1), (board.other(), -1)] {
            for square in discs {
                for (index, delta) in indices.0.iter_mut().zip(SQUARE_DELTAS[square.index()].0) {
                    *index += digit * delta;
                }
            }
        }
        Self { board, moves: board.moves(AREA), indices, value: None }
    }

    /// The state after a legal move, seen by the next player.
    #[must_use]
    #[inline]
    pub fn after(&self, square: Square) -> Self {
        let (board, moves) = self.board_after(square);
        self.child(square, board, moves)
    }

    /// The board after a legal move, seen by the next player, and the moves there.
    #[must_use]
    #[inline]
    pub fn board_after(&self, square: Square) -> (Board, Bitboard) {
        self.board.after_with_moves(square, AREA - self.board.discs() - square.into())
    }

    /// [`after`](Self::after) where the board after the move and its moves are known.
    #[must_use]
    #[inline]
    pub fn child(&self, square: Square, board: Board, moves: Bitboard) -> Self {
        // A disc of the player not to move, before the move and after it, was flipped.
        let flips = self.board.other() & board.other();
        Self { board, moves, indices: update_indices(&self.indices, square, flips), value: None }
    }

    /// The same state that knows its static value, so that nobody computes it again.
    #[must_use]
    #[inline]
    pub const fn with_value(self, value: Score) -> Self {
        Self { value: Some(value), ..self }
    }

    /// The static value, if it is known.
    #[must_use]
    #[inline]
    pub const fn known_value(&self) -> Option<Score> {
        self.value
    }

    #[must_use]
    #[inline]
    pub fn passed(&self) -> Self {
        let board = self.board.passed();
        let indices = PatternIndices(self.indices.0.map(|index| -index));
        Self { board, moves: board.moves(AREA), indices, value: None }
    }

    /// The legal moves within `area`.
    #[must_use]
    #[inline]
    pub fn moves(&self, area: Bitboard) -> Bitboard {
        self.moves & area
    }

    #[must_use]
    #[inline]
    pub const fn indices(&self) -> &PatternIndices {
        &self.indices
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Move, Position};
    #[cfg(avx2)]
    use crate::eval::kernel::portable;
    use crate::random::Random;

    #[test]
    fn incremental_indices_equal_recomputed_ones() {
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let mut position = Position::start(Size::Eight);
            let mut state = PatternState::new(position.board());
            while !position.is_over() {
                let moves: Vec<_> = position.moves().into_iter().collect();
                let action = random.pick(&moves).map_or(Move::Pass, |&square| Move::Place(square));
                state = match action {
                    Move::Pass => state.passed(),
                    Move::Place(square) => {
                        let after = state.after(square);
                        #[cfg(avx2)]
                        {
                            let flips = state.board.flips(square);
                            let expected = portable::update_indices(state.indices(), square, flips);
                            assert_eq!(*after.indices(), expected);
                        }
                        after
                    }
                };
                position = position.play(action).expect("legal");
                assert_eq!(state, PatternState::new(position.board()));
            }
        }
    }
}
