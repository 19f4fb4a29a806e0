//! Growing pauses between attempts.

use std::time::Duration;

use ollehto::random::Random;

/// Pauses that double up to a longest one, each shortened by chance so that clients do not come back all at once.
#[derive(Clone, Debug)]
pub struct Backoff {
    first: Duration,
    longest: Duration,
    failures: u32,
    random: Random,
}

impl Backoff {
    #[must_use]
    pub const fn new(first: Duration, longest: Duration, seed: u64) -> Self {
        Self { first, longest, failures: 0, random: Random::new(seed) }
    }

    /// The pause after another failure: at least half of what it could be.
    pub fn pause(&mut self) -> Duration {
        let doubled = 1_u32.checked_shl(self.failures).unwrap_or(u32::MAX);
        let whole = self.first.saturating_mul(doubled).min(self.longest);
        self.failures = self.failures.saturating_add(1);
        let share = 0.5 + 0.5 * (self.random.draw() >> 11) as f64 / (1_u64 << 53) as f64;
        whole.mul_f64(share)
    }

    /// Something went well.
    pub const fn reset(&mut self) {
        self.failures = 0;
    }

    /// In a row.
    #[must_use]
    pub const fn failures(&self) -> u32 {
        self.failures
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_the_longest_and_begin_anew() {
        let second = Duration::from_secs(1);
        let mut backoff = Backoff::new(second, 60 * second, 7);
        for whole in [1, 2, 4, 8, 16, 32, 60, 60, 60].map(|seconds| seconds * second) {
            let pause = backoff.pause();
            assert!(pause >= whole / 2 && pause <= whole, "{pause:?} of {whole:?}");
        }
        (0..100).for_each(|_| assert!(backoff.pause() <= 60 * second));
        backoff.reset();
        assert!(backoff.pause() <= second);
    }
}
