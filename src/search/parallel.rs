//! Young brothers wait: searching one node with several threads.
//!
//! Once the first move of a node has failed to cause a cutoff, the owner may split the node: idle threads take its
//! other moves one by one, and the owner goes on when all helpers have left.

use crate::eval::PatternState;
use crate::score::Score;

use super::best_so_far::BestSoFar;
use super::candidates::Candidates;
use super::control::Stopped;
use super::split_points::{Chain, SplitJob, SplitPoints};
use super::worker::Worker;

/// The least depth of a split, in the midgame and in the endgame. Waking a helper for less than some tenths of a
/// millisecond of work costs more than it brings.
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

    /// Searches the rest of a node's moves together with idle threads.
    pub(super) fn split(
        &mut self,
        candidates: Candidates,
        depth: u8,
        alpha: Score,
        found: BestSoFar,
    ) -> Result<BestSoFar, Stopped> {
        let job = SplitJob { depth, alpha, selectivity: self.selectivity };
        let split = self.splits.open(self.thread_id, &mut self.chain, job, candidates, found);
        self.search_with_helpers(split, job);
        self.chain.pop();
        let found = self.splits.close(split);
        if found.score <= alpha {
            // A fail-low needs every move, and helpers may have been stopped before they had searched theirs.
            self.poll()?;
        }
        Ok(found)
    }

    /// The main loop of a helper thread.
    pub(super) fn help_until_done(&mut self) {
        while let Some((split, job, chain)) = self.splits.join_any() {
            self.help_at(split, job, chain);
        }
    }

    fn help_at(&mut self, split: usize, job: SplitJob, chain: Chain) {
        let _helper = LeaveOnDrop { splits: self.splits, split };
        let own = (std::mem::replace(&mut self.chain, chain), self.selectivity);
        self.selectivity = job.selectivity;
        // A stop needs no handling here: results so far are recorded.
        let _ = self.search_split_moves(split, job);
        (self.chain, self.selectivity) = own;
    }

    fn search_split_moves(&mut self, split: usize, job: SplitJob) -> Result<(), Stopped> {
        while let Some(candidate) = self.splits.next_move(split) {
            let next = PatternState::new(candidate.next).with_value(candidate.value);
            let found = self.null_window_move(&candidate, &next, job.depth, job.alpha)?;
            self.splits.record(split, found);
        }
        Ok(())
    }

    /// Searches as the owner of a split until the last helper has left.
    pub(super) fn search_with_helpers(&mut self, split: usize, job: SplitJob) {
        if self.search_split_moves(split, job).is_err() {
            self.splits.abandon(split);
        }
        while let Some((below, job, chain)) = self.splits.join_below(split) {
            self.help_at(below, job, chain);
        }
    }
}
/// Leaves a split when dropped. A helper that panics must not keep the owner waiting.
struct LeaveOnDrop<'a> {
    splits: &'a SplitPoints,
    split: usize,
}

impl Drop for LeaveOnDrop<'_> {
    fn drop(&mut self) {
        self.splits.leave(self.split);
    }
}
