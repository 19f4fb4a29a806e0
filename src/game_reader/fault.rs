//! What is wrong with a text, and where.

use std::fmt;

use ollehto_protocol::coord::Vertex;
use ollehto_protocol::error::TextError;

use crate::board::{Color, Move, Position};
use crate::notation;

/// What can stand in a line, for people who wrote something else.
const FORMS: &str = "give moves such as f5d6c3, a position (the squares row by row from a1 as X, O and -, then a blank \
                     and X or O to move), a GGF record (;GM[Othello]...;), or a link to the page";

/// What may help. A static text, since a text of megabytes can have a fault in each line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hint {
    None,
    Forms,
    /// The first move is illegal on the board of `--size`.
    Size,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Its column counts from the beginning of some part; that of the [`Fault`] is right.
    Unreadable(TextError),
    /// A line with separators or numbers only.
    NoMoves,
    /// An empty board.
    NoDiscs,
    Illegal {
        /// From 1, without passes.
        number: usize,
        mover: Color,
        vertex: Vertex,
        /// Before the move.
        position: Position,
    },
    /// A record without its end mark.
    Torn,
    /// A link that the page does not write.
    Link,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(TextError::Expected { what, found, .. }) if found.is_empty() => {
                write!(f, "expected {what}, found nothing")
            }
            Self::Unreadable(TextError::Expected { what, found, .. }) => {
                write!(f, "expected {what}, found '{found}'")
            }
            Self::Unreadable(other) => other.fmt(f),
            Self::NoMoves => f.write_str("found no moves"),
            Self::NoDiscs => notation::NoDiscs.fmt(f),
            Self::Illegal { number, mover, vertex, position } => {
                let name = vertex.to_string().to_ascii_lowercase();
                write!(f, "move {number}, {mover} {name}, is illegal: ")?;
                let moves: Vec<_> = position.moves().into_iter().map(Move::Place).collect();
                let side = position.side();
                match moves.as_slice() {
                    _ if position.is_over() => f.write_str("the game is over"),
                    [] => write!(f, "{side} has to pass"),
                    moves => {
                        write!(f, "{side} can play {}", notation::names(moves, position.size()).join(" "))
                    }
                }
            }
            Self::Torn => f.write_str("the record is torn: its end mark ;) is missing"),
            Self::Link => f.write_str("the link is damaged: a game such as #1r8=f5d6c3 is needed"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// From 1.
    pub line: usize,
    /// In characters from 1.
    pub column: Option<usize>,
    pub problem: Problem,
    pub(super) hint: Hint,
}

impl Fault {
    /// The problem and what may help.
    #[must_use]
    pub fn words(&self) -> String {
        match self.hint {
            Hint::None => self.problem.to_string(),
            Hint::Forms => format!("{}; {FORMS}", self.problem),
            Hint::Size => format!("{}; is it a game of another --size?", self.problem),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        if let Some(column) = self.column {
            write!(f, ", column {column}")?;
        }
        write!(f, ": {}", self.words())
    }
}

/// The column that an error names.
pub(super) const fn column_of(error: &TextError) -> Option<usize> {
    match error {
        TextError::Expected { column, .. } | TextError::BadValue { column, .. } => Some(*column),
        TextError::Squares { .. } => None,
    }
}
