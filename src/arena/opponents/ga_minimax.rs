//! `ga-minimax`: an undated course report whose weights a genetic algorithm bred over 3000 generations; it came third
//! in the round robin, won 393 games and lost 18.
//!
//! As the report says: minimax with alpha-beta, deepened from 3 to 19 plies while time lasts; from 54 discs on, two
//! plies and then a search to the end for win, draw or loss, whose move counts unless all moves lose. The value adds up
//! a map of squares over own less opponent's discs, a map of squares over own less opponent's moves, opponent's less
//! own stable discs × 218, own less opponent's frontier discs × −52 and discs × −52, the last two × −27 and −51 from 35
//! discs on.
//!
//! **Three of its four maps are lost in the document**: both maps of squares and the early map of moves. They were tuned
//! anew by a genetic algorithm like the report's, with all other weights fixed: `ollehto tune
//! training/tune/ga-minimax.toml`, seed 1, 60 individuals, 800 generations, a round robin of 3,540 games at depth 1 in
//! each. `docs/laboratory.md` tells how that went. Before, there were placeholders, which are kept as its untuned weights:
//! - both maps of squares: the costs that the genetic algorithm behind [`maximax`](super::maximax) has found for the
//!   same ten kinds of squares, times −3, which brings them into the range of the map that is left;
//! - the early map of moves: the late one.
//!
//! Where the report is silent or contradicts itself:
//! - Its pseudo-code lets a won line count even where the opponent would have to choose it; here the opponent chooses.
//! - The frontier is described as discs without any disc around: as everywhere, discs beside an empty square.
//! - Stable discs "always exist at corners and edges": those on the edges that hang together with a corner.
//! - Mobility is called a number of moves, but has a map: the sum of the map over the moves.
//! - No order of moves is given: board order, the first of equal moves. A pass is a ply, as in its pseudo-code.
//! - The smaller boards change period at the same part of the squares, and solve from ten empty squares on.
//!
//! Shown scores: 52 units, the weight of a disc, are a disc.

use crate::board::{Board, Size};
use crate::rules::Rules;

use super::alpha_beta::{StaticEvaluation, TO_THE_END, TerminalScoring, Value};
use super::features::{BoardContext, SquareClassValues, SquareTable, difference, scaled_discs};
use super::player::{DeepeningState, Strategy};

/// The late map of moves, which the report has.
pub(super) const MOVES: SquareClassValues = [34, 41, 43, 56, -52, 36, -24, -9, 5, -36];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GaMinimaxWeights {
    pub(super) early: PeriodWeights,
    pub(super) late: PeriodWeights,
    pub(super) stability: Value,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PeriodWeights {
    pub(super) squares: SquareClassValues,
    pub(super) moves: SquareClassValues,
    pub(super) frontier: Value,
    pub(super) discs: Value,
}

/// The report's weights, with placeholders for the lost maps.
pub(super) const UNTUNED: GaMinimaxWeights = {
    const SQUARES: SquareClassValues = [-2, -12, -48, -15, -57, -60, -54, -39, -38, 55];
    GaMinimaxWeights {
        early: PeriodWeights { squares: SQUARES, moves: MOVES, frontier: -52, discs: -52 },
        late: PeriodWeights { squares: SQUARES, moves: MOVES, frontier: -27, discs: -51 },
        stability: 218,
    }
};

/// The report's weights, with the lost maps tuned anew; see above.
pub(super) const TUNED: GaMinimaxWeights = {
    let mut weights = UNTUNED;
    weights.early.squares = [34, 22, -45, -9, -62, -36, -5, 40, 60, 55];
    weights.late.squares = [-29, 31, -6, 55, -3, -9, 1, 35, 26, 58];
    weights.early.moves = [58, 11, -5, 2, 2, 0, 9, 1, 30, 41];
    weights
};

const LATE_FROM: u32 = 35;

const FIRST_DEPTH: u8 = 3;
const LAST_DEPTH: u8 = 19;

/// The search to the end begins after one to this depth.
const DEPTH_BEFORE_SOLVING: u8 = 2;

#[derive(Clone, Debug)]
struct PeriodTables {
    squares: SquareTable,
    moves: SquareTable,
    frontier: Value,
    discs: Value,
}

impl PeriodTables {
    fn new(period: &PeriodWeights, size: Size) -> Self {
        Self {
            squares: SquareTable::new(period.squares, size),
            moves: SquareTable::new(period.moves, size),
            frontier: period.frontier,
            discs: period.discs,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct GaMinimax {
    context: BoardContext,
    early: PeriodTables,
    late: PeriodTables,
    stability: Value,
}

impl GaMinimax {
    pub(super) fn with(weights: &GaMinimaxWeights, rules: Rules, size: Size) -> Self {
        Self {
            context: BoardContext::new(rules, size),
            early: PeriodTables::new(&weights.early, size),
            late: PeriodTables::new(&weights.late, size),
            stability: weights.stability,
        }
    }
}

impl StaticEvaluation for GaMinimax {
    const TERMINAL: TerminalScoring = TerminalScoring::Sign;
    const SORTS: bool = false;

    fn evaluate(&self, board: Board) -> Value {
        let context = &self.context;
        let tables = if scaled_discs(board, context.size) < LATE_FROM { &self.early } else { &self.late };
        let (own_moves, other_moves) = context.moves(board);
        let placement = tables.squares.difference(board.own(), board.other())
            - self.stability * context.edge_stability(board)
            + tables.frontier * context.frontier(board)
            + tables.discs * difference(board.own(), board.other());
        context.goal * placement + tables.moves.difference(own_moves, other_moves)
    }
}

impl Strategy for GaMinimax {
    const UNITS_PER_DISC: Value = 52;
    const TIME_SHARE: Option<f64> = Some(1.0);
    const IGNORES_LOSSES: bool = true;
    /// 54 of 64 discs.
    const SOLVES_FROM: u8 = 10;

    fn new(rules: Rules, size: Size) -> Self {
        Self::with(&TUNED, rules, size)
    }

    fn next_depth(&self, progress: &DeepeningState) -> Option<u8> {
        let solves = progress.empties <= Self::SOLVES_FROM;
        match progress.depth {
            0 if solves => Some(DEPTH_BEFORE_SOLVING),
            DEPTH_BEFORE_SOLVING if solves => Some(TO_THE_END),
            0 => Some(FIRST_DEPTH),
            FIRST_DEPTH..LAST_DEPTH if !solves => Some(progress.depth + 1),
            _ => None,
        }
    }
}
