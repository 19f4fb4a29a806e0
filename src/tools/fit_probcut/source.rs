//! The fitted models as a source file of the search.

use std::fmt::Write;

use super::bands::{self, BANDS, WIDTH};
use super::fit::Model;

/// The text of the file. It is formatted as `cargo fmt` would have it.
pub(super) fn source(command: &str, reversed: &[Model], standard: &[Model]) -> String {
    let (first, last) = (bands::empties(0), bands::empties(BANDS - 1));
    let mut text = format!(
        "\
//! The error models of the selective search: how a deep value differs from a shallow one, in discs.
//!
//! Made by `{command}`; fit again rather than edit.
//!
//! One line for each band of {WIDTH} empty squares, from {} to {} up to {} to {}. The terms of a mean are 1, the
//! shallow depth, the deep one, and 1 if one of them is odd and the other even; those of a spread, the
//! logarithm of a standard deviation, are the first three.

#![allow(clippy::approx_constant, reason = \"a fitted number near a constant is not that constant\")]

use super::probcut::Model;

/// How many bands of empty squares there are.
pub(super) const BANDS: usize = {BANDS};
",
        first.start(),
        first.end(),
        last.start(),
        last.end(),
    );
    for (name, rules, models) in [("REVERSED", "reversed", reversed), ("STANDARD", "standard", standard)] {
        text += &format!(
            "\n/// The models for the {rules} rules.\npub(super) static {name}: [Model; BANDS] = [\n"
        );
        for model in models {
            let (mean, spread) = (numbers(&model.mean), numbers(&model.spread));
            text += &format!("    Model {{ mean: [{mean}], spread: [{spread}] }},\n");
        }
        text += "];\n";
    }
    text
}

fn numbers(values: &[f64]) -> String {
    let mut text = String::new();
    for (n, value) in values.iter().enumerate() {
        let comma = if n == 0 { "" } else { ", " };
        // Nothing is worth less than the last decimal, not even the sign of a zero.
        let rounded = (value * 1e4).round() / 1e4 + 0.0;
        // Writing to a string cannot fail.
        let _ = write!(text, "{comma}{rounded:.4}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_written_one_a_line_with_four_decimals() {
        let model = Model { mean: [0.5, -1.0 / 3.0, -0.000_01, 2.0], spread: [1.25, -0.1, 1e-5] };
        let text = source("a command", &[model; BANDS], &[model; BANDS]);
        let line =
            "    Model { mean: [0.5000, -0.3333, 0.0000, 2.0000], spread: [1.2500, -0.1000, 0.0000] },\n";
        assert_eq!(text.matches(line).count(), 2 * BANDS);
        assert!(text.contains("//! Made by `a command`;") && text.ends_with("];\n"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 110));
    }
}
