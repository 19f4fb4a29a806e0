//! The models as a source file of the search.

use std::fmt::Write;

use super::predictors::{EndErrorModel, MidgameErrors, band_empties};
use crate::rules::Rules;

/// The models of one rule set, one for each band.
#[derive(Clone, Debug)]
pub(super) struct FittedModels {
    pub(super) rules: Rules,
    pub(super) midgame: Vec<MidgameErrors>,
    pub(super) endgame: Vec<EndErrorModel>,
}

/// The source file, formatted as by `cargo fmt`.
pub(super) fn source(command: &str, models: &[FittedModels]) -> String {
    let mut text = format!(
        "\
//! The error models of the selective search: how a value differs from the prediction of it.
//!
//! Made by `{command}`; fit again rather than edit.

#![allow(clippy::approx_constant, reason = \"a fitted number near a constant is not that constant\")]

use super::{{EndgameErrorModel, ErrorModels}};
"
    );
    for FittedModels { rules, midgame, endgame } in models {
        let name = rules.to_string().to_uppercase();
        text += &format!("\n/// By {rules} rules.\npub(super) static {name}: ErrorModels = ErrorModels {{\n");
        text += "    midgame: [\n";
        midgame.iter().enumerate().for_each(|(band, errors)| text += &midgame_errors(band, errors));
        text += "    ],\n    endgame: [\n";
        endgame.iter().for_each(|model| text += &endgame_model(model));
        text += "    ],\n};\n";
    }
    text
}

/// A row for each depth.
fn midgame_errors(band: usize, errors: &MidgameErrors) -> String {
    let empties = band_empties(band);
    let mut text = format!("        // {} to {} empty squares\n        [\n", empties.start(), empties.end());
    for predictions in errors {
        let _ = writeln!(text, "            {predictions:?},");
    }
    text + "        ],\n"
}

fn endgame_model(EndErrorModel { mean, log_sigma }: &EndErrorModel) -> String {
    let (mean, log_sigma) = (coefficients(mean), coefficients(log_sigma));
    format!("        EndgameErrorModel {{ mean: [{mean}], log_sigma: [{log_sigma}] }},\n")
}

fn coefficients(values: &[f64]) -> String {
    // Adding zero drops the sign of a zero.
    let rounded = |value: &f64| format!("{:.4}", (value * 1e4).round() / 1e4 + 0.0);
    values.iter().map(rounded).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::fit::ErrorModel;
    use super::super::predictors::{BANDS, DEPTHS, END_BANDS, PREDICTIONS};
    use super::*;
    use std::array;
    use std::fmt::Debug;
    use std::str::FromStr;

    const SHIPPED: [&str; 2] = [
        include_str!("../../search/error_models/hand_made.rs"),
        include_str!("../../search/error_models/learned.rs"),
    ];

    /// The numbers of each line that starts so.
    fn lines_of_numbers<T: FromStr<Err: Debug>>(text: &str, start: &str) -> Vec<Vec<T>> {
        let numbers = |line: &str| {
            let words = line.split(|c: char| !c.is_ascii_digit() && !"-.".contains(c));
            words.filter(|word| !word.is_empty()).map(|word| word.parse().expect("a number")).collect()
        };
        text.lines().filter(|line| line.starts_with(start)).map(numbers).collect()
    }

    /// The models of both rule sets in a source file.
    fn parse(text: &str) -> Vec<FittedModels> {
        let rows = lines_of_numbers::<i16>(text, "            [[");
        let rows: Vec<[[i16; 2]; PREDICTIONS]> =
            rows.iter().map(|row| array::from_fn(|n| [row[2 * n], row[2 * n + 1]])).collect();
        let midgame: Vec<MidgameErrors> =
            rows.chunks(DEPTHS).map(|band| band.try_into().expect("all depths")).collect();
        let lines = lines_of_numbers::<f64>(text, "        EndgameErrorModel {");
        let endgame: Vec<EndErrorModel> = lines
            .iter()
            .map(|line| ErrorModel {
                mean: line[..3].try_into().expect("three numbers"),
                log_sigma: line[3..].try_into().expect("two numbers"),
            })
            .collect();
        let by_rules = Rules::ALL.into_iter().zip(midgame.chunks(BANDS).zip(endgame.chunks(END_BANDS)));
        by_rules
            .map(|(rules, (midgame, endgame))| FittedModels {
                rules,
                midgame: midgame.to_vec(),
                endgame: endgame.to_vec(),
            })
            .collect()
    }

    /// They are compiled and formatted: so is then what is written.
    #[test]
    fn the_shipped_files_are_as_they_are_written() {
        for shipped in SHIPPED {
            let command = shipped.split('`').nth(1).expect("the file names its command");
            let written = source(command, &parse(shipped));
            let (header, code) = written.split_once("\n\n").expect("a header");
            let (shipped_header, shipped_code) = shipped.split_once("\n\n").expect("a header");
            assert_eq!(code, shipped_code);
            // The shipped header may go on, to say what else was done.
            assert!(shipped_header.starts_with(header), "{shipped_header}");
        }
    }

    #[test]
    fn models_are_written_with_four_decimals_and_short_lines() {
        let end = ErrorModel { mean: [-1.0 / 3.0, -0.000_01, 10.0], log_sigma: [-20.0 / 3.0, -0.125] };
        let models = Rules::ALL.map(|rules| FittedModels {
            rules,
            midgame: vec![[[[i16::MIN; 2]; PREDICTIONS]; DEPTHS]; BANDS],
            endgame: vec![end; END_BANDS],
        });
        let text = source("a command", &models);
        let line = "        EndgameErrorModel { mean: [-0.3333, 0.0000, 10.0000], log_sigma: [-6.6667, -0.1250] },\n";
        assert_eq!(text.matches(line).count(), 2 * END_BANDS);
        assert!(text.lines().all(|line| line.chars().count() <= 110), "{text}");
    }
}
