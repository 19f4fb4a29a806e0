//! The exact endgame solver, in whole discs.

mod empties;
mod last;
mod node;
mod ordering;
mod shallow;

use crate::board::Board;
use crate::eval::PatternState;
use crate::rules::Rules;
use crate::score::Discs;
use crate::selectivity::Selectivity;
use crate::tt::Entry;

use super::control::Stopped;
use super::endgame_cache::MIN_CACHED_EMPTIES;
use super::worker::Worker;

/// The least empty squares of boards in the shared table: solving fewer is quicker than a lookup in memory.
const TABLE_EMPTIES: u32 = 9;

/// Below every final score.
pub(super) const NO_SCORE: i32 = -65;

impl Worker<'_> {
    /// A bound that shows whether the final score is above `alpha`.
    pub(super) fn solve(&mut self, state: &PatternState, alpha: i32) -> Result<i32, Stopped> {
        match self.rules {
            Rules::Reversed => self.solve_shallow::<true>(state, alpha),
            Rules::Standard => self.solve_shallow::<false>(state, alpha),
        }
    }

    /// The cached bound of a board, if it decides against `alpha`.
    #[inline]
    pub(super) fn cached_bound(&self, board: Board, alpha: i32) -> Option<i32> {
        let empties = u32::from(self.empties(board));
        if empties < MIN_CACHED_EMPTIES { None } else { self.cache.decides(board.hash(), empties, alpha) }
    }

    /// Whether a board with so many empty squares is kept in the shared table too: a long search meets it again, in any
    /// thread, long after the small cache has forgotten it.
    #[inline]
    fn shares(&self, empties: u32) -> bool {
        empties >= TABLE_EMPTIES && self.is_long
    }

    /// A stored bound that decides against `alpha`.
    fn shared_bound(&self, hash: u64, empties: u32, alpha: i32) -> Option<i32> {
        let entry = self.table.probe(hash)?;
        let bound = entry.decides(Discs(alpha as i8).into(), empties as u8, Selectivity::Off)?;
        Some(bound.whole_discs_below())
    }

    fn share_bound(&self, hash: u64, empties: u32, alpha: i32, found: i32) {
        let [score, low, high] = [found, alpha, alpha + 1].map(|discs| Discs(discs as i8).into());
        self.table.store(hash, Entry::new(score, low, high, empties as u8, Selectivity::Off, None));
    }

    /// Stability cutoff: an upper bound on the final score by stable discs, if it is at most `alpha`.
    ///
    /// By standard rules the opponent's stable discs limit the score, by reversed rules one's own.
    #[inline]
    pub(super) fn stability_cutoff(&self, board: Board, alpha: i32) -> Option<i32> {
        let disc_holder = match self.rules {
            Rules::Reversed => board,
            Rules::Standard => board.passed(),
        };
        // Skips the stability count where even all discs would not be enough. About one disc per empty square can
        // still flip.
        let most = self.max_score_with(disc_holder.own().len()) + 2 * i32::from(self.empties(board));
        if most > alpha { None } else { self.stability_cutoff_exact(disc_holder, alpha) }
    }

    #[inline(never)]
    fn stability_cutoff_exact(&self, disc_holder: Board, alpha: i32) -> Option<i32> {
        Some(self.max_score_with(disc_holder.stable(self.area).len())).filter(|&most| most <= alpha)
    }

    /// The best final score if one side keeps so many discs.
    #[inline]
    fn max_score_with(&self, discs: u32) -> i32 {
        i32::from(self.size.area()) - 2 * discs as i32
    }

    fn result(&self, board: Board) -> i32 {
        i32::from(self.rules.result(board, self.size).0)
    }
}
