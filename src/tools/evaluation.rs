//! Telling one evaluation from another.

use crate::board::Size;
use crate::eval::{Evaluation, View};
use crate::random::Random;
use crate::rules::Rules;

use super::bench;

/// A number that changes with the evaluation of the rule sets given: what was searched under another is worth nothing.
#[must_use]
pub fn mark(evaluation: &Evaluation, rules: &[Rules]) -> u32 {
    let values = rules.iter().flat_map(|&rules| {
        let evaluator = evaluation.evaluator(rules, Size::Eight);
        let views = bench::positions().into_iter().map(|position| View::new(position.board()));
        views.map(move |view| evaluator.evaluate(&view).units())
    });
    let mixed = values.fold(0, |mixed, units| Random::keyed(mixed, units as u64).draw());
    (mixed >> 32) as u32
}
