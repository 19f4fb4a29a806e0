//! A board of a certain size with a side to move.

use super::bitboard::Bitboard;
use super::board::Board;
use super::size::Size;
use super::square::{Color, Move};

/// The discs, the side to move and the size of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    board: Board,
    side: Color,
    size: Size,
}

impl Position {
    /// The start position, Black to move.
    #[must_use]
    pub const fn start(size: Size) -> Self {
        Self { board: Board::START, side: Color::Black, size }
    }

    /// None if a square would hold two discs or lies outside the board.
    #[must_use]
    pub fn new(black: Bitboard, white: Bitboard, side: Color, size: Size) -> Option<Self> {
        let (own, other) = match side {
            Color::Black => (black, white),
            Color::White => (white, black),
        };
        let board = Board::new(own, other)?;
        (board.discs() - size.squares()).is_empty().then_some(Self { board, side, size })
    }

    /// The discs, seen by the side to move.
    #[must_use]
    pub const fn board(&self) -> Board {
        self.board
    }

    #[must_use]
    pub const fn side(&self) -> Color {
        self.side
    }

    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    #[must_use]
    pub fn discs(&self, color: Color) -> Bitboard {
        if color == self.side { self.board.own() } else { self.board.other() }
    }

    #[must_use]
    pub fn empties(&self) -> Bitboard {
        self.size.squares() - self.board.discs()
    }

    /// The legal moves, without a pass.
    #[must_use]
    pub fn moves(&self) -> Bitboard {
        self.board.moves(self.size.squares())
    }

    /// Whether neither side can move.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.board.is_over(self.size.squares())
    }

    /// Whether the side to move must pass; false when the game is over.
    #[must_use]
    pub fn must_pass(&self) -> bool {
        self.moves().is_empty() && !self.is_over()
    }

    /// The position after a move; none if it is illegal. A pass is legal only without another move.
    #[must_use]
    pub fn play(&self, action: Move) -> Option<Self> {
        let board = match action {
            Move::Place(square) => {
                if !self.moves().contains(square) {
                    return None;
                }
                self.board.play(square)?
            }
            Move::Pass => {
                if !self.moves().is_empty() {
                    return None;
                }
                self.board.passed()
            }
        };
        Some(Self { board, side: self.side.opponent(), size: self.size })
    }

    /// The same discs with this side to move.
    #[must_use]
    pub fn with_side(self, side: Color) -> Self {
        if side == self.side { self } else { Self { board: self.board.passed(), side, size: self.size } }
    }
}
