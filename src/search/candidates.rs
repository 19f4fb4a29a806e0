//! The moves of a position with their sort keys, handed out best first.

use arrayvec::ArrayVec;

use crate::board::{Bitboard, Board, Square};
use crate::eval::PatternState;

/// A move to try.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) square: Square,
    /// The board after it, seen by the opponent.
    pub(super) next: Board,
    /// The opponent's moves then.
    pub(super) replies: Bitboard,
    /// Higher is tried sooner.
    pub(super) sort_key: i32,
}

impl Candidate {
    /// What it leads to from a position. Numbers of patterns are many, so they are found again rather than kept.
    #[inline]
    pub(super) fn after(&self, state: &PatternState) -> PatternState {
        state.leading_to(self.square, self.next, self.replies)
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
    pub(super) fn promote(&mut self, square: Option<Square>) {
        if let Some(leader) = self.list.iter_mut().find(|candidate| Some(candidate.square) == square) {
            leader.sort_key = i32::MAX;
        }
    }
}

impl FromIterator<Candidate> for Candidates {
    fn from_iter<I: IntoIterator<Item = Candidate>>(candidates: I) -> Self {
        Self { list: candidates.into_iter().collect(), taken: 0 }
    }
}

#[cfg(test)]
impl FromIterator<Square> for Candidates {
    /// Moves of no particular position.
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        let (next, replies) = (Board::EMPTY, Bitboard::EMPTY);
        let list = squares.into_iter().map(|square| Candidate { square, next, replies, sort_key: 0 });
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
            if other.sort_key > first.sort_key {
                std::mem::swap(first, other);
            }
        }
        self.taken += 1;
        Some(*first)
    }
}
