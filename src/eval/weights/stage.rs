//! The weights of one stage as they are looked up.

use std::array;
use std::sync::Arc;

use super::super::features::PatternState;
#[cfg(avx512)]
use super::super::pattern::WEIGHTS;
use super::super::pattern::{self, ALL, CENTRES, INSTANCES, LANES, Lanes};
use super::{MOBILITIES, mobilities};

/// The weights of one stage.
///
/// Those of the patterns are rounded to bytes, so that twice as many stay near the processor.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    /// Those of the patterns in steps, one for each number of each shape, then [`SPARE`] that say nothing. Clones share
    /// them.
    patterns: Arc<[i8]>,
    /// How large a step of each lane's shape is.
    steps: Steps,
    /// By the number of own moves, and of the opponent's.
    mobility: [[i16; MOBILITIES]; 2],
}

/// A size for each lane, in its lowest byte.
pub(in super::super) type Steps = [u32; LANES];

/// Weights at the end of those of the patterns that are zeroes: one for lanes without a pattern, and three because vector
/// units read four at a time.
const SPARE: usize = 4;

/// What to add to the number of each lane to find its weight: without a pattern, one that is spare.
#[cfg(avx512)]
pub(in super::super) static PLACES: [i32; LANES] = {
    let mut places = [WEIGHTS as i32; LANES];
    let mut instance = 0;
    while instance < INSTANCES {
        places[instance] = CENTRES[instance];
        instance += 1;
    }
    places
};

impl Stage {
    /// Unfolds the weights of a stage as they are learned: mirror images share theirs.
    pub(super) fn unfolded(packed: &[i16]) -> Self {
        let (patterns, mobility) = packed.split_at(packed.len() - 2 * MOBILITIES);
        let (own, other) = mobility.split_at(MOBILITIES);
        let row = |weights: &[i16]| array::from_fn(|moves| weights[moves]);
        let mut different = vec![0; patterns.len()];
        let shapes = pattern::different_of();
        let sizes = shapes.each_ref().map(|of| round(&patterns[of.clone()], &mut different[of.clone()]));
        let mut steps = [0; LANES];
        for (lane, instance) in steps.iter_mut().zip(ALL) {
            *lane = u32::from(sizes[instance.shape]);
        }
        let all = pattern::ties().iter().map(|&tie| different[tie as usize]);
        Self { patterns: all.chain([0; SPARE]).collect(), steps, mobility: [row(own), row(other)] }
    }

    /// The same weights in a place of their own.
    pub(super) fn apart(&self) -> Self {
        Self { patterns: Arc::from(&*self.patterns), ..*self }
    }

    /// The weights of all that there is to see, together.
    #[inline]
    pub(super) fn sum(&self, view: &PatternState) -> i32 {
        let [own, other] = &self.mobility;
        let [own_moves, other_moves] = mobilities(view);
        let patterns = sum(&self.patterns, &self.steps, view.numbers());
        patterns + i32::from(own[own_moves]) + i32::from(other[other_moves])
    }
}

/// Rounds weights to steps of the least size with which the largest of them fits in a byte. Returns that size.
fn round(weights: &[i16], steps: &mut [i8]) -> u8 {
    let largest = weights.iter().map(|weight| weight.unsigned_abs()).max().unwrap_or(0);
    // Where a byte does not hold even the size, five hundred discs have to do.
    let step = u8::try_from(largest.div_ceil(i8::MAX as u16)).unwrap_or(u8::MAX).max(1);
    for (steps, &weight) in steps.iter_mut().zip(weights) {
        *steps = (f32::from(weight) / f32::from(step)).round_ties_even() as i8;
    }
    step
}

#[cfg(avx512)]
use super::super::simd::sum;
#[cfg(not(avx512))]
use portable::sum;

/// The code for any processor.
#[cfg_attr(avx512, allow(dead_code, reason = "the vector units are used, and tested against it"))]
mod portable {
    use super::*;

    /// The sum of the weights that the numbers of a board stand for.
    #[inline]
    pub fn sum(weights: &[i8], steps: &Steps, numbers: &Lanes) -> i32 {
        let places: [usize; INSTANCES] =
            array::from_fn(|instance| (CENTRES[instance] + i32::from(numbers.0[instance])) as usize);
        places.iter().zip(steps).map(|(&place, &step)| i32::from(weights[place]) * step as i32).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::iter;

    use super::*;
    use crate::random::Random;

    fn rounded(weights: &[i16]) -> (Vec<i8>, u8) {
        let mut steps = vec![0; weights.len()];
        let step = round(weights, &mut steps);
        (steps, step)
    }

    #[test]
    fn steps_are_as_small_as_the_largest_weight_allows() {
        assert_eq!(rounded(&[0, 127, -126, 5]), (vec![0, 127, -126, 5], 1));
        assert_eq!(rounded(&[0, 128, -254, 5, -1]), (vec![0, 64, -127, 2, 0], 2));
        assert_eq!(rounded(&[0; 3]), (vec![0; 3], 1));
        assert_eq!(rounded(&[i16::MIN, i16::MAX]), (vec![-128, 127], 255));
        let mut random = Random::new(2);
        for largest in [1, 127, 128, 1172, 30_000] {
            let some = || (random.below(2 * largest + 1) as i32 - largest as i32) as i16;
            let weights: Vec<i16> = iter::repeat_with(some).take(1000).collect();
            let (steps, step) = rounded(&weights);
            let mut pairs =
                weights.into_iter().zip(steps).map(|(weight, steps)| (i32::from(weight), i32::from(steps)));
            assert!(
                pairs.all(|(weight, steps)| 2 * (weight - i32::from(step) * steps).abs() <= i32::from(step))
            );
        }
    }

    #[cfg(avx512)]
    #[test]
    fn vectors_add_up_the_same_weights() {
        use super::super::super::pattern::{SHAPES, numbers as numbers_of};
        let mut random = Random::new(1);
        let weights: Vec<i8> = (0..WEIGHTS).map(|_| random.draw() as i8).chain([0; SPARE]).collect();
        for _ in 0..1000 {
            let steps = array::from_fn(|_| random.below(256) as u32);
            let mut numbers = Lanes([0; LANES]);
            for (number, instance) in numbers.0.iter_mut().zip(ALL) {
                let different = numbers_of(SHAPES[instance.shape].len());
                *number = (random.below(different) as i32 - different as i32 / 2) as i16;
            }
            assert_eq!(sum(&weights, &steps, &numbers), portable::sum(&weights, &steps, &numbers));
        }
    }
}
