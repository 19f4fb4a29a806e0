//! Maximum likelihood of a Gaussian whose mean and log sigma are linear in the predictors.

use std::collections::BTreeMap;

use crate::arena::statistics::numeric::normal_cdf;
use crate::score::Score;

/// What a model depends on.
pub trait Predictors<const MEAN: usize, const SIGMA: usize>: Copy + Ord {
    fn mean_terms(self) -> [f64; MEAN];

    fn log_sigma_terms(self) -> [f64; SIGMA];
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PredictionError<C> {
    pub predictors: C,
    /// The value minus the prediction, in discs.
    pub discs: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorModel<const MEAN: usize, const SIGMA: usize> {
    /// The mean is the dot product with the mean terms.
    pub mean: [f64; MEAN],
    /// Sigma is e to the dot product with the log sigma terms.
    pub log_sigma: [f64; SIGMA],
}

impl<const MEAN: usize, const SIGMA: usize> ErrorModel<MEAN, SIGMA> {
    /// In discs.
    #[must_use]
    pub fn mean(&self, predictors: impl Predictors<MEAN, SIGMA>) -> f64 {
        dot(&self.mean, &predictors.mean_terms())
    }

    /// In discs.
    #[must_use]
    pub fn sigma(&self, predictors: impl Predictors<MEAN, SIGMA>) -> f64 {
        dot(&self.log_sigma, &predictors.log_sigma_terms()).exp()
    }

    /// Distance from the mean, in sigmas.
    #[must_use]
    pub fn standardise(&self, error: &PredictionError<impl Predictors<MEAN, SIGMA>>) -> f64 {
        (error.discs - self.mean(error.predictors)) / self.sigma(error.predictors)
    }
}

/// Errors beyond so many sigmas are clamped: a few outliers must not widen all margins.
const WINSOR: f64 = 4.0;

/// The step of values, in discs: no sigma can be told from this one.
const MIN_SIGMA: f64 = 1.0 / Score::UNITS as f64;

/// None without errors. Mean and log sigma are fitted in turn, each given the other, to errors clamped by the sigma of
/// the last round.
#[must_use]
pub fn fit<const MEAN: usize, const SIGMA: usize, C: Predictors<MEAN, SIGMA>>(
    errors: &[PredictionError<C>],
) -> Option<ErrorModel<MEAN, SIGMA>> {
    const ROUNDS: u32 = 100;
    const PRECISE: f64 = 1e-7;
    if errors.is_empty() {
        return None;
    }
    let mean_square = errors.iter().map(|error| error.discs.powi(2)).sum::<f64>() / errors.len() as f64;
    let mut model = ErrorModel { mean: [0.0; MEAN], log_sigma: [0.0; SIGMA] };
    // The first term is always 1.
    model.log_sigma[0] = mean_square.sqrt().max(MIN_SIGMA).ln();
    let mut groups = gather(errors, &model);
    for _ in 0..ROUNDS {
        let last = model;
        model.mean = fit_mean(&groups, &model);
        model.log_sigma = fit_log_sigma(&groups, &model);
        groups = gather(errors, &model);
        let moved = |a: &[f64], b: &[f64]| a.iter().zip(b).any(|(a, b)| (a - b).abs() > PRECISE);
        if !moved(&model.mean, &last.mean) && !moved(&model.log_sigma, &last.log_sigma) {
            break;
        }
    }
    Some(model)
}

/// The clamped errors with the same predictors.
#[derive(Clone, Copy, Debug)]
struct ErrorGroup<C> {
    predictors: C,
    count: f64,
    mean: f64,
    /// The mean square around the mean.
    variance: f64,
}

impl<C> ErrorGroup<C> {
    /// The mean square of errors around the mean of a model.
    fn mean_square<const M: usize, const S: usize>(&self, model: &ErrorModel<M, S>) -> f64
    where
        C: Predictors<M, S>,
    {
        let bias = self.mean - model.mean(self.predictors);
        (self.variance + bias * bias).max(MIN_SIGMA * MIN_SIGMA)
    }
}

fn gather<const M: usize, const S: usize, C: Predictors<M, S>>(
    errors: &[PredictionError<C>],
    model: &ErrorModel<M, S>,
) -> Vec<ErrorGroup<C>> {
    let mut groups: BTreeMap<C, Vec<f64>> = BTreeMap::new();
    for &PredictionError { predictors, discs } in errors {
        let (mean, reach) = (model.mean(predictors), WINSOR * model.sigma(predictors));
        groups.entry(predictors).or_default().push(discs.clamp(mean - reach, mean + reach));
    }
    let summarise = |(predictors, group): (C, Vec<f64>)| {
        let count = group.len() as f64;
        let mean = group.iter().sum::<f64>() / count;
        let variance = group.iter().map(|discs| (discs - mean).powi(2)).sum::<f64>() / count;
        ErrorGroup { predictors, count, mean, variance }
    };
    groups.into_iter().map(summarise).collect()
}

fn fit_mean<const M: usize, const S: usize, C: Predictors<M, S>>(
    groups: &[ErrorGroup<C>],
    model: &ErrorModel<M, S>,
) -> [f64; M] {
    least_squares(groups.iter().map(|group| {
        let weight = group.count / model.sigma(group.predictors).powi(2);
        (weight, group.predictors.mean_terms(), group.mean)
    }))
}

/// Fisher scoring, starting from a regression of the logarithms. The likelihood is concave: halving a step that
/// overshot is enough to converge.
fn fit_log_sigma<const M: usize, const S: usize, C: Predictors<M, S>>(
    groups: &[ErrorGroup<C>],
    model: &ErrorModel<M, S>,
) -> [f64; S] {
    const STEPS: u32 = 50;
    const PRECISE: f64 = 1e-9;
    let likelihood = |log_sigma: [f64; S]| -> f64 {
        let terms = groups.iter().map(|group| {
            let log = dot(&log_sigma, &group.predictors.log_sigma_terms());
            group.count * (log + group.mean_square(model) / 2.0 * (-2.0 * log).exp())
        });
        -terms.sum::<f64>()
    };
    let mut log_sigma = least_squares(groups.iter().map(|group| {
        let terms = group.predictors.log_sigma_terms();
        (group.count, terms, group.mean_square(model).ln() / 2.0)
    }));
    let mut height = likelihood(log_sigma);
    for _ in 0..STEPS {
        let step = least_squares(groups.iter().map(|group| {
            let terms = group.predictors.log_sigma_terms();
            let excess = group.mean_square(model) * (-2.0 * dot(&log_sigma, &terms)).exp() - 1.0;
            (group.count, terms, excess / 2.0)
        }));
        let mut length = 1.0;
        while length > PRECISE {
            let next: [f64; S] = std::array::from_fn(|n| log_sigma[n] + length * step[n]);
            let higher = likelihood(next);
            if higher >= height {
                (log_sigma, height) = (next, higher);
                break;
            }
            length /= 2.0;
        }
        if length <= PRECISE || step.iter().all(|part| part.abs() < PRECISE) {
            break;
        }
    }
    log_sigma
}

/// Distances from the mean at which coverage is reported, in sigmas.
pub const REACHES: [f64; 5] = [1.1, 1.5, 2.0, 2.6, 3.3];

/// The share of a Gaussian within `reach` sigmas.
#[must_use]
pub fn expected_coverage(reach: f64) -> f64 {
    2.0 * normal_cdf(reach) - 1.0
}

/// The share of errors within each of [`REACHES`]; none without errors.
#[must_use]
pub fn coverage<const MEAN: usize, const SIGMA: usize>(
    model: &ErrorModel<MEAN, SIGMA>,
    errors: &[PredictionError<impl Predictors<MEAN, SIGMA>>],
) -> Option<[f64; REACHES.len()]> {
    let within = |reach| errors.iter().filter(|error| model.standardise(error).abs() <= reach).count();
    (!errors.is_empty()).then(|| REACHES.map(|reach| within(reach) as f64 / errors.len() as f64))
}

/// From rows of weight, terms and value.
fn least_squares<const N: usize>(rows: impl Iterator<Item = (f64, [f64; N], f64)>) -> [f64; N] {
    /// Keeps the equations solvable where two terms are collinear.
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
    use super::super::predictors::{
        Constant, ConstantModel, DepthErrorModel, DepthPair, StaticErrorModel, StaticTo,
    };
    use super::*;
    use crate::random::Random;
    use std::f64::consts::TAU;

    const DEPTHS: DepthErrorModel =
        ErrorModel { mean: [0.3, -0.05, 0.04, -0.7], log_sigma: [0.8, -0.15, 0.09, 0.2] };
    const STATIC: StaticErrorModel = ErrorModel { mean: [-0.4, 1.3], log_sigma: [0.7, 0.25] };
    const CONSTANT: ConstantModel = ErrorModel { mean: [-0.6], log_sigma: [1.1] };

    /// Errors for each of the predictors.
    const EACH: usize = 2000;

    /// Standard errors of the coefficients with so many, from the information matrix.
    const DEPTHS_ERROR: DepthErrorModel =
        ErrorModel { mean: [0.0272, 0.0037, 0.0044, 0.0108], log_sigma: [0.0073, 0.0008, 0.0009, 0.0040] };
    const STATIC_ERROR: StaticErrorModel = ErrorModel { mean: [0.0358, 0.0478], log_sigma: [0.0245, 0.0128] };
    const CONSTANT_ERROR: ConstantModel = ErrorModel { mean: [0.0150], log_sigma: [0.0035] };

    /// A draw from the standard normal distribution.
    fn gauss(random: &mut Random) -> f64 {
        let mut share = || ((random.draw() >> 11) + 1) as f64 / (1_u64 << 53) as f64;
        (-2.0 * share().ln()).sqrt() * (TAU * share()).cos()
    }

    /// Errors drawn from a model, `each` for each of the predictors.
    fn synthetic<const M: usize, const S: usize, C: Predictors<M, S>>(
        truth: &ErrorModel<M, S>,
        predictors: &[C],
        each: usize,
        seed: u64,
    ) -> Vec<PredictionError<C>> {
        let mut random = Random::new(seed);
        let predictors = (0..each).flat_map(|_| predictors);
        let error = |&predictors| PredictionError {
            predictors,
            discs: truth.mean(predictors) + truth.sigma(predictors) * gauss(&mut random),
        };
        predictors.map(error).collect()
    }

    fn depths() -> Vec<DepthPair> {
        let below = |deep| (0..deep).map(move |shallow| DepthPair { shallow, deep });
        (3..=11).flat_map(below).collect()
    }

    fn static_to() -> Vec<StaticTo> {
        (3..=11).map(|deep| StaticTo { deep }).collect()
    }

    fn coefficients<const M: usize, const S: usize>(model: &ErrorModel<M, S>) -> impl Iterator<Item = f64> {
        model.mean.into_iter().chain(model.log_sigma)
    }

    #[track_caller]
    fn assert_recovered<const M: usize, const S: usize, C: Predictors<M, S>>(
        truth: &ErrorModel<M, S>,
        errors: &ErrorModel<M, S>,
        predictors: &[C],
    ) {
        /// Standard errors that one of a dozen coefficients is hardly ever off.
        const TOLERANCE: f64 = 3.5;
        let model = fit(&synthetic(truth, predictors, EACH, 1)).expect("there are errors");
        for ((found, truth), error) in coefficients(&model).zip(coefficients(truth)).zip(coefficients(errors))
        {
            assert!((found - truth).abs() < TOLERANCE * error, "{found} for {truth} in {model:?}");
        }
        let covered = coverage(&model, &synthetic(truth, predictors, EACH, 2)).expect("there are errors");
        for (share, reach) in covered.into_iter().zip(REACHES) {
            assert!((share - expected_coverage(reach)).abs() < 0.01, "{reach}: {share}");
        }
    }

    #[test]
    fn known_coefficients_are_recovered() {
        assert_recovered(&DEPTHS, &DEPTHS_ERROR, &depths());
        assert_recovered(&STATIC, &STATIC_ERROR, &static_to());
        assert_recovered(&CONSTANT, &CONSTANT_ERROR, &[Constant; 20]);
    }

    #[test]
    fn outliers_are_clamped() {
        let mut errors = synthetic(&DEPTHS, &depths(), EACH, 3);
        errors.iter_mut().step_by(500).for_each(|error| error.discs = 100.0);
        let model = fit(&errors).expect("there are errors");
        for (found, truth) in coefficients(&model).zip(coefficients(&DEPTHS)) {
            assert!((found - truth).abs() < 0.06, "{model:?}");
        }
    }

    #[test]
    fn little_to_go_by_still_gives_numbers() {
        assert_eq!(fit::<4, 4, DepthPair>(&[]), None);
        assert_eq!(coverage(&DEPTHS, &[] as &[PredictionError<DepthPair>]), None);
        let predictors = [1, 2].map(|shallow| DepthPair { shallow, deep: 3 });
        let constant = predictors.map(|predictors| PredictionError { predictors, discs: 0.5 });
        for errors in [&constant[..1], &constant] {
            let model = fit(errors).expect("there are errors");
            assert!((model.mean(predictors[0]) - 0.5).abs() < 1e-3, "{model:?}");
            assert!((model.sigma(predictors[0]) - MIN_SIGMA).abs() < 1e-3, "{model:?}");
        }
    }
}
