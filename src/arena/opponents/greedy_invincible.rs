//! `greedy-invincible`: the yardstick that the report behind [`maximax`](super::maximax) measures evaluations with.
//!
//! It takes the move that leads to the best board by that report's evaluation, without looking further, and plays the
//! last twelve plies perfectly: for the win, then the draw, by however much. The report gives no order of moves for the
//! last plies; they are sorted by the same evaluation. Should the clock run out there, the greedy move stands.

use crate::board::{Board, Move, Size};
use crate::rules::Rules;

use super::alpha_beta::{Evaluator, TO_THE_END, TerminalScoring, Value};
use super::maximax::{MaximaxEvaluator, ONE};
use super::player::{DeepeningState, Strategy};

/// Plays by the look of the next board.
pub(super) struct GreedyInvincible {
    evaluator: MaximaxEvaluator,
}

impl Evaluator for GreedyInvincible {
    const TERMINAL: TerminalScoring = TerminalScoring::Sign;
    const SORTS: bool = true;

    fn evaluate(&self, view: Board) -> Value {
        self.evaluator.evaluate(view)
    }

    fn rank(&self, _action: Move, next: Board) -> Value {
        -self.evaluator.evaluate(next)
    }
}

impl Strategy for GreedyInvincible {
    /// As for `maximax`: an evaluation of one is a whole board.
    const UNITS_PER_DISC: Value = ONE / 64;
    const TIME_SHARE: Option<f64> = Some(1.0);
    const SOLVES_FROM: u8 = 12;

    fn new(rules: Rules, size: Size) -> Self {
        Self { evaluator: MaximaxEvaluator::new(rules, size) }
    }

    fn next_depth(&self, progress: &DeepeningState) -> Option<u8> {
        match progress.depth {
            0 => Some(1),
            1 if progress.empties <= Self::SOLVES_FROM => Some(TO_THE_END),
            _ => None,
        }
    }
}
