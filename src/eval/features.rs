//! A board with its moves and the numbers of its patterns, kept up to date from move to move.

use crate::board::{Bitboard, Board, Size, Square};

use super::pattern::{LANES, Lanes, POWERS};

/// The squares that patterns lie on.
const FULL: Bitboard = Size::Eight.squares();

/// A board seen by the player to move, the moves, and the numbers of all patterns on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternState {
    /// The discs.
    pub board: Board,
    /// On the full board: a smaller one takes those within it.
    moves: Bitboard,
    numbers: Lanes,
}

impl PatternState {
    /// Looks at a board for the first time.
    #[must_use]
    pub fn new(board: Board) -> Self {
        let mut numbers = Lanes([0; LANES]);
        for (discs, digit) in [(board.own(), 1), (board.other(), -1)] {
            for square in discs {
                for (number, power) in numbers.0.iter_mut().zip(POWERS[square.index()].0) {
                    *number += digit * power;
                }
            }
        }
        Self { board, moves: board.moves(FULL), numbers }
    }

    /// The board after a legal move, seen by the next player.
    #[must_use]
    #[inline]
    pub fn after(&self, square: Square) -> Self {
        let empty = FULL - self.board.discs() - square.into();
        let (board, moves) = self.board.after_with_moves(square, empty);
        self.leading_to(square, board, moves)
    }

    /// The same where the board after the move is known, and the moves on it.
    #[must_use]
    #[inline]
    pub fn leading_to(&self, square: Square, board: Board, moves: Bitboard) -> Self {
        // Whatever belonged to the player not to move both before and after it has turned.
        let flips = self.board.other() & board.other();
        Self { board, moves, numbers: moved(&self.numbers, square, flips) }
    }

    /// The same board, seen by the other player.
    #[must_use]
    #[inline]
    pub fn passed(&self) -> Self {
        let board = self.board.passed();
        let numbers = Lanes(self.numbers.0.map(|number| -number));
        Self { board, moves: board.moves(FULL), numbers }
    }

    /// The squares of `area` on which the player to move can place a disc.
    #[must_use]
    #[inline]
    pub fn moves(&self, area: Bitboard) -> Bitboard {
        self.moves & area
    }

    /// The numbers of the patterns.
    #[must_use]
    #[inline]
    pub const fn numbers(&self) -> &Lanes {
        &self.numbers
    }
}

#[cfg(not(avx2))]
use portable::moved;

#[cfg(avx2)]
use super::simd::moved;

/// The code for any processor.
#[cfg_attr(avx2, allow(dead_code, reason = "the vector units are used, and tested against it"))]
pub(super) mod portable {
    use super::*;

    /// The numbers after a move, seen by the next player: the new disc adds its powers, and a turned one twice, as it
    /// goes from -1 to 1.
    #[inline]
    pub fn moved(numbers: &Lanes, square: Square, flips: Bitboard) -> Lanes {
        let mut turned = [0_i16; LANES];
        for flip in flips {
            for (sum, power) in turned.iter_mut().zip(&POWERS[flip.index()].0) {
                *sum += power;
            }
        }
        let placed = &POWERS[square.index()].0;
        // Twice the powers alone may be too much for a word; what comes out never is.
        let sum = |lane: usize| numbers.0[lane].wrapping_add(placed[lane]).wrapping_add(turned[lane] << 1);
        Lanes(std::array::from_fn(|lane| -sum(lane)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Move, Position};
    use crate::random::Random;

    #[test]
    fn numbers_kept_up_to_date_are_those_of_the_board() {
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let mut position = Position::start(Size::Eight);
            let mut view = PatternState::new(position.board());
            while !position.is_over() {
                let moves: Vec<_> = position.moves().into_iter().collect();
                let action = random.pick(&moves).map_or(Move::Pass, |&square| Move::Place(square));
                view = match action {
                    Move::Pass => view.passed(),
                    Move::Place(square) => {
                        let after = view.after(square);
                        #[cfg(avx2)]
                        {
                            let flips = view.board.flips(square);
                            assert_eq!(*after.numbers(), portable::moved(view.numbers(), square, flips));
                        }
                        after
                    }
                };
                position = position.play(action).expect("legal");
                assert_eq!(view, PatternState::new(position.board()));
            }
        }
    }
}
