//! What a position is worth: learned from games of the engine against itself, hand-made where nothing was learned.

mod features;
mod handmade;
pub mod pattern;
#[cfg(avx2)]
mod simd;
pub mod weights;

use std::fs;
use std::sync::Arc;

pub use features::PatternState;
pub use weights::Weights;

use crate::board::{Bitboard, Board, Size};
use crate::rules::Rules;
use crate::score::Score;

use handmade::HandMade;

/// Which evaluation to use on the full board. Smaller boards have only the hand-made one.
#[derive(Clone, Debug, Default)]
pub enum Evaluation {
    /// The learned weights that come with the program.
    #[default]
    Shipped,
    /// A handful of features that a player would name.
    HandMade,
    /// Other weights, for their rule set; the other rule set keeps what comes with the program.
    Loaded(Arc<Weights>),
}

/// Two are the same if they would be read from the same place.
impl PartialEq for Evaluation {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Shipped, Self::Shipped) | (Self::HandMade, Self::HandMade) => true,
            (Self::Loaded(one), Self::Loaded(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

impl Eq for Evaluation {}

/// The name that stands for the evaluation without weights.
pub const HAND_MADE: &str = "hand-made";

impl Evaluation {
    /// The evaluation of a file of weights, or [`HAND_MADE`].
    ///
    /// # Errors
    /// If the file cannot be read or holds something else; the message names it.
    pub fn named(name: &str) -> Result<Self, String> {
        if name == HAND_MADE {
            return Ok(Self::HandMade);
        }
        let bytes = fs::read(name).map_err(|error| format!("{name}: {error}"))?;
        let packed = weights::decode(&bytes).map_err(|error| format!("{name}: {error}"))?;
        Ok(Self::Loaded(Arc::new(Weights::new(packed))))
    }

    /// The evaluation for a rule set and a size of board.
    #[must_use]
    pub fn evaluator(&self, rules: Rules, size: Size) -> Evaluator {
        let learned = match self {
            _ if size != Size::Eight => None,
            Self::HandMade => None,
            Self::Loaded(weights) if weights.rules() == rules => Some(Arc::clone(weights)),
            Self::Shipped | Self::Loaded(_) => Weights::shipped(rules),
        };
        Evaluator { rules, size, area: size.squares(), handmade: HandMade::new(rules, size), learned }
    }
}

/// Values positions under one rule set on one size of board.
#[derive(Clone, Debug)]
pub struct Evaluator {
    rules: Rules,
    size: Size,
    area: Bitboard,
    handmade: HandMade,
    learned: Option<Arc<Weights>>,
}

impl Evaluator {
    /// The evaluation that comes with the program.
    #[must_use]
    pub fn new(rules: Rules, size: Size) -> Self {
        Evaluation::Shipped.evaluator(rules, size)
    }

    /// The same evaluation for another thread; see [`Weights::for_another_thread`].
    #[must_use]
    pub fn for_another_thread(&self) -> Self {
        let learned = self.learned.as_ref().map(|weights| Arc::new(weights.for_another_thread()));
        Self { learned, ..self.clone() }
    }

    /// See [`Weights::prepare`].
    pub fn prepare(&self, empties: usize) {
        if let Some(weights) = &self.learned {
            weights.prepare(empties);
        }
    }

    /// See [`Weights::prepare_stage`].
    pub fn prepare_stage(&self, empties: usize) -> bool {
        self.learned.as_ref().is_some_and(|weights| weights.prepare_stage(empties))
    }

    /// The rule set that it knows.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Whether it was learned, or else made by hand.
    #[must_use]
    pub fn is_learned(&self) -> bool {
        self.learned.is_some()
    }

    /// The value for the player to move: the true result where a side has no discs or the board is full.
    #[must_use]
    #[inline]
    pub fn evaluate(&self, view: &PatternState) -> Score {
        let board = view.board;
        if board.own().is_empty() || board.other().is_empty() || board.discs() == self.area {
            return self.result(board);
        }
        match &self.learned {
            Some(weights) => weights.evaluate(view),
            None => self.handmade.evaluate(board, view.moves(self.area)),
        }
    }

    #[cold]
    fn result(&self, board: Board) -> Score {
        self.rules.result(board, self.size).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Square, Symmetry};

    #[test]
    fn turned_boards_are_worth_the_same() {
        let board = Board::START.play(Square::D3).and_then(|b| b.play(Square::C3)).expect("legal");
        for rules in Rules::ALL {
            for evaluation in [Evaluation::Shipped, Evaluation::HandMade] {
                let evaluator = evaluation.evaluator(rules, Size::Eight);
                let value = |board| evaluator.evaluate(&PatternState::new(board));
                for symmetry in Symmetry::ALL {
                    assert_eq!(value(board), value(symmetry.map_board(board)));
                }
            }
        }
    }

    #[test]
    fn a_full_board_has_its_result() {
        let own = Bitboard(u64::MAX) - Square::A1.into();
        let view = PatternState::new(Board::new(own, Square::A1.into()).expect("disjoint"));
        for (rules, sign) in [(Rules::Reversed, -1), (Rules::Standard, 1)] {
            let value = Evaluator::new(rules, Size::Eight).evaluate(&view);
            assert_eq!(i32::from(value.units()), sign * 62 * i32::from(Score::UNITS));
        }
    }

    #[test]
    fn a_wiped_out_side_has_its_result() {
        let view = PatternState::new(Board::new(Square::A1.into(), Bitboard::EMPTY).expect("disjoint"));
        assert_eq!(Evaluator::new(Rules::Standard, Size::Eight).evaluate(&view), Score::MAX);
        assert_eq!(Evaluator::new(Rules::Reversed, Size::Eight).evaluate(&view), -Score::MAX);
    }
}
