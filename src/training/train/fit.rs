//! Ridge regression on patterns, by conjugate gradients.
//!
//! A stage has 100,000 weights and up to millions of positions, each with 49 of the weights. The normal equations are
//! never written down: a step needs only their product with a vector, one pass over the positions. The preconditioner
//! divides by how often a weight occurs, so that rare patterns converge as fast as common ones.

use std::ops::Range;

use crate::eval::pattern::INSTANCE_COUNT;
use crate::training::parallel;

/// Weights of a position: one for each instance of a pattern, two for the mobility and one for the ply.
pub const PLACES: usize = INSTANCE_COUNT + 3;

/// One position of a stage.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Indices of its weights, relative to [`Examples::bases`].
    pub places: [u16; PLACES],
    /// What the weights should add up to, in discs.
    pub label: f32,
}

/// The positions of a stage.
#[derive(Clone, Debug)]
pub struct Examples {
    /// Where the weights of each place begin.
    pub bases: [u32; PLACES],
    /// Number of weights.
    pub weights: usize,
    pub training: Vec<Example>,
    pub validation: Vec<Example>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RidgeSettings {
    /// Positions that a weight needs to get half of its least-squares value, for each square disc of noise.
    pub ridge: f32,
    /// The expected mean squared error, in square discs.
    pub noise: f32,
    /// Whether rare weights stay near their starting value instead of zero.
    pub anchored: bool,
    /// The most passes.
    pub passes: u32,
    /// Passes without a better validation error after which the fit ends.
    pub patience: u32,
    pub threads: usize,
}

#[derive(Clone, Debug)]
pub struct RidgeFit {
    /// In discs.
    pub weights: Vec<f32>,
    /// The mean squared error on the validation positions, in square discs.
    pub error: f64,
    /// Passes that led to these weights.
    pub passes: u32,
}

/// Sums are made in this many parts whatever the number of threads, which therefore does not change the result.
const PARTS: usize = 16;

/// Improvements of less than this part of the error do not count.
const LEAST_GAIN: f64 = 1e-5;

impl Examples {
    #[inline]
    fn value(&self, example: &Example, weights: &[f32]) -> f32 {
        let mut sum = 0.0;
        for (&place, &base) in example.places.iter().zip(&self.bases) {
            sum += weights[base as usize + usize::from(place)];
        }
        sum
    }

    /// For every weight, the sum of `of` over the training positions that have it.
    fn gathered(&self, threads: usize, of: impl Fn(&Example) -> f32 + Sync) -> Vec<f32> {
        let sums = in_parts(self.training.len(), threads, |part| {
            let mut sums = vec![0.0_f32; self.weights];
            for example in &self.training[part] {
                let value = of(example);
                for (&place, &base) in example.places.iter().zip(&self.bases) {
                    sums[base as usize + usize::from(place)] += value;
                }
            }
            sums
        });
        let mut sums = sums.into_iter();
        let mut total = sums.next().unwrap_or_else(|| vec![0.0; self.weights]);
        for part in sums {
            total.iter_mut().zip(part).for_each(|(total, part)| *total += part);
        }
        total
    }

    /// The mean squared error on the validation positions.
    #[must_use]
    pub fn error(&self, weights: &[f32], threads: usize) -> f64 {
        let sums = in_parts(self.validation.len(), threads, |part| {
            let square = |example| f64::from(self.value(example, weights) - example.label).powi(2);
            self.validation[part].iter().map(square).sum::<f64>()
        });
        sums.into_iter().sum::<f64>() / self.validation.len().max(1) as f64
    }

    /// Fits weights, starting from `begin`.
    #[must_use]
    pub fn fit(
        &self,
        begin: Vec<f32>,
        settings: RidgeSettings,
        on_pass: &mut dyn FnMut(u32, f64),
    ) -> RidgeFit {
        let RidgeSettings { ridge, noise, anchored, passes, patience, threads } = settings;
        let ridge = ridge * noise;
        let counts = self.gathered(threads, |_| 1.0);
        let mut weights = begin;
        let mut residual = self.gathered(threads, |example| example.label - self.value(example, &weights));
        if !anchored {
            residual.iter_mut().zip(&weights).for_each(|(rest, &weight)| *rest -= ridge * weight);
        }
        let scaled = |rest: &[f32]| -> Vec<f32> {
            rest.iter().zip(&counts).map(|(&rest, &count)| rest / (count + ridge)).collect()
        };
        let mut best = RidgeFit { error: self.error(&weights, threads), weights: weights.clone(), passes: 0 };
        let mut preconditioned = scaled(&residual);
        let mut direction = preconditioned.clone();
        let mut slope = dot(&residual, &preconditioned);
        for pass in 1..=passes {
            let mut image = self.gathered(threads, |example| self.value(example, &direction));
            image.iter_mut().zip(&direction).for_each(|(image, &along)| *image += ridge * along);
            let curvature = dot(&direction, &image);
            if curvature <= 0.0 || slope <= 0.0 {
                break;
            }
            let step = (slope / curvature) as f32;
            weights.iter_mut().zip(&direction).for_each(|(weight, &along)| *weight += step * along);
            residual.iter_mut().zip(&image).for_each(|(rest, &image)| *rest -= step * image);
            let error = self.error(&weights, threads);
            on_pass(pass, error);
            if error < best.error * (1.0 - LEAST_GAIN) {
                best = RidgeFit { weights: weights.clone(), error, passes: pass };
            } else if pass >= best.passes + patience {
                break;
            }
            preconditioned = scaled(&residual);
            let next = dot(&residual, &preconditioned);
            let keep = (next / slope) as f32;
            slope = next;
            direction.iter_mut().zip(&preconditioned).for_each(|(along, &to)| *along = to + keep * *along);
        }
        best
    }
}

fn dot(one: &[f32], other: &[f32]) -> f64 {
    one.iter().zip(other).map(|(&one, &other)| f64::from(one) * f64::from(other)).sum()
}

/// The results for `PARTS` equal parts of a range, in order.
pub fn in_parts<T: Send>(count: usize, threads: usize, work: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
    let parts: [_; PARTS] =
        std::array::from_fn(|number| count * number / PARTS..count * (number + 1) / PARTS);
    parallel::map(&parts, threads, |part| work(part.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Examples made from known weights.
    fn examples(weights: &[f32], noise: f32) -> Examples {
        let mut random = Random::new(1);
        let per_place = weights.len() / PLACES;
        let bases = std::array::from_fn(|place| (place * per_place) as u32);
        let empty = Examples { bases, weights: weights.len(), training: vec![], validation: vec![] };
        let mut make = |count| {
            let example = |_| {
                let places = std::array::from_fn(|_| random.below(per_place) as u16);
                let mut example = Example { places, label: 0.0 };
                example.label =
                    empty.value(&example, weights) + noise * (random.below(2001) as f32 / 1000.0 - 1.0);
                example
            };
            (0..count).map(example).collect::<Vec<_>>()
        };
        let (training, validation) = (make(4000), make(500));
        Examples { training, validation, ..empty }
    }

    const SETTINGS: RidgeSettings =
        RidgeSettings { ridge: 0.01, noise: 1.0, anchored: false, passes: 60, patience: 5, threads: 2 };

    #[test]
    fn known_weights_are_found() {
        let mut random = Random::new(2);
        let weights: Vec<_> = (0..PLACES * 9).map(|_| random.below(1000) as f32 / 500.0 - 1.0).collect();
        let examples = examples(&weights, 0.0);
        let fit = examples.fit(vec![0.0; weights.len()], SETTINGS, &mut |_, _| {});
        assert!(fit.error < 1e-4, "{}", fit.error);
        let again = examples.fit(fit.weights.clone(), SETTINGS, &mut |_, _| {});
        assert!(again.passes < fit.passes);
    }

    #[test]
    fn weights_without_positions_stay_what_they_were() {
        let mut random = Random::new(4);
        let weights: Vec<_> = (0..PLACES * 5).map(|_| random.below(1000) as f32 / 500.0 - 1.0).collect();
        let mut examples = examples(&weights, 1.0);
        for example in examples.training.iter_mut().chain(&mut examples.validation) {
            example.places[0] = example.places[0].min(3);
        }
        let begin = vec![0.5; weights.len()];
        let fit =
            |anchored| examples.fit(begin.clone(), RidgeSettings { anchored, ..SETTINGS }, &mut |_, _| {});
        assert_eq!(fit(true).weights[4], 0.5);
        assert!(fit(false).weights[4].abs() < 0.01);
    }

    #[test]
    fn threads_do_not_change_the_weights() {
        let mut random = Random::new(3);
        let weights: Vec<_> = (0..PLACES * 5).map(|_| random.below(1000) as f32 / 500.0 - 1.0).collect();
        let examples = examples(&weights, 1.0);
        let fit = |threads| {
            examples.fit(vec![0.0; weights.len()], RidgeSettings { threads, ..SETTINGS }, &mut |_, _| {})
        };
        assert_eq!(fit(1).weights, fit(3).weights);
    }
}
