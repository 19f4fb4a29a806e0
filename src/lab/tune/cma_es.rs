//! CMA-ES: individuals are drawn from a normal distribution that adapts to the better half.
//!
//! The standard algorithm with rank-one and rank-μ update. It is ours because a resumed run must draw what an
//! uninterrupted one would, in every future version too. Parameters are scaled to 0..=1 and clamped.

use super::Optimizer;
use super::config::Space;
use super::genome::{Individual, IndividualId};
use super::matrix::Matrix;
use super::rng::{RandomStream, normal, rng};

#[derive(Debug)]
struct Constants {
    /// Recombination weights, the best first; their sum is 1.
    weights: Vec<f64>,
    /// Variance-effective selection mass μ_eff.
    effective: f64,
    /// c_σ and d_σ of the step-size path.
    sigma_rate: f64,
    damping: f64,
    /// c_c of the covariance path.
    path_rate: f64,
    /// c_1 and c_μ.
    rank_one: f64,
    rank_mu: f64,
    /// The expected length of a standard normal vector.
    length: f64,
}

impl Constants {
    fn new(dimension: usize, population: usize) -> Self {
        let (n, half) = (dimension as f64, population / 2);
        let raw: Vec<_> = (1..=half).map(|rank| (half as f64 + 0.5).ln() - (rank as f64).ln()).collect();
        let sum: f64 = raw.iter().sum();
        let weights: Vec<_> = raw.iter().map(|weight| weight / sum).collect();
        let effective = 1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>();
        let sigma_rate = (effective + 2.0) / (n + effective + 5.0);
        let damping = 1.0 + 2.0 * (((effective - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0) + sigma_rate;
        let rank_one = 2.0 / ((n + 1.3).powi(2) + effective);
        let rank_mu = 2.0 * (effective - 2.0 + 1.0 / effective) / ((n + 2.0).powi(2) + effective);
        Self {
            path_rate: (4.0 + effective / n) / (n + 4.0 + 2.0 * effective / n),
            rank_mu: rank_mu.clamp(0.0, 1.0 - rank_one),
            length: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
            weights,
            effective,
            sigma_rate,
            damping,
            rank_one,
        }
    }
}

#[derive(Debug)]
pub(super) struct CmaEs {
    space: Space,
    seed: u64,
    population: usize,
    constants: Constants,
    mean: Vec<f64>,
    sigma: f64,
    covariance: Matrix,
    /// Its eigenvectors as columns, and the standard deviations along them.
    axes: Matrix,
    deviations: Vec<f64>,
    sigma_path: Vec<f64>,
    path: Vec<f64>,
    told: u32,
}

impl CmaEs {
    /// Starts at `begin`, or in the middle of all ranges.
    pub(super) fn new(space: Space, sigma: f64, seed: u64, population: usize, begin: Option<&[f64]>) -> Self {
        let dimension = space.dimension();
        let mean = begin.map_or_else(|| vec![0.5; dimension], |values| space.to_unit(values));
        Self {
            space,
            seed,
            population,
            constants: Constants::new(dimension, population),
            mean,
            sigma,
            covariance: Matrix::identity(dimension),
            axes: Matrix::identity(dimension),
            deviations: vec![1.0; dimension],
            sigma_path: vec![0.0; dimension],
            path: vec![0.0; dimension],
            told: 0,
        }
    }

    /// In 0..=1.
    fn draw(&self, generation: u32, index: usize) -> Vec<f64> {
        let mut rng = rng(self.seed, RandomStream::Individuals, generation, index);
        let stretched: Vec<_> =
            self.deviations.iter().map(|deviation| deviation * normal(&mut rng)).collect();
        let step = self.axes.times(&stretched);
        self.mean.iter().zip(step).map(|(mean, step)| (mean + self.sigma * step).clamp(0.0, 1.0)).collect()
    }
}

/// C^(-1/2) times the step.
fn whitened(axes: &Matrix, deviations: &[f64], step: &[f64]) -> Vec<f64> {
    let along = axes.transposed_times(step);
    let shrunk: Vec<_> = along.iter().zip(deviations).map(|(part, deviation)| part / deviation).collect();
    axes.times(&shrunk)
}

impl Optimizer for CmaEs {
    fn ask(&self, generation: u32) -> Vec<Individual> {
        let individual = |index| Individual {
            id: IndividualId(generation, index),
            parents: Vec::new(),
            values: self.space.at_unit(&self.draw(generation, index)),
        };
        (0..self.population).map(individual).collect()
    }

    fn tell(&mut self, individuals: Vec<Individual>, fitness: &[f64]) {
        // Drawn again, since the values of integer parameters are rounded.
        let generation = individuals.first().map_or(1, |individual| individual.id.0);
        let mut order: Vec<usize> = (0..individuals.len()).collect();
        order.sort_by(|&a, &b| fitness[b].total_cmp(&fitness[a]));
        let constants = &self.constants;
        let steps: Vec<Vec<f64>> = order[..constants.weights.len()]
            .iter()
            .map(|&index| {
                let drawn = self.draw(generation, index);
                drawn.iter().zip(&self.mean).map(|(part, mean)| (part - mean) / self.sigma).collect()
            })
            .collect();
        let step: Vec<f64> = (0..self.mean.len())
            .map(|at| constants.weights.iter().zip(&steps).map(|(weight, step)| weight * step[at]).sum())
            .collect();
        let keep = 1.0 - constants.sigma_rate;
        let push = (constants.sigma_rate * (2.0 - constants.sigma_rate) * constants.effective).sqrt();
        for (path, white) in self.sigma_path.iter_mut().zip(whitened(&self.axes, &self.deviations, &step)) {
            *path = keep * *path + push * white;
        }
        self.told += 1;
        let length = self.sigma_path.iter().map(|part| part * part).sum::<f64>().sqrt();
        // Stall the covariance update while the step-size path is long.
        let settled = (1.0 - keep.powi(2 * self.told as i32)).sqrt();
        let n = self.mean.len() as f64;
        let waits = length / settled >= (1.4 + 2.0 / (n + 1.0)) * constants.length;
        let push = (constants.path_rate * (2.0 - constants.path_rate) * constants.effective).sqrt();
        for (path, step) in self.path.iter_mut().zip(&step) {
            *path = (1.0 - constants.path_rate) * *path + if waits { 0.0 } else { push * step };
        }
        let lost = if waits { constants.path_rate * (2.0 - constants.path_rate) } else { 0.0 };
        let old = 1.0 - constants.rank_one - constants.rank_mu + constants.rank_one * lost;
        self.covariance.scale(old);
        self.covariance.add_square(constants.rank_one, &self.path);
        for (weight, step) in constants.weights.iter().zip(&steps) {
            self.covariance.add_square(constants.rank_mu * weight, step);
        }
        for (mean, step) in self.mean.iter_mut().zip(&step) {
            *mean += self.sigma * step;
        }
        let growth = constants.sigma_rate / constants.damping * (length / constants.length - 1.0);
        // Wider than the ranges makes no sense, and less than a thousandth of them finds nothing new.
        self.sigma = (self.sigma * growth.exp()).clamp(1e-3, 1.0);
        let (axes, variances) = self.covariance.eigen();
        self.axes = axes;
        self.deviations = variances.iter().map(|variance| variance.max(1e-12).sqrt()).collect();
    }

    /// The mean is less noisy than any individual.
    fn mean_values(&self) -> Option<Vec<f64>> {
        Some(self.space.at_unit(&self.mean))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::opponents::parameters::System;

    #[test]
    fn it_minimises_an_ill_conditioned_quadratic() {
        let system = System::Maximax;
        let domains: Vec<_> = system.parameters().into_iter().map(|one| one.domain).collect();
        let space = Space { free: vec![true; domains.len()], domains, kept: system.untuned() };
        let scale = space.clone();
        let mut method = CmaEs::new(space, 0.3, 2, 14, None);
        // A hundred times steeper along the last parameter than along the first, minimum off the middle.
        let height = |values: &[f64]| -> f64 {
            let steep = |at: usize| 100_f64.powf(at as f64 / 15.0);
            scale
                .to_unit(values)
                .iter()
                .enumerate()
                .map(|(at, part)| (steep(at) * (part - 0.3)).powi(2))
                .sum()
        };
        let begin = height(&method.mean_values().expect("a mean"));
        for generation in 1..=400 {
            let individuals = method.ask(generation);
            let fitness: Vec<_> = individuals.iter().map(|one| -height(&one.values)).collect();
            method.tell(individuals, &fitness);
        }
        let end = height(&method.mean_values().expect("a mean"));
        assert!(end < 1e-3 * begin, "{begin} to {end}");
    }
}
