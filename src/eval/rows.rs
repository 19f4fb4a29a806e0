//! What the evaluation looks up for an index of a pattern: its row of the hidden layer, and its weight in every stage.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::memory::CACHE_LINE;

use super::pattern::{INSTANCE_COUNT, INSTANCES, SHAPES, pow3};

/// Numbers of a row.
pub const WIDTH: usize = 32;

/// The largest number of a row: two of them can be added as bytes.
pub const ROW_LIMIT: i8 = 63;

pub type Row = [i8; WIDTH];

/// Units of a row in 1.
pub const ROW_UNITS: i16 = 128;

/// What a stage makes of the sums of rows: it adds its bias, cuts them off below 0 and above 1, and weighs their squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageOutput {
    /// Added to the sums.
    pub bias: [i16; WIDTH],
    /// What the squares are worth.
    pub weights: [i16; WIDTH],
}

impl StageOutput {
    pub(super) const NONE: Self = Self { bias: [0; WIDTH], weights: [0; WIDTH] };
}

/// The rest of a cache line.
pub(super) const MAX_STAGES: usize = CACHE_LINE - WIDTH;

/// Row and weights share a cache line: a board needs both for some forty indices, and few of them are in the L1 cache.
#[derive(Debug, Default, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub struct Entry {
    pub row: Row,
    /// By stage, quantized, plus [`WEIGHT_BIAS`]. Atomic, since each stage is unpacked when it is first needed, and
    /// others are in use then.
    pub(super) weights: [AtomicU8; MAX_STAGES],
}

/// Makes stored weights positive: an atomic load with a sign would take two instructions.
pub(super) const WEIGHT_BIAS: i32 = 128;

impl Entry {
    #[inline]
    pub(super) fn biased_weight(&self, stage: usize) -> i32 {
        self.weights[stage].load(Relaxed).into()
    }

    pub(super) fn set_weight(&self, stage: usize, weight: i8) {
        self.weights[stage].store((i32::from(weight) + WEIGHT_BIAS) as u8, Relaxed);
    }
}

/// Whether a shape has entries. Two of the largest have weights only: their rows would double the table.
#[must_use]
pub const fn has_rows(shape: usize) -> bool {
    shape != 1 && shape != 3
}

/// An instance: its lane, and where its index 0 is in the tables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lookup {
    pub(super) lane: usize,
    pub(super) centre: i32,
}

impl Lookup {
    #[inline]
    pub(super) fn place(&self, indices: &[i16]) -> usize {
        (self.centre + i32::from(indices[self.lane])) as usize
    }
}

/// Instances of the shapes with rows, and of the others.
pub(super) const ROW_INSTANCES: usize = count(true);
pub(super) const ROWLESS_INSTANCES: usize = count(false);

/// Where the table of each shape starts, before mirror images are merged; the last is the end of all.
pub(super) const ROW_STARTS: [usize; SHAPES.len() + 1] = starts(true);
pub(super) const ROWLESS_STARTS: [usize; SHAPES.len() + 1] = starts(false);

pub(super) const ROW_LOOKUPS: [Lookup; ROW_INSTANCES] = lookups(true, &ROW_STARTS);
pub(super) const ROWLESS_LOOKUPS: [Lookup; ROWLESS_INSTANCES] = lookups(false, &ROWLESS_STARTS);

const fn count(with_rows: bool) -> usize {
    let (mut count, mut instance) = (0, 0);
    while instance < INSTANCE_COUNT {
        count += (has_rows(INSTANCES[instance].shape) == with_rows) as usize;
        instance += 1;
    }
    count
}

const fn starts(with_rows: bool) -> [usize; SHAPES.len() + 1] {
    let mut starts = [0; SHAPES.len() + 1];
    let mut shape = 0;
    while shape < SHAPES.len() {
        let indices = if has_rows(shape) == with_rows { pow3(SHAPES[shape].len()) } else { 0 };
        starts[shape + 1] = starts[shape] + indices;
        shape += 1;
    }
    starts
}

const fn lookups<const N: usize>(with_rows: bool, starts: &[usize; SHAPES.len() + 1]) -> [Lookup; N] {
    let mut lookups = [Lookup { lane: 0, centre: 0 }; N];
    let (mut found, mut lane) = (0, 0);
    while lane < INSTANCE_COUNT {
        let shape = INSTANCES[lane].shape;
        if has_rows(shape) == with_rows {
            lookups[found] = Lookup { lane, centre: (starts[shape] + pow3(SHAPES[shape].len()) / 2) as i32 };
            found += 1;
        }
        lane += 1;
    }
    lookups
}
