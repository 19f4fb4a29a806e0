//! The inner loops of the pattern evaluation: portable code, and the choice between it and its SIMD twin, made when the
//! program is built.

#[cfg(avx2)]
mod simd;

use super::pattern::{INSTANCE_COUNT, LANES, PatternIndices, TABLE_CENTRES};

#[cfg(not(avx2))]
pub(super) use portable::update_indices;
#[cfg(not(avx512))]
pub(super) use portable::{add_rows, sum_weights};
#[cfg(avx2)]
pub(super) use simd::update_indices;
#[cfg(avx512)]
pub(super) use simd::{add_rows, sum_weights};

/// The quantization step of each lane's weights, in its lowest byte.
pub(super) type LaneScales = [u32; LANES];

/// Zero weights after those of the patterns: one for lanes without a pattern, and three because gathers read four bytes.
pub(super) const PADDING: usize = 4;

#[cfg_attr(avx2, allow(dead_code, reason = "the SIMD twin is in use, and tested against it"))]
pub(super) mod portable {
    use std::array;

    use super::super::pattern::SQUARE_DELTAS;
    use super::super::rows::{ROW_CENTRES, Row, WIDTH};
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

    /// The sum of the weights of all instances.
    #[inline]
    pub fn sum_weights(weights: &[i8], scales: &LaneScales, indices: &PatternIndices) -> i32 {
        let places: [usize; INSTANCE_COUNT] =
            array::from_fn(|instance| (TABLE_CENTRES[instance] + i32::from(indices.0[instance])) as usize);
        places.iter().zip(scales).map(|(&place, &scale)| i32::from(weights[place]) * scale as i32).sum()
    }

    /// The bias and the rows of all instances that have some, and of the moves of both sides, added up.
    #[inline]
    pub fn add_rows(
        rows: &[Row],
        indices: &PatternIndices,
        moves: [usize; 2],
        bias: &[i16; WIDTH],
    ) -> [i16; WIDTH] {
        let of_patterns = ROW_CENTRES.map(|(lane, centre)| (centre + i32::from(indices.0[lane])) as usize);
        let mut sums = *bias;
        for place in of_patterns.into_iter().chain(moves) {
            for (sum, &number) in sums.iter_mut().zip(&rows[place]) {
                *sum += i16::from(number);
            }
        }
        sums
    }
}

#[cfg(all(test, avx512))]
mod tests {
    use std::array;

    use super::super::pattern::{INSTANCES, SHAPES, WEIGHT_COUNT, pow3};
    use super::super::rows::{ROW_CENTRES, ROW_LIMIT, Row, WIDTH};
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
    fn simd_and_portable_rows_agree() {
        let mut random = Random::new(2);
        let limit = usize::from(ROW_LIMIT.unsigned_abs());
        // Enough for every index of the last shape.
        let count = ROW_CENTRES.iter().map(|&(_, centre)| 2 * centre as usize + 2).max().unwrap_or(0);
        let number = |random: &mut Random| random.below(2 * limit + 1) as i8 - ROW_LIMIT;
        let rows: Vec<Row> = (0..count).map(|_| array::from_fn(|_| number(&mut random))).collect();
        for _ in 0..1000 {
            let bias: [i16; WIDTH] = array::from_fn(|_| random.below(400) as i16 - 200);
            let indices = random_indices(&mut random);
            let moves = [random.below(count), random.below(count)];
            let expected = portable::add_rows(&rows, &indices, moves, &bias);
            assert_eq!(add_rows(&rows, &indices, moves, &bias), expected);
        }
    }

    #[test]
    fn simd_and_portable_sums_agree() {
        let mut random = Random::new(1);
        let weights: Vec<i8> = (0..WEIGHT_COUNT).map(|_| random.draw() as i8).chain([0; PADDING]).collect();
        for _ in 0..1000 {
            let scales = array::from_fn(|_| random.below(256) as u32);
            let indices = random_indices(&mut random);
            let expected = portable::sum_weights(&weights, &scales, &indices);
            assert_eq!(sum_weights(&weights, &scales, &indices), expected);
        }
    }
}
