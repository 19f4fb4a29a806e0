//! The order in which moves are tried: good ones first make the rest cheap to refute.

use crate::board::Bitboard;
use crate::eval::PatternState;
use crate::rules::Rules;
use crate::score::Score;

use super::candidates::{Candidate, Candidates};
use super::worker::Worker;

/// What makes the tree of a move larger where positions are solved, in discs of value that would make up for it: a reply,
/// an empty square beside the mover's discs, which may become one, and a disc turned, which opens more of them.
const DISC: i32 = Score::UNITS as i32;
const REPLY: i32 = 2 * DISC;
const FRONTIER_SQUARE: i32 = DISC;
const FLIPPED_DISC: i32 = DISC / 2;

/// With so many empty squares at least the tree is so large that the best reply is sort_key a look.
const REPLY_LOOKAHEAD_EMPTIES: u8 = 16;

impl Worker<'_> {
    /// The moves of a position that is searched to a depth.
    pub(super) fn ordered(&self, state: &PatternState, moves: Bitboard, depth: u8) -> Candidates {
        let solving = depth >= self.empties(state.board);
        let list = moves.into_iter().map(|square| {
            let next = state.after(square);
            if !self.is_shallow_endgame(next.board, depth - 1) {
                self.table.prefetch(next.board.hash());
            }
            let value = -self.value(&next);
            let sort_key = match depth {
                _ if !solving => value,
                REPLY_LOOKAHEAD_EMPTIES.. => {
                    self.value_after_best_reply(&next, value) + self.mobility_bonus(&next)
                }
                _ => value + self.mobility_bonus(&next),
            };
            Candidate { square, next: next.board, replies: next.moves(self.area), sort_key }
        });
        list.collect()
    }

    fn value(&self, state: &PatternState) -> i32 {
        i32::from(self.evaluator.evaluate(state).units())
    }

    /// The value of a move for the mover, once the best reply to it is looked at as well.
    fn value_after_best_reply(&self, next: &PatternState, value: i32) -> i32 {
        let replies = next.moves(self.area).into_iter();
        let least = replies.map(|reply| self.value(&next.after(reply))).min();
        least.map_or(value, |least| (5 * least + 3 * value) / 8)
    }

    /// Beside the value: what keeps the tree small.
    fn mobility_bonus(&self, next: &PatternState) -> i32 {
        let replies = match next.moves(self.area).len() as i32 {
            // To pass is a relief in this game, and no reply at all as bad as two.
            0 if self.rules == Rules::Reversed => 2,
            replies => replies,
        };
        let board = next.board;
        let frontier = (board.other().dilated() & (self.area - board.discs())).len() as i32;
        // Every disc that the opponent still has was not turned.
        let kept = board.own().len() as i32;
        FLIPPED_DISC * kept - REPLY * replies - FRONTIER_SQUARE * frontier
    }
}
