//! Judging sets: positions with values that have little noise, to judge evaluations and shallow searches by.
//!
//! A [`Family`] is a position of a game of varied strength and the moves from it, each with the value of a deep search.
//! So the order of sibling moves can be judged as well as the values of the positions after them. Sets share no game with
//! training data; [`overlap`] proves that they share no position.

pub mod file;
mod parents;

use crate::board::{Board, Position, Square};
use crate::score::Score;

pub use file::{JudgeFileError, JudgeSet, JudgeSetOptions, JudgeSettings, make};

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
    pub fn children(&self) -> impl Iterator<Item = (Board, Score)> + use<'_> {
        let parent = self.parent.board();
        self.moves.iter().map(move |judged| {
            let board = parent.after(judged.square, parent.flips(judged.square));
            (board, -judged.value)
        })
    }

    /// Whether all legal moves are among them.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.moves.len() == self.parent.moves().len() as usize
    }

    /// Empty squares of the parent.
    #[must_use]
    pub fn empties(&self) -> u8 {
        self.parent.empties().len() as u8
    }
}

#[cfg(test)]
mod tests;
