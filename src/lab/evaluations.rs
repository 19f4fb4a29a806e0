//! Evaluations by name: the engine's own, the opponents', and single features.

use crate::arena::opponents::evaluations::{BoardEvaluator, EVALUATORS, FEATURES, evaluator, feature};
use crate::board::{Board, Size};
use crate::eval::{Evaluation, HAND_MADE, PatternState};
use crate::rules::Rules;

/// The name of the evaluation that comes with the program.
pub const SHIPPED: &str = "shipped";

/// The names of all evaluations: the engine's, the opponents', then single features.
pub fn names() -> impl Iterator<Item = &'static str> {
    [SHIPPED, HAND_MADE].into_iter().chain(EVALUATORS).chain(FEATURES)
}

/// The evaluation of this name for the 8×8 board, or that of a file of weights: the value for the player to move, in
/// units of its own.
///
/// # Errors
/// If nothing has the name and no file of weights can be read under it.
pub fn named(name: &str, rules: Rules) -> Result<BoardEvaluator, String> {
    let size = Size::Eight;
    if name == SHIPPED {
        return Ok(of_engine(&Evaluation::Shipped, rules));
    }
    if let Some(found) = evaluator(name, rules, size).or_else(|| feature(name, rules, size)) {
        return Ok(found);
    }
    match Evaluation::load(name) {
        Ok(evaluation) => Ok(of_engine(&evaluation, rules)),
        Err(error) => {
            let names: Vec<_> = names().collect();
            Err(format!("{error}: give one of {}, or a file of weights", names.join(", ")))
        }
    }
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
        let error = named("nobody", Rules::Reversed).err().expect("no such evaluation");
        assert!(error.contains("nobody") && error.contains("maximax"), "{error}");
    }
}
