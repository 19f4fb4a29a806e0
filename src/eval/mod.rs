//! The evaluation of positions: patterns with trained weights and a hidden layer on 8×8, hand-made features on smaller boards.

mod handmade;
mod kernel;
pub mod pattern;
mod pattern_state;
pub mod rows;
pub mod weights;

use std::path::PathBuf;
use std::sync::Arc;
use std::{fmt, fs, io};

pub use pattern_state::PatternState;
pub use weights::Weights;

use crate::board::{Bitboard, Board, Size};
use crate::rules::Rules;
use crate::score::Score;

use handmade::HandMade;
use weights::WeightsError;

/// Which evaluation to use on the full board. Smaller boards have only the hand-made one.
#[derive(Clone, Debug, Default)]
pub enum Evaluation {
    /// The trained weights built into the program.
    #[default]
    Shipped,
    HandMade,
    /// Other weights, for their rule set; the other rule set keeps the shipped ones.
    Loaded(Arc<Weights>),
}

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

/// Why [`Evaluation::load`] failed.
#[derive(Debug)]
pub enum EvaluationError {
    Read(PathBuf, io::Error),
    Decode(PathBuf, WeightsError),
}

impl fmt::Display for EvaluationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Decode(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for EvaluationError {}

/// Why [`Evaluation::check_use`] failed: loaded weights are for other games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnusedWeights {
    Rules(Rules),
    Size(Size),
}

impl fmt::Display for UnusedWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules(rules) => {
                write!(
                    f,
                    "these weights are for {rules} rules and would not be used: name others, or --rules {rules}"
                )
            }
            Self::Size(size) => {
                let side = size.side();
                write!(f, "weights are for 8×8 and would not be used on {side}×{side}: leave them out")
            }
        }
    }
}

impl std::error::Error for UnusedWeights {}

/// What users write for [`Evaluation::HandMade`].
pub const HAND_MADE: &str = "hand-made";

impl Evaluation {
    /// Reads a weights file; [`HAND_MADE`] needs none.
    ///
    /// # Errors
    /// If the file cannot be read or is no weights file.
    pub fn load(name: &str) -> Result<Self, EvaluationError> {
        if name == HAND_MADE {
            return Ok(Self::HandMade);
        }
        let bytes = fs::read(name).map_err(|error| EvaluationError::Read(name.into(), error))?;
        let packed = weights::decode(&bytes).map_err(|error| EvaluationError::Decode(name.into(), error))?;
        Ok(Self::Loaded(Arc::new(Weights::new(packed))))
    }

    /// # Errors
    /// If these weights would not be used in such games.
    pub fn check_use(&self, rules: &[Rules], size: Size) -> Result<(), UnusedWeights> {
        match self {
            Self::Loaded(_) if size != Size::Eight => Err(UnusedWeights::Size(size)),
            Self::Loaded(weights) if !rules.contains(&weights.rules()) => {
                Err(UnusedWeights::Rules(weights.rules()))
            }
            _ => Ok(()),
        }
    }

    #[must_use]
    pub fn evaluator(&self, rules: Rules, size: Size) -> Evaluator {
        let trained = match self {
            _ if size != Size::Eight => None,
            Self::HandMade => None,
            Self::Loaded(weights) if weights.rules() == rules => Some(Arc::clone(weights)),
            Self::Shipped | Self::Loaded(_) => Weights::shipped(rules),
        };
        Evaluator { rules, size, area: size.squares(), handmade: HandMade::new(rules, size), trained }
    }
}

/// Evaluates positions under one rule set on one size of board.
#[derive(Clone, Debug)]
pub struct Evaluator {
    rules: Rules,
    size: Size,
    area: Bitboard,
    handmade: HandMade,
    trained: Option<Arc<Weights>>,
}

impl Evaluator {
    /// The evaluation built into the program.
    #[must_use]
    pub fn new(rules: Rules, size: Size) -> Self {
        Evaluation::Shipped.evaluator(rules, size)
    }

    /// See [`Weights::prepare`].
    pub fn prepare(&self, empties: usize) {
        if let Some(weights) = &self.trained {
            weights.prepare(empties);
        }
    }

    /// See [`Weights::prepare_stage`].
    pub fn prepare_stage(&self, empties: usize) -> bool {
        self.trained.as_ref().is_some_and(|weights| weights.prepare_stage(empties))
    }

    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Whether it uses trained weights.
    #[must_use]
    pub fn is_trained(&self) -> bool {
        self.trained.is_some()
    }

    /// For the player to move. The exact result where a side has no discs or the board is full.
    #[must_use]
    #[inline]
    pub fn evaluate(&self, state: &PatternState) -> Score {
        state.known_value().unwrap_or_else(|| self.compute(state))
    }

    fn compute(&self, state: &PatternState) -> Score {
        let board = state.board;
        if board.own().is_empty() || board.other().is_empty() || board.discs() == self.area {
            return self.result(board);
        }
        match &self.trained {
            Some(weights) => weights.evaluate(state),
            None => self.handmade.evaluate(board, state.moves(self.area)),
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
        let state = PatternState::new(Board::new(own, Square::A1.into()).expect("disjoint"));
        for (rules, sign) in [(Rules::Reversed, -1), (Rules::Standard, 1)] {
            let value = Evaluator::new(rules, Size::Eight).evaluate(&state);
            assert_eq!(i32::from(value.units()), sign * 62 * i32::from(Score::UNITS));
        }
    }

    #[test]
    fn a_wiped_out_side_has_its_result() {
        let state = PatternState::new(Board::new(Square::A1.into(), Bitboard::EMPTY).expect("disjoint"));
        assert_eq!(Evaluator::new(Rules::Standard, Size::Eight).evaluate(&state), Score::MAX);
        assert_eq!(Evaluator::new(Rules::Reversed, Size::Eight).evaluate(&state), -Score::MAX);
    }
}
