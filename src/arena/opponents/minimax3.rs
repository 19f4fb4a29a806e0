//! `minimax3`: a course report of 2022 with a depth of three and a borrowed table.
//!
//! As the report says: alpha-beta to depth 3, and without limit when fewer than 5 squares are empty. The value is
//! `10·F₁ + 5·F₂ + F₃` with F₁ = −(table values of the own discs), F₂ = own − opponent's moves and
//! F₃ = −(own − opponent's discs). The table is one made for the ordinary game, with corners worth 10000, and is simply
//! negated.
//!
//! Where the report is silent or contradicts itself:
//! - F₁ counts only the own discs. It is taken at its word, always for the player who searches.
//! - One entry of the table's first row reads 200 where its seven mirror images read −200: −200.
//! - Its pseudo-code returns the same value at the end of the game as anywhere else, its conclusion says that the end
//!   is judged by win or loss: won, drawn or lost, beyond every other value.
//! - No order of moves is given: board order, the first of equal moves.
//! - A player who has to pass makes its pseudo-code return infinity: a pass is a ply.
//! - A move that took longer than five seconds was cut off there; here the best move finished by then is played.
//!
//! Shown scores: an edge square (2500 units) is a disc.

use crate::board::{Board, Size};
use crate::rules::Rules;

use super::alpha_beta::{StaticEvaluation, TO_THE_END, TerminalScoring, Value};
use super::features::{BoardContext, SquareClassValues, SquareTable, difference};
use super::player::{DeepeningState, Strategy};

pub(super) const SQUARES: SquareClassValues = [10_000, -200, 250, 250, -45, -1, -1, 3, 2, 1];

const SQUARE_WEIGHT: Value = 10;
const MOBILITY_WEIGHT: Value = 5;
const DISC_WEIGHT: Value = 1;

const DEPTH: u8 = 3;

pub(super) struct Minimax3 {
    context: BoardContext,
    squares: SquareTable,
    depth: u8,
}

impl Minimax3 {
    /// The report counts the moves that took too long at depths 2 to 5.
    pub(super) fn with_depth(depth: u8, rules: Rules, size: Size) -> Self {
        Self { context: BoardContext::new(rules, size), squares: SquareTable::new(SQUARES, size), depth }
    }
}

impl StaticEvaluation for Minimax3 {
    const TERMINAL: TerminalScoring = TerminalScoring::Sign;
    const SORTS: bool = false;

    fn evaluate(&self, board: Board) -> Value {
        let squares = -self.squares.sum(board.own());
        let discs = -difference(board.own(), board.other());
        self.context.goal * (SQUARE_WEIGHT * squares + DISC_WEIGHT * discs)
            + MOBILITY_WEIGHT * self.context.mobility(board)
    }
}

impl Strategy for Minimax3 {
    const UNITS_PER_DISC: Value = 2500;
    const SOLVES_FROM: u8 = 4;

    fn new(rules: Rules, size: Size) -> Self {
        Self::with_depth(DEPTH, rules, size)
    }

    fn next_depth(&self, progress: &DeepeningState) -> Option<u8> {
        let depth = if progress.empties <= Self::SOLVES_FROM { TO_THE_END } else { self.depth };
        (progress.depth == 0).then_some(depth)
    }
}
