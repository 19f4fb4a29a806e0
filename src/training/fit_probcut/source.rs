//! The fitted models as a source file of the search.

use std::fmt::Write;

use super::bands::{self, BANDS, END_BANDS, WIDTH};
use super::cases::{DepthModel, EndModel};
use super::fit::Model;
use crate::rules::Rules;

/// The models of one rule set, a model for each band.
#[derive(Clone, Debug)]
pub(super) struct Models {
    pub(super) rules: Rules,
    pub(super) depths: Vec<DepthModel>,
    pub(super) end: Vec<EndModel>,
}

/// The text of the file. It is formatted as `cargo fmt` would have it.
pub(super) fn source(command: &str, models: &[Models]) -> String {
    let (first, last, last_of_end) =
        (bands::empties(0), bands::empties(BANDS - 1), bands::empties(END_BANDS - 1));
    let mut text = format!(
        "\
//! The error models of the selective search: how a value differs from the prediction of it, in discs.
//!
//! Made by `{command}`; fit again rather than edit.
//!
//! One line for each band of {WIDTH} empty squares, from {} to {} on. Spreads are logarithms of standard deviations.
//!
//! Where a shallow search of depth s predicts a deep one of depth d, up to {} to {} empty squares, the terms of
//! a mean are 1, s, d and (d & 1) - (s & 1); those of a spread are 1, s and d.
//!
//! Where it predicts the result of the game at e empty squares, up to {} to {}, the terms of a mean are 1, s and
//! (e & 1) - (s & 1); those of a spread are 1 and s.

#![allow(clippy::approx_constant, reason = \"a fitted number near a constant is not that constant\")]

use crate::search::probcut::{{EndModel, Model, Models}};
",
        first.start(),
        first.end(),
        last.start(),
        last.end(),
        last_of_end.start(),
        last_of_end.end(),
    );
    for Models { rules, depths, end } in models {
        let name = rules.to_string().to_uppercase();
        text +=
            &format!("\n/// By {rules} rules.\npub(in crate::search) static {name}: Models = Models {{\n");
        text += &array("deep", "Model", depths);
        text += &array("end", "EndModel", end);
        text += "};\n";
    }
    text
}

fn array<const M: usize, const S: usize>(field: &str, name: &str, models: &[Model<M, S>]) -> String {
    let mut text = format!("    {field}: [\n");
    for model in models {
        let (mean, spread) = (numbers(&model.mean), numbers(&model.spread));
        text += &format!("        {name} {{ mean: [{mean}], spread: [{spread}] }},\n");
    }
    text + "    ],\n"
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
        let end = Model { mean: [-0.25, 0.0, 1.0], spread: [2.0 / 3.0, -0.125] };
        let models =
            Rules::ALL.map(|rules| Models { rules, depths: vec![model; BANDS], end: vec![end; END_BANDS] });
        let text = source("a command", &models);
        let line =
            "        Model { mean: [0.5000, -0.3333, 0.0000, 2.0000], spread: [1.2500, -0.1000, 0.0000] },\n";
        assert_eq!(text.matches(line).count(), 2 * BANDS);
        let line = "        EndModel { mean: [-0.2500, 0.0000, 1.0000], spread: [0.6667, -0.1250] },\n";
        assert_eq!(text.matches(line).count(), 2 * END_BANDS);
        for name in ["REVERSED", "STANDARD"] {
            assert!(text.contains(&format!("static {name}: Models = Models {{\n    deep: [\n")), "{text}");
        }
        assert!(text.contains("//! Made by `a command`;") && text.ends_with("    ],\n};\n"), "{text}");
        assert!(text.lines().filter(|line| !line.starts_with("//!")).all(|line| line.chars().count() <= 110));
        assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
    }
}
