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
use super::shared_bounds::SHARED_EMPTIES;
use super::worker::{SecondCache, Worker};

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

    #[inline]
    fn has_second_cache(&self, empties: u32) -> bool {
        empties >= SHARED_EMPTIES && !matches!(self.second_cache, SecondCache::None)
    }

    fn prefetch_second(&self, hash: u64, empties: u32) {
        match self.second_cache {
            SecondCache::None => (),
            SecondCache::Shared(bounds) => bounds.prefetch(hash, empties),
            SecondCache::Table => self.table.prefetch(hash),
        }
    }

    /// A bound in the second cache that decides against `alpha`.
    fn second_bound(&self, hash: u64, empties: u32, alpha: i32) -> Option<i32> {
        match self.second_cache {
            SecondCache::None => None,
            SecondCache::Shared(bounds) => bounds.decides(hash, empties, alpha),
            SecondCache::Table => {
                let entry = self.table.probe(hash)?;
                let bound = entry.decides(Discs(alpha as i8).into(), empties as u8, Selectivity::Off)?;
                Some(bound.whole_discs_below())
            }
        }
    }

    fn store_second(&self, hash: u64, empties: u32, alpha: i32, found: i32) {
        match self.second_cache {
            SecondCache::None => (),
            SecondCache::Shared(bounds) => bounds.store(hash, empties, alpha, found),
            SecondCache::Table => {
                let [score, low, high] = [found, alpha, alpha + 1].map(|discs| Discs(discs as i8).into());
                let entry = Entry::new(score, low, high, empties as u8, Selectivity::Off, None);
                self.table.store(hash, entry);
            }
        }
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
