//! Chance that depends on the seed and on what it is for, and on nothing that was drawn before: a run that goes on after
//! a break draws as one without.

use std::f64::consts::TAU;

use crate::random::Random;

/// What chance is drawn for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Purpose {
    /// The individuals of a generation.
    Individuals = 1,
    /// Games of a generation.
    Games = 2,
    /// Games against the yardstick.
    Yardstick = 3,
    /// Games of the final.
    Final = 4,
}

/// The draws of one thing among those of a purpose in a generation.
pub(super) fn dice(seed: u64, purpose: Purpose, generation: u32, index: usize) -> Random {
    let mut outer = Random::keyed(seed, purpose as u64);
    let mut inner = Random::keyed(outer.draw(), generation.into());
    Random::keyed(inner.draw(), index as u64)
}

/// A number from 0 up to 1, which it never is.
pub(super) fn share(dice: &mut Random) -> f64 {
    const STEPS: f64 = (1_u64 << 53) as f64;
    (dice.draw() >> 11) as f64 / STEPS
}

/// A number of the standard normal distribution.
pub(super) fn normal(dice: &mut Random) -> f64 {
    // One less a share is never nothing, which has no logarithm.
    let (radius, angle) = (1.0 - share(dice), share(dice));
    (-2.0 * radius.ln()).sqrt() * (TAU * angle).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_spread_as_they_should_be() {
        let mut dice = dice(1, Purpose::Individuals, 2, 3);
        let numbers: Vec<_> = (0..20_000).map(|_| normal(&mut dice)).collect();
        let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len() as f64;
        let squares: Vec<_> = numbers.iter().map(|n| n * n).collect();
        assert!(mean(&numbers).abs() < 0.03 && (mean(&squares) - 1.0).abs() < 0.05);
        let shares: Vec<_> = (0..20_000).map(|_| share(&mut dice)).collect();
        assert!((mean(&shares) - 0.5).abs() < 0.01 && shares.iter().all(|n| (0.0..1.0).contains(n)));
    }

    #[test]
    fn everything_has_draws_of_its_own() {
        let first = |purpose, generation, index| dice(7, purpose, generation, index).draw();
        let draws = [
            first(Purpose::Games, 1, 1),
            first(Purpose::Games, 1, 2),
            first(Purpose::Games, 2, 1),
            first(Purpose::Final, 1, 1),
        ];
        assert!(draws.iter().enumerate().all(|(at, draw)| !draws[..at].contains(draw)));
    }
}
