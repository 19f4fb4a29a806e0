//! Judging sets: positions with values that have little noise, to judge evaluations and shallow searches by.
//!
//! A [`Family`] is a position of a game of varied strength and the moves from it, each with the value of a deep search.
//! So the order of sibling moves can be judged as well as the values of the positions after them. Sets share no game with
//! training data; [`overlap()`] proves that they share no position.

pub mod file;
pub mod overlap;
mod parents;
pub mod report;

use crate::board::{Board, Move, Position, Size, Square};
use crate::score::Score;

pub use file::{FamilyKey, JudgeFileError, JudgeSet, JudgeSetOptions, JudgeSettings, make};
pub use overlap::overlap;
pub use report::{JudgeExperiment, JudgeReportError, positions_text, report};

/// Empty squares of the parents.
pub const BANDS: [u8; 10] = [12, 16, 20, 24, 28, 32, 36, 40, 44, 48];

/// A position and moves from it, at least two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    pub parent: Position,
    /// In board order.
    pub moves: Vec<JudgedMove>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgedMove {
    pub square: Square,
    /// For the side that moves.
    pub value: Score,
}

impl Family {
    /// The positions after the moves, each with its value for the side to move there.
    pub fn positions(&self) -> impl Iterator<Item = (Position, Score)> + use<'_> {
        self.moves
            .iter()
            .filter_map(|judged| Some((self.parent.play(Move::Place(judged.square))?, -judged.value)))
    }

    /// Empty squares of the parent.
    #[must_use]
    pub fn empties(&self) -> u8 {
        self.parent.empties().len() as u8
    }
}

/// For the other side if this one has to pass.
fn with_turn(board: Board) -> Board {
    let area = Size::Eight.squares();
    if board.moves(area).is_empty() && !board.is_over(area) { board.passed() } else { board }
}

#[cfg(test)]
mod tests;
