//! The genetic algorithm: the elite survives and has children.

use super::Optimizer;
use super::config::GeneticConfig;
use super::config::Space;
use super::genome::{Individual, IndividualId};
use super::rng::{RandomStream, rng};

#[derive(Debug)]
pub(super) struct GeneticAlgorithm {
    space: Space,
    genetic: GeneticConfig,
    seed: u64,
    population: usize,
    /// The first individuals of the first generation.
    included: Vec<Vec<f64>>,
    /// The last generation, the best first.
    ranked: Vec<Individual>,
}

impl GeneticAlgorithm {
    pub(super) fn new(
        space: Space,
        genetic: GeneticConfig,
        seed: u64,
        population: usize,
        included: Vec<Vec<f64>>,
    ) -> Self {
        Self { space, genetic, seed, population, included, ranked: Vec::new() }
    }

    fn first(&self, index: usize) -> Individual {
        let values = match self.included.get(index) {
            Some(values) => self.space.settle(values),
            None => self.space.draw(&mut rng(self.seed, RandomStream::Individuals, 1, index)),
        };
        Individual { id: IndividualId(1, index), parents: Vec::new(), values }
    }

    /// Parents take turns as the first one; the second is any other.
    fn child(&self, generation: u32, index: usize) -> Individual {
        let mut rng = rng(self.seed, RandomStream::Individuals, generation, index);
        let parents = self.genetic.parents;
        let first = (index - self.genetic.elite) % parents;
        let second = (first + 1 + rng.below(parents - 1)) % parents;
        let [first, second] = [first, second].map(|parent| &self.ranked[parent]);
        let crossed = self.space.cross((&first.values, &second.values), self.genetic.crossover, &mut rng);
        let values = self.space.mutate(&crossed, &self.genetic, &mut rng);
        Individual { id: IndividualId(generation, index), parents: vec![first.id, second.id], values }
    }
}

impl Optimizer for GeneticAlgorithm {
    fn ask(&self, generation: u32) -> Vec<Individual> {
        let individual = |index: usize| match self.ranked.get(index) {
            None => self.first(index),
            Some(best) if index < self.genetic.elite => best.clone(),
            Some(_) => self.child(generation, index),
        };
        (0..self.population).map(individual).collect()
    }

    fn tell(&mut self, individuals: Vec<Individual>, fitness: &[f64]) {
        let mut ranked: Vec<_> = fitness.iter().zip(individuals).collect();
        // A stable sort: of equals the older comes first.
        ranked.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        self.ranked = ranked.into_iter().map(|(_, individual)| individual).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::opponents::parameters::System;
    use crate::lab::tune::config::Crossover;

    /// Breeds for the sum of the values.
    #[test]
    fn what_is_selected_for_grows_and_the_best_live_on() {
        for crossover in [Crossover::Uniform, Crossover::OnePoint] {
            let system = System::GaMinimax;
            let domains: Vec<_> = system.parameters().into_iter().map(|one| one.domain).collect();
            let space = Space { free: vec![true; domains.len()], domains, kept: system.untuned() };
            let genetic = GeneticConfig { elite: 6, parents: 6, crossover, mutation: 0.02, sigma: 0.1 };
            let mut breeding = GeneticAlgorithm::new(space, genetic, 4, 12, vec![system.untuned()]);
            let sum = |individual: &Individual| individual.values.iter().sum::<f64>();
            let mut best = Vec::new();
            for generation in 1..=60 {
                let individuals = breeding.ask(generation);
                assert_eq!(individuals.len(), 12);
                assert_eq!(generation == 1, individuals[0].values == system.untuned());
                let fitness: Vec<_> = individuals.iter().map(sum).collect();
                best.push(fitness.iter().copied().fold(f64::MIN, f64::max));
                breeding.tell(individuals, &fitness);
            }
            assert!(best.is_sorted(), "{crossover:?}: {best:?}");
            assert!(best[59] > best[0] + 300.0, "{crossover:?}: {best:?}");
            let parents = &breeding.ask(61)[11].parents;
            assert!(parents.len() == 2 && parents[0] != parents[1]);
        }
    }
}
