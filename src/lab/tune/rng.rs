//! Random numbers that depend on the seed and their purpose only, not on earlier draws: a resumed run draws what an
//! uninterrupted one would.

use std::f64::consts::TAU;

use crate::random::Random;

#[derive(Clone, Copy, Debug)]
pub(super) enum RandomStream {
    Individuals = 1,
    Games = 2,
    Yardstick = 3,
    Final = 4,
}

/// The generator of item `index` in a stream and generation.
pub(super) fn rng(seed: u64, stream: RandomStream, generation: u32, index: usize) -> Random {
    let mut outer = Random::keyed(seed, stream as u64);
    let mut inner = Random::keyed(outer.draw(), generation.into());
    Random::keyed(inner.draw(), index as u64)
}

/// From 0 to 1, 1 excluded.
pub(super) fn uniform(rng: &mut Random) -> f64 {
    const STEPS: f64 = (1_u64 << 53) as f64;
    (rng.draw() >> 11) as f64 / STEPS
}

/// Standard normal, by Box and Muller.
pub(super) fn normal(rng: &mut Random) -> f64 {
    // 1 - uniform is never 0, which has no logarithm.
    let (radius, angle) = (1.0 - uniform(rng), uniform(rng));
    (-2.0 * radius.ln()).sqrt() * (TAU * angle).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_have_the_right_moments() {
        let mut rng = rng(1, RandomStream::Individuals, 2, 3);
        let numbers: Vec<_> = (0..20_000).map(|_| normal(&mut rng)).collect();
        let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len() as f64;
        let squares: Vec<_> = numbers.iter().map(|n| n * n).collect();
        assert!(mean(&numbers).abs() < 0.03 && (mean(&squares) - 1.0).abs() < 0.05);
        let uniforms: Vec<_> = (0..20_000).map(|_| uniform(&mut rng)).collect();
        assert!((mean(&uniforms) - 0.5).abs() < 0.01 && uniforms.iter().all(|n| (0.0..1.0).contains(n)));
    }

    #[test]
    fn streams_differ() {
        let first = |stream, generation, index| rng(7, stream, generation, index).draw();
        let draws = [
            first(RandomStream::Games, 1, 1),
            first(RandomStream::Games, 1, 2),
            first(RandomStream::Games, 2, 1),
            first(RandomStream::Final, 1, 1),
        ];
        assert!(draws.iter().enumerate().all(|(at, draw)| !draws[..at].contains(draw)));
    }
}
