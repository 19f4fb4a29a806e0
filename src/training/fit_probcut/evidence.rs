//! What is known of one band, and how good a model of it is.

use super::bands;
use super::fit::{Case, Fit, Miss, REACHES, coverage, expected_coverage};
use crate::rules::Rules;
use crate::terminal::table::TextTable;

/// One in so many positions is not fitted to but used to see how good the fit is.
const HELD_OUT: usize = 5;

/// Whether the position with this number is held out.
pub(super) const fn is_held_out(number: usize) -> bool {
    number % HELD_OUT == HELD_OUT - 1
}

/// The misses of one band.
#[derive(Clone, Debug)]
pub(super) struct Evidence<C> {
    positions: usize,
    pub(super) fitted_to: Vec<Miss<C>>,
    held_out: Vec<Miss<C>>,
}

impl<C> Evidence<C> {
    /// Takes the numbers of positions and the misses of each.
    pub(super) fn gather(positions: impl Iterator<Item = (usize, Vec<Miss<C>>)>) -> Self {
        let mut evidence = Self { positions: 0, fitted_to: Vec::new(), held_out: Vec::new() };
        for (number, misses) in positions {
            evidence.positions += 1;
            let side = if is_held_out(number) { &mut evidence.held_out } else { &mut evidence.fitted_to };
            side.extend(misses);
        }
        evidence
    }

    /// A row of the table that [`table`] begins.
    pub(super) fn row<const M: usize, const S: usize>(
        &self,
        rules: Rules,
        band: usize,
        fit: &Fit<M, S>,
        shown: &[(&str, C)],
    ) -> Vec<String>
    where
        C: Case<M, S>,
    {
        let mut row = vec![rules.to_string(), bands::name(band), self.positions.to_string()];
        row.extend([self.fitted_to.len(), self.held_out.len()].map(|count| count.to_string()));
        let expected =
            |&(_, case): &(_, C)| format!("{:+.2} ± {:.2}", fit.model.mean(case), fit.model.spread(case));
        row.extend(shown.iter().map(expected));
        row.push(format!("{:.2}", fit.quality));
        let shares = coverage(&fit.model, &self.held_out);
        row.extend((0..REACHES.len()).map(|n| shares.map_or("-".into(), |shares| percent(shares[n]))));
        row
    }
}

/// A table that shows mean and spread of some cases by their names, so that a model can be judged at a glance.
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
