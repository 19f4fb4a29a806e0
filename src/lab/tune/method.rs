//! What finds better individuals.

use super::cma_es::CmaEs;
use super::config::{self, Config};
use super::genetic::Breeding;
use super::genome::Individual;

/// Finds better individuals, a generation at a time. What it asks for depends on nothing but what it was told.
pub(super) trait Method {
    /// The individuals of a generation; the first one is 1.
    fn ask(&self, generation: u32) -> Vec<Individual>;

    /// How fit they have turned out to be: more is better.
    fn tell(&mut self, individuals: Vec<Individual>, fitness: &[f64]);

    /// What it has learnt from all generations together, if it has learnt such a thing.
    fn distilled(&self) -> Option<Vec<f64>> {
        None
    }
}

/// The method that a configuration asks for.
pub(super) fn method(config: &Config) -> Result<Box<dyn Method>, String> {
    let space = config.space()?;
    let (included, population, seed) = (config.included()?, config.population, config.seed);
    match (config.method, config.genetic, config.cma_es) {
        (config::Method::Genetic, Some(genetic), _) => {
            Ok(Box::new(Breeding::new(space, genetic, seed, population, included)))
        }
        (config::Method::CmaEs, _, Some(config::CmaEs { sigma })) => {
            let begin = included.first().map(Vec::as_slice);
            Ok(Box::new(CmaEs::new(space, sigma, seed, population, begin)))
        }
        _ => Err("the table of the method is missing".into()),
    }
}
