//! The weights of one stage as they are looked up.

use std::array;
use std::sync::Arc;

use super::super::features::View;
use super::super::pattern::{CENTRES, INSTANCES, Lanes};
#[cfg(avx512)]
use super::super::pattern::{LANES, WEIGHTS};
use super::{MOBILITIES, mobilities};

/// The weights of one stage.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    /// Those of the patterns, one for each number of each shape, then [`SPARE`] that say nothing. Clones share them.
    patterns: Arc<[i16]>,
    /// By the number of own moves, and of the opponent's.
    mobility: [[i16; MOBILITIES]; 2],
}

/// Weights at the end of those of the patterns that are zeroes: one for lanes without a pattern, and one because vector
/// units read two at a time.
const SPARE: usize = 2;

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
    /// Unfolds the weights of a stage as they are learned: patterns share theirs as the ties say, and so many are different.
    pub(super) fn unfolded(packed: &[i16], ties: &[u32], different: usize) -> Self {
        let (patterns, mobility) = packed.split_at(different);
        let (own, other) = mobility.split_at(MOBILITIES);
        let row = |weights: &[i16]| array::from_fn(|moves| weights[moves]);
        let all = ties.iter().map(|&tie| patterns[tie as usize]);
        Self { patterns: all.chain([0; SPARE]).collect(), mobility: [row(own), row(other)] }
    }

    /// The same weights in a place of their own.
    pub(super) fn apart(&self) -> Self {
        Self { patterns: Arc::from(&*self.patterns), mobility: self.mobility }
    }

    /// The weights of all that there is to see, together.
    #[inline]
    pub(super) fn sum(&self, view: &View) -> i32 {
        let [own, other] = &self.mobility;
        let [own_moves, other_moves] = mobilities(view);
        sum(&self.patterns, view.numbers()) + i32::from(own[own_moves]) + i32::from(other[other_moves])
    }
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
    pub fn sum(weights: &[i16], numbers: &Lanes) -> i32 {
        let places: [usize; INSTANCES] =
            array::from_fn(|instance| (CENTRES[instance] + i32::from(numbers.0[instance])) as usize);
        places.iter().map(|&place| i32::from(weights[place])).sum()
    }
}

#[cfg(all(test, avx512))]
mod tests {
    use super::super::super::pattern::{ALL, SHAPES, numbers as numbers_of};
    use super::*;
    use crate::random::Random;

    #[test]
    fn vectors_add_up_the_same_weights() {
        let mut random = Random::new(1);
        let weights: Vec<i16> = (0..WEIGHTS).map(|_| random.draw() as i16).chain([0; SPARE]).collect();
        for _ in 0..1000 {
            let mut numbers = Lanes([0; LANES]);
            for (number, instance) in numbers.0.iter_mut().zip(ALL) {
                let different = numbers_of(SHAPES[instance.shape].len());
                *number = (random.below(different) as i32 - different as i32 / 2) as i16;
            }
            assert_eq!(sum(&weights, &numbers), portable::sum(&weights, &numbers));
        }
    }
}
