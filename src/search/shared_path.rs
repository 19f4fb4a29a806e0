//! A thread's part in a common iteration: what it defers, and what it gives up since others have the result.

use arrayvec::ArrayVec;

use crate::board::Board;
use crate::score::Score;
use crate::tt::Entry;

use super::candidates::Candidate;
use super::common_iteration::{IterationId, Mark};
use super::control::Stopped;
use super::worker::Worker;

/// The least depth at which threads look at what others do. Below it, to do something twice is cheaper.
const SHARED_DEPTH: u8 = 5;

/// A null-window node that the thread is searching.
#[derive(Clone, Copy)]
struct OpenNode {
    key: u64,
    depth: u8,
    alpha: Score,
}

pub(super) struct SharedPath {
    iteration: IterationId,
    /// Outermost first. A pass does not count, so there is at most one for each depth, and one for its check.
    nodes: ArrayVec<OpenNode, 128>,
    /// The level of a node whose result is in the table: the thread returns to it.
    returning_to: Option<usize>,
}

impl Worker<'_> {
    /// What it searches from now on is a part of a common iteration.
    pub(super) fn enter_common(&mut self, iteration: IterationId) {
        self.shared = Some(SharedPath { iteration, nodes: ArrayVec::new(), returning_to: None });
    }

    pub(super) fn leave_common(&mut self) {
        self.shared = None;
    }

    /// Whether the search of a node is shared with other threads.
    #[inline]
    pub(super) fn is_shared(&self, depth: u8) -> bool {
        self.shared.is_some() && depth >= SHARED_DEPTH
    }

    /// Whether a move of a node should wait for the others: another thread is searching it.
    #[inline]
    pub(super) fn should_defer(&self, candidate: &Candidate, depth: u8) -> bool {
        self.is_shared(depth)
            && !candidate.is_deferred()
            && self.splits.common.in_progress.contains(Mark::new(candidate.next, depth))
    }

    /// Searches a move so that other threads see it.
    #[inline]
    pub(super) fn in_progress<T>(
        &mut self,
        next: Board,
        depth: u8,
        search: impl FnOnce(&mut Self) -> T,
    ) -> T {
        if !self.is_shared(depth) {
            return search(self);
        }
        let mark = Mark::new(next, depth);
        self.splits.common.in_progress.insert(mark);
        let result = search(self);
        self.splits.common.in_progress.remove(mark);
        result
    }

    /// Whether the search goes on in vain: the iteration has ended, or the result of a node above is in the table.
    pub(super) fn is_behind(&mut self) -> bool {
        let Some(shared) = &mut self.shared else { return false };
        if self.splits.common.has_ended(shared.iteration) {
            return true;
        }
        let is_decided = |node: &OpenNode| {
            let entry = self.table.probe(node.key);
            entry.is_some_and(|entry| entry.decides(node.alpha, node.depth, self.selectivity).is_some())
        };
        shared.returning_to = shared.nodes.iter().position(is_decided);
        shared.returning_to.is_some()
    }

    /// Searches a shared null-window node until this thread or another one has its result.
    pub(super) fn search_shared_node(
        &mut self,
        key: u64,
        depth: u8,
        alpha: Score,
        mut search: impl FnMut(&mut Self) -> Result<Score, Stopped>,
    ) -> Result<Score, Stopped> {
        let node = OpenNode { key, depth, alpha };
        loop {
            let Some(level) = self.shared.as_mut().and_then(|shared| shared.enter(node)) else {
                return search(self);
            };
            let before = self.own_nodes();
            let result = search(self);
            let shared = self.shared.as_mut();
            if !shared.is_some_and(|shared| shared.leave(level)) {
                return result;
            }
            self.statistics.wasted += self.own_nodes() - before;
            let known = self.table.probe(key);
            let decisive = |entry: Entry| Some((entry.decides(alpha, depth, self.selectivity)?, entry));
            // It may have been replaced meanwhile: then once more.
            if let Some((bound, entry)) = known.and_then(decisive) {
                self.result_selectivity = entry.selectivity;
                return Ok(bound);
            }
        }
    }
}

impl SharedPath {
    /// The level of the node; none if there is no room.
    fn enter(&mut self, node: OpenNode) -> Option<usize> {
        self.nodes.try_push(node).ok()?;
        Some(self.nodes.len() - 1)
    }

    /// Returns whether the node was given up, since its result is in the table.
    fn leave(&mut self, level: usize) -> bool {
        self.nodes.truncate(level);
        self.returning_to.take_if(|returning_to| *returning_to == level).is_some()
    }
}
