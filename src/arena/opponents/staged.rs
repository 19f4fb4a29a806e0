//! `staged`: an undated course report that changes what it looks at as the board fills.
//!
//! As the report says: alpha-beta deepened from 6 to 10 plies while time lasts, moves sorted by the table value of
//! their square. The value is the sum of the table over own less opponent's discs, and one more term: 5·mobility until
//! a disc lies on an edge, then 15·frontier, and 25·stability once two corners have the same colour. A finished game is
//! worth the disc difference. The table is made for the reversed game: corners −800, the squares beside them 260.
//!
//! Where the report is silent or contradicts itself:
//! - The table is printed with seven rows; the eighth is the mirror image of the fourth.
//! - Mobility and frontier are taken as own less opponent's, as the table's sum is. More frontier is wanted, says the
//!   text: discs that will be turned.
//! - Stability is added by the formula while the text wants few stable discs: opponent's less own.
//! - A disc is stable if it hangs together with an own corner across and down over own discs.
//! - The stage is that of the board valued, not of the root.
//! - A bare disc difference would be less than one square of the table: it counts beyond every other value here, the
//!   larger win the better, as the text on optimal play in reach of the end implies.
//! - A pass is a ply. The move of the last completed depth counts; of the first, the best move finished.
//!
//! Shown scores: twenty units are a disc.

use crate::board::{Board, Move, Size};
use crate::rules::Rules;

use super::alpha_beta::{StaticEvaluation, TerminalScoring, Value};
use super::features::{BoardContext, SquareClassValues, SquareTable};
use super::player::{DeepeningState, Strategy};

pub(super) const SQUARES: SquareClassValues = [-800, 260, -50, -30, 100, -10, -5, -5, 3, 1];

const MOBILITY_WEIGHT: Value = 5;
const FRONTIER_WEIGHT: Value = 15;
const STABILITY_WEIGHT: Value = 25;

const FIRST_DEPTH: u8 = 6;
const LAST_DEPTH: u8 = 10;

pub(super) struct Staged {
    context: BoardContext,
    squares: SquareTable,
}

impl StaticEvaluation for Staged {
    const TERMINAL: TerminalScoring = TerminalScoring::Margin;
    const SORTS: bool = true;

    fn evaluate(&self, board: Board) -> Value {
        let BoardContext { size, goal, .. } = self.context;
        let placement = self.squares.difference(board.own(), board.other());
        let corners = size.corners();
        if (board.own() & corners).len() >= 2 || (board.other() & corners).len() >= 2 {
            let stable = |discs| self.context.corner_connected(discs).len() as Value;
            goal * (placement + STABILITY_WEIGHT * (stable(board.other()) - stable(board.own())))
        } else if !(board.discs() & size.edges()).is_empty() {
            goal * (placement + FRONTIER_WEIGHT * self.context.frontier(board))
        } else {
            goal * placement + MOBILITY_WEIGHT * self.context.mobility(board)
        }
    }

    fn rank(&self, action: Move, _next: Board) -> Value {
        match action {
            Move::Place(square) => self.context.goal * self.squares.sum(square.into()),
            Move::Pass => 0,
        }
    }
}

impl Strategy for Staged {
    const UNITS_PER_DISC: Value = 20;
    const TIME_SHARE: Option<f64> = Some(1.0);

    fn new(rules: Rules, size: Size) -> Self {
        Self { context: BoardContext::new(rules, size), squares: SquareTable::new(SQUARES, size) }
    }

    fn next_depth(&self, progress: &DeepeningState) -> Option<u8> {
        let depth = (progress.depth + 1).max(FIRST_DEPTH);
        (depth <= LAST_DEPTH).then_some(depth)
    }
}
