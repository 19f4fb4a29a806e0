//! The exact solver for the last squares, in whole discs.

mod empties;
mod last;
mod node;
mod shallow;

use crate::board::Board;
use crate::eval::PatternState;
use crate::rules::Rules;

use super::control::Stopped;
use super::endgame_cache::MIN_CACHED_EMPTIES;
use super::worker::Worker;

/// Below every result.
pub(super) const NO_SCORE: i32 = -65;

impl Worker<'_> {
    /// Whether perfect play brings more than `alpha` discs, shown by a bound on the result.
    pub(super) fn solve(&mut self, state: &PatternState, alpha: i32) -> Result<i32, Stopped> {
        match self.rules {
            Rules::Reversed => self.solve_shallow::<true>(state, alpha),
            Rules::Standard => self.solve_shallow::<false>(state, alpha),
        }
    }

    /// A bound that shows whether the result of a position for this solver is above `alpha`, if one is kept.
    #[inline]
    pub(super) fn cached_bound(&self, board: Board, alpha: i32) -> Option<i32> {
        let empties = u32::from(self.empties(board));
        if empties < MIN_CACHED_EMPTIES { None } else { self.cache.decides(board.hash(), empties, alpha) }
    }

    /// A bound that shows the result to be no more than `alpha`, by discs that will never turn.
    ///
    /// It is the discs of whoever wants many that count: the opponent's of the ordinary game, one's own of the reversed.
    #[inline]
    pub(super) fn stability_cutoff(&self, board: Board, alpha: i32) -> Option<i32> {
        let disc_holder = match self.rules {
            Rules::Reversed => board,
            Rules::Standard => board.passed(),
        };
        // Mostly not even all discs would do, and about as many as there are empty squares can still turn.
        let most = self.max_score_with(disc_holder.own().len()) + 2 * i32::from(self.empties(board));
        if most > alpha { None } else { self.stability_cutoff_exact(disc_holder, alpha) }
    }

    #[inline(never)]
    fn stability_cutoff_exact(&self, disc_holder: Board, alpha: i32) -> Option<i32> {
        Some(self.max_score_with(disc_holder.stable(self.area).len())).filter(|&most| most <= alpha)
    }

    /// The best result that so many discs of the disc_holder player leave.
    #[inline]
    fn max_score_with(&self, discs: u32) -> i32 {
        i32::from(self.size.area()) - 2 * discs as i32
    }

    fn result(&self, board: Board) -> i32 {
        i32::from(self.rules.result(board, self.size).0)
    }
}
