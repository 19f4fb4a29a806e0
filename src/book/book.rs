//! Positions of the 8×8 game with the values of their moves, for one rule set.

use std::collections::HashMap;

use crate::board::{Board, Move, Position, Size, Square};
use crate::rules::Rules;
use crate::score::Score;

/// How a book was built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookSettings {
    pub rules: Rules,
    /// Plies from the start.
    pub plies: u8,
    /// Search depth of the positions after them.
    pub depth: u8,
    /// Search depth of those near the best play.
    pub deep_depth: u8,
    /// How near that is: what a move may lose against the best one, in units of [`Score`].
    pub margin: u16,
    /// Fingerprint of the evaluation used.
    pub evaluation: u32,
}

/// A move with its value for the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredMove {
    pub square: Square,
    pub value: Score,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    pub(super) settings: BookSettings,
    /// By canonical board: all moves in board order.
    pub(super) positions: HashMap<Board, Vec<ScoredMove>>,
}

impl Book {
    #[must_use]
    pub fn new(settings: BookSettings) -> Self {
        Self { settings, positions: HashMap::new() }
    }

    /// Adds a position with all its moves. Values must be negamax values: a move is worth the negative of the best move
    /// of the position it leads to.
    pub fn insert(&mut self, position: &Position, moves: impl IntoIterator<Item = ScoredMove>) {
        let (board, symmetry) = position.board().canonical();
        let turned = moves
            .into_iter()
            .map(|scored| ScoredMove { square: symmetry.map_square(scored.square), ..scored });
        let mut moves: Vec<ScoredMove> = turned.collect();
        moves.sort_by_key(|scored| scored.square);
        self.positions.insert(board, moves);
    }

    #[must_use]
    pub const fn settings(&self) -> &BookSettings {
        &self.settings
    }

    /// Number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// All moves of a position with their values, best first, if it or an image of it is in the book.
    #[must_use]
    pub fn probe(&self, position: &Position) -> Option<Vec<ScoredMove>> {
        if position.size() != Size::Eight {
            return None;
        }
        let (board, symmetry) = position.board().canonical();
        let back = symmetry.inverse();
        let turned = |scored: &ScoredMove| ScoredMove { square: back.map_square(scored.square), ..*scored };
        let mut moves: Vec<ScoredMove> = self.positions.get(&board)?.iter().map(turned).collect();
        moves.sort_by_key(|scored| (-scored.value, scored.square));
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
