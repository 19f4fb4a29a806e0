//! Young brothers wait: searching one node with several threads.
//!
//! Once the first move of a node has failed to cause a cutoff, the owner may split the node: idle threads take its
//! other moves one by one, and the owner goes on when all helpers have left.

use crate::board::Board;
use crate::eval::PatternState;
use crate::score::Score;
use crate::time_source::Timestamp;

use super::best_so_far::BestSoFar;
use super::candidates::{Candidate, Candidates};
use super::common_iteration::{IterationId, RootResult, SharedRoot};
use super::control::Stopped;
use super::line::Moves;
use super::split_points::{Joined, SplitJob, SplitPoints, Work};
use super::worker::Worker;

/// The least depth of a split, in the midgame and in the endgame. Less work costs more to hand over than it brings.
const SPLIT_DEPTH: u8 = 8;
const SPLIT_EMPTIES: u8 = 15;

impl Worker<'_> {
    /// Whether idle threads should search the rest of a node's moves.
    #[inline]
    pub(super) fn can_split(&self, board: Board, candidates: &Candidates, depth: u8) -> bool {
        let least = if depth >= self.empties(board) { SPLIT_EMPTIES } else { SPLIT_DEPTH };
        depth >= least
            && candidates.left() >= 2
            && self.shared.is_none()
            && !self.chain.is_full()
            && self.splits.has_idle_threads()
    }

    /// Searches the rest of a null-window node's moves together with idle threads.
    pub(super) fn split(
        &mut self,
        candidates: Candidates,
        depth: u8,
        alpha: Score,
        found: BestSoFar,
    ) -> Result<BestSoFar, Stopped> {
        let job = SplitJob { depth, alpha, selectivity: self.selectivity, reduces: true };
        Ok(self.search_split(job, candidates, found)?.0)
    }

    /// The same for later moves of a PV node, until one is above `alpha`. Returns with it those that were not shown to be
    /// at most `alpha`: itself, and those whose searches were not ended.
    pub(super) fn split_pv(
        &mut self,
        mut candidates: Candidates,
        depth: u8,
        alpha: Score,
    ) -> Result<(BestSoFar, Candidates), Stopped> {
        // They must not come back: a move whose bounds contradict each other would do so for ever.
        candidates.drop_taken();
        let job = SplitJob { depth, alpha, selectivity: self.selectivity, reduces: false };
        self.search_split(job, candidates, BestSoFar::nothing())
    }

    fn search_split(
        &mut self,
        job: SplitJob,
        candidates: Candidates,
        found: BestSoFar,
    ) -> Result<(BestSoFar, Candidates), Stopped> {
        self.statistics.opened[usize::from(job.depth)] += 1;
        let split = self.splits.open(self.thread_id, &mut self.chain, job, candidates, found);
        self.search_with_helpers(split, job);
        self.chain.pop();
        let (found, rest) = self.splits.close(split);
        if found.score <= job.alpha {
            // A fail-low needs every move, and helpers may have been stopped before they had searched theirs.
            self.poll()?;
        }
        Ok((found, rest))
    }

    /// The main loop of a helper thread.
    pub(super) fn help_until_done(&mut self) {
        while let Some(work) = self.wait_for(SplitPoints::next_work) {
            match work {
                Work::Split(joined) => self.help_at(joined),
                Work::Iteration(id, root) => self.help_with(id, &root),
            }
        }
    }

    fn help_with(&mut self, id: IterationId, root: &SharedRoot) {
        self.selectivity = root.selectivity;
        let SharedRoot { state, moves, depth, alpha, beta, .. } = root;
        let mut line = Moves::new();
        self.enter_common(id);
        let found = self.pvs_moves(state, moves.clone(), *depth, *alpha, *beta, &mut line);
        self.leave_common();
        if let Ok((score, _)) = found {
            self.splits.common.finish(id, RootResult { score, line });
        }
    }

    fn wait_for<T>(&mut self, wait: impl FnOnce(&SplitPoints) -> T) -> T {
        let start = Timestamp::now();
        let found = wait(self.splits);
        self.statistics.waiting += start.elapsed();
        found
    }

    fn help_at(&mut self, Joined { split, job, chain }: Joined) {
        let _helper = LeaveOnDrop { splits: self.splits, split };
        self.statistics.joined[usize::from(job.depth)] += 1;
        let own = (std::mem::replace(&mut self.chain, chain), self.selectivity);
        self.selectivity = job.selectivity;
        // A stop needs no handling here: results so far are recorded.
        let _ = self.search_split_moves(split, job);
        (self.chain, self.selectivity) = own;
    }

    fn search_split_moves(&mut self, split: usize, job: SplitJob) -> Result<(), Stopped> {
        while let Some(candidate) = self.splits.next_move(split) {
            let before = self.own_nodes();
            match self.search_split_move(&candidate, job) {
                Ok(found) => self.splits.record(split, found),
                Err(Stopped) => {
                    self.statistics.wasted += self.own_nodes() - before;
                    return Err(Stopped);
                }
            }
        }
        Ok(())
    }

    fn search_split_move(&mut self, candidate: &Candidate, job: SplitJob) -> Result<BestSoFar, Stopped> {
        let next = PatternState::new(candidate.next).with_value(candidate.value);
        if job.reduces {
            return self.null_window_move(candidate, &next, job.depth, job.alpha);
        }
        let score = -self.null_window(&next, job.depth - 1, (-job.alpha).plus(-1))?;
        Ok(BestSoFar::by(candidate.square, score, self.result_selectivity))
    }

    /// Searches as the owner of a split until the last helper has left.
    pub(super) fn search_with_helpers(&mut self, split: usize, job: SplitJob) {
        if self.search_split_moves(split, job).is_err() {
            self.splits.abandon(split);
        }
        while let Some(joined) = self.wait_for(|splits| splits.join_below(split)) {
            self.help_at(joined);
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
