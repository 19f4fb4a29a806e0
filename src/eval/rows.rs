//! What the evaluation looks up for an index of a pattern: its row of the hidden layer, and its weight in every stage.

use std::sync::atomic::{AtomicI8, Ordering::Relaxed};

use crate::memory::CACHE_LINE;

use super::pattern::{INSTANCE_COUNT, INSTANCES, SHAPES, pow3};

/// Numbers of a row.
pub const WIDTH: usize = 32;

/// The largest number of a row: two of them can be added as bytes.
pub const ROW_LIMIT: i8 = 63;

pub type Row = [i8; WIDTH];

/// The rest of a cache line.
pub(super) const MAX_STAGES: usize = CACHE_LINE - WIDTH;

/// Row and weights share a cache line: a board needs both for some forty indices, and few of them are in the L1 cache.
#[derive(Debug, Default, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub struct Entry {
    pub row: Row,
    /// By stage, quantized. Atomic, since each stage is unpacked when it is first needed, and others are in use then.
    pub(super) weights: [AtomicI8; MAX_STAGES],
}

impl Entry {
    #[inline]
    pub(super) fn weight(&self, stage: usize) -> i8 {
        self.weights[stage].load(Relaxed)
    }

    pub(super) fn set_weight(&self, stage: usize, weight: i8) {
        self.weights[stage].store(weight, Relaxed);
    }
}

/// Whether a shape has entries. Two of the largest have weights only: their rows would double the table.
#[must_use]
pub const fn has_rows(shape: usize) -> bool {
    shape != 1 && shape != 3
}

/// An instance: its lane, its shape, and where its index 0 is in its table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lookup {
    pub(super) lane: usize,
    pub(super) shape: usize,
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
    let mut lookups = [Lookup { lane: 0, shape: 0, centre: 0 }; N];
    let (mut found, mut lane) = (0, 0);
    while lane < INSTANCE_COUNT {
        let shape = INSTANCES[lane].shape;
        if has_rows(shape) == with_rows {
            lookups[found] =
                Lookup { lane, shape, centre: (starts[shape] + pow3(SHAPES[shape].len()) / 2) as i32 };
            found += 1;
        }
        lane += 1;
    }
    lookups
}
