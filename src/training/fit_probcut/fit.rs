//! From misses to a model: linear means and log-linear spreads, by maximum likelihood of a Gaussian.

use std::collections::BTreeMap;

use crate::arena::statistics::numeric::normal_cdf;
use crate::score::Score;

/// What is predicted from what: all that a model goes by.
pub trait Case<const MEAN: usize, const SPREAD: usize>: Copy + Ord {
    /// What the mean of a model is multiplied with.
    fn mean_terms(self) -> [f64; MEAN];

    /// What the spread of a model is multiplied with.
    fn spread_terms(self) -> [f64; SPREAD];
}

/// How far a value ended from the prediction of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Miss<C> {
    /// What was predicted from what.
    pub case: C,
    /// The value minus the prediction, in discs.
    pub discs: f64,
}

/// What to expect of a miss, as a function of the case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model<const MEAN: usize, const SPREAD: usize> {
    /// The mean is the product with the terms of the case.
    pub mean: [f64; MEAN],
    /// The standard deviation is e to the product with the terms of the case.
    pub spread: [f64; SPREAD],
}

impl<const MEAN: usize, const SPREAD: usize> Model<MEAN, SPREAD> {
    /// The mean miss, in discs.
    #[must_use]
    pub fn mean(&self, case: impl Case<MEAN, SPREAD>) -> f64 {
        dot(&self.mean, &case.mean_terms())
    }

    /// The standard deviation of misses, in discs.
    #[must_use]
    pub fn spread(&self, case: impl Case<MEAN, SPREAD>) -> f64 {
        dot(&self.spread, &case.spread_terms()).exp()
    }

    /// How many standard deviations a miss is off its mean.
    #[must_use]
    pub fn standardise(&self, miss: &Miss<impl Case<MEAN, SPREAD>>) -> f64 {
        (miss.discs - self.mean(miss.case)) / self.spread(miss.case)
    }
}

/// A model and how well it describes what it was fitted to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit<const MEAN: usize, const SPREAD: usize> {
    /// The model.
    pub model: Model<MEAN, SPREAD>,
    /// How much of the variance between the logarithms of the cases' own spreads the model explains: 1 is all, and
    /// no number comes of a single case.
    pub quality: f64,
}

/// Misses beyond so many standard deviations count as if they were there: a few of them must not widen all margins.
const WINSOR: f64 = 4.0;

/// Values come in steps, so that no spread can be told from one of this size, in discs.
const LEAST_SPREAD: f64 = 1.0 / Score::UNITS as f64;

/// Fits a model to misses; none if there are none.
///
/// Means and spreads are fitted in turn, each given the other, to misses drawn in by the spreads of the last round.
#[must_use]
pub fn fit<const MEAN: usize, const SPREAD: usize, C: Case<MEAN, SPREAD>>(
    misses: &[Miss<C>],
) -> Option<Fit<MEAN, SPREAD>> {
    const ROUNDS: u32 = 100;
    const PRECISE: f64 = 1e-7;
    if misses.is_empty() {
        return None;
    }
    let mean_square = misses.iter().map(|miss| miss.discs.powi(2)).sum::<f64>() / misses.len() as f64;
    let mut model = Model { mean: [0.0; MEAN], spread: [0.0; SPREAD] };
    // The first term is always 1.
    model.spread[0] = mean_square.sqrt().max(LEAST_SPREAD).ln();
    let mut cells = gather(misses, &model);
    for _ in 0..ROUNDS {
        let last = model;
        model.mean = fit_mean(&cells, &model);
        model.spread = fit_spread(&cells, &model);
        cells = gather(misses, &model);
        let moved = |a: &[f64], b: &[f64]| a.iter().zip(b).any(|(a, b)| (a - b).abs() > PRECISE);
        if !moved(&model.mean, &last.mean) && !moved(&model.spread, &last.spread) {
            break;
        }
    }
    Some(Fit { model, quality: quality(&cells, &model) })
}

/// The misses of one case, drawn in.
#[derive(Clone, Copy, Debug)]
struct Cell<C> {
    case: C,
    count: f64,
    mean: f64,
    /// The mean square around the mean.
    variance: f64,
}

impl<C> Cell<C> {
    /// The mean square of misses around the mean of a model.
    fn mean_square<const M: usize, const S: usize>(&self, model: &Model<M, S>) -> f64
    where
        C: Case<M, S>,
    {
        let bias = self.mean - model.mean(self.case);
        (self.variance + bias * bias).max(LEAST_SPREAD * LEAST_SPREAD)
    }
}

fn gather<const M: usize, const S: usize, C: Case<M, S>>(
    misses: &[Miss<C>],
    model: &Model<M, S>,
) -> Vec<Cell<C>> {
    let mut groups: BTreeMap<C, Vec<f64>> = BTreeMap::new();
    for &Miss { case, discs } in misses {
        let (mean, reach) = (model.mean(case), WINSOR * model.spread(case));
        groups.entry(case).or_default().push(discs.clamp(mean - reach, mean + reach));
    }
    let cell = |(case, group): (C, Vec<f64>)| {
        let count = group.len() as f64;
        let mean = group.iter().sum::<f64>() / count;
        let variance = group.iter().map(|discs| (discs - mean).powi(2)).sum::<f64>() / count;
        Cell { case, count, mean, variance }
    };
    groups.into_iter().map(cell).collect()
}

fn fit_mean<const M: usize, const S: usize, C: Case<M, S>>(
    cells: &[Cell<C>],
    model: &Model<M, S>,
) -> [f64; M] {
    least_squares(cells.iter().map(|cell| {
        let weight = cell.count / model.spread(cell.case).powi(2);
        (weight, cell.case.mean_terms(), cell.mean)
    }))
}

/// Scoring steps from the line through the logarithms; the likelihood is concave, so that shortening a step that
/// overshot is enough to arrive.
fn fit_spread<const M: usize, const S: usize, C: Case<M, S>>(
    cells: &[Cell<C>],
    model: &Model<M, S>,
) -> [f64; S] {
    const STEPS: u32 = 50;
    const PRECISE: f64 = 1e-9;
    let likelihood = |spread: [f64; S]| -> f64 {
        let terms = cells.iter().map(|cell| {
            let log = dot(&spread, &cell.case.spread_terms());
            cell.count * (log + cell.mean_square(model) / 2.0 * (-2.0 * log).exp())
        });
        -terms.sum::<f64>()
    };
    let mut spread = least_squares(cells.iter().map(|cell| {
        let terms = cell.case.spread_terms();
        (cell.count, terms, cell.mean_square(model).ln() / 2.0)
    }));
    let mut height = likelihood(spread);
    for _ in 0..STEPS {
        let step = least_squares(cells.iter().map(|cell| {
            let terms = cell.case.spread_terms();
            let excess = cell.mean_square(model) * (-2.0 * dot(&spread, &terms)).exp() - 1.0;
            (cell.count, terms, excess / 2.0)
        }));
        let mut length = 1.0;
        while length > PRECISE {
            let next: [f64; S] = std::array::from_fn(|n| spread[n] + length * step[n]);
            let higher = likelihood(next);
            if higher >= height {
                (spread, height) = (next, higher);
                break;
            }
            length /= 2.0;
        }
        if length <= PRECISE || step.iter().all(|part| part.abs() < PRECISE) {
            break;
        }
    }
    spread
}

fn quality<const M: usize, const S: usize, C: Case<M, S>>(cells: &[Cell<C>], model: &Model<M, S>) -> f64 {
    let log = |cell: &Cell<C>| cell.mean_square(model).ln() / 2.0;
    let weight: f64 = cells.iter().map(|cell| cell.count).sum();
    let centre = cells.iter().map(|cell| cell.count * log(cell)).sum::<f64>() / weight;
    let (mut unexplained, mut all) = (0.0, 0.0);
    for cell in cells {
        unexplained += cell.count * (log(cell) - model.spread(cell.case).ln()).powi(2);
        all += cell.count * (log(cell) - centre).powi(2);
    }
    1.0 - unexplained / all
}

/// How far from the mean coverage is told, in standard deviations.
pub const REACHES: [f64; 5] = [1.1, 1.5, 2.0, 2.6, 3.3];

/// The share of a Gaussian's values that lie so near to its mean.
#[must_use]
pub fn expected_coverage(reach: f64) -> f64 {
    2.0 * normal_cdf(reach) - 1.0
}

/// The share of misses that lie within each of [`REACHES`] of their mean; none if there are no misses.
#[must_use]
pub fn coverage<const MEAN: usize, const SPREAD: usize>(
    model: &Model<MEAN, SPREAD>,
    misses: &[Miss<impl Case<MEAN, SPREAD>>],
) -> Option<[f64; REACHES.len()]> {
    let within = |reach| misses.iter().filter(|miss| model.standardise(miss).abs() <= reach).count();
    (!misses.is_empty()).then(|| REACHES.map(|reach| within(reach) as f64 / misses.len() as f64))
}

/// The factors of terms that come nearest to weighted values.
fn least_squares<const N: usize>(rows: impl Iterator<Item = (f64, [f64; N], f64)>) -> [f64; N] {
    /// Keeps the equations soluble where two terms cannot be told apart, and changes nothing elsewhere.
    const RIDGE: f64 = 1e-10;
    let (mut matrix, mut result) = ([[0.0; N]; N], [0.0; N]);
    for (weight, terms, value) in rows {
        for n in 0..N {
            result[n] += weight * terms[n] * value;
            for m in 0..N {
                matrix[n][m] += weight * terms[n] * terms[m];
            }
        }
    }
    let trace: f64 = (0..N).map(|n| matrix[n][n]).sum();
    (0..N).for_each(|n| matrix[n][n] += RIDGE * trace);
    // Positive definite, so that elimination needs no pivots.
    for pivot in 0..N {
        let (line, value) = (matrix[pivot], result[pivot]);
        for row in (0..N).filter(|&row| row != pivot) {
            let factor = matrix[row][pivot] / line[pivot];
            (0..N).for_each(|n| matrix[row][n] -= factor * line[n]);
            result[row] -= factor * value;
        }
    }
    std::array::from_fn(|n| result[n] / matrix[n][n])
}

fn dot<const N: usize>(left: &[f64; N], right: &[f64; N]) -> f64 {
    left.iter().zip(right).map(|(l, r)| l * r).sum()
}

#[cfg(test)]
mod tests {
    use super::super::cases::{DepthModel, Depths, EndModel, ToEnd};
    use super::*;
    use crate::random::Random;
    use std::f64::consts::TAU;

    const DEPTHS: DepthModel = Model { mean: [0.3, -0.05, 0.04, -0.7], spread: [0.8, -0.15, 0.09] };
    const END: EndModel = Model { mean: [-0.4, 0.08, 1.3], spread: [1.7, -0.12] };

    /// Misses of each case that the models are to be recovered from.
    const EACH: usize = 2000;

    /// The standard errors of the coefficients given so many, from the information matrix.
    const DEPTHS_ERROR: DepthModel =
        Model { mean: [0.0243, 0.0033, 0.0039, 0.0089], spread: [0.0069, 0.0008, 0.0009] };
    const END_ERROR: EndModel = Model { mean: [0.0297, 0.0050, 0.0164], spread: [0.0049, 0.0010] };

    /// A draw from the standard normal distribution.
    fn gauss(random: &mut Random) -> f64 {
        let mut share = || ((random.draw() >> 11) + 1) as f64 / (1_u64 << 53) as f64;
        (-2.0 * share().ln()).sqrt() * (TAU * share()).cos()
    }

    /// Misses as a model has them, so many of each case.
    fn synthetic<const M: usize, const S: usize, C: Case<M, S>>(
        truth: &Model<M, S>,
        cases: &[C],
        each: usize,
        seed: u64,
    ) -> Vec<Miss<C>> {
        let mut random = Random::new(seed);
        let cases = (0..each).flat_map(|_| cases);
        let miss = |&case| Miss { case, discs: truth.mean(case) + truth.spread(case) * gauss(&mut random) };
        cases.map(miss).collect()
    }

    fn depths() -> Vec<Depths> {
        let below = |deep| (0..deep).map(move |shallow| Depths { shallow, deep });
        (3..=11).flat_map(below).collect()
    }

    fn to_end() -> Vec<ToEnd> {
        let before = |empties| (0..=8).map(move |shallow| ToEnd { shallow, empties });
        (13..=16).flat_map(before).collect()
    }

    fn coefficients<const M: usize, const S: usize>(model: &Model<M, S>) -> impl Iterator<Item = f64> {
        model.mean.into_iter().chain(model.spread)
    }

    #[track_caller]
    fn assert_recovered<const M: usize, const S: usize, C: Case<M, S>>(
        truth: &Model<M, S>,
        errors: &Model<M, S>,
        cases: &[C],
    ) {
        /// Standard errors that one of a dozen coefficients is hardly ever off.
        const TOLERANCE: f64 = 3.5;
        let fit = fit(&synthetic(truth, cases, EACH, 1)).expect("there are misses");
        for ((found, truth), error) in
            coefficients(&fit.model).zip(coefficients(truth)).zip(coefficients(errors))
        {
            assert!((found - truth).abs() < TOLERANCE * error, "{found} for {truth} in {fit:?}");
        }
        assert!(fit.quality > 0.97, "{fit:?}");
        let covered = coverage(&fit.model, &synthetic(truth, cases, 500, 2)).expect("there are misses");
        for (share, reach) in covered.into_iter().zip(REACHES) {
            assert!((share - expected_coverage(reach)).abs() < 0.01, "{reach}: {share}");
        }
    }

    #[test]
    fn known_coefficients_are_recovered() {
        assert_recovered(&DEPTHS, &DEPTHS_ERROR, &depths());
        assert_recovered(&END, &END_ERROR, &to_end());
    }

    #[test]
    fn outliers_are_drawn_in() {
        let mut misses = synthetic(&DEPTHS, &depths(), EACH, 3);
        misses.iter_mut().step_by(500).for_each(|miss| miss.discs = 100.0);
        let model = fit(&misses).expect("there are misses").model;
        for (found, truth) in coefficients(&model).zip(coefficients(&DEPTHS)) {
            assert!((found - truth).abs() < 0.06, "{model:?}");
        }
    }

    #[test]
    fn little_to_go_by_still_gives_numbers() {
        assert_eq!(fit::<4, 3, Depths>(&[]), None);
        assert_eq!(coverage(&DEPTHS, &[] as &[Miss<Depths>]), None);
        let cases = [1, 2].map(|shallow| Depths { shallow, deep: 3 });
        let constant = cases.map(|case| Miss { case, discs: 0.5 });
        for misses in [&constant[..1], &constant] {
            let model = fit(misses).expect("there are misses").model;
            assert!((model.mean(cases[0]) - 0.5).abs() < 1e-3, "{model:?}");
            assert!((model.spread(cases[0]) - LEAST_SPREAD).abs() < 1e-3, "{model:?}");
        }
    }
}
