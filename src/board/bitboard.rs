//! Sets of squares.

use std::fmt;
use std::num::NonZeroU64;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Sub};

use super::square::Square;

/// A set of squares: bit `n` is the square with index `n`.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, bytemuck::Zeroable)]
pub struct Bitboard(pub u64);

impl Bitboard {
    pub const EMPTY: Self = Self(0);
    /// The four corners of the 8×8 board.
    pub const CORNERS: Self = Self(0x8100_0000_0000_0081);

    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square as u8 & 1 == 1
    }

    /// The first square in board order.
    #[must_use]
    #[inline]
    pub fn first(self) -> Option<Square> {
        // With NonZero the compiler knows that the index is below 64.
        NonZeroU64::new(self.0).and_then(|bits| Square::from_index(bits.trailing_zeros() as u8))
    }

    /// The last square in board order.
    #[must_use]
    #[inline]
    pub fn last(self) -> Option<Square> {
        NonZeroU64::new(self.0).and_then(|bits| Square::from_index(63 - bits.leading_zeros() as u8))
    }

    /// The set and all its neighbours, diagonal ones too.
    #[must_use]
    pub const fn dilated(self) -> Self {
        const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
        const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        let wide = self.0 | (self.0 << 1 & NOT_A) | (self.0 >> 1 & NOT_H);
        Self(wide | wide << 8 | wide >> 8)
    }
}

impl Square {
    /// The adjacent squares, diagonal ones too.
    #[must_use]
    #[inline]
    pub fn neighbours(self) -> Bitboard {
        static NEIGHBOURS: [Bitboard; 64] = {
            let mut table = [Bitboard::EMPTY; 64];
            let mut index = 0;
            while index < 64 {
                let square = 1 << index;
                table[index] = Bitboard(Bitboard(square).dilated().0 & !square);
                index += 1;
            }
            table
        };
        NEIGHBOURS[self.index()]
    }

    /// The quarter of the board that the square is in.
    #[must_use]
    #[inline]
    pub const fn quarter(self) -> Bitboard {
        Bitboard(0x0f0f_0f0f << (self as u8 & 0b10_0100))
    }
}

impl From<Square> for Bitboard {
    fn from(square: Square) -> Self {
        Self(1 << square as u8)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | square.into())
    }
}

/// The squares of a set in board order.
#[derive(Clone, Debug)]
pub struct SquareIter(Bitboard);

impl Iterator for SquareIter {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.len() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for SquareIter {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = SquareIter;

    #[inline]
    fn into_iter(self) -> SquareIter {
        SquareIter(self)
    }
}

impl BitAnd for Bitboard {
    type Output = Self;
    #[inline]
    fn bitand(self, rhs: Self) -> Self {
        Self(self.0 & rhs.0)
    }
}

impl BitOr for Bitboard {
    type Output = Self;
    #[inline]
    fn bitor(self, rhs: Self) -> Self {
        Self(self.0 | rhs.0)
    }
}

impl BitXor for Bitboard {
    type Output = Self;
    #[inline]
    fn bitxor(self, rhs: Self) -> Self {
        Self(self.0 ^ rhs.0)
    }
}

/// Set difference.
impl Sub for Bitboard {
    type Output = Self;
    #[inline]
    fn sub(self, rhs: Self) -> Self {
        Self(self.0 & !rhs.0)
    }
}

impl Not for Bitboard {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, rhs: Self) {
        self.0 |= rhs.0;
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, rhs: Self) {
        self.0 &= rhs.0;
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_iterates_its_squares_in_order() {
        let set: Bitboard = [Square::H8, Square::A1, Square::D3].into_iter().collect();
        assert_eq!(set.into_iter().collect::<Vec<_>>(), [Square::A1, Square::D3, Square::H8]);
        assert_eq!(set.len(), 3);
        assert!(set.contains(Square::D3) && !set.contains(Square::D4));
        assert_eq!(Bitboard::EMPTY.first(), None);
    }

    #[test]
    fn dilating_does_not_wrap_round_the_edges() {
        let corner: Bitboard = [Square::A1, Square::B1, Square::A2, Square::B2].into_iter().collect();
        assert_eq!(Bitboard::from(Square::A1).dilated(), corner);
        assert_eq!(Bitboard::from(Square::H4).dilated().len(), 6);
        assert_eq!(Bitboard::from(Square::D4).dilated().len(), 9);
    }
}
