//! Discs that can never turn again.

use super::{Bitboard, Board};

/// A way to step from square to square along one kind of line: the distance, and the squares from which a step towards
/// higher squares stays on the board.
const AXES: [(u32, u64); 4] = [
    (1, 0x7f7f_7f7f_7f7f_7f7f),
    (8, 0x00ff_ffff_ffff_ffff),
    (9, 0x007f_7f7f_7f7f_7f7f),
    (7, 0x00fe_fefe_fefe_fefe),
];

impl Board {
    /// Discs of the player to move that are sure to stay his, on a board of these squares: not all such, but the ones
    /// found by lines that are full and by leaning on the border or on each other.
    #[must_use]
    pub fn stable(self, area: Bitboard) -> Bitboard {
        let outside = !area.0;
        let filled = self.discs().0 | outside;
        // What makes a disc safe along each axis: a full line, or the border next to it.
        let safe = AXES.map(|(step, inner)| full_lines(filled, step, inner) | beside(outside, step, inner));
        let own = self.own().0;
        let mut stable = own & safe[0] & safe[1] & safe[2] & safe[3];
        if stable == 0 {
            return Bitboard::EMPTY;
        }
        loop {
            let grown = AXES.iter().zip(safe).fold(own, |grown, (&(step, inner), safe)| {
                grown & (safe | (stable & inner) << step | stable >> step & inner)
            });
            if grown == stable {
                return Bitboard(stable);
            }
            stable = grown;
        }
    }
}

/// The squares whose neighbour along an axis, on either side, is in the set or off the 8×8 board.
fn beside(set: u64, step: u32, inner: u64) -> u64 {
    let reachable = (inner << step) & inner;
    !reachable | (set & inner) << step | set >> step & inner
}

/// The squares whose whole line along an axis is filled.
fn full_lines(filled: u64, step: u32, inner: u64) -> u64 {
    // An empty square spoils its line to both sides: seven steps in three.
    let (mut up, mut down) = (!filled, !filled);
    let (mut inner_up, mut inner_down) = (inner << step, inner);
    let mut step = step;
    for _ in 0..3 {
        up |= up << step & inner_up;
        down |= down >> step & inner_down;
        inner_up &= inner_up << step;
        inner_down &= inner_down >> step;
        step *= 2;
    }
    !(up | down)
}
