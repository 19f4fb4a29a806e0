//! Move ordering of the shallow endgame: fastest first, with corners and parity.

use crate::board::Square;
use crate::search::worker::Worker;

use super::empties::Empties;
use super::node::Node;

/// The low bits of a sort key hold the move's index.
const INDEX_BITS: u32 = 4;
pub(super) const INDEX_MASK: usize = (1 << INDEX_BITS) - 1;

/// One unit of a sort key, above the index.
const UNIT: i32 = 1 << INDEX_BITS;

/// Standard rules: a move with at least this key is searched before the others are even generated. It leaves one
/// reply at most, none of them a corner, and mostly causes a cutoff. By reversed rules no move is that good.
pub(super) const TRY_AT_ONCE: i32 = -9 * UNIT;

impl Worker<'_> {
    /// Weights tuned to minimise nodes of positions with 13 to 16 empty squares.
    #[inline]
    pub(super) fn sort_key<const REVERSED: bool>(
        &self,
        square: Square,
        next: &Node,
        empties: Empties,
    ) -> i32 {
        let &Node { board, moves: replies, .. } = next;
        let corners = self.size.corners();
        let corner = i32::from(corners.contains(square));
        if REVERSED {
            // Reversed: passing helps the opponent, so no reply counts as four.
            let cost = if replies.is_empty() { 4 } else { replies.len() as i32 };
            -14 * UNIT * cost - 20 * UNIT * corner + 3 * UNIT * board.own().len() as i32
        } else {
            let into_corners = (replies & corners).len() as i32;
            let odd = i32::from(empties.is_odd(square));
            // Summed apart from the replies, to not wait for them.
            (4 * UNIT * corner + 3 * UNIT * odd)
                - (12 * UNIT * replies.len() as i32 + 8 * UNIT * into_corners)
        }
    }
}
