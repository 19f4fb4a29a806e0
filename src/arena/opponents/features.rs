//! Features of the opponents' evaluations, on boards of every size.

use arrayvec::ArrayVec;

use crate::board::{Bitboard, Board, Size, Square};
use crate::rules::Rules;

use super::alpha_beta::Value;

/// Values for the ten classes of squares under the symmetries of the 8×8 board, in the order of [`SQUARE_CLASSES`].
pub(super) type SquareClassValues = [Value; 10];

/// The square of each class nearest to a1.
pub(super) const SQUARE_CLASSES: [&str; 10] = ["a1", "b1", "c1", "d1", "b2", "c2", "d2", "c3", "d3", "d4"];

/// Values for all squares of a board.
///
/// Smaller boards use the table from the corners inwards and lack its middle.
#[derive(Clone, Debug)]
pub(super) struct SquareTable {
    classes: ArrayVec<(Bitboard, Value), 10>,
}

impl SquareTable {
    pub(super) fn new(values: SquareClassValues, size: Size) -> Self {
        let mut sets = [Bitboard::EMPTY; 10];
        for square in size.squares() {
            sets[square_class(square, size)] |= square.into();
        }
        let used = sets.into_iter().zip(values).filter(|(set, value)| !set.is_empty() && *value != 0);
        Self { classes: used.collect() }
    }

    #[inline]
    pub(super) fn sum(&self, set: Bitboard) -> Value {
        self.classes.iter().map(|&(class, value)| value * (set & class).len() as Value).sum()
    }

    #[inline]
    pub(super) fn difference(&self, plus: Bitboard, minus: Bitboard) -> Value {
        self.classes.iter().map(|&(class, value)| value * difference(plus & class, minus & class)).sum()
    }
}

/// By the distances from the nearest two edges, the shorter one first.
fn square_class(square: Square, size: Size) -> usize {
    const FIRST_OF_LINE: [u8; 4] = [0, 4, 7, 9];
    let (column, row) = size.place(square);
    let fold = |n: u8| n.min(size.side() - 1 - n);
    let (near, far) = (fold(column).min(fold(row)), fold(column).max(fold(row)));
    usize::from(FIRST_OF_LINE[usize::from(near)] + far - near)
}

#[inline]
pub(super) fn difference(plus: Bitboard, minus: Bitboard) -> Value {
    plus.len() as Value - minus.len() as Value
}

/// Scaled to 64 squares, so that the reports' stages fit every size.
pub(super) fn scaled_discs(board: Board, size: Size) -> u32 {
    board.discs().len() * 64 / u32::from(size.area())
}

/// Board size and rules for evaluations.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardContext {
    pub(super) size: Size,
    area: Bitboard,
    /// 1 for reversed rules, which the opponents were written for, −1 for standard ones: the factor of all terms but
    /// mobility, which is good in both games.
    pub(super) goal: Value,
}

impl BoardContext {
    pub(super) fn new(rules: Rules, size: Size) -> Self {
        Self { size, area: size.squares(), goal: -rules.sign() }
    }

    /// Of both players.
    #[inline]
    pub(super) fn moves(&self, board: Board) -> (Bitboard, Bitboard) {
        (board.moves(self.area), board.passed().moves(self.area))
    }

    /// Own less opponent's moves.
    #[inline]
    pub(super) fn mobility(&self, board: Board) -> Value {
        let (own, other) = self.moves(board);
        difference(own, other)
    }

    /// Own less opponent's discs next to an empty square, also diagonally.
    pub(super) fn frontier(&self, board: Board) -> Value {
        let beside = (self.area - board.discs()).dilated();
        difference(board.own() & beside, board.other() & beside)
    }

    /// Own less opponent's edge discs connected to an own corner, which are stable.
    pub(super) fn edge_stability(&self, board: Board) -> Value {
        let edges = self.size.edges();
        self.corner_connected(board.own() & edges).len() as Value
            - self.corner_connected(board.other() & edges).len() as Value
    }

    /// The discs connected to a corner among them, not diagonally.
    pub(super) fn corner_connected(&self, discs: Bitboard) -> Bitboard {
        let mut corner_connected = discs & self.size.corners();
        let mut edge = corner_connected;
        while !edge.is_empty() {
            let beside = edge.into_iter().fold(Bitboard::EMPTY, |set, square| set | BESIDE[square.index()]);
            edge = (beside & discs) - corner_connected;
            corner_connected |= edge;
        }
        corner_connected
    }
}

static BESIDE: [Bitboard; 64] = {
    let mut sets = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            let columns = (from % 8_usize).abs_diff(to % 8);
            let rows = (from / 8).abs_diff(to / 8);
            if columns + rows == 1 {
                sets[from].0 |= 1 << to;
            }
            to += 1;
        }
        from += 1;
    }
    sets
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Symmetry;

    fn set(squares: &[Square]) -> Bitboard {
        squares.iter().copied().collect()
    }

    #[test]
    fn tables_are_the_same_from_all_eight_sides() {
        let table = SquareTable::new([1, 10, 100, 1000, 10_000, 2, 20, 200, 2000, 20_000], Size::Eight);
        for square in Square::ALL {
            for symmetry in Symmetry::ALL {
                assert_eq!(table.sum(symmetry.map(square.into())), table.sum(square.into()), "{square}");
            }
        }
        let upper_left =
            [[1, 10, 100, 1000], [10, 10_000, 2, 20], [100, 2, 200, 2000], [1000, 20, 2000, 20_000]];
        for (row, values) in upper_left.iter().enumerate() {
            for (column, &value) in values.iter().enumerate() {
                let square = Square::at(column as u8, row as u8).expect("on the board");
                assert_eq!(table.sum(square.into()), value, "{square}");
            }
        }
    }

    #[test]
    fn smaller_boards_keep_corners_and_what_is_beside_them() {
        let values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
        for (size, corner, beside, diagonal) in [
            (Size::Six, Square::B2, Square::C2, Square::C3),
            (Size::Four, Square::C3, Square::D3, Square::D4),
        ] {
            let table = SquareTable::new(values, size);
            let found = [corner, beside, diagonal].map(|square| table.sum(square.into()));
            assert_eq!(found, [1, 2, 5], "{size}");
        }
    }

    #[test]
    fn only_discs_in_touch_with_an_own_corner_are_anchored() {
        let context = BoardContext::new(Rules::Reversed, Size::Eight);
        let own = set(&[Square::A1, Square::B1, Square::A2, Square::D1, Square::B2, Square::H8, Square::G7]);
        assert_eq!(
            context.corner_connected(own),
            set(&[Square::A1, Square::B1, Square::A2, Square::B2, Square::H8])
        );
        // From h1 the edge runs to b1, but a2 only touches b1 at its corner.
        let row = set(&[Square::B1, Square::C1, Square::D1, Square::E1, Square::F1, Square::G1, Square::H1]);
        let board = Board::new(row | Square::A2.into(), Square::A1.into()).expect("disjoint");
        assert_eq!(context.edge_stability(board), 7 - 1);
    }

    #[test]
    fn the_frontier_touches_empty_squares() {
        let own = Bitboard(0x0000_3c3c_3c3c_0000);
        let context = BoardContext::new(Rules::Reversed, Size::Eight);
        assert_eq!(context.frontier(Board::new(own, Bitboard::EMPTY).expect("disjoint")), 12);
        let small = BoardContext::new(Rules::Reversed, Size::Four);
        assert_eq!(small.frontier(Board::new(own, Bitboard::EMPTY).expect("disjoint")), 0);
    }
}
