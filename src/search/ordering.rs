//! The order in which moves are tried: good ones first make the rest cheap to refute.

use arrayvec::ArrayVec;

use crate::board::{Bitboard, Board, Square};
use crate::rules::Rules;

use super::worker::Worker;

/// A move to try.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) square: Square,
    /// The board after it, seen by the opponent.
    pub(super) next: Board,
    /// Higher is tried sooner.
    worth: i32,
}

/// The moves of a position, handed out best first.
pub(super) struct Candidates(ArrayVec<Candidate, 64>);

impl Iterator for Candidates {
    type Item = Candidate;

    /// Picks the best of what is left: after an early cut the rest never gets sorted.
    fn next(&mut self) -> Option<Candidate> {
        let best = (0..self.0.len()).max_by_key(|&at| (self.0[at].worth, std::cmp::Reverse(at)))?;
        // Keeps board order among the rest, so that equals are tried in the same order on every run.
        Some(self.0.remove(best))
    }
}

/// Above what any evaluation gives.
const HASH_MOVE: i32 = i32::MAX;

impl Worker<'_> {
    /// The moves of a position whose subtrees end in evaluations, by the evaluation after each.
    pub(super) fn by_value(&self, board: Board, moves: Bitboard, hash_move: Option<Square>) -> Candidates {
        self.candidates(board, moves, hash_move, |_, next| -i32::from(self.evaluator.evaluate(next).units()))
    }

    /// The moves of a position that is solved to the end, by how few replies each leaves.
    pub(super) fn by_replies(&self, board: Board, moves: Bitboard, hash_move: Option<Square>) -> Candidates {
        let (corners, rules) = (self.size.corners(), self.rules);
        let odd = odd_regions(self.area - board.discs());
        self.candidates(board, moves, hash_move, |square, next| {
            let replies = next.moves(self.area);
            let into_corners = (replies & corners).len() as i32;
            let corner = i32::from(corners.contains(square));
            let odd = i32::from(odd.contains(square));
            let replies = replies.len() as i32;
            match rules {
                // The last move in a region is a burden here, and so is a corner, for either side.
                Rules::Reversed => -8 * replies + 4 * into_corners - 64 * corner - 3 * odd,
                Rules::Standard => -8 * (replies + into_corners) + 24 * corner + 3 * odd,
            }
        })
    }

    fn candidates(
        &self,
        board: Board,
        moves: Bitboard,
        hash_move: Option<Square>,
        worth: impl Fn(Square, Board) -> i32,
    ) -> Candidates {
        let candidate = |square| {
            let next = board.after(square, board.flips(square));
            let worth = if Some(square) == hash_move { HASH_MOVE } else { worth(square, next) };
            Candidate { square, next, worth }
        };
        Candidates(moves.into_iter().map(candidate).collect())
    }
}

/// The quarters of the board with an odd number of empty squares: whoever begins there also has the last move.
pub(super) fn odd_regions(empties: Bitboard) -> Bitboard {
    const QUARTERS: [u64; 4] = [0x0f0f_0f0f, 0xf0f0_f0f0, 0x0f0f_0f0f << 32, 0xf0f0_f0f0 << 32];
    QUARTERS
        .into_iter()
        .map(Bitboard)
        .filter(|&quarter| (empties & quarter).len() % 2 == 1)
        .fold(Bitboard::EMPTY, |odd, quarter| odd | quarter)
}
