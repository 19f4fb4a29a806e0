//! The exact solver for the last squares, in whole discs.

mod cache;
mod empties;
mod last;
mod node;
mod shallow;

pub(super) use cache::Cache;

use crate::board::Board;
use crate::eval::PatternState;
use crate::rules::Rules;

use super::control::Stopped;
use super::worker::Worker;

/// From so many empty squares on this solver takes over from the general search.
pub(super) const LAST_SQUARES: u8 = 12;

/// With so many at least, what is found of a position is kept; with fewer, solving it again is as cheap as looking.
const LEAST_KEPT: u32 = 6;

/// Below every result.
pub(super) const NOTHING_YET: i32 = -65;

impl Worker<'_> {
    /// Whether perfect play brings more than `alpha` discs, shown by a bound on the result.
    pub(super) fn solve(&mut self, view: &PatternState, alpha: i32) -> Result<i32, Stopped> {
        match self.rules {
            Rules::Reversed => self.solve_last::<true>(view, alpha),
            Rules::Standard => self.solve_last::<false>(view, alpha),
        }
    }

    /// A bound that shows whether the result of a position for this solver is above `alpha`, if one is kept.
    #[inline]
    pub(super) fn kept_bound(&self, board: Board, alpha: i32) -> Option<i32> {
        let empties = u32::from(self.empties(board));
        if empties < LEAST_KEPT { None } else { self.cache.decides(board.hash(), empties, alpha) }
    }

    /// A bound that shows the result to be no more than `alpha`, by discs that will never turn.
    ///
    /// It is the discs of whoever wants many that count: the opponent's of the ordinary game, one's own of the reversed.
    #[inline]
    pub(super) fn bound_by_stability(&self, board: Board, alpha: i32) -> Option<i32> {
        let burdened = match self.rules {
            Rules::Reversed => board,
            Rules::Standard => board.passed(),
        };
        // Mostly not even all discs would do, and about as many as there are empty squares can still turn.
        let most = self.most_beside(burdened.own().len()) + 2 * i32::from(self.empties(board));
        if most > alpha { None } else { self.bound_by_stable_discs(burdened, alpha) }
    }

    #[inline(never)]
    fn bound_by_stable_discs(&self, burdened: Board, alpha: i32) -> Option<i32> {
        Some(self.most_beside(burdened.stable(self.area).len())).filter(|&most| most <= alpha)
    }

    /// The best result that so many discs of the burdened player leave.
    #[inline]
    fn most_beside(&self, discs: u32) -> i32 {
        i32::from(self.size.area()) - 2 * discs as i32
    }

    fn result(&self, board: Board) -> i32 {
        i32::from(self.rules.result(board, self.size).0)
    }
}
