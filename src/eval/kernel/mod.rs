//! The inner loops of the pattern evaluation: portable code, and the choice between it and its SIMD twin, made when the
//! program is built.

#[cfg(avx2)]
mod simd;

use super::pattern::{LANES, PatternIndices};
use super::rows::{Entry, ROW_INSTANCES, ROW_LOOKUPS, ROW_UNITS, Row, StageOutput, WEIGHT_BIAS, WIDTH};

#[cfg(not(avx512))]
pub(super) use portable::sum_entries;
#[cfg(not(avx2))]
pub(super) use portable::update_indices;
#[cfg(avx512)]
pub(super) use simd::sum_entries;
#[cfg(avx2)]
pub(super) use simd::update_indices;

/// What the bias adds to the sum of the weights.
const BIASES: i32 = WEIGHT_BIAS * ROW_INSTANCES as i32;

#[cfg_attr(avx2, allow(dead_code, reason = "the SIMD twin is in use, and tested against it"))]
pub(super) mod portable {
    use std::array;

    use super::super::pattern::SQUARE_DELTAS;
    use super::*;
    use crate::board::{Bitboard, Square};

    /// The indices after a move, seen by the next player: the new disc adds its delta, and a flipped one twice, as it goes
    /// from -1 to 1.
    #[inline]
    pub fn update_indices(indices: &PatternIndices, square: Square, flips: Bitboard) -> PatternIndices {
        let mut flipped = [0_i16; LANES];
        for flip in flips {
            for (sum, delta) in flipped.iter_mut().zip(&SQUARE_DELTAS[flip.index()].0) {
                *sum += delta;
            }
        }
        let placed = &SQUARE_DELTAS[square.index()].0;
        // The doubled deltas may overflow; the result never does.
        let sum = |lane: usize| indices.0[lane].wrapping_add(placed[lane]).wrapping_add(flipped[lane] << 1);
        PatternIndices(array::from_fn(|lane| -sum(lane)))
    }

    /// The sum of the weights of all instances with rows, and what the stage makes of their rows and those of the moves:
    /// the sum of the weighed squares.
    #[inline]
    pub fn sum_entries(
        entries: &[Entry],
        stage: usize,
        indices: &PatternIndices,
        [own_moves, other_moves]: [&Row; 2],
        output: &StageOutput,
    ) -> (i32, i32) {
        let mut weights = 0;
        let mut sums: [i16; WIDTH] =
            array::from_fn(|at| output.bias[at] + i16::from(own_moves[at]) + i16::from(other_moves[at]));
        for lookup in &ROW_LOOKUPS {
            let entry = &entries[lookup.place(&indices.0)];
            weights += entry.biased_weight(stage);
            for (sum, &number) in sums.iter_mut().zip(&entry.row) {
                *sum += i16::from(number);
            }
        }
        let squares: [i16; WIDTH] = array::from_fn(|at| {
            let sum = sums[at].clamp(0, ROW_UNITS);
            sum * sum
        });
        let products = squares.iter().zip(&output.weights);
        let weighed = products.map(|(&square, &weight)| i32::from(square) * i32::from(weight)).sum();
        (weights - BIASES, weighed)
    }
}

#[cfg(all(test, avx512))]
mod tests {
    use std::array;

    use super::super::pattern::{INSTANCES, SHAPES, pow3};
    use super::super::rows::{ROW_LIMIT, ROW_STARTS};
    use super::*;
    use crate::random::Random;

    fn random_indices(random: &mut Random) -> PatternIndices {
        let mut indices = PatternIndices([0; LANES]);
        for (index, instance) in indices.0.iter_mut().zip(INSTANCES) {
            let count = pow3(SHAPES[instance.shape].len());
            *index = (random.below(count) as i32 - count as i32 / 2) as i16;
        }
        indices
    }

    #[test]
    fn simd_and_portable_sums_agree() {
        let mut random = Random::new(1);
        let limit = usize::from(ROW_LIMIT.unsigned_abs());
        let stages = [0, 26];
        let entry = |random: &mut Random| {
            let row = array::from_fn(|_| random.below(2 * limit + 1) as i8 - ROW_LIMIT);
            let entry = Entry { row, ..Entry::default() };
            stages.iter().for_each(|&stage| entry.set_weight(stage, random.draw() as i8));
            entry
        };
        let entries: Vec<Entry> = (0..ROW_STARTS[SHAPES.len()]).map(|_| entry(&mut random)).collect();
        for turn in 0..1000 {
            let stage = stages[turn % stages.len()];
            let moves: [Row; 2] = array::from_fn(|_| entry(&mut random).row);
            let output = StageOutput {
                bias: array::from_fn(|_| random.below(400) as i16 - 200),
                weights: array::from_fn(|_| random.below(8191) as i16 - 4095),
            };
            let indices = random_indices(&mut random);
            let expected = portable::sum_entries(&entries, stage, &indices, moves.each_ref(), &output);
            assert_eq!(sum_entries(&entries, stage, &indices, moves.each_ref(), &output), expected);
        }
    }
}
