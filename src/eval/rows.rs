//! Which patterns have rows in the hidden layer, and where these lie.

use super::pattern::{INSTANCE_COUNT, INSTANCES, LANES, SHAPES, pow3};

/// Numbers of a row.
pub const WIDTH: usize = 32;

/// The largest number of a row: two of them can be added as bytes.
pub const ROW_LIMIT: i8 = 63;

pub type Row = [i8; WIDTH];

/// Whether a shape has rows. Two of the largest have none: they would double the table.
#[must_use]
pub const fn has_rows(shape: usize) -> bool {
    shape != 1 && shape != 3
}

/// Instances of the shapes with rows.
pub(super) const ROW_INSTANCES: usize = {
    let (mut count, mut instance) = (0, 0);
    while instance < INSTANCE_COUNT {
        count += has_rows(INSTANCES[instance].shape) as usize;
        instance += 1;
    }
    count
};

/// Where the rows of each shape start, before mirror images are merged; the last is the end of all.
pub(super) const ROW_STARTS: [usize; SHAPES.len() + 1] = {
    let mut starts = [0; SHAPES.len() + 1];
    let mut shape = 0;
    while shape < SHAPES.len() {
        starts[shape + 1] = starts[shape] + if has_rows(shape) { pow3(SHAPES[shape].len()) } else { 0 };
        shape += 1;
    }
    starts
};

/// The lane of each instance with rows, and where its row of index 0 is.
pub(super) const ROW_CENTRES: [(usize, i32); ROW_INSTANCES] = {
    let mut centres = [(0, 0); ROW_INSTANCES];
    let (mut count, mut instance) = (0, 0);
    while instance < INSTANCE_COUNT {
        let shape = INSTANCES[instance].shape;
        if has_rows(shape) {
            centres[count] = (instance, (ROW_STARTS[shape] + pow3(SHAPES[shape].len()) / 2) as i32);
            count += 1;
        }
        instance += 1;
    }
    assert!(INSTANCE_COUNT <= LANES);
    centres
};
