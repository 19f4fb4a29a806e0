//! `maximax`: a course report of 2022 on "double-alpha maximax" search, the most thorough of the five.
//!
//! As the report says: negamax with one alpha for each colour, which is alpha-beta; deepened from two plies; moves
//! sorted by the values that a hash table has from the depth before, and by the evaluation where it has none; a
//! finished game is worth ±1 or 0, beyond every evaluation; a proven win ends the search. Of the evaluation it gives
//! sixteen numbers, found by its genetic algorithm, and not what they stand for.
//!
//! The report prints this rule of time, `time_out` being the time given times `q`, a fraction whose value it does not
//! give: search one ply deeper while `time_used · breadth < q · time_out` or the move has just changed, and only while
//! `time_used / q < time_out`. The breadth is the mean number of moves by disc count.
//!
//! From the author's public program, and not from the report:
//! - What the sixteen numbers stand for: the costs of own discs on the ten kinds of squares, from the corner inwards, row
//!   by row; then, for each of two stages, the weights of three terms, each own less opponent's and scaled to about ±1:
//!   the costs of discs, the moves weighted by the costs of their squares, and the discs on edges that hang together
//!   with a corner, per 28. Costs and stable discs are bad, moves good; moves to costly squares count most, those into
//!   corners next to nothing.
//! - The first stage ends with 24 discs. Its mix is 1, 0.1, 0.2 and the second one's 0.6, 0.2, 0.2.
//! - The rule of time that is played here: the budget is 0.95 of the time given; one ply deeper while
//!   `elapsed · breadth / 2.5` is within it or the move has just changed, and `elapsed · 1.5` is within it.
//! - That program turns discs in the first direction found only, a mistake that the report does not mention. Its
//!   breadths, node counts and win rates are of that game. Here discs turn in all directions.
//!
//! Where the report is silent or contradicts itself, our choice:
//! - Costs and weighted moves are divided by the sum of all squares' absolute costs, which bounds the first term by ±1.
//!   (The public program divides the moves by 12/64 of that sum, so that they count for more.)
//! - The breadth is the report's own average for the disc count at the deepest ply to be added, of some forty games.
//! - The hash table's size is left open: 2¹⁸ boards; a new board takes the place of an old one.
//! - At the last ply its pseudo-code takes the value of the board sorted first; here it is the best value of all, which
//!   is the same unless the table knows one of them, and a finished game there has its true worth.
//!
//! Shown scores: an evaluation of one is 64 discs.

use crate::board::{Board, Move, Size};
use crate::rules::Rules;

use super::alpha_beta::{StaticEvaluation, TO_THE_END, TerminalScoring, Value};
use super::features::{BoardContext, SquareClassValues, SquareTable, scaled_discs};
use super::player::{DeepeningState, Strategy};

/// The unit of the evaluation.
pub(super) const ONE: Value = 1_000_000;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct MaximaxWeights {
    /// Costs of own discs, by square class.
    pub(super) costs: [f64; 10],
    pub(super) early: TermWeights,
    pub(super) late: TermWeights,
}

/// The weights of costs, mobility and stability.
pub(super) type TermWeights = [f64; 3];

/// The ten costs alone that the report's first genetic run found, as a mix without mobility and stability.
pub(super) const PUBLISHED_COSTS: MaximaxWeights = MaximaxWeights {
    costs: [
        0.582_946_78,
        0.324_226_38,
        0.300_720_21,
        0.049_499_51,
        0.743_104_93,
        0.267_213_82,
        0.051_330_57,
        0.726_028_44,
        -0.129_394_53,
        -0.730_834_96,
    ],
    early: [1.0, 0.0, 0.0],
    late: [1.0, 0.0, 0.0],
};

/// The sixteen numbers that its second run found.
pub(super) const PUBLISHED: MaximaxWeights = MaximaxWeights {
    costs: [
        0.607_910_16,
        4.047_851_56,
        16.010_704_04,
        5.0,
        19.0,
        20.0,
        17.980_430_6,
        13.0,
        12.812_5,
        -18.287_429_81,
    ],
    early: [1.0, 0.1, 0.2],
    late: [0.6, 0.2, 0.2],
};

/// How many squares of each kind there are on the 8×8 board.
const COUNTS: [f64; 10] = [4.0, 8.0, 8.0, 8.0, 4.0, 8.0, 8.0, 4.0, 8.0, 4.0];

/// From the author's public program.
const EARLY_UP_TO: u32 = 24;

/// The squares along the edges of the 8×8 board, all of which may be stable. From the author's public program.
const EDGE_SQUARES: Value = 28;

const FIRST_DEPTH: u8 = 2;
/// The part of the time given that it may use. This and the next two are from the author's public program.
const TIME_FRACTION: f64 = 0.95;
/// Expected saving by pruning in the time for one more ply.
const PRUNING: f64 = 2.5;
/// No deeper search begins after the budget divided by this.
const RESERVE: f64 = 1.5;

/// The average number of moves with 4 to 63 discs on the board, as the report prints them. Their mean is 8.768, where the
/// report states 8.95.
pub const BREADTHS: [f64; 60] = [
    4.0, 3.0, 4.625, 5.05, 5.75, 6.075, 7.125, 7.45, 8.05, 8.125, 8.975, 8.925, 9.1, 9.975, 9.725, 10.35,
    11.0, 10.575, 11.525, 11.275, 11.4, 12.15, 11.525, 11.85, 12.275, 11.975, 12.425, 11.725, 12.9, 12.25,
    12.975, 12.375, 12.75, 11.725, 12.175, 11.575, 12.075, 11.125, 11.6, 10.85, 10.75, 10.125, 10.5, 9.05,
    9.5, 8.5, 8.475, 7.65, 7.5, 6.675, 6.95, 5.55, 5.3, 4.463, 4.15, 3.475, 2.825, 2.119, 1.435, 0.702,
];

/// Sums are in tenths, so that the report's weights stay whole numbers.
const PARTS: f64 = 10.0;

#[derive(Clone, Debug)]
struct StageTables {
    costs: SquareTable,
    moves: SquareTable,
    stability: Value,
}

impl StageTables {
    fn new(costs: SquareClassValues, [placement, mobility, stability]: TermWeights, size: Size) -> Self {
        let mixed = |part: f64| {
            SquareTable::new(costs.map(|cost| (f64::from(cost) * part * PARTS).round() as Value), size)
        };
        let stability = (f64::from(ONE / EDGE_SQUARES) * stability * PARTS).round() as Value;
        Self { costs: mixed(placement), moves: mixed(mobility), stability }
    }
}

#[derive(Clone, Debug)]
pub(super) struct MaximaxEvaluator {
    context: BoardContext,
    early: StageTables,
    late: StageTables,
}

impl MaximaxEvaluator {
    pub(super) fn new(rules: Rules, size: Size) -> Self {
        Self::with(&PUBLISHED, rules, size)
    }

    pub(super) fn with(weights: &MaximaxWeights, rules: Rules, size: Size) -> Self {
        let costs = scaled(weights.costs);
        let [early, late] = [weights.early, weights.late].map(|mix| StageTables::new(costs, mix, size));
        Self { context: BoardContext::new(rules, size), early, late }
    }

    pub(super) fn evaluate(&self, board: Board) -> Value {
        let stage =
            if scaled_discs(board, self.context.size) <= EARLY_UP_TO { &self.early } else { &self.late };
        let (own_moves, other_moves) = self.context.moves(board);
        let placement = stage.costs.difference(board.own(), board.other())
            + stage.stability * self.context.edge_stability(board);
        (stage.moves.difference(own_moves, other_moves) - self.context.goal * placement) / PARTS as Value
    }
}

/// Costs scaled so that their absolute values over the board add up to [`ONE`]; zeroes stay zeroes.
fn scaled(costs: [f64; 10]) -> SquareClassValues {
    let total: f64 = costs.iter().zip(COUNTS).map(|(cost, count)| cost.abs() * count).sum();
    let unit = if total > 0.0 { f64::from(ONE) / total } else { 0.0 };
    costs.map(|cost| (cost * unit).round() as Value)
}

/// Values of boards for the player to move, for move ordering.
struct OrderingTable(Vec<Option<(Board, Value)>>);

impl OrderingTable {
    const SLOTS: usize = 1 << 18;

    fn slot(board: Board) -> usize {
        board.hash() as usize % Self::SLOTS
    }

    fn get(&self, board: Board) -> Option<Value> {
        self.0[Self::slot(board)].filter(|(known, _)| *known == board).map(|(_, value)| value)
    }
}

pub(super) struct Maximax {
    evaluator: MaximaxEvaluator,
    memory: OrderingTable,
}

impl Maximax {
    pub(super) fn with(weights: &MaximaxWeights, rules: Rules, size: Size) -> Self {
        let evaluator = MaximaxEvaluator::with(weights, rules, size);
        Self { evaluator, memory: OrderingTable(vec![None; OrderingTable::SLOTS]) }
    }
}

impl StaticEvaluation for Maximax {
    const TERMINAL: TerminalScoring = TerminalScoring::Sign;
    const SORTS: bool = true;

    fn evaluate(&self, board: Board) -> Value {
        self.evaluator.evaluate(board)
    }

    /// Boards of the previous depth come first.
    fn rank(&self, _action: Move, next: Board) -> Value {
        match self.memory.get(next) {
            Some(value) => 4 * ONE - value.clamp(-2 * ONE, 2 * ONE),
            None => -self.evaluator.evaluate(next),
        }
    }

    fn remember(&mut self, board: Board, value: Value) {
        self.memory.0[OrderingTable::slot(board)] = Some((board, value));
    }
}

impl Strategy for Maximax {
    const UNITS_PER_DISC: Value = ONE / 64;
    const TIME_SHARE: Option<f64> = Some(TIME_FRACTION);

    fn new(rules: Rules, size: Size) -> Self {
        Self::with(&PUBLISHED, rules, size)
    }

    fn next_depth(&self, progress: &DeepeningState) -> Option<u8> {
        if progress.depth == 0 {
            return Some(FIRST_DEPTH);
        }
        let depth = progress.depth + 1;
        let budget = progress.given.mul_f64(TIME_FRACTION);
        let ply = progress.discs as usize + usize::from(depth) - 1;
        let breadth = BREADTHS[ply.saturating_sub(4).min(BREADTHS.len() - 1)];
        let fits = progress.elapsed.mul_f64(breadth / PRUNING) < budget;
        ((fits || progress.changed) && progress.elapsed.mul_f64(RESERVE) < budget).then_some(depth)
    }
}

/// `greedy-invincible`, the report's yardstick for evaluations: the best next board by the evaluation, and the last
/// twelve plies played perfectly for win or draw. The report gives no move order for these; they are sorted by the
/// evaluation. If time runs out there, the greedy move is played.
pub(super) struct GreedyInvincible {
    evaluator: MaximaxEvaluator,
}

impl StaticEvaluation for GreedyInvincible {
    const TERMINAL: TerminalScoring = TerminalScoring::Sign;
    const SORTS: bool = true;

    fn evaluate(&self, board: Board) -> Value {
        self.evaluator.evaluate(board)
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_costs_of_a_whole_board_are_one() {
        let counted =
            scaled(PUBLISHED.costs).into_iter().zip(COUNTS).map(|(cost, count)| cost.abs() * count as Value);
        assert!((counted.sum::<Value>() - ONE).abs() < 64);
        assert_eq!(COUNTS.iter().sum::<f64>(), 64.0);
    }

    #[test]
    fn the_next_depth_must_be_likely_to_fit() {
        let maximax = Maximax::new(Rules::Reversed, Size::Eight);
        let given = Duration::from_secs(1);
        let next = |depth, changed, milliseconds| {
            let elapsed = Duration::from_millis(milliseconds);
            maximax.next_depth(&DeepeningState { discs: 30, empties: 34, depth, changed, elapsed, given })
        };
        assert_eq!(next(0, true, 0), Some(2));
        assert_eq!(next(5, false, 100), Some(6));
        assert_eq!(next(5, false, 300), None, "thirteen moves at the new ply");
        assert_eq!(next(5, true, 300), Some(6), "the move has changed");
        assert_eq!(next(5, true, 650), None, "too late for anything");
    }
}
