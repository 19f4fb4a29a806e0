//! What comes out of a fit: a table of how good each model is, and the models as a source file of the search.

use std::fmt::Write;

use super::fit::{ErrorModel, ModelFit, PredictionError, Predictors, REACHES, coverage, expected_coverage};
use super::predictors::{
    BAND_WIDTH, BANDS, DepthErrorModel, END_BANDS, EndErrorModel, band_empties, band_name,
};
use crate::rules::Rules;
use crate::terminal::table::TextTable;

/// One position in so many is held out of the fit, to measure it.
const HELD_OUT: usize = 5;

pub(super) const fn is_held_out(number: usize) -> bool {
    number % HELD_OUT == HELD_OUT - 1
}

#[derive(Clone, Debug)]
pub(super) struct BandErrors<C> {
    positions: usize,
    pub(super) fitted_to: Vec<PredictionError<C>>,
    held_out: Vec<PredictionError<C>>,
}

impl<C> BandErrors<C> {
    /// From the number of each position and its errors.
    pub(super) fn gather(positions: impl Iterator<Item = (usize, Vec<PredictionError<C>>)>) -> Self {
        let mut band = Self { positions: 0, fitted_to: Vec::new(), held_out: Vec::new() };
        for (number, errors) in positions {
            band.positions += 1;
            let part = if is_held_out(number) { &mut band.held_out } else { &mut band.fitted_to };
            part.extend(errors);
        }
        band
    }

    /// A row of [`table`].
    pub(super) fn row<const M: usize, const S: usize>(
        &self,
        rules: Rules,
        band: usize,
        fit: &ModelFit<M, S>,
        shown: &[(&str, C)],
    ) -> Vec<String>
    where
        C: Predictors<M, S>,
    {
        let mut row = vec![rules.to_string(), band_name(band), self.positions.to_string()];
        row.extend([self.fitted_to.len(), self.held_out.len()].map(|count| count.to_string()));
        let expected = |&(_, predictors): &(_, C)| {
            format!("{:+.2} ± {:.2}", fit.model.mean(predictors), fit.model.sigma(predictors))
        };
        row.extend(shown.iter().map(expected));
        row.push(format!("{:.2}", fit.quality));
        let shares = coverage(&fit.model, &self.held_out);
        row.extend((0..REACHES.len()).map(|n| shares.map_or("-".into(), |shares| percent(shares[n]))));
        row
    }
}

/// Shows the mean and sigma of the named predictors.
pub(super) fn table<C>(shown: &[(&str, C)]) -> TextTable {
    let reaches = REACHES.map(|reach| format!("{reach:.1}σ {}", percent(expected_coverage(reach))));
    let mut titles = vec!["rules", "empty", "positions", "fitted to", "held out"];
    titles.extend(shown.iter().map(|(name, _)| name));
    titles.push("R²");
    titles.extend(reaches.iter().map(String::as_str));
    TextTable::with_titles(1, &titles)
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// The models of one rule set, one for each band.
#[derive(Clone, Debug)]
pub(super) struct FittedModels {
    pub(super) rules: Rules,
    pub(super) depths: Vec<DepthErrorModel>,
    pub(super) end: Vec<EndErrorModel>,
}

/// The source file, formatted as by `cargo fmt`.
pub(super) fn source(command: &str, models: &[FittedModels]) -> String {
    let (first, last, last_of_end) = (band_empties(0), band_empties(BANDS - 1), band_empties(END_BANDS - 1));
    let mut text = format!(
        "\
//! The error models of the selective search: mean and log sigma of value minus prediction, in discs.
//!
//! Made by `{command}`; fit again rather than edit.
//!
//! One line for each band of {BAND_WIDTH} empty squares, from {} to {} on.
//!
//! Where a shallow search of depth s predicts a deep one of depth d, up to {} to {} empty squares, the terms of
//! a mean are 1, s, d and (d & 1) - (s & 1); those of log_sigma are 1, s and d.
//!
//! Where it predicts the result of the game at e empty squares, up to {} to {}, the terms of a mean are 1, s and
//! (e & 1) - (s & 1); those of log_sigma are 1 and s.

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
    for FittedModels { rules, depths, end } in models {
        let name = rules.to_string().to_uppercase();
        text +=
            &format!("\n/// By {rules} rules.\npub(in crate::search) static {name}: Models = Models {{\n");
        text += &array("deep", "Model", depths);
        text += &array("end", "EndModel", end);
        text += "};\n";
    }
    text
}

fn array<const M: usize, const S: usize>(field: &str, name: &str, models: &[ErrorModel<M, S>]) -> String {
    let mut text = format!("    {field}: [\n");
    for model in models {
        let (mean, log_sigma) = (coefficients(&model.mean), coefficients(&model.log_sigma));
        text += &format!("        {name} {{ mean: [{mean}], log_sigma: [{log_sigma}] }},\n");
    }
    text + "    ],\n"
}

fn coefficients(values: &[f64]) -> String {
    let mut text = String::new();
    for (n, value) in values.iter().enumerate() {
        let comma = if n == 0 { "" } else { ", " };
        // Adding zero drops the sign of a zero.
        let rounded = (value * 1e4).round() / 1e4 + 0.0;
        let _ = write!(text, "{comma}{rounded:.4}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_written_one_a_line_with_four_decimals() {
        let model = ErrorModel { mean: [0.5, -1.0 / 3.0, -0.000_01, 2.0], log_sigma: [1.25, -0.1, 1e-5] };
        let end = ErrorModel { mean: [-0.25, 0.0, 1.0], log_sigma: [2.0 / 3.0, -0.125] };
        let models = Rules::ALL.map(|rules| FittedModels {
            rules,
            depths: vec![model; BANDS],
            end: vec![end; END_BANDS],
        });
        let text = source("a command", &models);
        let line = "        Model { mean: [0.5000, -0.3333, 0.0000, 2.0000], log_sigma: [1.2500, -0.1000, 0.0000] },\n";
        assert_eq!(text.matches(line).count(), 2 * BANDS);
        let line = "        EndModel { mean: [-0.2500, 0.0000, 1.0000], log_sigma: [0.6667, -0.1250] },\n";
        assert_eq!(text.matches(line).count(), 2 * END_BANDS);
        for name in ["REVERSED", "STANDARD"] {
            assert!(text.contains(&format!("static {name}: Models = Models {{\n    deep: [\n")), "{text}");
        }
        assert!(text.contains("use crate::search::probcut::{EndModel, Model, Models};"), "{text}");
        assert!(text.contains("//! Made by `a command`;") && text.ends_with("    ],\n};\n"), "{text}");
        assert!(text.lines().filter(|line| !line.starts_with("//!")).all(|line| line.chars().count() <= 110));
        assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
    }
}
