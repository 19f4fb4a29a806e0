//! The eight symmetries of the board.

use super::bitboard::Bitboard;
use super::board::Board;
use super::square::Square;

/// One of the eight symmetries of the square: a mirror across the long diagonal, then one upside down, then one
/// left to right, each done or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    transpose: bool,
    upside_down: bool,
    left_right: bool,
}

impl Symmetry {
    /// All eight, the identity first.
    pub const ALL: [Self; 8] = {
        let mut all = [Self { transpose: false, upside_down: false, left_right: false }; 8];
        let mut bits = 0;
        while bits < 8 {
            all[bits] =
                Self { transpose: bits & 4 != 0, upside_down: bits & 2 != 0, left_right: bits & 1 != 0 };
            bits += 1;
        }
        all
    };

    #[must_use]
    pub const fn map(self, set: Bitboard) -> Bitboard {
        let mut bits = set.0;
        if self.transpose {
            bits = transpose(bits);
        }
        if self.upside_down {
            bits = bits.swap_bytes();
        }
        if self.left_right {
            bits = bits.reverse_bits().swap_bytes();
        }
        Bitboard(bits)
    }

    #[must_use]
    pub fn map_square(self, square: Square) -> Square {
        self.map(square.into()).first().unwrap_or(square)
    }

    #[must_use]
    pub const fn inverse(self) -> Self {
        // Transposing exchanges the other two mirrors.
        let Self { transpose, upside_down, left_right } = self;
        if transpose { Self { transpose, upside_down: left_right, left_right: upside_down } } else { self }
    }

    #[must_use]
    pub const fn map_board(self, board: Board) -> Board {
        Board { own: self.map(board.own), other: self.map(board.other) }
    }
}

impl Board {
    /// The least of the eight images of this board, and the symmetry that leads to it.
    #[must_use]
    pub fn canonical(self) -> (Self, Symmetry) {
        let mut images = Symmetry::ALL.into_iter().map(|symmetry| (symmetry.map_board(self), symmetry));
        let first = images.next().unwrap_or((self, Symmetry::ALL[0]));
        let key = |board: Self| (board.own.0, board.other.0);
        images.fold(first, |least, image| if key(image.0) < key(least.0) { image } else { least })
    }
}

/// Swaps columns and rows by exchanging ever larger blocks across the diagonal.
const fn transpose(bits: u64) -> u64 {
    const fn exchange(bits: u64, distance: u32, upper: u64) -> u64 {
        let moved = (bits ^ bits >> distance) & upper;
        bits ^ moved ^ moved << distance
    }
    let bits = exchange(bits, 7, 0x00aa_00aa_00aa_00aa);
    let bits = exchange(bits, 14, 0x0000_cccc_0000_cccc);
    exchange(bits, 28, 0x0000_0000_f0f0_f0f0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_eight_images_of_a_general_square_differ() {
        let images: HashSet<_> = Symmetry::ALL.iter().map(|s| s.map(Bitboard::from(Square::B1))).collect();
        assert_eq!(images.len(), 8);
    }

    #[test]
    fn transposing_swaps_columns_and_rows() {
        let symmetry = Symmetry { transpose: true, upside_down: false, left_right: false };
        for square in Square::ALL {
            let image = Square::at(square.row(), square.column()).expect("both are below 8");
            assert_eq!(symmetry.map(square.into()), image.into());
        }
    }
    #[test]
    fn an_inverse_undoes_its_symmetry() {
        for symmetry in Symmetry::ALL {
            for square in Square::ALL {
                assert_eq!(symmetry.inverse().map_square(symmetry.map_square(square)), square);
            }
        }
    }

    #[test]
    fn all_images_of_a_board_have_one_canonical_board() {
        let own = [Square::D4, Square::E4, Square::F4, Square::C3].into_iter().collect();
        let board = Board::new(own, [Square::E5, Square::D5].into_iter().collect()).expect("disjoint");
        let (canonical, _) = board.canonical();
        for symmetry in Symmetry::ALL {
            let image = symmetry.map_board(board);
            let (of_image, turn) = image.canonical();
            assert_eq!(of_image, canonical);
            assert_eq!(turn.map_board(image), canonical);
        }
    }
}
