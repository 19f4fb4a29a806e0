//! Tables of how good the models are, by positions that were held out.

use super::fit::{ErrorModel, ModelFit, PredictionError, Predictors, REACHES, coverage, expected_coverage};
use super::predictors::{Constant, DepthPair, band_name};
use super::tables::{self, MeasuredBand};
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

    /// A row of [`endgame_table`].
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
        row.extend(shown.iter().map(|&(_, predictors)| expected_error(&fit.model, predictors)));
        row.push(format!("{:.2}", fit.quality));
        row.extend(shares(&fit.model, &self.held_out));
        row
    }
}

impl BandErrors<DepthPair> {
    /// A row of [`midgame_table`] for each of [`SHOWN_PAIRS`].
    pub(super) fn rows(
        &self,
        rules: Rules,
        band: usize,
        measured: &[MeasuredBand],
    ) -> impl Iterator<Item = Vec<String>> {
        let row = move |pair: DepthPair| {
            let model = tables::model(measured, band, pair)?;
            let errors = |errors: &[PredictionError<DepthPair>]| -> Vec<_> {
                let of_pair = errors.iter().filter(|error| error.predictors == pair);
                of_pair.map(|error| PredictionError { predictors: Constant, discs: error.discs }).collect()
            };
            let held_out = errors(&self.held_out);
            let fitted_to = match measured[band].is_measured(pair) {
                true => errors(&self.fitted_to).len().to_string(),
                false => "-".to_owned(),
            };
            let mut row = vec![rules.to_string(), band_name(band)];
            row.extend([format!("{} for {}", pair.shallow, pair.deep), fitted_to]);
            row.extend([held_out.len().to_string(), expected_error(&model, Constant)]);
            row.extend(shares(&model, &held_out));
            Some(row)
        };
        SHOWN_PAIRS.into_iter().filter_map(row)
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

pub(super) fn midgame_table() -> TextTable {
    table(&["rules", "empty", "search", "fitted to", "held out", "error"])
}

/// Shows the mean and sigma of the named predictors.
pub(super) fn endgame_table<C>(shown: &[(&str, C)]) -> TextTable {
    let mut titles = vec!["rules", "empty", "positions", "fitted to", "held out"];
    titles.extend(shown.iter().map(|(name, _)| name));
    titles.push("R²");
    table(&titles)
}

/// With a column for each of [`REACHES`] after those named.
fn table(titles: &[&str]) -> TextTable {
    let reaches = REACHES.map(|reach| format!("{reach:.1}σ {}", percent(expected_coverage(reach))));
    let titles: Vec<_> = titles.iter().copied().chain(reaches.iter().map(String::as_str)).collect();
    TextTable::with_titles(1, &titles)
}

fn expected_error<const M: usize, const S: usize>(
    model: &ErrorModel<M, S>,
    predictors: impl Predictors<M, S>,
) -> String {
    format!("{:+.2} ± {:.2}", model.mean(predictors), model.sigma(predictors))
}

/// The share of errors within each of [`REACHES`].
fn shares<const M: usize, const S: usize>(
    model: &ErrorModel<M, S>,
    errors: &[PredictionError<impl Predictors<M, S>>],
) -> [String; REACHES.len()] {
    coverage(model, errors).map_or_else(|| REACHES.map(|_| "-".to_owned()), |shares| shares.map(percent))
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}
