//! A board with the numbers of its patterns, kept up to date from move to move.

use crate::board::{Bitboard, Board, Square};

use super::pattern::{LANES, Lanes, POWERS};

/// A board seen by the player to move, and the numbers of all patterns on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The discs.
    pub board: Board,
    numbers: Lanes,
}

impl View {
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
        Self { board, numbers }
    }

    /// The board after a move that turns `flips`, seen by the next player.
    #[must_use]
    #[inline]
    pub fn after(&self, square: Square, flips: Bitboard) -> Self {
        Self { board: self.board.after(square, flips), numbers: moved(&self.numbers, square, flips) }
    }

    /// The same board, seen by the other player.
    #[must_use]
    #[inline]
    pub fn passed(&self) -> Self {
        Self { board: self.board.passed(), numbers: Lanes(self.numbers.0.map(|number| -number)) }
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
    use crate::board::{Move, Position, Size};
    use crate::random::Random;

    #[test]
    fn numbers_kept_up_to_date_are_those_of_the_board() {
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let mut position = Position::start(Size::Eight);
            let mut view = View::new(position.board());
            while !position.is_over() {
                let moves: Vec<_> = position.moves().into_iter().collect();
                let action = random.pick(&moves).map_or(Move::Pass, |&square| Move::Place(square));
                view = match action {
                    Move::Pass => view.passed(),
                    Move::Place(square) => {
                        let flips = view.board.flips(square);
                        let after = view.after(square, flips);
                        #[cfg(avx2)]
                        assert_eq!(*after.numbers(), portable::moved(view.numbers(), square, flips));
                        after
                    }
                };
                position = position.play(action).expect("legal");
                assert_eq!(view, View::new(position.board()));
            }
        }
    }
}
