//! Move ordering.

use crate::board::{Bitboard, Board};
use crate::eval::PatternState;
use crate::rules::Rules;
use crate::score::Score;

use super::candidates::{Candidate, Candidates};
use super::worker::Worker;

/// Endgame ordering terms, in units of the evaluation: what enlarges the tree below a move. A reply, an empty square
/// next to the mover's discs (a future reply), and a flipped disc, which exposes more of them.
const DISC: i32 = Score::UNITS as i32;
const REPLY: i32 = 2 * DISC;
const FRONTIER_SQUARE: i32 = DISC;
const FLIPPED_DISC: i32 = DISC / 2;

/// From this many empty squares on, the tree is large enough for a one-ply search of the replies to pay.
const REPLY_LOOKAHEAD_EMPTIES: u8 = 16;

impl Worker<'_> {
    /// The moves of a node with their sort keys.
    pub(super) fn ordered(&self, state: &PatternState, moves: Bitboard, depth: u8) -> Candidates {
        let solving = depth >= self.empties(state.board);
        let list = moves.into_iter().map(|square| {
            let (next, replies) = state.board_after(square);
            if !self.is_shallow_endgame(next, depth - 1) {
                self.table.prefetch(next.hash());
            }
            let value = self.evaluate_child(state, square, (next, replies));
            let own_value = i32::from((-value).units());
            let sort_key = match depth {
                _ if !solving => own_value,
                REPLY_LOOKAHEAD_EMPTIES.. => {
                    let state = state.child(square, next, replies);
                    self.value_after_best_reply(&state, own_value) + self.mobility_bonus(next, replies)
                }
                _ => own_value + self.mobility_bonus(next, replies),
            };
            Candidate { square, next, replies, value, sort_key, rank: 0 }
        });
        list.collect()
    }

    /// The mover's value after the opponent's best reply, mixed with the static one.
    fn value_after_best_reply(&self, next: &PatternState, value: i32) -> i32 {
        let replies = next.moves(self.area).into_iter();
        let least = replies.map(|reply| self.evaluate_child(next, reply, next.board_after(reply))).min();
        least.map_or(value, |least| (5 * i32::from(least.units()) + 3 * value) / 8)
    }

    /// The endgame terms: few replies, a small frontier, few flips.
    fn mobility_bonus(&self, next: Board, replies: Bitboard) -> i32 {
        let replies = match (replies & self.area).len() as i32 {
            // Reversed: passing helps the opponent, so no reply counts as two.
            0 if self.rules == Rules::Reversed => 2,
            replies => replies,
        };
        let frontier = (next.other().dilated() & (self.area - next.discs())).len() as i32;
        // Discs that the move did not flip.
        let kept = next.own().len() as i32;
        FLIPPED_DISC * kept - REPLY * replies - FRONTIER_SQUARE * frontier
    }
}
