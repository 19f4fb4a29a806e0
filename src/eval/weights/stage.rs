//! The weights of one stage as the evaluation looks them up.

use std::array;

use super::layout::{MOBILITY_WEIGHTS, STAGES};
use crate::board::Size;
use crate::eval::pattern::{self, PatternIndices, SHAPES, TABLE_STARTS};
use crate::eval::pattern_state::PatternState;
use crate::eval::rows::{Entry, Lookup, MAX_STAGES, ROW_STARTS, ROWLESS_LOOKUPS, has_rows};

/// The weights of one stage. Those of the patterns are quantized to bytes, so that more of them stay in the cache; those
/// of patterns with rows lie beside the rows.
#[derive(Debug)]
pub(super) struct StageWeights {
    /// The quantization step.
    scale: i32,
    /// A weight for each index of the shapes without rows.
    rowless: Box<[i8]>,
    /// By the mobility of the player to move, and of the opponent.
    mobility: [[i16; MOBILITY_WEIGHTS]; 2],
}

const _: () = assert!(STAGES <= MAX_STAGES, "an entry has a weight for each stage");

/// How many moves the player to move and the opponent have, capped to what the weights tell apart.
#[must_use]
#[inline]
pub fn mobility(state: &PatternState) -> [usize; 2] {
    let area = Size::Eight.squares();
    let moves = [state.moves(area), state.board.passed().moves(area)];
    moves.map(|moves| (moves.len() as usize).min(MOBILITY_WEIGHTS - 1))
}

impl StageWeights {
    /// Quantizes the unique weights and gives each mirror image its own copy: in the entries where the shape has rows.
    pub(super) fn unpack(packed: &[i16], entries: &[Entry], stage: usize) -> Self {
        let (patterns, mobility) = packed.split_at(packed.len() - 2 * MOBILITY_WEIGHTS);
        let (own, other) = mobility.split_at(MOBILITY_WEIGHTS);
        let row = |weights: &[i16]| array::from_fn(|moves| weights[moves]);
        let mut unique = vec![0; patterns.len()];
        let scale = quantize(patterns, &mut unique);
        let mut rowless = Vec::new();
        for shape in 0..SHAPES.len() {
            let canonical = &pattern::canonical_indices()[TABLE_STARTS[shape]..TABLE_STARTS[shape + 1]];
            let weights = canonical.iter().map(|&index| unique[index as usize]);
            if has_rows(shape) {
                let entries = &entries[ROW_STARTS[shape]..ROW_STARTS[shape + 1]];
                entries.iter().zip(weights).for_each(|(entry, weight)| entry.set_weight(stage, weight));
            } else {
                rowless.extend(weights);
            }
        }
        Self { scale: scale.into(), rowless: rowless.into(), mobility: [row(own), row(other)] }
    }

    /// The sum of all weights; `of_entries` is that of those in the entries, in steps.
    #[inline]
    pub(super) fn sum(
        &self,
        of_entries: i32,
        indices: &PatternIndices,
        [own_moves, other_moves]: [usize; 2],
    ) -> i32 {
        let [own, other] = &self.mobility;
        let weight = |lookup: &Lookup| i32::from(self.rowless[lookup.place(&indices.0)]);
        let rowless: i32 = ROWLESS_LOOKUPS.iter().map(weight).sum();
        self.scale * (of_entries + rowless) + i32::from(own[own_moves]) + i32::from(other[other_moves])
    }
}

/// Divides weights by the least scale with which the largest of them fits in a byte, a multiple of what divides them all:
/// weights that were trained in steps are kept as they are. Returns the scale.
fn quantize(weights: &[i16], quantized: &mut [i8]) -> u8 {
    let sizes = || weights.iter().map(|weight| weight.unsigned_abs());
    let largest = sizes().max().unwrap_or(0);
    let step = sizes().fold(0, greatest_common_divisor).max(1);
    let scale = largest.div_ceil(i8::MAX as u16).max(1).next_multiple_of(step);
    // Larger weights, of more than five hundred discs, are cut off.
    let scale = u8::try_from(scale).unwrap_or(u8::MAX);
    for (quantized, &weight) in quantized.iter_mut().zip(weights) {
        *quantized = (f32::from(weight) / f32::from(scale)).round_ties_even() as i8;
    }
    scale
}

fn greatest_common_divisor(one: u16, other: u16) -> u16 {
    if other == 0 { one } else { greatest_common_divisor(other, one % other) }
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
        assert_eq!(quantized(&[300, -4, 8]), (vec![75, -1, 2], 4), "none is rounded");
        assert_eq!(quantized(&[1000, -4, 8]), (vec![125, 0, 1], 8), "4 is half a step");
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
