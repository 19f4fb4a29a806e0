//! The patterns of the evaluation: their shapes, and where these lie on the board.
//!
//! The index of a pattern has a base-3 digit for each square: 1 for a disc of the player to move, -1 for one of the
//! opponent, 0 for an empty square. So a pass negates the index, and a move adds multiples of powers of three. All
//! images of a shape under the symmetries of the board share one table of weights, and indices that are mirror images of
//! each other share one weight.

use std::array;
use std::ops::Range;
use std::sync::LazyLock;

use crate::board::{Bitboard, Square, Symmetry};

use Square::*;

/// Corners, edges with neighbouring squares, rows and diagonals; one of each kind.
pub const SHAPES: [&[Square]; 12] = [
    &[A1, B1, C1, A2, B2, C2, A3, B3, C3],
    &[A5, A4, A3, A2, A1, B2, B1, C1, D1, E1],
    &[B2, A1, B1, C1, D1, E1, F1, G1, H1, G2],
    &[A1, C1, D1, E1, F1, H1, C2, D2, E2, F2],
    &[A2, B2, C2, D2, E2, F2, G2, H2],
    &[A3, B3, C3, D3, E3, F3, G3, H3],
    &[A4, B4, C4, D4, E4, F4, G4, H4],
    &[A1, B2, C3, D4, E5, F6, G7, H8],
    &[A2, B3, C4, D5, E6, F7, G8],
    &[A3, B4, C5, D6, E7, F8],
    &[A4, B5, C6, D7, E8],
    &[A5, B6, C7, D8],
];

/// The names of the shapes in files and tables.
pub const NAMES: [&str; SHAPES.len()] = [
    "corner",
    "angle",
    "edge",
    "edge-block",
    "row-2",
    "row-3",
    "row-4",
    "diagonal-8",
    "diagonal-7",
    "diagonal-6",
    "diagonal-5",
    "diagonal-4",
];

const MAX_SQUARES: usize = 10;

/// A shape at one place of the board: its squares, lowest digit first.
#[derive(Clone, Copy, Debug)]
pub struct Instance {
    /// Index into [`SHAPES`].
    pub shape: usize,
    squares: [u8; MAX_SQUARES],
}

pub const INSTANCE_COUNT: usize = 46;

/// [`INSTANCE_COUNT`], padded to whole vectors.
pub const LANES: usize = 48;

/// 3ⁿ: the value of digit `n` of an index, and how many indices a shape of `n` squares has.
pub const fn pow3(n: usize) -> usize {
    3_usize.pow(n as u32)
}

/// Where the table of each shape starts among the weights of a stage; the last is the end of all.
pub const TABLE_STARTS: [usize; SHAPES.len() + 1] = {
    let mut offsets = [0; SHAPES.len() + 1];
    let mut shape = 0;
    while shape < SHAPES.len() {
        offsets[shape + 1] = offsets[shape] + pow3(SHAPES[shape].len());
        shape += 1;
    }
    offsets
};

/// Weights of a stage before mirror images are merged.
pub const WEIGHT_COUNT: usize = TABLE_STARTS[SHAPES.len()];

/// All instances, grouped by shape.
pub const INSTANCES: [Instance; INSTANCE_COUNT] = {
    let mut all = [Instance { shape: 0, squares: [0; MAX_SQUARES] }; INSTANCE_COUNT];
    let (mut count, mut shape) = (0, 0);
    while shape < SHAPES.len() {
        let first = count;
        let mut turn = 0;
        while turn < Symmetry::ALL.len() {
            let image = image(shape, Symmetry::ALL[turn]);
            let mut other = first;
            while other < count && !same_set(&image, &all[other].squares, SHAPES[shape].len()) {
                other += 1;
            }
            if other == count {
                all[count] = Instance { shape, squares: image };
                count += 1;
            }
            turn += 1;
        }
        shape += 1;
    }
    assert!(count == INSTANCE_COUNT);
    all
};

/// What an own disc on each square adds to the indices.
pub static SQUARE_DELTAS: [PatternIndices; 64] = {
    let mut deltas = [PatternIndices([0; LANES]); 64];
    let mut instance = 0;
    while instance < INSTANCE_COUNT {
        let mut digit = 0;
        while digit < SHAPES[INSTANCES[instance].shape].len() {
            deltas[INSTANCES[instance].squares[digit] as usize].0[instance] = pow3(digit) as i16;
            digit += 1;
        }
        instance += 1;
    }
    deltas
};

/// The index of each instance, then zeroes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(32))]
pub struct PatternIndices(pub [i16; LANES]);

/// Where the weight of index 0 is for each instance.
pub const TABLE_CENTRES: [i32; INSTANCE_COUNT] = {
    let mut centres = [0; INSTANCE_COUNT];
    let mut instance = 0;
    while instance < INSTANCE_COUNT {
        let shape = INSTANCES[instance].shape;
        centres[instance] = (TABLE_STARTS[shape] + pow3(SHAPES[shape].len()) / 2) as i32;
        instance += 1;
    }
    centres
};

const fn image(shape: usize, symmetry: Symmetry) -> [u8; MAX_SQUARES] {
    let mut squares = [0; MAX_SQUARES];
    let mut digit = 0;
    while digit < SHAPES[shape].len() {
        let image = symmetry.map(Bitboard(1 << SHAPES[shape][digit] as u8));
        squares[digit] = image.0.trailing_zeros() as u8;
        digit += 1;
    }
    squares
}

const fn same_set(one: &[u8; MAX_SQUARES], other: &[u8; MAX_SQUARES], count: usize) -> bool {
    let (mut in_one, mut in_other) = (0_u64, 0_u64);
    let mut digit = 0;
    while digit < count {
        in_one |= 1 << one[digit];
        in_other |= 1 << other[digit];
        digit += 1;
    }
    in_one == in_other
}

/// For each of the [`WEIGHT_COUNT`] weights its place among the unique ones: mirror images have the same.
#[must_use]
pub fn canonical_indices() -> &'static [u32] {
    static CANONICAL: LazyLock<Vec<u32>> = LazyLock::new(merge_mirror_images);
    &CANONICAL
}

fn merge_mirror_images() -> Vec<u32> {
    let mut canonical = Vec::with_capacity(WEIGHT_COUNT);
    let mut unique = 0;
    for (shape, squares) in SHAPES.iter().enumerate() {
        let mirrors: Vec<Vec<usize>> =
            self_symmetries(shape).iter().map(|digits| permuted_indices(digits)).collect();
        for index in 0..pow3(squares.len()) {
            let first = mirrors.iter().map(|images| images[index]).min().unwrap_or(index);
            if first < index {
                canonical.push(canonical[TABLE_STARTS[shape] + first]);
            } else {
                canonical.push(unique);
                unique += 1;
            }
        }
    }
    canonical
}

/// Weights of a stage after mirror images are merged.
#[must_use]
pub fn unique_weights() -> usize {
    unique_weight_ranges()[SHAPES.len() - 1].end
}

/// The unique weights of each shape.
#[must_use]
pub fn unique_weight_ranges() -> &'static [Range<usize>; SHAPES.len()] {
    static RANGES: LazyLock<[Range<usize>; SHAPES.len()]> = LazyLock::new(|| {
        let canonical = canonical_indices();
        let all = canonical.iter().max().map_or(0, |&last| last as usize + 1);
        // The first index of a shape is never the mirror image of an earlier one.
        let start = |shape: usize| canonical.get(TABLE_STARTS[shape]).map_or(all, |&first| first as usize);
        array::from_fn(|shape| start(shape)..start(shape + 1))
    });
    &RANGES
}

/// The symmetries that map a shape onto itself, as permutations of its digits.
fn self_symmetries(shape: usize) -> Vec<Vec<usize>> {
    let own = image(shape, Symmetry::ALL[0]);
    let count = SHAPES[shape].len();
    let turned = Symmetry::ALL.into_iter().skip(1).map(|symmetry| image(shape, symmetry));
    turned
        .filter(|image| same_set(image, &own, count))
        .map(|image| {
            let digit = |&square: &u8| own[..count].iter().position(|&other| other == square);
            image[..count].iter().filter_map(digit).collect()
        })
        .collect()
}

/// For each index, the one with its digits permuted.
fn permuted_indices(permutation: &[usize]) -> Vec<usize> {
    permutation.iter().fold(vec![0], |images, &to| {
        (0..3).flat_map(|digit| images.iter().map(move |image| image + digit * pow3(to))).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_has_four_images_but_the_longest_diagonal() {
        for shape in 0..SHAPES.len() {
            let images = INSTANCES.iter().filter(|instance| instance.shape == shape).count();
            assert_eq!(images, if shape == 7 { 2 } else { 4 }, "{shape}");
        }
        assert_eq!(WEIGHT_COUNT, 226_314);
    }

    #[test]
    fn every_square_is_looked_at() {
        assert!(SQUARE_DELTAS.iter().all(|deltas| deltas.0.iter().filter(|&&delta| delta != 0).count() >= 4));
    }

    #[test]
    fn mirror_images_share_a_weight() {
        let canonical = canonical_indices();
        assert_eq!(canonical.len(), WEIGHT_COUNT);
        assert_eq!(unique_weights(), 114_363);
        let of = unique_weight_ranges();
        assert_eq!((of[0].start, of[11].end), (0, 114_363));
        assert!(of.windows(2).all(|pair| pair[0].end == pair[1].start && !pair[0].is_empty()));
        // Edges: discs on b1 and on g1.
        assert_eq!(canonical[TABLE_STARTS[2] + pow3(2)], canonical[TABLE_STARTS[2] + pow3(7)]);
        assert_ne!(canonical[TABLE_STARTS[2] + pow3(2)], canonical[TABLE_STARTS[2] + pow3(6)]);
    }
}
