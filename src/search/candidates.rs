//! The moves of a position with their sort keys, handed out best first.

use arrayvec::ArrayVec;

use crate::board::{Bitboard, Board, Square};
use crate::eval::PatternState;
use crate::score::Score;

#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) square: Square,
    /// The board after the move, from the opponent's side.
    pub(super) next: Board,
    /// The opponent's moves there.
    pub(super) replies: Bitboard,
    /// Static, for the opponent.
    pub(super) value: Score,
    /// Higher is searched sooner.
    pub(super) sort_key: i32,
    /// How many others were handed out before it.
    pub(super) rank: usize,
}

impl Candidate {
    /// The pattern state after the move. Recomputed from the parent's, since keeping 48 indices for every move costs
    /// more.
    #[inline]
    pub(super) fn after(&self, state: &PatternState) -> PatternState {
        state.child(self.square, self.next, self.replies).with_value(self.value)
    }

    /// Whether it was put back once.
    #[inline]
    pub(super) const fn is_deferred(&self) -> bool {
        self.sort_key <= DEFERRED
    }
}

/// The greatest sort key of a deferred move. The others are far above it.
const DEFERRED: i32 = i32::MIN + 64;

/// A loom model has few moves, and threads with small stacks.
const CAPACITY: usize = if cfg!(loom) { 12 } else { 64 };

pub(super) struct Candidates {
    list: ArrayVec<Candidate, CAPACITY>,
    /// How many have been handed out.
    taken: usize,
    /// How many were put back.
    deferred: usize,
}

impl Candidates {
    /// All moves, in any order.
    pub(super) fn as_slice(&self) -> &[Candidate] {
        &self.list
    }

    /// Puts the move that was handed out last behind all others, but for those that were put there before.
    pub(super) fn defer_last(&mut self) {
        if let Some(taken) = self.taken.checked_sub(1) {
            let last = &mut self.list[taken];
            last.sort_key = DEFERRED - last.rank as i32;
            self.taken = taken;
            self.deferred += 1;
        }
    }

    /// Puts the hash move first.
    pub(super) fn promote(&mut self, square: Option<Square>) {
        if let Some(leader) = self.list.iter_mut().find(|candidate| Some(candidate.square) == square) {
            leader.sort_key = i32::MAX;
        }
    }
}

impl FromIterator<Candidate> for Candidates {
    fn from_iter<I: IntoIterator<Item = Candidate>>(candidates: I) -> Self {
        Self { list: candidates.into_iter().collect(), taken: 0, deferred: 0 }
    }
}

#[cfg(test)]
impl FromIterator<Square> for Candidates {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        let (next, replies, value) = (Board::EMPTY, Bitboard::EMPTY, Score::default());
        let list = squares.into_iter().map(|square| Candidate {
            square,
            next,
            replies,
            value,
            sort_key: 0,
            rank: 0,
        });
        Self { list: list.collect(), taken: 0, deferred: 0 }
    }
}

impl Iterator for Candidates {
    type Item = Candidate;

    /// Selects the best remaining move: after an early cutoff the rest is never sorted.
    #[inline]
    fn next(&mut self) -> Option<Candidate> {
        let (first, others) = self.list.get_mut(self.taken..)?.split_first_mut()?;
        for other in others {
            if other.sort_key > first.sort_key {
                std::mem::swap(first, other);
            }
        }
        if !first.is_deferred() {
            first.rank = self.taken + self.deferred;
        }
        self.taken += 1;
        Some(*first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deferred_moves_come_last_in_their_order_with_their_rank() {
        let mut moves: Candidates = [Square::A1, Square::B1, Square::C1, Square::D1].into_iter().collect();
        let mut handed_out = Vec::new();
        while let Some(next) = moves.next() {
            if [0, 2].contains(&next.rank) && !next.is_deferred() {
                moves.defer_last();
                continue;
            }
            handed_out.push((next.rank, next.is_deferred()));
        }
        assert_eq!(handed_out, [(1, false), (3, false), (0, true), (2, true)]);
    }
}
