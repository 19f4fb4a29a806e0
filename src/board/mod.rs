//! Squares, sets of squares, and boards with the moves on them.

mod bitboard;
mod kernel;
mod position;
#[cfg(avx2)]
mod simd;
mod size;
mod square;
mod stability;
mod symmetry;
mod vector_board;

pub use bitboard::{Bitboard, Squares};
pub use kernel::NAME as KERNEL;
pub use position::Position;
pub use size::Size;
pub use square::{Color, Move, Square};
pub use symmetry::Symmetry;
pub(crate) use vector_board::VectorBoard;

/// The discs on a board, seen by the player to move.
///
/// The size of the board is not kept here: whoever asks for moves names the squares in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, bytemuck::Zeroable)]
#[cfg_attr(loom, derive(Default))]
pub struct Board {
    own: Bitboard,
    other: Bitboard,
}

impl Board {
    /// The start position, Black to move: the same squares on every size of board.
    pub const START: Self =
        Self { own: Bitboard(0x0000_0008_1000_0000), other: Bitboard(0x0000_0010_0800_0000) };

    /// A board without discs.
    pub const EMPTY: Self = Self { own: Bitboard::EMPTY, other: Bitboard::EMPTY };

    /// A board with these discs, unless some square would hold two.
    #[must_use]
    pub fn new(own: Bitboard, other: Bitboard) -> Option<Self> {
        (own & other).is_empty().then_some(Self { own, other })
    }

    /// The discs of the player to move.
    #[must_use]
    pub const fn own(self) -> Bitboard {
        self.own
    }

    /// The discs of the player who waits.
    #[must_use]
    pub const fn other(self) -> Bitboard {
        self.other
    }

    /// All discs.
    #[must_use]
    pub fn discs(self) -> Bitboard {
        self.own | self.other
    }

    /// The squares of `area` on which the player to move can place a disc.
    #[must_use]
    #[inline]
    pub fn moves(self, area: Bitboard) -> Bitboard {
        Bitboard(self.lanes().moves()) & (area - self.discs())
    }

    /// The discs that placing one on an empty square would turn: none if the move is illegal.
    #[must_use]
    #[inline]
    pub fn flips(self, square: Square) -> Bitboard {
        Bitboard(self.lanes().flips(square))
    }

    /// How many discs the player to move gains by the last move of a board, or loses by it if only the opponent can make
    /// it. Nothing if nobody can.
    #[must_use]
    #[inline]
    pub fn last_gain(self, square: Square, size: Size) -> i32 {
        kernel::last_gain(self.own.0, self.other.0, square, size)
    }

    /// The board after a move that turns `flips`, seen by the next player.
    #[must_use]
    #[inline]
    pub fn after(self, square: Square, flips: Bitboard) -> Self {
        Self { own: self.other - flips, other: self.own | flips | square.into() }
    }

    /// The board after a legal move, seen by the next player, and this player's moves among the squares that it leaves
    /// `empty`: together they take less than one by one.
    #[must_use]
    #[inline]
    pub fn after_with_moves(self, square: Square, empty: Bitboard) -> (Self, Bitboard) {
        let (flips, next) = self.lanes().after(square);
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

    #[inline(always)]
    fn lanes(self) -> kernel::Lanes {
        kernel::Lanes::new(self.own.0, self.other.0)
    }

    /// A well-mixed number that stands for the board in the transposition table.
    #[must_use]
    #[inline]
    pub fn hash(self) -> u64 {
        // The constants are the fractions of the golden ratio and of √2: with either player's discs mixed up by one, the
        // two halves of their product tell boards apart as well as chance would.
        const FIRST: u64 = 0x9e37_79b9_7f4a_7c15;
        const SECOND: u64 = 0x6a09_e667_f3bc_c909;
        fold(self.own.0 ^ FIRST, self.other.0 ^ SECOND)
    }
}

#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests;
