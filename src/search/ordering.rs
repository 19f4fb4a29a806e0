//! The order in which moves are tried: good ones first make the rest cheap to refute.

use arrayvec::ArrayVec;

use crate::board::{Bitboard, Board, Square};
use crate::eval::PatternState;
use crate::rules::Rules;
use crate::score::Score;

use super::worker::Worker;

/// A move to try.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) square: Square,
    /// The board after it, seen by the opponent.
    pub(super) next: Board,
    /// The opponent's moves then.
    replies: Bitboard,
    /// Higher is tried sooner.
    worth: i32,
}

impl Candidate {
    /// What it leads to from a position. Numbers of patterns are many, so they are found again rather than kept.
    #[inline]
    pub(super) fn after(&self, view: &PatternState) -> PatternState {
        view.child(self.square, self.next, self.replies)
    }
}

/// The moves of a position, handed out best first.
pub(super) struct Candidates {
    list: ArrayVec<Candidate, 64>,
    /// How many were handed out already.
    taken: usize,
}

impl Candidates {
    /// All moves, in no particular order.
    pub(super) fn as_slice(&self) -> &[Candidate] {
        &self.list
    }

    /// Whether any was handed out already.
    pub(super) fn has_begun(&self) -> bool {
        self.taken > 0
    }

    /// How many have not been handed out yet.
    pub(super) fn left(&self) -> usize {
        self.list.len() - self.taken
    }

    /// Puts a certain move before all others.
    pub(super) fn lead_by(&mut self, square: Option<Square>) {
        if let Some(leader) = self.list.iter_mut().find(|candidate| Some(candidate.square) == square) {
            leader.worth = i32::MAX;
        }
    }
}

#[cfg(test)]
impl FromIterator<Square> for Candidates {
    /// Moves of no particular position.
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        let (next, replies) = (Board::EMPTY, Bitboard::EMPTY);
        let list = squares.into_iter().map(|square| Candidate { square, next, replies, worth: 0 });
        Self { list: list.collect(), taken: 0 }
    }
}

impl Iterator for Candidates {
    type Item = Candidate;

    /// Picks the best of what is left: after an early cut the rest never gets sorted.
    #[inline]
    fn next(&mut self) -> Option<Candidate> {
        let (first, others) = self.list.get_mut(self.taken..)?.split_first_mut()?;
        for other in others {
            if other.worth > first.worth {
                std::mem::swap(first, other);
            }
        }
        self.taken += 1;
        Some(*first)
    }
}

/// What makes the tree of a move larger where positions are solved, in discs of value that would make up for it: a reply,
/// an empty square beside the mover's discs, which may become one, and a disc turned, which opens more of them.
const DISC: i32 = Score::UNITS as i32;
const REPLY: i32 = 2 * DISC;
const EXPOSED_SQUARE: i32 = DISC;
const TURNED_DISC: i32 = DISC / 2;

/// With so many empty squares at least the tree is so large that the best reply is worth a look.
const FORESEEN: u8 = 16;

impl Worker<'_> {
    /// The moves of a position that is searched to a depth.
    pub(super) fn ordered(&self, view: &PatternState, moves: Bitboard, depth: u8) -> Candidates {
        let solving = depth >= self.empties(view.board);
        let list = moves.into_iter().map(|square| {
            let next = view.after(square);
            if !self.is_for_the_solver(next.board, depth - 1) {
                self.table.prefetch(next.board.hash());
            }
            let value = -self.value(&next);
            let worth = match depth {
                _ if !solving => value,
                FORESEEN.. => self.foreseen(&next, value) + self.worth_in_solving(&next),
                _ => value + self.worth_in_solving(&next),
            };
            Candidate { square, next: next.board, replies: next.moves(self.area), worth }
        });
        Candidates { list: list.collect(), taken: 0 }
    }

    fn value(&self, view: &PatternState) -> i32 {
        i32::from(self.evaluator.evaluate(view).units())
    }

    /// The value of a move for the mover, once the best reply to it is looked at as well.
    fn foreseen(&self, next: &PatternState, value: i32) -> i32 {
        let replies = next.moves(self.area).into_iter();
        let least = replies.map(|reply| self.value(&next.after(reply))).min();
        least.map_or(value, |least| (5 * least + 3 * value) / 8)
    }

    /// Beside the value: what keeps the tree small.
    fn worth_in_solving(&self, next: &PatternState) -> i32 {
        let replies = match next.moves(self.area).len() as i32 {
            // To pass is a relief in this game, and no reply at all as bad as two.
            0 if self.rules == Rules::Reversed => 2,
            replies => replies,
        };
        let board = next.board;
        let exposed = (board.other().dilated() & (self.area - board.discs())).len() as i32;
        // Every disc that the opponent still has was not turned.
        let kept = board.own().len() as i32;
        TURNED_DISC * kept - REPLY * replies - EXPOSED_SQUARE * exposed
    }
}
