//! The weights of one stage as the evaluation looks them up.

use std::array;
use std::sync::Arc;

use super::layout::MOBILITY_WEIGHTS;
use crate::board::Size;
use crate::eval::kernel::{LaneScales, PADDING, sum_weights};
use crate::eval::pattern::{self, INSTANCES, LANES};
use crate::eval::pattern_state::PatternState;

/// The weights of one stage, those of the patterns quantized to bytes so that twice as many stay in the cache.
#[derive(Clone, Debug)]
pub(super) struct StageWeights {
    /// A weight for each index of each shape, then [`PADDING`]. Clones share them.
    patterns: Arc<[i8]>,
    scales: LaneScales,
    /// By the mobility of the player to move, and of the opponent.
    mobility: [[i16; MOBILITY_WEIGHTS]; 2],
}

/// How many moves the player to move and the opponent have, capped to what the weights tell apart.
#[must_use]
#[inline]
pub fn mobility(state: &PatternState) -> [usize; 2] {
    let area = Size::Eight.squares();
    let moves = [state.moves(area), state.board.passed().moves(area)];
    moves.map(|moves| (moves.len() as usize).min(MOBILITY_WEIGHTS - 1))
}

impl StageWeights {
    /// Quantizes the unique weights and gives each mirror image its own copy.
    pub(super) fn unpack(packed: &[i16]) -> Self {
        let (patterns, mobility) = packed.split_at(packed.len() - 2 * MOBILITY_WEIGHTS);
        let (own, other) = mobility.split_at(MOBILITY_WEIGHTS);
        let row = |weights: &[i16]| array::from_fn(|moves| weights[moves]);
        let mut unique = vec![0; patterns.len()];
        let ranges = pattern::unique_weight_ranges();
        let of_shapes =
            ranges.each_ref().map(|range| quantize(&patterns[range.clone()], &mut unique[range.clone()]));
        let mut scales = [0; LANES];
        for (scale, instance) in scales.iter_mut().zip(INSTANCES) {
            *scale = u32::from(of_shapes[instance.shape]);
        }
        let all = pattern::canonical_indices().iter().map(|&index| unique[index as usize]);
        Self { patterns: all.chain([0; PADDING]).collect(), scales, mobility: [row(own), row(other)] }
    }

    /// A clone with memory of its own.
    pub(super) fn unshared(&self) -> Self {
        Self { patterns: Arc::from(&*self.patterns), ..*self }
    }

    #[inline]
    pub(super) fn sum(&self, state: &PatternState, [own_moves, other_moves]: [usize; 2]) -> i32 {
        let [own, other] = &self.mobility;
        let patterns = sum_weights(&self.patterns, &self.scales, state.indices());
        patterns + i32::from(own[own_moves]) + i32::from(other[other_moves])
    }
}

/// Divides weights by the least scale with which the largest of them fits in a byte. Returns the scale.
fn quantize(weights: &[i16], quantized: &mut [i8]) -> u8 {
    let largest = weights.iter().map(|weight| weight.unsigned_abs()).max().unwrap_or(0);
    // Larger weights, of more than five hundred discs, are cut off.
    let scale = u8::try_from(largest.div_ceil(i8::MAX as u16)).unwrap_or(u8::MAX).max(1);
    for (quantized, &weight) in quantized.iter_mut().zip(weights) {
        *quantized = (f32::from(weight) / f32::from(scale)).round_ties_even() as i8;
    }
    scale
}

#[cfg(test)]
mod tests {
    use std::iter;

    use super::*;
    use crate::random::Random;

    fn quantized(weights: &[i16]) -> (Vec<i8>, u8) {
        let mut quantized = vec![0; weights.len()];
        let scale = quantize(weights, &mut quantized);
        (quantized, scale)
    }

    #[test]
    fn scales_are_as_small_as_the_largest_weight_allows() {
        assert_eq!(quantized(&[0, 127, -126, 5]), (vec![0, 127, -126, 5], 1));
        assert_eq!(quantized(&[0, 128, -254, 5, -1]), (vec![0, 64, -127, 2, 0], 2));
        assert_eq!(quantized(&[0; 3]), (vec![0; 3], 1));
        assert_eq!(quantized(&[i16::MIN, i16::MAX]), (vec![-128, 127], 255));
        let mut random = Random::new(2);
        for largest in [1, 127, 128, 1172, 30_000] {
            let some = || (random.below(2 * largest + 1) as i32 - largest as i32) as i16;
            let weights: Vec<i16> = iter::repeat_with(some).take(1000).collect();
            let (steps, scale) = quantized(&weights);
            let mut pairs =
                weights.into_iter().zip(steps).map(|(weight, steps)| (i32::from(weight), i32::from(steps)));
            assert!(
                pairs
                    .all(|(weight, steps)| 2 * (weight - i32::from(scale) * steps).abs() <= i32::from(scale))
            );
        }
    }
}
