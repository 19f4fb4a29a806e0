//! Sizes of the board.

use std::fmt;

use super::bitboard::Bitboard;
use super::square::Square;

/// Smaller boards lie in the middle of the 8×8 one, so that the start position, the symmetries and the flip kernels
/// are the same for all; only the set of squares in play differs. `a1` of a 6×6 board is `B2` here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Size {
    Four,
    Six,
    #[default]
    Eight,
}

impl Size {
    pub const ALL: [Self; 3] = [Self::Four, Self::Six, Self::Eight];

    /// The size with this many squares on a side.
    #[must_use]
    pub fn from_side(side: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|size| u32::from(size.side()) == side)
    }

    #[must_use]
    pub const fn side(self) -> u8 {
        match self {
            Self::Four => 4,
            Self::Six => 6,
            Self::Eight => 8,
        }
    }

    /// Number of squares.
    #[must_use]
    pub const fn area(self) -> u8 {
        self.side() * self.side()
    }

    /// The squares in play.
    #[must_use]
    pub const fn squares(self) -> Bitboard {
        Bitboard(match self {
            Self::Four => 0x0000_3c3c_3c3c_0000,
            Self::Six => 0x007e_7e7e_7e7e_7e00,
            Self::Eight => u64::MAX,
        })
    }

    #[must_use]
    pub const fn corners(self) -> Bitboard {
        Bitboard(match self {
            Self::Four => 0x0000_2400_0024_0000,
            Self::Six => 0x0042_0000_0000_4200,
            Self::Eight => Bitboard::CORNERS.0,
        })
    }

    /// With the corners.
    #[must_use]
    pub const fn edges(self) -> Bitboard {
        Bitboard(match self {
            Self::Four => 0x0000_3c24_243c_0000,
            Self::Six => 0x007e_4242_4242_7e00,
            Self::Eight => 0xff81_8181_8181_81ff,
        })
    }

    /// The square at a column and row of this board, both counted from 0.
    #[must_use]
    pub fn square(self, column: u8, row: u8) -> Option<Square> {
        let margin = self.margin();
        (column < self.side() && row < self.side()).then(|| Square::at(column + margin, row + margin))?
    }

    /// The inverse of [`square`](Self::square).
    #[must_use]
    pub fn place(self, square: Square) -> (u8, u8) {
        let margin = self.margin();
        debug_assert!(self.squares().contains(square), "{square} lies outside a {self} board");
        (square.column() - margin, square.row() - margin)
    }

    const fn margin(self) -> u8 {
        (8 - self.side()) / 2
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{0}×{0}", self.side())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_squares_are_inverse() {
        for size in Size::ALL {
            assert_eq!(size.squares().len(), u32::from(size.area()));
            for square in size.squares() {
                let (column, row) = size.place(square);
                assert_eq!(size.square(column, row), Some(square));
            }
            assert_eq!(size.square(size.side(), 0), None);
            let outermost = |&square: &Square| {
                [0, size.side() - 1]
                    .iter()
                    .any(|&n| [size.place(square).0, size.place(square).1].contains(&n))
            };
            assert_eq!(size.squares().into_iter().filter(outermost).collect::<Bitboard>(), size.edges());
            let last = size.side() - 1;
            let corners = [(0, 0), (0, last), (last, 0), (last, last)];
            assert_eq!(
                corners.iter().filter_map(|&(c, r)| size.square(c, r)).collect::<Bitboard>(),
                size.corners()
            );
        }
        assert_eq!(Size::Six.square(0, 0), Some(Square::B2));
    }
}
