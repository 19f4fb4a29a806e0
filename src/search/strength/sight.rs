//! What a move looks like to a human.

use crate::board::{Bitboard, Board, Size, Square};
use crate::rules::Rules;

pub(super) struct Look {
    square: Square,
    flips: Bitboard,
}

/// So many flipped discs are hard to miss.
const CONSPICUOUS: u32 = 5;

impl Look {
    pub(super) fn at(board: Board, square: Square) -> Self {
        Self { square, flips: board.flips(square) }
    }

    /// How easily it is overlooked, up to one: diagonals more easily than rows and columns, a single disc more easily than
    /// many.
    pub(super) fn obscurity(&self) -> f64 {
        let is_straight =
            |other: Square| other.row() == self.square.row() || other.column() == self.square.column();
        let direction = if self.flips.into_iter().any(is_straight) { 0.5 } else { 1.0 };
        let hidden = CONSPICUOUS.saturating_sub(self.flips.len()).min(CONSPICUOUS - 1);
        direction * f64::from(hidden + 1) / f64::from(CONSPICUOUS)
    }

    /// What a beginner likes about it, about one for a strong attraction. Who knows Othello takes corners and edges in the
    /// reversed game too; who does not yet know it takes as many discs as there are.
    pub(super) fn habit(&self, rules: Rules, size: Size) -> f64 {
        match rules {
            Rules::Reversed if size.corners().contains(self.square) => 1.0,
            Rules::Reversed if size.edges().contains(self.square) => 0.3,
            Rules::Reversed => 0.0,
            Rules::Standard => f64::from(self.flips.len()) / f64::from(CONSPICUOUS),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    #[test]
    fn diagonals_and_single_discs_are_overlooked_first() {
        let board = Position::start(Size::Eight).board();
        let straight = Look::at(board, Square::D3).obscurity();
        let after = board.play(Square::D3).expect("legal");
        let diagonal = Look::at(after, Square::C3).obscurity();
        assert!(straight < diagonal && diagonal <= 1.0, "{straight} {diagonal}");
    }

    #[test]
    fn beginners_of_the_reversed_game_like_corners() {
        let habit = |square| Look { square, flips: Bitboard::EMPTY }.habit(Rules::Reversed, Size::Eight);
        assert!(habit(Square::A1) > habit(Square::A4) && habit(Square::A4) > habit(Square::C4));
    }
}
