//! The shapes that the learned evaluation looks at, and where they lie on the board.
//!
//! A shape is a list of squares, each a digit of a number: 1 for a disc of the player to move, -1 for one of the
//! opponent, 0 for an empty square, in the base of three. So the same discs seen by the other player have the negative
//! number, and a move adds multiples of the squares' powers of three. All images of a shape under the symmetries of the
//! board share one table of weights, and numbers that are mirror images of each other share one weight.

use std::array;
use std::ops::Range;
use std::sync::LazyLock;

use crate::board::{Bitboard, Square, Symmetry};

use Square::*;

/// One of each kind: corners, edges with what lies beside them, lines and diagonals.
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

/// What the shapes are called in files and tables.
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

/// The most squares of a shape.
const LONGEST: usize = 10;

/// A shape as it lies on the board: its squares in the order of the digits, the lowest first.
#[derive(Clone, Copy, Debug)]
pub struct Instance {
    /// Which of [`SHAPES`] it is an image of.
    pub shape: usize,
    squares: [u8; LONGEST],
}

/// How many different images all shapes have.
pub const INSTANCES: usize = 46;

/// Numbers kept for a board: those of the instances, and zeroes that fill up whole vectors.
pub const LANES: usize = 48;

/// How many numbers a shape of so many squares can have.
pub const fn numbers(squares: usize) -> usize {
    3_usize.pow(squares as u32)
}

/// Where the weights of each shape begin, one shape after the other.
pub const OFFSETS: [usize; SHAPES.len() + 1] = {
    let mut offsets = [0; SHAPES.len() + 1];
    let mut shape = 0;
    while shape < SHAPES.len() {
        offsets[shape + 1] = offsets[shape] + numbers(SHAPES[shape].len());
        shape += 1;
    }
    offsets
};

/// How many weights all shapes have together.
pub const WEIGHTS: usize = OFFSETS[SHAPES.len()];

/// All instances, those of a shape together.
pub const ALL: [Instance; INSTANCES] = {
    let mut all = [Instance { shape: 0, squares: [0; LONGEST] }; INSTANCES];
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
    assert!(count == INSTANCES);
    all
};

/// What a disc on each square adds to the numbers of a board.
pub static POWERS: [Lanes; 64] = {
    let mut powers = [Lanes([0; LANES]); 64];
    let mut instance = 0;
    while instance < INSTANCES {
        let mut digit = 0;
        while digit < SHAPES[ALL[instance].shape].len() {
            powers[ALL[instance].squares[digit] as usize].0[instance] = numbers(digit) as i16;
            digit += 1;
        }
        instance += 1;
    }
    powers
};

/// A number for each instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(32))]
pub struct Lanes(pub [i16; LANES]);

/// What to add to the number of each instance to find its weight among all.
pub const CENTRES: [i32; INSTANCES] = {
    let mut centres = [0; INSTANCES];
    let mut instance = 0;
    while instance < INSTANCES {
        let shape = ALL[instance].shape;
        centres[instance] = (OFFSETS[shape] + numbers(SHAPES[shape].len()) / 2) as i32;
        instance += 1;
    }
    centres
};

const fn image(shape: usize, symmetry: Symmetry) -> [u8; LONGEST] {
    let mut squares = [0; LONGEST];
    let mut digit = 0;
    while digit < SHAPES[shape].len() {
        let image = symmetry.map(Bitboard(1 << SHAPES[shape][digit] as u8));
        squares[digit] = image.0.trailing_zeros() as u8;
        digit += 1;
    }
    squares
}

const fn same_set(one: &[u8; LONGEST], other: &[u8; LONGEST], count: usize) -> bool {
    let (mut in_one, mut in_other) = (0_u64, 0_u64);
    let mut digit = 0;
    while digit < count {
        in_one |= 1 << one[digit];
        in_other |= 1 << other[digit];
        digit += 1;
    }
    in_one == in_other
}

/// For each weight, which of the different ones it is: mirror images are the same.
#[must_use]
pub fn ties() -> &'static [u32] {
    static TIES: LazyLock<Vec<u32>> = LazyLock::new(found_ties);
    &TIES
}

fn found_ties() -> Vec<u32> {
    let mut ties = Vec::with_capacity(WEIGHTS);
    let mut different = 0;
    for (shape, squares) in SHAPES.iter().enumerate() {
        let mirrors: Vec<Vec<usize>> = mirrors(shape).iter().map(|places| rearranged(places)).collect();
        for number in 0..numbers(squares.len()) {
            let first = mirrors.iter().map(|images| images[number]).min().unwrap_or(number);
            if first < number {
                ties.push(ties[OFFSETS[shape] + first]);
            } else {
                ties.push(different);
                different += 1;
            }
        }
    }
    ties
}

/// How many different weights there are.
#[must_use]
pub fn different() -> usize {
    different_of()[SHAPES.len() - 1].end
}

/// Where the different weights of each shape are among all of them.
#[must_use]
pub fn different_of() -> &'static [Range<usize>; SHAPES.len()] {
    static OF: LazyLock<[Range<usize>; SHAPES.len()]> = LazyLock::new(|| {
        let ties = ties();
        let all = ties.iter().max().map_or(0, |&last| last as usize + 1);
        // The first number of a shape is never the mirror image of an earlier one.
        let begin = |shape: usize| ties.get(OFFSETS[shape]).map_or(all, |&tie| tie as usize);
        array::from_fn(|shape| begin(shape)..begin(shape + 1))
    });
    &OF
}

/// The ways in which the squares of a shape are exchanged by symmetries that map it onto itself: by digit, the place to
/// which it goes.
fn mirrors(shape: usize) -> Vec<Vec<usize>> {
    let own = image(shape, Symmetry::ALL[0]);
    let count = SHAPES[shape].len();
    let turned = Symmetry::ALL.into_iter().skip(1).map(|symmetry| image(shape, symmetry));
    turned
        .filter(|image| same_set(image, &own, count))
        .map(|image| {
            let place = |&square: &u8| own[..count].iter().position(|&other| other == square);
            image[..count].iter().filter_map(place).collect()
        })
        .collect()
}

/// All numbers with their digits at other places: those with one digit more follow from the others.
fn rearranged(places: &[usize]) -> Vec<usize> {
    places.iter().fold(vec![0], |images, &place| {
        (0..3).flat_map(|digit| images.iter().map(move |image| image + digit * numbers(place))).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_has_four_images_but_the_longest_diagonal() {
        for shape in 0..SHAPES.len() {
            let images = ALL.iter().filter(|instance| instance.shape == shape).count();
            assert_eq!(images, if shape == 7 { 2 } else { 4 }, "{shape}");
        }
        assert_eq!(WEIGHTS, 226_314);
    }

    #[test]
    fn every_square_is_looked_at() {
        assert!(POWERS.iter().all(|powers| powers.0.iter().filter(|&&power| power != 0).count() >= 4));
    }

    #[test]
    fn mirror_images_share_a_weight() {
        let ties = ties();
        assert_eq!(ties.len(), WEIGHTS);
        assert_eq!(different(), 114_363);
        let of = different_of();
        assert_eq!((of[0].start, of[11].end), (0, 114_363));
        assert!(of.windows(2).all(|pair| pair[0].end == pair[1].start && !pair[0].is_empty()));
        // Edges: discs on b1 and on g1.
        assert_eq!(ties[OFFSETS[2] + numbers(2)], ties[OFFSETS[2] + numbers(7)]);
        assert_ne!(ties[OFFSETS[2] + numbers(2)], ties[OFFSETS[2] + numbers(6)]);
    }
}
