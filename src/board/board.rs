//! The discs on a board and the moves they allow.

use super::bitboard::Bitboard;
use super::kernel;
use super::size::Size;
use super::square::Square;

/// The discs on a board, seen by the player to move.
///
/// The size of the board is not stored: callers pass the squares in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, bytemuck::Zeroable)]
#[cfg_attr(loom, derive(Default))]
pub struct Board {
    pub(super) own: Bitboard,
    pub(super) other: Bitboard,
}

impl Board {
    /// The start position, Black to move: the same squares on every size of board.
    pub const START: Self =
        Self { own: Bitboard(0x0000_0008_1000_0000), other: Bitboard(0x0000_0010_0800_0000) };

    pub const EMPTY: Self = Self { own: Bitboard::EMPTY, other: Bitboard::EMPTY };

    /// None if a square would hold two discs.
    #[must_use]
    pub fn new(own: Bitboard, other: Bitboard) -> Option<Self> {
        (own & other).is_empty().then_some(Self { own, other })
    }

    /// The discs of the player to move.
    #[must_use]
    pub const fn own(self) -> Bitboard {
        self.own
    }

    /// The discs of the opponent.
    #[must_use]
    pub const fn other(self) -> Bitboard {
        self.other
    }

    #[must_use]
    pub fn discs(self) -> Bitboard {
        self.own | self.other
    }

    /// The legal moves within `area`.
    #[must_use]
    #[inline]
    pub fn moves(self, area: Bitboard) -> Bitboard {
        Bitboard(self.to_kernel().moves()) & (area - self.discs())
    }

    /// The discs that a move to an empty square flips: none if it is illegal.
    #[must_use]
    #[inline]
    pub fn flips(self, square: Square) -> Bitboard {
        Bitboard(self.to_kernel().flips(square))
    }

    /// How many discs the player to move gains by the last move of a game, or loses if only the opponent can make it; 0 if
    /// nobody can.
    #[must_use]
    #[inline]
    pub fn last_gain(self, square: Square, size: Size) -> i32 {
        kernel::last_gain(self.own.0, self.other.0, square, size)
    }

    /// The board after a move that flips `flips`, seen by the next player.
    #[must_use]
    #[inline]
    pub fn after(self, square: Square, flips: Bitboard) -> Self {
        Self { own: self.other - flips, other: self.own | flips | square.into() }
    }

    /// The board after a legal move, seen by the next player, and the next player's moves within `empty`: faster than both
    /// apart.
    #[must_use]
    #[inline]
    pub fn after_with_moves(self, square: Square, empty: Bitboard) -> (Self, Bitboard) {
        let (flips, next) = self.to_kernel().after(square);
        (self.after(square, Bitboard(flips)), Bitboard(next.moves()) & empty)
    }

    /// The board after a move, seen by the next player; none if the move is illegal.
    #[must_use]
    pub fn play(self, square: Square) -> Option<Self> {
        if self.discs().contains(square) {
            return None;
        }
        let flips = self.flips(square);
        (!flips.is_empty()).then(|| self.after(square, flips))
    }

    /// The same discs, seen by the other player.
    #[must_use]
    #[inline]
    pub const fn passed(self) -> Self {
        Self { own: self.other, other: self.own }
    }

    /// Whether neither player can move on the squares of `area`.
    #[must_use]
    pub fn is_over(self, area: Bitboard) -> bool {
        self.moves(area).is_empty() && self.passed().moves(area).is_empty()
    }

    /// Discs of the player to move that can never be flipped, on a board of these squares: not all such, but those found
    /// by full lines and by leaning on the border or on each other.
    #[must_use]
    pub fn stable(self, area: Bitboard) -> Bitboard {
        Bitboard(kernel::stable(self.own.0, self.discs().0, area.0))
    }

    #[inline(always)]
    pub(super) fn to_kernel(self) -> kernel::KernelBoard {
        kernel::KernelBoard::new(self.own.0, self.other.0)
    }

    /// The hash key of the board.
    #[must_use]
    #[inline]
    pub fn hash(self) -> u64 {
        // The fractions of the golden ratio and of √2.
        const FIRST: u64 = 0x9e37_79b9_7f4a_7c15;
        const SECOND: u64 = 0x6a09_e667_f3bc_c909;
        fold(self.own.0 ^ FIRST, self.other.0 ^ SECOND)
    }
}

/// The two halves of the product, combined; a test compares its collisions with chance.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ (product >> 64) as u64
}
