//! Evaluations by name: the engine's own, those of opponents, and single features.

use thiserror::Error;

use crate::arena::opponents::evaluations::{BoardEvaluator, EVALUATORS, FEATURES, evaluator, feature};
use crate::board::{Board, Size};
use crate::eval::{Evaluation, HAND_MADE, PatternState};
use crate::rules::Rules;

pub const SHIPPED: &str = "shipped";

/// The names of all evaluations: the engine's, the opponents', then single features.
pub fn names() -> impl Iterator<Item = &'static str> {
    [SHIPPED, HAND_MADE].into_iter().chain(EVALUATORS).chain(FEATURES)
}

/// No evaluation has this name, and no file of weights can be read under it.
#[derive(Debug, Error)]
#[error("{}: give one of {}, or a file of weights", .0, names().collect::<Vec<_>>().join(", "))]
pub struct UnknownEvaluation(String);

/// The evaluation of this name, or of a file of weights, for the 8×8 board: the value for the side to move, in units of
/// its own.
///
/// # Errors
/// If there is neither.
pub fn named(name: &str, rules: Rules) -> Result<BoardEvaluator, UnknownEvaluation> {
    let size = Size::Eight;
    if name == SHIPPED {
        return Ok(of_engine(&Evaluation::Shipped, rules));
    }
    if let Some(found) = evaluator(name, rules, size).or_else(|| feature(name, rules, size)) {
        return Ok(found);
    }
    let evaluation = Evaluation::load(name).map_err(|error| UnknownEvaluation(error.to_string()))?;
    Ok(of_engine(&evaluation, rules))
}

fn of_engine(evaluation: &Evaluation, rules: Rules) -> BoardEvaluator {
    let evaluator = evaluation.evaluator(rules, Size::Eight);
    Box::new(move |board: Board| evaluator.evaluate(&PatternState::new(board)).discs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_an_evaluation() {
        for rules in [Rules::Reversed, Rules::Standard] {
            assert!(names().all(|name| named(name, rules).is_ok()));
        }
        let error = named("nobody", Rules::Reversed).err().expect("no such evaluation").to_string();
        assert!(error.contains("nobody") && error.contains("maximax"), "{error}");
    }
}
