//! A thread's part in a common iteration: what it defers, and what it gives up since others have the result.

use crate::board::{Bitboard, Board};
use crate::eval::PatternState;
use crate::score::Score;
use crate::time_source::Timestamp;

use super::candidates::Candidate;
use super::common_iteration::{IterationId, Mark, Round, SharedWindow};
use super::control::Stopped;
use super::endgame_cache::SHALLOW_EMPTIES;
use super::line::Moves;
use super::root_moves::RootMoves;
use super::shared_path::{OpenNode, SharedPath};
use super::worker::Worker;

/// The least depth at which threads look at what others do. Below it, to do something twice is cheaper.
const SHARED_DEPTH: u8 = 5;

/// The same in a long iteration, where there is more to share higher up.
const LONG_SHARED_DEPTH: u8 = 7;

/// The least depth of a long iteration: some seconds of one thread.
const LONG_DEPTH: u8 = 32;

/// The same in an iteration to the end of the game. Shallower nodes are not in the table, which threads share.
pub(super) const COMMON_EMPTIES: u8 = SHALLOW_EMPTIES + 1;

/// For so many plies above that, even a move that may cause a cutoff is deferred: threads that search it together find
/// nothing to share.
const LEAST_PLIES: u8 = 4;

/// The least depth at which one thread at a time checks a node for a selective cut, short of the end of the game.
const CHECKED_ONCE_DEPTH: u8 = 6;

impl Worker<'_> {
    /// The main loop of a helper thread.
    pub(super) fn help_until_done(&mut self) {
        let mut last = None;
        loop {
            let start = Timestamp::now();
            let next = self.common.wait(last);
            self.statistics.waiting += start.elapsed();
            let Some((id, window)) = next else { return };
            last = Some(id);
            let round = window.round_of(self.thread_id);
            self.begin_sharing(id, window.round.depth, window.to_the_end);
            let mut moves = window.moves.without_lines();
            let mut searched = self.search_part(&mut moves, &window, round);
            if searched.is_ok() && round != window.round && !window.accepts(&moves) {
                searched = self.search_part(&mut moves, &window, window.round);
            }
            if searched.is_ok() {
                self.common.finish(id, moves);
            }
            self.end_sharing();
        }
    }

    fn search_part(
        &mut self,
        moves: &mut RootMoves,
        &SharedWindow { alpha, beta, .. }: &SharedWindow,
        Round { depth, selectivity }: Round,
    ) -> Result<(), Stopped> {
        self.selectivity = selectivity;
        self.search_window(moves, depth, alpha, beta)
    }

    /// What it searches from now on is a part of a common iteration of that depth.
    pub(super) fn begin_sharing(&mut self, iteration: IterationId, depth: u8, to_the_end: bool) {
        let least_depth = match depth {
            _ if to_the_end => COMMON_EMPTIES,
            LONG_DEPTH.. => LONG_SHARED_DEPTH,
            _ => SHARED_DEPTH,
        };
        self.path = Some(SharedPath::new(iteration, least_depth));
    }

    pub(super) fn end_sharing(&mut self) {
        self.path = None;
    }

    /// Whether the search of a node is shared with other threads.
    #[inline]
    pub(super) fn is_shared(&self, depth: u8) -> bool {
        self.path.as_ref().is_some_and(|path| depth >= path.least_depth)
    }

    /// Whether a move of a node should wait for the others, since another thread is searching it. One that may well cause a
    /// cutoff seldom should, the first of a cut node: the others would be searched in vain, and there is something to share
    /// below it.
    #[inline]
    pub(super) fn should_defer(&self, next: Board, depth: u8, may_cut: bool) -> bool {
        self.path.as_ref().is_some_and(|path| {
            depth >= path.least_depth
                && (!may_cut || depth < path.least_depth + LEAST_PLIES)
                && self.common.in_progress.contains(Mark::of_move(next, depth))
        })
    }

    /// The same for the moves of a node, which are deferred once.
    #[inline]
    pub(super) fn should_defer_candidate(&self, candidate: &Candidate, depth: u8, may_cut: bool) -> bool {
        !candidate.is_deferred() && self.should_defer(candidate.next, depth, may_cut)
    }

    /// Searches a move so that other threads see it.
    #[inline]
    pub(super) fn in_progress<T>(
        &mut self,
        next: Board,
        depth: u8,
        search: impl FnOnce(&mut Self) -> T,
    ) -> T {
        if self.is_shared(depth) { self.marked(Mark::of_move(next, depth), search) } else { search(self) }
    }

    /// A selective cut of a node that other threads may be at. Where one of them is checking it, this thread goes on with
    /// what a check without a cut leaves to do: on the longest path through a tree most nodes belong to checks.
    pub(super) fn shared_probcut(
        &mut self,
        state: &PatternState,
        depth: u8,
        alpha: Score,
    ) -> Result<Option<Score>, Stopped> {
        let is_alone = depth < CHECKED_ONCE_DEPTH || depth >= self.empties(state.board);
        if is_alone || !self.is_shared(depth) {
            return self.probcut(state, depth, alpha);
        }
        let mark = Mark::of_check(state.board, depth);
        if self.common.in_progress.contains(mark) {
            return Ok(None);
        }
        self.marked(mark, |worker| worker.probcut(state, depth, alpha))
    }

    fn marked<T>(&mut self, mark: Mark, search: impl FnOnce(&mut Self) -> T) -> T {
        self.common.in_progress.insert(mark);
        let result = search(self);
        self.common.in_progress.remove(mark);
        result
    }

    /// Whether the search goes on in vain: the iteration has ended, or the result of a node above is in the table.
    pub(super) fn is_behind(&mut self) -> bool {
        let Some(path) = &mut self.path else { return false };
        if self.common.has_ended(path.iteration) {
            return true;
        }
        let is_decided = |node: &OpenNode| {
            let entry = self.table.probe(node.key);
            entry.is_some_and(|entry| node.decided_by(&entry, self.selectivity).is_some())
        };
        path.return_to_first(is_decided)
    }

    /// Searches a shared node until this thread or another one has its result.
    pub(super) fn search_shared_node(
        &mut self,
        node: OpenNode,
        mut search: impl FnMut(&mut Self) -> Result<Score, Stopped>,
    ) -> Result<Score, Stopped> {
        loop {
            let Some(level) = self.path.as_mut().and_then(|path| path.enter(node)) else {
                return search(self);
            };
            let before = self.own_nodes();
            let result = search(self);
            if !self.path.as_mut().is_some_and(|path| path.leave(level)) {
                return result;
            }
            self.statistics.given_up += self.own_nodes() - before;
            // It may have been replaced meanwhile: then once more.
            if let Some(bound) = self.known_result(node) {
                return Ok(bound);
            }
        }
    }

    /// A node whose value other threads may have found. Each would have its own principal variation otherwise, and search
    /// the moves beside it against its own value: a different tree.
    ///
    /// The line of such a value is left empty: [`complete_line`](Self::complete_line) adds it at the end.
    pub(super) fn shared_pv_node(
        &mut self,
        state: &PatternState,
        moves: Bitboard,
        depth: u8,
        (alpha, beta): (Score, Score),
        line: &mut Moves,
    ) -> Result<Score, Stopped> {
        let node = OpenNode { key: state.board.hash(), depth, alpha, beta };
        if let Some(score) = self.known_result(node) {
            return Ok(score);
        }
        self.search_shared_node(node, |worker| {
            let searched = worker.pv_node(state, moves, depth, (alpha, beta), line);
            if searched.is_err() {
                line.clear();
            }
            searched
        })
    }

    /// What the table has for a node: its value, or a bound outside of its window.
    fn known_result(&mut self, node: OpenNode) -> Option<Score> {
        let entry = self.table.probe(node.key)?;
        let bound = node.decided_by(&entry, self.selectivity)?;
        self.result_selectivity = entry.selectivity;
        Some(bound)
    }
}
