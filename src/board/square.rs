//! The squares of the board and the colours of the discs on them.

use std::fmt;

use bytemuck::{CheckedBitPattern, checked};

macro_rules! squares {
    ($($name:ident),+ $(,)?) => {
        /// A square of the 8×8 board, row by row from `A1`, the top left corner.
        ///
        /// There is no "no square" member: `Option<Square>` is one byte too.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, CheckedBitPattern)]
        #[repr(u8)]
        pub enum Square { $($name),+ }

        impl Square {
            pub const ALL: [Square; 64] = [$(Square::$name),+];
        }
    };
}

squares! {
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
}

impl Square {
    /// The square in a column and a row, both counted from 0.
    #[must_use]
    pub fn at(column: u8, row: u8) -> Option<Self> {
        (column < 8 && row < 8).then(|| Self::ALL[usize::from(row * 8 + column)])
    }

    /// None from 64 on.
    #[must_use]
    #[inline]
    pub fn from_index(index: u8) -> Option<Self> {
        // A cast, not a table lookup: the solver does this at every move.
        checked::try_cast(index).ok()
    }

    /// 0 for `A1`, 1 for `B1`, up to 63 for `H8`.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// 0 for a.
    #[must_use]
    pub const fn column(self) -> u8 {
        self as u8 % 8
    }

    /// 0 for the top row.
    #[must_use]
    pub const fn row(self) -> u8 {
        self as u8 / 8
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'A' + self.column()), self.row() + 1)
    }
}

/// Black moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Color {
    Black,
    White,
}

impl Color {
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Black => "Black",
            Self::White => "White",
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    Place(Square),
    Pass,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(square) => square.fmt(f),
            Self::Pass => f.write_str("pass"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_optional_square_is_one_byte() {
        assert_eq!(size_of::<Option<Square>>(), 1);
    }

    #[test]
    fn squares_know_their_place() {
        for (index, square) in Square::ALL.into_iter().enumerate() {
            assert_eq!(square.index(), index);
            assert_eq!(Square::at(square.column(), square.row()), Some(square));
        }
        assert_eq!(Square::at(8, 0), None);
        assert_eq!(Square::at(3, 2), Some(Square::D3));
        assert_eq!(Square::D3.to_string(), "D3");
    }
}
