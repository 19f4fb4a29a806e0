//! A hidden layer on the patterns, for what a sum of weights cannot see: that a pattern is worth more or less beside
//! others.
//!
//! Every index of most patterns has a row of [`WIDTH`] numbers, as has every number of moves of either side. The rows
//! of a position are added up, each sum is cut off below 0 and above 1 and squared, and the stage of the game weighs the
//! squares. Whole numbers only, so that all processors agree.

use std::array;

use super::layout::{MOBILITY_WEIGHTS, STAGES};
use crate::eval::pattern::{self, SHAPES, TABLE_STARTS};
use crate::eval::rows::{
    Entry, ROW_INSTANCES, ROW_LIMIT, ROW_STARTS, ROW_UNITS, Row, StageOutput, WIDTH, has_rows,
};
use crate::memory::ZeroedBuffer;

/// The largest bias, and the largest output weight: sums with them fit in 16 and 32 bits.
pub const BIAS_LIMIT: i16 = 30_000;
pub const OUTPUT_LIMIT: i16 = 4095;

/// Units of an output in a unit of a weight.
pub const OUTPUT_UNITS: i32 = 8;

/// With fewer empty squares the layer does not count: it has learnt from none.
pub const LEAST_EMPTIES: usize = 4;

/// Rows before mirror images are merged.
pub const ROW_COUNT: usize = ROW_STARTS[SHAPES.len()] + 2 * MOBILITY_WEIGHTS;

/// The layer as it is trained and stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedNetwork {
    pub outputs: Box<[StageOutput; STAGES]>,
    /// For each shape that has rows one for each unique index, then one for each number of moves of the player to move,
    /// and as many for the opponent.
    pub rows: Vec<Row>,
}

impl PackedNetwork {
    /// The number of rows.
    #[must_use]
    pub fn row_count() -> usize {
        let ranges = pattern::unique_weight_ranges().iter().enumerate();
        let of_shapes: usize =
            ranges.filter(|&(shape, _)| has_rows(shape)).map(|(_, range)| range.len()).sum();
        of_shapes + 2 * MOBILITY_WEIGHTS
    }

    /// Whether all numbers are within their limits, so that no sum overflows.
    #[must_use]
    pub fn is_within_limits(&self) -> bool {
        fn largest<'a>(numbers: impl Iterator<Item = &'a i16>) -> u16 {
            numbers.fold(0, |most, number| number.unsigned_abs().max(most))
        }
        let row = self.rows.iter().flatten().fold(0, |most, number| number.unsigned_abs().max(most));
        row <= ROW_LIMIT.unsigned_abs()
            && largest(self.outputs.iter().flat_map(|output| &output.bias)) <= BIAS_LIMIT.unsigned_abs()
            && largest(self.outputs.iter().flat_map(|output| &output.weights)) <= OUTPUT_LIMIT.unsigned_abs()
    }

    #[must_use]
    pub fn zeroes() -> Self {
        Self { outputs: Box::new([StageOutput::NONE; STAGES]), rows: vec![[0; WIDTH]; Self::row_count()] }
    }
}

const _: () = {
    let rows = (ROW_INSTANCES + 2) as i32 * ROW_LIMIT as i32;
    assert!(rows + BIAS_LIMIT as i32 <= i16::MAX as i32);
    let square = ROW_UNITS as i64 * ROW_UNITS as i64;
    assert!(square * OUTPUT_LIMIT as i64 * WIDTH as i64 <= i32::MAX as i64);
};

/// The entries of all indices, with their rows and no weights yet.
pub(super) fn entries_with_rows(packed: &PackedNetwork) -> ZeroedBuffer<Entry> {
    let mut entries: ZeroedBuffer<Entry> = ZeroedBuffer::new(ROW_STARTS[SHAPES.len()]);
    let (canonical, ranges) = (pattern::canonical_indices(), pattern::unique_weight_ranges());
    let mut first = 0;
    for shape in (0..SHAPES.len()).filter(|&shape| has_rows(shape)) {
        let of_shape = &canonical[TABLE_STARTS[shape]..TABLE_STARTS[shape + 1]];
        let entries = &mut entries.items_mut()[ROW_STARTS[shape]..ROW_STARTS[shape + 1]];
        for (entry, &index) in entries.iter_mut().zip(of_shape) {
            entry.row = packed.rows[first + index as usize - ranges[shape].start];
        }
        first += ranges[shape].len();
    }
    entries
}

/// The layer as the evaluation uses it, but for the rows of the patterns.
#[derive(Debug)]
pub(super) struct Network {
    /// For each number of moves of the player to move, and of the opponent.
    mobility: [[Row; MOBILITY_WEIGHTS]; 2],
    outputs: Box<[StageOutput; STAGES]>,
}

impl Network {
    pub(super) fn unpack(packed: &PackedNetwork) -> Self {
        let (_, mobility) = packed.rows.split_at(PackedNetwork::row_count() - 2 * MOBILITY_WEIGHTS);
        let of_side = |side: usize| array::from_fn(|moves| mobility[side * MOBILITY_WEIGHTS + moves]);
        Self { mobility: array::from_fn(of_side), outputs: packed.outputs.clone() }
    }

    /// The rows of both sides' numbers of moves.
    #[inline]
    pub(super) fn mobility(&self, [own, other]: [usize; 2]) -> [&Row; 2] {
        [&self.mobility[0][own], &self.mobility[1][other]]
    }

    #[inline]
    pub(super) fn output(&self, stage: usize, empties: usize) -> &StageOutput {
        if empties >= LEAST_EMPTIES { &self.outputs[stage] } else { &StageOutput::NONE }
    }
}

/// Weighed squares in units of a weight.
#[inline]
pub(super) fn in_units(weighed_squares: i32) -> i32 {
    weighed_squares / (i32::from(ROW_UNITS) * i32::from(ROW_UNITS) * OUTPUT_UNITS)
}
