//! Individuals: values for parameters, how they are drawn, crossed and mutated.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::chance::{normal, share};
use super::config::{Crossover, Genetic};
use crate::arena::opponents::parameters::Domain;
use crate::random::Random;

/// What is tuned: the domains of all parameters, which of them are free, and the values of the others.
#[derive(Clone, Debug)]
pub(super) struct Space {
    pub(super) domains: Vec<Domain>,
    pub(super) free: Vec<bool>,
    pub(super) kept: Vec<f64>,
}

/// One set of values.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Individual {
    /// The generation it was born in and its place there.
    pub(super) id: Id,
    /// Whose child it is: nobody's if it was drawn.
    pub(super) parents: Vec<Id>,
    /// A value for each parameter.
    pub(super) values: Vec<f64>,
}

/// The generation in which an individual was born, and its place there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(super) struct Id(pub(super) u32, pub(super) usize);

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

impl From<Id> for String {
    fn from(id: Id) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for Id {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let parts = text
            .split_once('.')
            .and_then(|(born, place)| Some(Self(born.parse().ok()?, place.parse().ok()?)));
        parts.ok_or_else(|| format!("'{text}' is no generation and place such as 3.14"))
    }
}

impl Space {
    /// How many parameters are tuned.
    pub(super) fn dimension(&self) -> usize {
        self.free.iter().filter(|&&free| free).count()
    }

    /// Values drawn evenly from the domains; kept ones are kept.
    pub(super) fn draw(&self, dice: &mut Random) -> Vec<f64> {
        self.each_free(|at| draw(self.domains[at], dice))
    }

    /// These values where parameters are free, and the kept ones elsewhere.
    pub(super) fn settle(&self, values: &[f64]) -> Vec<f64> {
        self.each_free(|at| values[at])
    }

    /// A child of two parents.
    pub(super) fn cross(
        &self,
        (first, second): (&[f64], &[f64]),
        crossover: Crossover,
        dice: &mut Random,
    ) -> Vec<f64> {
        match crossover {
            Crossover::Uniform => {
                self.each_free(|at| if dice.draw() >> 63 == 0 { first[at] } else { second[at] })
            }
            Crossover::OnePoint => {
                // At least one free parameter is each one's, if there are two.
                let point = 1 + dice.below(self.dimension().saturating_sub(1).max(1));
                let mut seen = 0;
                self.each_free(|at| {
                    seen += 1;
                    if seen <= point { first[at] } else { second[at] }
                })
            }
        }
    }

    /// The values with chance changes.
    pub(super) fn mutate(&self, values: &[f64], genetic: &Genetic, dice: &mut Random) -> Vec<f64> {
        self.each_free(|at| mutated(values[at], self.domains[at], genetic, dice))
    }

    /// The values of the free parameters, each as a part of its range.
    pub(super) fn parts(&self, values: &[f64]) -> Vec<f64> {
        let part = |at: usize| {
            let (low, high) = self.domains[at].bounds();
            (values[at] - low) / (high - low)
        };
        (0..self.domains.len()).filter(|&at| self.free[at]).map(part).collect()
    }

    /// The values that parts of the ranges of the free parameters stand for, as near as is allowed.
    pub(super) fn at_parts(&self, parts: &[f64]) -> Vec<f64> {
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

fn draw(domain: Domain, dice: &mut Random) -> f64 {
    match domain {
        Domain::Binary { low, bits } => f64::from(low) + f64::from((dice.draw() >> (64 - bits)) as u32),
        Domain::Real { low, high } => low + share(dice) * (high - low),
    }
}

fn mutated(value: f64, domain: Domain, genetic: &Genetic, dice: &mut Random) -> f64 {
    match domain {
        Domain::Binary { low, bits } => {
            let flips = (0..bits).filter(|_| share(dice) < genetic.mutation);
            // From the highest digit down, so that the draws have an order.
            let mask = flips.fold(0_u32, |mask, digit| mask | 1 << (bits - 1 - digit));
            let code = (value - f64::from(low)) as u32;
            f64::from(low) + f64::from(code ^ mask)
        }
        Domain::Real { low, high } => {
            if share(dice) >= genetic.mutation {
                return value;
            }
            domain.nearest(value + normal(dice) * genetic.sigma * (high - low))
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

    fn genetic(mutation: f64) -> Genetic {
        Genetic { elite: 1, parents: 2, crossover: Crossover::Uniform, mutation, sigma: 0.2 }
    }

    proptest! {
        #[test]
        fn values_stay_allowed_and_kept_ones_kept(seed in any::<u64>(), maximax in any::<bool>(), rate in 0.0..1.0) {
            let system = if maximax { System::Maximax } else { System::GaMinimax };
            let (space, mut dice) = (space(system, &[0, 5]), Random::new(seed));
            let (first, second) = (space.draw(&mut dice), space.draw(&mut dice));
            let child = space.cross((&first, &second), Crossover::Uniform, &mut dice);
            let mutant = space.mutate(&child, &genetic(rate), &mut dice);
            let near = space.at_parts(&space.parts(&mutant));
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
            let (space, mut dice) = (space(System::GaMinimax, &[]), Random::new(seed));
            let (first, second) = (space.draw(&mut dice), space.draw(&mut dice));
            let child = space.cross((&first, &second), crossover, &mut dice);
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
            let (space, mut dice) = (space(System::GaMinimax, &[]), Random::new(seed));
            let values = space.draw(&mut dice);
            prop_assert_eq!(&space.mutate(&values, &genetic(0.0), &mut dice), &values);
            let all = space.mutate(&values, &genetic(1.0), &mut dice);
            for at in 0..values.len() {
                let (low, high) = space.domains[at].bounds();
                prop_assert_eq!(all[at] - low, high - values[at], "every digit is another one");
            }
        }
    }

    #[test]
    fn real_numbers_move_by_a_part_of_their_range() {
        let (space, mut dice) = (space(System::Maximax, &[]), Random::new(1));
        let values = space.kept.clone();
        let mut moved = 0;
        for _ in 0..200 {
            let mutant = space.mutate(&values, &genetic(0.25), &mut dice);
            moved += mutant.iter().zip(&values).filter(|(a, b)| a != b).count();
        }
        // A quarter of 3200, less those that chance moved beyond the end of the range they were at already.
        assert!((500..900).contains(&moved), "{moved}");
    }
}
