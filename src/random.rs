//! A generator of our own, so that a seed gives the same numbers for ever: crates change theirs.

/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Random(u64);

/// 2⁶⁴ divided by the golden ratio, made odd.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl Random {
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// An independent generator for each number.
    #[must_use]
    pub fn keyed(seed: u64, number: u64) -> Self {
        let mut outer = Self(seed);
        Self(outer.draw() ^ number.wrapping_mul(STEP))
    }

    /// The next 64 bits.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is above 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.draw()) * bound as u128) >> 64) as usize
    }

    /// At least 0 and below 1.
    pub fn fraction(&mut self) -> f64 {
        (self.draw() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Normally distributed, with mean 0 and standard deviation 1.
    pub fn gaussian(&mut self) -> f64 {
        // Box and Muller; the logarithm is of a number above 0.
        let (radius, angle) = (1.0 - self.fraction(), self.fraction());
        (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
    }

    /// None if there are no items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.below(items.len())) }
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_means_the_same_for_ever() {
        let mut random = Random::new(1);
        assert_eq!([random.draw(), random.draw()], [0x910a_2dec_8902_5cc1, 0xbeeb_8da1_658e_ec67]);
    }

    #[test]
    fn draws_are_within_bounds_and_reach_all_of_them() {
        let mut random = Random::keyed(7, 3);
        let mut seen = [false; 10];
        for _ in 0..1000 {
            seen[random.below(10)] = true;
        }
        assert!(seen.into_iter().all(|seen| seen));
        assert_eq!(random.pick::<u8>(&[]), None);
    }

    #[test]
    fn gaussians_have_mean_0_and_deviation_1() {
        let mut random = Random::new(5);
        let draws: Vec<_> = (0..10_000).map(|_| random.gaussian()).collect();
        let mean = draws.iter().sum::<f64>() / 1e4;
        let deviation = (draws.iter().map(|draw| draw * draw).sum::<f64>() / 1e4).sqrt();
        assert!(mean.abs() < 0.04 && (deviation - 1.0).abs() < 0.03, "{mean} {deviation}");
    }

    #[test]
    fn shuffling_keeps_the_items() {
        let mut items: Vec<u32> = (0..50).collect();
        Random::new(9).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }
}
