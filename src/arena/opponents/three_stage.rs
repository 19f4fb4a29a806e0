//! `three-stage`: an undated course report whose author came 165th in the round robin.
//!
//! As the report says: alpha-beta to depth 3 below 24 discs, to depth 4 below 58, then to the end of the game. The
//! value is k₁·W + k₂·(own − opponent's moves) + k₃·(own − opponent's edge discs) with W = −(table × board) and k = 5,
//! 3, 3 below 24 discs, 3, 7, 3 below 58; from 58 discs on, plus or minus infinity for who has won.
//!
//! Where the report is silent or contradicts itself:
//! - Its pseudo-code leaves out the minus before W; under that sign the program would run for the corners: the formula.
//! - Its pseudo-code has k = 3, 5, 3 in the middle stage, its formula 3, 7, 3: the formula.
//! - Its pseudo-code changes depth one disc later than its text: the text.
//! - W is printed for White and only the other two terms are said to change with the colour: W is own − opponent's too.
//! - The edge term rewards edge discs, which is odd where corners are shunned: as printed.
//! - A board of 58 discs and more that the depth-4 search meets is judged by its discs though the game goes on; that
//!   judgment counts less here than the result of a finished game. An even count is neither won nor lost.
//! - No order of moves is given: board order, the first of equal moves. A pass is a ply.
//!
//! Shown scores: ten units are a disc.

use crate::board::{Board, Size};
use crate::rules::Rules;

use super::alpha_beta::{StaticEvaluation, TO_THE_END, TerminalScoring, Value};
use super::features::{BoardContext, SquareClassValues, SquareTable, difference, scaled_discs};
use super::player::{DeepeningState, Strategy};

pub(super) const SQUARES: SquareClassValues = [100, -5, 10, 5, -45, 1, 1, 3, 2, 1];

/// Of squares, mobility and edges.
type ThreeWeights = (Value, Value, Value);

const EARLY: ThreeWeights = (5, 3, 3);
const MIDDLE: ThreeWeights = (3, 7, 3);

const MIDDLE_FROM: u32 = 24;
/// The late stage begins at 58 of 64 discs.
const LATE_EMPTIES: u8 = 6;

/// The report's infinity for boards that are judged before the game is over: beyond all weighted sums.
const JUDGED: Value = 1_000_000;

/// ThreeWeights and depths by the number of discs.
pub(super) struct ThreeStage {
    context: BoardContext,
    squares: SquareTable,
}

impl StaticEvaluation for ThreeStage {
    const TERMINAL: TerminalScoring = TerminalScoring::Sign;
    const SORTS: bool = false;

    fn evaluate(&self, board: Board) -> Value {
        let BoardContext { size, goal, .. } = self.context;
        if board.discs().len() + u32::from(LATE_EMPTIES) >= u32::from(size.area()) {
            return -goal * difference(board.own(), board.other()).signum() * JUDGED;
        }
        let (squares, mobility, edges) = if scaled_discs(board, size) < MIDDLE_FROM { EARLY } else { MIDDLE };
        let edge_discs = difference(board.own() & size.edges(), board.other() & size.edges());
        let placement = edges * edge_discs - squares * self.squares.difference(board.own(), board.other());
        goal * placement + mobility * self.context.mobility(board)
    }
}

impl Strategy for ThreeStage {
    const UNITS_PER_DISC: Value = 10;
    const SOLVES_FROM: u8 = LATE_EMPTIES;

    fn new(rules: Rules, size: Size) -> Self {
        Self { context: BoardContext::new(rules, size), squares: SquareTable::new(SQUARES, size) }
    }

    fn next_depth(&self, progress: &DeepeningState) -> Option<u8> {
        let depth = match progress {
            DeepeningState { empties: ..=LATE_EMPTIES, .. } => TO_THE_END,
            DeepeningState { discs: ..MIDDLE_FROM, .. } => 3,
            _ => 4,
        };
        (progress.depth == 0).then_some(depth)
    }
}
