//! CMA-ES: individuals are drawn from a normal distribution whose mean, spread and directions follow the better half.
//!
//! The algorithm is the usual one with rank-one and rank-μ update and the usual constants. It is written here because its
//! draws have to be those of our own generator: a run that goes on after a break must be the same as one without, and
//! for ever. Parameters are parts of their ranges; what is drawn outside counts as the nearest value inside.

use super::chance::{Purpose, dice, normal};
use super::genome::{Id, Individual, Space};
use super::matrix::Matrix;
use super::method::Method;

/// The constants of a dimension and a population.
#[derive(Debug)]
struct Constants {
    /// The weights of the better half, the best first; their sum is one.
    weights: Vec<f64>,
    /// How many individuals of equal weight would vary as much.
    effective: f64,
    /// How fast the path of the spread forgets, and how much the spread follows it.
    sigma_rate: f64,
    damping: f64,
    /// How fast the path of the directions forgets.
    path_rate: f64,
    /// How much one step changes the directions, and how much the better half does.
    rank_one: f64,
    rank_mu: f64,
    /// The expected length of a vector of standard normal numbers.
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

/// A distribution that adapts.
#[derive(Debug)]
pub(super) struct CmaEs {
    space: Space,
    seed: u64,
    population: usize,
    constants: Constants,
    mean: Vec<f64>,
    sigma: f64,
    covariance: Matrix,
    /// Its main axes as columns, and the standard deviations along them.
    axes: Matrix,
    spreads: Vec<f64>,
    sigma_path: Vec<f64>,
    path: Vec<f64>,
    told: u32,
}

impl CmaEs {
    /// Begins around some values, or in the middle of everything.
    pub(super) fn new(space: Space, sigma: f64, seed: u64, population: usize, begin: Option<&[f64]>) -> Self {
        let dimension = space.dimension();
        let mean = begin.map_or_else(|| vec![0.5; dimension], |values| space.parts(values));
        Self {
            space,
            seed,
            population,
            constants: Constants::new(dimension, population),
            mean,
            sigma,
            covariance: Matrix::identity(dimension),
            axes: Matrix::identity(dimension),
            spreads: vec![1.0; dimension],
            sigma_path: vec![0.0; dimension],
            path: vec![0.0; dimension],
            told: 0,
        }
    }

    /// The parts that an individual is drawn at.
    fn draw(&self, generation: u32, index: usize) -> Vec<f64> {
        let mut dice = dice(self.seed, Purpose::Individuals, generation, index);
        let stretched: Vec<_> = self.spreads.iter().map(|spread| spread * normal(&mut dice)).collect();
        let step = self.axes.times(&stretched);
        self.mean.iter().zip(step).map(|(mean, step)| (mean + self.sigma * step).clamp(0.0, 1.0)).collect()
    }
}

/// The step in units in which the distribution is round.
fn whitened(axes: &Matrix, spreads: &[f64], step: &[f64]) -> Vec<f64> {
    let along = axes.transposed_times(step);
    let shrunk: Vec<_> = along.iter().zip(spreads).map(|(part, spread)| part / spread).collect();
    axes.times(&shrunk)
}

impl Method for CmaEs {
    fn ask(&self, generation: u32) -> Vec<Individual> {
        let individual = |index| Individual {
            id: Id(generation, index),
            parents: Vec::new(),
            values: self.space.at_parts(&self.draw(generation, index)),
        };
        (0..self.population).map(individual).collect()
    }

    fn tell(&mut self, individuals: Vec<Individual>, fitness: &[f64]) {
        // Drawn again, for their values are rounded where parameters are whole numbers.
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
        for (path, white) in self.sigma_path.iter_mut().zip(whitened(&self.axes, &self.spreads, &step)) {
            *path = keep * *path + push * white;
        }
        self.told += 1;
        let length = self.sigma_path.iter().map(|part| part * part).sum::<f64>().sqrt();
        // While the path is longer than chance would make it the directions wait for the spread.
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
        // Wider than the ranges makes no sense, and narrower than a thousandth of them nothing new.
        self.sigma = (self.sigma * growth.exp()).clamp(1e-3, 1.0);
        let (axes, variances) = self.covariance.main_axes();
        self.axes = axes;
        self.spreads = variances.iter().map(|variance| variance.max(1e-12).sqrt()).collect();
    }

    /// The mean, which games have less of a say in than in any individual.
    fn distilled(&self) -> Option<Vec<f64>> {
        Some(self.space.at_parts(&self.mean))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::opponents::parameters::System;

    #[test]
    fn it_finds_the_bottom_of_a_narrow_valley() {
        let system = System::Maximax;
        let domains: Vec<_> = system.parameters().into_iter().map(|one| one.domain).collect();
        let space = Space { free: vec![true; domains.len()], domains, kept: system.untuned() };
        let parts = space.clone();
        let mut method = CmaEs::new(space, 0.3, 2, 14, None);
        // Steeper a hundred times along the last parameter than along the first, with its bottom off the middle.
        let height = |values: &[f64]| -> f64 {
            let steep = |at: usize| 100_f64.powf(at as f64 / 15.0);
            parts.parts(values).iter().enumerate().map(|(at, part)| (steep(at) * (part - 0.3)).powi(2)).sum()
        };
        let begin = height(&method.distilled().expect("a mean"));
        for generation in 1..=400 {
            let individuals = method.ask(generation);
            let fitness: Vec<_> = individuals.iter().map(|one| -height(&one.values)).collect();
            method.tell(individuals, &fitness);
        }
        let end = height(&method.distilled().expect("a mean"));
        assert!(end < 1e-3 * begin, "{begin} to {end}");
    }
}
