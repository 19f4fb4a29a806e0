//! The opponents' evaluations without their search, for comparisons.

use crate::board::{Board, Size};
use crate::rules::Rules;

use super::alpha_beta::Value;
use super::features::{BoardContext, SquareTable, difference};
use super::ga_minimax::GaMinimax;
use super::maximax::MaximaxEvaluator;
use super::minimax3::Minimax3;
use super::player::Strategy;
use super::staged::{self, Staged};
use super::three_stage::ThreeStage;

pub use super::maximax::BREADTHS;

/// For the player to move, in units of its own.
pub type BoardEvaluator = Box<dyn Fn(Board) -> f64 + Send + Sync>;

/// Opponents with an evaluation. `greedy-invincible` uses that of `maximax`.
pub const EVALUATORS: [&str; 6] = ["greedy", "minimax3", "three-stage", "staged", "maximax", "ga-minimax"];

pub const FEATURES: [&str; 5] = ["squares", "stability", "frontier", "mobility", "discs"];

/// By the opponent's name.
#[must_use]
pub fn evaluator(name: &str, rules: Rules, size: Size) -> Option<BoardEvaluator> {
    let evaluator: BoardEvaluator = match name {
        "greedy" => feature("discs", rules, size)?,
        "minimax3" => of_strategy::<Minimax3>(rules, size),
        "three-stage" => of_strategy::<ThreeStage>(rules, size),
        "staged" => of_strategy::<Staged>(rules, size),
        "maximax" => {
            let evaluator = MaximaxEvaluator::new(rules, size);
            Box::new(move |board| evaluator.evaluate(board).into())
        }
        "ga-minimax" => of_strategy::<GaMinimax>(rules, size),
        _ => return None,
    };
    Some(evaluator)
}

fn of_strategy<S: Strategy + Sync + 'static>(rules: Rules, size: Size) -> BoardEvaluator {
    let strategy = S::new(rules, size);
    Box::new(move |board| strategy.evaluate(board).into())
}

/// A single feature, own less opponent's, with the square table and the signs of the `staged` report. In the reversed
/// game few stable discs, many frontier discs, many moves and few discs are good; in the standard game all but mobility
/// change their sign.
#[must_use]
pub fn feature(name: &str, rules: Rules, size: Size) -> Option<BoardEvaluator> {
    let context = BoardContext::new(rules, size);
    let goal = f64::from(context.goal);
    let evaluator: BoardEvaluator = match name {
        "squares" => {
            let table = SquareTable::new(staged::SQUARES, size);
            Box::new(move |board| goal * f64::from(table.difference(board.own(), board.other())))
        }
        "stability" => Box::new(move |board| {
            let stable = |discs| context.corner_connected(discs).len() as Value;
            goal * f64::from(stable(board.other()) - stable(board.own()))
        }),
        "frontier" => Box::new(move |board| goal * f64::from(context.frontier(board))),
        "mobility" => Box::new(move |board| context.mobility(board).into()),
        "discs" => Box::new(move |board| -goal * f64::from(difference(board.own(), board.other()))),
        _ => return None,
    };
    Some(evaluator)
}

/// Edge discs of the player to move that are connected to an own corner along the edge, at most 28; the stable discs of
/// `maximax`.
#[must_use]
pub fn edge_stable(board: Board) -> u32 {
    let size = Size::Eight;
    BoardContext::new(Rules::Reversed, size).corner_connected(board.own() & size.edges()).len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Bitboard, Square};

    fn board(own: &[Square], other: &[Square]) -> Board {
        let set = |squares: &[Square]| squares.iter().copied().collect::<Bitboard>();
        Board::new(set(own), set(other)).expect("disjoint")
    }

    #[test]
    fn every_name_has_an_evaluation() {
        for rules in [Rules::Reversed, Rules::Standard] {
            assert!(EVALUATORS.iter().all(|name| evaluator(name, rules, Size::Eight).is_some()));
            assert!(FEATURES.iter().all(|name| feature(name, rules, Size::Eight).is_some()));
        }
        assert!(evaluator("random", Rules::Reversed, Size::Eight).is_none());
    }

    #[test]
    fn signs_turn_with_the_goal_but_for_mobility() {
        // A corner and two discs beside it against one disc, which can be turned and turns nothing.
        let seen = board(&[Square::A1, Square::B1, Square::A2], &[Square::C1]);
        let of = |name, rules| feature(name, rules, Size::Eight).expect("a feature")(seen);
        let both = FEATURES.map(|name| (of(name, Rules::Reversed), of(name, Rules::Standard)));
        assert_eq!(
            both,
            [(-230.0, 230.0), (-3.0, 3.0), (2.0, -2.0), (1.0, 1.0), (-2.0, 2.0)],
            "squares, stability, frontier, mobility, discs"
        );
    }
}
