//! Discs that can never turn again.

use super::kernel::stable;
use super::{Bitboard, Board};

impl Board {
    /// Discs of the player to move that are sure to stay his, on a board of these squares: not all such, but the ones
    /// found by lines that are full and by leaning on the border or on each other.
    #[must_use]
    pub fn stable(self, area: Bitboard) -> Bitboard {
        Bitboard(stable(self.own.0, self.discs().0, area.0))
    }
}

/// What makes discs safe along one kind of line, by [`STEPS`](super::kernel::STEPS).
#[derive(Clone, Copy)]
pub(super) struct Axis {
    /// The squares from which a step towards higher squares stays on the board.
    pub(super) inner: u64,
    /// The squares beside the border of the full board.
    pub(super) border: u64,
    /// The squares that can be reached from others by one, two and four steps towards higher squares, and towards lower ones.
    pub(super) reached: [[u64; 2]; 3],
}

/// All four.
pub(super) const AXES: [Axis; 4] = [
    axis(1, 0x7f7f_7f7f_7f7f_7f7f),
    axis(8, 0x00ff_ffff_ffff_ffff),
    axis(9, 0x007f_7f7f_7f7f_7f7f),
    axis(7, 0x00fe_fefe_fefe_fefe),
];

const fn axis(step: u32, inner: u64) -> Axis {
    let (mut up, mut down, mut step) = (inner << step, inner, step);
    let border = !(up & down);
    let mut reached = [[0; 2]; 3];
    let mut doubling = 0;
    while doubling < reached.len() {
        reached[doubling] = [up, down];
        (up, down) = (up & up << step, down & down >> step);
        step *= 2;
        doubling += 1;
    }
    Axis { inner, border, reached }
}
