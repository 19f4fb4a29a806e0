//! The models as a source file of the search.

use std::fmt::Write;

use super::predictors::{EndgameErrors, ErrorModels, FIRST_END_BAND, MidgameErrors, band_empties};
use crate::rules::Rules;

/// The tables of one rule set, one for each band.
#[derive(Clone, Debug)]
pub(super) struct FittedModels {
    pub(super) rules: Rules,
    /// The command.
    pub(super) made_by: String,
    pub(super) midgame: Vec<MidgameErrors>,
    /// From [`FIRST_END_BAND`] on.
    pub(super) endgame: Vec<EndgameErrors>,
}

impl FittedModels {
    /// Those in use, of a rule set that is not fitted again.
    pub(super) fn kept(rules: Rules, models: &ErrorModels) -> Self {
        let ErrorModels { made_by, midgame, endgame } = models;
        Self { rules, made_by: (*made_by).to_owned(), midgame: midgame.to_vec(), endgame: endgame.to_vec() }
    }
}

/// The source file, formatted as by `cargo fmt`.
pub(super) fn source(models: &[FittedModels]) -> String {
    let mut text = "\
//! The error models of the selective search: how a value differs from the prediction of it.
//!
//! Made by `ollehto fit-probcut`; fit again rather than edit.

use super::ErrorModels;
"
    .to_owned();
    for FittedModels { rules, made_by, midgame, endgame } in models {
        let name = rules.to_string().to_uppercase();
        text += &format!("\n/// By {rules} rules.\npub(super) static {name}: ErrorModels = ErrorModels {{\n");
        text += &format!("    made_by: {made_by:?},\n");
        text += "    midgame: [\n";
        (0..).zip(midgame).for_each(|(band, errors)| text += &band_errors(band, errors));
        text += "    ],\n    endgame: [\n";
        (FIRST_END_BAND..).zip(endgame).for_each(|(band, errors)| text += &band_errors(band, errors));
        text += "    ],\n};\n";
    }
    text
}

/// A row for each depth.
fn band_errors<const N: usize>(band: usize, errors: &[[[i16; 2]; N]]) -> String {
    let empties = band_empties(band);
    let mut text = format!("        // {} to {} empty squares\n        [\n", empties.start(), empties.end());
    for row in errors {
        let _ = writeln!(text, "            {row:?},");
    }
    text + "        ],\n"
}

#[cfg(test)]
mod tests {
    use super::super::predictors::{BANDS, DEPTHS, END_BANDS, END_CHECKS, PREDICTIONS};
    use super::*;
    use std::array;

    const SHIPPED: [&str; 2] = [
        include_str!("../../search/error_models/hand_made.rs"),
        include_str!("../../search/error_models/learned.rs"),
    ];

    /// The tables of all rows of `N` predictions, of `R` rows each.
    fn parse_tables<const N: usize, const R: usize>(text: &str) -> Vec<[[[i16; 2]; N]; R]> {
        let numbers = |line: &str| -> Vec<i16> {
            let words = line.split(|c: char| !c.is_ascii_digit() && c != '-');
            words.filter(|word| !word.is_empty()).map(|word| word.parse().expect("a number")).collect()
        };
        let rows = text.lines().filter(|line| line.starts_with("            [[")).map(numbers);
        let rows = rows.filter(|row| row.len() == 2 * N);
        let rows: Vec<[_; N]> = rows.map(|row| array::from_fn(|n| [row[2 * n], row[2 * n + 1]])).collect();
        rows.chunks(R).map(|table| table.try_into().expect("all rows")).collect()
    }

    /// The models of both rule sets in a source file.
    fn parse(text: &str) -> Vec<FittedModels> {
        let made_by =
            text.lines().filter_map(|line| line.strip_prefix("    made_by: \"")?.strip_suffix("\","));
        let midgame: Vec<MidgameErrors> = parse_tables::<PREDICTIONS, DEPTHS>(text);
        let endgame: Vec<EndgameErrors> = parse_tables::<2, END_CHECKS>(text);
        let tables = midgame.chunks(BANDS).zip(endgame.chunks(END_BANDS));
        let by_rules = Rules::ALL.into_iter().zip(made_by.zip(tables));
        by_rules
            .map(|(rules, (made_by, (midgame, endgame)))| FittedModels {
                rules,
                made_by: made_by.to_owned(),
                midgame: midgame.to_vec(),
                endgame: endgame.to_vec(),
            })
            .collect()
    }

    /// They are compiled and formatted: so is then what is written.
    #[test]
    fn the_shipped_files_are_as_they_are_written() {
        for shipped in SHIPPED {
            assert_eq!(source(&parse(shipped)), shipped);
        }
    }

    #[test]
    fn every_band_is_written_with_its_empty_squares_and_short_lines() {
        let models = Rules::ALL.map(|rules| FittedModels {
            rules,
            made_by: "a command".to_owned(),
            midgame: vec![[[[i16::MIN; 2]; PREDICTIONS]; DEPTHS]; BANDS],
            endgame: (0..END_BANDS as i16).map(|band| [[[-band, band]; 2]; END_CHECKS]).collect(),
        });
        let text = source(&models);
        for (band, empties) in ["13 to 16", "17 to 20", "21 to 24"].into_iter().enumerate() {
            let row = format!("            [[{0}, {band}], [{0}, {band}]],\n", -(band as i16));
            let table = format!(
                "        // {empties} empty squares\n        [\n{}        ],\n",
                row.repeat(END_CHECKS)
            );
            assert_eq!(text.matches(&table).count(), 2, "{table} in\n{text}");
        }
        assert!(text.lines().all(|line| line.chars().count() <= 110), "{text}");
    }
}
