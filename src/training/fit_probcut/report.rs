//! Tables of how good the models are, by positions that were held out.

use super::fit::{PredictionError, REACHES, coverage, expected_coverage};
use super::predictors::{Constant, ConstantModel, DepthPair, ToEnd, band_name};
use super::tables::{self, MeasuredBand, MeasuredEnd};
use crate::rules::Rules;
use crate::terminal::table::TextTable;

/// One position in so many is held out of the fit, to measure it.
const HELD_OUT: usize = 5;

pub(super) const fn is_held_out(number: usize) -> bool {
    number % HELD_OUT == HELD_OUT - 1
}

#[derive(Clone, Debug)]
pub(super) struct BandErrors<C> {
    pub(super) fitted_to: Vec<PredictionError<C>>,
    held_out: Vec<PredictionError<C>>,
}

impl<C: Copy + PartialEq> BandErrors<C> {
    /// From the number of each position and its errors.
    pub(super) fn gather(positions: impl Iterator<Item = (usize, Vec<PredictionError<C>>)>) -> Self {
        let mut band = Self { fitted_to: Vec::new(), held_out: Vec::new() };
        for (number, errors) in positions {
            let part = if is_held_out(number) { &mut band.held_out } else { &mut band.fitted_to };
            part.extend(errors);
        }
        band
    }

    /// A row of a [`table`]. The first three cells are `names`; `is_measured` if the model is of the band's own errors.
    fn row(
        &self,
        names: [String; 3],
        prediction: C,
        model: &ConstantModel,
        is_measured: bool,
    ) -> Vec<String> {
        let errors = |errors: &[PredictionError<C>]| -> Vec<_> {
            let of_prediction = errors.iter().filter(|error| error.predictors == prediction);
            of_prediction.map(|error| PredictionError { predictors: Constant, discs: error.discs }).collect()
        };
        let held_out = errors(&self.held_out);
        let fitted_to = match is_measured {
            true => errors(&self.fitted_to).len().to_string(),
            false => "-".to_owned(),
        };
        let error = format!("{:+.2} ± {:.2}", model.mean(Constant), model.sigma(Constant));
        let mut row = names.to_vec();
        row.extend([fitted_to, held_out.len().to_string(), error]);
        row.extend(shares(model, &held_out));
        row
    }
}

impl BandErrors<DepthPair> {
    /// A row for each of [`SHOWN_PAIRS`].
    pub(super) fn rows(
        &self,
        rules: Rules,
        band: usize,
        measured: &[MeasuredBand],
    ) -> impl Iterator<Item = Vec<String>> {
        SHOWN_PAIRS.into_iter().filter_map(move |pair| {
            let model = tables::model(measured, band, pair)?;
            let search = format!("{} for {}", pair.shallow, pair.deep);
            let names = [rules.to_string(), band_name(band), search];
            Some(self.row(names, pair, &model, measured[band].is_measured(pair)))
        })
    }
}

impl BandErrors<ToEnd> {
    /// A row for each parity of the empty squares and each of [`SHOWN_CHECKS`].
    pub(super) fn rows(
        &self,
        rules: Rules,
        band: usize,
        measured: &MeasuredEnd,
    ) -> impl Iterator<Item = Vec<String>> {
        let checks = (0..2).flat_map(|parity| SHOWN_CHECKS.map(|shallow| ToEnd { parity, shallow }));
        checks.filter_map(move |check| {
            let model = measured.model(check)?;
            let parity = ["even", "odd"][usize::from(check.parity)];
            let empty = format!("{} {parity}", band_name(band));
            let names = [rules.to_string(), empty, format!("{} for all", check.shallow)];
            Some(self.row(names, check, &model, measured.is_measured(check)))
        })
    }
}

/// Of those that the search uses; the last is always extrapolated unless searches are very deep.
const SHOWN_PAIRS: [DepthPair; 5] = [
    DepthPair { shallow: 0, deep: 2 },
    DepthPair { shallow: 2, deep: 4 },
    DepthPair { shallow: 4, deep: 8 },
    DepthPair { shallow: 6, deep: 12 },
    DepthPair { shallow: 10, deep: 20 },
];

/// The depths of checks that might predict the result.
const SHOWN_CHECKS: [u8; 5] = [0, 4, 6, 8, 12];

/// With a column for each of [`REACHES`].
pub(super) fn table() -> TextTable {
    let titles = ["rules", "empty", "search", "fitted to", "held out", "error"];
    let reaches = REACHES.map(|reach| format!("{reach:.1}σ {}", percent(expected_coverage(reach))));
    let titles: Vec<_> = titles.into_iter().chain(reaches.iter().map(String::as_str)).collect();
    TextTable::with_titles(1, &titles)
}

/// The share of errors within each of [`REACHES`].
fn shares(model: &ConstantModel, errors: &[PredictionError<Constant>]) -> [String; REACHES.len()] {
    coverage(model, errors).map_or_else(|| REACHES.map(|_| "-".to_owned()), |shares| shares.map(percent))
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}
