//! What a book has to say about a position.

use std::fmt;
use std::io::{self, Write};

use ollehto_protocol::coord::Vertex;
use ollehto_protocol::notation::print_moves;

use crate::bench::evaluation_fingerprint;
use crate::board::{Move, Size};
use crate::book::{Book, BookSettings};
use crate::eval::Evaluation;
use crate::game::Game;
use crate::notation;

/// Why nothing can be shown.
#[derive(Debug)]
pub enum ShowError {
    /// A move, counted from 1, is illegal.
    Illegal {
        /// Which, from 1.
        number: usize,
        /// The move.
        vertex: Vertex,
    },
    /// It cannot be written.
    Output(io::Error),
}

impl fmt::Display for ShowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Illegal { number, vertex } => write!(f, "move {number}, {vertex}, is illegal"),
            Self::Output(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ShowError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Illegal { .. } => None,
            Self::Output(error) => Some(error),
        }
    }
}

impl From<io::Error> for ShowError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// The weights that a book was made with, by their mark, and whether they are those of this program.
fn weights(settings: &BookSettings) -> String {
    let (of_book, shipped) =
        (settings.evaluation, evaluation_fingerprint(&Evaluation::Shipped, &[settings.rules]));
    if of_book == shipped {
        format!("the weights {of_book:08x}, which come with this program")
    } else {
        format!("the weights {of_book:08x}; this program comes with others, {shipped:08x}")
    }
}

/// Prints what a book knows of the position after some moves: every move with its value, and the play expected.
///
/// # Errors
/// If a move is illegal, or nothing can be written.
pub fn show(book: &Book, moves: &[Vertex], output: &mut impl Write) -> Result<(), ShowError> {
    let settings = book.settings();
    let size = Size::Eight;
    let mut game = Game::new(settings.rules, size);
    for (number, &vertex) in (1..).zip(moves) {
        let played = notation::action(vertex, size).map(|action| game.follow(action));
        if !matches!(played, Some(Ok(()))) {
            return Err(ShowError::Illegal { number, vertex });
        }
    }
    writeln!(
        output,
        "{} positions by {} rules, of {} plies at depth {} and {}, by {}",
        book.len(),
        settings.rules,
        settings.plies,
        settings.depth,
        settings.deep_depth,
        weights(settings)
    )?;
    let position = game.position();
    let Some(known) = book.probe(position) else {
        writeln!(output, "the book does not know this position")?;
        return Ok(());
    };
    writeln!(output, "{} to move", position.side())?;
    for known in known {
        let action = Move::Place(known.square);
        let mut line = vec![known.square];
        if let Some(next) = position.play(action) {
            line.extend(book.line(&next));
        }
        let line: Vec<Vertex> =
            line.into_iter().map(|square| notation::vertex(Move::Place(square), size)).collect();
        writeln!(
            output,
            "{:<4}{:>+7.2}  {}",
            line[0].to_string().to_lowercase(),
            known.value.discs(),
            print_moves(&line)
        )?;
    }
    Ok(())
}
