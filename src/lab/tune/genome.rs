//! Individuals: values of parameters, and how they are drawn, crossed and mutated.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::config::{Crossover, GeneticConfig, Space};
use super::rng::{normal, uniform};
use crate::arena::opponents::parameters::Domain;
use crate::random::Random;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Individual {
    pub(super) id: IndividualId,
    /// None if it was drawn.
    pub(super) parents: Vec<IndividualId>,
    pub(super) values: Vec<f64>,
}

/// The generation in which an individual was born, and its index there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(super) struct IndividualId(pub(super) u32, pub(super) usize);

impl fmt::Display for IndividualId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

impl From<IndividualId> for String {
    fn from(id: IndividualId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for IndividualId {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let parts = text
            .split_once('.')
            .and_then(|(born, place)| Some(Self(born.parse().ok()?, place.parse().ok()?)));
        parts.ok_or_else(|| format!("'{text}' is no generation and place such as 3.14"))
    }
}

impl Space {
    /// Free parameters.
    pub(super) fn dimension(&self) -> usize {
        self.free.iter().filter(|&&free| free).count()
    }

    /// Uniform draws from the domains.
    pub(super) fn draw(&self, rng: &mut Random) -> Vec<f64> {
        self.each_free(|at| draw(self.domains[at], rng))
    }

    /// These values, with the kept ones where parameters are not free.
    pub(super) fn settle(&self, values: &[f64]) -> Vec<f64> {
        self.each_free(|at| values[at])
    }

    pub(super) fn cross(
        &self,
        (first, second): (&[f64], &[f64]),
        crossover: Crossover,
        rng: &mut Random,
    ) -> Vec<f64> {
        match crossover {
            Crossover::Uniform => {
                self.each_free(|at| if rng.draw() >> 63 == 0 { first[at] } else { second[at] })
            }
            Crossover::OnePoint => {
                // At least one free parameter is each one's, if there are two.
                let point = 1 + rng.below(self.dimension().saturating_sub(1).max(1));
                let mut seen = 0;
                self.each_free(|at| {
                    seen += 1;
                    if seen <= point { first[at] } else { second[at] }
                })
            }
        }
    }

    pub(super) fn mutate(&self, values: &[f64], genetic: &GeneticConfig, rng: &mut Random) -> Vec<f64> {
        self.each_free(|at| mutated(values[at], self.domains[at], genetic, rng))
    }

    /// The free parameters scaled to 0..=1.
    pub(super) fn to_unit(&self, values: &[f64]) -> Vec<f64> {
        let part = |at: usize| {
            let (low, high) = self.domains[at].bounds();
            (values[at] - low) / (high - low)
        };
        (0..self.domains.len()).filter(|&at| self.free[at]).map(part).collect()
    }

    /// The inverse of [`Self::to_unit`], rounded to allowed values.
    pub(super) fn at_unit(&self, parts: &[f64]) -> Vec<f64> {
        let mut parts = parts.iter();
        self.each_free(|at| {
            let (low, high) = self.domains[at].bounds();
            let part = parts.next().copied().unwrap_or_default();
            self.domains[at].nearest(low + part * (high - low))
        })
    }

    fn each_free(&self, mut value: impl FnMut(usize) -> f64) -> Vec<f64> {
        (0..self.domains.len()).map(|at| if self.free[at] { value(at) } else { self.kept[at] }).collect()
    }
}

fn draw(domain: Domain, rng: &mut Random) -> f64 {
    match domain {
        Domain::Binary { low, bits } => f64::from(low) + f64::from((rng.draw() >> (64 - bits)) as u32),
        Domain::Real { low, high } => low + uniform(rng) * (high - low),
    }
}

fn mutated(value: f64, domain: Domain, genetic: &GeneticConfig, rng: &mut Random) -> f64 {
    match domain {
        Domain::Binary { low, bits } => {
            let flips = (0..bits).filter(|_| uniform(rng) < genetic.mutation);
            // From the highest digit down, so that the draws have an order.
            let mask = flips.fold(0_u32, |mask, digit| mask | 1 << (bits - 1 - digit));
            let code = (value - f64::from(low)) as u32;
            f64::from(low) + f64::from(code ^ mask)
        }
        Domain::Real { low, high } => {
            if uniform(rng) >= genetic.mutation {
                return value;
            }
            domain.nearest(value + normal(rng) * genetic.sigma * (high - low))
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

    use super::*;
    use crate::arena::opponents::parameters::System;

    fn space(system: System, kept: &[usize]) -> Space {
        let domains: Vec<_> = system.parameters().into_iter().map(|parameter| parameter.domain).collect();
        let free = (0..domains.len()).map(|at| !kept.contains(&at)).collect();
        Space { domains, free, kept: system.untuned() }
    }

    fn genetic(mutation: f64) -> GeneticConfig {
        GeneticConfig { elite: 1, parents: 2, crossover: Crossover::Uniform, mutation, sigma: 0.2 }
    }

    proptest! {
        #[test]
        fn values_stay_allowed_and_kept_ones_kept(seed in any::<u64>(), maximax in any::<bool>(), rate in 0.0..1.0) {
            let system = if maximax { System::Maximax } else { System::GaMinimax };
            let (space, mut rng) = (space(system, &[0, 5]), Random::new(seed));
            let (first, second) = (space.draw(&mut rng), space.draw(&mut rng));
            let child = space.cross((&first, &second), Crossover::Uniform, &mut rng);
            let mutant = space.mutate(&child, &genetic(rate), &mut rng);
            let near = space.at_unit(&space.to_unit(&mutant));
            for at in 0..space.domains.len() {
                let domain = space.domains[at];
                prop_assert_eq!(domain.nearest(mutant[at]), mutant[at]);
                prop_assert!((near[at] - mutant[at]).abs() < 1e-9);
                if !space.free[at] {
                    prop_assert_eq!(mutant[at], space.kept[at]);
                }
            }
        }

        #[test]
        fn a_child_has_every_value_of_a_parent(seed in any::<u64>(), one_point in any::<bool>()) {
            let crossover = if one_point { Crossover::OnePoint } else { Crossover::Uniform };
            let (space, mut rng) = (space(System::GaMinimax, &[]), Random::new(seed));
            let (first, second) = (space.draw(&mut rng), space.draw(&mut rng));
            let child = space.cross((&first, &second), crossover, &mut rng);
            for at in 0..child.len() {
                prop_assert!(child[at] == first[at] || child[at] == second[at]);
            }
            if one_point {
                let from_first = child.iter().zip(&first).take_while(|(a, b)| a == b).count();
                prop_assert!(from_first >= 1);
                prop_assert_eq!(&child[from_first..], &second[from_first..]);
                prop_assert_eq!(child.last(), second.last());
            }
        }

        #[test]
        fn digits_flip_as_often_as_said(seed in any::<u64>()) {
            let (space, mut rng) = (space(System::GaMinimax, &[]), Random::new(seed));
            let values = space.draw(&mut rng);
            prop_assert_eq!(&space.mutate(&values, &genetic(0.0), &mut rng), &values);
            let all = space.mutate(&values, &genetic(1.0), &mut rng);
            for at in 0..values.len() {
                let (low, high) = space.domains[at].bounds();
                prop_assert_eq!(all[at] - low, high - values[at], "every digit is another one");
            }
        }
    }

    #[test]
    fn real_numbers_move_by_a_part_of_their_range() {
        let (space, mut rng) = (space(System::Maximax, &[]), Random::new(1));
        let values = space.kept.clone();
        let mut moved = 0;
        for _ in 0..200 {
            let mutant = space.mutate(&values, &genetic(0.25), &mut rng);
            moved += mutant.iter().zip(&values).filter(|(a, b)| a != b).count();
        }
        // A quarter of 3200, less those that chance moved beyond the end of the range they were at already.
        assert!((500..900).contains(&moved), "{moved}");
    }
}
