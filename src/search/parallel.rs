//! Searching one node with several threads: young brothers wait.
//!
//! Once the first move of a node has been searched without a cutoff, its owner may split: idle threads take moves of the
//! node one by one, and the owner goes on when all helpers have left.

use crate::eval::PatternState;
use crate::score::Score;

use super::best_so_far::BestSoFar;
use super::candidates::Candidates;
use super::control::Stopped;
use super::split_points::{Chain, SplitJob, SplitPoints};
use super::worker::Worker;

/// From this depth on moves are shared with idle threads, where positions are valued and where they are solved: less
/// than some tenths of a millisecond is not worth waking anybody.
const SPLIT_DEPTH: u8 = 6;
const SPLIT_EMPTIES: u8 = 15;

impl Worker<'_> {
    pub(super) fn can_split(&self, state: &PatternState, candidates: &Candidates, depth: u8) -> bool {
        if !self.splits.has_idle_threads() || candidates.left() < 2 || self.chain.is_full() {
            return false;
        }
        let least = if depth >= self.empties(state.board) { SPLIT_EMPTIES } else { SPLIT_DEPTH };
        depth >= least
    }

    /// Tries moves together with whoever is idle.
    pub(super) fn split(
        &mut self,
        candidates: Candidates,
        depth: u8,
        alpha: Score,
        found: BestSoFar,
    ) -> Result<BestSoFar, Stopped> {
        let job = SplitJob { depth, alpha, selectivity: self.selectivity, in_probcut: self.in_probcut };
        let split = self.splits.open(self.thread_id, &mut self.chain, job, candidates, found);
        self.search_with_helpers(split, job);
        self.chain.pop();
        let found = self.splits.close(split);
        if found.score <= alpha {
            // Then every move counts, and some may not have been searched to the end.
            self.poll()?;
        }
        Ok(found)
    }

    /// Works for the others until the search is done.
    pub(super) fn help_until_done(&mut self) {
        while let Some((split, job, chain)) = self.splits.join_any() {
            self.help_at(split, job, chain);
        }
    }

    /// Searches moves of somebody's position until none is left.
    fn help_at(&mut self, split: usize, job: SplitJob, chain: Chain) {
        let _helper = LeaveOnDrop { splits: self.splits, split };
        let own = (std::mem::replace(&mut self.chain, chain), self.selectivity, self.in_probcut);
        (self.selectivity, self.in_probcut) = (job.selectivity, job.in_probcut);
        // Stopped or not, what there is to tell has been told.
        let _ = self.search_split_moves(split, job);
        (self.chain, self.selectivity, self.in_probcut) = own;
    }

    /// Searches moves of a split until none is left.
    fn search_split_moves(&mut self, split: usize, job: SplitJob) -> Result<(), Stopped> {
        while let Some(candidate) = self.splits.next_move(split) {
            let score = -self.null_window(
                &PatternState::new(candidate.next),
                job.depth - 1,
                (-job.alpha).plus(-1),
            )?;
            self.splits.record(split, BestSoFar::by(candidate.square, score, self.result_selectivity));
        }
        Ok(())
    }

    /// Works on an own split until nobody is left there.
    pub(super) fn search_with_helpers(&mut self, split: usize, job: SplitJob) {
        if self.search_split_moves(split, job).is_err() {
            self.splits.abandon(split);
        }
        while let Some((below, job, chain)) = self.splits.join_below(split) {
            self.help_at(below, job, chain);
        }
    }
}
/// Leaves a split when dropped, by a panic too: its owner does not wait for ever.
struct LeaveOnDrop<'a> {
    splits: &'a SplitPoints,
    split: usize,
}

impl Drop for LeaveOnDrop<'_> {
    fn drop(&mut self) {
        self.splits.leave(self.split);
    }
}
