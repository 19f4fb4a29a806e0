//! Empty squares with their quadrant parity.

use crate::board::{Bitboard, Square};

/// Whoever moves first in a quadrant with an odd number of empty squares also moves last there.
#[derive(Clone, Copy)]
pub(super) struct Empties {
    squares: Bitboard,
    odd: Bitboard,
}

impl Empties {
    pub(super) fn new(squares: Bitboard) -> Self {
        let odd = squares.into_iter().fold(Bitboard::EMPTY, |odd, square| odd ^ square.quarter());
        Self { squares, odd }
    }

    #[inline]
    pub(super) fn squares(self) -> Bitboard {
        self.squares
    }

    #[inline]
    pub(super) fn len(self) -> u32 {
        self.squares.len()
    }

    #[inline]
    pub(super) fn is_odd(self, square: Square) -> bool {
        self.odd.contains(square)
    }

    #[inline]
    pub(super) fn without(self, square: Square) -> Self {
        Self { squares: self.squares - square.into(), odd: self.odd ^ square.quarter() }
    }

    /// The square to try first: in an odd quadrant, or by reversed rules, where the last move in a region is a
    /// disadvantage, in an even one.
    #[inline]
    pub(super) fn first_of<const REVERSED: bool>(self, some: Bitboard) -> Option<Square> {
        let preferred = if REVERSED { some - self.odd } else { some & self.odd };
        if preferred.is_empty() { some } else { preferred }.first()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parity_follows_the_squares_taken() {
        let squares = [Square::A1, Square::B2, Square::H8];
        let empties = Empties::new(squares.into_iter().collect());
        assert_eq!(squares.map(|square| empties.is_odd(square)), [false, false, true]);
        assert_eq!(empties.first_of::<false>(empties.squares()), Some(Square::H8));
        assert_eq!(empties.first_of::<true>(empties.squares()), Some(Square::A1));
        let left = empties.without(Square::B2);
        assert_eq!((left.len(), left.is_odd(Square::A1), left.is_odd(Square::H8)), (2, true, true));
        assert_eq!(left.first_of::<false>(left.squares()), Some(Square::A1));
        assert_eq!(left.first_of::<false>(Bitboard::EMPTY), None);
    }
}
