//! What is known of the opening: positions of the 8×8 game with the values of their moves.
//!
//! A [`Book`] is for one rule set. The program brings one for each ([`Book::shipped`]), others can be read from files
//! ([`Book::load`]); [`format`] says what is in them. An [`Opening`] plays from a book. `ollehto book build` makes them.

mod choice;
mod format;

use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::board::{Board, Move, Position, Size, Square};
use crate::rules::Rules;
use crate::score::Score;

pub use choice::{BookMove, DEFAULT_VARIETY, Opening, Source};
pub use format::FormatError;

/// How a book was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Making {
    /// Who wins.
    pub rules: Rules,
    /// How many plies were looked at from the start.
    pub plies: u8,
    /// How deep all positions after them were searched.
    pub depth: u8,
    /// How deep those near the best play were.
    pub deep: u8,
    /// How near that is: what a move may lose against the best one, in units of [`Score`].
    pub near: u16,
    /// Stands for the evaluation used.
    pub evaluation: u32,
}

/// A move with its value for the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Where a disc is placed.
    pub square: Square,
    /// What that is worth.
    pub value: Score,
}

/// The opening of one rule set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    making: Making,
    /// By canonical board: all moves in board order.
    positions: HashMap<Board, Vec<Known>>,
}

/// Why a book cannot be used.
#[derive(Debug)]
pub enum BookError {
    /// The file cannot be read.
    File(PathBuf, io::Error),
    /// It holds no book that we can read.
    Format(PathBuf, FormatError),
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "book {}: {error}", path.display()),
            Self::Format(path, error) => write!(f, "book {}: {error}", path.display()),
        }
    }
}

impl std::error::Error for BookError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File(_, error) => Some(error),
            Self::Format(_, error) => Some(error),
        }
    }
}

impl Book {
    /// An empty book that is to be filled with [`insert`](Self::insert).
    #[must_use]
    pub fn new(making: Making) -> Self {
        Self { making, positions: HashMap::new() }
    }

    /// Adds a position with all its moves. They must lead to each other as the values say: that of a position is the
    /// highest of its moves, and the one of a move the negative of that of the position it leads to.
    pub fn insert(&mut self, position: &Position, moves: impl IntoIterator<Item = Known>) {
        let (board, turn) = position.board().canonical();
        let turned = moves.into_iter().map(|known| Known { square: turn.map_square(known.square), ..known });
        let mut moves: Vec<Known> = turned.collect();
        moves.sort_by_key(|known| known.square);
        self.positions.insert(board, moves);
    }

    /// The book that comes with the program; it is unpacked when it is first asked for.
    #[must_use]
    pub fn shipped(rules: Rules) -> Option<&'static Self> {
        static REVERSED: OnceLock<Option<Book>> = OnceLock::new();
        static STANDARD: OnceLock<Option<Book>> = OnceLock::new();
        let (cell, bytes): (_, &[u8]) = match rules {
            Rules::Reversed => (&REVERSED, include_bytes!("shipped/reversed.book")),
            Rules::Standard => (&STANDARD, include_bytes!("shipped/standard.book")),
        };
        let unpack =
            || Self::from_bytes(bytes).inspect_err(|error| log::error!("our own book: {error}")).ok();
        cell.get_or_init(unpack).as_ref()
    }

    /// The book of a file.
    ///
    /// # Errors
    /// If it cannot be read, or is damaged, or is another kind of file.
    pub fn load(path: &Path) -> Result<Self, BookError> {
        let bytes = fs::read(path).map_err(|error| BookError::File(path.to_owned(), error))?;
        Self::from_bytes(&bytes).map_err(|error| BookError::Format(path.to_owned(), error))
    }

    /// How it was made.
    #[must_use]
    pub const fn making(&self) -> &Making {
        &self.making
    }

    /// How many positions it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// All moves of a position with their values, best first, if it is in the book, however it is turned.
    #[must_use]
    pub fn probe(&self, position: &Position) -> Option<Vec<Known>> {
        if position.size() != Size::Eight {
            return None;
        }
        let (board, turn) = position.board().canonical();
        let back = turn.inverse();
        let turned = |known: &Known| Known { square: back.map_square(known.square), ..*known };
        let mut moves: Vec<Known> = self.positions.get(&board)?.iter().map(turned).collect();
        moves.sort_by_key(|known| (-known.value, known.square));
        Some(moves)
    }

    /// The best play from a position as far as the book goes.
    #[must_use]
    pub fn line(&self, position: &Position) -> Vec<Square> {
        let mut line = Vec::new();
        let mut position = *position;
        while let Some(best) = self.probe(&position).and_then(|moves| moves.first().copied())
            && let Some(next) = position.play(Move::Place(best.square))
        {
            line.push(best.square);
            position = next;
        }
        line
    }
}

#[cfg(all(test, feature = "training"))]
mod tests;
