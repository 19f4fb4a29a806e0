//! From misses to a model: linear means and log-linear spreads, by maximum likelihood of a Gaussian.

use std::collections::BTreeMap;

use crate::referee::statistics::numeric::normal_cdf;
use crate::score::Score;

/// How far a deep search ended from a shallow one of the same position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Miss {
    /// The depth of the prediction; 0 is the evaluation.
    pub shallow: u8,
    /// The depth of what it should have predicted.
    pub deep: u8,
    /// The deep value minus the shallow one, in discs.
    pub discs: f64,
}

/// Shallower searches are never replaced by a prediction.
pub const LEAST_DEEP: usize = 3;

/// The misses of one position, from its values by depth in units.
pub fn misses(values: &[Option<i16>]) -> impl Iterator<Item = Miss> {
    let known = |(depth, value): (usize, &Option<i16>)| Some((depth, (*value)?));
    let pairs =
        values.iter().enumerate().skip(LEAST_DEEP).filter_map(known).flat_map(move |(deep, value)| {
            values.iter().enumerate().take(deep).filter_map(known).map(move |below| (below, (deep, value)))
        });
    pairs.map(|((shallow, from), (deep, to))| {
        let discs = f64::from(i32::from(to) - i32::from(from)) / f64::from(Score::UNITS);
        Miss { shallow: shallow as u8, deep: deep as u8, discs }
    })
}

/// What to expect of a miss, as a function of the two depths.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Model {
    /// The mean is the product with 1, the shallow depth, the deep one, and 1 if one is even and the other odd.
    pub mean: [f64; 4],
    /// The standard deviation is e to the product with 1, the shallow depth and the deep one.
    pub spread: [f64; 3],
}

impl Model {
    /// The mean miss, in discs.
    #[must_use]
    pub fn mean(&self, shallow: u8, deep: u8) -> f64 {
        dot(&self.mean, &mean_terms(shallow, deep))
    }

    /// The standard deviation of misses, in discs.
    #[must_use]
    pub fn spread(&self, shallow: u8, deep: u8) -> f64 {
        dot(&self.spread, &spread_terms(shallow, deep)).exp()
    }

    /// How many standard deviations a miss is off its mean.
    #[must_use]
    pub fn standardise(&self, miss: &Miss) -> f64 {
        (miss.discs - self.mean(miss.shallow, miss.deep)) / self.spread(miss.shallow, miss.deep)
    }
}

fn mean_terms(shallow: u8, deep: u8) -> [f64; 4] {
    [1.0, shallow.into(), deep.into(), f64::from((shallow ^ deep) & 1)]
}

fn spread_terms(shallow: u8, deep: u8) -> [f64; 3] {
    [1.0, shallow.into(), deep.into()]
}

/// A model and how well it describes what it was fitted to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// The model.
    pub model: Model,
    /// How much of the variance between the logarithms of the pairs' own spreads the model explains: 1 is all, and
    /// no number comes of a single pair.
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
pub fn fit(misses: &[Miss]) -> Option<Fit> {
    const ROUNDS: u32 = 100;
    const PRECISE: f64 = 1e-7;
    if misses.is_empty() {
        return None;
    }
    let mean_square = misses.iter().map(|miss| miss.discs.powi(2)).sum::<f64>() / misses.len() as f64;
    let mut model =
        Model { spread: [mean_square.sqrt().max(LEAST_SPREAD).ln(), 0.0, 0.0], ..Model::default() };
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

/// The misses of one pair of depths, drawn in.
#[derive(Clone, Copy, Debug)]
struct Cell {
    shallow: u8,
    deep: u8,
    count: f64,
    mean: f64,
    /// The mean square around the mean.
    variance: f64,
}

impl Cell {
    /// The mean square of misses around the mean of a model.
    fn mean_square(&self, model: &Model) -> f64 {
        let bias = self.mean - model.mean(self.shallow, self.deep);
        (self.variance + bias * bias).max(LEAST_SPREAD * LEAST_SPREAD)
    }
}

fn gather(misses: &[Miss], model: &Model) -> Vec<Cell> {
    let mut groups: BTreeMap<(u8, u8), Vec<f64>> = BTreeMap::new();
    for &Miss { shallow, deep, discs } in misses {
        let (mean, reach) = (model.mean(shallow, deep), WINSOR * model.spread(shallow, deep));
        groups.entry((shallow, deep)).or_default().push(discs.clamp(mean - reach, mean + reach));
    }
    let cell = |((shallow, deep), group): ((u8, u8), Vec<f64>)| {
        let count = group.len() as f64;
        let mean = group.iter().sum::<f64>() / count;
        let variance = group.iter().map(|discs| (discs - mean).powi(2)).sum::<f64>() / count;
        Cell { shallow, deep, count, mean, variance }
    };
    groups.into_iter().map(cell).collect()
}

fn fit_mean(cells: &[Cell], model: &Model) -> [f64; 4] {
    least_squares(cells.iter().map(|cell| {
        let weight = cell.count / model.spread(cell.shallow, cell.deep).powi(2);
        (weight, mean_terms(cell.shallow, cell.deep), cell.mean)
    }))
}

/// Scoring steps from the line through the logarithms; the likelihood is concave, so that shortening a step that
/// overshot is enough to arrive.
fn fit_spread(cells: &[Cell], model: &Model) -> [f64; 3] {
    const STEPS: u32 = 50;
    const PRECISE: f64 = 1e-9;
    let likelihood = |spread: [f64; 3]| -> f64 {
        let terms = cells.iter().map(|cell| {
            let log = dot(&spread, &spread_terms(cell.shallow, cell.deep));
            cell.count * (log + cell.mean_square(model) / 2.0 * (-2.0 * log).exp())
        });
        -terms.sum::<f64>()
    };
    let mut spread = least_squares(cells.iter().map(|cell| {
        let terms = spread_terms(cell.shallow, cell.deep);
        (cell.count, terms, cell.mean_square(model).ln() / 2.0)
    }));
    let mut height = likelihood(spread);
    for _ in 0..STEPS {
        let step = least_squares(cells.iter().map(|cell| {
            let terms = spread_terms(cell.shallow, cell.deep);
            let excess = cell.mean_square(model) * (-2.0 * dot(&spread, &terms)).exp() - 1.0;
            (cell.count, terms, excess / 2.0)
        }));
        let mut length = 1.0;
        while length > PRECISE {
            let next = std::array::from_fn(|n| spread[n] + length * step[n]);
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

fn quality(cells: &[Cell], model: &Model) -> f64 {
    let log = |cell: &Cell| cell.mean_square(model).ln() / 2.0;
    let weight: f64 = cells.iter().map(|cell| cell.count).sum();
    let centre = cells.iter().map(|cell| cell.count * log(cell)).sum::<f64>() / weight;
    let (mut unexplained, mut all) = (0.0, 0.0);
    for cell in cells {
        unexplained += cell.count * (log(cell) - model.spread(cell.shallow, cell.deep).ln()).powi(2);
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
pub fn coverage(model: &Model, misses: &[Miss]) -> Option<[f64; REACHES.len()]> {
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
    use super::*;
    use crate::random::Random;
    use std::f64::consts::TAU;

    const TRUTH: Model = Model { mean: [0.3, -0.05, 0.04, -0.7], spread: [0.8, -0.15, 0.09] };

    /// A draw from the standard normal distribution.
    fn gauss(random: &mut Random) -> f64 {
        let mut share = || ((random.draw() >> 11) + 1) as f64 / (1_u64 << 53) as f64;
        (-2.0 * share().ln()).sqrt() * (TAU * share()).cos()
    }

    fn synthetic(positions: u32, seed: u64) -> Vec<Miss> {
        let mut random = Random::new(seed);
        let pairs = |_| (3..=11).flat_map(|deep| (0..deep).map(move |shallow| (shallow, deep)));
        let miss = |(shallow, deep)| {
            let discs = TRUTH.mean(shallow, deep) + TRUTH.spread(shallow, deep) * gauss(&mut random);
            Miss { shallow, deep, discs }
        };
        (0..positions).flat_map(pairs).map(miss).collect()
    }

    #[track_caller]
    fn assert_near(fit: &Fit, tolerance: f64) {
        let found = fit.model.mean.into_iter().chain(fit.model.spread);
        for (found, truth) in found.zip(TRUTH.mean.into_iter().chain(TRUTH.spread)) {
            assert!((found - truth).abs() < tolerance, "{fit:?}");
        }
    }

    #[test]
    fn known_coefficients_are_recovered() {
        let fit = fit(&synthetic(2000, 1)).expect("there are misses");
        assert_near(&fit, 0.02);
        assert!(fit.quality > 0.99, "{fit:?}");
        let covered = coverage(&fit.model, &synthetic(500, 2)).expect("there are misses");
        for (share, reach) in covered.into_iter().zip(REACHES) {
            assert!((share - expected_coverage(reach)).abs() < 0.01, "{reach}: {share}");
        }
    }

    #[test]
    fn outliers_are_drawn_in() {
        let mut misses = synthetic(2000, 3);
        misses.iter_mut().step_by(500).for_each(|miss| miss.discs = 100.0);
        assert_near(&fit(&misses).expect("there are misses"), 0.06);
    }

    #[test]
    fn little_to_go_by_still_gives_numbers() {
        assert_eq!(fit(&[]), None);
        assert_eq!(coverage(&TRUTH, &[]), None);
        let constant = [1, 2].map(|shallow| Miss { shallow, deep: 3, discs: 0.5 });
        for misses in [&constant[..1], &constant] {
            let model = fit(misses).expect("there are misses").model;
            assert!((model.mean(1, 3) - 0.5).abs() < 1e-3, "{model:?}");
            assert!((model.spread(1, 3) - LEAST_SPREAD).abs() < 1e-3, "{model:?}");
        }
    }

    #[test]
    fn all_pairs_of_known_depths_make_misses() {
        let values = [Some(0), Some(32), None, Some(-16), Some(64)];
        let found: Vec<_> = misses(&values).map(|miss| (miss.shallow, miss.deep, miss.discs)).collect();
        assert_eq!(found, [(0, 3, -0.5), (1, 3, -1.5), (0, 4, 2.0), (1, 4, 1.0), (3, 4, 2.5)]);
    }
}
